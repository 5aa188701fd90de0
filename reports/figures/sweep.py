"""The figures of a sweep in the order of a page: the metric over what is varied, then the differences."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reports.figures.base_differences import base_differences
from reports.figures.cells import Axis, Cell, Sweep
from reports.figures.sections import filled
from reports.figures.sweep_heat import sweep_heat
from reports.figures.sweep_lines import sweep_lines
from reports.figures.sweep_rows import sweep_rows
from reports.style import MARKERS

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words

MOST_SERIES = len(MARKERS)
_MOST_FACETS = 6
MOST_CATEGORIES = 6


def sweep_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of a sweep under "metric" and "base"."""
    sweep = Sweep(material, words)
    drawn = [
        drawing for place, cells in enumerate(_facets(sweep)) for drawing in _drawings(sweep, cells, place)
    ]
    difference = base_differences(sweep)
    return filled([("metric", drawn), ("base", [] if difference is None else [difference])])


def _in_order(sweep: Sweep) -> list[Axis]:
    """Return the axes, the numeric ones first."""
    return sorted(sweep.axes, key=lambda axis: not axis.is_numeric)


def _facets(sweep: Sweep) -> Iterator[list[Cell]]:
    """Yield the cells of each figure: of more than two axes two are drawn, the others keep one value each."""
    others = _in_order(sweep)[2:]
    choices = itertools.product(*(axis.values for axis in others))
    for values in itertools.islice(choices, _MOST_FACETS):
        fixed = {axis.field: value for axis, value in zip(others, values, strict=True)}
        yield [cell for cell in sweep.cells if fixed.items() <= dict(cell.values).items()]


def _drawings(sweep: Sweep, cells: list[Cell], place: int) -> Iterator[Drawing]:
    """Yield the figures of cells that differ in one or two axes."""
    if all(cell.own is None for cell in cells):
        return
    first, second = [*_in_order(sweep), None][:2]
    assert first is not None
    if second is None:
        yield sweep_lines(sweep, cells, place, first) if first.is_numeric else sweep_rows(sweep, cells, place)
        return
    if not first.is_numeric and len(second.values) > MOST_SERIES >= len(first.values):
        first, second = second, first
    has_lines = len(second.values) <= MOST_SERIES and (
        first.is_numeric or len(first.values) <= MOST_CATEGORIES
    )
    if has_lines:
        yield sweep_lines(sweep, cells, place, first, second)
    if not has_lines or second.is_numeric:
        yield sweep_heat(sweep, cells, place, first, second)
