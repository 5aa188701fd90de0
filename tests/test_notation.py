"""Tiles and moves as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.notation import (
    CannotParse,
    Move,
    NotLegal,
    Tile,
    format_move,
    format_tile,
    parse_move,
    parse_tile,
    tile_of,
    tile_set,
)


@pytest.mark.parametrize(
    ("text", "tile"), [("6-3", (6, 3)), ("3-6", (6, 3)), (" 0-0\n", (0, 0)), ("09-9", (9, 9))]
)
def test_a_tile_is_read_in_either_order(text, tile):
    assert parse_tile(text) == Tile(*tile)


@pytest.mark.parametrize(
    "text", ["", "6", "6-", "-6-3", "6-3-1", "a-b", "6 - 3", "6/3", "6-3@6", "٣-٣", "²-1"]
)
def test_what_is_no_tile_is_refused_with_an_example(text):
    with pytest.raises(CannotParse, match="is no tile: write its two halves as in 6-3"):
        parse_tile(text)


@pytest.mark.parametrize(("text", "highest"), [("7-1", 6), ("10-1", 9), ("1-" + "9" * 6000, 9)])
def test_a_value_above_the_set_is_refused(text, highest):
    with pytest.raises(CannotParse, match=f"a value above {highest}, the highest of the set") as error:
        parse_tile(text, highest)
    assert len(str(error.value)) < 120


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3-6", Move(Tile(6, 3), None)),
        ("6-3@6", Move(Tile(6, 3), 6)),
        ("3-6@3", Move(Tile(6, 3), 3)),
        ("6-6@6", Move(Tile(6, 6), 6)),
        (" 6-3@6-6 ", Move(Tile(6, 3), Tile(6, 6))),
        ("6-3 @ 6", Move(Tile(6, 3), 6)),
    ],
)
def test_a_move_is_read(text, move):
    assert parse_move(text) == move


@pytest.mark.parametrize("text", ["6-3@", "6-3@6-5", "6-3@x", "6-3@6@6", "6-3@-6"])
def test_a_place_is_a_value_or_a_double(text):
    with pytest.raises(CannotParse, match="write the value of an end or a double after the @"):
        parse_move(text)


@pytest.mark.parametrize("text", ["6-3@5", "6-3@5-5", "6-6@5"])
def test_a_half_must_match_the_place(text):
    with pytest.raises(NotLegal, match="has no half of value 5"):
        parse_move(text)


def test_a_double_does_not_join_itself():
    with pytest.raises(NotLegal, match="6-6@6-6 cannot be placed, since a double does not join itself"):
        parse_move("6-6@6-6")


def test_named_errors_are_user_errors():
    assert issubclass(CannotParse, FivesError)
    assert issubclass(NotLegal, FivesError)


@pytest.mark.parametrize(("name", "size"), [("double-six", 28), ("double-nine", 55)])
def test_tiles_of_a_set_come_in_the_order_of_their_numbers(name, size):
    tiles = tile_set(name)
    assert [tile.number for tile in tiles] == list(range(size))
    assert len(set(tiles)) == size


values = st.integers(0, 9)


@given(values, values, st.booleans())
def test_moves_survive_text(one, other, at_double):
    tile = tile_of(one, other)
    assert parse_tile(format_tile(tile)) == tile
    for move in (Move(tile, None), Move(tile, one)):
        assert parse_move(format_move(move)) == move
    if not tile.is_double:
        move = Move(tile, Tile(one, one))
        assert parse_move(format_move(move)) == move


def sentence_about(read, text):
    try:
        read(text)
    except FivesError as error:
        return str(error)
    return "."


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_in_one_sentence(text):
    for read in (parse_tile, parse_move):
        sentence = sentence_about(read, text)
        assert "\n" not in sentence
        assert sentence.endswith(".")
