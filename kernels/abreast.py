"""One turn of games of the double-six set that are played abreast, one in each lane.

A round alone keeps a processor waiting: each step needs the one before, and whether a seat can play, scores
or ends the round no branch predictor can guess. Here all lanes take one step, then all the next one. A game
is the same wherever it is played: the totals equal those of `kernels.batch` to the last one.
"""

from __future__ import annotations

from kernels.bits import lowest
from kernels.jit import kernel
from kernels.lane_rounds import draw_or_pass, end, note_lead, take_points
from kernels.lanes import (
    SEAT_MASK,
    choose,
    count_by_policy,
    keep_highest,
    keep_scoring,
    list_placements,
    pass_turns,
    place,
)
from kernels.policies import ACCEPTED, POINTS
from kernels.state import END_OUT

_ANY_POINTS = 1 << 40


@kernel
def _seats_of(rules, policies, kind):
    seats = 0
    for seat in range(rules.players):
        seats |= (1 if policies.kind[seat] == kind else 0) << seat
    return seats


@kernel
def _room(table, lanes, lane, rules, policies):
    """Return the half points that the seat to play in a lane asks to be accepted."""
    seat, hand = lanes.seat[lane] & SEAT_MASK, lanes.hand[lane]
    is_last = hand & hand - 1 == 0
    if policies.kind[seat] != ACCEPTED or (is_last and rules.last_with):
        return _ANY_POINTS
    return rules.target - table.scores[rules.side[seat]]


@kernel
def _keep_best(tables, lanes, rules, policies):
    """Keep the placements of most points, for the seats that weigh points."""
    wary = _seats_of(rules, policies, ACCEPTED)
    by_points = wary | _seats_of(rules, policies, POINTS)
    if by_points == 0:
        return
    closer = keep_scoring(lanes, by_points, wary)
    while closer:
        lane = lowest(closer)
        closer &= closer - 1
        keep_highest(lanes, lane, rules, _room(tables[lane], lanes, lane, rules, policies))


@kernel
def _choose(tables, lanes, rules, policies, active, tally):
    """Choose the placements of one turn; return the mask of the lanes whose round is blocked."""
    blocked = 0
    stuck = active & ~list_placements(lanes)
    while stuck:
        lane = lowest(stuck)
        stuck &= stuck - 1
        blocked |= draw_or_pass(tables[lane], lanes, lane, rules, tally) << lane
    _keep_best(tables, lanes, rules, policies)
    choose(lanes)
    return blocked


@kernel
def play_turn(tables, lanes, rules, policies, active, tally):
    """Play one turn of each lane that is in play, and begin the next rounds of games that go on.

    Parameters
    ----------
    tables : COUNT records of `kernels.state`.
    active : mask of the lanes in play.

    Returns
    -------
    int : mask of the lanes whose game is at its end.
    """
    ended = _choose(tables, lanes, rules, policies, active, tally)
    if policies.count > 1:
        count_by_policy(tables, lanes, policies, tally)
    emptied, led = place(lanes, rules.players)
    scored = pass_turns(lanes, rules, tally)
    while led:
        lane = lowest(led)
        led &= led - 1
        note_lead(tables[lane], lanes, lane)
    while scored:
        lane = lowest(scored)
        scored &= scored - 1
        take_points(tables[lane], lanes, lane, rules, policies, emptied >> lane & 1, tally)
        ended |= tables[lane].over << lane
    ended |= emptied
    over = 0
    while ended:
        lane = lowest(ended)
        ended &= ended - 1
        if emptied >> lane & 1:
            tables[lane].end = END_OUT
        goes_on = end(tables[lane], lanes, lane, rules, policies, tally)
        over |= (0 if goes_on else 1) << lane
    return over
