"""What all seats have seen of a round: who was stuck on which values, what was drawn, who placed which tile.

Time is counted in *stuck turns*: turns of a seat that had no placement in hand, numbered from 0 in the round.
Of such a turn all see the values that were open, how many tiles were drawn, and whether the last of them was
placed at once. Everything that a seat can infer about hidden tiles follows from these turns and from who
placed which tile after how many of them. Kept only at tables where a policy searches.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import kernel
from kernels.layout import TILE, empty_layout, place
from kernels.tiles import MAX_TILES, ROOM

# Between two plays all seats but one may pass without a draw, and each further stuck turn draws a tile.
STUCK_TURNS = 4 * MAX_TILES
NOT_PLACED = -1
NO_LEAD = -1

HISTORY = np.dtype(
    [
        ("turns", np.int64),  # stuck turns so far
        ("seat", np.int64, STUCK_TURNS),  # by stuck turn: whose
        ("open", np.int64, STUCK_TURNS),  # mask of the values that were open
        ("kept", np.int64, STUCK_TURNS),  # tiles drawn and not placed at once: none has an open value
        ("fresh", np.int64),  # mask of the tiles that were drawn and placed at once
        ("lead", np.int64),  # the first tile placed, or NO_LEAD
        ("placed_by", np.int64, ROOM),  # by tile: seat, or NOT_PLACED
        ("placed_at", np.int64, ROOM),  # by tile: stuck turns before it was placed
    ]
)


@kernel
def forget(history):
    """Start the history of a round."""
    history.turns = 0
    history.fresh = 0
    history.lead = NO_LEAD
    for tile in range(MAX_TILES):
        history.placed_by[tile] = NOT_PLACED


@kernel
def note_stuck(history, seat, open_values, drawn, places):
    """Keep a turn that began without a placement in hand.

    Parameters
    ----------
    open_values : mask of the values that were open.
    drawn : number of tiles drawn.
    places : whether the last of them is placed now.
    """
    turn = history.turns
    history.seat[turn] = seat
    history.open[turn] = open_values
    history.kept[turn] = drawn - 1 if places else drawn
    history.turns = turn + 1


@kernel
def note_placed(history, seat, tile, is_fresh):
    """Keep who placed a tile; `is_fresh`: drawn in the same turn."""
    if history.lead == NO_LEAD:
        history.lead = tile
    history.placed_by[tile] = seat
    history.placed_at[tile] = history.turns
    if is_fresh:
        history.fresh |= 1 << tile


@kernel
def retrace(history, rules, seats, drawn, placed):
    """Keep the turns of a round so far; return the layout after them and the mask of the tiles placed.

    Parameters
    ----------
    seats, drawn, placed : int64 (turns,): by turn the seat, the tiles drawn, the placement or -1 for a pass.
    """
    forget(history)
    layout = empty_layout(rules.spinner)
    played = 0
    for turn in range(seats.shape[0]):
        if turn > 0 and (drawn[turn] > 0 or placed[turn] < 0):
            open_values = layout.open_ends | layout.open_sides
            note_stuck(history, seats[turn], open_values, drawn[turn], placed[turn] >= 0)
        if placed[turn] >= 0:
            tile = placed[turn] & TILE
            note_placed(history, seats[turn], tile, drawn[turn] > 0)
            layout = place(layout, placed[turn], rules.spinner)
            played |= 1 << tile
    return layout, played
