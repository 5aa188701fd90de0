"""Forest plots: estimates with their intervals in rows, the null as a line, the numbers at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas

from reports.figures.scale import Scale, lines_of, more_lines, tick
from reports.style import INK, MARKERS, MUTED, PAPER, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

MOST_ROWS = 30  # a longer plot is a table
_ROW, _FRAME = 0.27, 0.85  # inches: a row, and the axis with its label
_LINE = 0.16  # inches: each further line of the longest name of a row
_NAME_LETTERS = 24


@dataclass(frozen=True)
class Point:
    """One row of a forest plot.

    Attributes
    ----------
    name : of the row.
    estimate : its value.
    low, high : its interval; None where there is none.
    group : number of its marker and colour.
    """

    name: str
    estimate: float
    low: float | None
    high: float | None
    group: int = 0

    @property
    def width(self) -> float:
        """Width of the interval; 0 without one."""
        return 0.0 if self.low is None or self.high is None else self.high - self.low

    def is_told_from(self, null: float) -> bool:
        """Whether there is an interval and it does not hold the null."""
        return self.low is not None and self.high is not None and not self.low <= null <= self.high


def number_or_none(value: object) -> float | None:
    """Return a cell of a table as a number, None where it is null."""
    return None if value is None or pandas.isna(value) else float(value)  # type: ignore[arg-type]


def points_of(
    table: pandas.DataFrame,
    names: Sequence[str],
    columns: tuple[str, str, str],
    groups: Sequence[int] | None = None,
) -> list[Point]:
    """Return the points of a table's rows, those without an estimate left out.

    Parameters
    ----------
    names : one a row.
    columns : of the estimate and of the bounds of its interval.
    groups : number of each row's marker and colour; all 0 without them.
    """
    found = []
    for i, values in enumerate(table[list(columns)].itertuples(index=False)):
        estimate, low, high = (number_or_none(value) for value in values)
        if estimate is not None:
            found.append(Point(names[i], estimate, low, high, groups[i] if groups else 0))
    return found


def height(points: Sequence[Point]) -> float:
    """Return the height in inches of a forest plot of these rows."""
    row = _ROW + _LINE * more_lines([point.name for point in points], _NAME_LETTERS)
    return _FRAME + row * len(points)


def size(points: Sequence[Point], head: str = "") -> tuple[float, float]:
    """Return the width and height in inches of a forest plot of these rows, below a head."""
    above = _LINE * (lines_of(head, _NAME_LETTERS).count("\n") + 1) if head else 0.0
    return WIDTH, height(points) + above


def draw_forest(
    figure: FigureBase,
    points: Sequence[Point],
    scale: Scale,
    label: str,
    null: float | None = None,
    head: str = "",
) -> None:
    """Draw a forest plot on an empty figure, the first point at the top.

    A hollow marker says that the interval holds the null.

    Parameters
    ----------
    scale : tells the numbers at the right and the ticks.
    label : of the horizontal axis.
    null : where a line is drawn; None without one.
    head : what the names of the rows are, written above them; `size` leaves room for it.
    """
    axes = figure.subplots()
    places = list(range(len(points) - 1, -1, -1))
    if null is not None:
        axes.axvline(null, color=MUTED, linestyle="--", linewidth=1.1, zorder=1)
    for place, point in zip(places, points, strict=True):
        _draw_point(axes, place, point, null)
    axes.set_yticks(places, [lines_of(point.name, _NAME_LETTERS) for point in points])
    axes.set_ylim(-0.6, len(points) - 0.4)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    _widen(axes)
    tick(axes.xaxis, scale.words, scale.form, signed=scale.signed, most=5)
    axes.set_xlabel(lines_of(label))
    if head:
        told = lines_of(head, _NAME_LETTERS)
        axes.annotate(told, (0, 1), (-4, 2), "axes fraction", "offset points", ha="right", color=MUTED)
    _write_numbers(axes, places, [scale.tell_all(point.estimate, point.low, point.high) for point in points])


def _draw_point(axes: Axes, place: int, point: Point, null: float | None) -> None:
    colour = SERIES[point.group]
    if point.low is not None and point.high is not None:
        reach = [[max(point.estimate - point.low, 0.0)], [max(point.high - point.estimate, 0.0)]]
        axes.errorbar(point.estimate, place, xerr=reach, fmt="none", color=colour, elinewidth=1.6)
    is_hollow = null is not None and not point.is_told_from(null)
    axes.plot(
        point.estimate,
        place,
        MARKERS[point.group],
        color=colour,
        markerfacecolor=PAPER if is_hollow else colour,
        zorder=3,
    )


def _widen(axes: Axes) -> None:
    """Give the axis a width where all that is drawn has one value."""
    left, right = axes.dataLim.intervalx
    if right - left <= 0:
        axes.set_xlim(left - 0.01, right + 0.01)


def _write_numbers(axes: Axes, places: Sequence[int], told: Sequence[str]) -> None:
    """Write each row's numbers at the right, as the tick labels of a second axis, so that room is made."""
    right = axes.twinx()
    right.set_ylim(axes.get_ylim())
    right.set_yticks(list(places), list(told))
    right.tick_params(axis="y", length=0, labelcolor=INK)
    right.grid(visible=False)
    for spine in right.spines.values():
        spine.set_visible(False)
