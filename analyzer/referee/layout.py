"""The layout as an explicit tree of placed tiles: which sides are free, where a tile may join, the count.

The rules implemented here are the same in every rule set:

- a tile that is no double has two ends; a free one is an ordinary end of its value;
- a double stands crosswise: two sides in line, and two arms if it is a spinner. Which doubles are
  spinners is the rule set's field `spinner`: "none", "first" (the first double of the round) or "all";
- an arm may be joined only when both sides in line are taken;
- the count is the sum of all ordinary ends, and of twice the value of each double whose sides in line
  are not both taken. A double with both taken counts 0, and so does an arm that is not started.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.notation import Move, NotLegal, Place, Tile, check_halves, format_place


@dataclass(eq=False)
class Side:
    """One side of a placed tile that another tile can join, and the tile that has joined it."""

    owner: PlacedTile
    value: int
    joined: PlacedTile | None = None


@dataclass(eq=False)
class PlacedTile:
    """A tile of the layout.

    A double has two sides `in_line` and, if it is a spinner, two `arms`. Any other tile has its two
    halves as `ends`. The lists that do not apply are empty.
    """

    tile: Tile
    is_spinner: bool
    ends: list[Side] = field(init=False)
    in_line: list[Side] = field(init=False)
    arms: list[Side] = field(init=False)

    def __post_init__(self) -> None:
        high, low = self.tile
        self.ends = [] if self.tile.is_double else [Side(self, high), Side(self, low)]
        self.in_line = [Side(self, high), Side(self, high)] if self.tile.is_double else []
        self.arms = [Side(self, high), Side(self, high)] if self.is_spinner else []

    def is_passed_through(self) -> bool:
        """Whether this is a double with both sides in line taken."""
        return bool(self.in_line) and all(side.joined is not None for side in self.in_line)

    def playable_sides(self) -> list[Side]:
        """Return the free sides that a tile may join now."""
        sides = self.arms if self.is_passed_through() else self.ends or self.in_line
        return [side for side in sides if side.joined is None]

    def count(self) -> int:
        """Return what this tile adds to the count."""
        if self.tile.is_double:
            return 0 if self.is_passed_through() else self.tile.pips
        return sum(side.value for side in self.ends if side.joined is None)

    def place_of(self, side: Side) -> Place:
        """Return the place that a side of this tile is: the double itself, or an end of its value."""
        return self.tile if self.tile.is_double else side.value


class Layout:
    """The tiles placed in one round, in the order of play.

    Parameters
    ----------
    spinner : "none", "first" or "all".
    """

    def __init__(self, spinner: str) -> None:
        self.spinner = spinner
        self.placed: list[PlacedTile] = []
        self._joined: list[Side | None] = []  # the side that each placed tile joined; None for the lead

    def __len__(self) -> int:
        return len(self.placed)

    @property
    def tiles(self) -> list[Tile]:
        """The tiles in the order of play."""
        return [placed.tile for placed in self.placed]

    def count(self) -> int:
        """Return the count, in pips: the sum over all tiles of the layout."""
        return sum(placed.count() for placed in self.placed)

    def open_places(self) -> list[Place]:
        """Return one entry for each free side that may be joined now.

        Ordinary ends come first, by ascending value, then the doubles, by ascending value. Equal
        ends and several sides of one double are repeated.
        """
        places = [placed.place_of(side) for placed in self.placed for side in placed.playable_sides()]
        ends = sorted(place for place in places if not isinstance(place, Tile))
        return [*ends, *sorted(place for place in places if isinstance(place, Tile))]

    def open_values(self) -> set[int]:
        """Return the distinct values that a tile may join now."""
        return {side.value for placed in self.placed for side in placed.playable_sides()}

    def placements(self, hand: Iterable[Tile]) -> list[Move]:
        """Return the distinct placements of a hand's tiles, two equal ends being one place.

        Ordinary ends come before standing doubles; among these, tiles that join with their lower half
        (doubles included) before those that join with their higher one; among these, by tile number.
        """
        tiles = sorted(hand, key=lambda tile: tile.number)
        if not self.placed:
            return [Move(tile, None) for tile in tiles]
        places = set(self.open_places())
        ends = {place for place in places if not isinstance(place, Tile)}
        doubles = {place.high: place for place in places if isinstance(place, Tile)}
        two_halves = [tile for tile in tiles if not tile.is_double]
        return [
            *[Move(tile, tile.low) for tile in tiles if tile.low in ends],
            *[Move(tile, tile.high) for tile in two_halves if tile.high in ends],
            *[Move(tile, doubles[tile.low]) for tile in tiles if tile.low in doubles],
            *[Move(tile, doubles[tile.high]) for tile in two_halves if tile.high in doubles],
        ]

    def can_place(self, hand: Iterable[Tile]) -> bool:
        """Whether any tile of a hand can be placed."""
        values = self.open_values()
        return any(not self.placed or tile.high in values or tile.low in values for tile in hand)

    def place(self, move: Move) -> None:
        """Place a tile.

        Raises
        ------
        NotLegal
            Where the tile is already placed, or the place is not open; the sentence names the open places.
        """
        self._check_new(move)
        side = None if move.at is None else self._side_at(move)
        new = PlacedTile(move.tile, self._would_be_spinner(move.tile))
        if side is not None:
            own = next(own for own in new.playable_sides() if own.value == side.value)
            own.joined, side.joined = side.owner, new
        self.placed.append(new)
        self._joined.append(side)

    def take_back(self) -> None:
        """Take the last placed tile up again."""
        self.placed.pop()
        side = self._joined.pop()
        if side is not None:
            side.joined = None

    def _would_be_spinner(self, tile: Tile) -> bool:
        if self.spinner == "first":
            return tile.is_double and not any(placed.tile.is_double for placed in self.placed)
        return tile.is_double and self.spinner == "all"

    def _side_at(self, move: Move) -> Side:
        for placed in self.placed:
            for side in placed.playable_sides():
                if placed.place_of(side) == move.at:
                    return side
        raise self.refusal(f"{move} cannot be placed")

    def _check_new(self, move: Move) -> None:
        if not self.placed:
            if move.at is not None:
                raise NotLegal(f"{move} cannot be placed: the first tile is written alone.")
            return
        if move.tile in self.tiles:
            raise self.refusal(f"{move} cannot be placed, since {move.tile} lies already")
        if move.at is None:
            raise self.refusal(f"{move} needs a place after an @")
        try:
            check_halves(move)
        except NotLegal as error:
            raise self.refusal(str(error).rstrip(".")) from error

    def refusal(self, what: str) -> NotLegal:
        """Return the error that says what is wrong and, once something lies, which places are open."""
        if not self.placed:
            return NotLegal(f"{what}.")
        return NotLegal(f"{what}: the open places are {places_text(self.open_places())}.")


def places_text(places: Sequence[Place]) -> str:
    """Return open places as one text: `2, 3, 1-1, 1-1`, or `none`."""
    return ", ".join(format_place(place) for place in places) or "none"
