"""Events and settlements, worked out by hand from the rules."""

from fractions import Fraction

import pytest

from analyzer.referee.events import (
    GameState,
    apply_event,
    apply_play,
    game_state,
    is_accepted,
    points_of_play,
)
from analyzer.referee.settlement import (
    Gain,
    block_gains,
    block_winner,
    is_split,
    out_gains,
    round5,
    settle,
)
from analyzer.rulesets import rule_set

EXACT_2, EXACT_3, EXACT_4 = (rule_set("exact61", players=players) for players in (2, 3, 4))
ALL_2, ALL_3, ALL_4 = (rule_set("allfives", players=players) for players in (2, 3, 4))
HALF = Fraction(1, 2)


def scores(*values):
    return tuple(map(Fraction, values))


def told(gains):
    """Each event as (seat, side, net)."""
    return [(gain.seat, gain.side, gain.net) for gain in gains]


def settled(rules, start, gains, together=False):
    result = settle(rules, scores(*start), gains, together)
    return [outcome.accepted for _, outcome in result.events], result.scores, result.game


@pytest.mark.parametrize(
    ("pips", "rounded"), [(0, 0), (1, 0), (2, 0), (3, 5), (4, 5), (5, 5), (6, 5), (7, 5), (8, 10), (163, 165)]
)
def test_round5(pips, rounded):
    assert round5(pips) == rounded


# --- events -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "net", "accepted"),
    [(300, 5, True), (300, 10, False), (304, 1, True), (304, 5, False), (305, 5, False), (305, 0, True),
     (295, 5, True), (-20, 25, True), (-20, 330, False), (0, -10, True)],
)  # fmt: skip
def test_an_exact_target_refuses_what_would_pass_it(score, net, accepted):
    assert is_accepted(EXACT_2, Fraction(score), Fraction(net)) is accepted
    outcome = apply_event(EXACT_2, scores(score, 0), 0, Fraction(net))
    assert outcome.accepted is accepted
    assert outcome.scores == scores(score + net if accepted else score, 0)


def test_no_points_are_no_event():
    assert apply_play(EXACT_2, scores(305, 0), 0, 0).accepted is None


@pytest.mark.parametrize(
    ("count", "exact61", "draw"), [(0, 0, 0), (4, 0, 0), (5, 5, 0), (17, 0, 0), (20, 20, 0), (35, 35, 0)]
)
def test_points_of_a_play(count, exact61, draw):
    assert points_of_play(EXACT_2, count) == exact61
    assert points_of_play(rule_set("draw"), count) == draw


@pytest.mark.parametrize(("multiple", "points"), [(0, 0), (1, 12), (3, 12), (5, 0), (12, 12), (24, 0)])
def test_points_with_another_multiple(multiple, points):
    assert points_of_play(ALL_2.replace(score_multiple=multiple), 12) == points


@pytest.mark.parametrize(
    ("rules", "row", "state"),
    [
        (EXACT_2, (300, 100), GameState(False, None)),
        (EXACT_2, (100, 305), GameState(True, 1)),
        (ALL_3, (199, 150, 199), GameState(False, None)),
        (ALL_3, (200, 150, 199), GameState(True, 0)),
        (ALL_3, (202, 0, 205), GameState(True, 2)),
        (ALL_3, (202.5, 202.5, 0), GameState(True, None)),
        (ALL_3.replace(target=None), (500, 0, 0), GameState(False, None)),
    ],
)
def test_state_of_the_game(rules, row, state):
    assert game_state(rules, scores(*row)) == state


# --- out ----------------------------------------------------------------------------------------


def test_the_out_event_is_one_sum_of_play_credit_and_debit():
    """4 players: play 10, opponents 7 + 6 = 13 → 15, partner 8 → 10, net 15."""
    (gain,) = out_gains(EXACT_4, 2, [8, 7, 0, 6], 10)
    assert gain == Gain(side=0, seat=2, play=Fraction(10), credit=Fraction(15), debit=Fraction(10))
    assert gain.net == 15


@pytest.mark.parametrize(
    ("start", "accepted", "after", "state"),
    [
        (285, True, 300, GameState(False, None)),  # lands on 300
        (289, True, 304, GameState(False, None)),  # lands on 304
        (290, True, 305, GameState(True, 0)),  # lands on 305
        (291, False, 291, GameState(False, None)),
        (300, False, 300, GameState(False, None)),  # stands on 300: play, credit and debit are all refused
        (304, False, 304, GameState(False, None)),
    ],
)
def test_the_combined_out_event_near_the_target(start, accepted, after, state):
    gains = out_gains(EXACT_4, 2, [8, 7, 0, 6], 10)
    assert settled(EXACT_4, (start, 0), gains) == ([accepted], scores(after, 0), state)


