"""What the end of a round is worth to a side, from scores in fractions and a table of chances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from analyzer.referee.events import GameState
from analyzer.rulesets import RuleSet

WHOLE = 1_000_000


def margin(rules: RuleSet, scores: Sequence[Fraction], side: int) -> Fraction:
    """Return (sides - 1) times the side's half points less the others'."""
    return 2 * (rules.side_count * scores[side] - sum(scores, Fraction(0)))


def chance(
    rules: RuleSet,
    scores: Sequence[Fraction],
    game: GameState,
    opens_next: int | None,
    side: int,
    standing: Any,
    chances: Any,
) -> int:
    """Return the chance of one of two sides to win the game, in millionths.

    Parameters
    ----------
    opens_next : the side that opens the next round; None: a lot or the highest double will say.
    """

    def table(own: Fraction, other: Fraction) -> int:
        places = [
            (int(2 * score) - int(standing["lowest"])) // int(standing["unit"]) for score in (own, other)
        ]
        i, j = (min(max(place, 0), int(standing["places"]) - 1) for place in places)
        return int(chances[i, j])

    if game.is_over:
        first = WHOLE // 2 if game.winner is None else WHOLE * (game.winner == 0)
    else:
        opens, waits = table(scores[0], scores[1]), WHOLE - table(scores[1], scores[0])
        first = (opens + waits) // 2 if opens_next is None else opens if opens_next == 0 else waits
    return first if side == 0 else WHOLE - first


def opens_next(rules: RuleSet, end: str, last_placer: int) -> int | None:
    """Return the side that opens the round after one that ended so; None: not known before its deal."""
    label = rules.opener_after_out if end == "out" else rules.opener_after_block
    return None if label in ("lot", "highest_double") else rules.sides[last_placer]
