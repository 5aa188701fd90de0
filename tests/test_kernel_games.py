"""Whole games: the kernels against the plain engine, play by play and event by event.

The plain side deals from its own random streams and chooses with its own policies; neither knows the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.policies import FEATURES, POLICIES, Policy, seat_policies
from analyzer.referee.replay import check_trace
from analyzer.rulesets import CHOICES_OF_FIELD, NAMES, RuleSet, gain_step, rule_set, sets_of
from analyzer.traces import traces
from kernels import policies
from tests.plain.play import play_trace

CASES = [(name, set_, players) for name in NAMES for set_ in sets_of(name) for players in (2, 3, 4)]
SLOW = [name for name, policy in POLICIES.items() if {"reply", "threat"} & set(policy.weights)]
QUICK = [name for name in POLICIES if name not in SLOW]  # on the plain side, which tries every unseen tile


def assert_same(rules: RuleSet, policies: Sequence[str | Policy], seed: int, first: int, count: int) -> None:
    recorded = traces(rules, policies, seed=seed, first_game=first, count=count)
    for game, trace in zip(range(first, first + count), recorded, strict=True):
        assert trace == play_trace(rules, policies, seed, game)


@pytest.mark.parametrize(("name", "set_", "players"), CASES)
def test_games_of_every_policy(name: str, set_: str, players: int) -> None:
    rules = rule_set(name, set=set_, players=players)
    for seed, policy in enumerate(QUICK):
        assert_same(rules, [policy], seed, first=10 * seed, count=2)
    for policy in SLOW:
        assert_same(rules, [policy], 99, first=0, count=1)


@pytest.mark.parametrize(("name", "set_", "players"), CASES)
def test_rounds_of_every_policy(name: str, set_: str, players: int) -> None:
    rules = rule_set(name, set=set_, players=players).replace(target=None)
    for seed, policy in enumerate(QUICK):
        assert_same(rules, [policy], seed, first=0, count=12)
    for policy in SLOW:
        assert_same(rules, [policy], 99, first=0, count=2)


EACH_CHOICE = [
    (field, value)
    for field, values in {**CHOICES_OF_FIELD, "second_multiple": (3,), "reserve": (1, 2)}.items()
    for value in values
    if field != "set"
]


@pytest.mark.parametrize(("field", "value"), EACH_CHOICE)
def test_games_with_each_choice_of_each_field(field: str, value: Any) -> None:
    """Rounds block often without draws, so that each way of settling, opening and sharing is met."""
    fields = {"draw": "none", "hand": 4, "opener_first": "highest_double", field: value}
    for players, name in ((2, "muggins"), (3, "allfives"), (4, "exact61")):
        rules = rule_set(name, players=players, **{"rounding_of": "hand", **fields})
        assert_same(rules, ["greedy"], players, first=0, count=3)
        for trace in traces(rules, ["greedy"], seed=players, count=3):
            assert check_trace(trace) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "set_", "players"), CASES)
@pytest.mark.parametrize("policy", list(POLICIES))
def test_many_games(name: str, set_: str, players: int, policy: str) -> None:
    rules = rule_set(name, set=set_, players=players)
    games, rounds = (4, 20) if policy in SLOW else (60, 400)
    assert_same(rules, [policy], seed=2026, first=0, count=games)
    assert_same(rules.replace(target=None), [policy], seed=2027, first=1_000_000, count=rounds)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any valid rule set: a named one with every field free."""
    name = draw(st.sampled_from(NAMES))
    set_ = draw(st.sampled_from(sets_of(name)))
    players = draw(st.integers(2, 4))
    tiles = 28 if set_ == "double-six" else 55
    hand = draw(st.integers(1, min(tiles // players, 9)))
    fields: dict[str, Any] = {
        field: draw(st.sampled_from(choices)) for field, choices in CHOICES_OF_FIELD.items() if field != "set"
    }
    fields["score_multiple"] = draw(st.sampled_from((0, 3, 5, 7)))
    fields["second_multiple"] = draw(st.sampled_from((0, 0, 2, 3, 5)))
    settles_pips = {fields["settlement_out"], fields["settlement_block"]} - {"none", "one"}
    if fields["rounding"] == "none" and (settles_pips or fields["partner"] == "debited"):
        fields["points"] = "raw"
    fields["reserve"] = draw(st.integers(0, min(3, tiles - players * hand)))
    fields["round_guard"] = draw(st.integers(1, 12))
    sides = draw(st.sampled_from(((0, 1, 2, 3), (0, 1, 0, 1)))) if players == 4 else None
    kind = fields.pop("target_kind")
    rules = rule_set(
        name, set=set_, players=players, hand=hand, target=1, target_kind="reach", sides=sides, **fields
    )
    if draw(st.booleans()):
        return rules.replace(target=None, target_kind=kind)
    step = gain_step(rules) or 1 if kind == "exact" else 1
    return rules.replace(target=step * draw(st.integers(1, max(1, 250 // step))), target_kind=kind)


@st.composite
def weight_rows(draw: st.DrawFn) -> Policy:
    """Any policy: small weights, so that ties are frequent."""
    named = st.sampled_from(list(POLICIES.values()))
    free = st.dictionaries(
        st.sampled_from([feature for feature in FEATURES if feature not in ("reply", "threat")]),
        st.integers(-3, 3),
    ).map(lambda weights: Policy("free", "drawn by the test", weights))
    return draw(st.one_of(named, free))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(rules=rule_sets(), seed=st.integers(0, 2**62 - 1), game=st.integers(0, 2**62 - 1), data=st.data())
def test_any_rules_policies_and_seeds(rules: RuleSet, seed: int, game: int, data: st.DataObject) -> None:
    count = data.draw(st.sampled_from(sorted({1, rules.side_count, rules.players})))
    policies = data.draw(st.lists(weight_rows(), min_size=count, max_size=count))
    try:
        seat_policies(policies, rules.sides)
        (trace,) = traces(rules, policies, seed=seed, first_game=game, count=1)
    except FivesError:
        return  # two different rows under one name
    assert trace == play_trace(rules, policies, seed, game)
    assert check_trace(trace) == []


@pytest.mark.parametrize(("name", "set_", "players"), CASES)
def test_replay_finds_no_fault(name: str, set_: str, players: int) -> None:
    rules = rule_set(name, set=set_, players=players)
    for trace in traces(rules, ["careful"], seed=5, first_game=0, count=5):
        assert check_trace(trace) == []


def test_two_policies_meet_the_same_deals() -> None:
    rules = rule_set("exact61", players=4).replace(target=None)
    for greedy, heavy in zip(
        traces(rules, ["greedy"], seed=3, count=50), traces(rules, ["heavy"], seed=3, count=50), strict=True
    ):
        for key in ("opener", "hands", "boneyard"):
            assert greedy["rounds"][0][key] == heavy["rounds"][0][key]


def test_a_long_game_needs_more_room_than_the_first_log() -> None:
    rules = rule_set("exact61", players=2, target=100_000, round_guard=400)
    (trace,) = traces(rules, ["random"], seed=1, count=1)
    assert trace["guard"]
    assert len(trace["rounds"]) == 400
    assert trace == play_trace(rules, ["random"], 1, 0)


def test_the_kernels_weigh_features_in_the_order_of_their_names() -> None:
    assert tuple(FEATURES) == policies.FEATURES
