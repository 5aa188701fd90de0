"""Gains as events: the test against the target, and what a score may do.

A gain is one event for one side. Where the target is exact, an event that would lift its side above
the target is refused whole; every other event is applied, one that lowers the score too. A side whose
score an accepted event brings to an exact target, or to or past one to be reached, wins the game at
once. Without a target nothing is refused and nothing is won.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from analyzer.rulesets import RuleSet, multiples_of

Scores = tuple[Fraction, ...]  # raw points of each side


@dataclass(frozen=True)
class Outcome:
    """What an event did: `accepted` is None where no points were at stake; the scores after it."""

    accepted: bool | None
    scores: Scores


def no_scores(rules: RuleSet) -> Scores:
    """Return the scores at the start of a game."""
    return (Fraction(0),) * rules.side_count


def is_accepted(rules: RuleSet, score: Fraction, net: Fraction) -> bool:
    """Whether an event of `net` raw points is accepted for a side that has `score`."""
    if rules.target is None or rules.target_kind == "reach":
        return True
    return score + net <= rules.target


def is_at_target(rules: RuleSet, score: Fraction) -> bool:
    """Whether a score wins the game."""
    if rules.target is None:
        return False
    return score == rules.target if rules.target_kind == "exact" else score >= rules.target


def apply_event(rules: RuleSet, scores: Scores, side: int, net: Fraction) -> Outcome:
    """Return the outcome of an event of `net` raw points for a side."""
    if not is_accepted(rules, scores[side], net):
        return Outcome(False, scores)
    return Outcome(True, (*scores[:side], scores[side] + net, *scores[side + 1 :]))


def apply_play(rules: RuleSet, scores: Scores, side: int, points: int) -> Outcome:
    """Return the outcome of a play; one that earns no points is no event."""
    if points == 0:
        return Outcome(None, scores)
    return apply_event(rules, scores, side, Fraction(points))


def points_of_play(rules: RuleSet, count: int) -> int:
    """Return the points of a play: the count for each of the rule set's numbers that divides it.

    Where points are divided, each such number scores how often it goes into the count.
    """
    points = 0
    for multiple in multiples_of(rules):
        if count % multiple == 0:
            points += count // multiple if rules.points == "divided" else count
    return points


@dataclass(frozen=True)
class GameState:
    """Whether the scores end the game; `winner` is None while it goes on, and where it is drawn."""

    is_over: bool
    winner: int | None


def game_state(rules: RuleSet, scores: Scores) -> GameState:
    """Return whether the game is over. Of several sides at the target the highest wins; equal ones draw."""
    reached = [side for side, score in enumerate(scores) if is_at_target(rules, score)]
    if not reached:
        return GameState(False, None)
    best = max(scores[side] for side in reached)
    leaders = [side for side in reached if scores[side] == best]
    return GameState(True, leaders[0] if len(leaders) == 1 else None)
