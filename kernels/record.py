"""The record of a game as rows of whole numbers, from which traces are written.

A kernel is handed `log`, an int64 array of shape (rows, WIDTH), or None; with None Numba compiles the
recording away. Cell (0, 0) counts the rows needed, row 0 included; rows that do not fit are counted but not
kept.

In parentheses the first column of several:

    ROUND  kind, opener, by_lot, 0, hands (4 masks from 4)
    TURN   kind, seat, tiles drawn, placement or NO_PLACEMENT, count, points, accepted, 0, scores (from 8)
    EVENT  kind, side, seat, play, credit, debit, net, accepted, scores (from 8)
    END    kind, end, winners mask, 0, pips (from 4), scores (from 8), order of the shuffle (from 12)

Points and scores are half points. `accepted` is 1, 0, or UNTESTED where no points were at stake.
"""

from __future__ import annotations

from kernels.jit import kernel
from kernels.tallies import MAX_SEATS
from kernels.tiles import MAX_TILES

WIDTH = 12 + MAX_TILES
ROUND, TURN, EVENT, END = 1, 2, 3, 4
NO_PLACEMENT = -1
UNTESTED = -1
FOUR, EIGHT, TWELVE = 4, 8, 12


@kernel
def new_row(log, kind, first, second, third):
    """Return the index of a new row with its first four cells set; -1 where the log is full."""
    row = log[0, 0]
    log[0, 0] += 1
    if row >= log.shape[0]:
        return -1
    log[row, 0], log[row, 1], log[row, 2], log[row, 3] = kind, first, second, third
    return row


@kernel
def _copy(log, row, column, values, n):
    for i in range(n):
        log[row, column + i] = values[i]


@kernel
def log_turn(log, table, seat, drawn, placement, count, points, accepted):
    """Record a turn; a pass has NO_PLACEMENT."""
    row = new_row(log, TURN, seat, drawn, placement)
    if row >= 0:
        log[row, 4], log[row, 5], log[row, 6] = count, points, accepted
        _copy(log, row, EIGHT, table.scores, MAX_SEATS)


@kernel
def log_event(log, table, side, seat, play, credit, debit, accepted):
    """Record an event of a settlement."""
    row = new_row(log, EVENT, side, seat, play)
    if row >= 0:
        log[row, 4], log[row, 5] = credit, debit
        log[row, 6], log[row, 7] = play + credit - debit, accepted
        _copy(log, row, EIGHT, table.scores, MAX_SEATS)


@kernel
def log_round(log, table, by_lot):
    """Record the deal."""
    row = new_row(log, ROUND, table.opener, by_lot, 0)
    if row >= 0:
        _copy(log, row, FOUR, table.hands, MAX_SEATS)


@kernel
def log_end(log, table):
    """Record the end of a round and the whole order of its shuffle."""
    row = new_row(log, END, table.end, table.winners, 0)
    if row >= 0:
        _copy(log, row, FOUR, table.pips, MAX_SEATS)
        _copy(log, row, EIGHT, table.scores, MAX_SEATS)
        _copy(log, row, TWELVE, table.order, MAX_TILES)
