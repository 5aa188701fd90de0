"""Solving the chain of rounds: passes over all pairs of scores, those nearest to the target first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.race_grid import RaceGrid
from analyzer.race_sample import FOLLOWERS, OUTCOMES, SIZES, STEPS, RaceSample
from analyzer.race_table import RaceTable
from analyzer.workers import available_cores
from kernels.chain import solve_played, solve_replayed
from kernels.race import FOLLOWERS as KINDS_OF_FOLLOWER
from kernels.race import reaches

BATCHES = 64
TOLERANCE = 1e-7  # largest change of a chance in a last pass; each pass divides what is left by more than ten
MOST_PASSES = 500
_OPENERS = 2
Floats = NDArray[np.float64]
Solve = Callable[..., None]


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
    chain = _Chain(grid, sample.rounds, mirror)
    solve = _kernel(sample, grid, exact, mirror)
    passes = 0
    with ThreadPoolExecutor(threads or available_cores()) as pool:
        while True:
            change = chain.sweep(solve, pool, threads or available_cores())
            passes += 1
            # where no score falls the pairs of higher sums were known before: one pass is exact
            if grid.lowest == 0 or change < TOLERANCE:
                break
            if passes == MOST_PASSES:
                raise FivesError("the chain of rounds does not settle: play more rounds.")
    values, held = (
        array[: _OPENERS * chain.area].reshape(chain.shape) for array in (chain.chances, chain.helds)
    )
    moves = chain.moves.reshape(*chain.shape, -1)
    return RaceTable(grid, values.copy(), moves, held.copy(), sample.rounds, passes)


def _kernel(sample: RaceSample, grid: RaceGrid, exact: bool, mirror: bool) -> Solve:
    """Return what solves pairs: (pairs, edges, chances, helds, moves, scratch, found, found moves)."""
    arrays = sample.arrays
    sides = (0, 0) if mirror else (0, 1)
    if f"{OUTCOMES}_0" in arrays:
        turned = {side: np.ascontiguousarray(arrays[f"{OUTCOMES}_{side}"].T) for side in set(sides)}
        both = tuple(turned[side] for side in sides)
        return lambda pairs, *rest: solve_played(pairs, both, mirror, grid.size, *rest)
    kept = {side: _steps_of(sample, side) for side in set(sides)}
    steps = tuple(kept[side] for side in sides)
    return lambda pairs, *rest: solve_replayed(pairs, steps, mirror, grid.size, exact, *rest)


def _steps_of(sample: RaceSample, side: int) -> tuple[NDArray[np.int64], ...]:
    steps, sizes, followers = (sample.arrays[f"{name}_{side}"] for name in (STEPS, SIZES, FOLLOWERS))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return steps, starts, reaches(steps, starts), followers


class _Chain:
    """The chances found so far, and passes that better them."""

    def __init__(self, grid: RaceGrid, rounds: int, mirror: bool) -> None:
        self.size, self.mirror = grid.size, mirror
        self.area = grid.size**2
        self.shape = _OPENERS, grid.size, grid.size
        self.rounds = rounds
        batches = min(BATCHES, rounds)
        self.edges = np.arange(batches + 1, dtype=np.int64) * rounds // batches
        self.chances = np.full(KINDS_OF_FOLLOWER * self.area, 0.5)
        self.helds = np.zeros(KINDS_OF_FOLLOWER * self.area)
        self.moves = np.zeros((_OPENERS, self.area, batches))

    def sweep(self, solve: Solve, pool: ThreadPoolExecutor, threads: int) -> float:
        """Solve every pair once, in descending order of sums; return the largest change of a chance."""
        largest = 0.0
        work = partial(self._solved, solve)
        for pairs in self._diagonals():
            # a pair may look at others of its diagonal, so what is found is set once all of it is
            parts = [part for part in np.array_split(pairs, threads) if len(part)]
            for part, (found, moves) in list(zip(parts, pool.map(work, parts), strict=True)):
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

    def _solved(self, solve: Solve, pairs: NDArray[np.int64]) -> tuple[Floats, Floats]:
        found = np.zeros((len(pairs), _OPENERS, 2))
        moves = np.zeros((len(pairs), _OPENERS, self.moves.shape[2]))
        counts = np.zeros(2 * KINDS_OF_FOLLOWER * self.area, np.int64)
        scratch = counts, np.zeros(self.rounds, np.int64)
        solve(pairs, self.edges, self.chances, self.helds, self.moves, scratch, found, moves)
        return found, moves

    def _set(self, pairs: NDArray[np.int64], found: Floats, moves: Floats) -> float:
        """Keep what was found of some pairs, and of their mirror images; return the largest change."""
        if np.isnan(found).any():
            raise FivesError(f"{self.rounds} rounds are too few: none of them leaves some pair of scores.")
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
