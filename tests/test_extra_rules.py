"""The extra rule sets, held to facts of public rule pages (the source of each set names them)."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from analyzer.housefile import read_house_file
from analyzer.policies import POLICIES
from analyzer.referee.events import apply_play, points_of_play
from analyzer.referee.settlement import block_gains, out_gains
from analyzer.rulesets import EXTRAS, EXTRAS_FOLDER, RuleSet, rule_set, sets_of
from analyzer.simulate import simulate
from analyzer.traces import traces
from tests.plain.deals import play_stated

FIELDS_BY_PLAYERS = {"hand", "target"}  # what the files may say by the number of players


def played(rules: RuleSet, count: int, policy: str = "greedy", seed: int = 1) -> list[dict[str, Any]]:
    return list(traces(rules, [policy], seed=seed, count=count))


def rounds_of(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [round_ for game in games for round_ in game["rounds"]]


def test_each_extra_set_has_a_file() -> None:
    assert {path.name for path in EXTRAS_FOLDER.glob("*.toml")} == {f"{name}.toml" for name in EXTRAS}
    for name in EXTRAS:
        file = read_house_file(EXTRAS_FOLDER / f"{name}.toml")
        assert file.source
        assert file.summary
        assert set(file.choices) <= set(rule_set(name).as_dict())
        assert all(set(fields) <= FIELDS_BY_PLAYERS for fields in file.by_players.values())
        assert sets_of(name) == ("double-six",)


@pytest.mark.parametrize(
    ("name", "hands", "targets"),
    [
        ("block", (7, 5, 5), (100, 100, 100)),
        ("muggins", (7, 7, 5), (200, 150, 150)),
        ("fiveup61reach", (5, 5, 5), (305, 305, 305)),
        ("threes-and-fives", (7, 5, 5), (61, 61, 61)),
    ],
)
def test_hands_and_targets(name: str, hands: tuple[int, ...], targets: tuple[int, ...]) -> None:
    sets = [rule_set(name, players=players) for players in (2, 3, 4)]
    assert tuple(rules.hand for rules in sets) == hands
    assert tuple(rules.target for rules in sets) == targets


# --- block --------------------------------------------------------------------------------------


def test_block_nobody_draws_and_the_opener_rotates() -> None:
    for game in played(rule_set("block", players=3), 20):
        openers = [round_["opener"] for round_ in game["rounds"]]
        assert openers == [(openers[0] + number) % 3 for number in range(len(openers))]
        assert {round_["opener_by"] for round_ in game["rounds"][1:]} <= {"seat_in_turn"}
        for round_ in game["rounds"]:
            assert not any(turn["drawn"] or turn["points"] for turn in round_["turns"])


@pytest.mark.parametrize(
    ("pips", "gains"),
    [
        ([4, 13, 20], [(0, 29)]),  # 13 + 20 - 4
        ([0, 13, 0], []),  # tied for least: no winner, no points
        ([9, 8, 30], [(1, 31)]),
    ],
)
def test_block_the_winner_takes_the_others_pips_less_its_own(pips: list[int], gains: list) -> None:
    rules = rule_set("block", players=3)
    assert [(gain.side, gain.net) for gain in block_gains(rules, pips)] == gains


def test_block_who_goes_out_takes_all_pips() -> None:
    (gain,) = out_gains(rule_set("block", players=3), 1, [4, 0, 9], 0)
    assert (gain.side, gain.net) == (1, 13)


ROUNDS = 200_000
PUBLISHED = 64_000_000  # rounds of the published runs
OPENER, TIED, BLOCKED, PLAYS = 0.56674, 0.02632, 0.70414, 10.361
FAR = 4  # joint standard errors


@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(20 * ROUNDS, marks=pytest.mark.slow)])
def test_block_agrees_with_published_runs_of_random_players(rounds: int) -> None:
    result = simulate(rule_set("block"), ["random"], rounds=rounds, seed=2)
    rows = {row["metric"]: row for row in result.summary_rows}
    tied = result.total.total(["tied"]) / rounds
    strictly = rows["opener_win_rate"]["estimate"] - tied / 2
    widen = sqrt(1 + rounds / PUBLISHED)

    def is_near(found: float, published: float, error: float) -> bool:
        return abs(found - published) <= FAR * error * widen

    assert is_near(strictly, OPENER, sqrt(OPENER * (1 - OPENER) / rounds))
    assert is_near(tied, TIED, sqrt(TIED * (1 - TIED) / rounds))
    assert is_near(rows["blocked_rate"]["estimate"], BLOCKED, sqrt(BLOCKED * (1 - BLOCKED) / rounds))
    assert is_near(rows["plays_per_round"]["estimate"], PLAYS, rows["plays_per_round"]["std_error"])


# --- muggins ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pips", "credit"),
    [
        ([0, 27, 0], 25),  # 25 for 27 pips in an opponent's hand, 30 for 28
        ([0, 28, 0], 30),
        ([0, 12, 12], 20),  # one sum would give 25
        ([0, 13, 13], 30),  # and here too
    ],
)
def test_muggins_rounds_each_opponents_hand(pips: list[int], credit: int) -> None:
    (gain,) = out_gains(rule_set("muggins", players=3), 0, pips, 0)
    assert gain.credit == credit


def test_muggins_the_highest_double_leads_the_first_round() -> None:
    games = played(rule_set("muggins", players=4), 60)
    for game in games:
        first = game["rounds"][0]
        assert first["opener_by"] == "highest_double"
        held = [(tile, seat) for seat, hand in enumerate(first["hands"]) for tile in hand]
        doubles = [f"{value}-{value}" for value in range(6, -1, -1)]
        best = next(tile for tile in doubles if tile in [held_tile for held_tile, _ in held])
        assert (first["turns"][0]["move"], first["opener"]) == (best, dict(held)[best])
    assert {round_["opener_by"] for round_ in rounds_of(games)} == {"highest_double", "out", "lot"}


# --- five up to 61 and past it ------------------------------------------------------------------


def test_fiveup61reach_refuses_nothing_and_ends_at_61_or_past_it() -> None:
    games = played(rule_set("fiveup61reach"), 40)
    for game in games:
        events = [event for round_ in game["rounds"] for event in (*round_["turns"], *round_["settlement"])]
        assert not any(event["accepted"] is False for event in events)
        assert max(game["scores"]) >= 305
    assert any(max(game["scores"]) > 305 for game in games)


def test_fiveup61reach_single_rounds_are_those_of_exact61() -> None:
    for policy in POLICIES:
        if policy != "defend":
            reach, exact = (
                played(rule_set(name, players=4).replace(target=None), 10, policy)
                for name in ("fiveup61reach", "exact61")
            )
            assert rounds_of(reach) == rounds_of(exact)


# --- threes and fives ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "points"),
    [
        (0, 0), (1, 0), (2, 0), (3, 1), (4, 0), (5, 1), (6, 2), (7, 0), (8, 0), (9, 3), (10, 2), (12, 4),
        (15, 8), (18, 6), (20, 4),
    ],
)  # fmt: skip
def test_threes_and_fives_points_of_a_count(count: int, points: int) -> None:
    assert points_of_play(rule_set("threes-and-fives"), count) == points


def test_raw_points_of_both_numbers_add_up() -> None:
    both = rule_set("allfives", second_multiple=3)
    assert [points_of_play(both, count) for count in (10, 12, 15, 30)] == [10, 12, 30, 60]


@pytest.mark.parametrize(
    ("score", "accepted", "after"),
    [
        (55, True, 60),  # a count of 12 is four points, one more for going out
        (56, True, 61),
        (57, False, 57),  # four alone would hit 61
    ],
)
def test_threes_and_fives_the_point_for_going_out_comes_with_the_last_play(
    score: int, accepted: bool, after: int
) -> None:
    rules = rule_set("threes-and-fives", hand=2)
    result = play_stated(rules, "6-5 5-0 / 6-6 4-4", "6-5 6-6@6 5-0@5", scores=(score, 0))
    assert result.record["turns"][2]["count"] == 12
    assert result.record["turns"][2]["points"] == 4
    assert result.record["end"] == "out"
    (event,) = result.record["settlement"]
    assert (event["play"], event["credit"]) == (4, 1)
    assert (event["accepted"], event["scores"][0]) == (accepted, after)


def test_threes_and_fives_points_that_pass_61_do_not_count() -> None:
    rules = rule_set("threes-and-fives")
    outcome = apply_play(rules, (Fraction(58), Fraction(0)), 0, points_of_play(rules, 12))
    assert (outcome.accepted, outcome.scores[0]) == (False, 58)
    outcome = apply_play(rules, (Fraction(60), Fraction(0)), 0, points_of_play(rules, 5))
    assert (outcome.accepted, outcome.scores[0]) == (True, 61)


def test_threes_and_fives_a_block_scores_nothing_and_the_lead_passes_left() -> None:
    games = played(rule_set("threes-and-fives", players=4), 10)
    assert any(round_["end"] == "blocked" for round_ in rounds_of(games))
    for game in games:
        openers = [round_["opener"] for round_ in game["rounds"]]
        assert openers == [(openers[0] + number) % 4 for number in range(len(openers))]
        for round_ in game["rounds"]:
            assert not any(turn["drawn"] for turn in round_["turns"])
            assert round_["end"] != "blocked" or not round_["settlement"]
