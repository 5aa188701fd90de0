"""Games kept one by one: a row a game, or a row a round, from the very games that `kernels.batch` adds up.

A game is played here as in `kernels.game.play_game`, but what each round added to the tally's buffer is taken
out into a row instead of being summed. The tally and the sums by lead in the table are of no use afterwards.
"""

from __future__ import annotations

import numpy as np

from kernels.game import begin_game
from kernels.jit import kernel
from kernels.opener import name_opener
from kernels.rng import child, game_key
from kernels.round import play_round
from kernels.tallies import MAX_SEATS, QUANTITIES, ROW

KEPT = (
    "decided",
    "blocked",
    "tied",
    "plays",
    "draws",
    "passes",
    "points",
    "scoring",
    "settlement",
    "events_play",
    "events_out",
    "events_block",
    "rejected_play",
    "rejected_out",
    "rejected_block",
    "points_rejected",
)
"""The quantities of `kernels.tallies` that a row keeps; in rows of games, summed over the rounds."""

ROWS = np.dtype(
    [
        ("game", np.int64),
        ("round", np.int64),  # in rows of rounds its number; in rows of games the rounds played
        ("finished", np.int64),  # 0: the guard stopped the game
        ("opener", np.int64),  # seat; in rows of games of the first round
        ("lead", np.int64),  # tile; in rows of games of the last round, as the rest
        ("last", np.int64),  # seat that placed the last tile
        ("end", np.int64),  # END_*
        ("winners", np.int64),  # mask of the sides that won the round or share it
        ("overshot_round", np.int64),  # round of the game's first rejection, or -1
        ("pips", np.int64, MAX_SEATS),  # left in each hand
        ("scores", np.int64, MAX_SEATS),  # half points of each side
        ("gains", np.int64, MAX_SEATS),  # half points by which each score changed in the round
        ("kept", np.int64, len(KEPT)),
    ]
)

_KEPT_ROWS = np.array([ROW[name] for name in KEPT], np.int64)
_QUANTITIES = len(QUANTITIES)


@kernel
def _take_out(tally, row):
    """Add the buffer's column to a row and clear it."""
    for i in range(_KEPT_ROWS.shape[0]):
        row.kept[i] += tally.rows[_KEPT_ROWS[i], 0]
    for quantity in range(_QUANTITIES):
        tally.rows[quantity, 0] = 0


@kernel
def _describe(table, row):
    """Write down how the table's round ended."""
    row.lead, row.last, row.end, row.winners = table.lead, table.last, table.end, table.winners
    for i in range(MAX_SEATS):
        row.pips[i] = table.pips[i]
        row.scores[i] = table.scores[i]
        row.gains[i] = table.scores[i] - table.before[i]


@kernel
def _play_game(table, rules, policies, search, seed, game, tally, by_rounds, rows, used):
    """Play one game into the rows from `used` on; return the first free row, or -1 where there is no room.

    As in `play_game`, `start` and what is given of the first round may be set in the table.
    """
    key = game_key(seed, game)
    begin_game(table, rules)
    free = used
    limit = rules.guard if rules.target else 1
    for game_round in range(limit):
        table.game_round = game_round
        round_key = child(key, game_round)
        name_opener(table, rules, round_key)
        play_round(table, rules, policies, search, round_key, tally, None)
        if by_rounds or game_round == 0:
            if free == rows.shape[0]:
                return -1
            rows[free].kept[:] = 0
            rows[free].game, rows[free].opener = game, table.opener
            free += 1
        rows[free - 1].round = game_round if by_rounds else game_round + 1
        _take_out(tally, rows[free - 1])
        _describe(table, rows[free - 1])
        if table.over:
            break
    for row in range(used, free):
        rows[row].finished = 1 if table.over or rules.target == 0 else 0
        rows[row].overshot_round = table.overshot_round
    return free


@kernel
def play_kept(table, rules, policies, search, seed, first_game, games, tally, by_rounds, rows):
    """Play games `first_game` ... `first_game + games - 1`, as far as there is room for them.

    Parameters
    ----------
    table, rules, policies, search, tally : as for `kernels.batch.play_games`.
    seed, first_game, games : int64.
    by_rounds : int64; 1: a row a round, 0: a row a game.
    rows : array of ROWS, filled from its start.

    Returns
    -------
    (int, int) : games and rows that are whole; fewer games than asked for where the next one has no room.
    """
    table.slot = 0
    table.weight = 1
    used = 0
    for done in range(games):
        game = first_game + done
        free = _play_game(table, rules, policies, search, seed, game, tally, by_rounds, rows, used)
        if free < 0:
            for quantity in range(_QUANTITIES):
                tally.rows[quantity, 0] = 0
            return done, used
        used = free
    return games, used
