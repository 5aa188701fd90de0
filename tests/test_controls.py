"""Controls: what the kernel counts, the controlled estimates from it, that they are unbiased and covered."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer import pilot
from analyzer.controls import FEWEST, ControlSums, least_squares
from analyzer.counting import Counting
from analyzer.errors import FivesError
from analyzer.folders import MANIFEST
from analyzer.limits import MAX_NUMBER
from analyzer.merge import merge
from analyzer.notation import parse_tile
from analyzer.plans import Interrupted, execute
from analyzer.policies import seat_policies
from analyzer.records import policies_record, rules_record
from analyzer.registry import plain, plan_from
from analyzer.resume import resume
from analyzer.rulesets import RuleSet, rule_set
from analyzer.saved import new_folder
from analyzer.simulate import simulate, simulation
from analyzer.traces import traces
from kernels.batch import play_rows
from kernels.state import TABLE, blank
from kernels.tallies import CONTROLS, ROW, TALLY
from tests.plain import measure
from tests.shell import fives

SEED = 8
SINGLE = (0, 1, 2, 3)
SETS = {
    "exact61-2": rule_set("exact61"),
    "exact61-partners": rule_set("exact61", players=4),
    "allfives-3": rule_set("allfives", players=3),
    "allfives-single": rule_set("allfives", players=4, sides=SINGLE),
    "partout5-nine": rule_set("partout5", set="double-nine", players=3),
    "draw": rule_set("draw"),
    "threes": rule_set("allfives", score_multiple=3, players=4),
    "guarded": rule_set("allfives", round_guard=4),
}
POLICIES = ("greedy", "random", "careful", "heavy")
OPENER = {"opener_win_rate", "opener_advantage", "opener_margin"}
CONTROLLED = {
    "rounds": OPENER,
    "games": OPENER | {"first_mover_win_rate", "first_mover_advantage"},
}


def policies_of(rules: RuleSet) -> tuple[str, ...]:
    return ("greedy", "random") if rules.has_partners else POLICIES[: rules.players]


def played(rules: RuleSet, unit: str) -> RuleSet:
    return rules if unit == "games" else rules.replace(target=None)


def counted(rules: RuleSet, count: int, *, control: bool = True, seed: int = SEED, first: int = 0):
    work = Counting(rules, seat_policies(policies_of(rules), rules.sides), seed, control=control)
    return work.player()(first, count)


def rows_of(result) -> dict[str, dict[str, Any]]:
    return {row["metric"]: row for row in result.summary_rows if row["scope"] == "all"}


# --- a plain twin -------------------------------------------------------------------------------


def luck(rules: RuleSet, trace: dict[str, Any]) -> list[int]:
    """Return a round's controls times (sides - 1): pips, doubles and scoring leads of the dealt hands."""
    totals = np.zeros((rules.side_count, 3), int)
    for side, hand in zip(rules.sides, trace["hands"], strict=True):
        for tile in map(parse_tile, hand):
            scores = rules.score_multiple > 0 and tile.pips > 0 and tile.pips % rules.score_multiple == 0
            totals[side] += (tile.pips, tile.is_double, scores)
    own = totals[rules.sides[trace["opener"]]]
    return (rules.side_count * own - totals.sum(axis=0)).tolist()


def twin(rules: RuleSet, count: int, seed: int = SEED) -> tuple[measure.Run, np.ndarray]:
    """Return the traces of games and, for each that finished, its controls; int (games, 3)."""
    shown = list(traces(rules, policies_of(rules), seed=seed, count=count))
    run = measure.Run(rules, shown, rules.target is not None)
    values = [
        np.sum([luck(rules, played.trace) for played in game.rounds], axis=0).tolist() for game in run.games
    ]
    return run, np.array(values).reshape(-1, 3)


@pytest.mark.parametrize("unit", ["rounds", "games"])
@pytest.mark.parametrize("name", SETS)
def test_the_kernel_counts_what_the_traces_show(name, unit):
    rules = played(SETS[name], unit)
    run, controls = twin(rules, 70)
    tallies = counted(rules, 70)
    assert tallies.games == len(run.games)
    assert [tallies.total([c]) for c in CONTROLS] == controls.sum(axis=0).tolist()
    assert [[tallies.product([a], [b]) for b in CONTROLS] for a in CONTROLS] == (
        controls.T @ controls
    ).tolist()
    margins = [
        sum(r.margin(r.opener_side) for r in game.rounds) * 2 * (rules.side_count - 1) for game in run.games
    ]
    crossed = [sum(int(m) * int(c) for m, c in zip(margins, column, strict=True)) for column in controls.T]
    assert [tallies.product([c], ["opener_margin"]) for c in CONTROLS] == crossed


