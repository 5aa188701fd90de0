"""The work of a sweep: every cell plays the same games, and what the metric needs of each is summed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.cells import Cell, naming
from analyzer.errors import FivesError
from analyzer.measures import GAMES
from analyzer.moments import Moments
from analyzer.playing import Playing
from analyzer.records import policies_record, rules_record
from kernels.state import blank
from kernels.tallies import ROW, TALLY

Quantities = tuple[tuple[str, ...], tuple[str, ...]]  # summed above and below the metric's line
_OWN, _PAIR = 2, 4  # columns: y, x of the cell; then those of the base


@dataclass(frozen=True)
class CellTotals:
    """What one cell added up to.

    Attributes
    ----------
    stopped : games that the guard stopped; they are in none of the moments.
    own : of y, x over the games whose x is not 0.
    pair : of y, x and the base's y, x over the games that neither's guard stopped and whose x is not 0 in
        both; of no games where the cell does not share the base's deals.
    """

    stopped: int
    own: Moments
    pair: Moments

    @classmethod
    def none(cls) -> CellTotals:
        """Return the totals of no games."""
        return cls(0, Moments.none(_OWN), Moments.none(_PAIR))

    def __add__(self, other: CellTotals) -> CellTotals:
        """Return the totals of both."""
        return CellTotals(self.stopped + other.stopped, self.own + other.own, self.pair + other.pair)


@dataclass(frozen=True)
class SweepTotals:
    """What all cells added up to, the base first."""

    cells: tuple[CellTotals, ...]

    def __add__(self, other: SweepTotals) -> SweepTotals:
        """Return the totals of both, cell by cell."""
        return SweepTotals(tuple(a + b for a, b in zip(self.cells, other.cells, strict=True)))

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as plain JSON values."""
        return {
            "cells": [
                {"stopped": cell.stopped, "own": cell.own.as_dict(), "pair": cell.pair.as_dict()}
                for cell in self.cells
            ]
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SweepTotals:
        """Return the totals that `as_dict` wrote; FivesError where it is not in that form."""
        try:
            cells = [
                CellTotals(
                    int(cell["stopped"]), Moments.from_dict(cell["own"]), Moments.from_dict(cell["pair"])
                )
                for cell in data["cells"]
            ]
            if any((len(cell.own.sums), len(cell.pair.sums)) != (_OWN, _PAIR) for cell in cells):
                raise ValueError("other columns")
        except (KeyError, TypeError, ValueError) as error:
            raise FivesError(
                "the saved totals are not in the form that this version writes: start the run afresh."
            ) from error
        return cls(tuple(cells))


class _Played(NamedTuple):
    """What a cell showed: y and x of each game, int64 (n, 2), and whether it finished, bool (n,)."""

    values: NDArray[np.int64]
    finished: NDArray[np.bool_]


class Sweeping:
    """Plays the same games in every cell.

    Parameters
    ----------
    cells : the base first.
    quantities : those of the metric in each cell.

    Raises
    ------
    FivesError
        Where a cell's policies do not fit its rules; it names the cell.
    """

    def __init__(self, cells: Sequence[Cell], quantities: Sequence[Quantities], seed: int) -> None:
        self.seed = seed
        self.cells = cells
        self.quantities = quantities
        self.records = []
        for cell in cells:
            with naming(cell.values):
                self.records.append((rules_record(cell.rules), policies_record(cell.policies, cell.rules)))

    def none(self) -> SweepTotals:
        """Return the totals of no games."""
        return SweepTotals((CellTotals.none(),) * len(self.cells))

    def player(self) -> Callable[[int, int], SweepTotals]:
        """Return a function that plays (first game, number of games), with records of its own."""
        tally = blank(TALLY)
        tables = [
            Playing(cell.rules, cell.policies, records)
            for cell, records in zip(self.cells, self.records, strict=True)
        ]

        def played(number: int, first: int, games: int) -> _Played:
            return self._played(number, tables[number], tally, first, games)

        def play_chunk(first: int, games: int) -> SweepTotals:
            base = played(0, first, games)
            totals = [_totals(base, base)]
            for number, cell in enumerate(self.cells[1:], start=1):
                own = played(number, first, games)
                totals.append(_totals(own, base if cell.shares_deals_with(self.cells[0]) else None))
            return SweepTotals(tuple(totals))

        return play_chunk

    def _played(self, number: int, playing: Playing, tally: Any, first: int, games: int) -> _Played:
        above, below = self.quantities[number]
        names = [name for name in (*above, *below) if name != GAMES]
        rows = np.array([ROW[name] for name in names], np.int64)
        values, finished = playing.rows(self.seed, first, games, tally, rows)
        found = {name: values[:, column] for column, name in enumerate(names)} | {GAMES: finished}
        y, x = (sum(found[name] for name in part) for part in (above, below))
        return _Played(np.column_stack([y, x]), finished != 0)


def _totals(played: _Played, base: _Played | None) -> CellTotals:
    own = Moments.of(played.values[played.values[:, 1] != 0])
    stopped = int(np.count_nonzero(~played.finished))
    if base is None:
        return CellTotals(stopped, own, Moments.none(_PAIR))
    both = np.column_stack([played.values, base.values])
    counted = played.finished & base.finished & ((both[:, 1] != 0) | (both[:, 3] != 0))
    return CellTotals(stopped, own, Moments.of(both[counted]))
