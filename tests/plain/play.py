"""Whole games on the plain side: plain streams, plain policies, plain engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.notation import Move, Tile
from analyzer.policies import Policy, seat_policies
from analyzer.referee.games import play_game, play_single_round
from analyzer.referee.rounds import View
from analyzer.rulesets import RuleSet

from . import chooser, streams


def play_trace(rules: RuleSet, policies: Sequence[str | Policy], seed: int, game: int) -> dict[str, Any]:
    """Return the trace of a game, or, where the rule set has no target, of its round 0 alone.

    Parameters
    ----------
    policies : one for all seats, one a side, or one a seat.
    """
    seats = seat_policies(policies, rules.sides)

    def deal(game: int, round_: int) -> tuple[int, list[Tile]]:
        lot = streams.opener_lot(rules, seed, game, round_)
        return lot, streams.shuffled(rules, seed, game, round_)

    def choose(view: View) -> Move:
        return chooser.choose(view, seats[view.seat].weights, seed)

    def tie(game: int, round_: int, tied: int) -> int:
        return streams.tie_lot(seed, game, round_, tied)

    play = play_single_round if rules.target is None else play_game
    names = [policy.name for policy in seats]
    return play(rules, deal, choose, policies=names, seed=seed, game=game, tie=tie)
