"""Traces held against the rules: whole games, and files of them.

What is judged is what the rules decide: openers, deals, draws, placements, counts, points, events, ends,
settlements, scores, winners. What a policy chose among legal placements, and whether a shuffle comes from
the seed that is named, is not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from analyzer.errors import FivesError
from analyzer.notation import CannotParse
from analyzer.referee.games import GIVEN, opener_label
from analyzer.referee.reading import RoundRecord, Trace, read_trace
from analyzer.referee.record import numbers
from analyzer.referee.round_check import RoundCheck
from analyzer.referee.scoreline import Scoreline
from analyzer.referee.table import opening_tile

STDIN = "-"


@dataclass(frozen=True)
class Fault:
    """One breach of the rules in a trace.

    Attributes
    ----------
    game : the game's number as its trace gives it.
    round, turn : counted from 0; None where the fault is no single round's or turn's.
    text : what is wrong, and what the rules give.
    """

    game: int
    round: int | None
    turn: int | None
    text: str

    def __str__(self) -> str:
        where = [f"game {self.game}"]
        where += [] if self.round is None else [f"round {self.round}"]
        where += [] if self.turn is None else [f"turn {self.turn}"]
        return f"{', '.join(where)}: {self.text}"


@dataclass(frozen=True)
class VerifyReport:
    """What was found in a file of traces.

    Attributes
    ----------
    faults : breaches of the rules, in the order of the file.
    unreadable : the number, from 1, of each line that is no trace, and the sentence that says why.
    games, rounds : how many were checked.
    """

    faults: tuple[Fault, ...]
    unreadable: tuple[tuple[int, str], ...]
    games: int
    rounds: int


def check_trace(obj: object) -> list[Fault]:
    """Replay a trace object and return its faults, at most one for each recorded field that differs.

    Parameters
    ----------
    obj : one line of a trace file, as `json.loads` gives it.

    Raises
    ------
    CannotParse
        Where it is no trace.
    """
    return check_game(read_trace(obj))


def check_game(trace: Trace) -> list[Fault]:
    """Replay a game that was read and return its faults, as `check_trace` does."""
    return _GameCheck(trace).run()


def verify_file(path: str | Path) -> VerifyReport:
    """Replay every line of a trace file, or of standard input for "-"; blank lines are skipped.

    Raises
    ------
    FivesError
        Where the file cannot be opened or read. No content of a line raises anything.
    """
    faults: list[Fault] = []
    unreadable: list[tuple[int, str]] = []
    games = rounds = 0
    for line_number, line in trace_lines(Path(path)):
        try:
            trace = read_trace(json_value(line))
        except CannotParse as error:
            unreadable.append((line_number, str(error)))
            continue
        faults += check_game(trace)
        games, rounds = games + 1, rounds + len(trace.rounds)
    return VerifyReport(tuple(faults), tuple(unreadable), games, rounds)


def trace_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line that is not blank. Only a line feed ends a line of JSON Lines.

    Parameters
    ----------
    path : a file, or "-" for standard input.

    Raises
    ------
    FivesError
        Where it cannot be opened or read.
    """
    try:
        with _opened(path) as file:
            for line_number, line in enumerate(file, start=1):
                if line.strip():
                    yield line_number, line
    except OSError as error:
        reason = error.strerror or str(error)
        raise FivesError(f"cannot read {path}: {reason[:1].lower()}{reason[1:]}.") from error


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    if str(path) != STDIN:
        return path.open("rb")
    if sys.stdin is None:
        raise FivesError("standard input is closed: name a file instead of -.")
    return nullcontext(sys.stdin.buffer)


def json_value(line: bytes) -> object:
    """Return the JSON value of a line; CannotParse where it is none."""
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CannotParse("the line is not UTF-8 text.") from error
    except json.JSONDecodeError as error:
        raise CannotParse(f"the line is not JSON: {error.msg} at column {error.colno}.") from error
    except RecursionError as error:
        raise CannotParse("the line is not a trace: it is nested too deeply.") from error
    except ValueError as error:  # a number of thousands of digits
        raise CannotParse("the line has a number that is too long to be read.") from error


