"""Races: the chance to win the game from every pair of scores, by who opens; a Markov chain of rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer import limits
from analyzer.errors import FivesError
from analyzer.plans import Report, Result, execute
from analyzer.policies import Policy, seat_policies
from analyzer.race_grid import RaceGrid, check_race, sees_scores
from analyzer.race_rows import Scores, near_rows, score_rows, sentences_of, summary_of
from analyzer.rulesets import RuleSet, as_rule_set
from analyzer.seated import SeatedPlan
from analyzer.settings import policies_from, rules_from
from analyzer.simulate import DEFAULT_CONFIDENCE, DEFAULT_SEED

if TYPE_CHECKING:
    from analyzer.race_sample import RaceSample, Racing
    from analyzer.race_table import RaceTable
    from analyzer.workers import Progress

ROUNDS = 20_000  # default
FEWEST_ROUNDS = 64
MOST_STEPS = 2_000_000  # rounds, replayed
MOST_BRANCHED = 200_000  # rounds, played at each pair of scores


@dataclass(frozen=True)
class Race(SeatedPlan):
    """The plan of `race`.

    Attributes
    ----------
    rules : of two sides, with a target.
    policies : one a seat, partners alike; "own" is the side of seat 0.
    count : rounds of each opener; round k is dealt as round 0 of game k.
    pairs : own and other score, raw points, whose chances the summary holds.
    stands : own score and another, raw points, whose chances are compared.
    threads : that solve the chain; None: one a core. No setting: the result does not depend on it.
    """

    pairs: tuple[Scores, ...] = ()
    stands: tuple[Scores, ...] = ()
    threads: int | None = field(default=None, compare=False)

    command: ClassVar[str] = "race"
    unprinted: ClassVar[Sequence[str]] = ("scores", "stands")

    @property
    def unit(self) -> str:
        """What is counted."""
        return "rounds"

    @property
    def headline(self) -> str:
        """The chance from the pairs asked for."""
        return "win_rate"

    @property
    def is_played(self) -> bool:
        """Whether each round is played at every pair of scores, since a policy looks at them."""
        return any(map(sees_scores, self.policies))

    @cached_property
    def grid(self) -> RaceGrid:
        """The scores."""
        return RaceGrid.of(self.rules)

    def work(self) -> Racing:
        """Return what the threads play."""
        from analyzer.race_sample import Racing

        return Racing(self.rules, self.policies, self.seed)

    def total_from_dict(self, data: Mapping[str, Any]) -> RaceSample:
        """Return the rounds that `RaceSample.as_dict` wrote."""
        from analyzer.race_sample import RaceSample

        return RaceSample.from_dict(data, self.grid.size)

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            **super().settings(),
            "from": [list(pair) for pair in self.pairs],
            "stand": [list(pair) for pair in self.stands],
        }

    def table(self, total: RaceSample) -> RaceTable:
        """Return the solved chain; it is kept with the rounds, since it takes longer than to play them."""
        from analyzer.race_chain import solve_race
        from analyzer.race_sample import is_mirrored
        from analyzer.workers import apart

        def solved() -> RaceTable:
            return solve_race(
                total,
                self.grid,
                exact=self.rules.target_kind == "exact",
                mirror=is_mirrored(self.rules, self.policies),
                threads=self.threads,
            )

        return total.once(lambda: apart(solved))

    def report(self, total: RaceSample) -> Report:
        """Return the chances, once all rounds are played; no rows before."""
        if total.rounds < self.count:
            return Report([], {"scores": [], "stands": [], "near": []})
        table = self.table(total)
        stands = [row for pair in self.stands for row in table.standings(*pair, self.confidence)]
        tables = {
            "scores": score_rows(table, self.confidence),
            "stands": stands,
            "near": near_rows(table),
        }
        summary = summary_of(table, self.pairs, self.stands, self.confidence)
        notes = {
            "points_per_score": self.grid.shown,
            "rounds_are": "played at each pair of scores"
            if self.is_played
            else "replayed at each pair of scores",
            "passes": table.passes,
            "held_per_game": table.held_per_game(),
        }
        verdicts = sentences_of(table, summary, stands, self.is_played, self.count)
        return Report(summary, tables, notes, verdicts)


def race_plan(
    rules: RuleSet | str,
    policies: str | Policy | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    seed: int = DEFAULT_SEED,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    pairs: Sequence[Scores] = ((0, 0),),
    stands: Sequence[Scores] | None = None,
) -> Race:
    """Return the plan of `race` with these arguments; FivesError where one is out of range.

    Parameters
    ----------
    rounds : None: 20,000.
    pairs, stands : raw points. No stands given: the last two scores before an exact target.
    """
    rules = as_rule_set(rules)
    seats = seat_policies(policies, rules.sides)
    for policy in seats:
        if policy.worlds:
            raise FivesError(f"policy {policy.name} searches: a race takes policies without a search.")
    check_race(rules, seats)
    grid = RaceGrid.of(rules)
    is_played = any(map(sees_scores, seats))
    count = _checked_rounds(ROUNDS if rounds is None else rounds, is_played)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_confidence(confidence)
    if stands is None:
        last = grid.size - 1
        stands = ((grid.raw(last - 1), grid.raw(last)),) if rules.target_kind == "exact" and last > 0 else ()
    for raw in (raw for pair in (*pairs, *stands) for raw in pair):
        grid.place(raw)
    if (same := next((pair for pair in stands if pair[0] == pair[1]), None)) is not None:
        raise FivesError(f"{grid.text(same[0])} is compared with itself: name two scores to stand at.")
    return Race(rules, seats, count, seed, first_game, confidence, _pairs(pairs), _pairs(stands))


def _pairs(pairs: Sequence[Scores]) -> tuple[Scores, ...]:
    return tuple((int(one), int(two)) for one, two in pairs)


def _checked_rounds(rounds: int, is_played: bool) -> int:
    limits.check_count("rounds", rounds)
    if rounds < FEWEST_ROUNDS:
        raise FivesError(f"rounds is {rounds}: a race table needs at least {FEWEST_ROUNDS}.")
    most = MOST_BRANCHED if is_played else MOST_STEPS
    if rounds > most:
        why = (
            "are played at each pair of scores, since a policy looks at them, and kept"
            if is_played
            else "are kept"
        )
        raise FivesError(f"rounds is {rounds}: they {why} in memory, so give at most {most:,}.")
    return rounds


def from_settings(settings: Mapping[str, Any]) -> Race:
    """Return the plan whose `settings()` these are; FivesError where one is out of range."""
    return race_plan(
        rules_from(settings["rules"]),
        policies_from(settings["policies"]),
        rounds=settings["rounds"],
        seed=settings["seed"],
        first_game=settings["first_game"],
        confidence=settings["confidence"],
        pairs=[tuple(pair) for pair in settings["from"]],
        stands=[tuple(pair) for pair in settings["stand"]],
    )


def race(
    rules: RuleSet | str,
    policies: str | Policy | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    pairs: Sequence[Scores] = ((0, 0),),
    stands: Sequence[Scores] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Return the chance to win the game from every pair of scores, by who opens.

    Parameters
    ----------
    rules : the rule set, or the name of one for two players; of two sides, with a target.
    policies : one for all seats, one a side, or one a seat; partners have the same.
    rounds : rounds in the sample, of each opener; None: 20,000.
    seed, threads, first_game, confidence, progress : as for `simulate`.
    pairs : pairs of own and other score in raw points, whose chances the summary holds.
    stands : pairs of own scores in raw points that are compared.

    Returns
    -------
    Result : its tables `scores`, `stands` and `near`.

    Raises
    ------
    FivesError
        For a number out of range, more than two sides, or partners with different policies.
    """
    limits.check_threads(threads)
    plan = race_plan(
        rules,
        policies,
        rounds=rounds,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        pairs=pairs,
        stands=stands,
    )
    return execute(dataclasses.replace(plan, threads=threads), threads=threads, progress=progress)


def race_table(
    rules: RuleSet | str,
    policies: str | Policy | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
) -> RaceTable:
    """Return the solved chain itself, to look chances up in; arguments as for `race`.

    `win_rate(own, other, opens)` takes raw points; `values` is the array that a kernel can take.
    """
    result = race(rules, policies, rounds=rounds, seed=seed, threads=threads)
    plan: Race = result.plan
    return plan.table(result.total)
