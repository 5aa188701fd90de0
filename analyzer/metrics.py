"""The summary of a run: one row for every metric and scope, with its interval.

`analyzer.measures` says what each metric is, `analyzer.stats` how it is estimated; docs/metrics.md has both
in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.controls import Coefficients, controlled
from analyzer.measures import GUARD_RATE, METRICS, Experiment, Metric, Scope, scopes
from analyzer.policies import Policy
from analyzer.rulesets import RuleSet
from analyzer.stats import Estimate, RatioSums, mean, rate, ratio, ratio_rate, wilson
from analyzer.tallies import Tallies


def summary_rows(
    tallies: Tallies,
    rules: RuleSet,
    policies: Sequence[Policy],
    by_games: bool,
    confidence: float,
    coefficients: Coefficients | None = None,
) -> list[dict[str, Any]]:
    """Return the summary of a run, in the order of docs/metrics.md.

    Parameters
    ----------
    tallies : what was counted.
    rules : the rule set that was played; with `by_games` false its target was off.
    policies : the policy of each seat. `blocked_rate` by policy is over the decided rounds that a seat of the
        policy opened.
    by_games : whether games were played to the target, or single rounds.
    confidence : of the intervals, between 0 and 1.
    coefficients : of the controls, which must have been counted; None: estimates without controls.

    Returns
    -------
    list of dict
        Plain JSON values under metric, scope, estimate, std_error, low, high, n, unit; rows whose units sit
        in clusters also have clusters, and controlled ones plain_std_error and reduction.
    """
    experiment = Experiment(rules, tuple(policies), by_games)
    return list(_rows(tallies, experiment, confidence, coefficients))


def _rows(
    tallies: Tallies, experiment: Experiment, confidence: float, coefficients: Coefficients | None
) -> Iterator[dict[str, Any]]:
    for metric in METRICS:
        if experiment.is_about(metric.when):
            for scope in scopes(metric, experiment):
                plain, better = estimate(tallies, metric, scope, experiment, confidence), None
                if metric.by_opener and coefficients is not None:
                    better = controlled(tallies, metric, experiment, coefficients, plain, confidence)
                row = _row(metric.name, scope.label, better or plain, metric.unit)
                yield row if better is None else row | _gain(plain, better)
    if experiment.by_games:
        stopped = wilson(tallies.stopped, tallies.games + tallies.stopped, confidence)
        yield _row(GUARD_RATE, "all", stopped, "rate")


def _row(metric: str, scope: str, found: Estimate, unit: str) -> dict[str, Any]:
    row = found.row(metric, scope, unit)
    return row if found.clusters is None else {**row, "clusters": found.clusters}


def _gain(plain: Estimate, better: Estimate) -> dict[str, Any]:
    """Return the standard error without controls, and how many times their variance that variance is."""
    errors = plain.std_error, better.std_error
    ratio = (errors[0] / errors[1]) ** 2 if errors[0] and errors[1] else None
    return {"plain_std_error": errors[0], "reduction": ratio}


def estimate(
    tallies: Tallies, metric: Metric, scope: Scope, experiment: Experiment, confidence: float
) -> Estimate:
    """Return the estimate of one metric in one scope, in the metric's unit."""
    sides = experiment.rules.side_count
    step = metric.units_in_one(sides)
    if metric.is_clustered(experiment.by_games):
        sums = ratio_sums(tallies, *metric.quantities(scope.indices))
        found = (ratio_rate if metric.is_rate else ratio)(sums, confidence, step)
    else:
        above, below = metric.quantities(scope.indices)
        values = tallies.total(below), tallies.total(above), tallies.product(above, above)
        found = (rate if metric.is_rate else mean)(*values, confidence, step)
    if metric.less_even:
        return found.shifted(-1 / sides)
    if metric.per_holder:
        return found.divided(experiment.sides_holding(int(scope.indices[0])))
    return found


def ratio_sums(tallies: Tallies, above: Sequence[str], below: Sequence[str]) -> RatioSums:
    """Return the sums over games that the ratio of two (sums of) quantities needs."""
    return RatioSums(
        clusters=tallies.games_with(below),
        x=tallies.total(below),
        y=tallies.total(above),
        xx=tallies.product(below, below),
        xy=tallies.product(above, below),
        yy=tallies.product(above, above),
    )
