"""5 partout and the draw game as whole games: both sets, the three targets, who opens, void rounds."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.notation import parse_tile
from analyzer.rulesets import rule_set
from analyzer.traces import traces

SETS = {"double-six": (28, 7), "double-nine": (55, 10)}
TARGETS = (100, 250, 500)
NAMES = ("partout5", "draw")


def games(name: str, set_: str, target: int, players: int = 2, count: int = 6) -> list[dict[str, Any]]:
    rules = rule_set(name, set=set_, target=target, players=players)
    return list(traces(rules, ["random"], seed=target, count=count))


def last_placer(round_: dict[str, Any]) -> int:
    return int([turn["seat"] for turn in round_["turns"] if turn["move"] is not None][-1])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("set_", SETS)
@pytest.mark.parametrize("target", TARGETS)
def test_games_of_both_sets_to_each_target(name: str, set_: str, target: int) -> None:
    tiles, hand = SETS[set_]
    for game in games(name, set_, target):
        scores, winner = game["scores"], game["winner"]
        assert scores[winner] >= target > scores[1 - winner]
        for round_ in game["rounds"]:
            assert [len(held) for held in round_["hands"]] == [hand, hand]
            dealt = {tile for tiles_ in (*round_["hands"], round_["boneyard"]) for tile in tiles_}
            assert len(dealt) == tiles
            assert all(turn["scores"][side] < target for turn in round_["turns"][:-1] for side in (0, 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("set_", SETS)
def test_who_placed_the_last_tile_opens(name: str, set_: str) -> None:
    labels = set()
    for game in games(name, set_, 500, players=3, count=10):
        for before, after in zip(game["rounds"], game["rounds"][1:], strict=False):
            assert after["opener"] == last_placer(before)
            labels.add((before["end"], after["opener_by"]))
    after_out = "out" if name == "partout5" else "last_tile"
    assert labels == {("out", after_out), ("blocked", "last_tile")}


def test_plays_score_in_5_partout_and_not_in_the_draw_game() -> None:
    for name in NAMES:
        turns = [
            turn for game in games(name, "double-nine", 250) for r in game["rounds"] for turn in r["turns"]
        ]
        for turn in turns:
            due = turn["count"] if name == "partout5" and turn["count"] and turn["count"] % 5 == 0 else 0
            assert turn["points"] == due


@pytest.mark.parametrize("name", NAMES)
def test_a_tied_block_is_void_and_a_block_goes_to_the_lightest_unrounded(name: str) -> None:
    void, won = 0, 0
    for set_ in SETS:
        for game in games(name, set_, 500, count=60):
            before = [0, 0]
            for round_ in game["rounds"]:
                if round_["end"] == "blocked":
                    light, heavy = sorted(round_["pips"])
                    is_void = light == heavy
                    void, won = void + is_void, won + (not is_void)
                    assert [e["net"] for e in round_["settlement"]] == ([] if is_void else [heavy])
                    assert (round_["winner"] is None) == is_void
                    if is_void and name == "draw":
                        assert round_["turns"][-1]["scores"] == before
                before = (round_["settlement"] or round_["turns"])[-1]["scores"]
    assert won > 0
    assert void > 0


def test_the_draw_game_has_no_spinner() -> None:
    """A double at an end is joined once more at most."""
    for game in games("draw", "double-nine", 250, count=4):
        for round_ in game["rounds"]:
            joins = [turn["move"].split("@")[1] for turn in round_["turns"][1:] if turn["move"]]
            for double in {place for place in joins if "-" in place}:
                led = parse_tile(round_["turns"][0]["move"]) == parse_tile(double)
                assert joins.count(double) <= (2 if led else 1)
