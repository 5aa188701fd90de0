"""One metric over a grid of rule fields and policies, every cell on the same games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer import grid, limits
from analyzer.cells import Cell, Named, cells_of, naming
from analyzer.differences import Scale, paired, single, unpaired
from analyzer.errors import FivesError, unknown
from analyzer.ledger import Span
from analyzer.measures import METRICS, Experiment, Metric, Scope, scopes
from analyzer.plans import Report, Result, Row, execute
from analyzer.rulesets import in_words
from analyzer.settings import policies_from, rules_from
from analyzer.simulate import DEFAULT_CONFIDENCE, DEFAULT_SEED
from analyzer.stats import Estimate

if TYPE_CHECKING:
    from analyzer.sweeping import CellTotals, Sweeping, SweepTotals
    from analyzer.workers import Progress

ROUNDS_METRIC = "opener_advantage"
GAMES_METRIC = "first_mover_advantage"
ALL = "all"
_NEEDS = {"games": "games", "exact": "games to an exact target", "reach": "games to a reach-or-pass target"}
_TOLD_CELLS = 6  # that a sentence names; the table tells them all


def _first_of(labels: Sequence[str]) -> str:
    """Return labels as one text, the first few and how many more."""
    more = len(labels) - _TOLD_CELLS
    told = "; ".join(labels[:_TOLD_CELLS])
    return f"{told}; and {more} more" if more > 0 else told


@dataclass(frozen=True)
class Sweep:
    """The plan of `sweep`.

    Attributes
    ----------
    cells : what is compared, the base first; all of them have a target, or none has.
    metric : the name of the metric, or name:scope where the scope is not "all".
    count : rounds or games, the same ones in each cell.
    """

    cells: tuple[Cell, ...]
    metric: str
    count: int
    seed: int
    first_game: int
    confidence: float

    command: ClassVar[str] = "sweep"
    checkpoints: ClassVar[Sequence[int]] = ()

    @property
    def by_games(self) -> bool:
        """Whether games are played to the target, or single rounds."""
        return self.cells[0].rules.target is not None

    @property
    def unit(self) -> str:
        """What is counted."""
        return "games" if self.by_games else "rounds"

    @property
    def title(self) -> str:
        """One line that says what is run."""
        base = self.cells[0]
        start = f", first game {self.first_game}" if self.first_game else ""
        return (
            f"{in_words(base.rules, list(base.values))}, {self.metric} over {', '.join(base.values)}: "
            f"{self.count:,} {self.unit} in each of {len(self.cells)} cells, seed {self.seed}{start}, "
            f"{100 * self.confidence:g} % intervals"
        )

    @property
    def headline(self) -> str:
        """The metric, in the base cell."""
        return self.metric.partition(":")[0]

    @property
    def span(self) -> Span:
        """The first game and the game after the last."""
        return self.first_game, self.first_game + self.count

    def verdict(self, total: SweepTotals) -> str | None:
        """Return None: only the span ends it."""
        return None

    def work(self) -> Sweeping:
        """Return what the threads play."""
        from analyzer.sweeping import Sweeping

        chosen = [measured(cell, self.metric) for cell in self.cells]
        quantities = [metric.quantities(scope.indices) for metric, scope in chosen]
        return Sweeping(self.cells, quantities, self.seed)

    def total_from_dict(self, data: Mapping[str, Any]) -> SweepTotals:
        """Return totals that `SweepTotals.as_dict` wrote."""
        from analyzer.sweeping import SweepTotals

        return SweepTotals.from_dict(data)

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            "rules": self.cells[0].rules.as_dict(),
            "policies": [policy.as_dict() for policy in self.cells[0].policies],
            "cells": [cell.as_dict() for cell in self.cells],
            "metric": self.metric,
            self.unit: self.count,
            "first_game": self.first_game,
            "seed": self.seed,
            "confidence": self.confidence,
        }

    def report(self, total: SweepTotals) -> Report:
        """Return the table `cells`, and the same as summary rows."""
        unit = measured(self.cells[0], self.metric)[0].unit
        name = self.metric.partition(":")[0]
        summary, table = [], []
        for cell, totals in zip(self.cells, total.cells, strict=True):
            found, difference = self._estimates(cell, totals, total.cells[0])
            summary.append(_summary_row(name, cell, found, unit))
            summary.append(_summary_row(f"{name}_difference", cell, difference, unit))
            table.append(self._row(cell, found, difference))
        stopped = [totals.stopped for totals in total.cells]
        return Report(summary, {"cells": table}, {"stopped": stopped}, self._sentences(stopped))

    def _sentences(self, stopped: Sequence[int]) -> list[str]:
        """Return what the differences are, which cells are not paired, and what the guard took out."""
        base = self.cells[0]
        found = [f"Differences are to the cell {base.label}."]
        apart = [cell.label for cell in self.cells if not cell.shares_deals_with(base)]
        if apart:
            found.append(
                "Compared as independent, since another set or number of players shares no deals with it: "
                + _first_of(apart)
                + "."
            )
        cut = [f"{cell.label} {games:,}" for cell, games in zip(self.cells, stopped, strict=True) if games]
        if cut:
            found.append(f"Games left out as stopped by the round guard: {_first_of(cut)}.")
        return found

    def _estimates(self, cell: Cell, totals: CellTotals, base: CellTotals) -> tuple[Estimate, Estimate]:
        """Return a cell's estimate, and its difference to the base."""
        scale, base_scale = scale_of(cell, self.metric), scale_of(self.cells[0], self.metric)
        found = single(totals.own, scale, self.confidence)
        if cell is self.cells[0]:
            nothing = 0.0 if found.estimate is not None else None
            return found, Estimate(nothing, nothing, nothing, nothing, totals.pair.count)
        if cell.shares_deals_with(self.cells[0]):
            return found, paired(totals.pair, scale, base_scale, self.confidence)
        return found, unpaired(found, single(base.own, base_scale, self.confidence))

    def _row(self, cell: Cell, found: Estimate, difference: Estimate) -> Row:
        return {
            **cell.values,
            "n": found.n,
            "estimate": found.estimate,
            "low": found.low,
            "high": found.high,
            "difference": difference.estimate,
            "difference_low": difference.low,
            "difference_high": difference.high,
            "paired": cell.shares_deals_with(self.cells[0]),
            "base": cell is self.cells[0],
        }


