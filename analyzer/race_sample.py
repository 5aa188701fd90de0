"""The rounds that a race table is made of: played once each, kept, and written to a run's folder.

Policies that are blind to the scores play each round once a side that opens, and its steps are kept. Where a
policy looks at the scores, each round is played at every pair of scores, and what it leads to is kept.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.policies import Policy
from analyzer.race_grid import RaceGrid, sees_scores
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet
from kernels.race import MOST_LOG_ROWS, MOST_STEPS, play_free_rounds, play_rounds_at
from kernels.record import WIDTH
from kernels.rules import HALF
from kernels.state import TABLE, blank
from kernels.tallies import TALLY

if TYPE_CHECKING:
    from analyzer.race_table import RaceTable

Arrays = dict[str, NDArray[Any]]
STEPS, SIZES, FOLLOWERS, OUTCOMES = "steps", "sizes", "followers", "outcomes"
TYPES = {STEPS: "<i8", SIZES: "<i8", FOLLOWERS: "<i8", OUTCOMES: "<i4"}


@dataclass(frozen=True, eq=False)
class RaceSample:
    """Rounds of a race table.

    Attributes
    ----------
    pieces : (first round, number of rounds, arrays) in ascending order of rounds, none twice. The arrays of
        opener o are named `steps_o`, `sizes_o` and `followers_o`, or `outcomes_o`: see `kernels.race`.
    """

    pieces: tuple[tuple[int, int, Arrays], ...] = ()

    def __add__(self, other: RaceSample) -> RaceSample:
        """Return the rounds of both."""
        return RaceSample(tuple(sorted([*self.pieces, *other.pieces], key=lambda piece: piece[0])))

    @property
    def rounds(self) -> int:
        """Number of rounds of each opener."""
        return sum(rounds for _, rounds, _ in self.pieces)

    def once(self, solve: Callable[[], RaceTable]) -> RaceTable:
        """Return what `solve` returns, and the same from then on."""
        if "table" not in self.__dict__:
            self.__dict__["table"] = solve()
        table: RaceTable = self.__dict__["table"]
        return table

    @cached_property
    def arrays(self) -> Arrays:
        """All rounds in ascending order, by name."""
        names = self.pieces[0][2] if self.pieces else {}
        return {name: np.concatenate([arrays[name] for _, _, arrays in self.pieces]) for name in names}

    def as_dict(self) -> dict[str, Any]:
        """Return the rounds as plain JSON values; runs of them without a gap are one piece."""
        pieces: list[tuple[int, int, list[Arrays]]] = []
        for first, rounds, arrays in self.pieces:
            if pieces and pieces[-1][0] + pieces[-1][1] == first:
                start, count, parts = pieces.pop()
                pieces.append((start, count + rounds, [*parts, arrays]))
            else:
                pieces.append((first, rounds, [arrays]))
        return {
            "pieces": [
                {"first": first, "rounds": rounds, "arrays": _written(parts)}
                for first, rounds, parts in pieces
            ]
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], cells: int) -> RaceSample:
        """Return the rounds that `as_dict` wrote.

        Parameters
        ----------
        cells : pairs of scores.

        Raises
        ------
        FivesError
            Where it is not in that form.
        """
        try:
            pieces = tuple(
                (
                    int(piece["first"]),
                    int(piece["rounds"]),
                    _read(piece["arrays"], int(piece["rounds"]), cells),
                )
                for piece in data["pieces"]
            )
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise FivesError(
                "the saved totals are not in the form that this version writes: start the run afresh."
            ) from error
        return cls(pieces)


def _written(parts: Sequence[Arrays]) -> dict[str, str]:
    joined = {name: np.concatenate([arrays[name] for arrays in parts]) for name in parts[0]}
    return {
        name: base64.b64encode(zlib.compress(array.astype(TYPES[name[:-2]]).tobytes(), 6)).decode()
        for name, array in joined.items()
    }


def _read(written: Mapping[str, str], rounds: int, cells: int) -> Arrays:
    arrays: Arrays = {}
    for name, text in written.items():
        content = zlib.decompress(base64.b64decode(text, validate=True))
        found = np.frombuffer(content, TYPES[name[:-2]])
        arrays[name] = found.astype(found.dtype.newbyteorder("="))
    for name, array in arrays.items():
        stem, opener = name[:-2], name[-2:]
        if stem == OUTCOMES:
            arrays[name] = array.reshape(rounds, cells)
        elif stem == STEPS and len(array) != arrays[SIZES + opener].sum():
            raise ValueError("steps do not go with their sizes")
        elif stem in (SIZES, FOLLOWERS) and len(array) != rounds:
            raise ValueError("not as many rounds as it says")
    return arrays


def is_mirrored(rules: RuleSet, policies: Sequence[Policy]) -> bool:
    """Whether both sides play alike, so that rounds that side 0 opens tell of those that side 1 opens."""
    return len(set(policies)) == 1


class Racing:
    """The work of `race`: rounds of one rule set and seed, round k dealt as round 0 of game k.

    Parameters
    ----------
    rules : of two sides, with a target.
    policies : one a seat.
    """

    def __init__(self, rules: RuleSet, policies: Sequence[Policy], seed: int) -> None:
        self.seed = seed
        self.grid = RaceGrid.of(rules)
        self.is_played = any(map(sees_scores, policies))
        played = rules if self.is_played else rules.replace(target=None)
        self.records = rules_record(played), policies_record(policies, rules)
        self.openers = (0,) if is_mirrored(rules, policies) else (0, rules.sides.index(1))

    def none(self) -> RaceSample:
        """Return no rounds."""
        return RaceSample()

    def player(self) -> Callable[[int, int], RaceSample]:
        """Return a function that plays (first round, number of rounds), with records of its own."""
        table, tally = blank(TABLE), blank(TALLY)
        log = np.zeros((MOST_LOG_ROWS, WIDTH), np.int64)
        play = self._play_at_pairs if self.is_played else self._play_free

        def play_chunk(first: int, rounds: int) -> RaceSample:
            arrays: Arrays = {}
            for side, seat in enumerate(self.openers):
                found = play(table, tally, log, seat, first, rounds)
                arrays |= {f"{name}_{side}": array for name, array in found.items()}
            return RaceSample(((first, rounds, arrays),))

        return play_chunk

    def _play_free(
        self, table: Any, tally: Any, log: NDArray[np.int64], seat: int, first: int, rounds: int
    ) -> Arrays:
        steps = np.zeros(rounds * MOST_STEPS, np.int64)
        sizes, followers = np.zeros(rounds, np.int64), np.zeros(rounds, np.int64)
        unit = HALF * self.grid.step
        where = self.seed, first, rounds, seat
        stop = play_free_rounds(table, *self.records, *where, unit, tally, log, steps, sizes, followers)
        return {STEPS: steps[:stop].copy(), SIZES: sizes, FOLLOWERS: followers}

    def _play_at_pairs(
        self, table: Any, tally: Any, log: NDArray[np.int64], seat: int, first: int, rounds: int
    ) -> Arrays:
        grid = self.grid
        outcomes = np.zeros((rounds, grid.size**2), np.int32)
        unit, lowest = HALF * grid.step, grid.lowest // grid.step
        where = self.seed, first, rounds, seat
        play_rounds_at(table, *self.records, *where, unit, lowest, grid.size, tally, outcomes)
        return {OUTCOMES: outcomes}
