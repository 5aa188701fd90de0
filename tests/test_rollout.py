"""Rollouts: the worlds' values against the plain engine, and the choice of a policy against those values."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fives
from analyzer import standing
from analyzer.errors import FivesError
from analyzer.notation import tile_set
from analyzer.policies import POLICIES, Policy, policy
from analyzer.positions import Position, position_at
from analyzer.referee.reading import read_trace
from analyzer.referee.replay import check_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.search import Searcher
from analyzer.settings import policy_from
from analyzer.showing import scores_before
from analyzer.traces import traces
from kernels.imagine import imagine
from kernels.rng import CHOICE, DEAL, child
from kernels.state import TABLE, blank
from tests.plain import worth
from tests.plain.rollout import play_on

HIGHEST = dict.fromkeys(("opener_first", "opener_after_out", "opener_after_block"), "highest_double")
TABLES = [
    rule_set("exact61", players=2),
    rule_set("exact61", players=4),
    rule_set("allfives", players=2),
    rule_set("partout5", players=2, set="double-nine"),
    rule_set("draw", players=2, draw="one", reserve=2),
    rule_set("exact61", players=2, target=60),
    *(rule_set(name, players=3).replace(target=None) for name in ("exact61", "allfives", "draw")),
    rule_set("allfives", players=4).replace(target=None),
    rule_set("muggins", players=2),
    rule_set("muggins", players=3).replace(target=None),
    rule_set("muggins", players=4),
    rule_set("allfives", players=2, **HIGHEST),
    rule_set("exact61", players=4, opener_first="highest_double", opener_after_block="highest_double"),
    rule_set("draw", players=3, hand=4, draw="one", **HIGHEST).replace(target=None),
]


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}-{rules.target}"


def turns_of(trace: dict[str, Any], rules: RuleSet) -> Iterator[tuple[int, dict[str, Any], Position]]:
    """Yield (number of the round, turn, position) of each turn with a placement."""
    read = read_trace(trace)
    for number, round_ in enumerate(read.rounds):
        for at, turn in enumerate(trace["rounds"][number]["turns"]):
            position = position_at(rules, round_, at, scores_before(read, number))
            if position is not None:
                yield number, turn, position


def imagined(searcher: Searcher, number: int) -> tuple[list[list[Any]], list[Any], int]:
    """Return hands, boneyard and the stream of ties of a world."""
    position, turn, state = searcher.position, searcher.turn, searcher.state
    world, key = blank(TABLE), np.uint64(child(searcher.key, number))
    deal_key = np.uint64(child(key, DEAL))
    assert imagine(
        state.belief, searcher.ways, state.history, searcher.rules, *turn[:2], turn.drawn, world, deal_key
    )
    tiles = tile_set(position.rules.set)
    hands = [
        [tile for tile in tiles if int(world["hands"][seat]) >> tile.number & 1]
        for seat in range(position.rules.players)
    ]
    order = world["order"][turn.drawn : position.rules.tiles]
    return hands, [tiles[n] for n in order], int(child(key, CHOICE))


@pytest.mark.parametrize("base", ["greedy", "careful", "random"])
@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_values_of_worlds_are_those_of_the_plain_engine(rules: RuleSet, base: str) -> None:
    (trace,) = traces(rules, ["random"], seed=21, count=1)
    several = [each for each in turns_of(trace, rules) if len(each[2].placements) > 1]
    for number, _, position in several[:: max(1, len(several) // 4)]:
        searcher = Searcher(position, policy(base), 5, game=3, game_round=number)
        values = searcher.values(3)
        side = rules.sides[position.seat]
        for world in range(3):
            hands, boneyard, ties = imagined(searcher, world)
            for move, value in zip(position.placements, values[world], strict=True):
                end = play_on(position, hands, boneyard, move, policy(base), ties)
                if rules.target is None:
                    assert value == worth.margin(rules, end.scores, side)
                else:
                    opens = worth.opens_next(rules, end.end, end.last_placer)
                    tables = searcher.state.standing, searcher.state.chances[position.seat]
                    assert value == worth.chance(rules, end.scores, end.game, opens, side, *tables)


@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_a_policy_chooses_what_its_seat_alone_can_work_out(rules: RuleSet) -> None:
    """The kernels choose with the table in hand, the searcher from the position alone: hands stay hidden."""
    names = ["rollout:7:greedy", "greedy"]
    seats = [names[side % 2] for side in rules.sides]
    (trace,) = traces(rules, seats, seed=22, first_game=4, count=1)
    searched = 0
    for number, turn, position in turns_of(trace, rules):
        if seats[turn["seat"]] == "greedy" or len(position.placements) == 1:
            continue
        searcher = Searcher(position, policy("greedy"), 22, game=4, game_round=number)
        found = searcher.solved() or searcher.play(7)
        best = [str(m) for m, s in zip(found.moves, found.sums, strict=True) if s == found.sums.max()]
        assert turn["move"] in best
        searched += 1
    assert searched > 2


@pytest.mark.parametrize("rules", [*TABLES[:4], TABLES[10], TABLES[14]], ids=name_of)
def test_traces_replay(rules: RuleSet) -> None:
    (trace,) = traces(rules, ["rollout:5:careful"], seed=23, count=1)
    assert check_trace(trace) == []
    assert trace["policies"] == ["rollout:5:careful"] * rules.players


@pytest.mark.parametrize(
    "rules",
    [rule_set("allfives", players=3, target=60), rule_set("muggins", players=3, target=60, **HIGHEST)],
    ids=name_of,
)
def test_three_sides_play_the_game_to_its_end(rules: RuleSet) -> None:
    (trace,) = traces(rules, ["rollout:4:greedy", "greedy", "random"], seed=24, count=1)
    assert check_trace(trace) == []
    _, _, position = next(each for each in turns_of(trace, rules) if len(each[2].placements) > 2)
    values = Searcher(position, policy("greedy"), 1).values(200)
    assert set(np.unique(values)) <= {0, 333_333, 500_000, 1_000_000}
    assert len(np.unique(values)) > 1


def test_an_opener_that_is_given_tells_nothing_of_the_hands() -> None:
    """The highest double would open, but a seat is named: worlds are those of rules without such openings."""
    given = fives.given(rule_set("muggins"), opener=1)
    found = []
    for rules in (rule_set("muggins"), rule_set("muggins", opener_first="lot", lead="any")):
        (trace,) = traces(rules.replace(target=None), ["rollout:9:greedy"], seed=25, given=given)
        found.append([round_["turns"] for round_ in trace["rounds"]])
    assert found[0] == found[1]


def test_threads_and_chunks_change_nothing() -> None:
    def rows(**options: Any) -> Any:
        return fives.simulate("exact61", ["rollout:6:greedy", "careful"], games=12, seed=3, **options).summary

    assert rows(threads=1).equals(rows(threads=3))


def test_sums_are_those_of_the_values_whatever_the_steps() -> None:
    rules = rule_set("allfives", players=2)
    (trace,) = traces(rules, ["random"], seed=25, count=1)
    _, _, position = next(turn for turn in turns_of(trace, rules) if len(turn[2].placements) > 2)
    values = Searcher(position, policy("greedy"), 9).values(40)
    searcher = Searcher(position, policy("greedy"), 9)
    searcher.play(15)
    found = searcher.play(25)
    assert found.worlds == 40
    assert found.sums.tolist() == values.sum(axis=0).tolist()
    assert found.products.tolist() == (values.T @ values).tolist()
    assert found.unit == Fraction(1, 1_000_000)


# --- what the scores are worth --------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        rule_set("exact61", players=2),
        rule_set("exact61", players=4, target=150),
        rule_set("allfives", players=2),
        rule_set("partout5", players=2),
        rule_set("draw", players=2),
        rule_set("partout5", players=2, target=500),
        rule_set("muggins", players=2, **HIGHEST),
    ],
    ids=name_of,
)
def test_the_first_opener_wins_as_often_as_the_table_says(rules: RuleSet) -> None:
    scale = standing.scale(rules)
    zero = -int(scale["lowest"]) // int(scale["unit"])
    table = standing.chances_of(rules, POLICIES["greedy"])
    row = fives.simulate(rules, ["greedy"], games=20_000, seed=26).summary.set_index("metric")
    measured = row.loc["first_mover_win_rate"]
    assert abs(table[zero, zero] / 1e6 - measured["estimate"]) < 0.03


@pytest.mark.parametrize("name", ["careful", "greedy"])
@pytest.mark.parametrize(
    "rules",
    [rule_set("exact61", players=2), rule_set("exact61", players=4, target=30), rule_set("draw")],
    ids=name_of,
)
def test_scores_are_worth_what_a_race_says(
    monkeypatch: pytest.MonkeyPatch, rules: RuleSet, name: str
) -> None:
    """The table is the race's, but for how low scores are told apart and how often passes are repeated."""
    monkeypatch.setattr("analyzer.race_grid.LOWEST", -2)  # shown points: a third of the smallest target
    monkeypatch.setattr("analyzer.standing.SEED", 5)
    table = fives.race_table(rules, name, rounds=standing.ROUNDS, seed=5)
    chances = standing.chances_of.__wrapped__(rules, POLICIES[name]) / 1e6
    np.testing.assert_allclose(chances, table.values[0], atol=2e-6 if table.grid.lowest == 0 else 1e-4)


