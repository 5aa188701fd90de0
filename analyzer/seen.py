"""The table as everybody sees it: the layout, the sizes of the hands, and who had no placement when."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.errors import FivesError
from analyzer.notation import Move, NotLegal, Tile
from analyzer.referee.layout import Layout
from analyzer.rulesets import RuleSet


def seat_of(rules: RuleSet, opener: int, turn: int) -> int:
    """Return the seat that has turn number `turn`, counted from 0."""
    return (opener + turn) % rules.players


@dataclass
class Stuck:
    """A turn at which a seat had no placement: the values then open, and its draws by the end of it."""

    turn: int
    values: set[int]
    drawn: int


class Seen:
    """The table of one round, as far as it lies open.

    Parameters
    ----------
    rules, opener : the rule set, and the seat that leads.
    """

    def __init__(self, rules: RuleSet, opener: int) -> None:
        self.rules, self.opener = rules, opener
        self.layout = Layout(rules.spinner)
        self.sizes = [rules.hand] * rules.players
        self.boneyard = rules.tiles - rules.hand * rules.players
        self.drawn = [0] * rules.players  # tiles drawn by each seat so far
        self.stuck: list[list[Stuck]] = [[] for _ in range(rules.players)]
        self.passes = 0  # turns without a placement since the last one with

    @property
    def drawable(self) -> int:
        """How many tiles can still be drawn."""
        return 0 if self.rules.draw == "none" else max(0, self.boneyard - self.rules.reserve)

    def draw(self, turn: int, number: int, plays: bool) -> None:
        """A seat draws `number` tiles, after which it has a placement (`plays`) or passes."""
        seat = seat_of(self.rules, self.opener, turn)
        self._check_draw(turn, number, plays)
        self.sizes[seat] += number
        self.drawn[seat] += number
        if number or not plays:
            self.stuck[seat].append(Stuck(turn, self.layout.open_values(), self.drawn[seat]))
        self.boneyard -= number

    def _check_draw(self, turn: int, number: int, plays: bool) -> None:
        who = f"turn {turn + 1}: seat {seat_of(self.rules, self.opener, turn)}"
        if turn == 0 and (number or not plays):
            raise FivesError(f"{who} opens the round: it leads a tile, and neither draws nor passes.")
        if number > self.drawable:
            left = "nothing can be drawn" if not self.drawable else f"only {self.drawable} can be drawn"
            raise FivesError(f"{who} draws {number}, but {left}.")
        due = self.drawable if self.rules.draw == "until_playable" else min(1, self.drawable)
        if number > due:
            raise FivesError(f"{who} draws {number}, but a turn draws at most {due} by these rules.")
        if not plays and number < due:
            raise FivesError(
                f"{who} passes after {number} drawn, but must draw until a tile fits or nothing is left, "
                f"which is {due}: write the tiles drawn first, as in +{due} pass."
            )

    def play(self, turn: int, move: Move) -> None:
        """A seat places a tile."""
        seat = seat_of(self.rules, self.opener, turn)
        try:
            self.layout.place(move)
        except NotLegal as error:
            raise FivesError(f"turn {turn + 1}: {error}") from error
        self._check_held(turn, seat, move.tile)
        self.sizes[seat] -= 1

    def _check_held(self, turn: int, seat: int, tile: Tile) -> None:
        """Refuse a tile that the seat would have had to place earlier."""
        for stuck in self.stuck[seat]:
            drawn_since = self.drawn[seat] - stuck.drawn
            if stuck.turn < turn and not drawn_since and any(tile.has(value) for value in stuck.values):
                raise FivesError(
                    f"turn {turn + 1}: seat {seat} plays {tile}, but had no tile that fits at turn "
                    f"{stuck.turn + 1}, when {tile} could be placed, and has drawn nothing since."
                )

    def check_goes_on(self, turn: int) -> None:
        """Refuse a turn after the round's end."""
        before = seat_of(self.rules, self.opener, turn - 1)
        if turn and self.sizes[before] == 0:
            raise FivesError(f"turn {turn + 1}: the round is over, since seat {before} went out before it.")
        if self.passes >= self.rules.players and not self.drawable:
            raise FivesError(f"turn {turn + 1}: the round is over, since all have passed and it is blocked.")
