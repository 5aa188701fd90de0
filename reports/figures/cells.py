"""The cells of a sweep, read: what is varied, the metric in each cell, and what may be said of them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reports.drawing import told_confidence, told_played
from reports.figures.claims import are_apart, as_one_of
from reports.figures.forest import Point, number_or_none
from reports.figures.scale import NUMBER, PERCENT, POINTS, Scale, scale_of
from reports.labels import (
    DIFFERENCE,
    SHARE,
    cell_label,
    field_axis,
    field_label,
    kind_of,
    metric_label,
    metric_unit,
    sentence,
    with_unit,
)

if TYPE_CHECKING:
    import pandas

    from reports.material import Material
    from reports.words import Words

FEW = 3  # a numeric axis of fewer values is drawn as categories


@dataclass(frozen=True)
class Axis:
    """What is varied.

    Attributes
    ----------
    field : of the rule set, "policy", or "policy.SIDE".
    values : in the order of the run; numbers ascending.
    """

    field: str
    values: tuple[Any, ...]

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, and enough of them for a line."""
        return len(self.values) >= FEW and all(isinstance(value, int) for value in self.values)


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes
    ----------
    values : of the axes.
    own : the metric in it; None where nothing was observed.
    difference : to the base; None where nothing was observed.
    paired, base : as in the table.
    """

    values: Mapping[str, Any]
    own: Point | None
    difference: Point | None
    paired: bool
    base: bool


class Sweep:
    """The table `cells` with its words.

    Parameters
    ----------
    material : of a sweep.
    words : of the reader's language.
    """

    def __init__(self, material: Material, words: Words) -> None:
        self.material, self.words = material, words
        self.table = material.tables["cells"]
        self.metric = str(material.facts.get("metric", material.summary["metric"].iloc[0]))

    @cached_property
    def axes(self) -> list[Axis]:
        """What takes more than one value; where nothing does, what was named."""
        fields = [str(name) for name in self.table.columns[: list(self.table.columns).index("n")]]
        every = [Axis(name, _values(self.table[name])) for name in fields]
        return [axis for axis in every if len(axis.values) > 1] or every[:1]

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, in the order of the table."""
        return [self._cell(row) for row in self.table.to_dict("records")]

    def _cell(self, row: Mapping[Any, Any]) -> Cell:
        values = {axis.field: _plain(row[axis.field]) for axis in self.axes}
        name = cell_label(values, self.words)
        return Cell(
            values,
            _point(row, name, ("estimate", "low", "high")),
            _point(row, name, ("difference", "difference_low", "difference_high")),
            bool(row["paired"]),
            bool(row["base"]),
        )

    # --- words ----------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The metric with its unit."""
        return with_unit(self.told, metric_unit(self.metric, self.words), self.words)

    @property
    def told(self) -> str:
        """The metric in words, with a capital."""
        return sentence(metric_label(self.metric, self.words))

    @property
    def head(self) -> str:
        """What the values of `name_of` are."""
        return ", ".join(field_axis(axis.field, self.words) for axis in self.axes)

    def name_of(self, cell: Cell) -> str:
        """Return the values of a cell without the names of their fields."""
        return ", ".join(str(value) for value in cell.values.values())

    @property
    def source(self) -> str:
        """The end of every caption: the base cell, how much was played, seed and interval."""
        words = self.words
        return words(
            "Base: {rules}, {policies}; {played} in each of {cells} cells, seed {seed}, {confidence} "
            "intervals.",
            rules=self.material.rules_told,
            policies=", ".join(dict.fromkeys(self.material.policies)),
            played=told_played(self.material, words),
            cells=len(self.cells),
            seed=self.material.seed,
            confidence=told_confidence(self.material, words),
        )

    @property
    def null(self) -> float | None:
        """Where the metric says that nobody is ahead; None where no value says so."""
        stem = self.metric.partition(":")[0]
        return 0.0 if kind_of(stem) == DIFFERENCE or stem == "opener_margin" else None

    @property
    def form(self) -> str:
        """How its values are told."""
        kind = kind_of(self.metric.partition(":")[0])
        return {SHARE: PERCENT, DIFFERENCE: POINTS}.get(kind, NUMBER)

    def scale(self, cells: Sequence[Cell]) -> Scale:
        """Return how the values of these cells are told."""
        widths = [cell.own.width for cell in cells if cell.own is not None]
        return scale_of(self.words, self.form, widths, signed=self.null is not None)

    # --- what may be said -----------------------------------------------------------------------

    def are_told_apart(self, first: Cell, second: Cell, among: int) -> bool:
        """Whether two of so many cells differ beyond their intervals, however they were chosen.

        The intervals are widened for all pairs of the cells at once (Bonferroni). Cells that share deals are
        told apart by their differences too.
        """
        pairs = max(among * (among - 1) // 2, 1)
        for one, other in ((first.own, second.own), (first.difference, second.difference)):
            if one is None or other is None:
                continue
            confidence = self.material.confidence
            if are_apart(as_one_of(one, pairs, confidence), as_one_of(other, pairs, confidence)):
                return True
        return False

    def fixed(self, cells: Sequence[Cell]) -> str:
        """Return in words what a part of the cells shares and other cells do not; empty where nothing."""
        if len(cells) == len(self.cells):
            return ""
        shared = [
            axis.field
            for axis in self.axes
            if all(cell.values[axis.field] == cells[0].values[axis.field] for cell in cells)
        ]
        return cell_label({field: cells[0].values[field] for field in shared}, self.words)

    def finding(self, cells: Sequence[Cell]) -> str:
        """Return what these cells show, in a sentence."""
        fixed, found = self.fixed(cells), self._finding(cells)
        return self.words("With {cell}: {finding}", cell=fixed, finding=found) if fixed else found

    def _finding(self, cells: Sequence[Cell]) -> str:
        words, seen = self.words, [cell for cell in cells if cell.own is not None]
        if not seen:
            return words("{metric}: nothing was observed", metric=self.told)
        scale = self.scale(seen)
        least, most = min(seen, key=_estimate), max(seen, key=_estimate)
        name = self.label if self.form == POINTS else self.told
        told = {"metric": name, "low": scale.tell(_estimate(least)), "high": scale.tell(_estimate(most))}
        if len(seen) == 1:
            own = least.own
            assert own is not None
            value = scale.tell_all(own.estimate, own.low, own.high)
            return words("{metric}: {low}", metric=name, low=value)
        if not self.are_told_apart(least, most, len(seen)):
            return words(
                "{metric}: from {low} to {high}; the lowest cell cannot be told from the highest", **told
            )
        if (trend := self._trend(seen, scale, name)) is not None:
            return trend
        return words(
            "{metric}: lowest at {least} ({low}), highest at {most} ({high})",
            least=cell_label(self.told_values(least, cells), words),
            most=cell_label(self.told_values(most, cells), words),
            **told,
        )

    def told_values(self, cell: Cell, among: Sequence[Cell]) -> dict[str, Any]:
        """Return the values of a cell that differ among these cells."""
        return {
            field: value
            for field, value in cell.values.items()
            if any(other.values[field] != value for other in among)
        }

    def _trend(self, seen: Sequence[Cell], scale: Scale, name: str) -> str | None:
        """Return in which direction the metric goes along one numeric axis, None where it turns."""
        varied = [axis for axis in self.axes if len({cell.values[axis.field] for cell in seen}) > 1]
        if len(varied) != 1 or not varied[0].is_numeric:
            return None
        field = varied[0].field
        line = sorted(seen, key=lambda cell: cell.values[field])
        steps = [_estimate(b) - _estimate(a) for a, b in itertools.pairwise(line)]
        told = {
            "metric": name,
            "field": field_label(field, self.words),
            "first": scale.tell(_estimate(line[0])),
            "last": scale.tell(_estimate(line[-1])),
            "start": line[0].values[field],
            "end": line[-1].values[field],
        }
        if all(step > 0 for step in steps):
            return self.words(
                "{metric}: rises with {field}, from {first} at {start} to {last} at {end}", **told
            )
        if all(step < 0 for step in steps):
            return self.words(
                "{metric}: falls with {field}, from {first} at {start} to {last} at {end}", **told
            )
        return None


def _estimate(cell: Cell) -> float:
    assert cell.own is not None
    return cell.own.estimate


def _values(column: pandas.Series) -> tuple[Any, ...]:
    found = tuple(dict.fromkeys(_plain(value) for value in column))
    return tuple(sorted(found)) if all(isinstance(value, int) for value in found) else found


def _plain(value: Any) -> Any:
    """Return a value of a table as Python's own."""
    return value.item() if hasattr(value, "item") else value


def _point(row: Mapping[Any, Any], name: str, columns: tuple[str, str, str]) -> Point | None:
    estimate, low, high = (number_or_none(row[column]) for column in columns)
    return None if estimate is None else Point(name, estimate, low, high)
