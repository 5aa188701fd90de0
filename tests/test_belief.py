"""The belief of a seat: as many deals as plain enumeration finds, drawn as often as it says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.stats

from analyzer.notation import Tile, tile_set
from analyzer.policies import POLICIES
from analyzer.positions import Position, position_at
from analyzer.records import rules_record
from analyzer.referee.reading import read_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.search import Searcher
from analyzer.traces import traces
from kernels.belief import CELLS
from kernels.imagine import imagine
from kernels.opening import NOBODY
from kernels.state import TABLE, blank
from tests.plain.belief import Hands, deals

GREEDY = POLICIES["greedy"]
HIGHEST = dict.fromkeys(("opener_first", "opener_after_out", "opener_after_block"), "highest_double")
SAMPLES = 4000
LEAST_CHANCE = 1e-6
KEY = np.uint64(1 << 40)
TABLES = [
    rule_set("exact61", players=2, hand=3),
    rule_set("exact61", players=2, hand=11),
    rule_set("allfives", players=2, hand=2),
    rule_set("partout5", players=3, hand=2),
    rule_set("allfives", players=3, hand=7),
    rule_set("exact61", players=4, hand=2, reserve=14),
    rule_set("allfives", players=4, hand=6),
    rule_set("draw", players=2, hand=4, draw="one"),
    rule_set("draw", players=3, hand=3, draw="one", reserve=12),
    rule_set("allfives", players=2, hand=3, draw="none"),
    rule_set("draw", players=3, hand=6, draw="none"),
]
BY_HIGHEST = [
    rule_set("muggins", players=2, hand=3),
    rule_set("muggins", players=2, hand=11),
    rule_set("muggins", players=3, hand=2),
    rule_set("muggins", players=3, hand=7, draw="one"),
    rule_set("muggins", players=4, hand=2, reserve=14),
    rule_set("muggins", players=4, hand=6),
    rule_set("draw", players=2, hand=4, draw="one", lead="forced", **HIGHEST),
    rule_set("allfives", players=2, hand=3, **HIGHEST),
    rule_set("allfives", players=2, hand=11, **HIGHEST),
    rule_set("allfives", players=3, hand=2, **HIGHEST),
    rule_set("exact61", players=4, hand=6, **HIGHEST),
    rule_set("draw", players=3, hand=3, draw="one", reserve=12, **HIGHEST),
    rule_set("draw", players=3, hand=6, draw="none", **HIGHEST),
]


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}-{rules.hand}-{rules.lead}"


def positions(rules: RuleSet, rounds: int, seed: int) -> Iterator[Position]:
    """Yield the turns with a placement of random rounds."""
    rules = rules.replace(target=None)
    for trace in traces(rules, ["random"], seed=seed, count=rounds):
        round_ = read_trace(trace).rounds[0]
        for number in range(len(round_.turns)):
            position = position_at(rules, round_, number)
            if position is not None:
                yield position


def work_of(position: Position) -> float:
    """Return about how many deals plain enumeration has to try."""
    rules = position.rules
    turns = list(zip(position.seats, position.turns, strict=True))
    own = sum(seat == position.seat and turn.move is not None for seat, turn in turns)
    hidden = rules.tiles - len(position.hand) - own
    tries = 1.0
    for seat in range(rules.players):
        if seat != position.seat:
            kept = [turn for who, turn in turns if who == seat]
            early = next((i for i, turn in enumerate(kept) if turn.drawn), len(kept))
            unsure = rules.hand - sum(turn.move is not None for turn in kept[:early])
            tries *= math.comb(hidden - rules.hand + unsure, unsure)
            hidden -= rules.hand
            for turn in kept:
                tries *= math.perm(hidden, max(0, turn.drawn - (turn.move is not None)))
                hidden -= turn.drawn
    return tries


def chosen(rules: RuleSet, wanted: int, seed: int, most_work: float = 1e4) -> list[Position]:
    """Return positions that can be enumerated, those with the most stuck turns of others first."""
    found = [p for p in positions(rules, 60, seed) if 1 < work_of(p) < most_work and p.turns]

    def stuck(position: Position) -> tuple[int, int]:
        turns = [
            turn
            for seat, turn in zip(position.seats, position.turns, strict=True)
            if seat != position.seat and (turn.drawn or turn.move is None)
        ]
        return len(turns), sum(turn.drawn for turn in turns)

    return sorted(found, key=stuck, reverse=True)[:wanted]


class Sampler:
    """Draws from the belief of a position's seat."""

    def __init__(self, position: Position, cells: int) -> None:
        self.searcher = Searcher(position, GREEDY, seed=1)
        self.position, self.rules = position, rules_record(position.rules)
        self.state, self.turn = self.searcher.state, self.searcher.turn
        self.ways = self.searcher.believed(cells)
        self.world = blank(TABLE)

    def deal(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the masks of the hands and the boneyard's tiles of one sample."""
        found = imagine(
            self.state.belief, self.ways, self.state.history, self.rules, *self.turn[:2],
            self.turn.drawn, self.world, KEY + np.uint64(number),
        )  # fmt: skip
        assert found
        masks = self.world["hands"][: self.position.rules.players].tolist()
        order = self.world["order"][self.turn.drawn : self.position.rules.tiles].tolist()
        return tuple(masks), tuple(order)

    def sampled(self, samples: int) -> Counter[Hands]:
        """Return how often each hands come in so many samples."""
        tiles = tile_set(self.position.rules.set)

        def hand(mask: int) -> frozenset[Tile]:
            return frozenset(tile for tile in tiles if mask >> tile.number & 1)

        masks = Counter(self.deal(number)[0] for number in range(samples))
        return Counter({tuple(map(hand, each)): number for each, number in masks.items()})

    @property
    def counted(self) -> int:
        """The deals, as the table counts them."""
        belief, history = self.state.belief, self.state.history
        number = int(belief["deals"])
        for lot in range(int(belief["lots"])):  # a joined lot's tiles can be parted among its own lots
            parts = [part for part in range(int(belief["lots"])) if int(belief["joined"][lot]) >> part & 1]
            number *= math.factorial(int(belief["room"][lot]))
            number //= math.prod(math.factorial(int(belief["alone"][part])) for part in parts)
        for turn in range(int(history["turns"])):  # the tiles kept of a draw came in any order
            if history["seat"][turn] != self.position.seat:
                number *= math.factorial(int(history["kept"][turn]))
        return number * math.factorial(self.position.rules.tiles - self.turn.drawn)


def chi_square_chance(observed: Counter[Any], expected: dict[Any, float]) -> float:
    """Return the chance of so large a chi-square; rare outcomes are put together."""
    assert set(observed) <= set(expected)
    rare = {key for key, value in expected.items() if value < 8}
    cells = [(observed[key], value) for key, value in expected.items() if key not in rare]
    if rare:
        cells.append((sum(observed[key] for key in rare), sum(expected[key] for key in rare)))
    cells = [cell for cell in cells if cell[1] > 0]
    if len(cells) < 2:
        return 1.0
    counts, means = np.array(cells, float).T
    return float(scipy.stats.chi2.sf(((counts - means) ** 2 / means).sum(), len(cells) - 1))


@pytest.mark.parametrize("rules", [*TABLES, *BY_HIGHEST], ids=name_of)
def test_the_table_counts_the_deals_that_enumeration_finds(rules: RuleSet) -> None:
    found = chosen(rules, 6, seed=11)
    assert len(found) >= 4
    assert {position.by_highest for position in found} == {rules in BY_HIGHEST}
    for position in found:
        sampler = Sampler(position, CELLS)
        number = sum(deals(position).values())
        if sampler.state.belief["hidden_opener"] == NOBODY:
            assert sampler.counted == number
        else:  # the opener's tile is hidden: what is too much is thrown away later
            assert sampler.counted >= number > 0


@pytest.mark.parametrize("cells", [CELLS, 1], ids=["counted", "joined"])
@pytest.mark.parametrize("rules", [*TABLES, *BY_HIGHEST], ids=name_of)
def test_samples_are_spread_as_enumeration_says(rules: RuleSet, cells: int) -> None:
    for position in chosen(rules, 2, seed=12):
        ways = deals(position)
        sampler = Sampler(position, cells)
        total = sum(ways.values())
        expected = {hands: SAMPLES * number / total for hands, number in ways.items()}
        assert chi_square_chance(sampler.sampled(SAMPLES), expected) > LEAST_CHANCE


def test_the_boneyard_is_in_any_order() -> None:
    rules = rule_set("allfives", players=2, hand=12)
    position = next(
        p
        for p in positions(rules, 30, seed=13)
        if p.turns and not p.drawing and not any(turn.drawn for turn in p.turns)
    )
    sampler = Sampler(position, CELLS)
    orders = Counter()
    for number in range(SAMPLES):
        hands, boneyard = sampler.deal(number)
        assert not any(mask >> tile & 1 for mask in hands for tile in boneyard)
        orders[tuple(sorted(range(4), key=lambda i: boneyard[i]))] += 1
    expected = dict.fromkeys(orders, SAMPLES / 24)
    assert len(expected) == 24
    assert chi_square_chance(orders, expected) > LEAST_CHANCE
