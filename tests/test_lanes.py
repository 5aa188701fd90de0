"""Games in lanes against games one by one: the same totals to the last one, whatever the rules."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import given as given_data
from hypothesis import strategies as st

from analyzer.counting import Counting
from analyzer.errors import FivesError
from analyzer.given import given
from analyzer.playing import Playing, suits_lanes
from analyzer.policies import seat_policies
from analyzer.rulesets import NAMES, RuleSet, rule_set, sets_of
from analyzer.tallies import PAIRS, Tallies
from kernels.state import blank
from kernels.tallies import QUANTITIES, TALLY
from tests.test_kernel_games import rule_sets

FAST = ("random", "greedy", "careful")


def counted(work: Counting, first: int, games: int, *, abreast: bool) -> Tallies:
    """Return what games come to, in one chunk."""
    tally, products = blank(TALLY), np.zeros(len(PAIRS[work.needed]), np.int64)
    playing = Playing(work.rules, work.policies, work.records, work.given, abreast=abreast)
    playing.count(work.seed, first, games, tally, PAIRS[work.needed], products)
    return work._tallies(tally, products)


def assert_same(work: Counting, first: int, games: int) -> None:
    alone, together = (counted(work, first, games, abreast=abreast) for abreast in (False, True))
    for field in dataclasses.fields(Tallies):
        np.testing.assert_array_equal(getattr(together, field.name), getattr(alone, field.name), field.name)


def work_of(rules: RuleSet, policies: Sequence[str], seed: int, *, control: bool = False) -> Counting:
    return Counting(rules, seat_policies(policies, rules.sides), seed, control=control)


SIX = [name for name in NAMES if "double-six" in sets_of(name)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SIX)
def test_every_set(name: str, players: int) -> None:
    rules = rule_set(name, players=players)
    single = rules.replace(target=None)
    for seats in (["random"], ["greedy"], ["greedy", "random"], ["careful"], ["random", "careful"]):
        work = work_of(single, [seats[side % len(seats)] for side in range(rules.side_count)], 3)
        if suits_lanes(*work.records):
            assert_same(work, 1000, 700)
        to_target = Counting(rules, work.policies, 4)
        if suits_lanes(*to_target.records):
            assert_same(to_target, 10, 150)


@pytest.mark.parametrize("games", [0, 1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 384, 511, 513])
def test_any_number_of_games(games: int) -> None:
    assert_same(work_of(rule_set("allfives", players=2).replace(target=None), ["greedy"], 5), 7, games)
    assert_same(work_of(rule_set("exact61", players=4), ["greedy", "random"], 6), 7, games // 4)


@pytest.mark.parametrize("name", ["exact61", "partout5", "draw"])
def test_games_of_very_different_lengths(name: str) -> None:
    """One that outlasts hundreds of others keeps its column to itself, and the counts stay whole."""
    for target in (5, 10):
        work = work_of(rule_set(name, players=2, target=target), ["greedy"], 1)
        assert_same(work, 0, 6000)
    assert_same(work_of(rule_set("exact61", players=2, hand=2).replace(target=None), ["greedy"], 2), 0, 6000)


def test_controls_and_scores_at_the_start() -> None:
    rules = rule_set("exact61", players=2)
    assert_same(work_of(rules.replace(target=None), ["greedy"], 1, control=True), 0, 300)
    work = work_of(rules, ["greedy"], 1)
    start = given(rules, scores=(55, 40))
    assert_same(Counting(rules, work.policies, 1, given=start), 0, 300)


def test_games_that_the_guard_stops_are_counted_nowhere() -> None:
    for guard in (1, 2, 9):
        work = work_of(rule_set("exact61", players=2, round_guard=guard), ["greedy"], 11)
        assert_same(work, 0, 600)
        assert counted(work, 0, 600, abreast=True).stopped > 0


@settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much]
)
@given_data(rules=rule_sets(), seed=st.integers(0, 2**62 - 1), data=st.data())
def test_any_rules(rules: RuleSet, seed: int, data: st.DataObject) -> None:
    assume(rules.tiles == 28)
    if data.draw(st.booleans()):
        with contextlib.suppress(FivesError):  # an exact target that these points cannot hit
            rules = rules.replace(score_multiple=5, second_multiple=0)
    names = data.draw(st.lists(st.sampled_from(FAST), min_size=rules.side_count, max_size=rules.side_count))
    work = work_of(rules, names, seed, control=data.draw(st.booleans()))
    if not suits_lanes(*work.records):
        work = work_of(rules, ["random"], seed)
    assert_same(work, data.draw(st.integers(0, 2**61)), data.draw(st.integers(1, 150)))


@pytest.mark.parametrize("single", [True, False])
def test_rows_are_the_same_game_by_game(single: bool) -> None:
    rules = rule_set("exact61", players=2, round_guard=9)
    rules = rules.replace(target=None) if single else rules
    work = work_of(rules, ["greedy", "random"], 8)
    columns = np.arange(len(QUANTITIES))
    found = [
        Playing(rules, work.policies, work.records, abreast=abreast).rows(8, 30, 300, blank(TALLY), columns)
        for abreast in (False, True)
    ]
    for alone, together in zip(*found, strict=True):
        np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("name", ["exact61", "allfives", "draw"])
def test_leads_are_the_same_round_by_round(name: str) -> None:
    rules = rule_set(name, players=3).replace(target=None)
    work = work_of(rules, ["greedy", "random", "greedy"], 9)
    alone, together = (
        Playing(rules, work.policies, work.records, abreast=abreast).leads(9, 100, 90, blank(TALLY))
        for abreast in (False, True)
    )
    for ours, theirs in zip(together, alone, strict=True):
        np.testing.assert_array_equal(ours, theirs)


PLAIN = """
from tests.test_lanes import assert_same, work_of
from analyzer.rulesets import rule_set
assert_same(work_of(rule_set("exact61", players=2).replace(target=None), ["greedy", "random"], 2), 5, 6)
"""


def test_the_same_without_the_compiler() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_what_lanes_cannot_play_is_played_one_by_one() -> None:
    six = rule_set("allfives", players=2)
    nine = rule_set(
        next(name for name in NAMES if "double-nine" in sets_of(name)), players=2, set="double-nine"
    )
    assert suits_lanes(*work_of(six, ["greedy"], 1).records)
    assert not suits_lanes(*work_of(nine, ["greedy"], 1).records)
    assert not suits_lanes(*work_of(six, ["heavy"], 1).records)
    threes = rule_set("threes-and-fives", players=2)
    assert suits_lanes(*work_of(threes, ["random"], 1).records)
    assert not suits_lanes(*work_of(threes, ["greedy"], 1).records)
