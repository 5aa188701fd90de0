"""The layout tree and the score sheet, against layouts worked out by hand."""

import pytest

from analyzer.notation import Move, NotLegal, Tile, parse_move, parse_tile
from analyzer.referee.layout import Layout
from analyzer.referee.sheet import score_sheet
from analyzer.rulesets import rule_set

NINE = "1-4 1-1@1 4-4@4 4-3@4-4 2-1@1-1 1-5@1-1 5-5@5 5-0@5-5 1-3@1-1"


def sheet(name, moves, **changes):
    return score_sheet(rule_set(name, **changes), moves.split())


def counts(name, moves, **changes):
    result = sheet(name, moves, **changes)
    assert result.error is None
    return [play.count for play in result.plays]


def places_after(name, moves):
    return ", ".join(sheet(name, moves).plays[-1].places)


def test_nine_plays():
    result = sheet("allfives", NINE)
    assert [play.count for play in result.plays] == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    assert [play.points for play in result.plays] == [5, 0, 10, 5, 5, 10, 15, 5, 0]
    assert ", ".join(result.plays[4].places) == "2, 3, 1-1, 1-1"
    assert result.as_dict()["plays"][1] == {"move": "1-1@1", "count": 6, "points": 0, "places": ["4", "1-1"]}


def test_with_all_spinners_every_passed_double_has_two_arms():
    result = sheet("exact61", NINE)
    assert [play.count for play in result.plays] == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    assert ", ".join(result.plays[4].places) == "2, 3, 1-1, 1-1, 4-4, 4-4"
    assert ", ".join(result.plays[8].places) == "0, 2, 3, 3, 4-4, 4-4, 5-5, 5-5"


@pytest.mark.parametrize("name", ["allfives", "exact61", "partout5"])
def test_a_double_led_with_all_four_sides(name):
    moves = "5-5 5-2@5-5 5-3@5-5 5-6@5-5 5-4@5-5"
    assert counts(name, moves) == [10, 12, 5, 11, 15]
    result = sheet(name, moves)
    assert [play.places for play in result.plays] == [
        ("5-5", "5-5"), ("2", "5-5"), ("2", "3", "5-5", "5-5"), ("2", "3", "6", "5-5"), ("2", "3", "4", "6"),
    ]  # fmt: skip


def test_a_lone_double_blank_scores_nothing():
    (play,) = sheet("allfives", "0-0").plays
    assert (play.count, play.points, play.places) == (0, 0, ("0-0", "0-0"))


def test_example_of_the_terminal_double():
    """Source 002 and 000: 3 and a terminal 6-6 make 15; passed through, 3 and 2 make 5."""
    assert counts("allfives", "6-3 6-6@6 6-2@6-6") == [9, 15, 5]
    assert counts("exact61", "6-3 6-6@6 6-2@6-6") == [9, 15, 5]


def test_without_spinner_a_double_takes_two_sides():
    """Source 003, the draw game: also the first double is open on two sides only, and plays score nothing."""
    result = sheet("draw", "5-5 5-2@5-5 5-3@5-5 5-4@5-5")
    assert [(play.count, play.points) for play in result.plays] == [(10, 0), (12, 0), (5, 0)]
    assert result.error == "5-4@5-5 cannot be placed: the open places are 2, 3."


def test_first_spinner_is_the_first_double_placed_not_the_lead():
    assert places_after("allfives", "6-5 6-6@6 5-5@5 6-1@6-6 5-1@5-5") == "1, 1, 6-6, 6-6"


def test_equal_ends_are_told_twice():
    assert places_after("allfives", "6-5 6-3@6 5-3@5") == "3, 3"


def test_free_sides_are_told_also_when_no_tile_of_the_value_is_left():
    """All seven tiles with a 1 lie, and the arms of 1-1 stay in the sheet."""
    moves = "1-1 1-0@1-1 2-1@1-1 3-1@1-1 4-1@1-1 4-5@4 5-1@5 6-3@3 6-1@6"
    assert places_after("exact61", moves) == "0, 1, 1, 2"
    line = "1-1 1-0@1-1 2-1@1-1 0-3@0 3-1@3 2-4@2 4-1@4 1-5@1 5-0@5 1-6@1"
    assert places_after("exact61", line) == "0, 6, 1-1, 1-1"


