"""The choice among placements: the highest value, ties drawn; docs/policies.md defines both.

A policy sees the layout, its own hand and what `kernels.features.Seen` holds. Hidden hands are no arguments.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest, nth_bit, popcount
from kernels.features import FEATURES, Seen, asks_more, plain_value, utility
from kernels.jit import inlined, kernel
from kernels.layout import GROUP, LEAD, count_after
from kernels.placements import NO_PLACEMENTS, Groups, added, placements, scoring_placements
from kernels.rng import below
from kernels.tallies import MAX_SEATS

__all__ = ["FEATURES", "Groups", "Seen", "choose", "placements"]
# Kinds: no weight at all, points alone, features of the placement alone, anything else; and of the third kind
# those that weigh points as far as an exact target accepts them, and nothing else but a win
UNIFORM, POINTS, PLAIN, WEIGHED, ACCEPTED = 0, 1, 2, 3, 4

POLICIES = np.dtype(
    [
        ("kind", np.int64, MAX_SEATS),  # by seat: UNIFORM, POINTS, PLAIN, WEIGHED or ACCEPTED
        ("weights", np.int64, (MAX_SEATS, len(FEATURES))),  # by seat
        ("index", np.int64, MAX_SEATS),  # by seat: which of the distinct policies
        ("count", np.int64),  # distinct policies
    ]
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
def best_placements(groups, layout, hand, seen, rules, weights, is_plain):
    """Return the placements of the highest value.

    Parameters
    ----------
    is_plain : whether only features of the placement alone weigh.
    """
    best, highest = NO_PLACEMENTS, -(1 << 62)
    is_last = hand & hand - 1 == 0
    more = not is_plain and asks_more(weights)
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            placement = tile + LEAD if seen.is_lead else tile + GROUP * group
            if is_plain:
                value = plain_value(placement, layout, is_last, seen.score, rules, weights)
            else:
                value = utility(placement, layout, hand, seen, rules, weights, more)
            if value > highest:
                best, highest = NO_PLACEMENTS, value
            if value == highest:
                best = added(best, group, tile)
    return best


@kernel
def highest_counts(groups, layout, is_lead):
    """Return the placements after which the count is highest."""
    best, highest = NO_PLACEMENTS, 0
    for group in range(4):
        mask = groups[group]
        while mask:
            tile = lowest(mask)
            mask &= mask - 1
            count = count_after(layout, tile + LEAD if is_lead else tile + GROUP * group)
            if count > highest:
                best, highest = NO_PLACEMENTS, count
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
        weights = policies.weights[seen.seat]
        groups = best_placements(groups, layout, hand, seen, rules, weights, kind != WEIGHED)
    placement = pick(groups, choice_key, turn)
    return placement + LEAD if seen.is_lead else placement