@pytest.mark.parametrize("name", SETS)
def test_nothing_else_changes_where_controls_are_counted(name):
    rules = SETS[name]
    without, with_them = (counted(rules, 50, control=control).as_dict() for control in (False, True))
    for values in (without, with_them):
        for part in ("sums", "present", "products"):
            values[part] = {key: value for key, value in values[part].items() if "control" not in key}
    assert with_them == without
    assert all(counted(rules, 50, control=False).total([name]) == 0 for name in CONTROLS)


@pytest.mark.parametrize("unit", ["rounds", "games"])
@pytest.mark.parametrize("name", [name for name in SETS if name != "guarded"])
def test_controls_are_0_on_average(name, unit):
    tallies = counted(played(SETS[name], unit), 20_000 if unit == "rounds" else 5000)
    assert tallies.stopped == 0
    for control in CONTROLS:
        bound = 4 * math.sqrt(tallies.product([control], [control]))
        assert abs(tallies.total([control])) <= bound


# --- estimates ----------------------------------------------------------------------------------


def sums_of(x: np.ndarray, y: np.ndarray, c: np.ndarray) -> ControlSums:
    """Return the sums of arrays of whole numbers: (n,), (n,) and (n, k)."""
    whole = {name: int(value) for name, value in
             {"x": x.sum(), "y": y.sum(), "xx": x @ x, "xy": x @ y, "yy": y @ y}.items()}  # fmt: skip
    rows = {"c": c.sum(axis=0), "cx": c.T @ x, "cy": c.T @ y}
    found = {name: tuple(values.tolist()) for name, values in rows.items()}
    return ControlSums(games=len(x), cc=tuple(map(tuple, (c.T @ c).tolist())), **whole, **found)


def test_slopes_are_those_of_least_squares():
    rng = np.random.default_rng(1)
    x, c = rng.integers(0, 9, 500), rng.integers(-9, 10, (500, 3))
    y = rng.integers(-20, 21, 500) + 3 * c[:, 0] - c[:, 2] + 2 * x
    influence = (y - y.sum() / x.sum() * x) / x.mean()
    expected = np.linalg.lstsq(c, influence, rcond=None)[0]
    assert [float(slope) for slope in least_squares(sums_of(x, y, c))] == pytest.approx(expected)


def test_controls_that_say_nothing_new_get_no_slope():
    rng = np.random.default_rng(2)
    one = rng.integers(-9, 10, 100)
    y = 5 * one + rng.integers(0, 3, 100)
    always = np.ones(100, int)
    constant, double = np.zeros(100, int), 2 * one
    slopes = least_squares(sums_of(always, y, np.array([one, double, constant]).T))
    assert slopes[1:] == [0, 0]
    assert slopes == [*least_squares(sums_of(always, y, one[:, None])), 0, 0]
    assert least_squares(sums_of(constant, constant, one[:, None])) == [0]


def amount(metric: str, game: measure.Game) -> tuple[float, int]:
    """Return the amount and the units of one game for a metric about the opener."""
    if metric.startswith("first_mover"):
        return float(game.share(game.rounds[0].opener_side)), 1
    if metric == "opener_margin":
        return float(sum(r.margin(r.opener_side) for r in game.rounds)), len(game.rounds)
    decided = [r for r in game.rounds if r.is_decided]
    return float(sum(r.share(r.opener_side) for r in decided)), len(decided)


@pytest.mark.parametrize("unit", ["rounds", "games"])
@pytest.mark.parametrize("name", ["exact61-partners", "allfives-3", "draw"])
def test_rows_are_what_plain_arrays_give(name, unit):
    rules = played(SETS[name], unit)
    run, tallied = twin(rules, 150)
    result = simulate(rules, policies_of(rules), seed=SEED, control=True, **{unit: 150})
    for metric in CONTROLLED[unit]:
        row = rows_of(result)[metric]
        y, x = np.array([amount(metric, game) for game in run.games]).T
        c = tallied / (rules.side_count - 1)
        beta = np.array(list(result.manifest["control_coefficients"][metric].values()))
        n, ratio = len(run.games), y.sum() / x.sum()
        expected = ratio - beta @ c.mean(axis=0)
        error = np.std((y - ratio * x) / x.mean() - c @ beta, ddof=1) / math.sqrt(n)
        bounds = expected - 1.959964 * error, expected + 1.959964 * error
        if metric != "opener_margin":
            bounds = max(bounds[0], 0), min(bounds[1], 1)
        less = 1 / rules.side_count if metric.endswith("advantage") else 0
        assert row["estimate"] == pytest.approx(expected - less)
        assert row["std_error"] == pytest.approx(error)
        assert (row["low"], row["high"]) == pytest.approx((bounds[0] - less, bounds[1] - less))


