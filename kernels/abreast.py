"""Games of the double-six set abreast, one in each lane, so that none waits while another could go on.

A round alone keeps a processor waiting: each step needs the one before, and whether a seat can play, scores
or ends the round no branch predictor can guess. Here all lanes take one step, then all the next one. A game
is the same wherever it is played: the totals equal those of `kernels.batch` to the last one.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest
from kernels.columns import clear_column, fold
from kernels.game import count_sides
from kernels.jit import kernel
from kernels.lane_rounds import begin, draw_or_pass, end, note_lead, take_points
from kernels.lanes import (
    ALL_LANES,
    COUNT,
    LANE_MASK,
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
from kernels.tallies import BUFFERED_GAMES, HALF_BUFFER


@kernel
def _seats_by_points(rules, policies):
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
def _play_turn(tables, lanes, rules, policies, by_points, active, tally):
    """Play one turn of each active lane; return the mask of the lanes whose game is at its end."""
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


@kernel
def _free(lanes):
    """Free all lanes."""
    for lane in range(COUNT):
        lanes.hand[lane], lanes.layout[lane], lanes.count[lane] = 0, 0, 0


@kernel
def play_games_abreast(tables, lanes, rules, policies, seed, first_game, games, tally, pairs, products):
    """Play games as `kernels.batch.play_games` does.

    Parameters
    ----------
    tables : COUNT records of `kernels.state`.
    lanes : the record of `kernels.lanes`.
    rules, policies : of a set and policies that can be played in lanes.
    """
    by_points = _seats_by_points(rules, policies)
    _free(lanes)
    # games take columns in turn; those of one half are begun when the games before them there are all folded
    unfinished = np.zeros(2, np.int64)
    unfinished[0] = min(HALF_BUFFER, games)
    unfinished[1] = min(HALF_BUFFER, games - unfinished[0])
    room = unfinished[0] + unfinished[1]
    begun, active, free = 0, 0, ALL_LANES
    while True:
        while free and begun < room:
            lane = lowest(free)
            free &= free - 1
            active |= 1 << lane
            tables[lane].slot = begun & BUFFERED_GAMES - 1
            begin(tables[lane], lanes, lane, rules, seed, first_game + begun, 1)
            begun += 1
        if active == 0:
            break
        over = _play_turn(tables, lanes, rules, policies, by_points, active, tally)
        while over:
            lane = lowest(over)
            over &= over - 1
            table = tables[lane]
            if table.over == 0 and rules.target > 0:  # stopped by the guard: taken out as in `kernels.batch`
                if table.weight > 0:
                    begin(table, lanes, lane, rules, seed, table.game, -1)
                    continue
                clear_column(table, tally)
                tally.stopped += 1
            else:
                tally.games += 1
            active ^= 1 << lane
            free |= 1 << lane
            half = table.slot // HALF_BUFFER
            unfinished[half] -= 1
            if unfinished[half] == 0:
                fold(tally, half * HALF_BUFFER, HALF_BUFFER, pairs, products)
                unfinished[half] = min(HALF_BUFFER, games - room)
                room += unfinished[half]


@kernel
def play_rows_abreast(
    tables, lanes, rules, policies, seed, first_game, games, tally, columns, values, finished
):
    """Play games and keep some quantities of each as `kernels.batch.play_rows` does."""
    by_points = _seats_by_points(rules, policies)
    _free(lanes)
    begun, active, free = 0, 0, ALL_LANES
    while True:
        while free and begun < games:
            lane = lowest(free)
            free &= free - 1
            active |= 1 << lane
            tables[lane].slot = lane
            begin(tables[lane], lanes, lane, rules, seed, first_game + begun, 1)
            begun += 1
        if active == 0:
            break
        over = _play_turn(tables, lanes, rules, policies, by_points, active, tally)
        active ^= over
        free |= over
        while over:
            lane = lowest(over)
            over &= over - 1
            table = tables[lane]
            if rules.target == 0:
                count_sides(table, rules, table.winners, tally)
            game = table.game - first_game
            finished[game] = 1 if table.over or rules.target == 0 else 0
            for column in range(columns.shape[0]):
                values[game, column] = tally.rows[columns[column], lane & LANE_MASK] * finished[game]
            clear_column(table, tally)
