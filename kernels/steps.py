"""The steps that a round which is counted and a round which is imagined share: choice, points, settlement."""

from __future__ import annotations

from kernels.bits import popcount
from kernels.events import PLAY, apply_event
from kernels.jit import inlined, kernel
from kernels.policies import WEIGHED, Seen, choose
from kernels.record import UNTESTED
from kernels.settlement import pips_of, settle_block, settle_out
from kernels.state import END_BLOCKED, END_OUT


@inlined
def note_lacks(table, seat, open_values, kept):
    """Keep what all have seen of a seat that could not play: it lacks what was open when its turn began.

    Parameters
    ----------
    kept : mask of the tiles that it drew and could not play; they may have any value that was not open.
    """
    table.lacks[seat] = open_values if kept else table.lacks[seat] | open_values


@kernel
def _fewest_tiles(table, rules, seat):
    """Return the number of tiles in the smallest hand of another seat."""
    fewest = rules.tiles
    for other in range(rules.players):
        if other != seat:
            fewest = min(fewest, popcount(table.hands[other]))
    return fewest


@inlined
def choose_for(table, rules, policies, seat, groups, layout, hand, played, choice_key, plays):
    """Return the placement of the seat's policy, which is told what the seat may know and no more."""
    next_size, next_lacks, fewest = 0, 0, 0
    if policies.kind[seat] == WEIGHED:
        opponent = rules.next_opponent[seat]
        next_size, next_lacks = popcount(table.hands[opponent]), table.lacks[opponent]
        fewest = _fewest_tiles(table, rules, seat)
    score = table.scores[rules.side[seat]]
    seen = Seen(seat, played, score, next_size, next_lacks, fewest, plays == 0)
    return choose(groups, layout, hand, seen, rules, policies, choice_key, plays)


@inlined
def score_play(table, rules, policies, seat, points, is_last, tally):
    """Apply a play's points; return 1, 0, or UNTESTED where none were at stake on this turn."""
    side = rules.side[seat]
    at_stake = 0 if is_last and rules.last_with else points
    if rules.target == 0:  # no test: no branch on whether the play scores
        table.scores[side] += at_stake
        return 1 if at_stake > 0 else UNTESTED
    if at_stake == 0:
        return UNTESTED
    accepted = apply_event(table, rules, side, at_stake, PLAY, policies.index[seat], tally)
    return 1 if accepted else 0


@kernel
def settle_round(table, rules, policies, pending, round_key, tally, log):
    """Settle a round that ended as `table.end` says and set its winners.

    Parameters
    ----------
    pending : half points of a last play that enter the settlement.
    round_key : the round's random key, from which a tie goes by lot.
    """
    for seat in range(rules.players):
        table.pips[seat] = pips_of(table.hands[seat])
    if table.end == END_OUT:
        settle_out(table, rules, policies, table.last, pending, tally, log)
    elif table.end == END_BLOCKED:
        settle_block(table, rules, policies, round_key, tally, log)
    else:
        table.winners = 1 << rules.side[table.last]
