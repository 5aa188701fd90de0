"""The dealer against exact values, and the block game against published runs of other programs."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from analyzer.records import rules_record
from analyzer.rulesets import RuleSet, rule_set
from analyzer.simulate import Result, simulate
from kernels.bits import popcount
from kernels.deal import deal, draw
from kernels.jit import kernel
from kernels.rng import DEAL, child, game_key
from kernels.state import TABLE, blank
from kernels.tiles import DOUBLES

DEALS = 2_000_000
FAR = 4  # standard errors


@kernel
def count_doubles(table, rules, seed, deals, histogram):  # type: ignore[no-untyped-def]
    """Deal, and count the hands of seat 0 by their doubles."""
    for game in range(deals):
        deal(table, rules, child(child(game_key(seed, game), 0), DEAL))
        histogram[popcount(table.hands[0] & DOUBLES)] += 1


@kernel
def count_draws(table, rules, seed, deals, playable):  # type: ignore[no-untyped-def]
    """Deal, and return the sum and the sum of squares of the draws until a tile of `playable`."""
    total, squares = 0, 0
    for game in range(deals):
        dealt = deal(table, rules, child(child(game_key(seed, game), 0), DEAL))
        if dealt & playable == 0:
            drawn = popcount(draw(table, rules, playable))
            total += drawn
            squares += drawn * drawn
            table.weight += 1
    return total, squares


@kernel
def count_places(table, rules, seed, deals, seat_of):  # type: ignore[no-untyped-def]
    """Deal, and count for each tile and seat how often the tile lies there."""
    for game in range(deals):
        deal(table, rules, child(child(game_key(seed, game), 0), DEAL))
        for seat in range(rules.players):
            for tile in range(rules.tiles):
                seat_of[tile, seat] += table.hands[seat] >> tile & 1


def setting(rules: RuleSet) -> tuple[Any, Any]:
    return blank(TABLE), rules_record(rules)


def test_five_doubles_in_seven_tiles() -> None:
    table, rules = setting(rule_set("partout5"))
    histogram = np.zeros(8, np.int64)
    count_doubles(table, rules, 1, DEALS, histogram)
    exact = [comb(7, k) * comb(21, 7 - k) / comb(28, 7) for k in range(8)]
    assert sum(exact[5:]) == pytest.approx(0.00384953, abs=5e-9)
    for k in range(8):
        error = sqrt(exact[k] * (1 - exact[k]) * DEALS)
        assert abs(histogram[k] - exact[k] * DEALS) <= FAR * error + 1
    p = sum(exact[5:])
    assert abs(histogram[5:].sum() / DEALS - p) <= FAR * sqrt(p * (1 - p) / DEALS)


@pytest.mark.parametrize(("set_", "hand", "playable"), [
    ("double-six", 5, 0b111), ("double-six", 9, 1 << 27), ("double-nine", 10, 0b1011 << 40),
])  # fmt: skip
def test_mean_draws_until_a_playable_tile(set_: str, hand: int, playable: int) -> None:
    table, rules = setting(rule_set("partout5", set=set_, hand=hand))
    total, squares = count_draws(table, rules, 7, 1_000_000, playable)
    n, m = int(table["weight"]), playable.bit_count()
    boneyard = int(rules["tiles"]) - 2 * hand
    mean, variance = total / n, (squares - total * total / n) / (n - 1)
    assert abs(mean - (boneyard + 1) / (m + 1)) <= FAR * sqrt(variance / n)


@pytest.mark.parametrize("set_", ["double-six", "double-nine"])
def test_every_tile_lies_everywhere_equally_often(set_: str) -> None:
    deals = 400_000
    table, rules = setting(rule_set("partout5", set=set_, players=4))
    seat_of = np.zeros((55, 4), np.int64)
    count_places(table, rules, 11, deals, seat_of)
    tiles, hand = int(rules["tiles"]), int(rules["hand"])
    p = hand / tiles
    scores = (seat_of[:tiles] - deals * p) / sqrt(deals * p * (1 - p))
    assert np.abs(scores).max() < 5
    assert seat_of.sum() == deals * 4 * hand


# --- the outside world --------------------------------------------------------------------------
# Two random players, double-six, seven tiles each, no drawing, no spinner: figures of published runs of
# 64 million rounds. Their standard errors are small beside those of our four million.

ROUNDS = 4_000_000
PUBLISHED_ROUNDS = 64_000_000
OPENER, TIED, BLOCKED, PLAYS = 0.56674, 0.02632, 0.70414, 10.361


def block_game() -> Result:
    rules = rule_set("allfives", hand=7, spinner="none", draw="none")
    return simulate(rules, ["random"], rounds=ROUNDS, seed=1)


def row(result: Result, metric: str) -> dict[str, Any]:
    (found,) = (row for row in result.summary_rows if row["metric"] == metric)
    return found


def assert_near(estimate: float, published: float, error: float) -> None:
    joint = error * sqrt(1 + ROUNDS / PUBLISHED_ROUNDS)
    assert abs(estimate - published) <= FAR * joint


def test_the_block_game_agrees_with_published_runs() -> None:
    result = block_game()
    opener, blocked, plays = (row(result, m) for m in ("opener_win_rate", "blocked_rate", "plays_per_round"))
    assert_near(opener["estimate"], OPENER + TIED / 2, opener["std_error"])
    assert_near(blocked["estimate"], BLOCKED, blocked["std_error"])
    assert_near(plays["estimate"], PLAYS, plays["std_error"])
    tied = row(result, "blocked_tie_rate")
    assert_near(tied["estimate"], TIED / BLOCKED, tied["std_error"])
    tied_of_all = result.total.total(["tied"]) / ROUNDS
    assert_near(tied_of_all, TIED, sqrt(TIED * (1 - TIED) / ROUNDS))
    # wins = share - half of the ties
    strictly = opener["estimate"] - tied_of_all / 2
    assert_near(strictly, OPENER, sqrt(OPENER * (1 - OPENER) / ROUNDS))
