"""The choice among placements: features, weights, ties; docs/policies.md defines them.

A policy sees what it is given here: the layout, its own hand, the tiles on the table, its side's score and
the size of the next opponent's hand. Hidden hands are no arguments of it.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from kernels.bits import lowest, nth_bit, popcount
from kernels.bounds import COUNTS
from kernels.jit import inlined, kernel
from kernels.layout import GROUP, LEAD, count_after, place
from kernels.rng import below
from kernels.tallies import MAX_SEATS
from kernels.tiles import (
    DOUBLES,
    END_HIGH,
    END_LOW,
    FIVES_FROM,
    FIVES_LEAD,
    LINE_HIGH,
    LINE_LOW,
    MAX_TILES,
    OF_HIGH,
    OF_LOW,
    PIPS,
    SIDE_HIGH,
    SIDE_LOW,
    VALUES_OF,
)

FEATURES = ("points", "accepted", "wins", "pips", "double", "count", "mobility", "reply")
UNIFORM, POINTS, WEIGHED = 0, 1, 2  # kinds: no weight at all, points alone, anything else

POLICIES = np.dtype(
    [
        ("kind", np.int64, MAX_SEATS),  # by seat: UNIFORM, POINTS or WEIGHED
        ("weights", np.int64, (MAX_SEATS, len(FEATURES))),  # by seat
        ("index", np.int64, MAX_SEATS),  # by seat: which of the distinct policies
        ("count", np.int64),  # distinct policies
    ]
)

_CHOOSE = np.array(
    [[comb(n, k) if k <= n else 0 for k in range(MAX_TILES)] for n in range(MAX_TILES)], np.int64
)
_W_POINTS, _W_ACCEPTED, _W_WINS, _W_PIPS = 0, 1, 2, 3
_W_DOUBLE, _W_COUNT, _W_MOBILITY, _W_REPLY = 4, 5, 6, 7


class Groups(NamedTuple):
    """The legal placements: for each group of `kernels.layout` the mask of its tiles."""

    end_low: int
    end_high: int
    side_low: int
    side_high: int


class Seen(NamedTuple):
    """What a seat knows beyond layout and hand."""

    seat: int
    played: int  # mask of the tiles on the layout before this play
    score: int  # its side's, half points
    next_size: int  # tiles in the next opponent's hand
    is_lead: bool


_NONE = Groups(0, 0, 0, 0)


@inlined
def added(groups, group, tile):
    """Return the placements and one more."""
    bit = 1 << tile
    return Groups(
        groups.end_low | (bit if group == 0 else 0),
        groups.end_high | (bit if group == 1 else 0),
        groups.side_low | (bit if group == 2 else 0),
        groups.side_high | (bit if group == 3 else 0),
    )


@inlined
def placements(hand, layout):
    """Return the legal placements of a hand."""
    return Groups(
        hand & OF_LOW[layout.open_ends],
        hand & OF_HIGH[layout.open_ends],
        hand & OF_LOW[layout.open_sides],
        hand & OF_HIGH[layout.open_sides],
    )


@inlined
def pick(groups, word_key, turn):
    """Return one of the placements, uniformly."""
    n_low, n_high = popcount(groups.end_low), popcount(groups.end_high)
    n_side_low, n_side_high = popcount(groups.side_low), popcount(groups.side_high)
    first = n_low
    second = first + n_high
    third = second + n_side_low
    i = below(word_key, turn, third + n_side_high)
    # -1 where i lies past the group, else 0: arithmetic, since no branch predictor can guess it
    past_first, past_second, past_third = first - 1 - i >> 63, second - 1 - i >> 63, third - 1 - i >> 63
    mask = groups.end_low ^ (groups.end_low ^ groups.end_high) & past_first
    mask ^= (groups.end_high ^ groups.side_low) & past_second
    mask ^= (groups.side_low ^ groups.side_high) & past_third
    before = (n_low & past_first) + (n_high & past_second) + (n_side_low & past_third)
    return nth_bit(mask, i - before) - GROUP * (past_first + past_second + past_third)


@kernel
def best_reply(layout, unseen, size, rules):
    """Return the sum, over all C(|unseen|, size) hands, of the most half points of one play in reply."""
    by_points = np.zeros(rules.most + 1, np.int64)
    most = 0
    groups = placements(unseen, layout)
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            points = rules.score[place(layout, tile + GROUP * group, rules.spinner).count]
            by_points[points] |= 1 << tile
            most = max(most, points)
    total = popcount(unseen)
    hands = _CHOOSE[total, size]
    expected = 0
    scorers = 0
    for points in range(most, 0, -1):
        scorers |= by_points[points]
        expected += hands - _CHOOSE[total - popcount(scorers), size]
    return expected


@kernel
def gain_features(points, score, ends_hand, rules):
    """Return (half points that the target accepts, whether the gain wins at once)."""
    if rules.target == 0 or points == 0 or (ends_hand and rules.last_with):
        return points, False
    if score + points > rules.target:
        return (0, False) if rules.exact else (points, True)
    return points, score + points == rules.target


@kernel
def mobility(layout, hand):
    """Return how many open values the hand can match."""
    values = 0
    while hand:
        values |= VALUES_OF[lowest(hand)]
        hand &= hand - 1
    return popcount(values & (layout.open_ends | layout.open_sides))


@kernel
def utility(placement, layout, hand, seen, rules, weights):
    """Return the value of a placement: the weighted sum of its features, scaled where `reply` weighs.

    Points are weighed as raw points; all else as docs/policies.md says.
    """
    tile = placement & (GROUP - 1)
    left = hand & ~(1 << tile)
    new = place(layout, placement, rules.spinner)
    points = rules.score[new.count]
    accepted, wins = gain_features(points, seen.score, left == 0, rules)
    value = weights[_W_POINTS] * points + weights[_W_ACCEPTED] * accepted
    value += 2 * (
        weights[_W_WINS] * np.int64(wins)
        + weights[_W_PIPS] * PIPS[tile]
        + weights[_W_DOUBLE] * (DOUBLES >> tile & 1)
        + weights[_W_COUNT] * new.count
    )
    if weights[_W_MOBILITY]:
        value += 2 * weights[_W_MOBILITY] * mobility(new, left)
    if weights[_W_REPLY]:
        unseen = ((1 << rules.tiles) - 1) & ~(seen.played | hand)
        value *= _CHOOSE[popcount(unseen), seen.next_size]
        if left:
            value += weights[_W_REPLY] * best_reply(new, unseen, seen.next_size, rules)
    return value


@kernel
def best_placements(groups, layout, hand, seen, rules, weights):
    """Return the placements of the highest value."""
    best, highest = _NONE, -(1 << 62)
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            placement = tile + LEAD if seen.is_lead else tile + GROUP * group
            value = utility(placement, layout, hand, seen, rules, weights)
            if value > highest:
                best, highest = _NONE, value
            if value == highest:
                best = added(best, group, tile)
    return best


@inlined
def scoring_placements(hand, layout, is_lead):
    """Return the placements that bring the count to a positive multiple of five, without a look at each."""
    if is_lead:
        return Groups(hand & FIVES_LEAD, 0, 0, 0)
    line = layout.open_sides & layout.one_taken
    other = layout.open_sides ^ line
    row = layout.count & (COUNTS - 1)
    return Groups(
        hand & OF_LOW[layout.open_ends] & FIVES_FROM[row, END_LOW],
        hand & OF_HIGH[layout.open_ends] & FIVES_FROM[row, END_HIGH],
        hand & (OF_LOW[line] & FIVES_FROM[row, LINE_LOW] | OF_LOW[other] & FIVES_FROM[row, SIDE_LOW]),
        hand & (OF_HIGH[line] & FIVES_FROM[row, LINE_HIGH] | OF_HIGH[other] & FIVES_FROM[row, SIDE_HIGH]),
    )


@kernel
def highest_counts(groups, layout, is_lead):
    """Return the placements after which the count is highest."""
    best, highest = _NONE, 0
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            count = count_after(layout, tile + LEAD if is_lead else tile + GROUP * group)
            if count > highest:
                best, highest = _NONE, count
            if count == highest:
                best = added(best, group, tile)
    return best


@inlined
def most_points(groups, layout, hand, is_lead):
    """Return the placements of most points where positive multiples of five score their count."""
    # what may lead is told by `groups`: the whole hand, or a lead that is forced
    scoring = scoring_placements(groups.end_low if is_lead else hand, layout, is_lead)
    n = popcount(scoring.end_low) + popcount(scoring.end_high)
    n += popcount(scoring.side_low) + popcount(scoring.side_high)
    if n > 1:
        return highest_counts(scoring, layout, is_lead)
    return scoring if n else groups


@inlined
def choose(groups, layout, hand, seen, rules, policies, choice_key, turn):
    """Return the placement that the seat's policy takes.

    Parameters
    ----------
    groups : the legal placements; a lead has the whole hand as `end_low`.
    layout : the layout before the play; not looked at for a lead.
    hand : mask of the seat's tiles.
    seen : what else the seat knows.
    choice_key, turn : stream and counter for the tie.
    """
    kind = policies.kind[seen.seat]
    if kind == POINTS and rules.by_fives:
        groups = most_points(groups, layout, hand, seen.is_lead)
    elif kind != UNIFORM:
        groups = best_placements(groups, layout, hand, seen, rules, policies.weights[seen.seat])
    placement = pick(groups, choice_key, turn)
    return placement + LEAD if seen.is_lead else placement
