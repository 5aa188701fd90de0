"""What the hands left are worth when a round ends, as events for `kernels.events`."""

from __future__ import annotations

from kernels.bits import lowest, popcount
from kernels.events import BLOCK, OUT, apply_event
from kernels.jit import kernel
from kernels.record import log_event
from kernels.rules import HALF, SETTLE_HAND_DIFFERENCES, SETTLE_NONE
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
    """Return pips as half points, to the nearest multiple of five where the rules round."""
    if rules.round_to_five:
        return (pips + 2) // 5 * 5 * HALF
    return pips * HALF


@kernel
def opponents_pips(table, rules, side):
    """Return the pips left in the hands of all other sides."""
    total = 0
    for seat in range(rules.players):
        if rules.side[seat] != side:
            total += table.pips[seat]
    return total


@kernel
def settle_out(table, rules, policies, seat, play, tally, log):
    """Settle a round that `seat` ended; `play` are its last play's half points that are not yet applied."""
    side = rules.side[seat]
    table.winners = 1 << side
    credit, debit = 0, 0
    if rules.settle_out != SETTLE_NONE:
        credit = rounded(opponents_pips(table, rules, side), rules)
    if rules.debit_partner and rules.mate[seat] >= 0:
        debit = rounded(table.pips[rules.mate[seat]], rules)
    net = play + credit - debit
    if net == 0 and not rules.last_with:
        return
    policy = policies.index[seat]
    accepted = apply_event(table, rules, side, net, OUT, policy, tally)
    if accepted:
        tally.rows[_SETTLEMENT, table.slot] += credit - debit
    if log is not None:
        log_event(log, table, side, seat, play, credit, debit, accepted)


@kernel
def _credit(table, rules, policies, seat, credit, tally, log):
    """One event of a block."""
    side = rules.side[seat]
    policy = policies.index[seat]
    accepted = apply_event(table, rules, side, credit, BLOCK, policy, tally)
    if accepted:
        tally.rows[_SETTLEMENT, table.slot] += credit
    if log is not None:
        log_event(log, table, side, seat, 0, credit, 0, accepted)


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
        difference = 0
        for seat in range(rules.players):
            if rules.side[seat] != rules.side[lightest]:
                difference += max(0, table.pips[seat] - table.pips[lightest])
        credit = rounded(difference, rules)
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
def _settle_lightest_side(table, rules, policies, tally, log):
    """Give the opponents' pips to the lightest side; two tied sides may share."""
    least, total = _FAR, 0
    winners = 0
    for side in range(rules.sides):
        pips = 0
        for seat in range(rules.players):
            if rules.side[seat] == side:
                pips += table.pips[seat]
        total += pips
        if pips < least:
            least, winners = pips, 0
        if pips == least:
            winners |= 1 << side
    table.winners = winners
    tied = popcount(winners)
    if rules.settle_block == SETTLE_NONE or tied > 2 or (tied == 2 and not rules.split_ties):
        return
    credit = rounded(total - tied * least, rules) // tied
    if credit == 0:
        return
    while winners:
        seat = _lightest_hand(table, rules, lowest(winners))
        winners &= winners - 1
        _credit(table, rules, policies, seat, credit, tally, log)


@kernel
def settle_block(table, rules, policies, tally, log):
    """Settle a blocked round and set its winners."""
    if rules.settle_block == SETTLE_HAND_DIFFERENCES:
        _settle_hand_differences(table, rules, policies, tally, log)
    else:
        _settle_lightest_side(table, rules, policies, tally, log)
