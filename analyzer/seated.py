"""What plans share in which each seat has its policy and every game of a span is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.ledger import Span
from analyzer.policies import Policy
from analyzer.rulesets import RuleSet


@dataclass(frozen=True)
class SeatedPlan:
    """One rule set, one policy a seat, a span of games that alone decides when to end.

    Attributes
    ----------
    rules : without a target, rounds are played.
    policies : one a seat.
    count : rounds or games; round k is round 0 of game k.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    count: int
    seed: int
    first_game: int
    confidence: float

    checkpoints: ClassVar[Sequence[int]] = ()

    @property
    def by_games(self) -> bool:
        """Whether games are played to the target, or single rounds."""
        return self.rules.target is not None

    @property
    def unit(self) -> str:
        """What is counted."""
        return "games" if self.by_games else "rounds"

    @property
    def span(self) -> Span:
        """The first game and the game after the last."""
        return self.first_game, self.first_game + self.count

    def verdict(self, total: Any) -> str | None:
        """Return None: only the span ends it."""
        return None

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            "rules": self.rules.as_dict(),
            "policies": [policy.as_dict() for policy in self.policies],
            self.unit: self.count,
            "first_game": self.first_game,
            "seed": self.seed,
            "confidence": self.confidence,
        }
