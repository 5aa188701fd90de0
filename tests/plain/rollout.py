"""A round played on from its middle by the plain engine, in a world that is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from analyzer.notation import Move, Tile, tile_set
from analyzer.policies import Policy
from analyzer.positions import Position
from analyzer.referee.events import GameState
from analyzer.referee.layout import Layout
from analyzer.referee.rounds import RoundStart, View, _Round
from analyzer.referee.table import Table, opening_tile

from . import chooser, streams


@dataclass(frozen=True)
class End:
    """How a round ended: how, who placed last, the scores, the game's state."""

    end: str
    last_placer: int
    scores: tuple[Fraction, ...]
    game: GameState


def play_on(
    position: Position,
    hands: Sequence[Sequence[Tile]],
    boneyard: Sequence[Tile],
    move: Move | None,
    base: Policy,
    choice_key: int,
) -> End:
    """Return how the round ends where the seat places `move` and all play on by the base policy.

    Without a `move` the seat plays by it too.

    Parameters
    ----------
    hands, boneyard : the world.
    choice_key : the stream of ties.
    """
    forced = [] if move is None else [move]

    def choose(view: View) -> Move:
        if forced:
            return forced.pop()
        values = [chooser.value_of(view, each, base.weights) for each in view.placements]
        best = [each for each, value in zip(view.placements, values, strict=True) if value == max(values)]
        return best[streams.below(streams.child(choice_key, view.play), len(best))]

    round_ = _started(position, hands, boneyard, choose)
    seat, end = position.seat, None
    while end is None:
        end = round_._turn(seat)
        seat = round_.table.next_seat(seat)
    settlement = round_.settle(end)
    assert round_.table.last_placer is not None
    return End(end, round_.table.last_placer, settlement.scores, settlement.game)


def _started(position, hands, boneyard, choose) -> _Round:  # type: ignore[no-untyped-def]
    rules = position.rules
    any_deal = tile_set(rules.set)  # replaced by the world below
    lead = opening_tile(hands)[1] if position.by_highest and rules.lead == "forced" else None
    start = RoundStart(0, 0, position.opener, "lot", any_deal, position.scores, lead)
    round_ = _Round(rules, start, choose)
    table = Table(rules, hands, boneyard)
    table.layout = Layout(rules.spinner)
    for seat, turn in zip(position.seats, position.turns, strict=True):
        if turn.move is not None:
            table.layout.place(turn.move)
            table.last_placer = seat
    round_.table = table
    return round_
