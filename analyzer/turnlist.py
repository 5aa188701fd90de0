"""Turns as a player would type them: `6-3, +2 6-6@6, pass, +3 pass`.

A turn is a move, or `pass`; `+n` before it says that n tiles were drawn first. Turns are parted by commas,
semicolons or ends of lines, in the order of play. The last may be `+n` alone: that seat is still to play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analyzer.notation import CannotParse, Move, NotLegal, format_move, parse_move, quoted

PASS = "pass"
MOST_DRAWN = 55  # no set has more tiles
_TURN = re.compile(r"(?:\+\s*(?P<drawn>[0-9]{1,3})(?=\s|$))?\s*(?P<what>\S.*)?", re.DOTALL)
_PARTED = re.compile(r"[^,;\n]+")


class Turn(NamedTuple):
    """What everybody at the table sees of one turn.

    Attributes
    ----------
    drawn : tiles drawn first.
    move : None for a pass.
    """

    drawn: int
    move: Move | None

    def __str__(self) -> str:
        return format_turn(self)


class TurnList(NamedTuple):
    """Turns in the order of play; `drawing` are the tiles that the seat to play has drawn in this very turn.

    `places` are the line and column, from 1, at which each turn was written, the drawing last.
    """

    turns: tuple[Turn, ...]
    drawing: int
    places: tuple[tuple[int, int], ...]


def format_turn(turn: Turn) -> str:
    """Return a turn as text: `+2 6-6@6`, `pass`."""
    drawn = f"+{turn.drawn} " if turn.drawn else ""
    return drawn + (PASS if turn.move is None else format_move(turn.move))


def format_turns(turns: Sequence[Turn], drawing: int = 0) -> str:
    """Return turns as one line that `parse_turns` reads."""
    told = [format_turn(turn) for turn in turns] + ([f"+{drawing}"] if drawing else [])
    return ", ".join(told)


def parse_turns(text: str, highest: int, line: int = 1) -> TurnList:
    """Read turns.

    Parameters
    ----------
    text : turns parted by commas, semicolons or ends of lines; empty parts at ends of lines are skipped.
    highest : the highest pip of the set.
    line : the number of the text's first line, for the errors.

    Raises
    ------
    CannotParse
        With line and column of the first turn that is none, or whose tile has no half that fits.
    """
    turns: list[Turn] = []
    places: list[tuple[int, int]] = []
    drawing = 0
    for part, place in _parts(text, line):
        if drawing:
            raise _wrong(places[-1], f"+{drawing} stands alone: write what was played, or {PASS}, after it")
        drawn, what = _halves(part, place)
        places.append(place)
        if what is None:
            drawing = drawn
        else:
            turns.append(Turn(drawn, _move(what, highest, place)))
    return TurnList(tuple(turns), drawing, tuple(places))


def _parts(text: str, line: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each part that is not blank with its line and column."""
    for number, row in enumerate(text.split("\n"), start=line):
        for found in _PARTED.finditer(row):
            part = found[0].strip()
            if part:
                yield part, (number, found.start() + found[0].index(part) + 1)


def _halves(part: str, place: tuple[int, int]) -> tuple[int, str | None]:
    """Return the tiles drawn, and the rest of the turn or None."""
    found = _TURN.fullmatch(part)
    if found is None or (part.startswith("+") and found["drawn"] is None):
        raise _wrong(place, f"{quoted(part)} is no turn: write +2 6-6@6, or {PASS}")
    drawn = int(found["drawn"] or 0)
    if drawn > MOST_DRAWN:
        raise _wrong(place, f"+{drawn} is more than any boneyard holds")
    return drawn, found["what"]


def _move(what: str, highest: int, place: tuple[int, int]) -> Move | None:
    if what.lower() == PASS:
        return None
    try:
        return parse_move(what, highest)
    except (CannotParse, NotLegal) as error:
        raise CannotParse(f"{told(place)}: {error}") from error


def told(place: tuple[int, int]) -> str:
    """Return a place in a text in words: `line 1, column 7`."""
    return f"line {place[0]}, column {place[1]}"


def _wrong(place: tuple[int, int], what: str) -> CannotParse:
    return CannotParse(f"{told(place)}: {what}.")
