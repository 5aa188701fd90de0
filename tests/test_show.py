"""`fives show`: every step of a round as its trace has it, in the terminal and as a page."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli.drawing import draw
from analyzer.errors import FivesError
from analyzer.given import given
from analyzer.rulesets import rule_set
from analyzer.showing import laid_tiles, recorded_game, round_story
from analyzer.traces import traces
from reports.board import words
from reports.board.page import START, board_page
from reports.board.placing import place
from tests.layouts import layout_of
from tests.plain.play import play_trace
from tests.shell import fives, refusal

CASES = [
    ("exact61", 2, {}),
    ("exact61", 4, {}),
    ("allfives", 3, {}),
    ("allfives", 4, {}),
    ("partout5", 2, {"set": "double-nine"}),
    ("draw", 3, {}),
    ("muggins", 4, {}),
    ("threes-and-fives", 2, {}),
    ("draw", 2, {"set": "double-nine"}),
]
IDS = [f"{name}-{players}{'-nine' if changes else ''}" for name, players, changes in CASES]


def traced(name: str, players: int, changes: dict[str, Any], seed: int = 1, game: int = 0) -> dict[str, Any]:
    return play_trace(rule_set(name, players=players, **changes), ["greedy"], seed, game)


@pytest.fixture
def partners() -> dict[str, Any]:
    return traced("exact61", 4, {})


@pytest.fixture
def file(tmp_path: Path, partners: dict[str, Any]) -> Path:
    """A file of three games, numbers 0, 5 and 7."""
    path = tmp_path / "games.jsonl"
    games = [partners, traced("draw", 3, {}, game=5), traced("allfives", 3, {}, game=7)]
    path.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    return path


# --- the story ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "changes"), CASES, ids=IDS)
def test_every_step_is_what_the_trace_says(name, players, changes):
    trace = traced(name, players, changes)
    game = recorded_game(trace)
    for number, record in enumerate(trace["rounds"]):
        story = round_story(game, number)
        assert [[str(tile) for tile in hand] for hand in story.dealt.hands] == record["hands"]
        assert [str(tile) for tile in story.dealt.boneyard] == record["boneyard"]
        for turn, told in zip(story.turns, record["turns"], strict=True):
            assert (turn.seat, turn.move, turn.count) == (told["seat"], told["move"], told["count"])
            assert [str(tile) for tile in turn.drawn] == told["drawn"]
            assert (turn.points, turn.accepted) == (told["points"], told["accepted"])
            assert list(turn.table.scores) == told["scores"]
        ending = story.ending
        held = [sum(tile.high + tile.low for tile in hand) for hand in ending.table.hands]
        assert held == list(ending.pips) == record["pips"]
        assert [gain.net for gain in ending.gains] == [event["net"] for event in record["settlement"]]


@pytest.mark.parametrize(("name", "players", "changes"), CASES, ids=IDS)
def test_tiles_are_conserved_at_every_step(name, players, changes):
    story = round_story(recorded_game(traced(name, players, changes)), 0)
    tables = [story.dealt, *(turn.table for turn in story.turns), story.ending.table]
    whole = sorted(tile for row in (*story.dealt.hands, story.dealt.boneyard) for tile in row)
    for table in tables:
        lying = [tile.face for tile in story.laid[: table.laid]]
        assert sorted([*lying, *table.boneyard, *(tile for hand in table.hands for tile in hand)]) == whole


def test_scores_go_on_from_the_round_before(partners):
    game = recorded_game(partners)
    for number in range(1, len(partners["rounds"])):
        assert round_story(game, number).dealt.scores == round_story(game, number - 1).ending.table.scores
    assert list(round_story(game, len(partners["rounds"]) - 1).ending.table.scores) == partners["scores"]


def test_what_each_tile_joins():
    layout = layout_of("6-3 6-6@6 6-1@6-6 6-5@6-6 3-2@3 6-2@6-6", "all")
    joints = [(tile.near, tile.far, tile.joint.parent, tile.joint.exit) for tile in laid_tiles(layout)]
    assert joints == [
        (6, 3, None, 0), (6, 6, 0, 0), (6, 1, 1, 1), (6, 5, 1, 2), (3, 2, 0, 1), (6, 2, 1, 3),
    ]  # fmt: skip


def test_the_layout_in_words():
    layout = layout_of("6-3 6-6@6 6-1@6-6 6-5@6-6 3-2@3 6-2@6-6", "all")
    assert words.layout_lines(laid_tiles(layout)) == [
        "1-6 6-6 6-3 3-2",
        "arm of 6-6: 6-5",
        "arm of 6-6: 6-2",
    ]


# --- words --------------------------------------------------------------------------------------


def test_a_rejected_play_is_struck_and_says_why():
    for seed in range(1, 30):
        trace = traced("exact61", 2, {}, seed)
        rejected = [
            (number, turn["points"])
            for number, round_ in enumerate(trace["rounds"])
            for turn in round_["turns"]
            if turn["accepted"] is False
        ]
        if rejected:
            break
    number, points = rejected[0]
    story = round_story(recorded_game(trace), number)
    (turn,) = [turn for turn in story.turns if turn.accepted is False][:1]
    sentence = words.turn_sentences(story, turn)[-1]
    assert [part.text for part in sentence if part.is_struck] == [f"{points} points for seat {turn.seat}"]
    assert words.plain(sentence).endswith(f"rejected, since {turn.before} + {points} is above 305.")
    assert f"<s>{points} points for seat {turn.seat}</s>" in board_page(story)


def test_a_last_play_of_exact61_waits_for_the_settlement(partners):
    rounds = partners["rounds"]
    number = next(k for k, each in enumerate(rounds) if each["end"] == "out" and each["turns"][-1]["points"])
    record = rounds[number]
    story = round_story(recorded_game(partners), number)
    assert "come with the settlement" in words.plain(words.turn_sentences(story, story.turns[-1])[-1])
    gain = words.plain(words.end_sentences(story)[2])
    assert f"{record['settlement'][0]['play']} (last play)" in gain


def test_partners_are_named_as_sides_and_others_as_seats(partners):
    story = round_story(recorded_game(partners), 0)
    assert words.side_name(story, 1) == "side 1 (seats 1 and 3)"
    single = round_story(recorded_game(traced("draw", 3, {})), 0)
    assert words.side_name(single, 2) == "seat 2"


# --- the terminal -------------------------------------------------------------------------------


def test_a_round_in_the_terminal(file, partners):
    text = fives("show", file).out
    record = partners["rounds"][0]
    assert text.startswith("Game 0, round 0\n")
    assert "The file has 3 games; --game shows another one." in text
    assert f"rounds 0 to {len(partners['rounds']) - 1}; --round" in text
    headings = re.findall(r"^(?:──|--) (.+?) (?:─|-)*$", text, flags=re.MULTILINE)
    turns = [f"Turn {number}: seat {turn['seat']}" for number, turn in enumerate(record["turns"])]
    assert headings == ["The deal", *turns, f"The end: {record['end']}"]
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text


def test_the_drawing():
    """Line characters, else ASCII; the tile laid last has heavy lines, or # and =."""
    laid = laid_tiles(layout_of("6-3 3-3@3 3-1@3-3", "first"))
    placing = place([tile.joint for tile in laid])
    drawn = ["".join(cell.text for cell in row) for row in draw(laid, placing, is_utf8=True, new=2)]
    assert drawn == [
        "        ┌───┐",
        "┌───┬───┤ 3 ┣━━━┳━━━┓",
        "│ 6 │ 3 ├───┫ 3 ┃ 1 ┃",
        "└───┴───┤ 3 ┣━━━┻━━━┛",
        "        └───┘",
    ]
    plain = ["".join(cell.text for cell in row) for row in draw(laid, placing, is_utf8=False, new=2)]
    assert plain == [
        "        +---+",
        "+---+---+ 3 #===#===#",
        "| 6 | 3 +---# 3 # 1 #",
        "+---+---+ 3 #===#===#",
        "        +---+",
    ]


