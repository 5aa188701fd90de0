"""Traces of games that the kernels play: the very games that `simulate` with the same seed counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer import limits
from analyzer.dealing import acceptance, check_dealt, new_table
from analyzer.given import Given, fitting
from analyzer.notation import Move, Tile, format_move, format_tile, tile_set
from analyzer.policies import Policy, seat_policies
from analyzer.records import policies_record, rules_record
from analyzer.referee.games import GIVEN, opener_label
from analyzer.referee.record import FORMAT, VERSION, rules_object
from analyzer.rulesets import RuleSet, as_rule_set
from analyzer.searching import search_state
from analyzer.workers import apart
from kernels import record
from kernels.batch import record_game
from kernels.layout import AT_SIDE, BY_HIGH, TILE
from kernels.rules import HALF
from kernels.state import blank
from kernels.tallies import ENDS, TALLY

Rows = npt.NDArray[np.int64]
_FIRST_ROOM = 512  # rows; a longer game is played once more with the room it needs


def traces(
    rules: RuleSet,
    policies: str | Sequence[str | Policy],
    *,
    seed: int = 1,
    first_game: int = 0,
    count: int = 1,
    given: Given | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the traces of games `first_game` ... `first_game + count - 1`.

    Parameters
    ----------
    rules : where its target is None, each trace is round 0 of its game alone.
    policies : one for all seats, one a side, or one a seat.
    given : tiles, an opener, scores or a condition to start from; None: nothing.

    Raises
    ------
    FivesError
        For a number out of range or an unknown policy, when the first trace is asked for.
    """
    limits.check_seed(seed)
    limits.run_size(None, count)
    limits.check_first_game(first_game, count)
    seats = seat_policies(policies, rules.sides)
    start = fitting(given, rules)
    acceptance(rules, start, seed, first_game, count)  # a condition that no deal meets ends it here
    recorder = _Recorder(rules, seats, seed, start)
    for game in range(first_game, first_game + count):
        yield apart(partial(recorder.trace, game))


def trace(
    rules: RuleSet | str,
    policies: str | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = 1,
    first_game: int = 0,
    given: Given | None = None,
) -> Iterator[dict[str, Any]]:
    """Return the traces of the rounds or games that `simulate` with the same arguments counts.

    Parameters
    ----------
    rules : a rule set, or a name for two players.
    policies : one for all seats, one a side, or one a seat.
    rounds, games : how many; exactly one of the two.
    given : tiles, an opener, scores or a condition to start from; None: nothing.

    Raises
    ------
    FivesError
        For a number out of range, or games of a rule set without a target.
    """
    count = limits.run_size(rounds, games)
    rule_set = as_rule_set(rules)
    if games is not None and rule_set.target is None:
        raise limits.no_target()
    played = rule_set if games is not None else rule_set.replace(target=None)
    return traces(played, policies, seed=seed, first_game=first_game, count=count, given=given)