def test_a_score_of_305_takes_no_positive_event():
    gains = out_gains(EXACT_4, 2, [8, 7, 0, 6], 10)
    assert settled(EXACT_4, (305, 0), gains)[:2] == ([False], scores(305, 0))


def test_credit_alone_would_pass_but_the_debit_brings_it_to_the_target():
    """Play 10 and credit 15 from 290 would be 315; the partner's 10 make it exactly 305."""
    gains = out_gains(EXACT_4, 0, [0, 7, 8, 6], 10)
    assert settled(EXACT_4, (290, 0), gains) == ([True], scores(305, 0), GameState(True, 0))


def test_a_partner_debit_may_take_the_score_below_zero():
    """Opponents 1 + 0 → 0, partner 12 → 10: net -10 from 0."""
    gains = out_gains(EXACT_4, 0, [0, 1, 12, 0], 0)
    assert settled(EXACT_4, (0, 0), gains) == ([True], scores(-10, 0), GameState(False, None))


def test_a_combined_event_of_0_is_told_and_accepted():
    gains = out_gains(EXACT_2, 0, [0, 2], 0)
    assert told(gains) == [(0, 0, 0)]
    assert settled(EXACT_2, (300, 0), gains)[0] == [True]


def test_other_out_events_of_0_are_left_out():
    assert out_gains(ALL_2, 0, [0, 2], 0) == []
    assert out_gains(ALL_2.replace(settlement_out="none"), 0, [0, 40], 0) == []


@pytest.mark.parametrize(
    ("rules", "pips", "net"),
    [
        (EXACT_3, [0, 6, 6], 10),  # 12 → 10 once, not 5 + 5
        (ALL_3, [0, 6, 7], 15),
        (ALL_4, [0, 6, 40, 7], 15),  # the partner's hand is ignored
        (rule_set("partout5"), [0, 13], 13),  # unrounded
        (rule_set("partout5", players=4), [0, 6, 40, 7], 53),
        (rule_set("partout5", players=4, sides=(0, 1, 0, 1)), [0, 6, 40, 7], 13),
        (ALL_4.replace(partner="debited"), [0, 6, 8, 7], 5),  # 15 - 10
        (ALL_4.replace(partner="debited", rounding="none"), [0, 6, 8, 7], 5),  # 13 - 8
        (ALL_4.replace(partner="debited", settlement_out="none"), [0, 6, 8, 7], -10),
    ],
)
def test_the_net_of_an_out(rules, pips, net):
    assert told(out_gains(rules, 0, pips, 0)) == [(0, 0, net)]


# --- blocked: differences between hands ---------------------------------------------------------


def test_differences_of_two_hands():
    assert told(block_gains(EXACT_2, [10, 3])) == [(1, 1, 5)]  # 7 → 5
    assert told(block_gains(EXACT_2, [10, 8])) == []  # 2 → 0
    assert told(block_gains(EXACT_2, [8, 8])) == []


def test_differences_of_three_hands():
    """4: 10 + 16 = 26 → 25; 14: 6 → 5; 20: nothing."""
    assert told(block_gains(EXACT_3, [20, 4, 14])) == [(1, 1, 25), (2, 2, 5)]


def test_equal_hands_of_opponents():
    """Seat 0: only seat 3 is heavier, 16 → 15. Seat 1: only seat 2, 5. Seat 2: seat 3, 11 → 10."""
    pips = [4, 4, 9, 20]
    assert told(block_gains(EXACT_4, pips)) == [(0, 0, 15), (1, 1, 5), (2, 0, 10)]
    assert block_winner(EXACT_4, pips) is None


def test_equal_hands_of_partners():
    """Seats 0 and 2 each: 5 + 16 = 21 → 20; seats 1 and 3 have no heavier opponent."""
    pips = [4, 9, 4, 20]
    assert told(block_gains(EXACT_4, pips)) == [(0, 0, 20), (2, 0, 20)]
    assert block_winner(EXACT_4, pips) == 0


def test_partners_are_never_compared():
    """Seat 0: 6 → 5 from seat 1 and 0 from seat 3; seat 2 is its partner."""
    pips = [2, 8, 50, 2]
    assert told(block_gains(EXACT_4, pips)) == [(0, 0, 5), (3, 1, 50), (1, 1, 40)]


def test_each_event_of_a_block_is_tested_on_its_own():
    gains = block_gains(EXACT_4, [4, 4, 9, 20])  # 15, 5, 10
    accepted, after, game = settled(EXACT_4, (295, 100), gains)
    assert (accepted, after, game) == ([False, True, True], scores(305, 105), GameState(True, 0))


def test_the_first_event_on_the_target_ends_the_block():
    gains = block_gains(EXACT_4, [4, 4, 9, 20])
    accepted, after, game = settled(EXACT_4, (290, 300), gains)
    assert (accepted, after, game) == ([True], scores(305, 300), GameState(True, 0))


