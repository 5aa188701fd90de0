"""The grid of scores of a race table, and which games can have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer import limits
from analyzer.errors import FivesError
from analyzer.policies import Policy
from analyzer.rulesets import FIVE, RuleSet

if TYPE_CHECKING:
    from kernels.race import Grid

LOWEST = -50  # shown points; lower scores are held there, where a round can take points from a side
MOST_SCORES = 600
BLIND = frozenset(  # features that see no score; any other is taken to see them
    {
        "points", "pips", "double", "count", "mobility", "reply", "companions", "variety", "playable",
        "follow", "bare_spinner", "rush", "lacked", "stuck", "threat", "live", "closing",
    }
)  # fmt: skip
OPENERS = ("lot", "out", "last_tile", "seat_in_turn")  # what the chain knows of who opens the next round


@dataclass(frozen=True)
class RaceGrid:
    """The scores at which a side can stand, as places from 0.

    Attributes
    ----------
    step : raw points between two neighbouring scores; it divides every gain.
    lowest : raw points of place 0.
    size : places; the target is one step past the last.
    shown : raw points in a point as tables show it: 5 where the target is exact, else 1.
    """

    step: int
    lowest: int
    size: int
    shown: int

    @classmethod
    def of(cls, rules: RuleSet) -> RaceGrid:
        """Return the grid of a rule set.

        Raises
        ------
        FivesError
            Where it has no target, or one with more than MOST_SCORES scores below it.
        """
        if rules.target is None:
            raise FivesError("a race is run to a target and the rule set has none: give a target.")
        step = FIVE if _is_in_fives(rules) and rules.target % FIVE == 0 else 1
        can_fall = rules.partner == "debited" and rules.has_partners
        lowest = (LOWEST * FIVE if rules.points == "raw" else LOWEST) if can_fall else 0
        size = (rules.target - lowest) // step
        if size > MOST_SCORES:
            most = MOST_SCORES * step + lowest
            raise FivesError(f"target is {rules.target}: a race table goes up to {most} with these rules.")
        return cls(step, lowest, size, FIVE if step == FIVE and rules.target_kind == "exact" else 1)

    @property
    def units(self) -> Grid:
        """The grid as the kernels count it: in steps above the lowest."""
        from kernels.race import Grid
        from kernels.rules import HALF

        return Grid(self.size, 1, self.size, self.lowest // self.step, HALF * self.step)

    @property
    def target(self) -> int:
        """Raw points of the target."""
        return self.lowest + self.size * self.step

    def place(self, raw: int) -> int:
        """Return the place of a score in raw points; FivesError where it is none of the grid."""
        limits.check_whole("score", raw)
        if raw % self.step or not self.lowest <= raw < self.target:
            raise FivesError(
                f"score {self.text(raw)} is none from {self.text(self.lowest)} to "
                f"{self.text(self.target - self.step)}{self._by()}."
            )
        return (raw - self.lowest) // self.step

    def _by(self) -> str:
        if self.shown > 1:
            return f", counted in points of {self.shown} raw points"
        return f" in steps of {self.step}" if self.step > 1 else ""

    def raw(self, place: int) -> int:
        """Return the raw points of a place."""
        return self.lowest + place * self.step

    def shown_score(self, place: int) -> int:
        """Return the score of a place as tables show it."""
        return self.raw(place) // self.shown

    def text(self, raw: int) -> str:
        """Return a score in raw points as a sentence shows it."""
        return f"{raw / self.shown:g}"


def _is_in_fives(rules: RuleSet) -> bool:
    """Whether every gain is a multiple of five."""
    plays = rules.score_multiple % FIVE == 0 == rules.second_multiple % FIVE and rules.points == "raw"
    settles = rules.rounding != "none" or rules.settlement_out == rules.settlement_block == "none"
    return plays and settles and rules.settlement_out != "one"


def sees_scores(policy: Policy) -> bool:
    """Whether a policy weighs anything that may depend on the scores."""
    return any(weight and feature not in BLIND for feature, weight in policy.weights.items())


def check_race(rules: RuleSet, policies: Sequence[Policy]) -> None:
    """Raise FivesError unless these rules and policies, one a seat, can have a race table."""
    if rules.side_count != 2:
        raise FivesError(
            f"a race table is for two sides and here are {rules.side_count}: "
            "give 2 players, or 4 in two sides."
        )
    for side in range(2):
        if len({policy for policy, of in zip(policies, rules.sides, strict=True) if of == side}) > 1:
            raise FivesError("partners have different policies: give one for all seats or one a side.")
    for field in ("opener_after_out", "opener_after_block"):
        if getattr(rules, field) not in OPENERS:
            raise FivesError(
                f"{field} is {getattr(rules, field)!r}: a race table needs one of {', '.join(OPENERS)}."
            )
    RaceGrid.of(rules)
