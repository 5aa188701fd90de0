"""What the hands left are worth when a round ends, as events for `kernels.events`."""

from __future__ import annotations

from kernels.bits import lowest, nth_bit, popcount
from kernels.events import BLOCK, OUT, apply_event
from kernels.jit import kernel
from kernels.record import log_event
from kernels.rng import TIE, below, child
from kernels.rules import (
    HALF,
    ROUND_DOWN,
    ROUND_NONE,
    SETTLE_DIFFERENCES,
    SETTLE_HAND_DIFFERENCES,
    SETTLE_LESS_OWN,
    SETTLE_NONE,
    SETTLE_OPPONENTS,
    TIES_LOT,
    TIES_SPLIT,
)
from kernels.tallies import ROW
from kernels.tiles import DIGITS, HIGH_DIGIT, LOW_DIGIT

_SETTLEMENT = ROW["settlement"]
_FAR = 1 << 40  # more pips than any hand


@kernel
def pips_of(hand):
    """Return the pips of a mask of tiles."""
    pips = 0
    for digit in range(DIGITS):
        pips += (popcount(hand & LOW_DIGIT[digit]) + popcount(hand & HIGH_DIGIT[digit])) << digit
    return pips


@kernel
def rounded(pips, rules):
    """Return pips as half points, rounded to a multiple of five where the rules round."""
    if rules.rounding == ROUND_NONE:
        return pips * HALF
    return (pips if rules.rounding == ROUND_DOWN else pips + 2) // 5 * rules.five


@kernel
def opponents_worth(table, rules, side):
    """Return the half points that the hands of all other sides are worth together."""
    total = 0
    for seat in range(rules.players):
        if rules.side[seat] != side:
            total += rounded(table.pips[seat], rules) if rules.by_hand else table.pips[seat]
    return total if rules.by_hand else rounded(total, rules)


@kernel
def settle_out(table, rules, policies, seat, play, tally, log):
    """Settle a round that `seat` ended; `play` are its last play's half points that are not yet applied."""
    side = rules.side[seat]
    table.winners = 1 << side
    credit, debit = 0, 0
    if rules.settle_out == SETTLE_OPPONENTS:
        credit = opponents_worth(table, rules, side)
    elif rules.settle_out != SETTLE_NONE:
        credit = HALF
    if rules.debit_partner and rules.mate[seat] >= 0:
        debit = rounded(table.pips[rules.mate[seat]], rules)
    net = play + credit - debit
    if net == 0 and not rules.last_with:
        return
    policy = policies.index[seat]
    accepted = apply_event(table, rules, side, net, OUT, policy, tally)
    if tally is not None and accepted:
        tally.rows[_SETTLEMENT, table.slot] += credit - debit
    if log is not None:
        log_event(log, table, side, seat, play, credit, debit, accepted)


@kernel
def _credit(table, rules, policies, seat, credit, tally, log):
    """One event of a block."""
    side = rules.side[seat]
    policy = policies.index[seat]
    accepted = apply_event(table, rules, side, credit, BLOCK, policy, tally)
    if tally is not None and accepted:
        tally.rows[_SETTLEMENT, table.slot] += credit
    if log is not None:
        log_event(log, table, side, seat, 0, credit, 0, accepted)


@kernel
def _hand_credit(table, rules, seat):
    """Return the half points of a hand's differences to heavier opposing hands."""
    pips, points = 0, 0
    for other in range(rules.players):
        if rules.side[other] != rules.side[seat]:
            difference = max(0, table.pips[other] - table.pips[seat])
            pips += difference
            points += rounded(difference, rules)
    return points if rules.by_hand else rounded(pips, rules)


@kernel
def _settle_hand_differences(table, rules, policies, tally, log):
    """Credit each hand, lightest first, its differences to heavier opposing hands."""
    least = table.pips[0]
    for seat in range(1, rules.players):
        least = min(least, table.pips[seat])
    table.winners = 0
    for seat in range(rules.players):
        if table.pips[seat] == least:
            table.winners |= 1 << rules.side[seat]
    done = 0
    for _ in range(rules.players):
        lightest = -1
        for seat in range(rules.players):
            if done >> seat & 1 == 0 and (lightest < 0 or table.pips[seat] < table.pips[lightest]):
                lightest = seat
        done |= 1 << lightest
        credit = _hand_credit(table, rules, lightest)
        if credit > 0 and not table.over:
            _credit(table, rules, policies, lightest, credit, tally, log)


@kernel
def _lightest_hand(table, rules, side):
    """Return the seat of a side with the fewest pips, ties to the lower seat."""
    lightest = -1
    for seat in range(rules.players):
        if rules.side[seat] == side and (lightest < 0 or table.pips[seat] < table.pips[lightest]):
            lightest = seat
    return lightest


@kernel
def _side_pips(table, rules, side):
    """Return the pips of a side's hands together."""
    pips = 0
    for seat in range(rules.players):
        if rules.side[seat] == side:
            pips += table.pips[seat]
    return pips


@kernel
def _side_credit(table, rules, side, losers):
    """Return the half points that a side with the least pips wins from the sides of the mask `losers`.

    Never below 0, where hands that are rounded one by one would take more than they give.
    """
    pips, points = 0, 0
    if rules.settle_block == SETTLE_DIFFERENCES:
        own = _side_pips(table, rules, side)
        for other in range(rules.sides):
            if losers >> other & 1:
                difference = _side_pips(table, rules, other) - own
                pips += difference
                points += rounded(difference, rules)
    else:
        for seat in range(rules.players):
            if losers >> rules.side[seat] & 1:
                pips += table.pips[seat]
                points += rounded(table.pips[seat], rules)
            elif rules.side[seat] == side and rules.settle_block == SETTLE_LESS_OWN:
                pips -= table.pips[seat]
                points -= rounded(table.pips[seat], rules)
    return max(0, points if rules.by_hand else rounded(pips, rules))


@kernel
def _lightest_sides(table, rules):
    """Return the mask of the sides with the least pips."""
    least, lightest = _FAR, 0
    for side in range(rules.sides):
        pips = _side_pips(table, rules, side)
        if pips < least:
            least, lightest = pips, 0
        if pips == least:
            lightest |= 1 << side
    return lightest


@kernel
def _settle_lightest_side(table, rules, policies, round_key, tally, log):
    """Credit the lightest side; sides that are tied get nothing, or share, or one of them is drawn by lot."""
    winners = _lightest_sides(table, rules)
    tied = popcount(winners)
    if tied > 1 and rules.ties == TIES_LOT:
        winners = 1 << nth_bit(winners, below(child(round_key, TIE), 0, tied))
        tied = 1
    table.winners = winners
    if rules.settle_block == SETTLE_NONE or tied > 2 or (tied == 2 and rules.ties != TIES_SPLIT):
        return
    losers = (1 << rules.sides) - 1 & ~winners
    credit = 0
    if losers:
        credit = _side_credit(table, rules, lowest(winners), losers) // tied
    if credit == 0:
        return
    while winners:
        seat = _lightest_hand(table, rules, lowest(winners))
        winners &= winners - 1
        _credit(table, rules, policies, seat, credit, tally, log)


@kernel
def settle_block(table, rules, policies, round_key, tally, log):
    """Settle a blocked round and set its winners; the round's key is for a tie that a lot decides."""
    if rules.settle_block == SETTLE_HAND_DIFFERENCES:
        _settle_hand_differences(table, rules, policies, tally, log)
    else:
        _settle_lightest_side(table, rules, policies, round_key, tally, log)
