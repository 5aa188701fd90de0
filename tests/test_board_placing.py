"""Where tiles lie, against plain cells: none overlap, joining halves meet and show the same value."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from analyzer.referee.layout import Layout
from analyzer.showing import laid_tiles
from reports.board.placing import DEFAULT_WIDTH, place
from reports.board.search import Effort, search
from reports.board.spots import ARMS, Joint, Spot
from reports.board.story import Laid
from reports.board.stretched import stretched
from tests.layouts import LARGEST, SETS, SPINNERS, layout_of, random_layout

TERMINAL_WIDTH = 38  # units in 80 columns
RANDOM_LAYOUTS = 30
MANY = {"double-six": 8_000, "double-nine": 2_000}  # of each spinner rule: 10,000

Cells = set[tuple[int, int]]


# --- the plain truth: cells and edges -----------------------------------------------------------


def square(centre: tuple[int, int]) -> Cells:
    x, y = centre
    return {(x + dx, y + dy) for dx in (-1, 0) for dy in (-1, 0)}


def cells(spot: Spot) -> Cells:
    """Return the cells of a tile from the centres of its halves."""
    near, far = spot.halves
    return square(near) | square(far)


def lane(spot: Spot) -> Cells:
    """Return the cells beside a connector, on both sides of it."""
    if spot.bar is None:
        return set()
    (x, y), (to_x, to_y) = sorted(spot.bar)
    assert (x == to_x) != (y == to_y)
    if y == to_y:
        return {(column, row) for column in range(x, to_x) for row in (y - 1, y)}
    return {(column, row) for row in range(y, to_y) for column in (x - 1, x)}


def joined_part(tile: Laid, spot: Spot, value: int) -> list[Cells]:
    """Return the parts of a tile that show a value: its halves, or the whole of a double."""
    if tile.joint.is_double:
        return [cells(spot)] if tile.near == value else []
    shown = zip((tile.near, tile.far), spot.halves, strict=True)
    return [square(half) for pips, half in shown if pips == value]


def shared_edge(one: Cells, other: Cells) -> int:
    """Return how many cell edges two parts have in common."""
    return sum((x + dx, y + dy) in other for x, y in one for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))


def on_edge(point: tuple[int, int], part: Cells) -> bool:
    """Whether a point lies on the edge of a part."""
    around = square(point) & part
    return 0 < len(around) < 4


def check_apart(spots: Sequence[Spot]) -> None:
    """No cell belongs to two tiles, and no connector crosses a tile or another connector."""
    taken = Counter(cell for spot in spots for cell in cells(spot) | lane(spot))
    assert max(taken.values()) == 1
    assert sum(taken.values()) >= 8 * len(spots)


def check_joined(laid: Sequence[Laid], spots: Sequence[Spot]) -> None:
    """Each tile touches the tile that it joins, or a connector ties them, where both show one value."""
    for tile, spot in zip(laid, spots, strict=True):
        if tile.joint.parent is None:
            continue
        parent, lying = laid[tile.joint.parent], spots[tile.joint.parent]
        (near,) = joined_part(tile, spot, tile.near)
        (there,) = joined_part(parent, lying, tile.near)
        if spot.bar is None:
            assert shared_edge(near, there) >= 2
        else:
            assert on_edge(spot.bar.start, there)
            assert on_edge(spot.bar.end, near)


def check_crosswise(laid: Sequence[Laid], spots: Sequence[Spot]) -> None:
    """A double lies across its line, its two neighbours in line on opposite sides, arms at its ends."""
    ways: dict[tuple[int, int], tuple[int, int]] = {}
    for number, (tile, spot) in enumerate(zip(laid, spots, strict=True)):
        if tile.joint.parent is not None:
            ways[tile.joint.parent, tile.joint.exit] = spot.way
            if tile.joint.is_double:
                ways[number, 0] = (-spot.way.x, -spot.way.y)
    for (number, exit_), way in ways.items():
        if not laid[number].joint.is_double:
            continue
        (x, y), (to_x, to_y) = spots[number].halves
        along = (abs(to_x - x) // 2, abs(to_y - y) // 2)
        is_at_an_end = (abs(way[0]), abs(way[1])) == along
        assert is_at_an_end == (exit_ in ARMS)
        opposite = ways.get((number, exit_ ^ 1))
        assert opposite in (None, (-way[0], -way[1]))


def check_all(layout: Layout, spots: Sequence[Spot]) -> None:
    laid = laid_tiles(layout)
    assert len(spots) == len(laid) == len(layout)
    check_apart(spots)
    check_joined(laid, spots)
    check_crosswise(laid, spots)


def joints_of(layout: Layout) -> list[Joint]:
    return [tile.joint for tile in laid_tiles(layout)]


# --- random layouts -----------------------------------------------------------------------------


@pytest.mark.parametrize("set_name", SETS)
@pytest.mark.parametrize("spinner", SPINNERS)
def test_no_two_tiles_overlap(spinner, set_name):
    rng = random.Random(61)
    for _ in range(RANDOM_LAYOUTS):
        layout = random_layout(rng, spinner, set_name)
        check_all(layout, place(joints_of(layout)).spots)
        check_all(layout, stretched(joints_of(layout)))


@pytest.mark.slow
@pytest.mark.parametrize("set_name", SETS)
@pytest.mark.parametrize("spinner", SPINNERS)
def test_no_two_tiles_overlap_in_thousands_of_layouts(spinner, set_name):
    rng = random.Random(62)
    for _ in range(MANY[set_name]):
        layout = random_layout(rng, spinner, set_name)
        check_all(layout, place(joints_of(layout)).spots)
        check_all(layout, stretched(joints_of(layout)))


@pytest.mark.parametrize("width", [TERMINAL_WIDTH, DEFAULT_WIDTH])
@pytest.mark.parametrize(("spinner", "set_name"), LARGEST)
def test_the_largest_layouts(spinner, set_name, width):
    layout = layout_of(LARGEST[spinner, set_name], spinner)
    assert len(layout) == {("none", "double-nine"): 51, ("first", "double-nine"): 51}.get(
        (spinner, set_name), 28 if set_name == "double-six" else 55
    )
    placing = place(joints_of(layout), width)
    check_all(layout, placing.spots)
    check_all(layout, stretched(joints_of(layout)))
    if set_name == "double-six":
        assert placing.frame.width <= width


@pytest.mark.parametrize("spinner", SPINNERS)
def test_every_layout_of_double_six_fits_a_window_of_80_columns(spinner):
    rng = random.Random(63)
    for _ in range(20):
        assert (
            place(joints_of(random_layout(rng, spinner, "double-six")), TERMINAL_WIDTH).frame.width
            <= TERMINAL_WIDTH
        )


# --- by hand ------------------------------------------------------------------------------------


def test_a_short_line_lies_straight():
    layout = layout_of("6-3 6-6@6 3-2@3", "none")
    spots = place(joints_of(layout)).spots
    assert [spot.box for spot in spots] == [(-1, -1, 4, 2), (-3, -2, 2, 4), (3, -1, 4, 2)]


def test_a_double_with_four_arms_is_a_cross():
    layout = layout_of("5-5 5-2@5-5 5-3@5-5 5-6@5-5 5-4@5-5", "first")
    spots = place(joints_of(layout)).spots
    assert [spot.box for spot in spots[:3]] == [(-1, -2, 2, 4), (-5, -1, 4, 2), (1, -1, 4, 2)]
    assert {spot.box for spot in spots[3:]} == {(-1, 2, 2, 4), (-1, -6, 2, 4)}


def test_a_line_turns_at_the_width_and_keeps_its_distance():
    layout = layout_of("6-5 5-4@5 4-3@4 3-2@3 2-1@2", "none")
    placing = place(joints_of(layout), width=12)
    check_all(layout, placing.spots)
    assert placing.frame.width <= 12
    assert all(spot.bar is None for spot in placing.spots)


def test_the_same_layout_is_always_placed_alike():
    layout = layout_of(LARGEST["all", "double-six"], "all")
    assert place(joints_of(layout)) == place(joints_of(layout))


def test_without_room_the_search_gives_up_and_lines_are_stretched():
    layout = layout_of(LARGEST["all", "double-nine"], "all")
    joints = joints_of(layout)
    assert search(joints, Effort(width=6, breadth=2, height_cost=1.0)) is None
    assert place(joints, width=1).spots == tuple(stretched(joints))


def test_stretching_grows_no_faster_than_the_layout():
    """The sum of both sides is at most what all tiles and their distances add, one after another."""
    rng = random.Random(64)
    for _ in range(200):
        joints = joints_of(random_layout(rng, "all", "double-nine"))
        boxes = [spot.box for spot in stretched(joints)]
        width = max(box.right for box in boxes) - min(box.x for box in boxes)
        height = max(box.bottom for box in boxes) - min(box.y for box in boxes)
        assert width + height <= 12 * len(joints)
