"""Which scores a side can have while a game goes on."""

from __future__ import annotations

from fractions import Fraction

from analyzer.errors import FivesError
from analyzer.rulesets import RuleSet, gain_step

MOST_BELOW = 1_000_000  # raw points that a score may stand below 0


def check_standing(what: str, score: int | Fraction, rules: RuleSet, step: int | Fraction) -> None:
    """Refuse a score that no side can have while a game to a target goes on.

    Parameters
    ----------
    what : how the sentence names the score: "a score".
    score : raw points.
    step : raw points that divide every score; 0: nothing is ever gained.

    Raises
    ------
    FivesError
        Where it is at the target or past it, too far below 0, or between two scores that can be had.
    """
    assert rules.target is not None
    told = f"{what} is {float(score):g}" if isinstance(score, Fraction) else f"{what} is {score}"
    if score >= rules.target:
        raise FivesError(f"{told}: at the target of {rules.target} the game is over.")
    is_debited = rules.partner == "debited" and rules.has_partners
    if score < (-MOST_BELOW if is_debited else 0):
        below = f"is taken below {-MOST_BELOW}" if is_debited else "falls below 0"
        raise FivesError(f"{told}: under these rules none {below}.")
    if step and Fraction(score) % Fraction(step):
        raise FivesError(f"{told}: it must be a multiple of {float(step):g}, as every gain is.")


def score_step(rules: RuleSet) -> Fraction:
    """Return the raw points that divide every score in the middle of a game; 0 where nothing is gained.

    A gain that two of three sides or more share is halved.
    """
    is_shared = rules.ties == "split" and rules.side_count > 2
    return Fraction(gain_step(rules), 2 if is_shared else 1)
