"""The table of one round: hands, boneyard and layout, and the rules of a turn.

With a placement in hand a seat must play and may not draw. Without one it draws, in the order of the
boneyard, as the field `draw` says: "none"; "one" tile a turn; or "until_playable". The last `reserve`
tiles of the boneyard are never drawn. A round is blocked when no hand can be placed and nothing can
be drawn any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.notation import Move, Tile
from analyzer.referee.layout import Layout
from analyzer.rulesets import RuleSet


def opening_tile(hands: Sequence[Sequence[Tile]]) -> tuple[int, Tile]:
    """Return who opens by the highest double, and with which tile.

    Where no hand has a double it is the heaviest tile, of two with equal pips the one with the higher half.
    """
    held = [(seat, tile) for seat, hand in enumerate(hands) for tile in hand]
    return max(held, key=lambda each: opening_rank(each[1]))


def opening_rank(tile: Tile) -> tuple[bool, int, int]:
    """Return what says which of two tiles opens: the higher double, else the heavier tile."""
    return tile.is_double, tile.pips, tile.high


class Table:
    """Hands, boneyard and layout of one round.

    Parameters
    ----------
    rules : the rule set.
    hands : the tiles of each seat.
    boneyard : the undealt tiles, in the order in which they are drawn.
    """

    def __init__(self, rules: RuleSet, hands: Sequence[Sequence[Tile]], boneyard: Sequence[Tile]) -> None:
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.layout = Layout(rules.spinner)
        self.last_placer: int | None = None

    def next_seat(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.rules.players

    def placements(self, seat: int) -> list[Move]:
        """Return the distinct placements of a seat's hand, in the order that `Layout.placements` states."""
        return self.layout.placements(self.hands[seat])

    def can_place(self, seat: int) -> bool:
        """Whether a seat has a placement in hand."""
        return self.layout.can_place(self.hands[seat])

    def drawable(self) -> list[Tile]:
        """Return the tiles that can still be drawn, in their order."""
        if self.rules.draw == "none":
            return []
        return self.boneyard[: max(0, len(self.boneyard) - self.rules.reserve)]

    def due_draws(self, seat: int) -> list[Tile]:
        """Return the tiles that the rules make a seat draw now; none where its hand has a placement."""
        if self.can_place(seat):
            return []
        limit = 1 if self.rules.draw == "one" else len(self.boneyard)
        drawn: list[Tile] = []
        for tile in self.drawable()[:limit]:
            drawn.append(tile)
            if self.layout.can_place([tile]):
                break
        return drawn

    def draw(self, seat: int, number: int) -> list[Tile]:
        """Move the next `number` tiles of the boneyard to a seat's hand and return them."""
        drawn, self.boneyard = self.boneyard[:number], self.boneyard[number:]
        self.hands[seat] += drawn
        return drawn

    def place(self, seat: int, move: Move) -> None:
        """Place a tile of a seat's hand; NotLegal where it does not fit."""
        self.layout.place(move)
        self.hands[seat].remove(move.tile)
        self.last_placer = seat

    def is_out(self, seat: int) -> bool:
        """Whether a seat has emptied its hand."""
        return not self.hands[seat]

    def is_blocked(self) -> bool:
        """Whether no hand can be placed and nothing can be drawn any more."""
        return not self.drawable() and not any(self.can_place(seat) for seat in range(self.rules.players))

    def pips(self) -> list[int]:
        """Return the pips left in each hand."""
        return [sum(tile.pips for tile in hand) for hand in self.hands]
