"""`fives simulate` and `fives trace`: what they ask of the library, print, write and refuse."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.shell import fives, refusal
from tests.stand_ins import MANIFEST, SUMMARY, TABLES, Calls, install


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return install(monkeypatch)


# --- what the library is asked for --------------------------------------------------------------


def test_defaults(calls: Calls) -> None:
    assert fives("simulate", "allfives", "--games", 10).code == 0
    (call,) = calls
    assert call["policies"] == ["greedy", "greedy"]
    assert (call["rules"].name, call["rules"].players, call["rules"].target) == ("allfives", 2, 250)
    assert (call["games"], call["rounds"], call["seed"], call["first_game"]) == (10, None, 1, 0)
    assert (call["threads"], call["confidence"]) == (None, 0.95)


def test_rounds_have_no_target(calls: Calls) -> None:
    fives("simulate", "exact61", "--rounds", 10)
    assert calls[0]["rules"].target is None


def test_rule_options(calls: Calls) -> None:
    options = (
        "--players",
        4,
        "--set",
        "double-nine",
        "--target",
        250,
        "--hand-size",
        6,
        "--sides",
        "0,1,0,1",
    )
    fives("simulate", "partout5", "--games", 1, *options)
    rules = calls[0]["rules"]
    assert (rules.players, rules.set, rules.target, rules.hand) == (4, "double-nine", 250, 6)
    assert rules.sides == (0, 1, 0, 1)


def test_sides_none(calls: Calls) -> None:
    fives("simulate", "exact61", "--players", 4, "--sides", "none", "--rounds", 1)
    assert calls[0]["rules"].sides == (0, 1, 2, 3)


def test_policies_of_sides_are_shared_by_partners(calls: Calls) -> None:
    fives("simulate", "exact61", "--players", 4, "--policy", "careful", "--policy", "random", "--rounds", 1)
    assert calls[0]["policies"] == ["careful", "random", "careful", "random"]


def test_run_options(calls: Calls) -> None:
    fives(
        "simulate", "draw", "--rounds", 5, "--seed", 7, "--threads", 2, "--first-game", 9, "--confidence", 0.9
    )
    call = calls[0]
    assert (call["seed"], call["threads"], call["first_game"], call["confidence"]) == (7, 2, 9, 0.9)


# --- what is printed ----------------------------------------------------------------------------


@pytest.mark.usefixtures("calls")
def test_tables() -> None:
    outcome = fives("simulate", "exact61", "--players", 4, "--games", 1000)
    first = outcome.out.splitlines()[0]
    for words in ("exact61", "4 players", "0,1,0,1", "greedy", "1,000 games", "seed 1", "95 %"):
        assert words in first
    assert "blocked_rate" in outcome.out
    assert "0.25000" in outcome.out
    assert "ends" in outcome.out
    assert outcome.out.endswith("\nIn words.\n")
    assert outcome.err == ""


@pytest.mark.usefixtures("calls")
def test_json() -> None:
    shown = fives("simulate", "draw", "--rounds", 1, "--json").json
    assert shown == {"manifest": MANIFEST, "summary": SUMMARY, "tables": TABLES}


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (("draw", "--rounds", 1, "--csv"), SUMMARY),
        (("--csv", "draw", "--rounds", 1), SUMMARY),
        (("draw", "--csv", "--rounds", 1), SUMMARY),
        (("draw", "--rounds", 1, "--csv", "summary"), SUMMARY),
        (("draw", "--rounds", 1, "--csv", "ends"), TABLES["ends"]),
        (("draw", "--csv=ends", "--rounds", 1), TABLES["ends"]),
    ],
)
def test_csv(words: tuple[object, ...], rows: list[dict[str, object]]) -> None:
    text = fives("simulate", *words).out
    read = list(csv.DictReader(io.StringIO(text)))
    columns = {key for row in rows for key in row}
    assert read == [{key: "" if row.get(key) is None else str(row[key]) for key in columns} for row in rows]


# --- what is written ----------------------------------------------------------------------------


def test_out_folder(calls: Calls, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    outcome = fives("simulate", "draw", "--rounds", 1, "--out", folder)
    assert outcome.code == 0
    assert outcome.err == f"fives: wrote the run to {folder}.\n"
    assert calls[0]["folder"].path == folder


def test_unwritable_folder_is_refused_before_playing(calls: Calls, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot write" in refusal("simulate", "draw", "--rounds", 1, "--out", tmp_path / "file" / "run")
    assert "cannot write" in refusal("simulate", "draw", "--rounds", 1, "--out", tmp_path / "file")
    assert not calls


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["simulate", "trace"])
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("allfives",), "neither of rounds and games given"),
        (("allfives", "--rounds", 1, "--games", 1), "both of rounds and games given"),
        (("allfives", "--rounds", 0), "rounds is 0: it must be at least 1"),
        (("allfives", "--games", -5), "games is -5: it must be at least 1"),
        (("allfives", "--games", 1, "--seed", -1), "seed out of range"),
        (("allfives", "--games", 1, "--seed", 2**62), "seed out of range"),
        (("allfives", "--games", 1, "--seed", 10**30), "seed out of range"),
        (("allfives", "--games", 1, "--first-game", -1), "first game is -1"),
        (("allfives", "--games", 2, "--first-game", 2**62 - 1), "first game"),
        (("allfives", "--rounds", 1, "--target", 100), "--target is for games"),
        (("exact61", "--games", 1, "--target", 303), "multiple of 5"),
        (("exact61", "--games", 1, "--target", 0), "target is 0"),
        (("allfives", "--games", 1, "--players", 5), "2, 3 or 4"),
        (("allfives", "--games", 1, "--hand-size", 15), "from 1 to 14"),
        (("allfives", "--games", 1, "--hand-size", 0), "from 1 to 14"),
        (("exact61", "--games", 1, "--set", "double-nine"), "exact61 is played with the double-six set"),
        (("draw", "--games", 1, "--set", "double-twelve"), "only the double-six and the double-nine set"),
        (("allfives", "--games", 1, "--sides", "x"), "0,1,0,1 or none"),
        (("allfives", "--games", 1, "--sides", "0,1,0,1"), "0,1 with 2 players"),
        (("exact61", "--games", 1, "--players", 4, "--sides", "0,0,1,1"), "0,1,0,1"),
        (("alfives", "--games", 1), "did you mean allfives?"),
        (("allfives", "--games", 1, "--policy", "gredy"), "did you mean greedy?"),
        (("allfives", "--games", 1, *["--policy", "greedy"] * 3), "give 1 or 2"),
        (("exact61", "--games", 1, "--players", 4, *["--policy", "greedy"] * 3), "give 1, 2 or 4"),
        (("allfives", "--games", "many"), "--games does not fit"),
        (("allfives", "--games"), "requires an argument"),
        (("allfives", "--game", 1), "did you mean --games?"),
        ((), "no rule set is given: name one, such as allfives"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    calls: Calls, command: str, words: tuple[object, ...], sentence: str
) -> None:
    assert sentence in refusal(command, *words)
    assert not calls


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--threads", 0), "from 1 to 256"),
        (("--threads", 257), "from 1 to 256"),
        (("--confidence", 0), "between 0 and 1"),
        (("--confidence", 1), "between 0 and 1"),
        (("--confidence", "nan"), "between 0 and 1"),
        (("--csv", "end"), "did you mean ends?"),
        (("--csv", "--json"), "choose one"),
        (("--force",), "name it with --out"),
    ],
)
def test_bad_options_of_simulate(calls: Calls, words: tuple[object, ...], sentence: str) -> None:
    assert sentence in refusal("simulate", "allfives", "--games", 1, *words)
    assert not calls


@pytest.mark.usefixtures("calls")
def test_a_table_that_this_run_lacks() -> None:
    assert "no table 'needs'" in refusal("simulate", "allfives", "--games", 1, "--csv", "needs")


# --- traces -------------------------------------------------------------------------------------


def test_trace_prints_one_object_a_line(calls: Calls) -> None:
    outcome = fives("trace", "exact61", "--games", 3, "--first-game", 5, "--seed", 2)
    assert [json.loads(line)["game"] for line in outcome.out.splitlines()] == [5, 6, 7]
    (call,) = calls
    assert (call["seed"], call["first_game"], call["count"]) == (2, 5, 3)
    assert call["rules"].target == 305


def test_trace_of_rounds_has_no_target(calls: Calls) -> None:
    fives("trace", "exact61", "--rounds", 2)
    assert calls[0]["rules"].target is None


@pytest.mark.usefixtures("calls")
def test_trace_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("old")
    outcome = fives("trace", "draw", "--games", 2, "--out", file)
    assert (outcome.code, outcome.out) == (0, "")
    assert [json.loads(line)["game"] for line in file.read_text().splitlines()] == [0, 1]
    assert list(tmp_path.iterdir()) == [file]


def test_trace_into_an_unwritable_file_plays_nothing(calls: Calls, tmp_path: Path) -> None:
    assert "cannot write" in refusal("trace", "draw", "--games", 1, "--out", tmp_path / "none" / "file")
    assert "cannot write" in refusal("trace", "draw", "--games", 1, "--out", tmp_path)
    assert not calls