@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_only_rows_about_the_opener_are_controlled(unit):
    rules = SETS["exact61-2"]
    plain_rows, rows = (
        simulate(rules, POLICIES[:2], control=control, seed=SEED, **{unit: 2000}).summary_rows
        for control in (False, True)
    )
    for before, after in zip(plain_rows, rows, strict=True):
        if after["metric"] not in CONTROLLED[unit]:
            assert after == before
            continue
        assert set(after) - set(before) == {"plain_std_error", "reduction"}
        assert {after[key] == before[key] for key in ("metric", "scope", "unit", "n")} == {True}
        assert after.get("clusters") == before.get("clusters")
        assert after["plain_std_error"] == before["std_error"]
        assert after["reduction"] == pytest.approx((before["std_error"] / after["std_error"]) ** 2)


@pytest.mark.parametrize("many", [{"rounds": 50_000}, {"games": 10_000}], ids=["rounds", "games"])
@pytest.mark.parametrize("name", ["exact61", "allfives", "partout5", "draw"])
def test_controls_narrow_the_opener_s_margin(name, many):
    for players in (2, 3, 4):
        result = simulate(rule_set(name, players=players), "greedy", control=True, **many)
        assert 1.01 < rows_of(result)["opener_margin"]["reduction"] < 1.1


# --- the pilot ----------------------------------------------------------------------------------


def test_the_pilot_s_games_are_no_run_s(monkeypatch):
    spans = []
    play = pilot.workers.play

    def noted(work: Any, span: Any, *more: Any, **named: Any) -> None:
        spans.append(span)
        play(work, span, *more, **named)

    monkeypatch.setattr("analyzer.workers.play", noted)
    simulate(SETS["draw"], "greedy", rounds=200, first_game=MAX_NUMBER - 200, control=True)
    assert spans == [(MAX_NUMBER - 200, MAX_NUMBER), (MAX_NUMBER, MAX_NUMBER + pilot.COUNT)]


def test_coefficients_depend_on_rules_policies_and_seed_alone():
    rules = SETS["exact61-2"]

    def found(**changes: Any) -> Any:
        settings = {"games": 200, "seed": SEED, "control": True} | changes
        return simulate(rules, "greedy", **settings).manifest["control_coefficients"]

    base = found()
    assert set(base) == CONTROLLED["games"]
    assert set(base["opener_margin"]) == {"pips", "doubles", "leads"}
    assert base["opener_win_rate"] == base["opener_advantage"]
    assert found(first_game=5000) == found(games=300) == found(threads=2) == base
    assert found(seed=SEED + 1) != base


# --- where no control is applied ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "many", "words"),
    [
        (SETS["draw"], {"rounds": FEWEST - 1}, "fewer than 100 were played"),
        (SETS["guarded"], {"games": 500}, "the round guard stopped"),
    ],
)
def test_plain_rows_stand_and_the_run_says_why(rules, many, words):
    without, with_it = (simulate(rules, "greedy", control=control, **many) for control in (False, True))
    assert with_it.summary_rows == without.summary_rows
    (sentence,) = with_it.sentences
    assert sentence.startswith("No control was applied: ")
    assert words in sentence


def test_a_metric_that_does_not_vary_is_left_alone():
    still = rule_set("draw", settlement_out="none", settlement_block="none")
    rows = rows_of(simulate(still, "greedy", rounds=500, control=True))
    assert (rows["opener_margin"]["estimate"], rows["opener_margin"]["std_error"]) == (0.0, 0.0)
    assert "reduction" not in rows["opener_margin"]
    assert "reduction" in rows["opener_win_rate"]


# --- settings, folders, the command line --------------------------------------------------------


def plan_of(count: int = 2000, first_game: int = 0, *, control: bool = True):
    return simulation(
        rule_set("exact61", target=60), "greedy", games=count, first_game=first_game, control=control
    )


