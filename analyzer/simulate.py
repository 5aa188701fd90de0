"""Many rounds or games of one rule set under given policies, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer import limits
from analyzer.controls import why_plain
from analyzer.errors import FivesError, unknown
from analyzer.given import Given, fitting, from_dict
from analyzer.metrics import summary_rows
from analyzer.plans import Report, Result, execute
from analyzer.policies import Policy, seat_policies
from analyzer.registry import ROW_KINDS
from analyzer.rulesets import RuleSet, as_rule_set, openers_of
from analyzer.seated import SeatedPlan
from analyzer.settings import policies_from, rules_from
from analyzer.tables import tables

if TYPE_CHECKING:
    from analyzer.controls import Coefficients
    from analyzer.counting import Counting
    from analyzer.dealing import Acceptance
    from analyzer.plans import Row
    from analyzer.tallies import Tallies
    from analyzer.workers import Progress

DEFAULT_SEED = 1
DEFAULT_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Simulation(SeatedPlan):
    """The plan of `simulate`.

    Attributes
    ----------
    rules : without a target, rounds are played.
    policies : one a seat.
    count : rounds or games.
    control : take the luck of the opener's deal out of what it moves.
    given : how games start; None: as always.
    rows : "games" or "rounds": a kept run ends with a Parquet file of a row each; None: without one.
    """

    control: bool = False
    given: Given | None = None
    rows: str | None = None

    command: ClassVar[str] = "simulate"

    @property
    def headline(self) -> str:
        """What opening is worth."""
        return "first_mover_win_rate" if self.by_games else "opener_win_rate"

    def work(self) -> Counting:
        """Return what the threads play."""
        from analyzer.counting import Counting

        _ = self.acceptance  # a condition that no deal meets ends it here
        return Counting(self.rules, self.policies, self.seed, control=self.control, given=self.given)

    def total_from_dict(self, data: Mapping[str, Any]) -> Tallies:
        """Return tallies that `Tallies.as_dict` wrote."""
        from analyzer.tallies import Tallies

        return Tallies.from_dict(data)

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        given = None if self.given is None else self.given.as_dict()
        return {**super().settings(), "control": self.control, "given": given, "rows": self.rows}

    @cached_property
    def acceptance(self) -> Acceptance | None:
        """How often the condition on the deal holds; deals are looked at when it is first asked for."""
        from analyzer.dealing import acceptance

        return acceptance(self.rules, self.given, self.seed, self.first_game, self.count)

    @cached_property
    def coefficients(self) -> Coefficients:
        """The coefficients of the controls, from pilot games that are played when first asked for."""
        from analyzer.pilot import learnt_coefficients

        return learnt_coefficients(self.rules, self.policies, self.seed)

    def report(self, total: Tallies) -> Report:
        """Return what tallies show."""
        from analyzer.dealing import about

        notes: dict[str, Any] = {"finished": total.games, "stopped": total.stopped}
        more, sentences = about(self.given, self.acceptance)
        notes |= more
        side_tables = tables(total, self.rules, self.by_games, self.confidence)
        if not self.control:
            return Report(self._summary(total), side_tables, notes, sentences)
        why = why_plain(total)
        summary = self._summary(total, self.coefficients if why is None else None)
        notes["control_coefficients"] = self.coefficients
        return Report(summary, side_tables, notes, [_control_sentence(summary, why)])

    def write_files(
        self, folder: Path, threads: int | None, tick: Callable[[], None] | None
    ) -> dict[str, str]:
        """Write the rows, where any are asked for, by playing the games once more in their order."""
        if self.rows is None:
            return {}
        from analyzer import rowfiles, rows

        name = f"{self.rows}.parquet"
        found = rows.tables(self, self.rows, threads)
        return {name: rowfiles.write(folder / name, found, tick)}

    def _summary(self, total: Tallies, coefficients: Coefficients | None = None) -> list[Row]:
        return summary_rows(total, self.rules, self.policies, self.by_games, self.confidence, coefficients)


def _control_sentence(summary: Sequence[Row], why_plain: str | None) -> str:
    """Return what the controls brought, in words."""
    if why_plain is not None:
        return f"No control was applied: {why_plain}."
    gains = [f"{row['metric']} {row['reduction']:.2f}" for row in summary if row.get("reduction") is not None]
    if not gains:
        return "No control was applied: no metric that it could help varies."
    return (
        "The luck of the opener's deal (pips, doubles, scoring leads) is taken out. "
        f"Variance without this over variance with it: {', '.join(gains)}."
    )


def simulation(
    rules: RuleSet | str,
    policies: str | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = DEFAULT_SEED,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    control: bool = False,
    given: Given | None = None,
    rows: str | None = None,
) -> Simulation:
    """Return the plan of `simulate` with these arguments; FivesError where one is out of range."""
    rules = as_rule_set(rules)
    count = limits.run_size(rounds, games)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_confidence(confidence)
    limits.check_flag("control", control)
    _check_rows(rows, by_games=games is not None)
    if games is not None and rules.target is None:
        raise limits.no_target()
    played = rules if games is not None else rules.replace(target=None)
    seats = seat_policies(policies, rules.sides)
    if control and given is not None:
        raise FivesError("the controls are for deals at random: leave the control or what is given out.")
    if control and "highest_double" in openers_of(played):
        raise FivesError(
            "the controls are for an opener that the deal does not choose, and here the highest double "
            "opens: leave the control out."
        )
    start = fitting(given, played)
    return Simulation(played, seats, count, seed, first_game, confidence, control, start, rows)


def _check_rows(rows: str | None, *, by_games: bool) -> None:
    """Raise FivesError where there can be no such rows."""
    if rows is not None and rows not in ROW_KINDS:
        raise unknown("kind of rows", rows, ROW_KINDS)
    if rows == "games" and not by_games:
        raise FivesError("the rows of a run of rounds are rounds: ask for rows of rounds.")


def from_settings(settings: Mapping[str, Any]) -> Simulation:
    """Return the plan whose `settings()` these are; FivesError where one is out of range."""
    rules = rules_from(settings["rules"])
    return simulation(
        rules,
        policies_from(settings["policies"]),
        rounds=settings.get("rounds"),
        games=settings.get("games"),
        seed=settings["seed"],
        first_game=settings["first_game"],
        confidence=settings["confidence"],
        control=settings["control"],
        given=from_dict(settings["given"], rules),
        rows=settings["rows"],
    )


def simulate(
    rules: RuleSet | str,
    policies: str | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    control: bool = False,
    given: Given | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play many independent rounds, or games to the target.

    Parameters
    ----------
    rules : the rule set, or a name for two players; its target is not looked at where rounds are played.
    policies : one for all seats, one a side (partners share), or one a seat.
    rounds, games : how many; exactly one of the two. Round k is round 0 of game k.
    seed : 0 to 2^62 - 1.
    threads : None: one a core. The result does not depend on it.
    first_game : number of the first game (or round).
    confidence : of the intervals.
    control : take the luck of the opener's deal out of the metrics about the opener (docs/statistics.md).
    given : tiles, an opener, scores or a condition to start from (`analyzer.given.given`); None: nothing.
    progress : called with (done, in all) now and then.

    Returns
    -------
    Result : its `total` are the run's `analyzer.tallies.Tallies`.

    Raises
    ------
    FivesError
        For a number out of range or an unknown policy.
    """
    limits.check_threads(threads)
    plan = simulation(
        rules,
        policies,
        rounds=rounds,
        games=games,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        control=control,
        given=given,
    )
    return execute(plan, threads=threads, progress=progress)