class _GameCheck:
    """Replays one game."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.rules = trace.rules
        self.scoreline = Scoreline(trace.rules, trace.start)
        self.faults: list[Fault] = []

    def run(self) -> list[Fault]:
        """Return the faults of the whole game."""
        last: RoundCheck | None = None
        if self.scoreline.state().is_over:
            self._fault(None, "the game starts with a score that has won it")
            return self.faults
        for number, record in enumerate(self.trace.rounds):
            if last is not None and self._is_over(last):
                self._fault(number, "the game goes on, but it ended with the round before")
                return self.faults
            if number == self.rules.round_guard:
                self._fault(number, f"the game goes on, but the guard stops it after {number} rounds")
                return self.faults
            self._check_opener(number, record, last)
            last = RoundCheck(self.rules, record, self.scoreline, self._lead_is_forced(record))
            last.run()
            self.faults += [Fault(self.trace.game, number, fault.turn, fault.text) for fault in last.faults]
        self._check_end(last)
        return self.faults

    def _is_over(self, last: RoundCheck) -> bool:
        """Whether no round can follow: a side has won, or a single round was played."""
        is_won = last.end is not None and all(state.is_over for state in self.scoreline.states())
        return self.rules.target is None or is_won

    def _fault(self, round_: int | None, text: str) -> None:
        self.faults.append(Fault(self.trace.game, round_, None, text))

    def _check_opener(self, number: int, record: RoundRecord, last: RoundCheck | None) -> None:
        """Check who opens, and why.

        A lot may name any seat, and so may whoever gives the opener: of the first round, or instead of a lot.
        """
        label = opener_label(self.rules, None if last is None else last.end or last.record.end)
        if record.opener_by == GIVEN and (last is None or label == "lot"):
            return
        if record.opener_by != label:
            self._fault(number, f"opener_by is {record.opener_by}, by the rules {label}")
        right = self._right_opener(label, record, last)
        if right is not None and record.opener != right:
            self._fault(number, f"seat {record.opener} opens, by the rules seat {right}")

    def _right_opener(self, label: str, record: RoundRecord, last: RoundCheck | None) -> int | None:
        """Return the seat that opens; None where a lot says, or where it cannot be told."""
        if label == "lot":
            return None
        if label == "highest_double":
            return opening_tile(record.hands)[0] if any(record.hands) else None
        if label == "seat_in_turn":
            return 0 if last is None else (last.record.opener + 1) % self.rules.players
        return None if last is None else last.next_opener()

    def _lead_is_forced(self, record: RoundRecord) -> bool:
        return self.rules.lead == "forced" and record.opener_by == "highest_double"

    def _check_end(self, last: RoundCheck | None) -> None:
        trace = self.trace
        if not self.scoreline.bears(trace.scores):
            right = numbers(self.scoreline.scores)
            self._fault(None, f"scores are {numbers(trace.scores)}, by the rules {right}")
        if last is None:
            self._fault(None, "there is no round")
        elif last.end is not None:
            self._check_outcome()

    def _check_outcome(self) -> None:
        """Check winner and guard, and that the game does not stop before its end."""
        is_game, state = self.rules.target is not None, self.scoreline.state()
        is_guarded = is_game and not state.is_over and len(self.trace.rounds) == self.rules.round_guard
        if is_game and not state.is_over and not is_guarded:
            self._fault(None, "the game stops before a side has won it")
            return
        if self.trace.guard != is_guarded:
            self._fault(None, f"guard is {_shown(self.trace.guard)}, by the rules {_shown(is_guarded)}")
        if self.trace.winner != state.winner:
            self._fault(None, f"winner is {_shown(self.trace.winner)}, by the rules {_shown(state.winner)}")


def _shown(value: int | bool | None) -> str:
    return json.dumps(value)
