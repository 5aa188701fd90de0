"""The table record of one worker: the deal, the hands, the scores, and how the last round ended.

                 position   0 .. players*hand-1      .. drawn-1         .. tiles-1
    order[]                 the hands, seat by seat   drawn so far       boneyard, not shuffled yet

All fields but the key are int64; narrower ones were measured to be slower. Scores are half points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.tallies import MAX_SEATS
from kernels.tiles import MAX_TILES

END_OUT, END_BLOCKED, END_TARGET = 0, 1, 2
MAX_CODE = 256

TABLE = np.dtype(
    [
        ("order", np.int64, MAX_TILES),  # tiles in the order of the shuffle, settled up to `drawn`
        ("partner", np.int64, MAX_TILES),  # position that step i of the shuffle swaps with position i
        ("drawn", np.int64),  # next position to draw from
        ("hands", np.int64, MAX_SEATS),  # mask of each seat's tiles
        ("dealt", np.int64, MAX_SEATS),  # mask of those that it was dealt
        ("lacks", np.int64, MAX_SEATS),  # mask of the values that each seat is known not to hold
        ("pips", np.int64, MAX_SEATS),  # pips left in each hand when the round ended
        ("scores", np.int64, MAX_SEATS),  # of each side
        ("start", np.int64, MAX_SEATS),  # those with which a game starts
        ("before", np.int64, MAX_SEATS),  # the scores when the round began
        ("opener", np.int64),  # seat
        ("forced_lead", np.int64),  # mask of the tile that must lead; 0: the policy chooses
        ("by_lot", np.int64),  # 1: the opener was drawn by lot
        ("by_highest", np.int64),  # 1: the dealt hands name the opener: the highest double
        ("due_lead", np.int64),  # mask of the tile that the rules make lead; 0: any
        ("has_given", np.int64),  # 1: the first round is dealt by `kernels.given`, from the last eight fields
        ("last", np.int64),  # seat that placed the last tile
        ("lead", np.int64),  # tile
        ("end", np.int64),  # END_*
        ("winners", np.int64),  # mask of the sides that won the round or share it
        ("over", np.int64),  # 1: the game has ended
        ("game", np.int64),  # its number, and its random key: kept where games are played in lanes
        ("key", np.uint64),
        ("game_round", np.int64),  # number of the round in its game
        ("first_opener", np.int64),  # seat that opened the game's first round
        ("slot", np.int64),  # this game's column in the tally's buffer
        ("weight", np.int64),  # 1, or -1 to take a counted game out of the side tables again
        ("overshot_round", np.int64),  # round of the game's first rejection, or -1
        ("touched", np.int64),  # tiles led in decided rounds of this game
        ("lead_decided", np.int64, MAX_TILES),  # this game's sums by lead
        ("lead_share", np.int64, MAX_TILES),
        ("fixed", np.int64, MAX_TILES),  # by position: tile + 1, or 0 where any may lie
        ("given_opener", np.int64),  # seat + 1, or 0
        ("code", np.int64, 2 * MAX_CODE),  # the condition on the deal: operation, argument, ...
        ("code_length", np.int64),  # operations; 0: no condition
        ("stack", np.int64, MAX_CODE),  # where it is worked out
        ("most_tries", np.int64),  # deals that are tried for one round
        ("tries", np.int64),  # deals that the last one took
        ("hopeless", np.int64),  # 1: a deal was not found
    ]
)


CACHE_LINE = 64  # bytes


def blank(dtype: np.dtype) -> Any:
    """Return a record of zeros; its fields are attributes in compiled and in plain code alike.

    It starts with a line of the cache, since vector code is slowed down by words that lie on two lines.
    """
    room = np.zeros(dtype.itemsize + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + dtype.itemsize].view(np.dtype((np.record, dtype)))[0]
