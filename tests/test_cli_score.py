"""`fives score` and `fives verify`: score sheets of moves typed by hand, faults of written games."""

from __future__ import annotations

import sys
import types
from collections import namedtuple
from pathlib import Path

import pytest

from tests.shell import fives, refusal

MOVES = "1-4 1-1@1 4-4@4 4-3@4-4 2-1@1-1 1-5@1-1 5-5@5 5-0@5-5 1-3@1-1".split()


def test_counts_of_a_sheet() -> None:
    plays = fives("score", "allfives", *MOVES, "--json").json["plays"]
    assert [play["count"] for play in plays] == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    assert [play["points"] for play in plays] == [5, 0, 10, 5, 5, 10, 15, 5, 0]
    assert plays[4]["places"] == ["2", "3", "1-1", "1-1"]
    assert list(plays[0]) == ["move", "count", "points", "places"]


def test_every_double_is_a_spinner_in_exact61() -> None:
    plays = fives("score", "exact61", *MOVES[:5], "--json").json["plays"]
    assert plays[4]["places"] == ["2", "3", "1-1", "1-1", "4-4", "4-4"]


def test_plays_of_the_draw_game_score_nothing() -> None:
    plays = fives("score", "draw", *MOVES[:3], "--json").json["plays"]
    assert [play["points"] for play in plays] == [0, 0, 0]


def test_text() -> None:
    text = fives("score", "allfives", *MOVES[:2]).out
    assert "1-1@1" in text
    assert "4, 1-1" in text


@pytest.mark.parametrize("words", [(), ("-",)])
def test_moves_from_stdin(words: tuple[str, ...]) -> None:
    plays = fives("score", "allfives", *words, "--json", stdin="5-5\n5-2@5-5\n").json["plays"]
    assert [play["count"] for play in plays] == [10, 12]


def test_moves_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "moves"
    file.write_text("5-5 5-2@5-5\n5-3@5-5\r\n", encoding="utf-8-sig")
    plays = fives("score", "allfives", "--file", file, "--json").json["plays"]
    assert [play["count"] for play in plays] == [10, 12, 5]


def test_double_nine() -> None:
    assert (
        fives("score", "partout5", "9-6", "--set", "double-nine", "--json").json["plays"][0]["points"] == 15
    )


def test_an_illegal_move_ends_the_sheet() -> None:
    outcome = fives("score", "allfives", "1-4", "1-1@2", "--json")
    assert outcome.code == 2
    assert [play["move"] for play in outcome.json["plays"]] == ["4-1"]
    assert "1, 4" in outcome.json["error"]
    assert outcome.err == f"fives: {outcome.json['error']}\n"
    assert "4-1" in fives("score", "allfives", "1-4", "1-1@2").out


def test_refusals(tmp_path: Path) -> None:
    assert "no moves" in refusal("score", "allfives")
    assert "choose one" in refusal("score", "allfives", "1-4", "--file", tmp_path / "moves")
    assert "cannot read" in refusal("score", "allfives", "--file", tmp_path / "moves")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refusal("score", "allfives", "--file", tmp_path / "bytes")
    assert "did you mean draw?" in refusal("score", "drw", "1-4")


# --- verify -------------------------------------------------------------------------------------

Fault = namedtuple("Fault", "game round turn text")
Report = namedtuple("Report", "faults unreadable games rounds")


@pytest.mark.parametrize(
    ("report", "code", "out", "err"),
    [
        (Report([], [], 2, 9), 0, "2 games, 9 rounds: no faults\n", ""),
        (
            Report([Fault(3, 0, 5, "6-3 was not in hand")], [], 4, 9),
            1,
            "game 3, round 0, turn 5: 6-3 was not in hand\n4 games, 9 rounds: 1 fault\n",
            "",
        ),
        (
            Report([Fault(3, 1, None, "a"), Fault(3, None, None, "b")], [(2, "it is no JSON.")], 4, 9),
            2,
            "game 3, round 1: a\ngame 3: b\n4 games, 9 rounds: 2 faults\n",
            "fives: games.jsonl, line 2: it is no JSON.\n",
        ),
    ],
)
def test_verify(monkeypatch: pytest.MonkeyPatch, report: Report, code: int, out: str, err: str) -> None:
    module = types.ModuleType("analyzer.referee.replay")
    module.verify_file = lambda path: report  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "analyzer.referee.replay", module)
    outcome = fives("verify", "games.jsonl")
    assert (outcome.code, outcome.out, outcome.err) == (code, out, err)
