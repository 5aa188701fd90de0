"""One round, played out: deal, turns, end, settlement.

The lead and every later turn ask a `Chooser` for a placement. The round ends as "target" when a play
wins the game, which comes before "out" and "blocked" and leaves nothing to settle; as "out" when a hand is
emptied; as "blocked" when no hand can be placed and nothing can be drawn. Where `last_play` is "with", the
points of a play that empties the hand wait for the settlement and are no event of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.notation import Move, NotLegal, Tile
from analyzer.referee.events import (
    GameState,
    Outcome,
    Scores,
    apply_play,
    game_state,
    points_of_play,
)
from analyzer.referee.layout import Layout
from analyzer.referee.record import event_object, tile_texts, turn_object
from analyzer.referee.settlement import (
    Settlement,
    block_gains,
    block_winner,
    block_winners,
    is_split,
    needs_lot,
    out_gains,
    settle,
)
from analyzer.referee.table import Table
from analyzer.rulesets import RuleSet


@dataclass(frozen=True)
class RoundStart:
    """How a round starts.

    Attributes
    ----------
    game, number : which game, and which of its rounds, both from 0.
    opener, opener_by : the seat that leads, and what made it so, such as "lot" or "last_tile".
    tiles : the whole set, shuffled. Seat s gets the tiles from s·hand on; the rest is the boneyard.
    scores : raw points of each side.
    lead : the tile that the opener must lead; None: any.
    tie : the lot for a block that is tied: from the number of tied sides to one of them, from 0.
    """

    game: int
    number: int
    opener: int
    opener_by: str
    tiles: Sequence[Tile]
    scores: Scores
    lead: Tile | None = None
    tie: Callable[[int], int] | None = None


@dataclass(frozen=True)
class View:
    """What a seat that is to place sees.

    Attributes
    ----------
    rules, game, round : the rule set, and the numbers of the game and the round.
    opener, play : who led, and how many plays were made in this round.
    seat, hand, placements : who is to place, its tiles, and its distinct placements in the order that
        `Layout.placements` states.
    layout : the tiles placed. Whoever tries a placement on it must take it back.
    scores : raw points of each side.
    hand_sizes, boneyard : the number of tiles in each hand and in the boneyard.
    lacks : the values that each seat is known not to hold, as draws and passes have shown; nothing of a seat
        that is not named.
    """

    rules: RuleSet
    game: int
    round: int
    opener: int
    play: int
    seat: int
    hand: tuple[Tile, ...]
    placements: tuple[Move, ...]
    layout: Layout
    scores: Scores
    hand_sizes: tuple[int, ...]
    boneyard: int
    lacks: Mapping[int, frozenset[int]] = field(default_factory=dict)


Chooser = Callable[[View], Move]


@dataclass(frozen=True)
class RoundResult:
    """How a round ended: its part of the trace, the game's state, who placed the last tile."""

    record: dict[str, Any]
    end: str
    scores: Scores
    game: GameState
    last_placer: int


def play_round(rules: RuleSet, start: RoundStart, choose: Chooser) -> RoundResult:
    """Play one round and return its result.

    Raises
    ------
    NotLegal
        Where `choose` returns a placement that was not offered.
    """
    round_ = _Round(rules, start, choose)
    end = round_.play_turns()
    settlement = round_.settle(end)
    assert round_.table.last_placer is not None
    return RoundResult(
        record=round_.record(end, settlement),
        end=end,
        scores=settlement.scores,
        game=settlement.game,
        last_placer=round_.table.last_placer,
    )


def deal_table(rules: RuleSet, tiles: Sequence[Tile]) -> Table:
    """Return the table as dealt: seat s holds the tiles from s·hand on, the rest is the boneyard."""
    hand = rules.hand
    hands = [tiles[seat * hand : (seat + 1) * hand] for seat in range(rules.players)]
    return Table(rules, hands, tiles[rules.players * hand :])