def test_a_block_may_give_a_side_two_events():
    gains = block_gains(EXACT_4, [4, 9, 4, 20])
    assert settled(EXACT_4, (270, 0), gains) == ([True, False], scores(290, 0), GameState(False, None))


@pytest.mark.parametrize(
    ("rules", "pips", "winner"),
    [
        (EXACT_2, [3, 9], 0),
        (EXACT_2, [9, 9], None),
        (EXACT_3, [9, 7, 7], None),
        (EXACT_4, [30, 5, 4, 6], 0),  # the lightest hand, though its side is the heavier
        (ALL_4, [30, 5, 4, 6], 1),  # partners' hands together
        (ALL_4, [5, 6, 6, 5], None),
        (ALL_4.replace(settlement_block="none"), [5, 6, 7, 5], 1),
        (rule_set("draw", players=4), [5, 6, 6, 5], None),
        (rule_set("draw", players=4), [5, 6, 6, 4], 3),
    ],
)
def test_the_winner_of_a_block(rules, pips, winner):
    assert block_winner(rules, pips) == winner


# --- blocked: the lightest side -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "pips", "events"),
    [
        (ALL_2, [12, 13], [(0, 0, 15)]),
        (ALL_2, [12, 12], []),
        (ALL_2, [0, 2], []),  # 2 → 0
        (ALL_3, [12, 13, 10], [(2, 2, 25)]),
        (ALL_3, [9, 9, 9], []),
        (ALL_4, [9, 1, 9, 12], [(1, 1, 20)]),  # 13 against 18
        (ALL_4, [9, 12, 9, 1], [(3, 1, 20)]),  # told for the lighter hand
        (ALL_4, [6, 12, 6, 1], [(0, 0, 15)]),  # equal hands: the lower seat
        (ALL_4, [9, 9, 4, 4], []),
        (ALL_2.replace(settlement_block="none"), [1, 50], []),
        (rule_set("partout5"), [12, 13], [(0, 0, 13)]),
        (rule_set("partout5"), [9, 9], []),
        (rule_set("partout5", players=3), [9, 9, 30], []),
        (rule_set("draw", players=3), [3, 13, 8], [(0, 0, 21)]),
    ],
)
def test_the_lightest_side_gets_the_opponents_pips(rules, pips, events):
    assert told(block_gains(rules, pips)) == events


def test_the_void_round_of_the_draw_game():
    """Source 003: 1-2 and 2-4 against 6-3, nine pips each, score nothing."""
    assert block_gains(rule_set("draw"), [3 + 6, 9]) == []
    assert block_winner(rule_set("draw"), [9, 9]) is None


@pytest.mark.parametrize(
    ("pips", "half"),
    [([7, 7, 13], 7.5), ([7, 7, 11], 5), ([7, 7, 8], 5), ([1, 1, 3], 2.5), ([1, 1, 2], None)],
)
def test_a_tie_of_two_among_three_splits_the_third_hand(pips, half):
    gains = block_gains(ALL_3, pips)
    assert told(gains) == ([] if half is None else [(0, 0, half), (1, 1, half)])
    assert is_split(ALL_3, gains) is (half is not None)


def test_the_example_of_the_split():
    """Source 002: 5 points give 2.5 to each."""
    assert told(block_gains(ALL_3, [4, 5, 4])) == [(0, 0, 2.5), (2, 2, 2.5)]


def test_a_split_among_four_and_among_sides():
    single = ALL_4.replace(sides=(0, 1, 2, 3))
    assert told(block_gains(single, [9, 3, 3, 8])) == [(1, 1, 7.5), (2, 2, 7.5)]  # 17 → 15
    assert told(block_gains(single, [9, 3, 3, 3])) == []
    assert told(block_gains(single.replace(rounding="none"), [9, 3, 3, 8])) == [(1, 1, 8.5), (2, 2, 8.5)]


@pytest.mark.parametrize(
    ("start", "after", "state"),
    [
        ((195, 195, 0), (202.5, 202.5, 0), GameState(True, None)),  # equal: drawn
        ((193, 195, 0), (200.5, 202.5, 0), GameState(True, 1)),  # both pass: the higher
        ((195, 193, 0), (202.5, 200.5, 0), GameState(True, 0)),
        ((190, 195, 0), (197.5, 202.5, 0), GameState(True, 1)),
        ((100, 100, 199), (107.5, 107.5, 199), GameState(False, None)),
    ],
)
def test_a_split_is_applied_whole_before_the_target_is_tested(start, after, state):
    gains = block_gains(ALL_3, [7, 7, 13])
    assert settled(ALL_3, start, gains, together=True) == ([True, True], scores(*after), state)


def test_without_a_target_nothing_is_refused():
    free = EXACT_4.replace(target=None)
    gains = block_gains(free, [4, 4, 9, 20])
    assert settled(free, (300, 300), gains) == ([True] * 3, scores(325, 305), GameState(False, None))
