"""Race tables, held to the plain engine, to dense equations of the chain, and to games from chosen scores."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fives as library
from analyzer.errors import FivesError
from analyzer.ledger import Ledger
from analyzer.policies import POLICIES, Policy, seat_policies
from analyzer.race import Race, race, race_plan, race_table
from analyzer.race_chain import solve_race
from analyzer.race_grid import RaceGrid, sees_scores
from analyzer.race_sample import RaceSample, Racing, is_mirrored
from analyzer.race_table import RaceTable
from analyzer.records import policies_record, rules_record
from analyzer.referee.rounds import RoundStart, play_round
from analyzer.registry import plan_from
from analyzer.resume import resume
from analyzer.rulesets import RuleSet, rule_set
from analyzer.workers import play
from kernels.batch import play_rows
from kernels.race import LOST, LOT, WON, branch_of, mirrored, replay
from kernels.rules import HALF
from kernels.state import TABLE, blank
from kernels.tallies import ROW, SHARE, TALLY
from tests.plain import chooser, streams
from tests.shell import fives, refusal

Policies = tuple[str | Policy, ...]
SEED = 4
ROUNDS = 64

# Weighs all that may depend on the scores, some against sense, and much else
WILFUL = Policy(
    "wilful",
    "",
    {"accepted": 3, "wins": 90, "near": -4, "scores": -9, "pips": 1, "threat": -1, "rush": 2},
)
CASES: dict[str, tuple[RuleSet, Policies]] = {
    "exact61-2": (rule_set("exact61", target=40), ("greedy",)),
    "exact61-2-differ": (rule_set("exact61", target=60), ("defend", "random")),
    "exact61-2-aware": (rule_set("exact61", target=40), ("careful", "greedy")),
    "exact61-2-aware-alike": (rule_set("exact61", target=40), ("careful",)),
    "exact61-2-wilful": (rule_set("exact61", target=100), (WILFUL, "close")),
    "exact61-4": (rule_set("exact61", players=4, target=30), ("random",)),
    "exact61-4-aware": (rule_set("exact61", players=4, target=25), ("careful", "random")),
    "allfives-2": (rule_set("allfives", target=50), ("greedy", "lowcount")),
    "allfives-4": (rule_set("allfives", players=4, target=40), ("heavy",)),
    "partout5-nine": (rule_set("partout5", set="double-nine", hand=3, target=25), ("greedy",)),
    "draw": (rule_set("draw", target=22), ("heavy", "random")),
    "muggins": (rule_set("muggins", target=50), ("companion", "shut")),
    "threes-and-fives": (rule_set("threes-and-fives", target=20), ("endrace", "greedy")),
    "block-4": (rule_set("block", players=4, sides=(0, 1, 0, 1), target=30), ("close",)),
}


@pytest.fixture(autouse=True)
def low_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold low scores at -3 shown points, so that small samples meet the lowest score of the grid too."""
    monkeypatch.setattr("analyzer.race_grid.LOWEST", -3)


def sampled(rules: RuleSet, policies: Policies, rounds: int = ROUNDS, seed: int = SEED) -> RaceSample:
    work = Racing(rules, seat_policies(policies, rules.sides), seed)
    ledger: Ledger[RaceSample] = Ledger(work.none())
    play(work, (0, rounds), ledger, 2)
    return ledger.state()[1]


def solved(rules: RuleSet, policies: Policies, sample: RaceSample) -> RaceTable:
    seats = seat_policies(policies, rules.sides)
    exact = rules.target_kind == "exact"
    return solve_race(sample, RaceGrid.of(rules), exact=exact, mirror=is_mirrored(rules, seats))


class Outcomes:
    """The outcome of each round of a sample from each pair of places."""

    def __init__(self, rules: RuleSet, policies: Policies, sample: RaceSample) -> None:
        self.grid, self.units = RaceGrid.of(rules), RaceGrid.of(rules).units
        self.exact = int(rules.target_kind == "exact")
        self.mirror = is_mirrored(rules, seat_policies(policies, rules.sides))
        self.rounds = [sample.opened_by(side) for side in range(1 if self.mirror else 2)]

    def __call__(self, opener: int, own: int, other: int, game: int) -> int:
        if self.mirror and opener == 1:
            return int(mirrored(self._from(0, other, own, game), self.grid.size))
        return self._from(opener, own, other, game)

    def _from(self, opener: int, own: int, other: int, game: int) -> int:
        rounds = self.rounds[opener]
        branch = branch_of(rounds, game, own, other, self.grid.size)
        return int(replay(rounds, branch, own, other, self.units, self.exact))


