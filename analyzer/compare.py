"""Policies compared on duplicate deals: each deal is played in every seating, and the deal is the unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer import limits, sequential, stopping
from analyzer.duel_findings import Findings
from analyzer.duel_totals import DuelTotals
from analyzer.errors import FivesError, unknown
from analyzer.given import Given, fitting, from_dict
from analyzer.ledger import Span
from analyzer.plans import Report, Result, execute
from analyzer.policies import Policy, policy
from analyzer.rulesets import RuleSet, as_rule_set
from analyzer.sequential import Sprt
from analyzer.settings import policies_from, rules_from
from analyzer.simulate import DEFAULT_CONFIDENCE, DEFAULT_SEED
from analyzer.stopping import Rule, UntilWidth

if TYPE_CHECKING:
    from analyzer.dealing import Acceptance
    from analyzer.duels import Duels
    from analyzer.workers import Progress

GAME, ROUND = "game", "round"
PER = (GAME, ROUND)
PEEKED = (
    "low and high are no {confidence:g} % interval, since the test chose when to stop: what it keeps are its "
    "risks alpha and beta"
)


@dataclass(frozen=True)
class Comparison:
    """The plan of `compare`.

    Attributes
    ----------
    rules : without a target where single rounds are played.
    policies : two or more, each against each.
    deals : how many at most; deal k is game k of the seed.
    rule : when to stop before.
    given : how games start, in every seating; None: as always.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    deals: int
    seed: int
    first_game: int
    confidence: float
    rule: Rule
    given: Given | None = None

    command: ClassVar[str] = "compare"
    unit: ClassVar[str] = "deals"
    unprinted: ClassVar[Sequence[str]] = ("margins",)

    @property
    def per(self) -> str:
        """Whether a deal is a game to the target or its round 0 alone."""
        return ROUND if self.rules.target is None else GAME

    @property
    def headline(self) -> str:
        """The difference of the first pair."""
        return "win_rate_difference"

    @property
    def span(self) -> Span:
        """The first deal and the deal after the last."""
        return self.first_game, self.first_game + self.deals

    @property
    def checkpoints(self) -> Sequence[int]:
        """Where the rule may stop the run; empty without one."""
        return () if self.rule is None else sequential.checkpoints(self.deals)

    def verdict(self, total: DuelTotals) -> str | None:
        """Return why to stop at a checkpoint, or None to go on."""
        if isinstance(self.rule, Sprt):
            return self.rule.verdict(self._pentanomial(total))
        return None if self.rule is None else self.rule.verdict(self.findings(total))

    def work(self) -> Duels:
        """Return what the threads play."""
        from analyzer.duels import Duels

        _ = self.acceptance  # a condition that no deal meets ends it here
        return Duels(self.rules, self.policies, self.seed, given=self.given)

    @cached_property
    def acceptance(self) -> Acceptance | None:
        """How often the condition on the deal holds; deals are looked at when it is first asked for."""
        from analyzer.dealing import acceptance

        return acceptance(self.rules, self.given, self.seed, self.first_game, self.deals)

    def total_from_dict(self, data: Mapping[str, Any]) -> DuelTotals:
        """Return totals that `DuelTotals.as_dict` wrote."""
        return DuelTotals.from_dict(data, len(self.policies))

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            "rules": self.rules.as_dict(),
            "policies": [policy.as_dict() for policy in self.policies],
            "per": self.per,
            self.unit: self.deals,
            "first_game": self.first_game,
            "seed": self.seed,
            "confidence": self.confidence,
            "given": None if self.given is None else self.given.as_dict(),
            **stopping.as_settings(self.rule),
        }

    def findings(self, total: DuelTotals) -> Findings:
        """Return the estimates of each pair and policy."""
        return Findings(total, self.policies, self.rules.side_count, self.confidence)

    def report(self, total: DuelTotals) -> Report:
        """Return what totals show."""
        from analyzer import duel_rows
        from analyzer.dealing import about

        findings = self.findings(total)
        tables = {"pairs": duel_rows.pair_rows(findings), "policies": duel_rows.policy_rows(findings)}
        if len(self.policies) > 2:
            tables["matrix"] = duel_rows.matrix_rows(findings)
        if self.rules.side_count == 2:
            tables["margins"] = duel_rows.margin_rows(findings)
        more, given_words = about(self.given, self.acceptance)
        notes = {**self._notes(total, findings), **more}
        return Report(
            duel_rows.summary_rows(findings), tables, notes, [*self._sentences(notes, findings), *given_words]
        )

    def _pentanomial(self, total: DuelTotals) -> list[int]:
        counts: list[int] = total.pentanomial[0].tolist()
        return counts

    def _notes(self, total: DuelTotals, findings: Findings) -> dict[str, Any]:
        """Return what the manifest keeps of the result."""
        notes: dict[str, Any] = {
            "seatings": findings.seatings.count,
            "games_played": findings.games * len(findings.pairs),
            "games_stopped": total.stopped,
        }
        if not isinstance(self.rule, Sprt):  # there the test decides, not an interval
            notes["verdicts"] = {pair.name: pair.verdict() for pair in findings.pairs}
        if len(self.policies) > 2:
            notes["non_transitive"] = [
                {
                    "policies": [self.policies[place].name for place in cycle.policies],
                    "certain": cycle.certain,
                }
                for cycle in findings.cycles()
            ]
        unrated = {
            policy.name: rating.why_none
            for policy, rating in zip(self.policies, findings.ratings, strict=True)
            if rating.why_none is not None
        }
        if unrated:
            notes["unrated"] = unrated
        if isinstance(self.rule, Sprt):
            notes["test"] = self.rule.as_dict(self._pentanomial(total))
            notes["intervals"] = PEEKED.format(confidence=100 * self.confidence)
        return notes

    def _sentences(self, notes: Mapping[str, Any], findings: Findings) -> list[str]:
        """Return what the tables mean, in words."""
        by_pair = " by each pair" if len(self.policies) > 2 else ""
        sentences = [
            f"Each deal is one {self.per}, played in {notes['seatings']} seatings{by_pair}: "
            f"{notes['games_played']:,} {self.per}s in all.",
            *(f"{verdict}." for verdict in notes.get("verdicts", {}).values()),
        ]
        if "non_transitive" in notes:
            sentences += _cycle_sentences(notes["non_transitive"])
        if notes["games_stopped"]:
            sentences.append(f"{notes['games_stopped']:,} games were stopped by the round guard and shared.")
        return [*sentences, *self._rule_sentences(notes, findings)]

    def _rule_sentences(self, notes: Mapping[str, Any], findings: Findings) -> list[str]:
        """Return where the stopping rule stands."""
        looked = f"After {findings.totals.deals:,} of at most {self.deals:,} deals"
        if isinstance(self.rule, Sprt):
            return [f"{looked}: {_test_words(notes['test'])}.", f"{notes['intervals']}."]
        if self.rule is None:
            return []
        reached = self.rule.verdict(findings) or f"no interval of {self.rule.width:g} or less yet"
        return [f"{looked}: {reached} ({self.rule.metric})."]


