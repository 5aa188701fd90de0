"""A run depends on rules, policies, seed and range alone: not on threads, chunks, hashes or the compiler."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import fives
from analyzer import plans
from analyzer.errors import FivesError
from analyzer.policies import policy
from analyzer.rulesets import RuleSet, rule_set
from analyzer.simulate import Result, simulate, simulation
from analyzer.traces import traces
from tests.plain import measure

LAST_GAME = 2**62 - 1
EXACT61 = rule_set("exact61", players=4)
SETS = {
    "exact61": EXACT61,
    "allfives": rule_set("allfives", players=3),
    "partout5": rule_set("partout5"),
    "draw-nine": rule_set("draw", set="double-nine"),
}
POLICIES = ("greedy", "random", "heavy", "careful")


def policies_of(rules: RuleSet) -> tuple[str, ...]:
    return POLICIES[: rules.players]


def reported(result: Result) -> dict[str, Any]:
    """Return all that a run reports but the time it took."""
    found = result.to_dict()
    return found | {"manifest": {key: value for key, value in found["manifest"].items() if key != "times"}}


# --- threads and ranges -------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("many", [{"rounds": 3000}, {"games": 700}], ids=["rounds", "games"])
def test_threads_do_not_matter(name: str, many: dict[str, Any]) -> None:
    rules = SETS[name]
    one, *others = (simulate(rules, policies_of(rules), seed=9, threads=n, **many) for n in (1, 2, 5, None))
    for other in others:
        assert reported(other) == reported(one)
        assert other.total.as_dict() == one.total.as_dict()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_ranges_add_up(name: str, unit: str) -> None:
    rules, first = SETS[name], 1000
    cuts = [0, 1, 120, 400]

    def part(start: int, stop: int) -> Result:
        many: dict[str, Any] = {unit: stop - start}
        return simulate(rules, policies_of(rules), seed=4, first_game=first + start, **many)

    whole = part(cuts[0], cuts[-1])
    parts = [part(start, stop).total for start, stop in itertools.pairwise(cuts)]
    backwards = parts[2] + parts[1] + parts[0]
    for tallies in (parts[0] + parts[1] + parts[2], backwards):
        assert tallies.as_dict() == whole.total.as_dict()
        merged = dataclasses.replace(whole, total=tallies)
        assert reported(merged) == reported(whole)


def test_a_game_does_not_depend_on_those_before_it() -> None:
    alone = next(traces(EXACT61, POLICIES, seed=3, first_game=77))
    assert alone == list(traces(EXACT61, POLICIES, seed=3, first_game=70, count=8))[-1]


def test_single_rounds_are_dealt_as_first_rounds_of_games() -> None:
    rounds = traces(EXACT61.replace(target=None), POLICIES, seed=3, count=20)
    for single, game in zip(rounds, traces(EXACT61, POLICIES, seed=3, count=20), strict=True):
        for part in ("opener", "hands", "boneyard"):
            assert single["rounds"][0][part] == game["rounds"][0][part]


def test_seeds_and_ranges_matter() -> None:
    base = simulate(EXACT61, POLICIES, rounds=200).total.as_dict()
    assert simulate(EXACT61, POLICIES, rounds=200, seed=2).total.as_dict() != base
    assert simulate(EXACT61, POLICIES, rounds=200, first_game=1).total.as_dict() != base


def test_the_target_does_not_matter_for_rounds() -> None:
    with_target, without = EXACT61, EXACT61.replace(target=None)
    runs = [simulate(rules, POLICIES, rounds=300) for rules in (with_target, without)]
    assert reported(runs[0]) == reported(runs[1])


def test_policies_by_side_by_seat_and_as_objects() -> None:
    by_side = simulate(EXACT61, ["greedy", "random"], games=100)
    by_seat = simulate(EXACT61, [policy("greedy"), policy("random")] * 2, games=100)
    assert reported(by_side) == reported(by_seat)


# --- the ends of the ranges ---------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("first_game", [0, LAST_GAME - 2])
@pytest.mark.parametrize("seed", [0, LAST_GAME])
def test_the_first_and_the_last_games(name: str, first_game: int, seed: int) -> None:
    rules, policies = SETS[name], policies_of(SETS[name])
    result = simulate(rules, policies, games=3, seed=seed, first_game=first_game)
    shown = list(traces(rules, policies, seed=seed, first_game=first_game, count=3))
    expected = measure.estimates(measure.Run(rules, shown, by_games=True))
    assert [trace["game"] for trace in shown] == [first_game, first_game + 1, first_game + 2]
    for row in result.summary_rows:
        estimate, n = expected[row["metric"], row["scope"]]
        assert row["n"] == n
        assert row["estimate"] == pytest.approx(estimate)


@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_one_observation(unit: str) -> None:
    many: dict[str, Any] = {unit: 1}
    result = simulate(EXACT61, ["greedy"], **many)
    rows = {(row["metric"], row["scope"]): row for row in result.summary_rows}
    plays = rows["plays_per_round", "all"]
    assert plays["n"] == result.table_rows["seats"][0]["n"] >= 1
    assert (plays["std_error"], plays["low"], plays["high"]) == (None, None, None)
    for row in rows.values():
        if row["unit"] == "rate" and row["n"]:
            assert row["low"] < row["high"]


def test_progress_ends_at_all() -> None:
    told: list[tuple[int, int]] = []
    simulate(EXACT61, ["random"], rounds=5000, progress=lambda done, count: told.append((done, count)))
    assert told == sorted(told)
    assert told[-1] == (5000, 5000)


def test_the_manifest_says_what_was_run() -> None:
    result = simulate(EXACT61, ["greedy", "random"], games=40, seed=6, first_game=8)
    manifest = result.manifest
    assert manifest["rules"] == EXACT61.as_dict()
    assert [seat["name"] for seat in manifest["policies"]] == ["greedy", "random"] * 2
    assert (manifest["games"], manifest["seed"], manifest["first_game"]) == (40, 6, 8)
    assert manifest["finished"] + manifest["stopped"] == 40
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()


# --- wrong arguments ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "neither of rounds and games given: give one of the two."),
        ({"rounds": 1, "games": 1}, "both of rounds and games given: give one of the two."),
        ({"rounds": 0}, "rounds is 0: it must be at least 1."),
        ({"games": -2}, "games is -2: it must be at least 1."),
        ({"rounds": 1, "seed": -1}, f"seed out of range: -1 is not from 0 to {LAST_GAME}."),
        ({"rounds": 1, "seed": 2**62}, f"seed out of range: {2**62} is not from 0 to {LAST_GAME}."),
        ({"rounds": 1, "first_game": -1}, "first game is -1: it must be 0 or more."),
        ({"rounds": 2, "first_game": LAST_GAME},
         f"first game {LAST_GAME} is too high: game numbers stay below {2**62}."),
        ({"rounds": 1, "threads": 0}, "threads is 0: it must be from 1 to 256."),
        ({"rounds": 1, "threads": 257}, "threads is 257: it must be from 1 to 256."),
        ({"rounds": 1, "confidence": 0.0}, "confidence is 0: it must lie between 0 and 1, such as 0.95."),
        ({"rounds": 1, "confidence": 1.0}, "confidence is 1: it must lie between 0 and 1, such as 0.95."),
        ({"rounds": 1, "confidence": float("nan")},
         "confidence is nan: it must lie between 0 and 1, such as 0.95."),
    ],
)  # fmt: skip
def test_a_number_out_of_range_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(FivesError) as refusal:
        simulate(EXACT61, ["greedy"], **arguments)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("name", ["rounds", "games", "seed", "first_game", "threads"])
@pytest.mark.parametrize("value", [1.5, "7"])
def test_a_number_that_is_not_whole_is_refused(name: str, value: Any) -> None:
    arguments = {"rounds": 1} if name != "games" else {}
    with pytest.raises(FivesError, match="whole number"):
        simulate(EXACT61, ["greedy"], **(arguments | {name: value}))


@pytest.mark.parametrize(
    ("policies", "sentence"),
    [
        (["gredy"], "unknown policy 'gredy': did you mean greedy?"),
        ([], "0 policies for 4 players in 2 sides: give 1, 2 or 4."),
        (["greedy"] * 3, "3 policies for 4 players in 2 sides: give 1, 2 or 4."),
    ],
)
def test_wrong_policies_are_refused(policies: list[str], sentence: str) -> None:
    with pytest.raises(FivesError) as refusal:
        simulate(EXACT61, policies, rounds=1)
    assert str(refusal.value) == sentence


def test_games_need_a_target() -> None:
    with pytest.raises(FivesError, match=r"^games are played to a target and the rule set has none: "):
        simulate(EXACT61.replace(target=None), ["greedy"], games=1)


# --- other processes ----------------------------------------------------------------------------

SCRIPT = """
import json, sys
from analyzer.rulesets import rule_set
from analyzer.simulate import simulate
for names in {names}:
    for set_, fields in {sets}:
        rules = rule_set(set_, **fields)
        for many in {{"rounds": {rounds}}}, {{"games": {games}}}:
            result = simulate(rules, names[: rules.players], seed=2, **many)
            result.manifest.pop("times")
            print(json.dumps([result.to_dict(), result.total.as_dict()]))
