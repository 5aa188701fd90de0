"""Sweeps: each cell as `simulate` has it, each difference as the traces of the same games show it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analyzer import grid
from analyzer.cells import Cell
from analyzer.differences import Scale, paired, single, unpaired
from analyzer.errors import FivesError
from analyzer.moments import Moments
from analyzer.policies import Policy
from analyzer.registry import plan_from
from analyzer.simulate import simulate
from analyzer.sweep import Sweep, sweep, sweep_plan
from analyzer.sweeping import SweepTotals
from analyzer.traces import traces
from tests.plain import measure
from tests.shell import fives, refusal

SEED = 11

# Name of the set, what varies, what is fixed, what is played. Between them: other hands, targets, spinners,
# sides, players and policies; games that are stopped; margins and shares in other units from cell to cell.
CASES: dict[str, tuple[str, dict[str, list[Any]], dict[str, Any], dict[str, int]]] = {
    "hands": ("allfives", {"hand": [5, 7, 9]}, {}, {"rounds": 120}),
    "players": ("allfives", {"players": [2, 3, 4]}, {}, {"rounds": 120}),
    "sides": ("exact61", {"sides": ["partners", "none"]}, {"players": 4}, {"rounds": 120}),
    "spinners": ("partout5", {"spinner": ["none", "first", "all"]}, {}, {"games": 60}),
    "targets": ("allfives", {"target": [50, 100]}, {"ties": "none"}, {"games": 60}),
    "policies": ("draw", {"policy.0": ["heavy", "random"], "policy.1": ["heavy", "random"]}, {},
                 {"games": 50}),
    "guarded": ("exact61", {"policy": ["greedy", "careful"], "draw": ["one", "none"]},
                {"round_guard": 4, "target": 60}, {"games": 90}),
    "blocks": ("allfives", {"draw": ["none", "one"], "players": [3, 2]}, {"hand": 5}, {"rounds": 120}),
}  # fmt: skip


def shown(cell: Cell, by_games: bool, count: int) -> tuple[measure.Run, list[measure.Game | None]]:
    """Return what the traces of a cell show, and each of its games, None for one that was stopped."""
    found = list(traces(cell.rules, cell.policies, seed=SEED, count=count))
    run = measure.Run(cell.rules, found, by_games)
    finished = iter(run.games)
    return run, [None if stopped else next(finished) for stopped in run.stopped]


def amounts(m: measure.Measure, games: Sequence[measure.Game | None]) -> list[tuple[float, int] | None]:
    pairs = [None if game is None else m.of(game) for game in games]
    return [None if pair is None else (float(pair[0]) / m.over, int(pair[1])) for pair in pairs]


def naive_difference(
    ours: Sequence[Any], base: Sequence[Any], less: float, is_rate: bool
) -> tuple[float | None, float | None, float | None]:
    """Return the difference of two ratios over the games that both finished, and its bounds."""
    both = [(*a, *b) for a, b in zip(ours, base, strict=True) if a and b and (a[1] or b[1])]
    if not both:
        return None, None, None
    y, x, y0, x0 = np.array(both, float).T
    if x.sum() == 0 or x0.sum() == 0:
        return None, None, None
    n, z = len(both), NormalDist().inv_cdf(0.975)
    r, r0 = y.sum() / x.sum(), y0.sum() / x0.sum()
    influence = (y - r * x) / x.sum() - (y0 - r0 * x0) / x0.sum()
    if is_rate and np.abs(influence).max() < 1e-12:
        reach = z * z / (n + z * z)
        low, high = max(r - r0 - reach, -1.0), min(r - r0 + reach, 1.0)
    else:
        error = math.sqrt(n / (n - 1) * (influence**2).sum())
        low, high = r - r0 - z * error, r - r0 + z * error
    return r - r0 - less, low - less, high - less


def near(got: Any, expected: Any) -> bool:
    if got is None or expected is None:
        return got is expected
    return math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-12)


def in_every_cell(runs: Sequence[measure.Run]) -> list[list[measure.Measure]]:
    """Return each measure that all cells have, once a cell."""
    tables = [{(m.metric, m.scope): m for m in measure.measures(run)} for run in runs]
    return [[table[key] for table in tables] for key in tables[0] if all(key in table for table in tables)]


@pytest.mark.parametrize("case", CASES)
def test_cells_and_differences_are_those_of_the_traces(case: str) -> None:
    rules, vary, base, many = CASES[case]
    (count,) = many.values()
    plan = sweep_plan(rules, list(vary.items()), base=base, seed=SEED, **many)
    runs, games = zip(*(shown(cell, "games" in many, count) for cell in plan.cells), strict=True)
    compared = 0
    for measures in in_every_cell(runs):
        first = measures[0]
        metric = first.metric if first.scope == "all" else f"{first.metric}:{first.scope}"
        rows = sweep(rules, vary, base=base, seed=SEED, metric=metric, **many).table_rows["cells"]
        for row, m, played in zip(rows, measures, games, strict=True):
            expected, n = measure.estimate(m, [game for game in played if game])
            assert row["n"] == n, (metric, row)
            assert near(row["estimate"], expected), (metric, row)
            if row["paired"] and not row["base"]:
                pair = amounts(m, played), amounts(first, games[0])
                values = naive_difference(*pair, float(m.less - first.less), m.is_rate)
                got = [row[key] for key in ("difference", "difference_low", "difference_high")]
                assert all(map(near, got, values)), (metric, row, values)
                compared += 1
    assert compared >= 10 or case == "players"


@pytest.mark.parametrize("name", CASES)
def test_each_cell_is_what_simulate_says(name: str) -> None:
    rules, vary, base, many = CASES[name]
    metric = "opener_win_rate" if "rounds" in many else "rounds_per_game"
    result = sweep(rules, vary, base=base, seed=SEED, metric=metric, **many)
    for cell, row in zip(result.plan.cells, result.table_rows["cells"], strict=True):
        alone: Any = simulate(cell.rules, cell.policies, seed=SEED, **many)
        (expected,) = (
            line for line in alone.summary_rows if (line["metric"], line["scope"]) == (metric, "all")
        )
        assert {key: row[key] for key in ("n", "estimate", "low", "high")} == {
            key: expected[key] for key in ("n", "estimate", "low", "high")
        }


def test_guarded_games_are_left_out_of_the_pairs() -> None:
    rules, vary, base, many = CASES["guarded"]
    result = sweep(rules, vary, base=base, seed=SEED, **many)
    stopped = result.manifest["stopped"]
    first, *others = result.total.cells
    assert 0 < stopped[0] < many["games"]
    assert first.own.count == many["games"] - stopped[0]
    assert any(cell.pair.count < min(cell.own.count, first.own.count) for cell in others)
    assert "stopped by the round guard" in result.sentences[-1]


# --- what is compared with what -----------------------------------------------------------------


def test_cells_that_share_no_deals_are_compared_as_independent() -> None:
    result = sweep("allfives", {"players": [2, 3], "spinner": ["first", "all"]}, rounds=500)
    rows = result.table_rows["cells"]
    assert [row["paired"] for row in rows] == [True, True, False, False]
    assert [row["base"] for row in rows] == [True, False, False, False]
    assert (rows[0]["difference"], rows[0]["difference_low"], rows[0]["difference_high"]) == (0.0, 0.0, 0.0)
    base, far = rows[0], rows[3]
    assert far["difference"] == pytest.approx(far["estimate"] - base["estimate"])
    reach = math.hypot(far["high"] - far["estimate"], base["high"] - base["estimate"])
    assert far["difference_high"] == pytest.approx(far["difference"] + reach)
    assert "players=3,spinner=first; players=3,spinner=all" in result.sentences[1]


def test_the_set_parts_cells_too() -> None:
    rows = sweep("draw", {"set": ["double-six", "double-nine"]}, rounds=50).table_rows["cells"]
    assert [row["paired"] for row in rows] == [True, False]


def test_a_field_without_effect_makes_no_difference() -> None:
    rows = sweep("allfives", {"partner": ["ignored", "debited"]}, rounds=300).table_rows["cells"]
    assert rows[1]["difference"] == 0.0
    assert -0.02 < rows[1]["difference_low"] < 0.0 < rows[1]["difference_high"] < 0.02


def test_policies_by_side_make_a_table() -> None:
    names = ["greedy", "random"]
    result = sweep("allfives", {"policy.0": names, "policy.1": names}, games=100)
    cells = [(row["policy.0"], row["policy.1"]) for row in result.table_rows["cells"]]
    assert cells == [(a, b) for a in names for b in names]
    assert result.plan.metric == "first_mover_advantage"
    assert [[p.name for p in cell.policies] for cell in result.plan.cells] == [list(pair) for pair in cells]


def test_partners_share_the_policy_of_their_side() -> None:
    plan = sweep_plan("exact61", [("policy.1", ["random"])], base={"players": 4}, rounds=1)
    assert [policy.name for policy in plan.cells[0].policies] == ["greedy", "random"] * 2


def test_fields_follow_the_players_of_a_cell() -> None:
    plan = sweep_plan("allfives", [("players", [2, 3, 4])], games=1)
    assert [(cell.rules.hand, cell.rules.target) for cell in plan.cells] == [(9, 250), (7, 200), (5, 200)]


def test_custom_policies() -> None:
    own = Policy("own", "", {"points": 3, "double": 1})
    rows = sweep("allfives", {"policy.0": ["greedy", own]}, rounds=50).table_rows["cells"]
    assert [row["policy.0"] for row in rows] == ["greedy", "own"]


# --- totals -------------------------------------------------------------------------------------


def test_threads_and_parts_do_not_matter() -> None:
    rules, vary, base, many = CASES["guarded"]
    one, two = (sweep(rules, vary, base=base, seed=SEED, threads=n, **many) for n in (1, 3))
    play = one.plan.work().player()
    parts = play(40, 50) + play(0, 1) + play(1, 39)
    assert one.total.as_dict() == two.total.as_dict() == parts.as_dict()
    assert SweepTotals.from_dict(json.loads(json.dumps(parts.as_dict()))) == parts


def test_totals_in_another_form_are_refused() -> None:
    data = sweep("allfives", {"hand": [5, 6]}, rounds=5).total.as_dict()
    for broken in ({}, {"cells": [{}]}, {"cells": [{**data["cells"][0], "pair": data["cells"][0]["own"]}]}):
        with pytest.raises(FivesError, match="start the run afresh"):
            SweepTotals.from_dict(broken)


@pytest.mark.parametrize("name", CASES)
def test_a_plan_comes_back_from_its_settings(name: str) -> None:
    rules, vary, base, many = CASES[name]
    plan = sweep_plan(rules, list(vary.items()), base=base, **many)
    manifest = json.loads(json.dumps({"command": "sweep", **plan.settings()}))
    back = plan_from(manifest)
    assert isinstance(back, Sweep)
    assert back.settings() == plan.settings()


def test_moments_are_exact_past_64_bits() -> None:
    large = 2**40
    found = Moments.of(np.array([[large, 1], [-large, 2]], np.int64))
    assert found.products == ((2 * large**2, -large), (-large, 5))
    assert (found + found).products[0][0] == 4 * large**2
    assert found + Moments.none(2) == found


# --- coverage -----------------------------------------------------------------------------------


def drawn_pairs(random: np.random.Generator, n: int, shape: str) -> np.ndarray[Any, Any]:
    """Return rows y, x and y, x of the base; the two share much of their chance."""
    common = random.random(n)
    if shape == "shares":  # one unit a game
        y = (0.7 * common + 0.3 * random.random(n) < 0.55).astype(int)
        y0 = (0.7 * common + 0.3 * random.random(n) < 0.5).astype(int)
        return np.column_stack([y, np.ones(n, int), y0, np.ones(n, int)])
    x = 1 + (6 * common).astype(int) + random.integers(0, 3, n)
    x0 = 1 + (6 * common).astype(int) + random.integers(0, 2, n)
    return np.column_stack([random.binomial(x, 0.2 + 0.4 * common), x, random.binomial(x0, 0.5 * common), x0])


@pytest.mark.parametrize("shape", ["shares", "clusters"])
@pytest.mark.parametrize("together", [True, False], ids=["paired", "independent"])
def test_intervals_hold_the_true_difference(shape: str, together: bool) -> None:
    scale = Scale(step=1, less=0.0, is_rate=True, clustered=shape == "clusters")
    large = drawn_pairs(np.random.default_rng(1), 2_000_000, shape)
    y, x, y0, x0 = large.sum(axis=0)
    truth = y / x - y0 / x0
    random, held, runs = np.random.default_rng(2), 0, 3000
    for _ in range(runs):
        rows = drawn_pairs(random, 200, shape)
        if together:
            found = paired(Moments.of(rows), scale, scale, 0.95)
        else:
            other = drawn_pairs(random, 200, shape)
            found = unpaired(
                single(Moments.of(rows[:, :2]), scale, 0.95), single(Moments.of(other[:, 2:]), scale, 0.95)
            )
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert 0.935 < held / runs < 0.965


def test_pairing_narrows_what_varies_together() -> None:
    scale = Scale(step=1, less=0.0, is_rate=True, clustered=False)
    rows = drawn_pairs(np.random.default_rng(3), 500, "shares")
    together = paired(Moments.of(rows), scale, scale, 0.95)
    apart = unpaired(*(single(Moments.of(part), scale, 0.95) for part in (rows[:, :2], rows[:, 2:])))
    assert together.estimate == pytest.approx(apart.estimate)
    assert together.std_error is not None
    assert apart.std_error is not None
    assert together.std_error < 0.8 * apart.std_error


# --- the text of a grid -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("hand=5,6,7,9", ("hand", [5, 6, 7, 9])),
        ("target=50..500:150", ("target", [50, 200, 350, 500])),
        ("target=50..120:50", ("target", [50, 100])),
        (" hand = 5..7 , 9 ", ("hand", [5, 6, 7, 9])),
        ("spinner=none,first,all", ("spinner", ["none", "first", "all"])),
        ("sides=none,partners", ("sides", ["none", "partners"])),
        ("policy.0=greedy,random", ("policy.0", ["greedy", "random"])),
        ("policy=heavy", ("policy", ["heavy"])),
    ],
)
def test_an_axis_is_read(text: str, axis: grid.Axis) -> None:
    assert grid.parse_axis(text) == axis


def test_a_sentence_names_a_few_cells_of_many() -> None:
    found = sweep("allfives", {"players": [2, 3], "hand": [1, 2, 3, 4, 5, 6, 7]}, rounds=2)
    (told,) = [sentence for sentence in found.sentences if "independent" in sentence]
    assert told.count("players=3") == 6
    assert told.endswith("players=3,hand=6; and 1 more.")


def test_a_setting_is_read() -> None:
    assert grid.parse_setting("hand=7") == ("hand", 7)
    assert grid.parse_setting("sides=0,1,0,1") == ("sides", "partners")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--vary", "hand"], "'hand' names no field and value: write it as hand=7."),
        (["--vary", "hnd=5"], "unknown field 'hnd': did you mean hand?"),
        (["--vary", "version=1"], None),
        (["--vary", "hand=five"], "hand is 'five': it must be a whole number."),
        (["--vary", "hand=5,,6"], "hand is '': it must be a whole number."),
        (["--vary", "spinner=frist"], "spinner is 'frist': it must be one of none, first, all."),
        (["--vary", "sides=0"], "sides is '0': it must be none (each for themselves) or partners."),
        (["--vary", "hand=9..5"], "the range 9..5 of hand is empty: write it as 50..500:50, upwards."),
        (["--vary", "hand=5..9:0"], "the range 5..9:0 of hand is empty: write it as 50..500:50, upwards."),
        (["--vary", "reserve=0..999999999"],
         "the range 0..999999999 of reserve is too long: vary over at most 500 in all."),
        (["--vary", "reserve=0..29", "--vary", "round_guard=1..29"],
         "870 cells are too many: vary over at most 500 in all."),
        (["--vary", "hand=5,5"], "hand is varied over 5 twice: give each value once."),
        (["--vary", "hand=5", "--vary", "hand=6"], "hand is varied twice: give all of its values at once."),
        (["--vary", "hand=5", "--base", "hand=6"],
         "hand is varied and given for all cells too: leave one of the two out."),
        (["--vary", "hand=5", "--base", "reserve=1", "--base", "reserve=2"],
         "--base gives reserve twice: give it once."),
        (["--vary", "hand=5", "--base", "policy=greedy"],
         "policy is no field of a rule set: give policies with --policy."),
        (["--vary", "target=50,100"],
         "target is for games: rounds are played without one, so leave it out."),
        (["--vary", "players=2,4", "--vary", "hand=5,9"],
         "cell players=4,hand=9: hand is 9: it must be from 1 to 7 with 4 players and the double-six set."),
        (["--vary", "policy.2=greedy"], "cell policy.2=greedy: policy.2 has no side: the sides are 0 to 1."),
        (["--vary", "policy=gredy"], "cell policy=gredy: unknown policy 'gredy': did you mean greedy?"),
        (["--vary", "hand=5", "--metric", "blockd_rate"],
         "unknown metric 'blockd_rate': did you mean blocked_rate?"),
        (["--vary", "hand=5", "--metric", "excess_rate"],
         "cell hand=5: excess_rate is measured in games to a reach-or-pass target alone: "
         "choose another metric."),
        (["--vary", "hand=5", "--metric", "blocked_rate:kind=out"],
         "cell hand=5: blocked_rate has no scope 'kind=out' here: choose from blocked_rate."),
    ],
)  # fmt: skip
def test_a_wrong_grid_is_refused_before_anything_is_played(words: list[str], sentence: str | None) -> None:
    told = refusal("sweep", "allfives", "--rounds", 10, *words)
    assert sentence is None or told == sentence


def test_the_library_refuses_the_same() -> None:
    for vary in ({}, {"hand": []}, {"hnd": [5]}, {"hand": [5, 99]}, {"hand": [5, "6"]}):
        with pytest.raises(FivesError):
            sweep("allfives", vary, rounds=1)
    with pytest.raises(FivesError, match="neither of rounds and games"):
        sweep("allfives", {"hand": [5]})


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_table_csv_and_json() -> None:
    words = ["sweep", "allfives", "--vary", "hand=5,7", "--vary", "policy.0=greedy,random", "--rounds", 200]
    plain, csv, data = (fives(*words, *more) for more in ([], ["--csv", "cells"], ["--json"]))
    assert "opener_advantage over hand, policy.0: 200 rounds in each of 4 cells" in plain.out
    assert "Differences are to the cell hand=5,policy.0=greedy." in plain.out
    head, *lines = csv.out.splitlines()
    assert head == ("hand,policy.0,n,estimate,low,high,difference,difference_low,difference_high,paired,base")
    assert len(lines) == 4
    found = sweep("allfives", {"hand": [5, 7], "policy.0": ["greedy", "random"]}, rounds=200)
    assert data.json["tables"]["cells"] == found.table_rows["cells"]
    assert data.json["summary"] == found.summary_rows


def test_a_folder_keeps_a_sweep(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["sweep", "allfives", "--vary", "target=50..100:50", "--games", 50, "--out", folder]
    assert fives(*words).code == 0
    assert {"manifest.json", "cells.csv", "cells.parquet", "summary.csv"} <= {
        f.name for f in folder.iterdir()
    }
    assert fives("resume", folder).code == 0