def test_targets_of_many_points_are_valued_on_a_coarse_grid() -> None:
    """Every fourth score stands for the three above it: 420 to 496 of 500 points are as 20 to 96 of 100."""
    rules = rule_set("partout5", players=2, target=500)
    grid = standing.grid_of(rules)
    assert (grid.coarse, grid.goal, grid.size) == (4, 500, 125)
    fine = standing.chances_of(rules.replace(target=100), POLICIES["greedy"])[20::4, 20::4]
    near = standing.chances_of(rules, POLICIES["greedy"])[-20:, -20:]
    assert np.abs(near - fine).mean() / 1e6 < 0.01


def test_rounds_after_the_first_are_those_that_the_table_is_of() -> None:
    """By the highest double the opener holds the better hand; in later rounds of muggins a seat opens any."""
    rules = rule_set("muggins")
    table = standing.chances_of(rules, POLICIES["greedy"])
    given = fives.given(rules, opener=0)
    row = fives.simulate(rules, ["greedy"], games=20_000, seed=26, given=given).summary.set_index("metric")
    assert abs(table[0, 0] / 1e6 - row.loc["first_mover_win_rate"]["estimate"]) < 0.03


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("rollout", "has 1 parts"),
        ("rollout:100", "has 2 parts"),
        ("rollout:100:greedy:x", "has 4 parts"),
        ("rollout:0:greedy", "from 1 to 100000"),
        ("rollout:-5:greedy", "from 1 to 100000"),
        ("rollout:ten:greedy", "from 1 to 100000"),
        ("rollout:100001:greedy", "from 1 to 100000"),
        ("rollout:10:gredy", "did you mean greedy"),
        ("rollout:10:rollout", "name a policy without one"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(name: str, problem: str) -> None:
    with pytest.raises(FivesError, match=problem):
        policy(name)


def test_a_searching_policy_survives_manifest_and_pickle() -> None:
    searching = policy("rollout:100:careful")
    assert policy_from(searching.as_dict()) == searching == pickle.loads(pickle.dumps(searching))
    assert searching.base().weights == POLICIES["careful"].weights
    assert searching != Policy(searching.name, searching.summary, searching.weights)
    assert "worlds" not in POLICIES["careful"].as_dict()
