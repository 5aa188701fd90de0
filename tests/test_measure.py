"""Every number that `simulate` reports, held to what the traces of the same games show."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analyzer.rulesets import RuleSet, rule_set
from analyzer.simulate import Result, simulate
from analyzer.traces import traces
from tests.plain import measure

SEED = 5
SINGLE = (0, 1, 2, 3)
NAMES = ("greedy", "random", "heavy", "careful")

SETS = {
    **{f"{name}-{players}": rule_set(name, players=players)
       for name in ("exact61", "allfives", "partout5", "draw") for players in (2, 3, 4)},
    "exact61-4-single": rule_set("exact61", players=4, sides=SINGLE),
    "allfives-4-single": rule_set("allfives", players=4, sides=SINGLE),
    "partout5-4-sides": rule_set("partout5", players=4, sides=(0, 1, 0, 1)),
    "draw-4-sides": rule_set("draw", players=4, sides=(0, 1, 0, 1)),
    "partout5-nine": rule_set("partout5", set="double-nine"),
    "draw-nine": rule_set("draw", set="double-nine", players=3),
}  # fmt: skip

# Rules that make rare things common: ties, drawn games, passes, rejections, and games that are stopped.
HOUSE_RULES = {
    "block": rule_set("allfives", draw="none", spinner="none", hand=7),
    "draw-one": rule_set("allfives", draw="one", players=3, hand=5),
    "reserve": rule_set("draw", reserve=14),
    "exact": rule_set("allfives", target_kind="exact"),
    "exact-split": rule_set("allfives", target_kind="exact", players=4, sides=SINGLE, target=30),
    "reach": rule_set("exact61", target_kind="reach", players=3, target=50),
    "last-play-with": rule_set("allfives", last_play="with", partner="debited", players=4),
    "last-play-before": rule_set("exact61", last_play="before", players=4, target=60),
    "no-settlement": rule_set("exact61", settlement_out="none", settlement_block="none", target=100),
    "drawn-games": rule_set("draw", players=3, ties="split", target=20),
    "half-points": rule_set("allfives", players=3, draw="none", hand=4),
    "one-tile": rule_set("exact61", hand=1, target=60),
}


@dataclass(frozen=True)
class Case:
    """What is played: games, or single rounds."""

    rules: RuleSet
    policies: tuple[str, ...]
    by_games: bool
    count: int
    confidence: float = 0.95

    def run(self) -> measure.Run:
        """Return what the traces of its games show."""
        played = self.rules if self.by_games else self.rules.replace(target=None)
        shown = list(traces(played, self.policies, seed=SEED, count=self.count))
        return measure.Run(played, shown, self.by_games)

    def result(self) -> Result:
        """Return what simulate reports of them."""
        return simulate(
            self.rules,
            self.policies,
            games=self.count if self.by_games else None,
            rounds=None if self.by_games else self.count,
            seed=SEED,
            confidence=self.confidence,
        )


def a_seat(rules: RuleSet) -> tuple[str, ...]:
    return NAMES[: rules.players]


def a_side(rules: RuleSet) -> tuple[str, ...]:
    """One policy a side; where all play singly, two seats share the first."""
    return NAMES[:2] if rules.side_count == 2 else ("greedy", *a_seat(rules)[: rules.players - 1])


def cases() -> dict[str, Case]:
    found = {}
    for name, rules in SETS.items():
        found[f"{name}-rounds"] = Case(rules, ("greedy",), False, 200)
        found[f"{name}-rounds-mixed"] = Case(rules, a_seat(rules), False, 150, confidence=0.8)
        found[f"{name}-games"] = Case(rules, ("careful",), True, 80)
        found[f"{name}-games-mixed"] = Case(rules, a_side(rules), True, 80)
        target = 60 if rules.target_kind == "exact" else rules.target
        guarded = rules.replace(round_guard=3, target=target)
        found[f"{name}-games-guarded"] = Case(guarded, a_seat(rules), True, 150)
    for name, rules in HOUSE_RULES.items():
        found[f"{name}-rounds"] = Case(rules, a_side(rules), False, 150)
        found[f"{name}-games"] = Case(rules, a_seat(rules), True, 50, confidence=0.99)
    return found


CASES = cases()


# --- intervals ----------------------------------------------------------------------------------


def wilson(p: float, n: int, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a rate p of n trials."""
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def interval(
    m: measure.Measure, pairs: Sequence[measure.Pair], confidence: float
) -> tuple[float | None, float | None, float | None]:
    """Return standard error and bounds of a measure from the amount and the units of each cluster."""
    n, z = len(pairs), NormalDist().inv_cdf((1 + confidence) / 2)
    if n == 0 or (n == 1 and not m.is_rate):
        return None, None, None
    y, x = np.array([[float(amount), units] for amount, units in pairs]).T
    ratio = y.sum() / x.sum()
    if m.is_rate and (_is_one_ratio(pairs) or (not m.clustered and set(y) <= {0.0, 1.0})):
        error = math.sqrt(ratio * (1 - ratio) / n)
        low, high = wilson(ratio, n, z)
    else:
        error = math.sqrt(n / (n - 1) * ((y - ratio * x) ** 2).sum()) / x.sum()
        low, high = ratio - z * error, ratio + z * error
        if m.is_rate:
            low, high = max(low, 0.0), min(high, 1.0)
    return error / m.over, low / m.over - float(m.less), high / m.over - float(m.less)


