"""Perft: the files of tests/perft/ are what the plain engine counts, and what was counted by hand."""

import pytest

from tests.plain.perft import FOLDER, perft, read_case

FILES = sorted(FOLDER.glob("*.txt"))
MOST_SEQUENCES = 5_000  # deeper counts are for the fast kernels
COUNTED_BY_HAND = {
    "hand_no_draw": (2, 2, 2, 2, 0),
    "hand_draw": (2, 2, 2, 2, 2, 2, 5, 5),
    "hand_spinner": (2, 3, 5, 5, 4, 0),
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_plain_engine_counts_what_the_file_says(path):
    case = read_case(path)
    depth = sum(count <= MOST_SEQUENCES for count in case.counts)
    assert perft(case.rules, case.opener, case.tiles, depth) == list(case.counts[:depth])


@pytest.mark.parametrize(("name", "counts"), COUNTED_BY_HAND.items())
def test_counts_by_hand(name, counts):
    assert read_case(FOLDER / f"{name}.txt").counts == counts


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_deal_is_the_whole_set(path):
    case = read_case(path)
    assert len(set(case.tiles)) == len(case.tiles) == case.rules.tiles