def code(grid: RaceGrid, own: int, other: int, follower: int) -> int:
    """Return the outcome of a round that nobody won, as `kernels.race` describes it."""
    held = own < 0 or other < 0
    return 2 * ((follower * grid.size + max(own, 0)) * grid.size + max(other, 0)) + held


def plain_outcome(rules: RuleSet, policies: Policies, opener: int, own: int, other: int, game: int) -> int:
    """Return the outcome of a round that the plain engine plays from these places."""
    grid = RaceGrid.of(rules)
    seats = seat_policies(policies, rules.sides)
    start = RoundStart(
        game=game,
        number=0,
        opener=rules.sides.index(opener),
        opener_by="lot",
        tiles=streams.shuffled(rules, SEED, game, 0),
        scores=(Fraction(grid.raw(own)), Fraction(grid.raw(other))),
    )
    result = play_round(rules, start, lambda view: chooser.choose(view, seats[view.seat].weights, SEED))
    if result.game.is_over:
        return WON if result.game.winner == 0 else LOST
    follower = follower_of(rules, result.end, start.opener, result.last_placer)
    places = [int(score - grid.lowest) // grid.step for score in result.scores]
    return code(grid, places[0], places[1], follower)


def follower_of(rules: RuleSet, end: str, opener: int, last: int) -> int:
    """Return the side that opens the next round, or LOT."""
    after = rules.opener_after_out if end == "out" else rules.opener_after_block
    if after == "lot":
        return LOT
    return rules.sides[(opener + 1) % rules.players if after == "seat_in_turn" else last]


@pytest.mark.parametrize("name", CASES)
def test_rounds_lead_where_the_plain_engine_says(name: str) -> None:
    rules, policies = CASES[name]
    sample = sampled(rules, policies)
    outcomes, grid = Outcomes(rules, policies, sample), RaceGrid.of(rules)
    draws = random.Random(name)
    met = set()
    for _ in range(200):
        opener, game = draws.randrange(2), draws.randrange(ROUNDS)
        own, other = draws.randrange(grid.size), draws.randrange(grid.size)
        found = outcomes(opener, own, other, game)
        if outcomes.mirror and opener == 1:
            expected = mirrored(plain_outcome(rules, policies, 0, other, own, game), grid.size)
        else:
            expected = plain_outcome(rules, policies, opener, own, other, game)
        assert found == expected
        met.add(min(found, 0))
    assert met == {WON, LOST, 0}


def dense(grid: RaceGrid, outcomes: Outcomes, games: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return chances and held rounds by (opener, place, place), from one system of linear equations."""
    area = grid.size**2
    system, won, held = np.eye(2 * area), np.zeros(2 * area), np.zeros(2 * area)
    for opener in range(2):
        for pair in range(area):
            row = opener * area + pair
            for game in games:
                outcome = outcomes(opener, pair // grid.size, pair % grid.size, game)
                if outcome < 0:
                    won[row] += (outcome == WON) / len(games)
                    continue
                held[row] += outcome % 2 / len(games)
                follower, place = divmod(outcome // 2, area)
                for next_opener in (0, 1) if follower == LOT else (follower,):
                    share = 0.5 if follower == LOT else 1.0
                    system[row, next_opener * area + place] -= share / len(games)
    shape = 2, grid.size, grid.size
    return np.linalg.solve(system, won).reshape(shape), np.linalg.solve(system, held).reshape(shape)


@pytest.mark.parametrize("name", CASES)
def test_the_chain_is_solved_as_a_system_of_equations_is(name: str) -> None:
    rules, policies = CASES[name]
    sample = sampled(rules, policies)
    table = solved(rules, policies, sample)
    chances, held = dense(table.grid, Outcomes(rules, policies, sample), range(ROUNDS))
    tolerance = 1e-12 if table.grid.lowest == 0 else 1e-7
    np.testing.assert_allclose(table.values, chances, atol=tolerance)
    np.testing.assert_allclose(table.held, held, atol=10 * tolerance)
    if table.grid.lowest < 0:
        assert table.passes > 1
        assert table.held.max() > 0


@pytest.mark.parametrize("name", ["exact61-2", "exact61-4", "allfives-2", "exact61-2-aware"])
def test_moves_are_what_leaving_a_batch_out_moves_the_chances_by(name: str) -> None:
    rules, policies = CASES[name]
    rounds = 4 * 64
    sample = sampled(rules, policies, rounds)
    table = solved(rules, policies, sample)
    assert table.moves.shape[-1] == 64
    np.testing.assert_allclose(table.moves.sum(axis=-1), 0.0, atol=1e-6)
    outcomes = Outcomes(rules, policies, sample)
    for batch in (0, 40):
        kept = [game for game in range(rounds) if not batch * 4 <= game < batch * 4 + 4]
        without, _ = dense(table.grid, outcomes, kept)
        expected = -table.moves[..., batch] * rounds / len(kept)
        np.testing.assert_allclose(without - table.values, expected, atol=1.5e-3)
        assert np.abs(expected).max() > 4e-3


def test_standard_errors_are_the_spread_over_seeds() -> None:
    rules = rule_set("exact61", target=100)
    tables = [solved(rules, ("greedy",), sampled(rules, ("greedy",), 400, seed)) for seed in range(60)]
    for terms in (
        [((0, 0, 0), 1.0)],
        [((0, 18, 10), 1.0)],
        [((0, 19, 19), 1.0), ((0, 18, 19), -1.0)],
    ):
        found = [table.combined(terms, 0.95) for table in tables]
        spread = float(np.std([each.estimate for each in found], ddof=1))
        told = math.sqrt(np.mean([(each.std_error or 0.0) ** 2 for each in found]))
        assert 0.7 < told / spread < 1.4  # chi with 59 degrees of freedom: four deviations


def direct(
    rules: RuleSet, policies: Policies, scores: tuple[int, int], games: int
) -> list[tuple[float, float]]:
    """Return the win rate of side 0 in games from these raw scores and its error, by which side opened."""
    table, tally = blank(TABLE), blank(TALLY)
    table["start"][:2] = HALF * np.array(scores)
    columns = np.array([ROW["side_share_0"], ROW["first_share"]])
    values, finished = np.zeros((games, 2), np.int64), np.zeros(games, np.int64)
    records = rules_record(rules), policies_record(seat_policies(policies, rules.sides), rules)
    play_rows(table, *records, None, SEED + 1, 0, games, tally, columns, values, finished)
    assert finished.all()
    opened = (values[:, 0] > 0) == (values[:, 1] > 0)
    rates = [values[which, 0] / SHARE for which in (opened, ~opened)]
    return [(float(won.mean()), float(won.std(ddof=1)) / math.sqrt(len(won))) for won in rates]


def check_against_games(rules: RuleSet, policies: Policies, scores: Any, rounds: int, games: int) -> None:
    table = race_table(rules, policies, rounds=rounds, seed=SEED)
    for own, other in scores:
        for opens, (rate, error) in zip(
            (True, False), direct(rules, policies, (own, other), games), strict=True
        ):
            found = table.estimate(own, other, opens)
            assert found.std_error is not None
            assert abs(found.estimate - rate) < 4 * math.hypot(found.std_error, error), (own, other, opens)


@pytest.mark.parametrize(
    ("rules", "policies", "scores", "rounds"),
    [
        (rule_set("exact61"), ("greedy", "defend"), ((0, 0), (295, 270)), 3000),
        (rule_set("exact61", target=100), ("careful", "greedy"), ((0, 0), (90, 95)), 1000),
        (rule_set("allfives"), ("greedy", "random"), ((100, 180), (245, 245)), 3000),
    ],
)
def test_chances_are_those_of_games_from_chosen_scores(
    rules: RuleSet, policies: Policies, scores: Any, rounds: int
) -> None:
    check_against_games(rules, policies, scores, rounds, 4000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "policies", "scores"),
    [
        (rule_set("exact61"), ("greedy",), ((0, 0), (250, 260), (295, 295), (300, 295), (300, 300))),
        (rule_set("exact61"), ("careful",), ((0, 0), (250, 260), (300, 295))),
        (
            rule_set("exact61", players=4),
            ("greedy", "lowcount"),
            ((0, 0), (250, 260), (300, 295), (-10, 100)),
        ),
        (rule_set("allfives"), ("greedy", "defend"), ((0, 0), (200, 150), (245, 245))),
        (rule_set("partout5"), ("greedy", "random"), ((0, 0), (77, 81))),
        (rule_set("draw"), ("heavy", "random"), ((0, 0), (77, 81))),
    ],
)
def test_chances_are_those_of_many_games(
    monkeypatch: pytest.MonkeyPatch, rules: RuleSet, policies: Policies, scores: Any
) -> None:
    monkeypatch.setattr("analyzer.race_grid.LOWEST", -50)
    rounds = 1000 if "careful" in policies else 5000 if rules.has_partners else 20_000
    check_against_games(rules, policies, scores, rounds, 100_000)


# --- the table and its rows ---------------------------------------------------------------------


def test_sides_that_play_alike_have_mirrored_chances() -> None:
    table = race_table(rule_set("exact61", target=60), "greedy", rounds=200)
    np.testing.assert_allclose(table.values[0] + table.values[1].T, 1.0, atol=1e-12)
    assert table.win_rate(50, 20, True) == table.values[0, 10, 4] > table.win_rate(50, 20, False)
    found = table.estimate(50, 20, True)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low < found.estimate < found.high <= 1


def test_the_sample_does_not_depend_on_threads_or_chunks() -> None:
    rules = rule_set("exact61", target=60)
    one = race(rules, ["greedy", "random"], rounds=500, threads=1)
    two = race(rules, ["greedy", "random"], rounds=500, threads=3)
    assert one.total.as_dict() == two.total.as_dict()
    assert one.table_rows == two.table_rows
    assert one.summary_rows == two.summary_rows
    assert one.sentences == two.sentences


def test_rows_tell_what_the_table_holds() -> None:
    rules = rule_set("exact61", target=60)
    result = race(rules, "greedy", rounds=200, pairs=[(55, 40)], stands=[(50, 55)])
    table = race_table(rules, "greedy", rounds=200)
    scores = {(row["own"], row["other"], row["opener"]): row for row in result.table_rows["scores"]}
    assert len(scores) == 12 * 12 * 2
    assert scores[11, 8, "other"]["win_rate"] == table.win_rate(55, 40, False)
    summary = {(row["metric"], row["scope"]): row for row in result.summary_rows}
    lot = summary["win_rate", "own=11 other=8 opener=lot"]
    assert lot["estimate"] == pytest.approx(
        (table.win_rate(55, 40, True) + table.win_rate(55, 40, False)) / 2
    )
    stands = result.table_rows["stands"]
    assert len(stands) == 2 * 12
    for row in stands:
        assert row["difference"] == pytest.approx(row["win_rate"] - row["win_rate_instead"])
        assert (row["stand"], row["instead"]) == (10, 11)
    mean = summary["stand_difference", "own=10 less 11"]
    assert mean["estimate"] == pytest.approx(sum(row["difference"] for row in stands) / len(stands))
    assert {row["own"] for row in result.table_rows["near"]} == set(range(1, 12))
    assert result.manifest["points_per_score"] == 5
    assert result.manifest["rounds_are"] == "replayed at each pair of scores"


def test_the_plan_is_rebuilt_from_its_settings_and_reports_nothing_half_way() -> None:
    plan = race_plan("exact61", ["careful", "greedy"], rounds=100, seed=9, first_game=3, pairs=[(5, 10)])
    again = plan_from(json.loads(json.dumps({"command": "race", **plan.settings()})))
    assert again == plan
    assert isinstance(again, Race)
    assert again.stands == ((295, 300),)
    assert plan.report(plan.work().none()).summary == []


def test_a_run_goes_on_and_parts_add_up(tmp_path: Path) -> None:
    words = ["race", "exact61", "--target", 60, "--policy", "careful", "--policy", "greedy", "--quiet"]
    whole = fives(*words, "--rounds", 200, "--out", tmp_path / "whole")
    assert whole.code == 0, whole.err
    fives(*words, "--rounds", 120, "--out", tmp_path / "one")
    fives(*words, "--rounds", 80, "--first-game", 120, "--out", tmp_path / "two")
    merged = fives("merge", tmp_path / "two", tmp_path / "one", "--out", tmp_path / "both")
    assert merged.code == 0, merged.err
    for name in ("scores.csv", "summary.csv", "stands.csv", "near.csv", "progress.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "both" / name).read_bytes()
    assert resume(tmp_path / "both") is None


def test_saved_rounds_that_do_not_fit_are_refused() -> None:
    sample = race(rule_set("exact61", target=60), "greedy", rounds=100).total
    data = sample.as_dict()
    assert RaceSample.from_dict(data, 12).as_dict() == data
    data["pieces"][0]["rounds"] = 99
    with pytest.raises(FivesError, match="start the run afresh"):
        RaceSample.from_dict(data, 12)


def test_rounds_with_many_branches_find_room(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, policies = CASES["exact61-2-wilful"]
    whole = sampled(rules, policies).as_dict()
    monkeypatch.setattr("analyzer.race_sample.ROOM", 1)
    assert sampled(rules, policies).as_dict() == whole
    counts = sampled(rules, policies).arrays["counts_0"]
    assert counts.max() >= 4


@pytest.mark.parametrize("name", POLICIES)
def test_what_a_policy_sees_of_the_scores_is_known(name: str) -> None:
    rules, policies = rule_set("exact61", target=60), (POLICIES[name],)
    work = Racing(rules, seat_policies(policies, rules.sides), SEED)
    found = []
    for is_played in (True, False):
        work.is_played = is_played
        found.append(Outcomes(rules, policies, work.player()(0, 100)))
    size = found[0].grid.size
    pairs = ((pair // size, pair % size, game) for pair in range(size**2) for game in range(100))
    same = all(found[0](0, *at) == found[1](0, *at) for at in pairs)
    assert same is not sees_scores(POLICIES[name])


def test_a_policy_that_sees_scores_is_played_at_each_pair() -> None:
    result = race(rule_set("exact61", target=40), [Policy("tiny", "", {"points": 1, "wins": 1}), "greedy"])
    assert result.manifest["rounds"] == 20_000
    assert result.manifest["rounds_are"] == "played at each pair of scores"


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_what_people_ask_for() -> None:
    printed = fives("race", "exact61", "--rounds", 200, "--from", "59,40", "--stand", "59,60")
    assert printed.code == 0, printed.err
    assert "own=59 other=40 opener=own" in printed.out
    assert "own=59 less 60" in printed.out
    assert "59 less 60 is" in printed.out
    assert "\nscores\n" not in printed.out  # too long to look at; CSV, JSON and the folder have it
    assert fives("race", "exact61", "--rounds", 200, "--csv", "scores").out.count("\n") == 61 * 61 * 2 + 1
    answer = fives("race", "allfives", "--rounds", 200, "--json").json
    assert {row["opener"] for row in answer["tables"]["scores"]} == {"own", "other"}
    assert answer["tables"]["stands"] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("exact61", "--players", 3), "for two sides and here are 3"),
        (("exact61", "--players", 4, "--sides", "none"), "for two sides and here are 4"),
        (("exact61", "--rounds", 10), "at least 64"),
        (("exact61", "--rounds", 3_000_000), "at most 2,000,000"),
        (("exact61", "--policy", "careful", "--rounds", 300_000), "at most 200,000"),
        (
            ("exact61", "--from", "295,0"),
            "score 295 is none from 0 to 60, counted in points of 5 raw points",
        ),
        (("exact61", "--from", "61,0"), "score 61 is none from 0 to 60"),
        (("exact61", "--from", "-1,0"), "score -1 is none from 0 to 60"),
        (("exact61", "--from", "1"), "give two scores"),
        (("exact61", "--stand", "59,59"), "59 is compared with itself"),
        (("allfives", "--from", "1,0"), "score 1 is none from 0 to 245 in steps of 5"),
        (("partout5", "--target", 5000), "goes up to 600"),
        (
            ("exact61", "--players", 4, *("--policy", "greedy") * 3, "--policy", "random"),
            "partners have different",
        ),
        (("exact61", "--csv", "cells"), "unknown table"),
        (("--rules", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_mistakes_are_told_in_one_sentence(words: tuple[object, ...], told: str) -> None:
    assert told in refusal("race", *words)


def test_scores_may_be_negative_where_partners_pay() -> None:
    outcome = fives(
        "race", "exact61", "--players", 4, "--target", 30, "--rounds", 64, "--from", "-3,2", "--stand", "1,2"
    )
    assert outcome.code == 0, outcome.err
    assert "own=-3 other=2 opener=lot" in outcome.out
    assert "Scores below -3 are held there" in outcome.out


def test_the_library_has_the_race() -> None:
    assert library.race is race
    assert library.race_table is race_table
    assert dataclasses.is_dataclass(RaceTable)
