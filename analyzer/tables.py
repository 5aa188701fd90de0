"""The side tables of a run: openings, seats, counts and ends; of games also lengths, needs, after, excess."""

from __future__ import annotations

from typing import Any

from analyzer.measures import ROUND_WIN_RATE, Condition, Experiment, scopes
from analyzer.metrics import estimate
from analyzer.rulesets import RuleSet
from analyzer.stats import Estimate, RatioSums, rate, ratio_rate, wilson
from analyzer.tallies import Tallies
from kernels.tallies import ENDS, HALF, NEED_COLUMNS, OPENING_COLUMNS, SHARE

Row = dict[str, Any]

_WHEN: dict[str, Condition] = {"lengths": "games", "needs": "exact", "after": "exact", "excess": "reach"}

_TILE_HALVES = [(high, low) for high in range(10) for low in range(high + 1)]  # by tile number, all 55


def tables(tallies: Tallies, rules: RuleSet, by_games: bool, confidence: float) -> dict[str, list[Row]]:
    """Return the side tables of a run as plain JSON values, by name.

    Parameters
    ----------
    tallies, rules, by_games, confidence : as for `analyzer.metrics.summary_rows`.

    Returns
    -------
    dict
        Under openings, seats, counts and ends, each a list of rows; of games also lengths, and where the
        target is exact needs and after, else excess.
    """
    experiment = Experiment(rules, (), by_games)
    found = {
        "openings": _openings(tallies, experiment, confidence),
        "seats": _seats(tallies, experiment, confidence),
        "counts": _counts(tallies),
        "needs": _needs(tallies, confidence),
        "ends": _ends(tallies),
        "lengths": _games_by("rounds", tallies.lengths.tolist(), confidence),
        "after": _games_by("rounds_after", tallies.after.tolist(), confidence),
        "excess": _games_by("points", tallies.excess.tolist(), confidence, HALF),
    }
    return {name: rows for name, rows in found.items() if experiment.is_about(_WHEN.get(name, "rounds"))}


def _share(part: int, whole: int, step: int = 1) -> float | None:
    """Return part / (whole * step), None where the whole is 0."""
    return part / (whole * step) if whole else None


def _openings(tallies: Tallies, experiment: Experiment, confidence: float) -> list[Row]:
    """Return a row for each tile that was led at least once; n is its decided rounds."""
    margin_step = HALF * (experiment.rules.side_count - 1)
    rows = []
    for (high, low), values in zip(_TILE_HALVES, tallies.openings.tolist(), strict=True):
        led = dict(zip(OPENING_COLUMNS, values, strict=True))
        if led["rounds"] == 0:
            continue
        won = _opening_win_rate(led, experiment.by_games, confidence)
        rows.append(
            {
                "tile": f"{high}-{low}",
                "n": won.n,
                "opener_win_rate": won.estimate,
                "low": won.low,
                "high": won.high,
                "opener_margin": _share(led["margin"], led["rounds"], margin_step),
                "count": high + low,  # a lone double counts 2v, the same sum
            }
        )
    return rows


def _opening_win_rate(led: dict[str, int], by_games: bool, confidence: float) -> Estimate:
    if not by_games:
        return rate(led["decided"], led["share"], led["share_squares"], confidence, SHARE)
    sums = RatioSums(
        clusters=led["games"],
        x=led["decided"],
        y=led["share"],
        xx=led["decided_squares"],
        xy=led["share_decided"],
        yy=led["share_squares"],
    )
    return ratio_rate(sums, confidence, SHARE)


def _seats(tallies: Tallies, experiment: Experiment, confidence: float) -> list[Row]:
    """Return a row for each offset from the opener, 0 the opener's own; n is the decided rounds."""
    margin_step = HALF * (experiment.rules.side_count - 1)
    rounds = tallies.total(["rounds"])
    rows = []
    for offset, scope in enumerate(scopes(ROUND_WIN_RATE, experiment)):
        won = estimate(tallies, ROUND_WIN_RATE, scope, experiment, confidence)
        rows.append(
            {
                "offset": offset,
                "n": won.n,
                "round_win_rate": won.estimate,
                "low": won.low,
                "high": won.high,
                "margin": _share(tallies.total([f"offset_margin_{offset}"]), rounds, margin_step),
            }
        )
    return rows


def _counts(tallies: Tallies) -> list[Row]:
    """Return a row for each count that occurred."""
    plays = int(tallies.counts.sum())
    return [
        {"count": count, "plays": times, "share": _share(times, plays)}
        for count, times in enumerate(tallies.counts.tolist())
        if times
    ]


def _needs(tallies: Tallies, confidence: float) -> list[Row]:
    """Return a row for each number of shown points needed that met an event; 1023 stands for more, too.

    The intervals take the events of one need as independent trials, repeated until one is accepted.
    """
    rows = []
    for need, values in enumerate(tallies.needs.tolist()):
        met = dict(zip(NEED_COLUMNS, values, strict=True))
        if met["events"]:
            refused = wilson(met["rejected"], met["events"], confidence)
            rows.append(
                {
                    "need": need,
                    "events": met["events"],
                    "accepted": met["accepted"],
                    "rejected": met["rejected"],
                    "rejected_share": refused.estimate,
                    "low": refused.low,
                    "high": refused.high,
                    "wins": met["wins"],
                }
            )
    return rows


def _games_by(what: str, games: list[int], confidence: float, units_in_one: int = 1) -> list[Row]:
    """Return a row for each number that occurred; the last entry of `games` stands for more, too."""
    every = sum(games)
    rows = []
    for units, number in enumerate(games):
        if number:
            share = wilson(number, every, confidence)
            row = {what: _amount(units, units_in_one), "games": number, "share": share.estimate}
            rows.append(row | {"low": share.low, "high": share.high})
    return rows


def _amount(units: int, units_in_one: int) -> float:
    """Return a whole number as it is, and one of half points in points."""
    return units if units_in_one == 1 else units / units_in_one


def _ends(tallies: Tallies) -> list[Row]:
    """Return a row for each way in which a round ends."""
    decided, blocked, cut = (tallies.total([name]) for name in ("decided", "blocked", "cut"))
    rounds = decided + cut
    numbers = (decided - blocked, blocked, cut)
    return [
        {"end": end, "rounds": number, "share": _share(number, rounds)}
        for end, number in zip(ENDS, numbers, strict=True)
    ]