class _Round:
    """A round under way."""

    def __init__(self, rules: RuleSet, start: RoundStart, choose: Chooser) -> None:
        self.rules = rules
        self.start = start
        self.choose = choose
        self.table = deal_table(rules, start.tiles)
        self.dealt = {
            "hands": [tile_texts(hand) for hand in self.table.hands],
            "boneyard": tile_texts(self.table.boneyard),
        }
        self.scores = start.scores
        self.turns: list[dict[str, Any]] = []
        self.lacks: dict[int, frozenset[int]] = {}
        self.waiting_points = 0  # of a last play that come with the settlement
        self.drawn_side: int | None = None  # by lot, of those that are tied in a block

    def play_turns(self) -> str:
        """Play turns until the round ends; return how it ended."""
        seat = self.start.opener
        while True:
            end = self._turn(seat)
            if end is not None:
                return end
            seat = self.table.next_seat(seat)

    def settle(self, end: str) -> Settlement:
        """Apply the events of the round's end."""
        pips = self.table.pips()
        if end == "target":
            return Settlement((), self.scores, game_state(self.rules, self.scores))
        if end == "out":
            assert self.table.last_placer is not None
            gains = out_gains(self.rules, self.table.last_placer, pips, self.waiting_points)
            return settle(self.rules, self.scores, gains, together=False)
        if needs_lot(self.rules, pips):
            tied = block_winners(self.rules, pips)
            assert self.start.tie is not None, "these rules need lots for ties"
            self.drawn_side = tied[self.start.tie(len(tied))]
        gains = block_gains(self.rules, pips, self.drawn_side)
        return settle(self.rules, self.scores, gains, is_split(self.rules, gains))

    def record(self, end: str, settlement: Settlement) -> dict[str, Any]:
        """Return the round as a trace tells it."""
        pips = self.table.pips()
        last_placer = self.table.last_placer
        assert last_placer is not None
        winner: int | None = self.rules.sides[last_placer]
        if end == "blocked":
            winner = block_winner(self.rules, pips, self.drawn_side)
        return {
            "opener": self.start.opener,
            "opener_by": self.start.opener_by,
            **self.dealt,
            "turns": self.turns,
            "end": end,
            "pips": pips,
            "winner": winner,
            "settlement": [event_object(gain, outcome) for gain, outcome in settlement.events],
        }

    def _turn(self, seat: int) -> str | None:
        """Play one turn; return how it ended the round, or None."""
        drawn = self._draw(seat)
        if not self.table.can_place(seat):
            self.turns.append(turn_object(seat, drawn, None, None, 0, Outcome(None, self.scores)))
            return "blocked" if self.table.is_blocked() else None
        move = self._chosen(seat)
        self.table.place(seat, move)
        count = self.table.layout.count()
        points = points_of_play(self.rules, count)
        outcome = self._apply(seat, points)
        self.scores = outcome.scores
        self.turns.append(turn_object(seat, drawn, move, count, points, outcome))
        return self._end_after_play(seat)

    def _draw(self, seat: int) -> list[Tile]:
        """Let a seat draw where it must, and keep what that and a pass show to all."""
        is_stuck = len(self.table.layout) > 0 and not self.table.can_place(seat)
        drawn = self.table.draw(seat, len(self.table.due_draws(seat)))
        if is_stuck:
            missed = frozenset(self.table.layout.open_values())
            kept = [tile for tile in drawn if not self.table.layout.can_place([tile])]
            self.lacks[seat] = missed if kept else missed | self.lacks.get(seat, frozenset())
        return drawn

    def _chosen(self, seat: int) -> Move:
        view = self._view(seat)
        move = self.choose(view)
        if move not in view.placements:
            raise NotLegal(f"{move} is not among the placements of seat {seat}.")
        return move

    def _view(self, seat: int) -> View:
        table = self.table
        return View(
            rules=self.rules,
            game=self.start.game,
            round=self.start.number,
            opener=self.start.opener,
            play=len(table.layout),
            seat=seat,
            hand=tuple(table.hands[seat]),
            placements=tuple(self._placements(seat)),
            layout=table.layout,
            scores=self.scores,
            hand_sizes=tuple(len(hand) for hand in table.hands),
            boneyard=len(table.boneyard),
            lacks=dict(self.lacks),
        )

    def _placements(self, seat: int) -> list[Move]:
        if self.start.lead is not None and not len(self.table.layout):
            return [Move(self.start.lead, None)]
        return self.table.placements(seat)

    def _apply(self, seat: int, points: int) -> Outcome:
        if self.rules.last_play == "with" and self.table.is_out(seat):
            self.waiting_points = points
            return Outcome(None, self.scores)
        return apply_play(self.rules, self.scores, self.rules.sides[seat], points)

    def _end_after_play(self, seat: int) -> str | None:
        if game_state(self.rules, self.scores).is_over:
            return "target"
        if self.table.is_out(seat):
            return "out"
        return "blocked" if self.table.is_blocked() else None
