"""The rules record: one int64 a rule, so that one compiled kernel serves every rule set.

Points inside kernels are *half points* (twice the raw points): a three-player split of All Fives
can then be held exactly.
"""

from __future__ import annotations

import numpy as np

from kernels.bounds import COUNTS
from kernels.tallies import HALF, MAX_SEATS

__all__ = ["HALF", "RULES"]
SPINNER_NONE, SPINNER_FIRST, SPINNER_ALL = 0, 1, 2
SETTLE_NONE, SETTLE_OPPONENTS, SETTLE_HAND_DIFFERENCES = 0, 1, 2
SETTLE_LESS_OWN, SETTLE_DIFFERENCES, SETTLE_ONE = 3, 4, 5
ROUND_NONE, ROUND_NEAREST, ROUND_DOWN = 0, 1, 2
TIES_NONE, TIES_SPLIT, TIES_LOT = 0, 1, 2
OPENER_LOT, OPENER_LAST, OPENER_HIGHEST, OPENER_IN_TURN = 0, 1, 2, 3
UNLIMITED_DRAWS = 64

RULES = np.dtype(
    [
        ("tiles", np.int64),  # tiles in the set: 28 or 55
        ("players", np.int64),  # seats: 2 to 4
        ("sides", np.int64),  # sides: 2 to 4
        ("side", np.int64, MAX_SEATS),  # side of each seat
        ("mate", np.int64, MAX_SEATS),  # seat of the partner, or -1
        ("next_opponent", np.int64, MAX_SEATS),  # next seat clockwise on another side
        ("hand", np.int64),  # tiles dealt to each seat
        ("spinner", np.int64),  # SPINNER_*
        ("score", np.int64, COUNTS),  # half points that a play earns, by the count after it
        ("most", np.int64),  # the largest entry of `score`
        ("by_fives", np.int64),  # 1: `score` pays the positive multiples of five in proportion to the count
        ("five", np.int64),  # half points in a shown point: 10 raw, or 2 where points are divided
        ("target", np.int64),  # half points; 0: no target, a game is one round
        ("exact", np.int64),  # 1: gains that would pass the target are refused
        ("settle_out", np.int64),  # SETTLE_NONE, SETTLE_OPPONENTS or SETTLE_ONE
        ("settle_block", np.int64),  # SETTLE_*, but not SETTLE_ONE
        ("rounding", np.int64),  # ROUND_*: of settlement sums, to a multiple of five
        ("by_hand", np.int64),  # 1: each hand is rounded on its own; else their sum once
        ("debit_partner", np.int64),  # 1: after an out the partner's pips are debited
        ("last_with", np.int64),  # 1: a last play's points are part of the settlement event
        ("ties", np.int64),  # TIES_*: what two or more sides tied for least in a block get
        ("first", np.int64),  # first opener: OPENER_*, but not OPENER_LAST
        ("after_out", np.int64),  # next opener: OPENER_*; OPENER_LAST: who placed the last tile
        ("after_block", np.int64),
        ("lead_forced", np.int64),  # 1: who opens by the highest double must lead it
        ("draws", np.int64),  # tiles that a turn may draw: 0, 1 or UNLIMITED_DRAWS
        ("reserve", np.int64),  # tiles of the boneyard that are never drawn
        ("guard", np.int64),  # rounds after which a game is stopped
        ("control", np.int64),  # no rule: 1 where the controls are counted too
    ]
)
