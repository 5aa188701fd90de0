"""Heat maps: a grid of cells in the steps of the palette, with their values where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from reports.figures.scale import lines_of, more_lines
from reports.style import HEAT, MUTED, PAPER, WIDTH, on_heat

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

MIDDLE = len(HEAT) // 2
LETTER = 0.082  # inches: mean width of a letter of 9 points
_ROW, _FRAME, _KEY = 0.32, 0.95, 0.4
_NAME_LETTERS, _TURNED_LETTERS = 16, 34
_LINE = 0.16  # inches: a line of a name
_MOST_MARKS = 20  # tick labels on an axis

Steps = Sequence[Sequence[int | None]]
Key = Sequence[tuple[int, str]]


def diverging(value: float, low: float, middle: float, high: float) -> int:
    """Return the step of `HEAT` of a value: the first at the low, the last at the high."""
    share = _share(value, low, middle) if value < middle else 1 + _share(value, middle, high)
    return round(share * MIDDLE)


def rising(value: float, low: float, high: float) -> int:
    """Return the step of `HEAT` of a value, from the middle one at the low to the last at the high."""
    return MIDDLE + round(_share(value, low, high) * MIDDLE)


def _share(value: float, low: float, high: float) -> float:
    return 0.0 if high <= low else min(max((value - low) / (high - low), 0.0), 1.0)


def fits(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Whether the values of a heat map can be read in its cells."""
    longest = max((len(cell) for row in cells for cell in row), default=0)
    return longest * LETTER + 0.06 <= (WIDTH - 1.6) / len(columns)


def size(rows: Sequence[str], columns: Sequence[str], *, has_key: bool = False) -> tuple[float, float]:
    """Return the width and height in inches of a heat map with these rows and columns."""
    row = _ROW if len(rows) <= 15 else max(0.12, _ROW * 15 / len(rows))
    if len(rows) <= _MOST_MARKS:
        row = max(row, _LINE * (1 + more_lines(rows, _NAME_LETTERS)) + 0.03)
    longest = max(len(line) for column in columns for line in _column(column, columns).splitlines())
    turned = 0.075 * longest if is_turned(columns) else 0.0
    return WIDTH, _FRAME + turned + row * len(rows) + (_KEY if has_key else 0.0)


def is_turned(columns: Sequence[str]) -> bool:
    """Whether the names of the columns are too long to stand beside each other."""
    return max(len(column) for column in columns) * LETTER + 0.08 > (WIDTH - 1.7) / len(columns)


def _column(name: str, columns: Sequence[str]) -> str:
    """Return the name of a column in lines: in one where it stands across."""
    return lines_of(name, _TURNED_LETTERS) if is_turned(columns) else name


def draw_heat(
    figure: FigureBase,
    rows: Sequence[str],
    columns: Sequence[str],
    steps: Steps,
    *,
    cells: Sequence[Sequence[str]] | None = None,
    labels: tuple[str, str] = ("", ""),
    key: Key = (),
) -> None:
    """Draw a heat map on an empty figure, the first row at the top.

    Parameters
    ----------
    rows, columns : their names.
    steps : of `HEAT`, by row and column; None: no value, no colour.
    cells : what is written in each; None: nothing.
    labels : of the axes of the columns and of the rows.
    key : some steps with what they stand for, drawn as a legend; needed where nothing is written.
    """
    axes = figure.subplots()
    for step in range(len(HEAT)):
        _draw_step(axes, step, steps, apart=cells is not None)
    for i, row in enumerate(cells or ()):
        for j, cell in enumerate(row):
            own = steps[i][j]
            colour = MUTED if own is None else on_heat(own)
            axes.text(j, i, cell, ha="center", va="center", size=9, color=colour)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(_marks(columns), [_column(columns[place], columns) for place in _marks(columns)])
    axes.set_yticks(_marks(rows), [lines_of(rows[place], _NAME_LETTERS) for place in _marks(rows)])
    if is_turned([columns[place] for place in _marks(columns)]):
        axes.tick_params(axis="x", labelrotation=90)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel(lines_of(labels[0]))
    axes.set_ylabel(lines_of(labels[1], 26))
    if key:
        patches = [
            Patch(facecolor=HEAT[step], edgecolor=MUTED, linewidth=0.5, label=told) for step, told in key
        ]
        axes.legend(
            handles=patches,
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            ncols=len(key),
            columnspacing=1.0,
            handlelength=1.2,
        )


def _marks(names: Sequence[str]) -> list[int]:
    """Return the places that bear a name: all, or every second, fifth, tenth … of too many."""
    stride = next(n for n in (1, 2, 5, 10, 20, 50, 100) if len(names) <= n * _MOST_MARKS)
    return list(range(0, len(names), stride))


def _draw_step(axes: Axes, step: int, steps: Steps, *, apart: bool) -> None:
    """Draw all cells of one step as a single shape: cells apart, or those beside each other as one."""
    boxes = [box for i, row in enumerate(steps) for box in _boxes(i, row, step, apart)]
    if not boxes:
        return
    outline = Path.make_compound_path(*[_rectangle(*box) for box in boxes])
    edge, line = (PAPER, 1.2) if apart else (HEAT[step], 0.3)
    axes.add_patch(PathPatch(outline, facecolor=HEAT[step], edgecolor=edge, linewidth=line))


def _boxes(i: int, row: Sequence[int | None], step: int, apart: bool) -> list[tuple[float, float, int]]:
    """Return left, top and width of the runs of a step in a row; of its cells where they stand apart."""
    found: list[tuple[float, float, int]] = []
    for j, own in enumerate(row):
        if own != step:
            continue
        if found and not apart and found[-1][0] + found[-1][2] == j - 0.5:
            left, top, width = found.pop()
            found.append((left, top, width + 1))
        else:
            found.append((j - 0.5, i - 0.5, 1))
    return found


def _rectangle(left: float, top: float, width: int) -> Path:
    corners = [(left, top), (left + width, top), (left + width, top + 1), (left, top + 1), (left, top)]
    return Path(corners, [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])