class _Recorder:
    """Plays games for the record and reads its rows."""

    def __init__(self, rules: RuleSet, seats: Sequence[Policy], seed: int, given: Given | None) -> None:
        self.rules, self.seats, self.seed, self.given = rules, seats, seed, given
        self.tiles = tile_set(rules.set)
        self.table = new_table(rules, given)
        search = search_state(seats, rules, self.table)
        self.records = rules_record(rules), policies_record(seats, rules), search
        self.log = np.zeros((_FIRST_ROOM, record.WIDTH), np.int64)

    def _play(self, game: int) -> tuple[Rows, bool]:
        while True:
            tally = blank(TALLY)
            finished = record_game(self.table, *self.records, self.seed, game, tally, self.log)
            check_dealt(self.table, self.given)
            used = int(self.log[0, 0])
            if used <= len(self.log):
                return self.log[1:used], bool(finished)
            self.log = np.zeros((2 * used, record.WIDTH), np.int64)

    def trace(self, game: int) -> dict[str, Any]:
        """Return the trace of one game."""
        rows, finished = self._play(game)
        starts = np.flatnonzero(rows[:, 0] == record.ROUND)
        rounds: list[dict[str, Any]] = []
        for part in np.split(rows, starts[1:]):
            rounds.append(self._round(part, rounds[-1]["end"] if rounds else None))
        scores = self._scores(rows[-1])
        trace = {
            "format": FORMAT,
            "version": VERSION,
            "rules": rules_object(self.rules),
            "policies": [policy.name for policy in self.seats],
            "seed": self.seed,
            "game": game,
            "rounds": rounds,
            "scores": scores,
            "winner": self._winner(scores) if finished and self.rules.target is not None else None,
        }
        if self.given is not None and self.given.scores is not None:
            trace["start"] = list(self.given.scores)
        return trace if finished else trace | {"guard": True}

    def _winner(self, scores: list[int | float]) -> int | None:
        best = [side for side, score in enumerate(scores) if score == max(scores)]
        return best[0] if len(best) == 1 else None

    def _round(self, rows: Rows, ended_before: str | None) -> dict[str, Any]:
        start, end = rows[0], rows[-1]
        order = [self.tiles[number] for number in end[12 : 12 + self.rules.tiles]]
        dealt = self.rules.players * self.rules.hand
        turns = rows[rows[:, 0] == record.TURN]
        events = rows[rows[:, 0] == record.EVENT]
        winners = [side for side in range(self.rules.side_count) if int(end[2]) >> side & 1]
        return {
            "opener": int(start[1]),
            "opener_by": self._opener_by(ended_before),
            "hands": [
                [format_tile(tile) for tile in order[seat * self.rules.hand : (seat + 1) * self.rules.hand]]
                for seat in range(self.rules.players)
            ],
            "boneyard": [format_tile(tile) for tile in order[dealt:]],
            "turns": self._turns(turns, order[dealt:]),
            "end": ENDS[end[1]],
            "pips": [int(pips) for pips in end[4 : 4 + self.rules.players]],
            "winner": winners[0] if len(winners) == 1 else None,
            "settlement": [self._event(row) for row in events],
        }

    def _opener_by(self, ended_before: str | None) -> str:
        is_given = ended_before is None and self.given is not None and self.given.opener is not None
        return GIVEN if is_given else opener_label(self.rules, ended_before)

    def _turns(self, rows: Rows, boneyard: list[Tile]) -> list[dict[str, Any]]:
        turns = []
        position = 0
        for index, row in enumerate(rows):
            drawn = boneyard[position : position + int(row[2])]
            position += int(row[2])
            is_pass = row[3] == record.NO_PLACEMENT
            turns.append(
                {
                    "seat": int(row[1]),
                    "drawn": [format_tile(tile) for tile in drawn],
                    "move": None if is_pass else self._move(int(row[3]), is_lead=index == 0),
                    "count": None if is_pass else int(row[4]),
                    "points": _raw(row[5]),
                    "accepted": _accepted(row[6]),
                    "scores": self._scores(row),
                }
            )
        return turns

    def _move(self, placement: int, is_lead: bool) -> str:
        tile = self.tiles[placement & TILE]
        if is_lead:
            return format_tile(tile)
        joined = tile.high if placement & BY_HIGH else tile.low
        return format_move(Move(tile, Tile(joined, joined) if placement & AT_SIDE else joined))

    def _event(self, row: Rows) -> dict[str, Any]:
        return {
            "side": int(row[1]),
            "seat": int(row[2]),
            "play": _raw(row[3]),
            "credit": _raw(row[4]),
            "debit": _raw(row[5]),
            "net": _raw(row[6]),
            "accepted": _accepted(row[7]),
            "scores": self._scores(row),
        }

    def _scores(self, row: Rows) -> list[int | float]:
        return [_raw(points) for points in row[8 : 8 + self.rules.side_count]]


def _raw(half_points: np.int64) -> int | float:
    """Return raw points as JSON writes them: a whole number, or one that ends in .5."""
    whole, half = divmod(int(half_points), HALF)
    return whole + 0.5 if half else whole


def _accepted(value: np.int64) -> bool | None:
    return None if value == record.UNTESTED else bool(value)
