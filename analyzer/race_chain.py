"""Solving the chain of rounds: passes over all pairs of scores, those nearest to the target first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.race_grid import RaceGrid
from analyzer.race_sample import RaceSample
from analyzer.race_table import RaceTable
from analyzer.workers import available_cores
from kernels.chain import solve_pairs
from kernels.race import FOLLOWERS as KINDS_OF_FOLLOWER
from kernels.race import Grid

BATCHES = 64
TOLERANCE = 1e-7  # largest change of a chance in a last pass; each pass divides what is left by more than ten
MOST_PASSES = 500
_OPENERS = 2
Floats = NDArray[np.float64]


def solve_race(
    sample: RaceSample, grid: RaceGrid, *, exact: bool, mirror: bool, threads: int | None = None
) -> RaceTable:
    """Return the table of races that a sample of rounds gives.

    Parameters
    ----------
    exact : whether gains past the target are refused.
    mirror : whether the sample holds rounds of one opener alone, both sides playing alike.
    threads : None: one a core. The table does not depend on it.

    Raises
    ------
    FivesError
        Where no round of the sample leaves some pair of scores.
    """
    chain = Chain(sample, grid.units, exact=exact, mirror=mirror)
    passes = chain.solve(threads or available_cores(), TOLERANCE, MOST_PASSES)
    if chain.loose:
        raise FivesError(f"{sample.rounds} rounds are too few: none of them leaves some pair of scores.")
    if passes > MOST_PASSES:
        raise FivesError("the chain of rounds does not settle: play more rounds.")
    helds = chain.helds[: _OPENERS * chain.area].reshape(chain.shape)
    moves = chain.moves.reshape(*chain.shape, -1)
    return RaceTable(grid, chain.values.copy(), moves, helds.copy(), sample.rounds, passes)


class Chain:
    """The chances found so far, and passes that better them.

    Parameters
    ----------
    sample, exact, mirror : as for `solve_race`.
    batches : of rounds, by which the chances are moved.

    Attributes
    ----------
    values : float64 (2, size, size): by opener and places the chance of side 0.
    loose : whether some pair of scores is left by no round; its chances stay at a half.
    """

    def __init__(
        self, sample: RaceSample, grid: Grid, *, exact: bool, mirror: bool, batches: int = BATCHES
    ) -> None:
        self.grid, self.size, self.exact, self.mirror = grid, grid.size, exact, mirror
        self.area = grid.size**2
        self.shape = _OPENERS, grid.size, grid.size
        self.rounds = sample.rounds
        first = sample.opened_by(0)
        self.sample = first, first if mirror else sample.opened_by(1)
        batches = min(batches, self.rounds)
        self.edges = np.arange(batches + 1, dtype=np.int64) * self.rounds // batches
        self.chances = np.full(KINDS_OF_FOLLOWER * self.area, 0.5)
        self.helds = np.zeros(KINDS_OF_FOLLOWER * self.area)
        self.moves = np.zeros((_OPENERS, self.area, batches))
        self.loose = False

    @property
    def values(self) -> Floats:
        """The chances by opener and places."""
        return self.chances[: _OPENERS * self.area].reshape(self.shape)

    def solve(self, threads: int, tolerance: float, most_passes: int) -> int:
        """Pass over all pairs until no chance changes by `tolerance`; return how often, or one more in vain.

        Where no score falls the pairs of higher sums are known before: one pass is exact.
        """
        with ThreadPoolExecutor(threads) as pool:
            for passes in range(1, most_passes + 1):
                change = self._sweep(pool, threads)
                if self.grid.lowest == 0 or change < tolerance:
                    return passes
        return most_passes + 1

    def _sweep(self, pool: ThreadPoolExecutor, threads: int) -> float:
        """Solve every pair once, in descending order of sums; return the largest change of a chance."""
        largest = 0.0
        for pairs in self._diagonals():
            # a pair may look at others of its diagonal, so what is found is set once all of it is
            parts = [part for part in np.array_split(pairs, threads) if len(part)]
            for part, (found, moves) in list(zip(parts, pool.map(self._solved, parts), strict=True)):
                largest = max(largest, self._set(part, found, moves))
        return largest

    def _diagonals(self) -> Any:
        """Yield the pairs of each sum, the highest first; of mirrored ones one of the two."""
        places = np.arange(self.size)
        for total in range(2 * self.size - 2, -1, -1):
            own = places[(total - places >= 0) & (total - places < self.size)]
            if self.mirror:
                own = own[own >= total - own]
            yield own * self.size + total - own

    def _solved(self, pairs: NDArray[np.int64]) -> tuple[Floats, Floats]:
        found = np.zeros((len(pairs), _OPENERS, 2))
        moves = np.zeros((len(pairs), _OPENERS, self.moves.shape[2]))
        counts = np.zeros(2 * KINDS_OF_FOLLOWER * self.area, np.int64)
        scratch = counts, np.zeros(self.rounds, np.int64)
        solve_pairs(
            pairs, self.sample, self.mirror, self.grid, self.exact, self.edges, self.chances, self.helds,
            self.moves, scratch, found, moves,
        )  # fmt: skip
        return found, moves

    def _set(self, pairs: NDArray[np.int64], found: Floats, moves: Floats) -> float:
        """Keep what was found of some pairs, and of their mirror images; return the largest change."""
        is_loose = np.isnan(found).any(axis=(1, 2))
        if is_loose.any():
            self.loose = True
            pairs, found, moves = pairs[~is_loose], found[~is_loose], moves[~is_loose]
        change = 0.0
        for opener in range(_OPENERS):
            change = max(change, self._put(opener, pairs, found[:, opener, 0], found[:, opener, 1]))
            self.moves[opener, pairs] = moves[:, opener]
            if self.mirror:
                images = pairs % self.size * self.size + pairs // self.size
                self._put(1 - opener, images, 1.0 - found[:, opener, 0], found[:, opener, 1])
                self.moves[1 - opener, images] = -moves[:, opener]
        for array in (self.chances, self.helds):
            first, second, lot = (array[kind * self.area :][: self.area] for kind in range(KINDS_OF_FOLLOWER))
            places = np.concatenate([pairs, images]) if self.mirror else pairs
            lot[places] = (first[places] + second[places]) / 2
        return change

    def _put(self, opener: int, pairs: NDArray[np.int64], chances: Floats, helds: Floats) -> float:
        places = opener * self.area + pairs
        change = float(np.abs(self.chances[places] - chances).max(initial=0.0))
        self.chances[places], self.helds[places] = chances, helds
        return change
