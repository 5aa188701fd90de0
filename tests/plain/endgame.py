"""Perfect play by two players who know all tiles, by trying everything; written from the rule text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from analyzer.notation import Move, Tile
from analyzer.positions import Position
from analyzer.referee.events import GameState, apply_play, game_state, points_of_play
from analyzer.referee.layout import Layout
from analyzer.referee.settlement import block_gains, is_split, out_gains, settle

Worth = Callable[[str, int, tuple[Fraction, ...], GameState], Any]
"""From the end, who placed last, the scores and the game's state: what it is worth to seat 0."""


class Endgame:
    """The rest of a round between two players from a position.

    Parameters
    ----------
    worth : of an end to seat 0; the other seat wants it as low as can be.
    """

    def __init__(self, position: Position, other: list[Tile], worth: Worth) -> None:
        self.rules, self.worth = position.rules, worth
        self.layout = Layout(self.rules.spinner)
        for turn in position.turns:
            if turn.move is not None:
                self.layout.place(turn.move)
        self.hands: list[list[Tile]] = [other, other]
        self.hands[position.seat] = list(position.hand)
        self.seat = position.seat
        self.scores = position.scores
        self.visits = 0

    def value(self, move: Move) -> Any:
        """Return what a placement of the seat is worth to seat 0 where both play on perfectly."""
        return self._after(self.seat, move, self.scores)

    def _after(self, seat: int, move: Move, scores: tuple[Fraction, ...]) -> Any:
        self.visits += 1
        self.layout.place(move)
        self.hands[seat].remove(move.tile)
        value = self._valued(seat, scores)
        self.hands[seat].append(move.tile)
        self.layout.take_back()
        return value

    def _valued(self, seat: int, scores: tuple[Fraction, ...]) -> Any:
        rules = self.rules
        points = points_of_play(rules, self.layout.count())
        is_out = not self.hands[seat]
        waits = is_out and rules.last_play == "with"
        if not waits:
            scores = apply_play(rules, scores, rules.sides[seat], points).scores
        game = game_state(rules, scores)
        pips = [sum(tile.pips for tile in hand) for hand in self.hands]
        if game.is_over:
            return self.worth("target", seat, scores, game)
        if is_out:
            gains = out_gains(rules, seat, pips, points if waits else 0)
            settled = settle(rules, scores, gains, together=False)
            return self.worth("out", seat, settled.scores, settled.game)
        for who in (1 - seat, seat):
            moves = self.layout.placements(self.hands[who])
            if moves:
                values = [self._after(who, move, scores) for move in moves]
                return max(values) if who == 0 else min(values)
        gains = block_gains(rules, pips)
        settled = settle(rules, scores, gains, is_split(rules, gains))
        return self.worth("blocked", seat, settled.scores, settled.game)