@pytest.mark.parametrize("control", [False, True])
def test_settings_give_the_plan_back(control):
    plan = plan_of(control=control)
    settings = plain({"command": plan.command, **plan.settings()})
    assert settings["control"] is control
    assert plan_from(settings) == plan


def test_control_is_true_or_false():
    with pytest.raises(FivesError, match="control is 'yes': it must be true or false"):
        simulation(SETS["draw"], "greedy", rounds=5, control="yes")  # type: ignore[arg-type]


def files_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name != MANIFEST}


def test_a_run_with_controls_goes_on_and_adds_up(tmp_path):
    def stop(done: int, count: int) -> None:
        if done:
            raise KeyboardInterrupt

    long = plan_of(100_000)
    with new_folder(tmp_path / "whole", long) as folder:
        whole = execute(long, folder=folder)
    with new_folder(tmp_path / "stopped", long) as folder, pytest.raises(Interrupted):
        execute(long, threads=1, progress=stop, folder=folder)
    resume(tmp_path / "stopped")
    for number, first_game in enumerate((0, 30_000)):
        part = plan_of(30_000 if first_game == 0 else 70_000, first_game)
        with new_folder(tmp_path / f"part{number}", part) as folder:
            execute(part, folder=folder)
    merged = merge([tmp_path / "part1", tmp_path / "part0"], tmp_path / "merged")
    assert merged.manifest["control_coefficients"] == whole.manifest["control_coefficients"]
    assert "reduction" in rows_of(merged)["opener_margin"]
    for name in ("stopped", "merged"):
        assert files_of(tmp_path / name) == files_of(tmp_path / "whole")


def test_parts_with_and_without_controls_do_not_add_up(tmp_path):
    for name, plan in (("a", plan_of(200)), ("b", plan_of(200, 200, control=False))):
        with new_folder(tmp_path / name, plan) as folder:
            execute(plan, folder=folder)
    with pytest.raises(FivesError, match="they differ in control"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both")


def test_the_command_prints_the_reduction_and_says_what_it_is():
    printed = fives("simulate", "allfives", "--rounds", 2000, "--control")
    assert printed.code == 0
    assert "Variance without this over variance with it: opener_win_rate 1." in printed.out
    assert "plain_std_error" in printed.out
    told = fives("simulate", "allfives", "--rounds", 2000, "--control", "--json").json
    assert told["manifest"]["control"] is True
    assert "plain_std_error" not in fives("simulate", "allfives", "--rounds", 200).out


# --- unbiased, and covered ----------------------------------------------------------------------

CASES = {
    "allfives-rounds": (rule_set("allfives").replace(target=None), 200),
    "exact61-games": (rule_set("exact61", target=60), 200),
    "partout5-games": (rule_set("partout5", players=3), 200),
}
RUNS = 2000


def per_game(rules: RuleSet, seed: int, first: int, count: int) -> np.ndarray:
    """Return of each game the opener's margin (raw points), rounds and the three controls; float (n, 5)."""
    names = ("opener_margin", "rounds", *CONTROLS)
    values, finished = np.zeros((count, len(names)), np.int64), np.zeros(count, np.int64)
    policies = policies_record(seat_policies("greedy", rules.sides), rules)
    columns = np.array([ROW[name] for name in names])
    records = rules_record(rules, control=True), policies
    play_rows(blank(TABLE), *records, None, seed, first, count, blank(TALLY), columns, values, finished)
    assert finished.all()
    unit = rules.side_count - 1
    return values / (2 * unit, 1, unit, unit, unit)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_controlled_estimates_are_unbiased_and_covered(name):
    """Many runs of their own seeds against a long one: opener_margin."""
    rules, count = CASES[name]
    margin, rounds = per_game(rules, 99, 0, 2_000_000)[:, :2].sum(axis=0)
    truth = margin / rounds
    unit = "rounds" if rules.target is None else "games"
    found, held = [], 0
    for seed in range(1000, 1000 + RUNS):
        run = simulate(rules, "greedy", seed=seed, control=True, threads=1, **{unit: count})
        row = rows_of(run)["opener_margin"]
        held += row["low"] <= truth <= row["high"]
        margin, rounds = per_game(rules, seed, 0, count)[:, :2].sum(axis=0)
        found.append((row["estimate"], margin / rounds))
    controlled, without = np.array(found).T
    for difference in (controlled - truth, controlled - without):
        assert abs(difference.mean()) <= 4 * difference.std() / math.sqrt(RUNS)
    assert 1.0 < without.var() / controlled.var() < 1.15
    assert 0.935 <= held / RUNS <= 0.965
