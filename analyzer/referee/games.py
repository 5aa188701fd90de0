"""A whole game: rounds until a side wins, or until the round guard stops it.

Who opens a round say the fields `opener_first`, `opener_after_out` and `opener_after_block`: a lot ("lot"),
who went out ("out"), who placed the last tile ("last_tile"), who was dealt the highest double, or where
nobody has one the heaviest tile ("highest_double"), or the next seat clockwise, seat 0 first
("seat_in_turn").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from analyzer.errors import FivesError
from analyzer.notation import Tile
from analyzer.referee.events import no_scores
from analyzer.referee.record import trace_object
from analyzer.referee.rounds import Chooser, RoundResult, RoundStart, deal_table, play_round
from analyzer.referee.table import opening_tile
from analyzer.rulesets import RuleSet

Deal = Callable[[int, int], tuple[int, Sequence[Tile]]]
"""From the numbers of game and round: the seat that a lot would name, and the whole set, shuffled."""

TieLot = Callable[[int, int, int], int]
"""From the numbers of game and round, and how many sides are tied: which of them, from 0, a lot names."""


GIVEN = "given"  # the opener is fixed from outside


def opener_label(rules: RuleSet, end: str | None) -> str:
    """Return what makes a seat the opener after a round that ended so; None before the first round."""
    if end is None:
        return rules.opener_first
    return rules.opener_after_out if end == "out" else rules.opener_after_block


def play_game(
    rules: RuleSet,
    deal: Deal,
    choose: Chooser,
    *,
    policies: Sequence[str],
    seed: int | None,
    game: int,
    tie: TieLot | None = None,
) -> dict[str, Any]:
    """Play game number `game` to the target and return its trace object.

    Parameters
    ----------
    rules : a rule set with a target.
    deal : gives the lot and the shuffled tiles of each round.
    choose : gives the placement of each turn that has one.
    policies, seed : named in the trace.
    tie : gives the lot of a blocked round that is tied, where the rules ask for one.

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
        last = play_round(rules, _start(rules, deal, game, number, last, tie), choose)
        rounds.append(last.record)
        scores = last.scores
        if last.game.is_over:
            return trace_object(rules, policies, seed, game, rounds, scores, last.game.winner)
    return trace_object(rules, policies, seed, game, rounds, scores, None, guard=True)


def play_single_round(
    rules: RuleSet,
    deal: Deal,
    choose: Chooser,
    *,
    policies: Sequence[str],
    seed: int | None,
    game: int,
    tie: TieLot | None = None,
) -> dict[str, Any]:
    """Play round 0 of game number `game` alone, without a target, and return its trace object."""
    rules = rules.replace(target=None)
    last = play_round(rules, _start(rules, deal, game, 0, None, tie), choose)
    return trace_object(rules, policies, seed, game, [last.record], last.scores, None)


def _start(
    rules: RuleSet, deal: Deal, game: int, number: int, last: RoundResult | None, tie: TieLot | None
) -> RoundStart:
    """Return the start of a round after the last one, if there was one."""
    lot, tiles = deal(game, number)
    label = opener_label(rules, None if last is None else last.end)
    lead = None
    if label == "lot":
        opener = lot
    elif label == "highest_double":
        opener, lead = opening_tile(deal_table(rules, tiles).hands)
    elif label == "seat_in_turn":
        opener = 0 if last is None else (last.record["opener"] + 1) % rules.players
    else:  # who went out has also placed the last tile, so both labels name the same seat
        assert last is not None
        opener = last.last_placer
    return RoundStart(
        game,
        number,
        opener,
        label,
        tiles,
        scores=no_scores(rules) if last is None else last.scores,
        lead=lead if rules.lead == "forced" else None,
        tie=None if tie is None else partial(tie, game, number),
    )
