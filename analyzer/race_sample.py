"""The rounds that a race table is made of: played once each, kept, and written to a run's folder.

Policies that are blind to the scores play each round once a side that opens, and its steps are kept. Where a
policy looks at the scores, each round is played from all pairs of scores, and its branches are kept.
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
from kernels.branches import Work, play_branched_rounds
from kernels.race import BY_HIGHEST, MOST_LOG_ROWS, MOST_STEPS, Grid, Rounds, play_free_rounds, reaches
from kernels.record import WIDTH
from kernels.rollout import PLACES
from kernels.state import TABLE, blank
from kernels.tallies import TALLY
from kernels.tiles import MAX_TILES

if TYPE_CHECKING:
    from analyzer.race_table import RaceTable

Arrays = dict[str, NDArray[Any]]
STEPS, SIZES, FOLLOWERS, COUNTS, MEMBERS = "steps", "sizes", "followers", "counts", "members"
TYPES = {STEPS: "<i8", SIZES: "<i8", FOLLOWERS: "<i8", COUNTS: "<i8", MEMBERS: "<i1"}
ROOM = 64  # branches of a round, at first
SPARE = 4  # times the room that is laid out at once


@dataclass(frozen=True, eq=False)
class RaceSample:
    """Rounds of a race table.

    Attributes
    ----------
    pieces : (first round, number of rounds, arrays) in ascending order of rounds, none twice. The arrays of
        opener o are named `steps_o`, `sizes_o` and `followers_o`, see `kernels.race`; of rounds with branches
        also `counts_o`, the branches of each round, and `members_o`, the scores of each branch.
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

    def opened_by(self, side: int) -> Rounds:
        """Return the rounds that a side opens, as the kernels replay them."""
        steps, sizes, followers = (self.arrays[f"{name}_{side}"] for name in (STEPS, SIZES, FOLLOWERS))
        counts = self.arrays.get(f"{COUNTS}_{side}", np.ones(self.rounds, np.int64))
        members = self.arrays.get(f"{MEMBERS}_{side}", np.zeros((0, 0), np.int8))
        starts = _starts(sizes)
        return Rounds(steps, starts, reaches(steps, starts), followers, _starts(counts), members)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], size: int) -> RaceSample:
        """Return the rounds that `as_dict` wrote.

        Parameters
        ----------
        size : scores a side.

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
                    _read(piece["arrays"], int(piece["rounds"]), size),
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


def _read(written: Mapping[str, str], rounds: int, size: int) -> Arrays:
    arrays: Arrays = {}
    for name, text in written.items():
        content = zlib.decompress(base64.b64decode(text, validate=True))
        found = np.frombuffer(content, TYPES[name[:-2]])
        arrays[name] = found.astype(found.dtype.newbyteorder("="))
        if name[:-2] == MEMBERS:
            arrays[name] = arrays[name].reshape(-1, 2 * size)
    for name, array in arrays.items():
        stem, opener = name[:-2], name[-2:]
        branches = rounds
        if COUNTS + opener in arrays:
            branches = int(arrays[COUNTS + opener].sum())
        due = {STEPS: arrays[SIZES + opener].sum(), COUNTS: rounds}.get(stem, branches)
        if len(array) != due:
            raise ValueError("the arrays do not go with each other")
    return arrays


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


def is_mirrored(rules: RuleSet, policies: Sequence[Policy]) -> bool:
    """Whether both sides play alike, so that rounds that side 0 opens tell of those that side 1 opens."""
    return len(set(policies)) == 1


class Racing:
    """The work of `race`: rounds of one rule set and seed, round k dealt as round 0 of game k.

    Parameters
    ----------
    rules : of two sides, with a target.
    policies : one a seat.
    grid : the scores; None: all of them.
    by_highest : whether the deal of each round names its opener; then both sides must play alike.
    """

    def __init__(
        self,
        rules: RuleSet,
        policies: Sequence[Policy],
        seed: int,
        grid: Grid | None = None,
        by_highest: bool = False,
    ) -> None:
        self.seed = seed
        self.grid = RaceGrid.of(rules).units if grid is None else grid
        self.is_played = any(map(sees_scores, policies))
        self.rules, self.free = rules_record(rules), rules_record(rules.replace(target=None))
        self.policies = policies_record(policies, rules)
        openers = (0,) if is_mirrored(rules, policies) else (0, rules.sides.index(1))
        self.openers = (BY_HIGHEST,) if by_highest else openers

    def none(self) -> RaceSample:
        """Return no rounds."""
        return RaceSample()

    def player(self) -> Callable[[int, int], RaceSample]:
        """Return a function that plays (first round, number of rounds), with records of its own."""
        records = blank(TABLE), blank(TALLY), np.zeros((MOST_LOG_ROWS, WIDTH), np.int64)
        play = self._play_branched if self.is_played else self._play_free

        def play_chunk(first: int, rounds: int) -> RaceSample:
            arrays: Arrays = {}
            for side, seat in enumerate(self.openers):
                found = play(records, seat, first, rounds)
                arrays |= {f"{name}_{side}": array for name, array in found.items()}
            return RaceSample(((first, rounds, arrays),))

        return play_chunk

    def _play_free(self, records: tuple[Any, ...], seat: int, first: int, rounds: int) -> Arrays:
        table, tally, log = records
        steps = np.zeros(rounds * MOST_STEPS, np.int64)
        sizes, followers = np.zeros(rounds, np.int64), np.zeros(rounds, np.int64)
        where = self.seed, first, rounds, seat, self.grid.unit
        stop = play_free_rounds(table, self.free, self.policies, *where, tally, log, steps, sizes, followers)
        return {STEPS: steps[:stop].copy(), SIZES: sizes, FOLLOWERS: followers}

    def _play_branched(self, records: tuple[Any, ...], seat: int, first: int, rounds: int) -> Arrays:
        table, tally, log = records
        parts: list[Arrays] = []
        room, done = ROOM, 0
        while done < rounds:
            work, out = _scratch(room, self.grid.size), _room_for(room, rounds - done, self.grid.size)
            where = self.seed, first + done, rounds - done, seat, self.grid
            played, branches, steps = play_branched_rounds(
                table, self.rules, self.free, self.policies, *where, tally, log, work, out
            )
            if played == 0:  # one round has more branches than there is room for
                room *= 2
            ends = {COUNTS: played, STEPS: steps}
            parts.append({name: out[i][: ends.get(name, branches)] for i, name in enumerate(_OUT)})
            done += played
        return {name: np.concatenate([part[name] for part in parts]) for name in _OUT}


_OUT = (COUNTS, STEPS, SIZES, FOLLOWERS, MEMBERS)  # in the order of `play_branched_rounds`


def _scratch(room: int, size: int) -> Work:
    return Work(
        placed=np.zeros((room, MAX_TILES), np.int64),
        known=np.zeros(room, np.int64),
        members=np.zeros((room, 2 * size), np.int8),
        scores=np.zeros(2 * size, np.int64),
        chosen=np.zeros(size, np.int64),
        seen=np.zeros(size, np.int64),
        choices=np.zeros(size, np.int64),
        listed=np.zeros(PLACES, np.int64),
        points=np.zeros(PLACES, np.int64),
    )


def _room_for(room: int, rounds: int, size: int) -> tuple[NDArray[Any], ...]:
    branches = SPARE * room
    return (
        np.zeros(rounds, np.int64),
        np.zeros(branches * MOST_STEPS, np.int64),
        np.zeros(branches, np.int64),
        np.zeros(branches, np.int64),
        np.zeros((branches, 2 * size), np.int8),
    )