def _is_one_ratio(pairs: Sequence[measure.Pair]) -> bool:
    """Whether all clusters have the same ratio, so that their spread says nothing."""
    return len({Fraction(amount) / units for amount, units in pairs}) == 1


# --- comparisons --------------------------------------------------------------------------------


def near(a: Any, b: Any, tolerance: float) -> bool:
    if not isinstance(a, float) and not isinstance(b, float):
        return bool(a == b)
    return None not in (a, b) and math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance / 1000)


def summary(result: Result) -> dict[measure.Key, dict[str, Any]]:
    return {(row["metric"], row["scope"]): row for row in result.summary_rows}


def estimates_that_differ(run: measure.Run, result: Result) -> list[Any]:
    rows, expected = summary(result), measure.estimates(run)
    assert rows.keys() == expected.keys()
    return [
        (key, rows[key]["estimate"], rows[key]["n"], estimate, n)
        for key, (estimate, n) in expected.items()
        if rows[key]["n"] != n or not near(rows[key]["estimate"], estimate, 1e-9)
    ]


def intervals_that_differ(run: measure.Run, result: Result) -> list[Any]:
    wanted = [(m, m.pairs(run.games)) for m in measure.measures(run)]
    if run.by_games:
        guard = measure.Measure("guard_rate", "all", lambda game: (0, 1))
        wanted.append((guard, [(Fraction(stopped), 1) for stopped in run.stopped]))
    rows = summary(result)
    differing = []
    for m, pairs in wanted:
        row = rows[m.metric, m.scope]
        got = [row["std_error"], row["low"], row["high"]]
        expected = interval(m, pairs, result.plan.confidence)
        clusters = len(pairs) if m.clustered else None
        if row.get("clusters") != clusters or not all(map(near, got, expected, [1e-7] * 3)):
            differing.append((m.metric, m.scope, got, expected, row.get("clusters"), clusters))
    return differing


def tables_that_differ(run: measure.Run, result: Result) -> list[Any]:
    expected = measure.tables(run)
    assert result.table_rows.keys() == expected.keys()
    differing: list[Any] = []
    for name, rows in expected.items():
        got = result.table_rows[name]
        if len(got) != len(rows):
            differing.append((name, len(got), len(rows)))
        for a, b in zip(got, rows, strict=False):
            differing += [(name, key, a, b) for key in b if not near(a[key], b[key], 1e-9)]
    return differing