def test_largest_counts_of_a_line():
    """Two terminal doubles and nothing else: 12 + 10 = 22 is the most without a spinner."""
    assert counts("draw", "6-5 6-6@6 5-5@5")[-1] == 22


@pytest.mark.parametrize(
    ("moves", "lines", "error"),
    [
        ("6-3 5-2@5", 1, "5-2@5 cannot be placed: the open places are 3, 6."),
        ("6-3 6-3@3", 1, "6-3@3 cannot be placed, since 6-3 lies already: the open places are 3, 6."),
        ("6-3 6-6@6 5-4", 2, "5-4 needs a place after an @: the open places are 3, 6-6."),
        ("6-3 6-5@6-6", 1, "6-5@6-6 cannot be placed: the open places are 3, 6."),
        (
            "6-3 6-5@4",
            1,
            "6-5@4 cannot be placed, since 6-5 has no half of value 4: the open places are 3, 6.",
        ),
        ("6-3@6", 0, "6-3@6 cannot be placed: the first tile is written alone."),
        ("6-3 7-3@3", 1, "'7-3' has a value above 6, the highest of the set."),
        ("6-3 six", 1, "'six' is no tile: write its two halves as in 6-3."),
    ],
)
def test_a_wrong_move_ends_the_sheet_with_one_sentence(moves, lines, error):
    result = sheet("allfives", moves)
    assert len(result.plays) == lines
    assert result.error == error
    assert result.as_dict()["error"] == error


def test_double_nine_sheet():
    assert counts("partout5", "9-1 9-9@9", set="double-nine") == [10, 19]


def test_an_empty_sheet():
    assert sheet("allfives", "").as_dict() == {"plays": []}


# --- the tree itself ----------------------------------------------------------------------------


def laid(spinner, moves):
    layout = Layout(spinner)
    for text in moves.split():
        layout.place(parse_move(text))
    return layout


def test_the_tree_joins_tiles_both_ways():
    lead, double, arm = laid("all", "6-3 6-6@6 6-2@6-6").placed
    assert lead.ends[0].joined is double
    assert double.in_line[0].joined is lead
    assert double.in_line[1].joined is arm
    assert arm.ends[0].joined is double
    assert double.is_passed_through()


@pytest.mark.parametrize("spinner", ["none", "first", "all"])
def test_taking_back_undoes_a_placement(spinner):
    moves = "1-4 1-1@1 4-4@4 4-3@4-4 2-1@1-1"
    layout = laid(spinner, moves)
    for length in range(5, 1, -1):
        layout.take_back()
        expected = laid(spinner, " ".join(moves.split()[: length - 1]))
        assert layout.open_places() == expected.open_places()
        assert layout.count() == expected.count()
        assert layout.tiles == expected.tiles


def test_placements_come_in_their_order():
    layout = laid("all", "6-3 6-6@6")
    hand = [parse_tile(text) for text in "6-5 3-3 6-4 3-1 4-3".split()]
    moves = [str(move) for move in layout.placements(hand)]
    assert moves == ["3-3@3", "4-3@3", "3-1@3", "6-4@6-6", "6-5@6-6"]


def test_two_equal_ends_are_one_placement_and_a_tile_may_have_two():
    layout = laid("none", "6-5 6-3@6 5-3@5")
    assert layout.placements([Tile(3, 2)]) == [Move(Tile(3, 2), 3)]
    layout = laid("none", "6-3")
    assert [str(move) for move in layout.placements([Tile(6, 3)])] == ["6-3@3", "6-3@6"]


def test_an_ordinary_end_and_a_free_side_of_one_value_are_two_placements():
    layout = laid("first", "6-6 6-1@6-6 6-2@6-6 2-3@2 3-6@3")
    assert [str(move) for move in layout.placements([Tile(6, 5)])] == ["6-5@6", "6-5@6-6"]


def test_leads_are_the_hand_by_number():
    assert [str(move) for move in Layout("all").placements([Tile(6, 6), Tile(2, 1)])] == ["2-1", "6-6"]


def test_a_built_move_whose_half_does_not_match_is_not_legal():
    with pytest.raises(NotLegal, match="5-1 has no half of value 6: the open places are 3, 6"):
        laid("all", "6-3").place(Move(Tile(5, 1), 6))
