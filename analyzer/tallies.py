"""The totals of a run: whole numbers that add up exactly in any order, and are kept as JSON.

`kernels.tallies` names the quantities and their units; this module adds which of their products a run sums,
as the metrics need them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.measures import GAMES, Experiment, every_product, products_of
from kernels.tallies import EXCESSES, LENGTHS, NEEDS_SHAPE, OPENINGS_SHAPE, QUANTITIES, ROW

_PRODUCTS: list[tuple[str, str]] = every_product()
_PAIR: dict[tuple[str, str], int] = {pair: number for number, pair in enumerate(_PRODUCTS)}

PAIRS: NDArray[np.int64] = np.array([[ROW[a], ROW[b]] for a, b in _PRODUCTS], np.int64)
"""Rows of quantities whose products a run sums over its games; int64[P, 2], each unordered pair once."""


def pairs_of(experiment: Experiment) -> NDArray[np.int64]:
    """Return the numbers of the rows of `PAIRS` that this run needs, int64[k]; the others may stay 0."""
    return np.array([_PAIR[pair] for pair in products_of(experiment)], np.int64)


@dataclass(eq=False)
class Tallies:  # noqa: PLW1641 -- holds arrays that may still be filled, so it has no hash
    """What a number of games added up to.

    Attributes
    ----------
    games : finished games; all other fields but `stopped` are of these.
    stopped : games stopped by the round guard.
    sums : int64[len(QUANTITIES)], each quantity summed.
    present : int64[len(QUANTITIES)], games in which the quantity is not 0.
    products : the products of `PAIRS` summed; int64[P] for a part, Python integers (dtype object) once added
        up, since the squares of a long run may pass 2^63.
    counts : int64, plays by the layout's count after them.
    openings : int64[OPENINGS_SHAPE], by lead.
    needs : int64[NEEDS_SHAPE], events by shown points still needed.
    lengths : int64[LENGTHS], games by their rounds.
    after : int64[LENGTHS], games with a rejection by their rounds after the first.
    excess : int64[EXCESSES], games won by the winner's half points above the target.
    """

    games: int
    stopped: int
    sums: NDArray[np.int64]
    present: NDArray[np.int64]
    products: NDArray[Any]
    counts: NDArray[np.int64]
    openings: NDArray[np.int64]
    needs: NDArray[np.int64]
    lengths: NDArray[np.int64]
    after: NDArray[np.int64]
    excess: NDArray[np.int64]

    def __post_init__(self) -> None:
        self.games, self.stopped = int(self.games), int(self.stopped)  # kernels hand over NumPy scalars

    @classmethod
    def zero(cls, max_count: int) -> Tallies:
        """Return the tallies of no games, for counts from 0 to `max_count`."""
        rows = len(QUANTITIES)
        return cls(
            games=0,
            stopped=0,
            sums=np.zeros(rows, np.int64),
            present=np.zeros(rows, np.int64),
            products=np.zeros(len(PAIRS), np.int64),
            counts=np.zeros(max_count + 1, np.int64),
            openings=np.zeros(OPENINGS_SHAPE, np.int64),
            needs=np.zeros(NEEDS_SHAPE, np.int64),
            lengths=np.zeros(LENGTHS, np.int64),
            after=np.zeros(LENGTHS, np.int64),
            excess=np.zeros(EXCESSES, np.int64),
        )

    def __add__(self, other: Tallies) -> Tallies:
        """Return the tallies of both; they must have been counted with equally long `counts`."""
        if self.counts.shape != other.counts.shape:
            raise ValueError(f"counts of {self.counts.shape} and {other.counts.shape} cannot be added")
        return Tallies(
            games=self.games + other.games,
            stopped=self.stopped + other.stopped,
            sums=self.sums + other.sums,
            present=self.present + other.present,
            products=self.products.astype(object) + other.products.astype(object),
            counts=self.counts + other.counts,
            openings=self.openings + other.openings,
            needs=self.needs + other.needs,
            lengths=self.lengths + other.lengths,
            after=self.after + other.after,
            excess=self.excess + other.excess,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tallies):
            return NotImplemented
        return self.as_dict() == other.as_dict()

    def total(self, names: Sequence[str]) -> int:
        """Return the sum of one or several quantities over all games; "games" counts 1 a game."""
        return sum(self.games if name == GAMES else int(self.sums[ROW[name]]) for name in names)

    def product(self, above: Sequence[str], below: Sequence[str]) -> int:
        """Return the sum over games of (sum of `above`) times (sum of `below`)."""
        return sum(self._product(a, b) for a in above for b in below)

    def _product(self, a: str, b: str) -> int:
        if GAMES in (a, b):
            return self.total([b if a == GAMES else a])
        return int(self.products[_PAIR[min(a, b), max(a, b)]])

    def games_with(self, names: Sequence[str]) -> int:
        """Return the games in which the quantity is not 0.

        For several quantities it is the sum of theirs, at most all games. That is exact where every game has
        one of them, as every game won at an exact target has an event; else it is an upper bound.
        """
        found = sum(self.games if name == GAMES else int(self.present[ROW[name]]) for name in names)
        return min(found, self.games)

    def as_dict(self) -> dict[str, Any]:
        """Return the tallies as plain JSON values; quantities and products go by name."""
        return {
            "games": self.games,
            "stopped": self.stopped,
            "sums": dict(zip(QUANTITIES, self.sums.tolist(), strict=True)),
            "present": dict(zip(QUANTITIES, self.present.tolist(), strict=True)),
            "products": {f"{a} {b}": int(v) for (a, b), v in zip(_PRODUCTS, self.products, strict=True)},
            "counts": self.counts.tolist(),
            "openings": self.openings.tolist(),
            "needs": self.needs.tolist(),
            "lengths": self.lengths.tolist(),
            "after": self.after.tolist(),
            "excess": self.excess.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tallies:
        """Return the tallies that `as_dict` wrote.

        Raises
        ------
        FivesError
            Where it is not in that form, as when another version counted other quantities.
        """
        try:
            tallies = cls(
                games=int(data["games"]),
                stopped=int(data["stopped"]),
                sums=np.array([data["sums"][name] for name in QUANTITIES], np.int64),
                present=np.array([data["present"][name] for name in QUANTITIES], np.int64),
                products=np.array([int(data["products"][f"{a} {b}"]) for a, b in _PRODUCTS], object),
                counts=np.array(data["counts"], np.int64),
                openings=np.array(data["openings"], np.int64).reshape(OPENINGS_SHAPE),
                needs=np.array(data["needs"], np.int64).reshape(NEEDS_SHAPE),
                lengths=np.array(data["lengths"], np.int64).reshape(LENGTHS),
                after=np.array(data["after"], np.int64).reshape(LENGTHS),
                excess=np.array(data["excess"], np.int64).reshape(EXCESSES),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FivesError(
                "the saved tallies are not in the form that this version writes: start the run afresh."
            ) from error
        return tallies
