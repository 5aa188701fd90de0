"""Controlled estimates: the luck of the opener's side in the deal, taken out of what it moves.

The controls of `kernels.control` are 0 on average, so an estimate less beta times their mean has the same
expectation, as long as beta comes from other games: those of `analyzer.pilot`. The part of its variance that
goes with the controls is gone: J. Hammersley and D. Handscomb, *Monte Carlo Methods* (1964), 5.5.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from analyzer.measures import GAMES, METRICS, Experiment, Metric
from analyzer.stats import Estimate, normal_quantile
from analyzer.tallies import Tallies
from kernels.tallies import CONTROLS

FEWEST = 100  # games or rounds; with fewer, sums of three controls are not near enough to normal
PREFIX = "control_"

Coefficients = Mapping[str, Mapping[str, float]]
"""By metric and control ("pips", "doubles", "leads"): units of the metric per unit of the control, which is
the opener's side's less the mean of the others."""


@dataclass(frozen=True)
class ControlSums:
    """Sums over games (or rounds) of a metric's numerator y and denominator x and the k controls c.

    All are whole numbers in tallied units; `cx`, `cy` and `cc` are products summed.
    """

    games: int
    x: int
    y: int
    xx: int
    xy: int
    yy: int
    c: tuple[int, ...]
    cx: tuple[int, ...]
    cy: tuple[int, ...]
    cc: tuple[tuple[int, ...], ...]

    def with_influence(self) -> list[Fraction]:
        """Return the sums over games of each control times the game's influence on y/x.

        The influence of a game is (y - R x) / mean(x): its part in R = sum(y) / sum(x), to first order.
        """
        r, scale = Fraction(self.y, self.x), Fraction(self.games, self.x)
        return [scale * (cy - r * cx) for cx, cy in zip(self.cx, self.cy, strict=True)]

    def influence_squares(self) -> Fraction:
        """Return the sum over games of the squared influence on y/x."""
        r, scale = Fraction(self.y, self.x), Fraction(self.games, self.x)
        return scale**2 * (self.yy - 2 * r * self.xy + r**2 * self.xx)


def control_sums(tallies: Tallies, metric: Metric, by_games: bool) -> ControlSums:
    """Return the sums that the controlled estimate of a metric needs."""
    above = (metric.over,)
    below = (metric.per if metric.is_clustered(by_games) else GAMES,)  # which is then 1 in each as well
    return ControlSums(
        games=tallies.games,
        x=tallies.total(below),
        y=tallies.total(above),
        xx=tallies.product(below, below),
        xy=tallies.product(above, below),
        yy=tallies.product(above, above),
        c=tuple(tallies.total([name]) for name in CONTROLS),
        cx=tuple(tallies.product([name], below) for name in CONTROLS),
        cy=tuple(tallies.product([name], above) for name in CONTROLS),
        cc=tuple(tuple(tallies.product([a], [b]) for b in CONTROLS) for a in CONTROLS),
    )


def coefficients_of(pilot: Tallies, experiment: Experiment) -> Coefficients:
    """Return the least-squares coefficients of the controls in every metric that they move.

    Parameters
    ----------
    pilot : tallies of games that are none of the run's.
    """
    return {
        metric.name: _named(
            least_squares(control_sums(pilot, metric, experiment.by_games)), metric, experiment
        )
        for metric in METRICS
        if metric.by_opener and experiment.is_about(metric.when)
    }


def _named(slopes: Sequence[Fraction], metric: Metric, experiment: Experiment) -> dict[str, float]:
    unit = _unit(metric, experiment)
    return {
        name.removeprefix(PREFIX): float(slope / unit) for name, slope in zip(CONTROLS, slopes, strict=True)
    }


def _unit(metric: Metric, experiment: Experiment) -> Fraction:
    """Return how many tallied units of y per tallied unit of a control are one unit of a coefficient."""
    sides = experiment.rules.side_count
    return Fraction(metric.units_in_one(sides), sides - 1)


def least_squares(sums: ControlSums) -> list[Fraction]:
    """Return the slopes b that make the sum of (influence - b c)^2 least, in tallied units.

    The mean of a control is known to be 0, so nothing is centred. A control that is 0 throughout, or a sum of
    others, gets the slope 0.
    """
    if sums.x == 0:
        return [Fraction(0)] * len(sums.c)
    rows = [[*map(Fraction, row), s] for row, s in zip(sums.cc, sums.with_influence(), strict=True)]
    for place, row in enumerate(rows):
        if row[place] == 0:
            continue
        rows[place] = pivot = [value / row[place] for value in row]
        for other, values in enumerate(rows):
            if other != place:
                factor = values[place]
                rows[other] = [value - factor * p for value, p in zip(values, pivot, strict=True)]
    return [row[-1] if row[place] else Fraction(0) for place, row in enumerate(rows)]


def controlled(
    tallies: Tallies,
    metric: Metric,
    experiment: Experiment,
    coefficients: Coefficients,
    plain: Estimate,
    confidence: float,
) -> Estimate | None:
    """Return the controlled estimate of a metric with its normal interval, a rate's cut to its range.

    Parameters
    ----------
    plain : the estimate without controls.

    Returns
    -------
    Estimate or None
        None where the games show no variance, so that there is none to take away.
    """
    sums = control_sums(tallies, metric, experiment.by_games)
    if sums.x == 0 or sums.influence_squares() == 0:
        return None
    unit = _unit(metric, experiment)
    given = coefficients[metric.name]
    slopes = [Fraction(given[name.removeprefix(PREFIX)]) * unit for name in CONTROLS]
    step = metric.units_in_one(experiment.rules.side_count)
    estimate, std_error = adjusted(sums, slopes)
    low_end, high_end = (0.0, 1.0) if metric.is_rate else (-math.inf, math.inf)
    reach = normal_quantile(confidence) * std_error / step
    found = dataclasses.replace(
        plain,
        estimate=estimate / step,
        std_error=std_error / step,
        low=min(max(estimate / step - reach, low_end), high_end),
        high=min(max(estimate / step + reach, low_end), high_end),
    )
    return found.shifted(-1 / experiment.rules.side_count) if metric.less_even else found


def adjusted(sums: ControlSums, slopes: Sequence[Fraction]) -> tuple[float, float]:
    """Return y/x - b mean(c) and its standard error, in tallied units of y; two games at least.

    The slopes are constants, so this is a mean, to first order, of n independent u = influence - b c: se^2 is
    sum((u - mean(u))^2) / (n (n - 1)). The influences sum to 0.
    """
    n = sums.games
    shift = sum((b * c for b, c in zip(slopes, sums.c, strict=True)), Fraction(0))
    crossed = sum((b * s for b, s in zip(slopes, sums.with_influence(), strict=True)), Fraction(0))
    own = sum(
        (
            a * b * cc
            for a, row in zip(slopes, sums.cc, strict=True)
            for b, cc in zip(slopes, row, strict=True)
        ),
        Fraction(0),
    )
    squares = sums.influence_squares() - 2 * crossed + own - shift**2 / n
    return float(Fraction(sums.y, sums.x) - shift / n), math.sqrt(squares / (n * (n - 1)))


def why_plain(tallies: Tallies) -> str | None:
    """Return why a run's estimates must stay as they are without controls; None where they need not."""
    if tallies.stopped:
        return (
            "games that the round guard stopped are left out, so the controls need not be 0 on average "
            "in the others"
        )
    if tallies.games < FEWEST:
        return f"fewer than {FEWEST} were played"
    return None
