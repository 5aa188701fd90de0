"""A value for each tile as a triangle: higher half down, lower half across, doubles on the diagonal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.patches import Rectangle

from reports.figures.scale import lines_of
from reports.style import HEAT, INK, MUTED, PAPER, WIDTH, on_heat

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

FEW = 30  # cases; a tile with fewer has no colour
_MIDDLE = len(HEAT) // 2
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)  # percentage points of one step of colour
_GAP = 0.04  # of a cell's width and height


@dataclass(frozen=True)
class Cell:
    """The value of a tile.

    Attributes
    ----------
    tile : as it is written, "6-3".
    value : in percent or percentage points.
    told : the value in words.
    is_clear : whether its interval leaves out the middle of the colours.
    n : its cases.
    """

    tile: str
    value: float
    told: str
    is_clear: bool
    n: int

    @property
    def halves(self) -> tuple[int, int]:
        """The higher and the lower half of the tile."""
        high, low = self.tile.split("-")
        return int(high), int(low)


def step_of_colours(cells: Sequence[Cell], middle: float) -> float:
    """Return the width of one step of colour, the finest whose outer steps reach all but the rarest cells."""
    far = max((abs(cell.value - middle) for cell in cells if cell.n >= FEW), default=0.0)
    return next((step for step in _STEPS if (_MIDDLE + 0.5) * step >= far), _STEPS[-1])


def heat_step(value: float, middle: float, step: float) -> int:
    """Return the number of the colour of `HEAT` that stands for a value."""
    return min(max(_MIDDLE + math.floor((value - middle) / step + 0.5), 0), len(HEAT) - 1)


def rows_of(rules: Mapping[str, Any]) -> int:
    """Return how many values a half has under a rule set."""
    return 10 if rules["set"] == "double-nine" else 7


def size(cells: Sequence[Cell], rows: int) -> tuple[float, float]:
    """Return the width and height in inches of a triangle of these cells."""
    return WIDTH, 0.36 * rows + (1.45 if has_key(cells) else 0.6)


def has_key(cells: Sequence[Cell]) -> bool:
    """Return whether any cell has a colour."""
    return any(cell.n >= FEW for cell in cells)


def draw_triangle(
    figure: FigureBase,
    cells: Sequence[Cell],
    rows: int,
    colours: tuple[float, float],
    labels: tuple[str, str, str],
    tell: Callable[[float], str],
) -> None:
    """Draw a triangle of cells and, where any has a colour, the key of the colours below it.

    Parameters
    ----------
    rows : as `rows_of` has it.
    colours : the value of the middle one, and their step as `step_of_colours` has it.
    labels : across, down, and of the colours.
    tell : returns a value of the colours' key in words.
    """
    if has_key(cells):
        axes, key = figure.subplots(2, 1, height_ratios=[rows, 0.75])
        _draw_key(key, *colours, labels[2], tell)
    else:
        axes = figure.subplots()
    for cell in cells:
        _draw_cell(axes, cell, *colours)
    axes.set_xlim(-0.5, rows - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks(range(rows))
    axes.set_yticks(range(rows))
    axes.set_xlabel(lines_of(labels[0]))
    axes.set_ylabel(lines_of(labels[1], 28))
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_cell(axes: Axes, cell: Cell, middle: float, step: float) -> None:
    high, low = cell.halves
    is_rare = cell.n < FEW
    number = heat_step(cell.value, middle, step)
    side = 1 - 2 * _GAP
    box = Rectangle(
        (low - side / 2, high - side / 2),
        side,
        side,
        facecolor="none" if is_rare else HEAT[number],
        edgecolor=MUTED if is_rare else "none",
        linestyle="--",
        linewidth=0.8,
    )
    axes.add_patch(box)
    axes.text(
        low,
        high,
        cell.told,
        ha="center",
        va="center",
        color=MUTED if is_rare else on_heat(number),
        weight="bold" if cell.is_clear and not is_rare else "normal",
    )


def _draw_key(axes: Axes, middle: float, step: float, label: str, tell: Callable[[float], str]) -> None:
    for number, colour in enumerate(HEAT):
        axes.add_patch(Rectangle((number - 0.5, 0), 1, 1, facecolor=colour, edgecolor=PAPER))
    axes.set_xlim(-0.5, len(HEAT) - 0.5)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.set_xticks(
        range(len(HEAT)), [tell(middle + (number - _MIDDLE) * step) for number in range(len(HEAT))]
    )
    axes.set_xlabel(lines_of(label), color=INK)
    _plain(axes)
