"""The plain engine under house rules, by hand: who opens, what leads, what blocks are worth, ties by lot."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from analyzer.notation import parse_tile
from analyzer.referee.replay import check_trace
from analyzer.referee.settlement import block_gains, block_winner, out_gains
from analyzer.referee.table import opening_tile
from analyzer.rulesets import RuleSet, rule_set
from tests.plain.play import play_trace

Trace = dict[str, Any]


@pytest.mark.parametrize(
    ("hands", "opener", "tile"),
    [
        ("6-5 5-5 / 4-4 6-6", 1, "6-6"),
        ("0-0 1-0 / 6-5 6-4", 0, "0-0"),  # any double goes before the heaviest tile
        ("6-4 1-0 / 6-5 2-0", 1, "6-5"),
        ("5-4 1-0 / 6-3 2-0", 1, "6-3"),  # equal pips: the higher half
        ("6-2 1-0 / 5-3 2-0", 0, "6-2"),
    ],
)
def test_who_opens_by_the_highest_double(hands: str, opener: int, tile: str) -> None:
    held = [[parse_tile(text) for text in hand.split()] for hand in hands.split("/")]
    assert opening_tile(held) == (opener, parse_tile(tile))


def block_rules(players: int, **fields: Any) -> RuleSet:
    return rule_set("allfives", players=players, sides=tuple(range(players)), **fields)


@pytest.mark.parametrize(
    ("fields", "pips", "net"),
    [
        # three hands of 4, 13 and 22 pips: the others' 35
        ({"settlement_block": "opponents", "rounding": "none"}, [4, 13, 22], 35),
        ({"settlement_block": "less_own", "rounding": "none"}, [4, 13, 22], 31),
        ({"settlement_block": "differences", "rounding": "none"}, [4, 13, 22], 9 + 18),
        ({"settlement_block": "opponents"}, [4, 13, 22], 35),
        ({"settlement_block": "less_own"}, [4, 13, 22], 30),
        ({"settlement_block": "differences"}, [4, 13, 22], 25),
        ({"settlement_block": "opponents", "rounding": "down"}, [4, 13, 22], 35),
        ({"settlement_block": "less_own", "rounding": "down"}, [4, 13, 22], 30),
        ({"settlement_block": "differences", "rounding": "down"}, [4, 13, 22], 25),
        ({"settlement_block": "opponents", "rounding_of": "hand"}, [4, 13, 22], 15 + 20),
        ({"settlement_block": "less_own", "rounding_of": "hand"}, [4, 13, 22], 15 + 20 - 5),
        ({"settlement_block": "differences", "rounding_of": "hand"}, [4, 13, 22], 10 + 20),
        ({"settlement_block": "opponents", "rounding": "down", "rounding_of": "hand"}, [4, 13, 22], 10 + 20),
        ({"settlement_block": "less_own", "rounding_of": "hand"}, [3, 4, 4], 5 + 5 - 5),
        ({"settlement_block": "opponents", "points": "divided"}, [4, 13, 22], 7),
    ],
)
def test_what_the_lightest_side_wins(fields: dict[str, Any], pips: list[int], net: int) -> None:
    (gain,) = block_gains(block_rules(3, **fields), pips)
    assert (gain.side, gain.net) == (0, net)


def test_a_hand_that_rounds_up_takes_no_points_away() -> None:
    # own hands 3 + 3 pips round to 10, the opponents' 7 + 0 to 5
    rules = rule_set("allfives", players=4, settlement_block="less_own", rounding_of="hand")
    assert block_gains(rules, [3, 7, 3, 0]) == []
    assert block_winner(rules, [3, 7, 3, 0]) == 0


def test_one_point_for_going_out() -> None:
    (gain,) = out_gains(block_rules(3, settlement_out="one"), 2, [5, 9, 0], 0)
    assert (gain.side, gain.net) == (2, 1)


@pytest.mark.parametrize(
    ("fields", "half"),
    [
        ({"settlement_block": "opponents"}, Fraction(15, 2)),  # 13 pips: 15
        ({"settlement_block": "less_own", "rounding": "none"}, Fraction(9, 2)),
        ({"settlement_block": "differences"}, Fraction(5)),
    ],
)
def test_two_tied_sides_share_what_they_win_from_the_third(fields: dict[str, Any], half: Fraction) -> None:
    gains = block_gains(block_rules(3, ties="split", **fields), [4, 13, 4])
    assert [(gain.side, gain.net) for gain in gains] == [(0, half), (2, half)]


def test_a_lot_lets_one_of_the_tied_sides_win_from_all_others() -> None:
    rules = block_rules(3, ties="lot", rounding="none")
    for side in (0, 2):
        assert block_winner(rules, [4, 13, 4], side) == side
        (gain,) = block_gains(rules, [4, 13, 4], side)
        assert (gain.side, gain.net) == (side, 17)
    assert block_winner(rules, [4, 3, 4], None) == 1


# --- replays ------------------------------------------------------------------------------------


def tied_by_lot() -> Trace:
    """Return a single round of four that ends blocked and tied, and the lot's winner."""
    rules = rule_set("block", players=3, ties="lot", hand=2).replace(target=None)
    for game in range(1000):
        trace = play_trace(rules, ["random"], 1, game)
        (round_,) = trace["rounds"]
        if round_["end"] == "blocked" and round_["pips"].count(min(round_["pips"])) == 2:
            return trace
    raise AssertionError("no tie in 1000 rounds")


def test_a_replay_takes_the_lot_from_the_record() -> None:
    trace = tied_by_lot()
    (round_,) = trace["rounds"]
    assert check_trace(trace) == []
    assert round_["winner"] is not None
    none = copy.deepcopy(trace)
    none["rounds"][0]["winner"] = None
    assert any("winner is null" in fault.text for fault in check_trace(none))
    heavy = copy.deepcopy(trace)
    heavy["rounds"][0]["winner"] = round_["pips"].index(max(round_["pips"]))
    assert any("winner" in fault.text for fault in check_trace(heavy))


def test_lots_name_every_tied_side() -> None:
    rules = rule_set("block", players=2, ties="lot", hand=2).replace(target=None)
    winners = set()
    for game in range(400):
        (round_,) = play_trace(rules, ["random"], 3, game)["rounds"]
        if round_["end"] == "blocked" and round_["pips"][0] == round_["pips"][1]:
            winners.add(round_["winner"])
    assert winners == {0, 1}


def seat_after(trace: Trace) -> None:
    trace["rounds"][1]["opener"] = (trace["rounds"][1]["opener"] + 1) % 3


def first_by_other(trace: Trace) -> None:
    trace["rounds"][0]["opener"] = (trace["rounds"][0]["opener"] + 1) % 3


def other_lead(trace: Trace) -> None:
    turn = trace["rounds"][0]["turns"][0]
    turn["move"] = next(tile for tile in trace["rounds"][0]["hands"][turn["seat"]] if tile != turn["move"])


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("block", seat_after, "opens, by the rules seat"),
        ("muggins", first_by_other, "opens, by the rules seat"),
        ("muggins", other_lead, "the lead is"),
    ],
)
def test_faults_of_openers_and_leads(name: str, change: Callable[[Trace], None], told: str) -> None:
    trace = play_trace(rule_set(name, players=3), ["greedy"], 4, 0)
    assert check_trace(trace) == []
    change(trace)
    assert any(told in fault.text for fault in check_trace(trace))
