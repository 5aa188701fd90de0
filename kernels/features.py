"""The features of a placement and their weighted sum; docs/policies.md defines each to the point.

A feature that no weight asks for is not computed where that takes more than a table look-up.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from kernels.bits import lowest, popcount
from kernels.jit import kernel
from kernels.layout import GROUP, JOINED, NEW_ENDS, TILE, count_after, place
from kernels.placements import placements, scoring_placements
from kernels.rules import HALF
from kernels.settlement import pips_of
from kernels.tiles import DOUBLES, MAX_TILES, PIPS, PLAYABLE, VALUES_OF

FEATURES = (
    "points",
    "accepted",
    "wins",
    "pips",
    "double",
    "count",
    "mobility",
    "reply",
    "scores",
    "near",
    "companions",
    "variety",
    "playable",
    "follow",
    "bare_spinner",
    "rush",
    "lacked",
    "stuck",
    "threat",
    "live",
    "closing",
)
(
    _POINTS,
    _ACCEPTED,
    _WINS,
    _PIPS,
    _DOUBLE,
    _COUNT,
    _MOBILITY,
    _REPLY,
    _SCORES,
    _NEAR,
    _COMPANIONS,
    _VARIETY,
    _PLAYABLE,
    _FOLLOW,
    _BARE_SPINNER,
    _RUSH,
    _LACKED,
    _STUCK,
    _THREAT,
    _LIVE,
    _CLOSING,
) = range(len(FEATURES))
PLAIN_FEATURES = FEATURES[:_MOBILITY]  # those of the placement alone
NEAR = 50 * HALF  # half points: ten shown points
FEW = 2  # tiles in a hand that is close to going out
MILLE, CENTS = 1000, 100

_CHOOSE = np.array(
    [[comb(n, k) if k <= n else 0 for k in range(MAX_TILES)] for n in range(MAX_TILES)], np.int64
)


class Seen(NamedTuple):
    """What a seat knows beyond layout and hand."""

    seat: int
    played: int  # mask of the tiles on the layout before this play
    score: int  # its side's, half points
    next_size: int  # tiles in the next opponent's hand
    next_lacks: int  # mask of the values that the next opponent is known not to hold
    fewest: int  # tiles in the smallest hand of another seat
    is_lead: bool


class Left(NamedTuple):
    """What a placement leaves."""

    layout: object  # kernels.layout.Layout
    hand: int  # mask
    made: int  # mask of the values that it lays open: its new ends, or the value of a double
    unseen: int  # mask of the tiles that the seat has not seen


@kernel
def scorers_of(groups, layout, below, rules):
    """Return (the most half points, less than a bound, that a placement earns, mask of the tiles that do)."""
    most, tiles = 0, 0
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            points = rules.score[count_after(layout, tile + GROUP * group)]
            if most < points < below:
                most, tiles = points, 0
            if points == most:
                tiles |= 1 << tile
    return most, tiles


@kernel
def best_reply(layout, pool, size, rules):
    """Return the sum, over all C(|pool|, size) hands, of the most half points of one play in reply."""
    groups = scoring_placements(pool, layout, False) if rules.by_fives else placements(pool, layout)
    expected, scorers = 0, 0
    hands = _CHOOSE[popcount(pool), size]  # those without a tile that earns more than the level at hand
    points, tiles = scorers_of(groups, layout, rules.most + 1, rules)
    while points:
        scorers |= tiles
        without = _CHOOSE[popcount(pool & ~scorers), size]
        expected += points * (hands - without)
        hands = without
        points, tiles = scorers_of(groups, layout, points, rules)
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
def plain_value(placement, layout, is_last, score, rules, weights):
    """Return twice the weighted sum of PLAIN_FEATURES; points are weighed as raw points.

    Parameters
    ----------
    is_last : whether the placement empties the hand.
    score : of the seat's side before the play, half points.
    """
    tile = placement & TILE
    count = count_after(layout, placement)
    points = rules.score[count]
    accepted, wins = gain_features(points, score, is_last, rules)
    return (
        weights[_POINTS] * points
        + weights[_ACCEPTED] * accepted
        + HALF
        * (
            weights[_WINS] * np.int64(wins)
            + weights[_PIPS] * PIPS[tile]
            + weights[_DOUBLE] * (DOUBLES >> tile & 1)
            + weights[_COUNT] * count
        )
    )


@kernel
def near_points(accepted, score, ends_hand, rules):
    """Return the half points accepted where they bring the side close to an exact target, else 0."""
    if rules.target == 0 or rules.exact == 0 or (ends_hand and rules.last_with):
        return 0
    return accepted if rules.target - score - accepted <= NEAR else 0


@kernel
def values_of(hand):
    """Return the mask of the values that a hand holds."""
    values = 0
    while hand:
        values |= VALUES_OF[lowest(hand)]
        hand &= hand - 1
    return values


@kernel
def most_points_of(hand, layout, rules):
    """Return the most half points of one play of a hand."""
    groups = scoring_placements(hand, layout, False) if rules.by_fives else placements(hand, layout)
    most, _ = scorers_of(groups, layout, rules.most + 1, rules)
    return most


@kernel
def threat_cents(layout, pool, size, rules):
    """Return the mean best reply over all hands from `pool`, in hundredths of raw points, rounded down."""
    hands = HALF * _CHOOSE[popcount(pool), size]
    total = best_reply(layout, pool, size, rules)
    return total // hands * CENTS + total % hands * CENTS // hands  # in two steps: the product would not fit


@kernel
def stuck_mille(playable, pool, size):
    """Return the chance in thousandths, rounded down, that a hand from `pool` has no tile of `playable`."""
    return MILLE * _CHOOSE[popcount(pool & ~playable), size] // _CHOOSE[popcount(pool), size]


@kernel
def is_lighter(hand, unseen, size):
    """Whether a hand has fewer pips than `size` tiles of the unseen ones have on average."""
    return pips_of(hand) * popcount(unseen) < size * pips_of(unseen)


@kernel
def hand_value(tile, left, rules, weights):
    """Return twice the weighted features of the hand that remains."""
    open_values = left.layout.open_ends | left.layout.open_sides
    companions = popcount(left.hand & PLAYABLE[left.made])
    value = weights[_COMPANIONS] * companions
    value += weights[_PLAYABLE] * popcount(left.hand & PLAYABLE[open_values])
    is_spinner = DOUBLES >> tile & 1 and left.layout.four_sided & left.made
    if is_spinner and companions == 0:
        value += weights[_BARE_SPINNER]
    if weights[_MOBILITY] or weights[_VARIETY]:
        values = values_of(left.hand)
        value += weights[_MOBILITY] * popcount(values & open_values)
        value += weights[_VARIETY] * popcount(values)
    value *= HALF
    if weights[_FOLLOW]:
        value += weights[_FOLLOW] * most_points_of(left.hand, left.layout, rules)
    return value


@kernel
def others_value(tile, left, seen, rules, weights):
    """Return the weighted features of what the others may hold."""
    value = 0
    open_values = left.layout.open_ends | left.layout.open_sides
    if weights[_RUSH] and min(popcount(left.hand), seen.fewest) <= FEW:
        value += weights[_RUSH] * PIPS[tile]
    value += weights[_LACKED] * popcount(open_values & seen.next_lacks)
    pool = left.unseen & ~PLAYABLE[seen.next_lacks]
    if weights[_STUCK]:
        value += weights[_STUCK] * stuck_mille(PLAYABLE[open_values], pool, seen.next_size)
    if weights[_THREAT] and left.hand:
        value += weights[_THREAT] * threat_cents(left.layout, pool, seen.next_size, rules)
    if weights[_LIVE] or weights[_CLOSING]:
        playable = left.unseen & PLAYABLE[open_values]
        value += weights[_LIVE] * popcount(playable)
        if weights[_CLOSING] and is_lighter(left.hand, left.unseen, seen.next_size):
            value += weights[_CLOSING] * popcount(playable)
    return value


@kernel
def asks_more(weights):
    """Whether any feature of the remaining hand and of the others' hands weighs, asked once a turn."""
    for feature in range(_COMPANIONS, len(FEATURES)):
        if weights[feature]:
            return True
    return weights[_MOBILITY] != 0