def test_one_turn(file):
    text = fives("show", file, "--turn", 2).out
    assert "Turn 2: seat" in text
    assert "Turn 3" not in text
    assert "The deal" not in text


def test_a_narrow_window_gets_the_layout_as_text(file, monkeypatch):
    monkeypatch.setenv("COLUMNS", "26")
    text = fives("show", file, "--turn", 6).out
    assert all(len(line) <= 26 for line in text.splitlines())
    assert not set("│┃|#") & set(text)


@pytest.mark.parametrize("columns", [40, 60, 120])
def test_every_line_fits_the_window(file, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for game in (0, 5, 7):
        assert all(len(line) <= columns for line in fives("show", file, "--game", game).out.splitlines())


def test_another_game_and_round(file):
    assert fives("show", file, "--game", 5).out.startswith("Game 5, round 0\n")
    assert fives("show", file, "--round", 1).out.startswith("Game 0, round 1\n")


def test_a_game_played_first_is_the_one_that_trace_writes(tmp_path):
    options = ["exact61", "--players", 4, "--seed", 3, "--first-game", 2, "--policy", "careful"]
    trace = tmp_path / "trace"
    assert fives("trace", *options, "--games", 1, "--out", trace).code == 0
    assert fives("show", *options).out == fives("show", trace).out


def test_the_scores_at_the_start_of_a_game_are_its_own():
    rules = rule_set("allfives")
    trace = next(traces(rules, ["greedy"], given=given(rules, scores=[200, 150], hands={1: "5-5"}, opener=1)))
    story = round_story(recorded_game(trace), 0)
    assert list(story.dealt.scores) == [200, 150]
    first = story.turns[0]
    assert first.before == 150
    assert list(first.table.scores) == trace["rounds"][0]["turns"][0]["scores"] == [200, 150 + first.points]


def test_a_game_played_first_takes_what_is_given(tmp_path):
    words = ("--hand", "0=6-6 6-5", "--boneyard", "1-1", "--opener", 0, "--scores", "200,150")
    more = (*words, "--given", "doubles(0) >= 4", "--seed", 7)
    traced_ = fives("trace", "allfives", "--games", 1, *more, "--out", tmp_path / "game.jsonl")
    assert traced_.code == 0
    shown = fives("show", "allfives", *more).out
    assert shown == fives("show", tmp_path / "game.jsonl").out
    assert "Seat 0 opens (as given)." in shown
    assert "seat 0: 200, seat 1: 150" in shown
    assert "--given is for a game that is played first" in refusal(
        "show", tmp_path / "game.jsonl", "--given", "1"
    )


def test_house_rules(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text('base = "allfives"\nspinner = "none"\n', encoding="utf-8")
    text = fives("show", club).out
    assert "spinner none" in text
    assert fives("show", "--rules", club).out == text


def test_scores_are_in_the_unit_of_the_rules(partners):
    assert words.scores_label(round_story(recorded_game(partners), 0)) == "Scores, in raw points"
    divided = round_story(recorded_game(traced("threes-and-fives", 2, {})), 0)
    assert words.scores_label(divided) == "Scores, in points"


# --- mistakes -----------------------------------------------------------------------------------


def test_what_is_not_there(file, tmp_path):
    assert refusal("show", file, "--game", 3).endswith("has no game 3: it has 3 games, numbers 0 to 7.")
    assert "game 0 has no round 99: it has rounds 0 to" in refusal("show", file, "--round", 99)
    assert "has no turn 99: it has 0 to" in refusal("show", file, "--turn", 99)
    assert "has no round -1" in refusal("show", file, "--round", -1)
    assert refusal("show", tmp_path / "none.jsonl").startswith("cannot read")
    assert refusal("show", "allfive") == "unknown file or rule set 'allfive': did you mean allfives?"
    empty = tmp_path / "empty"
    empty.write_text("\n")
    assert "holds no trace" in refusal("show", empty)


def test_options_that_do_not_go_together(file, tmp_path):
    assert refusal("show") == (
        "nothing is given to show: name a file of traces, or a rule set such as allfives."
    )
    assert "given twice" in refusal("show", "draw", "--rules", tmp_path / "club.toml")
    assert refusal("show", file, "--seed", 1).startswith("--seed is for a game that is played first")
    assert refusal("show", file, "--set", "double-six").startswith("--set is for")
    assert refusal("show", "draw", "--game", 1).startswith("--game picks a game of a file")
    assert refusal("show", file, "--turn", 1, "--html", tmp_path / "a.html").startswith("--turn is for")


def test_a_damaged_trace_is_told_in_the_plain_engines_words(file, partners):
    changed = copy.deepcopy(partners)
    changed["rounds"][0]["turns"][1]["count"] += 1
    file.write_text(json.dumps(changed) + "\n")
    sentence = refusal("show", file)
    right = partners["rounds"][0]["turns"][1]["count"]
    fault = f"game 0, round 0, turn 1: count is {right + 1}, by the rules {right}"
    assert sentence == f"{file}, line 1: {fault}; fives verify names every fault."
    file.write_text('{"format": "fives-trace"}\n')
    assert refusal("show", file) == f"{file}, line 1: version is missing: a trace must have it."
    file.write_text('{"format": "fives-trace", "version": 1}\n' + json.dumps(partners) + "\n")
    assert refusal("show", file, "--game", 0) == f"{file}, line 1: rules is missing: a trace must have it."
    file.write_text("not JSON\n")
    assert refusal("show", file).startswith(f"{file}, line 1: the line is not JSON")


def test_a_trace_object_with_faults_is_refused(partners):
    partners["winner"] = None
    with pytest.raises(FivesError, match="winner is null"):
        recorded_game(partners)


# --- the page -----------------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a page, and whether they nest rightly."""

    VOID = {"meta", "br"}
    EMPTY = {"circle", "rect", "line", "use"}  # closed by their own slash

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag not in self.EMPTY
        self.all.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in self.EMPTY
        self.all.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.all if name == tag]


@pytest.mark.parametrize(("name", "players", "changes"), CASES, ids=IDS)
def test_the_page_holds_every_step_and_defines_what_it_uses(name, players, changes):
    story = round_story(recorded_game(traced(name, players, changes)), 0)
    page = board_page(story)
    elements = Elements(page)
    ids = [attributes["id"] for _, attributes in elements.all if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {use["href"] for use in elements.of("use")} <= {f"#{each}" for each in ids}
    steps = [each for each in ids if each.startswith("step-")]
    assert len(steps) == len(story.turns) + 2
    placed = [use["href"] for use in elements.of("use") if use["href"].startswith("#tile-")]
    laid = [turn.table.laid for turn in story.turns] + [len(story.laid)]
    assert len(placed) == sum(laid)  # each step shows the tiles of all plays up to it
    assert "://" not in page
    for turn in story.turns:
        for sentence in words.turn_sentences(story, turn):
            assert all(part.text in page for part in sentence)


def test_the_target_is_told_once(partners):
    story = round_story(recorded_game(partners), 0)
    told = dataclasses.replace(story, rules="allfives with spinner all, target 150", target=150)
    assert words.subtitle(told).startswith("allfives with spinner all, target 150; the game has")
    told = dataclasses.replace(story, rules="allfives", target=250)
    assert words.subtitle(told).startswith("allfives; target 250; the game has")


def test_names_from_a_trace_are_escaped(partners):
    partners["policies"][0] = "<script>alert(1)</script>"
    page = board_page(round_story(recorded_game(partners), 0))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_page_is_written_whole_and_told(file, tmp_path):
    path = tmp_path / "round.html"
    outcome = fives("show", file, "--game", 7, "--html", path)
    assert outcome.out == ""
    assert outcome.err.startswith("fives: wrote round 0 of game 7, which has ")
    assert path.read_text(encoding="utf-8").startswith(START)
    assert fives("show", file, "--html", path).code == 0  # an older page is replaced
    assert "cannot write" in refusal("show", file, "--html", tmp_path / "none" / "round.html")


def test_a_file_that_is_no_page_is_left_alone(file, tmp_path):
    mine = tmp_path / "mine.html"
    mine.write_text("<!DOCTYPE html>\n", encoding="utf-8")
    for path in (file, mine):
        before = path.read_bytes()
        told = f"{path} holds something else than such a page: choose another name."
        assert refusal("show", file, "--html", path) == told
        assert path.read_bytes() == before


def test_the_page_of_a_game_is_always_the_same(partners):
    game = recorded_game(partners)
    assert board_page(round_story(game, 0)) == board_page(round_story(game, 0))
