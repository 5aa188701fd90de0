"""Tiles and placements as text: `6-3`, `6-3@6`, `6-3@6-6`.

A tile is written with its higher half first and read in either order. A move is the tile alone for
the lead, the tile at the value of an ordinary end, or the tile at the double whose free side it
joins; whether that side is in line or an arm follows from how many are taken.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from analyzer.errors import FivesError
from analyzer.rulesets import HIGHEST_PIP

_TILE = re.compile(r"([0-9]+)-([0-9]+)")
_VALUE = re.compile(r"[0-9]+")
_LARGEST_PIP = max(HIGHEST_PIP.values())
_SHOWN_LENGTH = 30  # a wrong text is quoted up to here, so that an error stays one readable line


class CannotParse(FivesError):
    """The text is not a tile, a move or a trace."""


class NotLegal(FivesError):
    """The text can be read, but the placement breaks the rules."""


class Tile(NamedTuple):
    """One tile, `high` ≥ `low`; both in pips."""

    high: int
    low: int

    @property
    def is_double(self) -> bool:
        """Whether both halves are the same."""
        return self.high == self.low

    @property
    def pips(self) -> int:
        """The sum of both halves."""
        return self.high + self.low

    @property
    def number(self) -> int:
        """The place of the tile in its set, from 0: a(a+1)/2 + b for a-b with a ≥ b."""
        return self.high * (self.high + 1) // 2 + self.low

    def has(self, value: int) -> bool:
        """Whether one of the halves is `value`."""
        return value in (self.high, self.low)

    def other_half(self, value: int) -> int:
        """Return the half that becomes the new end when `value` joins."""
        return self.low if value == self.high else self.high

    def __str__(self) -> str:
        return format_tile(self)


Place = int | Tile  # an ordinary end of that value, or a free side of that standing double


class Move(NamedTuple):
    """A placement: the tile, and the place it joins.

    `at` is None for the lead, the value of an ordinary end, or a standing double.
    """

    tile: Tile
    at: Place | None

    @property
    def value(self) -> int | None:
        """The value of the half that joins; None for the lead."""
        return self.at.high if isinstance(self.at, Tile) else self.at

    def __str__(self) -> str:
        return format_move(self)


def tile_of(one: int, other: int) -> Tile:
    """Return the tile with these two halves, given in either order."""
    return Tile(max(one, other), min(one, other))


def tile_set(set_name: str) -> tuple[Tile, ...]:
    """Return all tiles of "double-six" or "double-nine" in the order of their numbers."""
    return tuple(Tile(high, low) for high in range(HIGHEST_PIP[set_name] + 1) for low in range(high + 1))


def format_tile(tile: Tile) -> str:
    """Return the tile as text, its higher half first: `6-3`."""
    return f"{tile.high}-{tile.low}"


def format_place(place: Place) -> str:
    """Return a place as text: `6` for an ordinary end, `6-6` for a side of the standing double."""
    return format_tile(place) if isinstance(place, Tile) else str(place)


def format_move(move: Move) -> str:
    """Return the move as text: `6-3`, `6-3@6`, `6-6@6` or `6-3@6-6`."""
    tile = format_tile(move.tile)
    return tile if move.at is None else f"{tile}@{format_place(move.at)}"


def parse_tile(text: str, highest: int = _LARGEST_PIP) -> Tile:
    """Read a tile, its halves in either order.

    Parameters
    ----------
    text : such as "3-6"; spaces around it are ignored.
    highest : the highest pip of the set.

    Raises
    ------
    CannotParse
        Where the text is no tile, or a half is above `highest`.
    """
    found = _TILE.fullmatch(text.strip())
    if found is None:
        raise CannotParse(f"{quoted(text)} is no tile: write its two halves as in 6-3.")
    return tile_of(_pip(found[1], text, highest), _pip(found[2], text, highest))


def parse_move(text: str, highest: int = _LARGEST_PIP) -> Move:
    """Read a move.

    Parameters
    ----------
    text : such as "6-3" (the lead), "6-3@6" (at an ordinary end) or "6-3@6-6" (at a standing double).
    highest : the highest pip of the set.

    Raises
    ------
    CannotParse
        Where the text is no move, or a half is above `highest`.
    NotLegal
        Where the text is a move, but the tile has no half of the value it is to join.
    """
    tile_text, mark, place_text = text.strip().partition("@")
    tile = parse_tile(tile_text, highest)
    if not mark:
        return Move(tile, None)
    move = Move(tile, _parse_place(place_text.strip(), text, highest))
    check_halves(move)
    return move


def check_halves(move: Move) -> None:
    """Raise NotLegal unless a half of the tile matches the place that it is to join."""
    if move.value is not None and not move.tile.has(move.value):
        raise NotLegal(f"{move} cannot be placed, since {move.tile} has no half of value {move.value}.")
    if move.tile == move.at:
        raise NotLegal(f"{move} cannot be placed, since a double does not join itself.")


def quoted(value: object) -> str:
    """Return a value as it is shown in an error: on one line, printable, cut where it is long."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "..."


def _pip(digits: str, text: str, highest: int) -> int:
    """Return the value of these digits, checked before they are turned into a number of any length."""
    plain = digits.lstrip("0") or "0"
    if len(plain) > 2 or int(plain) > highest:
        raise CannotParse(f"{quoted(text)} has a value above {highest}, the highest of the set.")
    return int(plain)


def _parse_place(place: str, text: str, highest: int) -> Place:
    if _VALUE.fullmatch(place):
        return _pip(place, text, highest)
    if _TILE.fullmatch(place):
        double = parse_tile(place, highest)
        if double.is_double:
            return double
    raise CannotParse(f"{quoted(text)} is no move: write the value of an end or a double after the @.")
