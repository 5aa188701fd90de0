"""A metric in the cells of a sweep, a row each; and what the captions and tables of all its figures share."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from reports.drawing import Drawing
from reports.figures import forest
from reports.figures.cells import Cell, Sweep
from reports.labels import cell_label

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import FigureBase

_MOST_TOLD = 40  # cells in a text alternative


def sweep_rows(sweep: Sweep, cells: list[Cell], place: int) -> Drawing:
    """Draw a metric in each cell, in the order of the run."""
    words, scale = sweep.words, sweep.scale(cells)
    points = [
        dataclasses.replace(cell.own, name=sweep.name_of(cell)) for cell in cells if cell.own is not None
    ]
    shown = points[: forest.MOST_ROWS]

    def draw(figure: FigureBase) -> None:
        forest.draw_forest(figure, shown, scale, sweep.label, null=sweep.null, head=sweep.head)

    return Drawing(
        key=key_of("sweep", place),
        title=sweep.finding(cells),
        caption=caption_of(sweep, cells, _left_out(sweep, len(shown), len(points))),
        alt=words("{metric}: {told}.", metric=sweep.label, told=told_cells(sweep, cells)),
        draw=draw,
        table=table_of(sweep, cells),
        size=forest.size(shown, sweep.head),
    )


def _left_out(sweep: Sweep, shown: int, points: int) -> str:
    if shown == points:
        return ""
    return sweep.words(
        "Only the first {shown} of {cells} cells are drawn; the table has all.", shown=shown, cells=points
    )


def key_of(name: str, place: int) -> str:
    """Return the key of the figure of a part of the cells; the first has the plain name."""
    return f"{name}-{place + 1}" if place else name


def told_cells(sweep: Sweep, cells: list[Cell]) -> str:
    """Return the metric in each cell, in words; of very many in the first ones."""
    scale, words = sweep.scale(cells), sweep.words
    told = [
        f"{cell_label(sweep.told_values(cell, cells), words)}: "
        + scale.tell_all(cell.own.estimate, cell.own.low, cell.own.high)
        for cell in cells[:_MOST_TOLD]
        if cell.own is not None
    ]
    more = [words("the other cells are in the table")] if len(cells) > _MOST_TOLD else []
    return "; ".join(told + more)


def caption_of(sweep: Sweep, cells: list[Cell], *more: str) -> str:
    """Return the caption of a figure of some cells: what they share, how far the title holds, the source."""
    words = sweep.words
    fixed = sweep.fixed(cells)
    told = [words("With {cell}.", cell=fixed)] if fixed else []
    if len(cells) > 1:
        told.append(words("The title allows for its choice among {cells} cells.", cells=len(cells)))
    return " ".join(part for part in [*told, *more, sweep.source] if part)


def table_of(sweep: Sweep, cells: list[Cell]) -> pandas.DataFrame:
    """Return the rows of the table that are drawn."""
    places = [place for place, cell in enumerate(sweep.cells) if any(cell is own for own in cells)]
    columns = [axis.field for axis in sweep.axes] + ["n", "estimate", "low", "high"]
    return sweep.table.iloc[places][columns].reset_index(drop=True)
