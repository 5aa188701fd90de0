"""`fives tune`: candidates ranked as compare ranks them, searches that go on, an edge from fresh deals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.compare import compare
from analyzer.errors import FivesError
from analyzer.folders import content_digest
from analyzer.ledger import Ledger
from analyzer.policies import FEATURES, MAX_WEIGHT, POLICIES, Policy
from analyzer.policy_file import read_policies
from analyzer.rulesets import rule_set
from analyzer.tune import Tuning, command_of
from analyzer.tune_folder import GENERATIONS, POLICY, STATE, new_folder
from analyzer.tune_search import SPREAD, Generation, Search, named_features, start_point, weights_at
from analyzer.workers import play
from tests.shell import fives, refusal

ALLFIVES = rule_set("allfives", players=2)
FILES = (STATE, POLICY, GENERATIONS)
SMALL = ("tune", "allfives", "--against", "greedy", "--features", "accepted,pips,threat,live,double")
SIZE = ("--deals", 150, "--generations", 5, "--check", 400, "--quiet")


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tuning that was never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    assert fives(*SMALL, *SIZE, "--out", folder).code == 0
    return folder


# --- points and weights -------------------------------------------------------------------------


def test_a_policy_and_its_point_have_the_same_ratios() -> None:
    features = named_features(None, rule_set("exact61", players=2))
    policy = Policy("some", "", {"accepted": 30, "wins": 4000, "live": -7, "threat": 1})
    point = start_point(policy, features)
    assert float(point @ point) == pytest.approx(1)
    weights = weights_at(point, features)
    assert set(weights) == set(policy.weights)
    assert max(map(abs, weights.values())) == MAX_WEIGHT
    for feature, weight in policy.weights.items():
        assert weights[feature] == round(weight * MAX_WEIGHT / 4000)


def test_every_feature_has_a_spread() -> None:
    assert set(SPREAD) == set(FEATURES)
    assert all(spread > 0 for spread in SPREAD.values())


def test_features_that_never_differ_are_left_out() -> None:
    draw = named_features(None, rule_set("draw", players=2))
    assert not {"accepted", "threat", "follow", "bare_spinner", "near"} & set(draw)
    assert "near" not in named_features(None, ALLFIVES)
    assert "near" in named_features(None, rule_set("exact61", players=2))
    assert named_features("live, points", ALLFIVES) == ("points", "live")


def test_the_search_finds_a_known_best_point() -> None:
    """Told the rank of the angle to a hidden direction instead of games, it turns to that direction."""
    features = ("accepted", "pips", "double", "live")
    hidden = np.array([0.5, -0.5, 0.1, 0.7])
    search = Search(features, POLICIES["careful"], seed=3)
    for _ in range(80):
        wins = []
        for weights in search.ask():
            point = np.array([weights.get(feature, 0) * SPREAD[feature] for feature in features])
            cosine = float(point @ hidden / np.sqrt((point @ point) * (hidden @ hidden)))
            wins.append([round(1e9 * (1 + cosine)), round(1e9 * (1 - cosine))])
        search.tell(wins)
    found = start_point(Policy("found", "", search.centre()), features)
    assert float(found @ hidden / np.sqrt(hidden @ hidden)) > 0.99


# --- generations --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("threads", [1, 3])
def test_candidates_are_ranked_by_what_compare_finds(players: int, threads: int) -> None:
    rules, rival = rule_set("exact61", players=players), POLICIES["greedy"]
    candidates = [{"accepted": 1}, {"pips": 1, "double": 3}, {"threat": -1, "live": -2}]
    work = Generation(rules, candidates, rival, seed=9, first=40, deals=30)
    ledger = Ledger(work.none())
    play(work, (0, work.games), ledger, threads)
    for weights, wins in zip(candidates, ledger.state()[1].tolist(), strict=True):
        rivals = [Policy("candidate", "", weights), rival]
        found = compare(rules, rivals, deals=30, seed=9, first_game=40)
        assert wins == found.total.wins[0].tolist()


def test_tuning_improves_what_it_starts_from(whole: Path) -> None:
    """From most points alone, against greedy: five small generations win clearly on deals never seen."""
    assert fives("resume", whole).out == ""  # complete: there is nothing to print
    text = (whole / POLICY).read_text(encoding="utf-8")
    low = float(text.split("\nlow = ")[1].split("\n")[0])
    assert low > 0.1


def test_the_edge_is_that_of_compare_on_deals_that_no_generation_had(whole: Path) -> None:
    (policy,) = read_policies(whole / POLICY).values()
    found = compare(ALLFIVES, [policy, "greedy"], deals=400, seed=1, first_game=5 * 150)
    row = next(row for row in found.summary_rows if row["metric"] == "win_rate_difference")
    text = (whole / POLICY).read_text(encoding="utf-8")
    assert "check_first_game = 750\ncheck_deals = 400\n" in text
    for key, value in (("win_rate_difference", row["estimate"]), ("low", row["low"]), ("high", row["high"])):
        assert f"\n{key} = {value!r}\n" in text


def test_the_policy_is_ready_for_play(whole: Path) -> None:
    words = "simulate", "allfives", "--games", 5, "--policy-file", whole / POLICY, "--policy", "tuned"
    assert fives(*words, "--json").json["manifest"]["policies"][0]["name"] == "tuned"


def test_the_recipe_is_the_command(whole: Path, tmp_path: Path) -> None:
    text = (whole / POLICY).read_text(encoding="utf-8")
    command = text.split('\ncommand = "')[1].split('"')[0].split()
    assert fives(*command[1:], "--out", tmp_path / "again", "--quiet", "--threads", 2).code == 0
    assert files_of(tmp_path / "again") == files_of(whole)


# --- going on -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 3, 5])
def test_a_tuning_goes_on_as_if_never_stopped(whole: Path, tmp_path: Path, kept: int) -> None:
    content = json.loads((whole / STATE).read_text())
    content.pop("digest")
    content["generations"] = content["generations"][:kept]
    (tmp_path / STATE).write_text(json.dumps({**content, "digest": content_digest(content)}) + "\n")
    assert fives("resume", tmp_path, "--quiet").code == 0
    assert files_of(tmp_path) == files_of(whole)


def test_a_killed_tuning_loses_at_most_a_generation(tmp_path: Path, whole: Path) -> None:
    words = [*SMALL, *SIZE, "--out", tmp_path]
    command = [sys.executable, "-m", "analyzer.cli", *map(str, words)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[1], stderr=subprocess.DEVNULL)
    while not generations_in(tmp_path):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert generations_in(tmp_path) >= 1
    assert fives("resume", tmp_path, "--quiet").code == 0
    assert files_of(tmp_path) == files_of(whole)


def generations_in(folder: Path) -> int:
    path = folder / STATE
    return len(json.loads(path.read_text())["generations"]) if path.exists() else 0


def test_a_changed_state_is_found_out(whole: Path, tmp_path: Path) -> None:
    text = (whole / STATE).read_text()
    (tmp_path / STATE).write_text(text.replace('"seed": 1,', '"seed": 2,'))
    assert "is not as it was written" in refusal("resume", tmp_path)
    (tmp_path / STATE).write_text(text[:-50])
    assert "is damaged" in refusal("resume", tmp_path)


def test_a_folder_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    told = refusal(*SMALL, *SIZE, "--out", whole)
    assert f"already holds a tuning: go on with fives resume {whole}" in told
    (tmp_path / "manifest.json").write_text("{}")
    assert "already holds a run" in refusal(*SMALL, *SIZE, "--out", tmp_path)
    assert (tmp_path / "manifest.json").read_text() == "{}"


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "tuning is kept in a folder: name it with --out DIR."),
        (("--out", "x", "--features", "pips"), "tuning needs two features or more"),
        (("--out", "x", "--features", "pips,lve"), "unknown feature 'lve': did you mean live?"),
        (("--out", "x", "--start", "random"), "random weighs none of the features to tune"),
        (("--out", "x", "--name", "greedy"), "greedy is a built-in policy: choose another name."),
        (("--out", "x", "--deals", "0"), "deals is 0: it must be at least 1."),
        (("--out", "x", "--generations", "0"), "generations is 0: it must be at least 1."),
        (("--out", "x", "--threads", "0"), "threads is 0"),
        (("--out", "x", "--cluster", "host:8786"), "name a scheduler such as tcp://host:8786, or local:2."),
        (
            ("--out", "x", "--cluster", "local:2", "--threads", "2"),
            "a cluster brings its own",
        ),
    ],
)
def test_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refusal("tune", "allfives", "--against", "greedy", *words)
    assert list(tmp_path.iterdir()) == []


def test_reply_is_refused_where_large_weights_have_no_room() -> None:
    rules = rule_set("partout5", set="double-nine", players=2)
    greedy = POLICIES["greedy"]
    with pytest.raises(FivesError, match="tune threat instead"):
        Tuning(rules, greedy, greedy, ("points", "reply"), 1, 10, 1, 10, "tuned")


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    greedy = POLICIES["greedy"]
    tuning = Tuning(ALLFIVES, greedy, greedy, ("points", "pips"), 1, 10, 1, 10, "tuned")
    with new_folder(tmp_path / "t", tuning):
        assert "another run is at work" in refusal("resume", tmp_path / "t")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "--players 2 --against"),
        ({"set": "double-nine", "target": 250}, "--players 2 --set double-nine --target 250 --against"),
        (
            {"players": 4, "sides": (0, 1, 0, 1), "hand": 6},
            "--players 4 --hand-size 6 --sides 0,1,0,1 --against",
        ),
    ],
)
def test_the_command_names_what_differs_from_the_named_set(fields: dict[str, Any], words: str) -> None:
    greedy = POLICIES["greedy"]
    rules = rule_set("partout5", **{"players": 2} | fields)
    tuning = Tuning(rules, greedy, greedy, ("points", "pips"), 1, 10, 1, 10, "tuned")
    assert words in command_of(tuning)
