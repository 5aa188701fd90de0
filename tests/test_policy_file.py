"""`--policy-file`: policies of one's own, by name, in every command; mistakes in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.errors import FivesError
from analyzer.policies import POLICIES, Policy
from analyzer.policy_file import policy_text, read_policies
from tests.shell import fives, refusal

GOOD = """
[bold]
summary = "points, but a double first"
weights = { points = 10, double = 100 }

[twin-of-greedy]
weights = { points = 7 }
recipe = { command = "by hand" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_a_file_is_read_in_its_order(file: Path) -> None:
    assert read_policies(file) == {
        "bold": Policy("bold", "points, but a double first", {"points": 10, "double": 100}),
        "twin-of-greedy": Policy("twin-of-greedy", "", {"points": 7}),
    }


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    odd = Policy("odd_1", 'says "so"\n\\ and tabs\t', {"points": 3, "threat": -2})
    path = tmp_path / "odd.toml"
    path.write_text(policy_text(odd, {"command": "a 'b' \"c\"", "deals": 5, "edge": 0.25}), encoding="utf-8")
    assert read_policies(path) == {"odd_1": odd}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[bold", "is no TOML file: expected ']' at the end of a table declaration (at end of document)."),
        ("[bold]\nweights = {\npoints 1}", "(at line 2, column 12)."),
        ("", "holds no policy: write a table for each, such as [bold]."),
        ("bold = 1", "policy bold: 'bold' stands outside a table: write [NAME] above its keys."),
        ("[greedy]\nweights = {}", "policy greedy: greedy is a built-in policy: choose another name."),
        (
            '["a b"]\nweights = {}',
            "policy a b: the name 'a b' has more than letters, digits, - and _: choose another.",
        ),
        ("[bold]", "policy bold: it has no weights: write them as weights = { points = 1 }."),
        ("[bold]\nsummary = 1\nweights = {}", "its summary is 1: it must be a text in quotes."),
        ("[bold]\nweight = {}", "unknown key 'weight': did you mean weights?"),
        ("[bold]\nweights = {pionts = 1}", "unknown feature 'pionts': did you mean points?"),
        ("[bold]\nweights = {points = 1.5}", "weight of points is 1.5: it must be a whole number"),
        ("[bold]\nweights = {points = 1000001}", "from -1000000 to 1000000."),
    ],
)
def test_mistakes(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    told = refusal("policies", "--policy-file", path)
    assert told.startswith(str(path))
    assert sentence in told


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "no such file" in refusal("policies", "--policy-file", tmp_path / "none.toml")
    assert "is a directory" in refusal("policies", "--policy-file", tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"[b\xf6ld]")
    with pytest.raises(FivesError, match="not UTF-8 text"):
        read_policies(tmp_path / "latin.toml")


def test_policies_lists_them_after_the_built_in_ones(file: Path) -> None:
    shown = fives("policies", "--policy-file", file, "--json").json
    assert [row["name"] for row in shown] == [*POLICIES, "bold", "twin-of-greedy"]


def test_an_unknown_name_is_answered_with_one_of_the_file(file: Path) -> None:
    told = refusal("simulate", "draw", "--rounds", 1, "--policy-file", file, "--policy", "bald")
    assert told == "unknown policy 'bald': did you mean bold?"


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        (("simulate", "allfives", "--rounds", 200), "summary"),
        (("openings", "allfives", "--rounds", 20), "summary"),
        (("sweep", "allfives", "--rounds", 50, "--vary", "hand=5,6"), "summary"),
    ],
)
def test_a_twin_plays_as_the_policy_that_it_repeats(file: Path, words: tuple[object, ...], unit: str) -> None:
    own = fives(*words, "--policy-file", file, "--policy", "twin-of-greedy", "--json").json
    built_in = fives(*words, "--policy", "greedy", "--json").json
    assert own[unit] == built_in[unit]
    assert "twin-of-greedy" in json.dumps(own["manifest"])


def test_sweep_varies_over_them(file: Path) -> None:
    words = "sweep", "allfives", "--rounds", 50, "--metric", "points_per_play"
    run = fives(*words, "--policy-file", file, "--vary", "policy=greedy,twin-of-greedy,bold", "--json")
    cells = run.json["tables"]["cells"]
    assert [cell["policy"] for cell in cells] == ["greedy", "twin-of-greedy", "bold"]
    assert cells[0]["estimate"] == cells[1]["estimate"] != cells[2]["estimate"]


def test_trace_writes_their_games(file: Path) -> None:
    words = "trace", "draw", "--rounds", 3
    own = fives(*words, "--policy-file", file, "--policy", "twin-of-greedy").out
    assert own.replace("twin-of-greedy", "greedy") == fives(*words).out


def test_a_run_goes_on_without_the_file(file: Path, tmp_path: Path) -> None:
    words = "compare", "draw", "--deals", 50, "--policy", "bold", "--policy", "greedy", "--policy-file", file
    whole, part = tmp_path / "whole", tmp_path / "part"
    assert fives(*words, "--out", whole, "--quiet").code == 0
    assert fives(*words, "--out", part, "--quiet").code == 0
    file.unlink()
    manifest = json.loads((part / "manifest.json").read_text())
    manifest |= {"state": "running", "done": None, "stopped_because": None}
    (part / "manifest.json").write_text(json.dumps(manifest))
    assert fives("resume", part, "--quiet").code == 0
    assert (part / "pairs.csv").read_bytes() == (whole / "pairs.csv").read_bytes()
    kept = json.loads((part / "manifest.json").read_text())["policies"][0]
    assert kept == {"name": "bold", "weights": {"points": 10, "double": 100}}
