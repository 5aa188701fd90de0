"""The layout kernel: the largest counts, perft, and random layouts against the plain engine's tree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from analyzer.notation import Move, Tile, format_move, parse_move, tile_set
from analyzer.referee.layout import Layout as Tree
from analyzer.referee.sheet import score_sheet
from analyzer.rulesets import rule_set
from kernels.bounds import COUNTS, count_bound
from kernels.jit import kernel
from kernels.layout import AT_SIDE, BY_HIGH, LEAD, TILE, empty_layout, place
from kernels.policies import placements
from kernels.rules import SPINNER_ALL, SPINNER_FIRST, SPINNER_NONE
from kernels.tiles import PLAYABLE
from tests.plain.perft import FOLDER, PerftCase, read_case

SPINNERS = {"none": SPINNER_NONE, "first": SPINNER_FIRST, "all": SPINNER_ALL}
TILES = tile_set("double-nine")


@kernel
def start(spinner):  # type: ignore[no-untyped-def]
    return empty_layout(spinner)


@kernel
def go_on(layout, placement, spinner):  # type: ignore[no-untyped-def]
    return place(layout, placement, spinner)


@kernel
def legal(hand, layout):  # type: ignore[no-untyped-def]
    return placements(hand, layout)


def move_of(placement: int) -> Move:
    tile = TILES[placement & TILE]
    if placement & LEAD:
        return Move(tile, None)
    joined = tile.high if placement & BY_HIGH else tile.low
    return Move(tile, Tile(joined, joined) if placement & AT_SIDE else joined)


def placement_of(move: Move) -> int:
    if move.at is None:
        return move.tile.number | LEAD
    by_high = BY_HIGH if move.value == move.tile.high and not move.tile.is_double else 0
    return move.tile.number | by_high | (AT_SIDE if isinstance(move.at, Tile) else 0)


def listed(hand: int, layout: Any) -> list[int]:
    groups = legal(hand, layout)
    return [tile | group << 6 for group in range(4) for tile in range(55) if int(groups[group]) >> tile & 1]


# --- largest counts -----------------------------------------------------------------------------

LARGEST = [
    ("none", "double-six", 22, "6-5 6-6@6 5-5@5"),
    ("none", "double-nine", 34, "9-8 9-9@9 8-8@8"),
    ("first", "double-six", 36, "0-0 6-0@0-0 5-0@0-0 4-0@0-0 3-0@0-0 6-6@6 5-5@5 4-4@4 3-3@3"),
    ("first", "double-six", 35, "0-0 6-0@0-0 5-0@0-0 4-0@0-0 3-0@0-0 6-6@6 5-5@5 4-4@4 5-3@3"),
    ("first", "double-nine", 60, "0-0 9-0@0-0 8-0@0-0 7-0@0-0 6-0@0-0 9-9@9 8-8@8 7-7@7 6-6@6"),
    ("all", "double-six", 75,
     "6-0 6-6@6 0-0@0 5-0@0-0 5-5@5 3-0@0-0 3-3@3 6-3@3-3 5-3@3-3 4-0@0-0 4-4@4 6-4@4-4 5-4@4-4 4-3@3-3 "
     "4-2@4-4 2-2@2 5-2@2-2 6-2@2-2 2-1@2-2 1-1@1 6-1@1-1 5-1@1-1 4-1@1-1 6-5@5"),
    ("all", "double-nine", 168,
     "9-0 9-9@9 0-0@0 8-0@0-0 8-8@8 7-0@0-0 7-7@7 5-0@0-0 5-5@5 9-5@5-5 6-5@5-5 6-6@6 5-4@5-5 "
     "4-4@4 9-4@4-4 8-4@4-4 4-3@4-4 3-3@3 9-3@3-3 8-3@3-3 3-2@3-3 2-2@2 9-2@2-2 8-2@2-2 7-2@2-2 9-6@6-6 "
     "8-6@6-6 6-1@6-6 1-1@1 9-1@1-1 8-1@1-1 9-7@7-7 8-7@7-7 7-1@1-1 7-5@7-7 8-5@5 9-8@8"),
]  # fmt: skip


@pytest.mark.parametrize(("spinner", "set_", "count", "moves"), LARGEST)
def test_the_largest_layouts(spinner: str, set_: str, count: int, moves: str) -> None:
    rules = rule_set("partout5", set=set_, spinner=spinner)
    sheet = score_sheet(rules, moves.split())
    assert sheet.error is None
    assert sheet.plays[-1].count == count
    assert sheet.plays[-1].points == (0 if count % 5 else count)
    layout = start(SPINNERS[spinner])
    for text in moves.split():
        layout = go_on(layout, placement_of(parse_move(text)), SPINNERS[spinner])
    assert layout.count == count
    assert count <= count_bound(spinner, rules.highest_pip) < COUNTS


def test_the_bounds() -> None:
    bounds = {(s, pip): count_bound(s, pip) for s in SPINNERS for pip in (6, 9)}
    assert bounds == {
        ("none", 6): 22, ("none", 9): 34, ("first", 6): 36, ("first", 9): 60, ("all", 6): 77, ("all", 9): 171,
    }  # fmt: skip


# --- against the tree ---------------------------------------------------------------------------


@pytest.mark.parametrize("spinner", SPINNERS)
@pytest.mark.parametrize("set_", ["double-six", "double-nine"])
def test_random_layouts_equal_the_tree(spinner: str, set_: str) -> None:
    chooser = random.Random(f"{spinner} {set_}")
    bound = count_bound(spinner, 6 if set_ == "double-six" else 9)
    for _ in range(100):
        left = list(tile_set(set_))
        tree, layout = Tree(spinner), start(SPINNERS[spinner])
        move: Move | None = Move(chooser.choice(left), None)
        while move is not None:
            tree.place(move)
            layout = go_on(layout, placement_of(move), SPINNERS[spinner])
            left.remove(move.tile)
            assert layout.count == tree.count() <= bound
            hand = sum(1 << tile.number for tile in left)
            moves = list(tree.placements(left))
            assert [move_of(placement) for placement in listed(hand, layout)] == moves
            move = chooser.choice(moves) if moves else None


# --- perft --------------------------------------------------------------------------------------


def count_sequences(case: PerftCase) -> list[int]:
    """Perft with the kernels' layout, in plain recursion."""
    rules, counts = case.rules, [0] * len(case.counts)
    spinner, each = SPINNERS[rules.spinner], rules.hand
    hands = [
        sum(1 << tile.number for tile in case.tiles[seat * each : (seat + 1) * each])
        for seat in range(rules.players)
    ]
    boneyard = [1 << tile.number for tile in case.tiles[rules.players * each :]]
    drawable = boneyard[: len(boneyard) - rules.reserve]
    most = {"none": 0, "one": 1, "until_playable": 99}[rules.draw]

    def go(layout: Any, hands: Sequence[int], drawn: int, seat: int, turns: int) -> None:
        if turns == len(counts):
            return
        hand = hands[seat]
        if turns == 0:
            options = [number | LEAD for number in range(55) if hand >> number & 1]
        else:
            open_values = int(layout.open_ends | layout.open_sides)
            stop = min(len(drawable), drawn + most)
            while not hand & int(PLAYABLE[open_values]) and drawn < stop:
                hand |= drawable[drawn]
                drawn += 1
            options = listed(hand, layout)
        following = (seat + 1) % rules.players
        for placement in options or [-1]:
            counts[turns] += 1
            after, rest = layout, hand
            if placement >= 0:
                after = go_on(layout, placement, spinner)
                rest = hand & ~(1 << (placement & TILE))
            now = [*hands[:seat], rest, *hands[seat + 1 :]]
            playable = int(PLAYABLE[int(after.open_ends | after.open_sides)])
            can_draw = most > 0 and drawn < len(drawable)
            if rest and (can_draw or any(held & playable for held in now)):
                go(after, now, drawn, following, turns + 1)

    go(start(spinner), hands, 0, case.opener, 0)
    return counts


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_perft(path: Any) -> None:
    case = read_case(path)
    assert count_sequences(case) == list(case.counts)


def test_moves_and_placements_are_the_same_thing() -> None:
    for text in ("6-3", "6-3@6", "6-3@3", "6-6@6", "6-3@6-6", "6-3@3-3", "0-0@0", "9-0@0-0"):
        assert format_move(move_of(placement_of(parse_move(text)))) == text


def test_layouts_are_int64() -> None:
    layout = go_on(start(SPINNER_ALL), 27 | LEAD, SPINNER_ALL)
    assert all(np.int64(field) == field for field in layout)
    assert layout.count == 12
