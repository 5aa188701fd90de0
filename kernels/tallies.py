"""What a run counts: whole numbers only, so that adding up parts in any order is exact.

A *game* is the unit. Without a target a game is a single round (round 0 of the game), so the
same columns serve rounds and games. Each finished game fills one column of a small buffer;
`kernels.batch` adds the buffer's sums and products to the run's totals and starts it again.

Units: points are *half points* (twice the raw points), shares are twelfths (a win is 12, a tie
of k sides 12/k), margins are half points times (sides - 1), so that all of them are whole.
"""

from __future__ import annotations

import numpy as np

from kernels.bounds import COUNTS
from kernels.tiles import MAX_TILES

HALF = 2  # half points in a raw point
SHARE = 12  # a whole win; 12/k is whole for ties of 2, 3 and 4 sides
SHARES = np.array([0, *(SHARE // winners for winners in (1, 2, 3, 4))], np.int64)  # by number of winners
MAX_SEATS = 4
MAX_POLICIES = 4

# --- one row per quantity of a game -------------------------------------------------------------
_NAMES = [
    "rounds",  # rounds played, those cut by the target included
    "decided",  # rounds that ended out or blocked
    "blocked",
    "tied",  # blocked rounds without a single winning side
    "cut",  # rounds that ended at the target
    "opener_share",  # decided rounds won by the opener's side, in twelfths
    "opener_margin",  # (sides - 1) * own points - the others' points, all rounds
    "plays",
    "draws",
    "passes",
    "points",  # of all plays, before any acceptance test (half points)
    "scoring",  # plays that earn points
    "settlement",  # credited less debited as accepted, without a last play's own points (half points)
    "events_play",  # events with positive net points, by kind
    "events_out",
    "events_block",
    "rejected_play",  # those refused by an exact target
    "rejected_out",
    "rejected_block",
    "points_rejected",  # half points
    "overshot",  # 1: at least one event was rejected
    "rounds_after",  # rounds after the one with the first rejection, 0 where none was
    "first_share",  # the first opener's side's share of the game, in twelfths
    "won",  # 1: the game has a single winner
    "drawn",  # 1: it has none, and was not stopped by the guard
    "over",  # 1: the winner ends above the target
    "excess",  # half points above it
]
CONTROLS = (  # of the dealt hands: (sides - 1) * the opener's side's - the others', only where asked for
    "control_pips",
    "control_doubles",
    "control_leads",  # tiles that would score as the lead
)
_NAMES += CONTROLS
_BY_SEAT_STEMS = (
    "side_share",  # the side's share of the game, in twelfths; of a single round only in `batch.play_rows`
    "side_margin",  # (sides - 1) * its points at the end - the others'
    "offset_share",  # by seats after the opener: decided rounds won by that seat's side, in twelfths
    "offset_margin",
)
for _stem in _BY_SEAT_STEMS:
    _NAMES += [f"{_stem}_{_i}" for _i in range(MAX_SEATS)]
POLICY_STEMS = (
    "policy_plays",
    "policy_points",  # half points
    "policy_opened",  # decided rounds opened by a seat of the policy
    "policy_blocked",  # blocked rounds among them
    "policy_events",  # events with positive net points of its seats
    "policy_rejected",
    "policy_share",  # twelfths of the game, summed over the sides that hold the policy
)
for _stem in POLICY_STEMS:
    _NAMES += [f"{_stem}_{_i}" for _i in range(MAX_POLICIES)]

QUANTITIES: tuple[str, ...] = tuple(_NAMES)
ROW: dict[str, int] = {name: row for row, name in enumerate(QUANTITIES)}
HALF_BUFFER = 128  # games in one half of the buffer: its sums are taken when all of them are finished
BUFFERED_GAMES = 2 * HALF_BUFFER
# A line of the cache more, so that the rows of a column do not all compete for the same few places there
_COLUMNS = BUFFERED_GAMES + 8

# --- side tables --------------------------------------------------------------------------------
ENDS = ("out", "blocked", "target")
KINDS = ("play", "out", "block")
NEEDS = 1024  # shown points still needed; the last row holds that and more
OPENING_COLUMNS = (
    "rounds",  # rounds led with the tile
    "decided",
    "share",  # opener's side's, twelfths
    "margin",
    "decided_squares",  # products of a game's own sums, for the ratio estimator
    "share_decided",
    "share_squares",
    "games",  # games with at least one decided round led with the tile
)
NEED_COLUMNS = ("events", "accepted", "rejected", "wins")
LENGTHS = 256  # rounds; the last entry holds that many and more
EXCESSES = 512  # half points above the target; the last entry holds that many and more

OPENINGS_SHAPE = (MAX_TILES, len(OPENING_COLUMNS))
NEEDS_SHAPE = (NEEDS, len(NEED_COLUMNS))

# One record a worker; all int64. `rows` is the buffer, the rest are totals.
TALLY = np.dtype(
    [
        ("rows", np.int64, (len(QUANTITIES), _COLUMNS)),
        ("games", np.int64),  # finished games
        ("stopped", np.int64),  # games stopped by the guard; counted nowhere else
        ("sums", np.int64, len(QUANTITIES)),
        ("present", np.int64, len(QUANTITIES)),  # games in which the quantity is not 0
        ("counts", np.int64, COUNTS),  # plays by the layout's count after them
        ("openings", np.int64, OPENINGS_SHAPE),  # by lead, OPENING_COLUMNS
        ("needs", np.int64, NEEDS_SHAPE),  # by shown points needed, NEED_COLUMNS
        ("lengths", np.int64, LENGTHS),  # games by their rounds
        ("after", np.int64, LENGTHS),  # games with a rejection by their rounds after the first
        ("excess", np.int64, EXCESSES),  # games won by the winner's half points above the target
    ]
)
