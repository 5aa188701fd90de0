"""Many games in lanes: what a worker calls where it need not have them played one by one.

Each kernel does what its namesake in `kernels.batch` does. The parameters are those there but for `tables`,
COUNT records of `kernels.state`, and `lanes`, the record of `kernels.lanes`. That the set is the double-six
and the policies have no weights, or points alone, is the caller's care.
"""

from __future__ import annotations

import numpy as np

from kernels.abreast import play_turn
from kernels.bits import lowest, popcount
from kernels.columns import clear_column, fold
from kernels.game import count_sides
from kernels.jit import kernel
from kernels.lane_rounds import begin
from kernels.lanes import COUNT
from kernels.tallies import BUFFERED_GAMES, HALF_BUFFER, ROW

_OPENER_SHARE, _OPENER_MARGIN = ROW["opener_share"], ROW["opener_margin"]
_ANY = 0  # lead


@kernel
def _clear(lanes):
    """Take all lanes out of play."""
    for lane in range(COUNT):
        lanes.hand[lane], lanes.layout[lane], lanes.count[lane] = 0, 0, 0


@kernel
def play_games(tables, lanes, rules, policies, seed, first_game, games, tally, pairs, products):
    """Play games and add them to the totals."""
    _clear(lanes)
    # Games take columns in turn. A half of them is folded when all its games are finished and those begun
    # before them are folded; games that take its columns anew are begun only then.
    unfinished = np.zeros(2, np.int64)
    unfinished[0] = min(HALF_BUFFER, games)
    unfinished[1] = min(HALF_BUFFER, games - unfinished[0])
    folded, room, oldest = 0, unfinished[0] + unfinished[1], 0
    begun, active = 0, 0
    while True:
        while popcount(active) < COUNT and begun < room:
            lane = lowest(~active)
            active |= 1 << lane
            tables[lane].slot = begun & BUFFERED_GAMES - 1
            begin(tables[lane], lanes, lane, rules, seed, first_game + begun, 1, _ANY)
            begun += 1
        if active == 0:
            return
        over = play_turn(tables, lanes, rules, policies, active, tally)
        while over:
            lane = lowest(over)
            over &= over - 1
            table = tables[lane]
            if table.over == 0 and rules.target > 0:  # stopped by the guard
                if table.weight > 0:  # play it once more to take it out of the side tables
                    begin(table, lanes, lane, rules, seed, table.game, -1, _ANY)
                    continue
                clear_column(table, tally)
                tally.stopped += 1
            else:
                tally.games += 1
            active ^= 1 << lane
            unfinished[table.slot // HALF_BUFFER] -= 1
            while folded < room and unfinished[oldest] == 0:
                fold(tally, oldest * HALF_BUFFER, HALF_BUFFER, pairs, products)
                folded = min(folded + HALF_BUFFER, games)
                unfinished[oldest] = min(HALF_BUFFER, games - room)
                room += unfinished[oldest]
                oldest = 1 - oldest


@kernel
def play_rows(tables, lanes, rules, policies, seed, first_game, games, tally, columns, values, finished):
    """Play games and keep some quantities of each, instead of their sums."""
    _clear(lanes)
    begun, active = 0, 0
    while True:
        while popcount(active) < COUNT and begun < games:
            lane = lowest(~active)
            active |= 1 << lane
            tables[lane].slot = lane
            begin(tables[lane], lanes, lane, rules, seed, first_game + begun, 1, _ANY)
            begun += 1
        if active == 0:
            return
        over = play_turn(tables, lanes, rules, policies, active, tally)
        active ^= over
        while over:
            lane = lowest(over)
            over &= over - 1
            table = tables[lane]
            if rules.target == 0:
                count_sides(table, rules, table.winners, tally)
            game = table.game - first_game
            finished[game] = 1 if table.over or rules.target == 0 else 0
            for column in range(columns.shape[0]):
                values[game, column] = tally.rows[columns[column], table.slot] * finished[game]
            clear_column(table, tally)


@kernel
def play_leads(tables, lanes, rules, policies, seed, first_game, games, tally, own, shares, margins):
    """Play each round as the opener's policy leads it, and with each tile of its hand as the lead."""
    _clear(lanes)
    shares[:], margins[:] = -1, 0
    begun, active, leads = 0, 0, 0
    while True:
        while popcount(active) < COUNT and (leads or begun < games):
            lane = lowest(~active)
            active |= 1 << lane
            table = tables[lane]
            table.slot = lane
            if leads:
                begin(table, lanes, lane, rules, seed, first_game + begun - 1, 1, leads & -leads)
                leads &= leads - 1
            else:
                begin(table, lanes, lane, rules, seed, first_game + begun, 1, _ANY)
                leads = table.dealt[table.opener]
                begun += 1
        if active == 0:
            return
        over = play_turn(tables, lanes, rules, policies, active, tally)
        active ^= over
        while over:
            lane = lowest(over)
            over &= over - 1
            table = tables[lane]
            game = table.game - first_game
            if table.forced_lead == 0:
                own[game] = table.lead
            else:
                shares[game, table.lead] = tally.rows[_OPENER_SHARE, table.slot]
                margins[game, table.lead] = tally.rows[_OPENER_MARGIN, table.slot]
            clear_column(table, tally)
