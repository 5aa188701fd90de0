"""The plain random streams and policies, against numbers known from elsewhere or worked out by hand."""

from collections import Counter
from fractions import Fraction

import pytest

from analyzer.notation import parse_move, parse_tile
from analyzer.referee.layout import Layout
from analyzer.referee.rounds import View
from analyzer.rulesets import rule_set
from tests.plain import chooser, streams


def test_the_words_of_a_stream_are_splitmix64():
    """The published first outputs of SplitMix64 from the state 1234567."""
    assert [streams.child(1234567, i) for i in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_below_takes_the_high_bits():
    assert [streams.below(w, 7) for w in (0, 2**63, 2**64 - 1)] == [0, 3, 6]


def test_a_shuffle_holds_every_tile_and_places_them_evenly():
    rules = rule_set("draw")
    firsts = Counter()
    for game in range(2800):
        tiles = streams.shuffled(rules, 1, game, 0)
        assert len(set(tiles)) == 28
        firsts[tiles[0]] += 1
    # 100 each expected; the chi-square of 27 degrees of freedom is above 60 in 1 of 4000 runs
    assert sum((count - 100) ** 2 / 100 for count in firsts.values()) < 60


def view(rules, moves, hand, *, scores=(0, 0), hand_sizes=(7, 7)):
    layout = Layout(rules.spinner)
    for text in moves.split():
        layout.place(parse_move(text))
    tiles = tuple(parse_tile(text) for text in hand.split())
    placements = tuple(layout.placements(tiles))
    row = tuple(map(Fraction, scores))
    return View(rules, 0, 0, 0, len(layout), 0, tiles, placements, layout, row, hand_sizes, 5)


def values(seen, feature):
    return {str(move): chooser.FEATURES[feature](seen, move) for move in seen.placements}


def test_features_of_a_turn():
    seen = view(rule_set("allfives"), "6-3", "6-6 3-2 5-4 6-1")
    assert values(seen, "points") == {"6-6@6": 15, "3-2@3": 0, "6-1@6": 0}
    assert values(seen, "count") == {"6-6@6": 15, "3-2@3": 8, "6-1@6": 4}
    assert values(seen, "pips") == {"6-6@6": 12, "3-2@3": 5, "6-1@6": 7}
    assert values(seen, "double") == {"6-6@6": 1, "3-2@3": 0, "6-1@6": 0}
    # left after 6-6: 3-2 5-4 6-1 match 3 and 6; after 3-2: 6-6 5-4 6-1 match 6 of 6, 2; after 6-1: 3-2 only
    assert values(seen, "mobility") == {"6-6@6": 2, "3-2@3": 1, "6-1@6": 1}


@pytest.mark.parametrize(
    ("rules", "score", "accepted", "wins"),
    [
        (rule_set("exact61"), 285, 15, 0),
        (rule_set("exact61"), 290, 15, 1),
        (rule_set("exact61"), 295, 0, 0),
        (rule_set("allfives"), 240, 15, 1),
        (rule_set("allfives"), 234, 15, 0),
        (rule_set("exact61").replace(target=None), 295, 15, 0),
    ],
)
def test_features_that_know_the_target(rules, score, accepted, wins):
    seen = view(rules, "6-3", "6-6 1-0", scores=(score, 0))
    assert values(seen, "accepted") == {"6-6@6": accepted}
    assert values(seen, "wins") == {"6-6@6": wins}


def test_a_last_tile_whose_points_come_with_the_settlement_is_plain_points():
    seen = view(rule_set("exact61"), "6-3", "6-6", scores=(300, 0))
    assert (values(seen, "accepted"), values(seen, "wins")) == ({"6-6@6": 15}, {"6-6@6": 0})
    seen = view(rule_set("allfives"), "6-3", "6-6", scores=(240, 0))
    assert values(seen, "wins") == {"6-6@6": 1}


def test_the_expected_reply_to_one_hidden_tile():
    """With one tile in the next hand it is the mean over the unseen tiles of their best points.

    After 6-6@6 on 6-3 (3 and a terminal 6-6, count 15) a reply 6-x@6-6 leaves 3 + x and a reply 3-x@3 leaves
    12 + x, or 18 for 3-3. Only 6-2 makes a multiple of five. Unseen are 28 - 3 tiles.
    """
    seen = view(rule_set("allfives"), "6-3", "6-6 1-0", hand_sizes=(2, 1))
    assert values(seen, "reply") == {"6-6@6": Fraction(5, 25)}


def test_the_expected_reply_to_two_hidden_tiles():
    """The same with two of 25 tiles: only 6-2 scores, and it is among them with chance 2/25."""
    seen = view(rule_set("allfives"), "6-3", "6-6 1-0", hand_sizes=(2, 2))
    assert values(seen, "reply") == {"6-6@6": Fraction(5 * 2, 25)}


def test_a_last_tile_has_no_reply():
    assert values(view(rule_set("allfives"), "6-3", "6-6"), "reply") == {"6-6@6": 0}


def test_the_best_is_chosen_and_ties_are_drawn():
    seen = view(rule_set("allfives"), "6-3", "6-6 3-2 5-4 6-1")
    assert str(chooser.choose(seen, {"points": 1}, 1)) == "6-6@6"
    assert str(chooser.choose(seen, {"pips": -1}, 1)) == "3-2@3"
    taken = {str(chooser.choose(seen, {}, seed)) for seed in range(30)}
    assert taken == {"6-6@6", "3-2@3", "6-1@6"}