def _cycle_sentences(cycles: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence a triple of policies that beat each other in a circle."""
    if not cycles:
        return ["No three policies beat each other in a circle."]
    found = []
    for cycle in cycles:
        a, b, c = cycle["policies"]
        sure = (
            "each interval excludes 0" if cycle["certain"] else "by the estimates alone, not by the intervals"
        )
        found.append(f"Not transitive: {a} beats {b}, {b} beats {c} and {c} beats {a} ({sure}).")
    return found


def _test_words(test: Mapping[str, Any]) -> str:
    """Return the outcome of the sequential test."""
    which = test["verdict"]
    ended = f"accepts {which} = {test[which]:g}" if which in test else "undecided"
    return (
        f"SPRT of elo0 = {test['elo0']:g} against elo1 = {test['elo1']:g}, alpha {test['alpha']:g} and "
        f"beta {test['beta']:g}: {ended}, LLR {test['llr']:.2f}, "
        f"bounds {test['lower']:.2f} and {test['upper']:.2f}"
    )


# --- plans from arguments -----------------------------------------------------------------------


def comparison(
    rules: RuleSet | str,
    policies: Sequence[str | Policy],
    *,
    deals: int,
    per: str = GAME,
    seed: int = DEFAULT_SEED,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    sprt: Sprt | None = None,
    until: UntilWidth | None = None,
    given: Given | None = None,
) -> Comparison:
    """Return the plan of `compare` with these arguments; FivesError where one is out of range."""
    rules = as_rule_set(rules)
    limits.check_count("deals", deals)
    limits.check_seed(seed)
    limits.check_first_game(first_game, deals)
    limits.check_confidence(confidence)
    if per not in PER:
        raise unknown("unit to compare per", per, PER)
    if per == GAME and rules.target is None:
        raise limits.no_target()
    rivals = _rivals(policies)
    rule = stopping.the_rule(sprt, until)
    stopping.check_rule(rule, len(rivals), rules.side_count)
    played = rules if per == GAME else rules.replace(target=None)
    start = fitting(given, played)
    return Comparison(played, rivals, deals, seed, first_game, confidence, rule, start)


def _rivals(policies: Sequence[str | Policy]) -> tuple[Policy, ...]:
    """Return the policies to compare: two or more with names of their own, or one against itself."""
    if isinstance(policies, str) or len(policies) < 2:
        raise FivesError("a comparison needs two policies or more: name each with its own --policy.")
    rivals = tuple(policy(each) if isinstance(each, str) else each for each in policies)
    names = [each.name for each in rivals]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None and (len(rivals) > 2 or rivals[0] != rivals[1]):
        raise FivesError(f"two policies are named {twice!r}: name each once, or one against itself alone.")
    return rivals


def from_settings(settings: Mapping[str, Any]) -> Comparison:
    """Return the plan whose `settings()` these are; FivesError where one is out of range."""
    rule = stopping.from_settings(settings)
    rules = rules_from(settings["rules"])
    return comparison(
        rules,
        policies_from(settings["policies"]),
        deals=settings["deals"],
        per=settings["per"],
        seed=settings["seed"],
        first_game=settings["first_game"],
        confidence=settings["confidence"],
        sprt=rule if isinstance(rule, Sprt) else None,
        until=rule if isinstance(rule, UntilWidth) else None,
        given=from_dict(settings["given"], rules),
    )


def compare(
    rules: RuleSet | str,
    policies: Sequence[str | Policy],
    *,
    deals: int,
    per: str = GAME,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    sprt: Sprt | None = None,
    until: UntilWidth | None = None,
    given: Given | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play the same deals with every pair of policies in every seating.

    Parameters
    ----------
    rules : a rule set, or a name for two players; its target is not looked at where rounds are played.
    policies : two or more; a policy against itself only alone.
    deals : how many; deal k is game k of the seed, played once a seating and pair.
    per : "game": to the target; "round": round 0 of the game alone.
    seed : 0 to 2^62 - 1.
    threads : None: one a core. The result does not depend on it.
    first_game : number of the first deal.
    confidence : of the intervals.
    sprt : stops when this test of two policies on two sides is decided.
    until : stops when the intervals are narrow enough.
    given : tiles, an opener, scores or a condition to start from (`analyzer.given.given`); None: nothing.
    progress : called with (done, in all) now and then.

    Returns
    -------
    Result : its `total` are the run's `analyzer.duel_totals.DuelTotals`.

    Raises
    ------
    FivesError
        For a number out of range, an unknown policy, or a rule that does not fit.
    """
    limits.check_threads(threads)
    plan = comparison(
        rules,
        policies,
        deals=deals,
        per=per,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        sprt=sprt,
        until=until,
        given=given,
    )
    return execute(plan, threads=threads, progress=progress)