def _summary_row(metric: str, cell: Cell, found: Estimate, unit: str) -> Row:
    return {
        "metric": metric,
        "scope": cell.label,
        "estimate": found.estimate,
        "std_error": found.std_error,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "unit": unit,
    }


# --- the metric ---------------------------------------------------------------------------------


def measured(cell: Cell, name: str) -> tuple[Metric, Scope]:
    """Return the metric and its scope in a cell.

    Parameters
    ----------
    name : of the metric, or "name:scope", such as "overshoot_rate:kind=out".

    Raises
    ------
    FivesError
        For an unknown metric, or one that the cell does not have in that scope.
    """
    stem, colon, label = name.partition(":")
    label = label if colon else ALL
    named = _named(stem)
    experiment = Experiment(cell.rules, cell.policies, cell.rules.target is not None)
    about = [metric for metric in named if experiment.is_about(metric.when)]
    if not about:
        raise FivesError(f"{stem} is measured in {_NEEDS[named[0].when]} alone: choose another metric.")
    found = {scope.label: (metric, scope) for metric in about for scope in scopes(metric, experiment)}
    if label not in found:
        known = ", ".join(stem if scope == ALL else f"{stem}:{scope}" for scope in found)
        raise FivesError(f"{stem} has no scope {label!r} here: choose from {known or 'other metrics'}.")
    return found[label]


def _named(name: str) -> list[Metric]:
    """Return the metrics of this name, which differ in their scopes; FivesError where there is none."""
    named = [metric for metric in METRICS if metric.name == name]
    if not named:
        raise unknown("metric", name, dict.fromkeys(metric.name for metric in METRICS))
    return named


