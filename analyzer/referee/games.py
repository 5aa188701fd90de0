"""A whole game: rounds until a side wins, or until the round guard stops it.

The first opener goes by lot. A later one is, as the fields `opener_after_out` and `opener_after_block`
say, drawn by lot ("lot"), who went out ("out"), or who placed the last tile ("last_tile").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyzer.errors import FivesError
from analyzer.notation import Tile
from analyzer.referee.events import no_scores
from analyzer.referee.record import trace_object
from analyzer.referee.rounds import Chooser, RoundResult, RoundStart, play_round
from analyzer.rulesets import RuleSet

Deal = Callable[[int, int], tuple[int, Sequence[Tile]]]
"""From the numbers of game and round: the seat that a lot would name, and the whole set, shuffled."""


def opener_label(rules: RuleSet, end: str | None) -> str:
    """Return what makes a seat the opener after a round that ended so; None before the first round."""
    if end is None:
        return rules.opener_first
    return rules.opener_after_out if end == "out" else rules.opener_after_block


def play_game(
    rules: RuleSet, deal: Deal, choose: Chooser, *, policies: Sequence[str], seed: int | None, game: int
) -> dict[str, Any]:
    """Play game number `game` to the target and return its trace object.

    Parameters
    ----------
    rules : a rule set with a target.
    deal : gives the lot and the shuffled tiles of each round.
    choose : gives the placement of each turn that has one.
    policies, seed : named in the trace.

    Raises
    ------
    FivesError
        Where the rule set has no target, so that the game would not end.
    """
    if rules.target is None:
        raise FivesError("a game needs a target: give one, or play single rounds.")
    rounds: list[dict[str, Any]] = []
    scores, last = no_scores(rules), None
    for number in range(rules.round_guard):
        last = play_round(rules, _start(rules, deal, game, number, last), choose)
        rounds.append(last.record)
        scores = last.scores
        if last.game.is_over:
            return trace_object(rules, policies, seed, game, rounds, scores, last.game.winner)
    return trace_object(rules, policies, seed, game, rounds, scores, None, guard=True)


def play_single_round(
    rules: RuleSet, deal: Deal, choose: Chooser, *, policies: Sequence[str], seed: int | None, game: int
) -> dict[str, Any]:
    """Play round 0 of game number `game` alone, without a target, and return its trace object."""
    rules = rules.replace(target=None)
    last = play_round(rules, _start(rules, deal, game, 0, None), choose)
    return trace_object(rules, policies, seed, game, [last.record], last.scores, None)


def _start(rules: RuleSet, deal: Deal, game: int, number: int, last: RoundResult | None) -> RoundStart:
    """Return the start of a round after the last one, if there was one."""
    lot, tiles = deal(game, number)
    label = opener_label(rules, None if last is None else last.end)
    # Who went out has also placed the last tile, so both labels name the same seat.
    opener = lot if last is None or label == "lot" else last.last_placer
    scores = no_scores(rules) if last is None else last.scores
    return RoundStart(game, number, opener, label, tiles, scores)
