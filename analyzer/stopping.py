"""When a comparison may stop before all its deals are played: a sequential test, or an interval that will do.

Both look at the fixed checkpoints of `analyzer.sequential` and at nothing between them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.duel_pairs import DIFFERENCE, ELO, MARGIN
from analyzer.errors import FivesError, unknown
from analyzer.sequential import Sprt, check_width, width_verdict
from analyzer.stats import Estimate

if TYPE_CHECKING:
    from analyzer.duel_findings import Findings

METRICS = (DIFFERENCE, MARGIN, ELO)


@dataclass(frozen=True)
class UntilWidth:
    """Stop when no pair's interval is wider than this.

    Attributes
    ----------
    width : high - low, in the unit of the metric.
    metric : one of METRICS.

    Raises
    ------
    FivesError
        For another metric, or a width that is not above 0.
    """

    width: float
    metric: str = DIFFERENCE

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise unknown("metric", self.metric, METRICS)
        check_width(self.width)

    def verdict(self, findings: Findings) -> str | None:
        """Return why to stop, or None to go on."""
        reasons = [self._reason(pair.estimate(self.metric)) for pair in findings.pairs]
        if None in reasons:
            return None
        return reasons[0] if len(reasons) == 1 else f"each interval is within the {self.width:g} asked for"

    def _reason(self, found: Estimate) -> str | None:
        return width_verdict(found.low, found.high, self.width)


Rule = Sprt | UntilWidth | None


def check_rule(rule: Rule, policies: int, sides: int) -> None:
    """Refuse a rule that these policies and sides cannot have: the test and Elo are for two sides."""
    if isinstance(rule, Sprt) and policies != 2:
        raise FivesError(f"the SPRT is between two policies and {policies} are given: compare two.")
    if isinstance(rule, Sprt) and sides != 2:
        raise FivesError(f"the SPRT is for two sides and there are {sides}: use --until-width.")
    if isinstance(rule, UntilWidth) and rule.metric == ELO and sides != 2:
        raise FivesError(f"{ELO} is for two sides and there are {sides}: use {DIFFERENCE}.")


def as_settings(rule: Rule) -> dict[str, Any]:
    """Return the rule as the two settings `sprt` and `until_width`, of which one at least is None."""
    fields = None if rule is None else dataclasses.asdict(rule)
    return {
        "sprt": fields if isinstance(rule, Sprt) else None,
        "until_width": fields if isinstance(rule, UntilWidth) else None,
    }


def from_settings(settings: Mapping[str, Any]) -> Rule:
    """Return the rule that `as_settings` wrote."""
    sprt, until = settings["sprt"], settings["until_width"]
    return the_rule(Sprt(**sprt) if sprt else None, UntilWidth(**until) if until else None)


def the_rule(sprt: Sprt | None, until: UntilWidth | None) -> Rule:
    """Return the one rule that is given, if any; FivesError for both."""
    if sprt is not None and until is not None:
        raise FivesError("a run stops by --sprt or by --until-width, not by both: choose one.")
    return sprt or until
