"""What the scores between two rounds are worth to two sides: the chance to win the game, from sampled rounds.

The rounds of a game form a Markov chain: from the scores and who opens to the next ones. The chain's rounds
are rounds of the base policy that were played without a target and kept as their events in order; they are
replayed from every pair of scores, so that gains which an exact target refuses, and wins in mid-round, fall
where they would. With w[a, b] the chance of the side that opens at own score a against b,

    w[a, b] = mean over rounds of: 1 or 0 where the round ends the game; else w[a', b'] where the same side
              opens next, 1 - w[b', a'] where the other does, their mean where a lot is drawn.

Scores only rise in most rounds, so one pass over the pairs, higher sums first, solves the chain: at each the
two equations of w[a, b] and w[b, a] are solved together. Where a partner's pips may lower a score, PASSES of
them are made.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import kernel
from kernels.rules import OPENER_IN_TURN, OPENER_LAST
from kernels.state import END_OUT

WHOLE = 1_000_000  # the chance 1
LARGEST = 128  # scores a side
PASSES = 3
LEAST = 1e-9  # determinants below are 0
LOT, SAME, OTHER = 0, 1, 2  # who opens the next round, as seen from the opener's side

STANDING = np.dtype(
    [
        ("unit", np.int64),  # half points between two neighbouring scores of the table
        ("lowest", np.int64),  # half points of its first score; lower ones count as this
        ("size", np.int64),  # scores a side: the last is the highest below the target
    ]
)


@kernel
def _place_of(standing, score):
    """Return the place of a score in the table; scores between two places count as the lower one."""
    place = (score - standing.lowest) // standing.unit
    return min(max(place, 0), standing.size - 1)


@kernel
def chance(standing, chances, own, other):
    """Return the chance, in millionths, of the side that opens the next round to win the game."""
    return chances[_place_of(standing, own), _place_of(standing, other)]


@kernel
def game_share(table, rules, side):
    """Return a side's share of a game that is over, in millionths: shared by the highest scores."""
    highest, sharing = table.scores[0], 0
    for other in range(rules.sides):
        highest = max(highest, table.scores[other])
    for other in range(rules.sides):
        sharing += 1 if table.scores[other] == highest else 0
    return WHOLE // sharing if table.scores[side] == highest else 0


@kernel
def _chance_of_first(standing, chances, table, rules):
    """Return the chance of side 0 after a round that has not ended the game."""
    opens = chance(standing, chances, table.scores[0], table.scores[1])
    waits = WHOLE - chance(standing, chances, table.scores[1], table.scores[0])
    by = rules.after_out if table.end == END_OUT else rules.after_block
    if by == OPENER_LAST:
        seat = table.last
    elif by == OPENER_IN_TURN:
        seat = table.opener + 1 if table.opener + 1 < rules.players else 0
    else:
        return (opens + waits) // 2
    return opens if rules.side[seat] == 0 else waits


@kernel
def two_sided_worth(standing, chances, table, rules, side):
    """Return what a settled round is worth to one of two sides.

    Returns
    -------
    int : without a target its margin in half points; with one its chance to win the game, in millionths.
    """
    if rules.target == 0:
        return table.scores[side] - table.scores[1 - side]
    if table.over:
        first = game_share(table, rules, 0)
    else:
        first = _chance_of_first(standing, chances, table, rules)
    return first if side == 0 else WHOLE - first  # so that both add up to one, whatever is rounded


@kernel
def _replay(rules, gains, first, last, own, other, scores):
    """Apply the events `first` ... `last - 1` to two scores; return whether the game is over.

    Parameters
    ----------
    gains : int64 (events, 2): 0 for the opener's side or 1, and half points.
    scores : int64 (2,), filled: the scores after them, the opener's side's first.
    """
    scores[0], scores[1] = own, other
    for event in range(first, last):
        side = gains[event, 0]
        after = scores[side] + gains[event, 1]
        if rules.exact and after > rules.target:
            continue
        scores[side] = after
        if after >= rules.target:
            return True
    return False


@kernel
def _equation(rules, standing, w, gains, ends, nexts, a, b, row):
    """Fill `row` with (constant, coefficient of w[a, b], coefficient of w[b, a]) of w[a, b]'s equation."""
    rounds = nexts.shape[0]
    scores = np.zeros(2, np.int64)
    row[:] = 0.0
    start = 0
    for number in range(rounds):
        own, other = standing.lowest + a * standing.unit, standing.lowest + b * standing.unit
        if _replay(rules, gains, start, ends[number], own, other, scores):
            row[0] += 1.0 if scores[0] > scores[1] else 0.0
        else:
            i, j = _place_of(standing, scores[0]), _place_of(standing, scores[1])
            same = 1.0 if nexts[number] == SAME else 0.5 if nexts[number] == LOT else 0.0
            stays = i == a and j == b
            if stays and a == b:  # both chances are one unknown
                row[0] += 1.0 - same
                row[1] += 2.0 * same - 1.0
            elif stays:
                row[0] += 1.0 - same
                row[1] += same
                row[2] -= 1.0 - same
            else:
                row[0] += same * w[i, j] + (1.0 - same) * (1.0 - w[j, i])
        start = ends[number]
    row /= rounds


@kernel
def solve_chain(rules, standing, gains, ends, nexts, chances):
    """Fill the table of chances.

    Parameters
    ----------
    standing : its three fields set.
    gains : int64 (events, 2), the events of all rounds: 0 for the opener's side or 1, and half points.
    ends : int64 (rounds,), the event after the last of each round.
    nexts : int64 (rounds,), LOT, SAME or OTHER.
    chances : int64 (size, size), filled: by the opener's side's own place and the other's, in millionths.
    """
    size = standing.size
    w = np.full((size, size), 0.5)
    one, two = np.zeros(3), np.zeros(3)
    for _ in range(PASSES if rules.debit_partner and rules.players > 2 else 1):
        for total in range(2 * size - 2, -1, -1):
            for a in range(max(0, total - size + 1), total // 2 + 1):
                b = total - a
                _equation(rules, standing, w, gains, ends, nexts, a, b, one)
                if a == b:
                    w[a, a] = one[0] / (1.0 - one[1]) if one[1] < 1.0 - LEAST else 0.5
                    continue
                _equation(rules, standing, w, gains, ends, nexts, b, a, two)
                determinant = (1.0 - one[1]) * (1.0 - two[1]) - one[2] * two[2]
                if determinant < LEAST:  # no sampled round leads away
                    continue
                w[a, b] = (one[0] * (1.0 - two[1]) + one[2] * two[0]) / determinant
                w[b, a] = (two[0] * (1.0 - one[1]) + two[2] * one[0]) / determinant
    for a in range(size):
        for b in range(size):
            chances[a, b] = np.int64(np.rint(w[a, b] * WHOLE))
