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
    choose,
    count_by_policy,
    keep_highest,
    keep_scoring,
    list_placements,
    pass_turns,
    place,
)
from kernels.policies import POINTS
from kernels.state import END_OUT


@kernel
def seats_by_points(rules, policies):
    """Return the mask of the seats whose policy weighs points."""
    seats = 0
    for seat in range(rules.players):
        seats |= (1 if policies.kind[seat] == POINTS else 0) << seat
    return seats


@kernel
def _choose(tables, lanes, rules, policies, by_points, active, tally):
    """Choose the placements of one turn; return the mask of the lanes whose round is blocked."""
    blocked = 0
    stuck = active & ~list_placements(lanes)
    while stuck:
        lane = lowest(stuck)
        stuck &= stuck - 1
        blocked |= draw_or_pass(tables[lane], lanes, lane, rules, tally) << lane
    if by_points:
        several = keep_scoring(lanes, by_points)
        while several:
            keep_highest(lanes, lowest(several))
            several &= several - 1
    choose(lanes)
    return blocked


@kernel
def play_turn(tables, lanes, rules, policies, by_points, active, tally):
    """Play one turn of each lane that is in play, and begin the next rounds of games that go on.

    Parameters
    ----------
    tables : COUNT records of `kernels.state`.
    by_points : see `seats_by_points`.
    active : mask of the lanes in play.

    Returns
    -------
    int : mask of the lanes whose game is at its end.
    """
    ended = _choose(tables, lanes, rules, policies, by_points, active, tally)
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