def scale_of(cell: Cell, name: str) -> Scale:
    """Return how the sums of a metric in a cell become its value."""
    metric, scope = measured(cell, name)
    experiment = Experiment(cell.rules, cell.policies, cell.rules.target is not None)
    sides = cell.rules.side_count
    holders = experiment.sides_holding(int(scope.indices[0])) if metric.per_holder else 1
    return Scale(
        step=metric.units_in_one(sides) * holders,
        less=1 / sides if metric.less_even else 0.0,
        is_rate=metric.is_rate,
        clustered=metric.is_clustered(experiment.by_games),
    )


# --- the library --------------------------------------------------------------------------------


def sweep_plan(
    rules: str,
    vary: Sequence[grid.Axis],
    *,
    base: Mapping[str, Any] | None = None,
    policies: Named | Sequence[Named] = "greedy",
    rounds: int | None = None,
    games: int | None = None,
    metric: str | None = None,
    seed: int = DEFAULT_SEED,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Sweep:
    """Return the plan of `sweep` with these arguments; FivesError where one is out of range."""
    count = limits.run_size(rounds, games)
    by_games = games is not None
    cells = cells_of(rules, vary, base or {}, policies, by_games)
    chosen = metric or (GAMES_METRIC if by_games else ROUNDS_METRIC)
    return _checked(Sweep(cells, chosen, count, seed, first_game, confidence))


def from_settings(settings: Mapping[str, Any]) -> Sweep:
    """Return the plan whose `settings()` these are; FivesError where one is out of range."""
    count = limits.run_size(settings.get("rounds"), settings.get("games"))
    cells = tuple(
        Cell(dict(cell["values"]), rules_from(cell["rules"]), policies_from(cell["policies"]))
        for cell in settings["cells"]
    )
    numbers = (settings["seed"], settings["first_game"], settings["confidence"])
    return _checked(Sweep(cells, settings["metric"], count, *numbers))


def _checked(plan: Sweep) -> Sweep:
    """Return a plan that can be played; FivesError where a number or the metric of a cell does not fit."""
    limits.check_seed(plan.seed)
    limits.check_first_game(plan.first_game, plan.count)
    limits.check_confidence(plan.confidence)
    _named(plan.metric.partition(":")[0])
    for cell in plan.cells:
        with naming(cell.values):
            if (cell.rules.target is not None) != plan.by_games or len(cell.policies) != cell.rules.players:
                raise FivesError("its target or its policies do not fit what is played.")
            measured(cell, plan.metric)
    return plan


def sweep(
    rules: str,
    vary: Mapping[str, Sequence[Any]],
    *,
    base: Mapping[str, Any] | None = None,
    policies: Named | Sequence[Named] = "greedy",
    rounds: int | None = None,
    games: int | None = None,
    metric: str | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Progress | None = None,
) -> Result:
    """Measure one metric in every cell of a grid, on the same deals, and each cell's difference to the base.

    Parameters
    ----------
    rules : the name of a rule set; its fields follow the number of players of each cell.
    vary : the values of each field, the base value first: a field of `RuleSet`, "policy" (all seats) or
        "policy.0" (side 0).
    base : other fields and their values in every cell.
    policies : one for all seats, one a side, or one a seat, where they are not varied.
    rounds, games : how many in each cell; exactly one of the two.
    metric : a name of docs/metrics.md, or name:scope; default: opener_advantage in rounds,
        first_mover_advantage in games.
    seed, threads, first_game, confidence, progress : as for `simulate`.

    Returns
    -------
    Result : its table `cells` has a row a cell.

    Raises
    ------
    FivesError
        For a number out of range, or a cell that cannot be played; it names the cell.
    """
    limits.check_threads(threads)
    plan = sweep_plan(
        rules,
        [(field, list(values)) for field, values in vary.items()],
        base=base,
        policies=policies,
        rounds=rounds,
        games=games,
        metric=metric,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
    )
    return execute(plan, threads=threads, progress=progress)