@kernel
def utility(placement, layout, hand, seen, rules, weights, more):
    """Return twice the value of a placement: the weighted sum of its features, scaled where `reply` weighs.

    Points are weighed as raw points; all else as docs/policies.md says.

    Parameters
    ----------
    more : what `asks_more` says of the weights.
    """
    tile = placement & TILE
    new = place(layout, placement, rules.spinner)
    rest = hand & ~(1 << tile)
    unseen = ((1 << rules.tiles) - 1) & ~(seen.played | hand)
    value = plain_value(placement, layout, rest == 0, seen.score, rules, weights)
    if weights[_NEAR] or weights[_SCORES]:
        accepted, _ = gain_features(rules.score[new.count], seen.score, rest == 0, rules)
        value += weights[_NEAR] * near_points(accepted, seen.score, rest == 0, rules)
        value += HALF * weights[_SCORES] * np.int64(accepted > 0)
    if more:
        made = NEW_ENDS[placement] if NEW_ENDS[placement] else 1 << JOINED[placement]
        left = Left(new, rest, made, unseen)
        value += hand_value(tile, left, rules, weights) + HALF * others_value(
            tile, left, seen, rules, weights
        )
    if weights[_REPLY]:
        value *= _CHOOSE[popcount(unseen), seen.next_size]
        if rest:
            value += weights[_REPLY] * best_reply(new, unseen, seen.next_size, rules)
    return value
