"""The exact endgame against plain brute force, on positions of random rounds in which every tile is known."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analyzer.notation import tile_set
from analyzer.policies import POLICIES
from analyzer.positions import Position, position_at
from analyzer.referee.events import GameState
from analyzer.referee.reading import read_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.search import Searcher
from analyzer.traces import traces
from tests.plain import worth
from tests.plain.endgame import Endgame

GREEDY = POLICIES["greedy"]
TABLES = [
    rule_set("exact61", players=2, hand=14),
    rule_set("exact61", players=2, hand=5, target=100),
    rule_set("allfives", players=2, hand=14, target=60),
    rule_set("partout5", players=2, hand=14, spinner="none"),
    rule_set("draw", players=2, hand=14),
    rule_set("exact61", players=2, hand=14, last_play="before", settlement_block="opponents"),
    *(rule_set(name, players=2, hand=14).replace(target=None) for name in ("exact61", "allfives", "draw")),
    rule_set("exact61", players=2).replace(target=None),
    rule_set("muggins", players=2, hand=14, target=60),
]
MOST_TILES = 8  # in both hands


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.hand}-{rules.target}"


def known(rules: RuleSet, seed: int) -> Iterator[Position]:
    """Yield positions with every tile known, few of them left, and a choice; scores as far as they may be."""
    rng = np.random.default_rng(seed)
    number = 0
    while True:
        (trace,) = traces(rules.replace(target=None), ["random"], seed=seed, first_game=number, count=1)
        number += 1
        round_ = read_trace(trace).rounds[0]
        for at in range(len(round_.turns)):
            position = position_at(rules.replace(target=None), round_, at)
            if position is None:
                continue
            hidden = rules.tiles - len(position.layout) - len(position.hand)
            drawn = sum(each.drawn for each in position.turns) + position.drawing
            all_known = 2 * rules.hand + drawn == rules.tiles
            if all_known and len(position.hand) + hidden <= MOST_TILES and len(position.placements) > 1:
                yield with_scores(position, rules, rng)


def with_scores(position: Position, rules: RuleSet, rng: np.random.Generator) -> Position:
    """Return the position under rules with their target, at scores that are often near it."""
    if rules.target is None:
        return position
    step = 1 if rules.name in ("partout5", "draw") else 5
    most = (rules.target - 1) // step
    scores = tuple(Fraction(step * int(max(0, most - rng.integers(0, 14)))) for _ in range(2))
    return dataclasses.replace(position, rules=rules, scores=scores)


def plain_values(position: Position, searcher: Searcher) -> list[Any]:
    """Return the plain value of each placement for the seat: half points, or millionths of a game."""
    rules = position.rules
    seen = {*position.layout.tiles, *position.hand}
    other = [tile for tile in tile_set(rules.set) if tile not in seen]
    tables = searcher.state.standing, searcher.state.chances[position.seat]

    def worth_to_first(end: str, last: int, scores: tuple[Fraction, ...], game: GameState) -> Any:
        if rules.target is None:
            return worth.margin(rules, scores, 0)
        return worth.chance(rules, scores, game, worth.opens_next(rules, end, last), 0, *tables)

    endgame = Endgame(position, other, worth_to_first)
    values = [endgame.value(move) for move in position.placements]
    whole = 0 if rules.target is None else worth.WHOLE
    return values if position.seat == 0 else [whole - value for value in values]


def assert_all_equal(rules: RuleSet, count: int, seed: int) -> None:
    found = known(rules, seed)
    for _ in range(count):
        position = next(found)
        searcher = Searcher(position, GREEDY, 1)
        solved = searcher.solved()
        assert solved is not None
        assert solved.is_exact
        assert solved.sums.tolist() == plain_values(position, searcher)


@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_values_are_those_of_brute_force(rules: RuleSet) -> None:
    assert_all_equal(rules, 12, seed=31)


@pytest.mark.slow
@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_values_of_many_positions_are_those_of_brute_force(rules: RuleSet) -> None:
    assert_all_equal(rules, 400, seed=32)


def first_turns(trace: dict[str, Any]) -> list[Position]:
    """Return the positions of the turns with a placement of a game's first round."""
    read = read_trace(trace)
    found = (position_at(read.rules, read.rounds[0], at) for at in range(len(read.rounds[0].turns)))
    return [position for position in found if position is not None]


def test_too_much_is_left_alone() -> None:
    """All 28 tiles in two hands are more than may be searched; with hidden tiles nothing is known."""
    rules = rule_set("allfives", players=2, hand=14)
    (trace,) = traces(rules, ["random"], seed=33, count=1)
    assert Searcher(first_turns(trace)[0], GREEDY, 1).solved() is None
    rules = rule_set("allfives", players=2)
    (trace,) = traces(rules, ["random"], seed=33, count=1)
    assert Searcher(first_turns(trace)[4], GREEDY, 1).solved() is None
