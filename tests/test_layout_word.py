"""Layouts as one word and hands as halves, against the layout of seven numbers and masks of tiles."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernels import halves, layout, layout_word
from kernels.placements import placements, scoring_placements
from kernels.rules import SPINNER_ALL, SPINNER_FIRST, SPINNER_NONE
from kernels.tiles import FIVES

ALL_TILES = halves.TILE_MASK


def as_halves(low: int, high: int) -> int:
    """Return two masks of tiles, by their lower and by their higher halves, as one mask of halves."""
    return int(low) & ALL_TILES | (int(high) & ALL_TILES) << halves.TILES


def random_round(spinner: int, seed: int) -> list[tuple[layout.Layout, int, int, int, int]]:
    """Return (layout, word, count, first page, tiles left) after each of a round of random placements."""
    drawn = random.Random(seed)
    tile = drawn.randrange(halves.TILES)
    page = layout_word.leads_page(spinner)
    slow = layout.place(layout.empty_layout(spinner), tile | layout.LEAD, spinner)
    effect = layout_word.EFFECTS[page + tile]
    word, rest = layout_word.START + int(effect["layout"]), int(effect["rest"])
    count = halves.LEADS_FROM + layout_word.count_change(layout_word.START, rest)
    page, left = layout_word.page_after(rest), ALL_TILES & ~(1 << tile)
    seen = [(slow, word, count, page, left)]
    while True:
        groups = placements(left, slow)
        listed = [(g, t) for g in range(4) for t in range(halves.TILES) if groups[g] >> t & 1]
        if not listed:
            return seen
        group, tile = drawn.choice(listed)
        slow = layout.place(slow, tile + layout.GROUP * group, spinner)
        effect = layout_word.EFFECTS[page + tile + halves.TILES * group]
        rest = int(effect["rest"])
        count += layout_word.count_change(word, rest)
        word += int(effect["layout"])
        page, left = layout_word.page_after(rest), left & ~layout_word.tile_of(rest)
        seen.append((slow, word, count, page, left))


@pytest.mark.parametrize("spinner", [SPINNER_NONE, SPINNER_FIRST, SPINNER_ALL])
def test_the_word_tells_what_the_layout_does(spinner: int) -> None:
    for seed in range(150):
        for slow, word, count, _, left in random_round(spinner, seed):
            hand = halves.halves_of(left)
            ends = hand & layout_word.joining_ends(word)
            doubles = hand & layout_word.joining_doubles(word)
            groups = placements(left, slow)
            assert ends == as_halves(groups.end_low, groups.end_high)
            assert doubles == as_halves(groups.side_low, groups.side_high)
            assert count == slow.count

            row, lines = halves.SCORING[count], layout_word.completing(word)
            scoring = scoring_placements(left, slow, False)
            assert ends & int(row["end"]) == as_halves(scoring.end_low, scoring.end_high)
            scoring_doubles = doubles & (int(row["line"]) & lines | int(row["side"]) & ~lines)
            assert scoring_doubles == as_halves(scoring.side_low, scoring.side_high)


def test_rounds_reach_what_is_rare() -> None:
    rounds = [random_round(SPINNER_ALL, seed) for seed in range(150)]
    assert max(count for moments in rounds for _, _, count, _, _ in moments) > 35
    assert any(left == 0 for moments in rounds for *_, left in moments)


def test_levels_part_what_scores() -> None:
    for way in ("end", "line", "side"):
        levels = halves.BY_LEVEL[way]
        assert (np.bitwise_or.reduce(levels, axis=1) == halves.SCORING[way]).all()
        for first in range(halves.LEVELS):
            for second in range(first):
                assert not (levels[:, first] & levels[:, second]).any()


def test_a_higher_level_leaves_a_higher_count() -> None:
    for count in range(40):
        for level in range(halves.LEVELS):
            for half in range(halves.HALVES):
                if int(halves.BY_LEVEL[count, level]["side"]) >> half & 1:
                    left = count + halves.ways(half)[1]
                    assert left == (count + 12) // FIVES * FIVES - FIVES * level


@pytest.mark.parametrize("mask", [1, 0b1011, (1 << 56) - 1, 1 << 55])
def test_tiles_of_halves(mask: int) -> None:
    tiles = {half % halves.TILES for half in range(halves.HALVES) if mask >> half & 1}
    assert halves.tiles_of(mask) == sum(1 << tile for tile in tiles)