"""
SMALL_SETS: list[tuple[str, dict[str, Any]]] = [
    ("exact61", {"players": 4, "target": 60}),
    ("allfives", {"players": 3, "target": 60}),
    ("draw", {"set": "double-nine"}),
]
# Those that weigh every feature of a placement somewhere, and those that are played in lanes
ALL_KERNELS = (("defend", "tuned61", "shut", "careful"), ("greedy", "random", "greedy", "random"))


def run_apart(rounds: int, games: int, **environment: str) -> list[Any]:
    """Return what another process reports, given some environment variables."""
    script = SCRIPT.format(names=ALL_KERNELS, sets=SMALL_SETS, rounds=rounds, games=games)
    found = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return [json.loads(line) for line in found.stdout.splitlines()]


def run_here(rounds: int, games: int) -> list[Any]:
    """Return what this process reports of the same runs."""
    runs: list[dict[str, Any]] = [{"rounds": rounds}, {"games": games}]
    found: list[Any] = []
    for names in ALL_KERNELS:
        for name, fields in SMALL_SETS:
            rules = rule_set(name, **fields)
            for many in runs:
                result = simulate(rules, names[: rules.players], seed=2, **many)
                found.append([reported(result), result.total.as_dict()])
    plain: list[Any] = json.loads(json.dumps(found))
    return plain


def assert_same(found: list[Any], expected: list[Any]) -> None:
    """Compare all but the digest of the kernels, which differs for code that checks bounds."""
    for (report, tallies), (expected_report, expected_tallies) in zip(found, expected, strict=True):
        assert tallies == expected_tallies
        for one in (report, expected_report):
            del one["manifest"]["kernel_digest"]
        assert report == expected_report


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_string_hashes_do_not_matter(hash_seed: str) -> None:
    assert_same(run_apart(500, 50, PYTHONHASHSEED=hash_seed), run_here(500, 50))


def test_the_same_without_the_compiler() -> None:
    assert_same(run_apart(30, 5, NUMBA_DISABLE_JIT="1"), run_here(30, 5))


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """A cache of its own for machine code that checks bounds; it takes long to compile."""
    return {"FIVES_CACHE_DIR": str(tmp_path_factory.mktemp("bounds"))}


def test_no_index_is_out_of_bounds(cache_folder: Mapping[str, str]) -> None:
    assert_same(run_apart(300, 60, NUMBA_BOUNDSCHECK="1", **cache_folder), run_here(300, 60))


def test_those_who_watch_are_told_the_headline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "WATCH_SECONDS", 0.0)
    told: list[str] = []
    plan = simulation(EXACT61, POLICIES, games=300, seed=5)
    result = plans.execute(plan, watch=told.append)
    (row,) = (row for row in result.summary_rows if row["metric"] == plan.headline)
    half = (row["high"] - row["low"]) / 2
    assert told[-1] == f"first_mover_win_rate {row['estimate']:.4f} ± {half:.4f}"


def test_the_library_takes_names_and_traces_what_it_counts() -> None:
    result = fives.simulate("allfives", "greedy", games=5, seed=9)
    traced = list(fives.trace("allfives", "greedy", games=5, seed=9))
    assert sum(len(game["rounds"]) for game in traced) == result.total.total(["rounds"])
    (single,) = fives.trace("exact61", ["random"], rounds=1, first_game=4)
    assert (single["game"], len(single["rounds"])) == (4, 1)
    with pytest.raises(FivesError, match="unknown rule set"):
        fives.simulate("allfive", "greedy", games=5)
    with pytest.raises(FivesError, match="neither of rounds and games"):
        fives.trace("allfives", "greedy")
