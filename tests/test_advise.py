"""Advice: known truths, the statistics of gaps and looks, and the command."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analyzer.advice import Budget, _Steps, advice, advise
from analyzer.advice_chances import chances_of_best, gap, is_separated
from analyzer.advice_position import typed_position
from analyzer.errors import FivesError
from analyzer.explaining import features_of
from analyzer.notation import Move, Tile
from analyzer.policies import POLICIES
from analyzer.positions import Position
from analyzer.referee.record import trace_line
from analyzer.rulesets import rule_set
from analyzer.search import Searcher, Values
from analyzer.sequential import checkpoints
from analyzer.traces import traces
from analyzer.turnlist import format_turns
from tests import test_endgame
from tests.shell import fives, refusal

CAREFUL = POLICIES["careful"]
EXACT61 = rule_set("exact61")
HAND = "6-3 5-5 4-1 2-2"
MOVES = "5-0, 5-1@5, 2-0@0"
TYPED = ("exact61", "--hand", HAND, "--opener", 1, "--moves", MOVES)


def position(**changes: Any) -> Position:
    return typed_position(EXACT61, **{"hand": HAND, "opener": 1, "moves": MOVES} | changes)


def values_of(samples: np.ndarray[Any, Any], unit: Fraction = Fraction(1, 2)) -> Values:
    """Return the values of worlds: int64 (worlds, placements)."""
    moves = tuple(Move(Tile(high, 0), None) for high in range(samples.shape[1]))
    products = (samples.T @ samples).astype(object)
    return Values(moves, len(samples), unit, samples.sum(axis=0), products)


# --- known truths -------------------------------------------------------------------------------


def test_a_placement_that_wins_at_once_wins_always() -> None:
    """At 295 of 305 the lead of 5-5 scores the 10 that are needed."""
    found = advise(EXACT61, "5-5 6-3 4-1 2-2 6-6", opener=0, scores=(295, 0), worlds=2000)
    first = found.placements[0]
    assert str(first.move) == "5-5"
    assert (first.estimate, first.low, first.high) == (1.0, 1.0, 1.0)
    assert first.p_best == 1.0
    assert found.stopped == "separated"
    assert all(rated.gap_se is not None and rated.gap_se > 3 for rated in found.placements[1:])


def test_the_only_sensible_placement_is_found() -> None:
    """The last tile 5-1 goes out at either end, but makes two fives at one and two ones at the other."""
    rules = rule_set("allfives", players=2, hand=2).replace(target=None)
    found = advise(rules, "5-1", opener=0, moves="3-1, 5-3@3", worlds=500)
    first, second = found.placements
    assert (str(first.move), str(second.move)) == ("5-1@1", "5-1@5")
    assert (first.estimate - second.estimate, second.gap) == (pytest.approx(10), 10)
    assert (first.p_best, second.p_best, second.gap_se) == (1.0, 0.0, None)
    assert found.stopped == "separated"


@pytest.mark.parametrize("rules", test_endgame.TABLES[:4], ids=test_endgame.name_of)
def test_exact_endgames_are_those_of_brute_force(rules: Any) -> None:
    found = test_endgame.known(rules, seed=41)
    for _ in range(3):
        where = next(found)
        searcher = Searcher(where, CAREFUL, 1)
        plain = dict(zip(where.placements, test_endgame.plain_values(where, searcher), strict=True))
        answer = advice(where, CAREFUL, Budget(worlds=1))
        assert answer.stopped == "exact"
        assert answer.worlds == 0
        for rated in answer.placements:
            assert rated.estimate == rated.low == rated.high == float(plain[rated.move] * searcher.unit)
            assert rated.gap_se == (0.0 if plain[rated.move] == max(plain.values()) else None)
        ties = sum(value == max(plain.values()) for value in plain.values())
        assert [rated.p_best for rated in answer.placements[:ties]] == [1 / ties] * ties


# --- the statistics -----------------------------------------------------------------------------


def test_gaps_and_their_errors_are_those_of_the_paired_values() -> None:
    samples = np.random.default_rng(5).integers(-40, 60, (500, 3))
    size, error = gap(values_of(samples), 0, 2)
    differences = (samples[:, 0] - samples[:, 2]) / 2
    assert size == pytest.approx(differences.mean())
    assert error == pytest.approx(differences.std() / math.sqrt(500))


def test_of_two_the_chance_of_best_is_that_of_the_normal_difference() -> None:
    samples = np.random.default_rng(6).integers(-40, 60, (300, 2)) + np.array([2, 0])
    values = values_of(samples)
    size, error = gap(values, 0, 1)
    assert chances_of_best(values)[0] == pytest.approx(NormalDist().cdf(size / error), abs=0.015)


def test_chances_of_best_add_up_and_equals_share_theirs() -> None:
    samples = np.random.default_rng(7).integers(-40, 60, (300, 4))
    samples[:, 3] = samples[:, 1]
    samples[:, 0] -= 1000
    chances = chances_of_best(values_of(samples))
    assert sum(chances) == pytest.approx(1.0)
    assert chances[1] == chances[3]
    assert chances[0] == 0.0


def test_always_the_same_difference_is_no_trouble() -> None:
    samples = np.random.default_rng(8).integers(-40, 60, (100, 1)) + np.array([[3, 0]])
    values = values_of(samples)
    assert chances_of_best(values) == [1.0, 0.0]
    assert is_separated(values, 0, 1, 0.05)
    constant = values_of(np.full((100, 2), 7))
    assert chances_of_best(constant) == [0.5, 0.5]
    assert not is_separated(constant, 0, 1, 0.05)


def test_one_world_says_nothing_of_which_is_best() -> None:
    assert chances_of_best(values_of(np.array([[40, -20, 0, 30]]))) == [0.25] * 4


def test_looking_often_seldom_tells_equals_apart() -> None:
    """Three placements worth the same, looked at 20 times: told apart in at most the risk of the runs."""
    rng, risk, runs = np.random.default_rng(9), 0.2, 300
    stops = [*checkpoints(5000), 5000]
    told = 0
    for _ in range(runs):
        samples = rng.integers(-50, 51, (5000, 3)) + rng.integers(-20, 21, (5000, 1))
        looks = (values_of(samples[:stop]) for stop in stops)
        told += any(is_separated(v, int(v.sums.argmax()), look, risk) for look, v in enumerate(looks, 1))
    assert told / runs < risk
    assert told > 0


# --- when it stops ------------------------------------------------------------------------------


def test_worlds_are_the_bound_where_nothing_is_separated() -> None:
    found = advise(EXACT61, "6-3 5-5 4-1 2-2 6-6", opener=0, worlds=900)
    assert (found.stopped, found.worlds) == ("worlds", 900)


def test_one_placement_is_estimated_all_the_same() -> None:
    found = advise(EXACT61, "6-1 6-6 4-4 3-3", opener=1, moves=MOVES, worlds=300)
    (only,) = found.placements
    assert str(only.move) == "6-1@1"
    assert 0 < only.low < only.estimate < only.high < 1
    assert (only.gap_se, only.p_best, found.stopped, found.reasons) == (0.0, 1.0, "worlds", ())


def test_time_is_the_bound_where_it_comes_first() -> None:
    clock = iter(range(1000))
    steps = _Steps(Searcher(position(), CAREFUL, 1), 5, clock=lambda: float(next(clock)))
    values = steps.play_to(10_000)
    assert 0 < values.worlds < 10_000


def test_no_time_at_all_is_one_step() -> None:
    found = advise(EXACT61, HAND, opener=1, moves=MOVES, seconds=1e-12)
    assert found.stopped == "seconds"
    assert 0 < found.worlds < 100


def test_steps_change_nothing() -> None:
    slow, fast = (Searcher(position(), CAREFUL, 3) for _ in range(2))
    values = _Steps(slow, 1e9, clock=iter([*[float(i) for i in range(10**4)]]).__next__).play_to(500)
    assert values.sums.tolist() == fast.play(500).sums.tolist()


@pytest.mark.parametrize(
    ("budget", "problem"),
    [
        ({"worlds": 0}, "from 1 to 1000000"),
        ({"worlds": 1_000_001}, "from 1 to 1000000"),
        ({"seconds": 0}, "above 0"),
        ({"seconds": math.nan}, "above 0"),
        ({"seconds": math.inf}, "at most"),
    ],
)
def test_a_budget_out_of_range_is_refused(budget: dict[str, Any], problem: str) -> None:
    with pytest.raises(FivesError, match=problem):
        Budget(**budget)


def test_without_a_budget_the_defaults_hold() -> None:
    assert (Budget().worlds, Budget().seconds) == (10_000, 2.0)
    assert Budget(worlds=5).seconds is None
    assert Budget(seconds=1).most_worlds == 1_000_000


# --- reasons ------------------------------------------------------------------------------------


def test_features_are_those_that_can_be_counted_by_hand() -> None:
    """Ends 1 and 2 lie open; 2-2@2 leaves 1 and 2-2 (count 5), where 4-1 alone of the hand could follow."""
    searcher = Searcher(position(), CAREFUL, 1)
    found = features_of(searcher, Move(Tile(2, 2), 2))
    assert (found.points, found.accepted, found.pips, found.playable) == (5, 5, 4, 1)
    assert not found.wins
    assert found.needs == 300


def test_points_that_the_target_refuses_are_told() -> None:
    found = advise(rule_set("exact61", hand=2), "5-5 6-3", opener=0, scores=(300, 0), worlds=200)
    texts = [reason.text for reason in found.reasons]
    assert any("the target refuses" in text for text in texts)


# --- opened by the highest double ---------------------------------------------------------------


def test_whether_the_highest_double_opened_follows_from_the_scores() -> None:
    first, after_block = {"opener_first": "highest_double"}, {"opener_after_block": "highest_double"}
    every = {**first, **after_block, "opener_after_out": "highest_double"}

    def by_highest(changes: dict[str, str], **told: Any) -> bool:
        rules = rule_set("exact61", **changes)
        return typed_position(rules, HAND + " 1-0", opener=0, **told).by_highest

    assert by_highest(first)
    assert not by_highest(first, scores=(10, 0))
    assert not by_highest(first, highest_double=False)
    assert by_highest(every, scores=(10, 0))
    assert not by_highest({})
    assert not by_highest(after_block)
    assert by_highest(after_block, scores=(10, 0), highest_double=True)
    for changes, told, said in (
        (after_block, {"scores": (10, 0)}, "say with highest_double whether"),
        ({}, {"highest_double": True}, "never names an opener"),
        (every, {"highest_double": False}, "names every opener"),
    ):
        with pytest.raises(FivesError, match=said):
            by_highest(changes, **told)


MUGGINS = ("muggins", "--hand", "6-6 5-3 5-1 4-3 2-0 3-2 1-0", "--worlds", 400, "--json")


def test_the_command_takes_the_highest_double_into_the_belief() -> None:
    """After the lead 3-3 of who was dealt the highest double, no other hand holds one above it."""
    hand = MUGGINS[2].replace("6-6", "6-3")
    words = ("muggins", "--hand", hand, *MUGGINS[3:], "--opener", 0, "--moves", "3-3")
    told, other = fives("advise", *words).json, fives("advise", *words, "--no-highest-double").json
    assert told["highest_double"]
    assert not other["highest_double"]
    assert told["placements"] != other["placements"]
    (lead,) = fives("advise", *MUGGINS, "--opener", 0).json["placements"]
    assert lead["move"] == "6-6"
    assert len(fives("advise", *MUGGINS, "--opener", 0, "--scores", "50,0").json["placements"]) == 7
    said = refusal("advise", *MUGGINS, "--opener", 0, "--moves", "3-3")
    assert "seat 1 was dealt 6-6, so seat 0 was not dealt the tile that opens" in said


# --- the command --------------------------------------------------------------------------------


def test_json_has_what_the_docs_say() -> None:
    answer = fives("advise", *TYPED, "--worlds", 300, "--json", "--explain").json
    assert {"move", "estimate", "low", "high", "gap_se", "p_best"} <= set(answer["placements"][0])
    assert answer["stopped"] in ("separated", "worlds")
    assert answer["rules"]["name"] == "exact61"
    assert (answer["base"], answer["seed"], answer["confidence"]) == ("careful", 1, 0.95)
    assert sum(rated["p_best"] for rated in answer["placements"]) == pytest.approx(1.0)
    assert {"text", "for"} == set(answer["reasons"][0])
    estimates = [rated["estimate"] for rated in answer["placements"]]
    assert estimates == sorted(estimates, reverse=True)


def test_with_worlds_another_process_gives_the_same() -> None:
    words = [*map(str, TYPED), "--worlds", "700", "--seed", "4", "--json"]
    code = f"from analyzer.cli import main; main({['advise', *words]!r})"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == fives("advise", *words).json


def test_tables_for_people_name_what_they_rest_on() -> None:
    outcome = fives("advise", *TYPED, "--worlds", 300, "--explain", "--scores", "290,250")
    assert outcome.code == 0
    assert "scores 290, 250 of 305" in outcome.out
    assert "worlds played on by careful, seed 1" in outcome.out
    assert "Chance to win, %" in outcome.out
    assert "2-2@2 against 4-1@1" in outcome.out
    assert "needs 10 points exactly" in outcome.out


def test_a_round_alone_counts_in_points() -> None:
    answer = fives("advise", *TYPED, "--worlds", 300, "--round-only", "--json").json
    assert answer["unit"] == "points"
    assert answer["rules"]["target"] is None
    assert "--scores is for the game" in refusal("advise", *TYPED, "--round-only", "--scores", "10,20")


def test_opener_or_seat_is_enough() -> None:
    words = ("exact61", "--hand", HAND, "--moves", MOVES, "--worlds", 200, "--json")
    by_opener, by_seat = (fives("advise", *words, *more).json for more in (("--opener", 1), ("--seat", 0)))
    assert by_opener == by_seat == fives("advise", *words, "--opener", 1, "--seat", 0).json


def test_a_turn_of_a_trace_is_the_position_typed(tmp_path: Path) -> None:
    rules = rule_set("allfives", players=4)
    (trace,) = traces(rules, ["greedy"], seed=42)
    file = tmp_path / "game.jsonl"
    file.write_text(trace_line(trace) + "\n", encoding="utf-8")
    number = 1
    record = trace["rounds"][number]
    turn = max(at for at, what in enumerate(record["turns"]) if what["move"] and what["drawn"])
    cut = ("--trace", file, "--round", number, "--turn", turn, "--worlds", 150, "--json")
    from analyzer.advice_position import recorded_position
    from analyzer.referee.reading import read_trace

    where = recorded_position(read_trace(trace), number, turn)
    typed = fives(
        "advise", "allfives", "--players", 4, "--hand", " ".join(map(str, where.hand)),
        "--opener", where.opener, "--moves", format_turns(where.turns, where.drawing),
        "--drawn", " ".join(map(str, where.drawn or ())),
        "--scores", ",".join(str(int(score)) for score in where.scores), "--worlds", 150, "--json",
    )  # fmt: skip
    assert fives("advise", *cut).json == typed.json


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("exact61", "--opener", 0), "no hand is given"),
        (("exact61", "--hand", HAND), "neither opener nor seat is given"),
        (("exact61", "--hand", HAND, "--seat", 2), "from 0 to 1"),
        ((*TYPED, "--seat", 1), "seat 0 is to play"),
        (("exact61", "--hand", "6-3 6-3 5-5 4-1 2-2", "--opener", 0), "6-3 is twice in the hand"),
        (("exact61", "--hand", "6-3 5-5", "--opener", 0), "the hand has 2 tiles"),
        (("exact61", "--hand", "7-3", "--opener", 0), "7"),
        (("exact61", "--hand", "5-0 5-5 4-1 2-2", "--opener", 1, "--moves", MOVES), "lies on the table"),
        (
            ("exact61", "--hand", HAND, "--opener", 1, "--moves", "5-0, pass, 2-0@0"),
            "turn 2: seat 0 passes after 0 drawn",
        ),
        (
            ("exact61", "--hand", HAND, "--opener", 0, "--moves", "6-6, 6-2@6-6, +1 2-0@2, 6-0@0"),
            "turn 3: seat 0 draws or passes while it holds 6-3",
        ),
        ((*TYPED, "--moves", "5-0, 5-1@6"), "line 1, column 6"),
        ((*TYPED, "--scores", "1"), "1 scores are given"),
        ((*TYPED, "--scores", "305,0"), "at the target of 305 the game is over"),
        ((*TYPED, "--scores", "a,b"), "give the raw points of each side"),
        ((*TYPED, "--base", "rollout:5:greedy"), "is a search"),
        ((*TYPED, "--base", "gredy"), "did you mean greedy"),
        ((*TYPED, "--worlds", 0), "from 1 to"),
        ((*TYPED, "--seconds", -1), "above 0"),
        ((*TYPED, "--turn", 3), "--turn is for --trace"),
        (("--trace", "x.jsonl", "--hand", HAND), "--hand is for a position that is typed"),
        (("--trace", "x.jsonl"), "no turn is given"),
        (("--trace", "nowhere.jsonl", "--turn", 0), "cannot read nowhere.jsonl"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(words: tuple[object, ...], problem: str) -> None:
    assert problem in refusal("advise", *words)


def test_a_trace_without_such_a_turn_is_told(tmp_path: Path) -> None:
    rules = rule_set("allfives", players=2, hand=13)
    passes = next(
        trace
        for trace in traces(rules.replace(target=None), ["random"], seed=43, count=50)
        if any(turn["move"] is None for turn in trace["rounds"][0]["turns"])
    )
    file = tmp_path / "game.jsonl"
    file.write_text(trace_line(passes), encoding="utf-8")
    turns = passes["rounds"][0]["turns"]
    at = next(at for at, turn in enumerate(turns) if turn["move"] is None)
    assert "is a pass: there was nothing to choose" in refusal("advise", "--trace", file, "--turn", at)
    assert f"has no turn {len(turns)}" in refusal("advise", "--trace", file, "--turn", len(turns))
    assert "has no round 1" in refusal("advise", "--trace", file, "--round", 1, "--turn", 0)
