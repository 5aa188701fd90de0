"""A race table: from every pair of scores the chance that a side wins the game, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.race_grid import RaceGrid
from analyzer.stats import Estimate, normal_quantile

OWN, OTHER = 0, 1  # who opens the next round
OPENS = ("own", "other")


@dataclass(frozen=True, eq=False)
class RaceTable:
    """The chances of the side with the first policy ("own") against the other, between two rounds.

    Attributes
    ----------
    grid : the scores, as places.
    values : float64 (2, size, size): the chance to win where own (0) or other (1) opens the next round, by
        the places of the own and the other score. A kernel can look it up at
        values[opener, (own - lowest) // step, (other - lowest) // step], all in raw points.
    moves : float64 (2, size, size, batches): what each of as many batches of the rounds moves it by.
    held : float64 (2, size, size): how many rounds from here on end with a score held at the grid's lowest.
    rounds : rounds of each opener in the sample.
    passes : passes over all pairs that the solution took.
    """

    grid: RaceGrid
    values: NDArray[np.float64]
    moves: NDArray[np.float64]
    held: NDArray[np.float64]
    rounds: int
    passes: int

    def win_rate(self, own: int, other: int, opens: bool) -> float:
        """Return the chance to win.

        Parameters
        ----------
        own, other : scores in raw points.
        opens : whether the own side opens the next round.

        Raises
        ------
        FivesError
            For a score that is none of the grid.
        """
        return float(self.values[self._at(own, other, opens)])

    def estimate(self, own: int, other: int, opens: bool, confidence: float = 0.95) -> Estimate:
        """Return the chance to win with its interval; arguments as for `win_rate`."""
        return self.combined([(self._at(own, other, opens), 1.0)], confidence, bounds=(0.0, 1.0))

    def _at(self, own: int, other: int, opens: bool) -> tuple[int, int, int]:
        return OWN if opens else OTHER, self.grid.place(own), self.grid.place(other)

    def combined(
        self,
        terms: Iterable[tuple[tuple[int, int, int], float]],
        confidence: float,
        bounds: tuple[float, float] = (-1.0, 1.0),
    ) -> Estimate:
        """Return a weighted sum of chances with its normal interval, cut to `bounds`.

        Parameters
        ----------
        terms : ((opener, own place, other place), weight). All chances are of the same rounds, so what these
            have in common cancels in a difference.
        """
        total, moves = 0.0, np.zeros(self.moves.shape[-1])
        for place, weight in terms:
            total += weight * float(self.values[place])
            moves += weight * self.moves[place]
        return estimate_of(total, moves, self.rounds, confidence, bounds)

    def standings(self, stand: int, instead: int, confidence: float) -> list[dict[str, Any]]:
        """Return the chance at one own score less that at another, by other score and opener.

        Parameters
        ----------
        stand, instead : own scores in raw points; all other scores are taken that are not negative.
        """
        rows = []
        one, two = self.grid.place(stand), self.grid.place(instead)
        for opener, name in enumerate(OPENS):
            for other in self.others():
                found = self.combined([((opener, one, other), 1.0), ((opener, two, other), -1.0)], confidence)
                rows.append(
                    {
                        "stand": self.grid.shown_score(one),
                        "instead": self.grid.shown_score(two),
                        "other": self.grid.shown_score(other),
                        "opener": name,
                        "win_rate": float(self.values[opener, one, other]),
                        "win_rate_instead": float(self.values[opener, two, other]),
                        "difference": found.estimate,
                        "std_error": found.std_error,
                        "low": found.low,
                        "high": found.high,
                    }
                )
        return rows

    def held_per_game(self) -> float:
        """Return how often a score is held at the lowest of the grid in a game from 0-0, by lot."""
        zero = self.grid.place(0)
        return float(self.held[:, zero, zero].mean())

    def others(self) -> range:
        """Return the places of the scores that are not negative."""
        return range(-self.grid.lowest // self.grid.step, self.grid.size)


def estimate_of(
    value: float, moves: NDArray[np.float64], rounds: int, confidence: float, bounds: tuple[float, float]
) -> Estimate:
    """Return a value with the error that its moves with B batches show: se^2 = B / (B - 1) * sum(moves^2)."""
    batches = len(moves)
    std_error = math.sqrt(batches / (batches - 1) * float(np.sum(moves**2)))
    reach = normal_quantile(confidence) * std_error
    return Estimate(value, std_error, max(value - reach, bounds[0]), min(value + reach, bounds[1]), rounds)