def bounds_that_differ(run: measure.Run, result: Result) -> list[Any]:
    openings, seats = result.table_rows["openings"], result.table_rows["seats"]
    rates = [(row, measure.opening_rate(run, row["tile"])) for row in openings]
    rates += [(row, measure.seat_rate(run, row["offset"])) for row in seats]
    differing = _wilson_bounds_that_differ(result)
    for row, m in rates:
        _, low, high = interval(m, m.pairs(run.games), result.plan.confidence)
        if not near(row["low"], low, 1e-7) or not near(row["high"], high, 1e-7):
            differing.append((row, low, high))
    return differing


def _wilson_bounds_that_differ(result: Result) -> list[Any]:
    z = NormalDist().inv_cdf((1 + result.plan.confidence) / 2)
    differing = []
    for name, share in (
        ("needs", "rejected_share"),
        *((name, "share") for name in ("lengths", "after", "excess")),
    ):
        rows = result.table_rows.get(name, [])
        games = sum(row.get("games", 0) for row in rows)
        for row in rows:
            bounds = wilson(row[share], row.get("events", games), z)
            differing += (
                [(row, bounds)] if not all(map(near, (row["low"], row["high"]), bounds, [1e-7] * 2)) else []
            )
    return differing


def check(case: Case) -> None:
    """Hold every number of a run to its traces."""
    run, result = case.run(), case.result()
    assert estimates_that_differ(run, result) == []
    assert intervals_that_differ(run, result) == []
    assert tables_that_differ(run, result) == []
    assert bounds_that_differ(run, result) == []


@pytest.mark.parametrize("name", CASES)
def test_simulate_reports_what_the_traces_show(name: str) -> None:
    check(CASES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_simulate_reports_what_many_traces_show(name: str) -> None:
    check(dataclasses.replace(CASES[name], count=600))


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("by_games", [False, True])
@pytest.mark.parametrize("name", ["exact61-4", "allfives-3", "draw-2"])
def test_one_or_two_observations(name: str, by_games: bool, count: int) -> None:
    check(Case(SETS[name], a_seat(SETS[name]), by_games, count))


def test_games_all_stopped_count_in_guard_rate_alone() -> None:
    case = Case(rule_set("exact61", round_guard=1), ("random",), True, 20)
    check(case)
    rows = summary(case.result())
    guard = rows.pop(("guard_rate", "all"))
    assert (guard["estimate"], guard["n"]) == (1.0, 20)
    assert {row["n"] for row in rows.values()} == {0}
    assert {row["estimate"] for row in rows.values()} == {None}


def test_far_needs_share_the_last_row() -> None:
    case = Case(rule_set("exact61", target=5200), ("greedy",), True, 1)
    run, result = case.run(), case.result()
    assert tables_that_differ(run, result) == []
    last = result.table_rows["needs"][-1]
    assert last["need"] == measure.LAST_NEED
    assert last["events"] > 1


def test_long_games_share_the_last_row() -> None:
    case = Case(rule_set("draw", target_kind="exact"), ("greedy",), True, 40)
    run, result = case.run(), case.result()
    assert tables_that_differ(run, result) == []
    long = sum(len(game.rounds) >= measure.LAST_LENGTH for game in run.games)
    lengths, after = (result.table_rows[name][-1] for name in ("lengths", "after"))
    assert (lengths["rounds"], lengths["games"]) == (measure.LAST_LENGTH, long)
    assert long > 1
    assert after["rounds_after"] == measure.LAST_LENGTH


def test_half_points_above_the_target_have_rows_of_their_own() -> None:
    result = dataclasses.replace(CASES["half-points-games"], count=300).result()
    assert any(row["points"] % 1 for row in result.table_rows["excess"])


# --- the cases hold what they are there for -----------------------------------------------------


def test_guarded_games_are_stopped_now_and_then() -> None:
    stopped = CASES["exact61-2-games-guarded"].run().stopped
    assert 0 < sum(stopped) < len(stopped)


def test_drawn_games_are_shared() -> None:
    case = dataclasses.replace(CASES["drawn-games-games"], count=300)
    assert any(len(game.winners) > 1 for game in case.run().games)
    check(case)


def test_half_points_occur() -> None:
    games = CASES["half-points-games"].run().games
    assert any(score.denominator == 2 for game in games for score in game.scores)
