"""Many games: what a worker calls. Fills the tally's buffer and folds it into the totals."""

from __future__ import annotations

from kernels.bits import lowest
from kernels.columns import clear_column, fold
from kernels.game import count_sides, play_game
from kernels.given import deal_given
from kernels.jit import kernel
from kernels.opener import name_opener
from kernels.rng import child, game_key
from kernels.tallies import BUFFERED_GAMES, ROW
from kernels.tiles import MAX_TILES

_OPENER_SHARE, _OPENER_MARGIN = ROW["opener_share"], ROW["opener_margin"]


@kernel
def play_games(table, rules, policies, search, seed, first_game, games, tally, pairs, products):
    """Play games `first_game` ... `first_game + games - 1` and add them to the totals.

    Parameters
    ----------
    table, rules, policies, tally : records of `kernels.state`, `rules`, `policies` and `tallies`.
    search : see `kernels.rollout`, or None where no policy searches.
    seed, first_game, games : int64.
    pairs : int64 array (P, 2) of rows of the tally's buffer.
    products : int64 array (P,); the products of each pair, summed over the games, are added to it.
    """
    table.slot = 0
    table.weight = 1
    for game in range(first_game, first_game + games):
        key = game_key(seed, game)
        if play_game(table, rules, policies, search, key, tally, None):
            tally.games += 1
            table.slot += 1
            if table.slot == BUFFERED_GAMES:
                fold(tally, 0, BUFFERED_GAMES, pairs, products)
                table.slot = 0
        else:  # stopped by the guard: play it once more to take it out of the side tables
            table.weight = -1
            play_game(table, rules, policies, search, key, tally, None)
            table.weight = 1
            clear_column(table, tally)
            tally.stopped += 1
    fold(tally, 0, table.slot, pairs, products)


@kernel
def play_rows(table, rules, policies, search, seed, first_game, games, tally, columns, values, finished):
    """Play games and keep some quantities of each, instead of their sums.

    Parameters
    ----------
    columns : int64 (Q,), rows of the tally's buffer.
    values : int64 (games, Q), filled; 0 for a game that the guard stopped.
    finished : int64 (games,), filled: 1, or 0 for such a game.
    """
    table.slot = 0
    table.weight = 1
    for game in range(games):
        key = game_key(seed, first_game + game)
        finished[game] = 1 if play_game(table, rules, policies, search, key, tally, None) else 0
        if rules.target == 0:  # here alone, since a run of single rounds does not ask for them
            count_sides(table, rules, table.winners, tally)
        for column in range(columns.shape[0]):
            values[game, column] = tally.rows[columns[column], 0] * finished[game]
        clear_column(table, tally)


@kernel
def play_leads(table, rules, policies, search, seed, first_game, games, tally, own, shares, margins):
    """Play each round once as the opener's policy leads it, and once with each tile of its hand as the lead.

    Parameters
    ----------
    rules : without a target.
    own : int64 (games,), filled: the tile that the policy leads.
    shares, margins : int64 (games, MAX_TILES), filled: the opener's side's share in twelfths and margin, by
        lead; a share of -1 where the opener does not hold the tile.
    """
    table.slot = 0
    table.weight = 1
    for game in range(games):
        key = game_key(seed, first_game + game)
        play_game(table, rules, policies, search, key, tally, None)
        clear_column(table, tally)
        own[game] = table.lead
        hand = table.dealt[table.opener]
        for tile in range(MAX_TILES):
            shares[game, tile], margins[game, tile] = -1, 0
        while hand:
            tile = lowest(hand)
            hand &= hand - 1
            table.forced_lead = 1 << tile
            play_game(table, rules, policies, search, key, tally, None)
            shares[game, tile] = tally.rows[_OPENER_SHARE, 0]
            margins[game, tile] = tally.rows[_OPENER_MARGIN, 0]
            clear_column(table, tally)
        table.forced_lead = 0


@kernel
def count_tries(table, rules, seed, first_game, tries, most):
    """Deal the first rounds of games as given, and note how many deals each took.

    Parameters
    ----------
    tries : int64 (games,), filled as far as the games go.
    most : deals to try in all.

    Returns
    -------
    int : games dealt.
    """
    table.game_round = 0
    left = most
    for game in range(tries.shape[0]):
        round_key = child(game_key(seed, first_game + game), 0)
        name_opener(table, rules, round_key)
        table.most_tries = left
        deal_given(table, rules, round_key)
        if table.hopeless:
            return game
        tries[game] = table.tries
        left -= table.tries
    return tries.shape[0]


@kernel
def record_game(table, rules, policies, search, seed, game, tally, log):
    """Play one game for the record `log` of `kernels.record`; return whether it finished."""
    log[0, 0] = 1
    table.slot = 0
    table.weight = 1
    finished = play_game(table, rules, policies, search, game_key(seed, game), tally, log)
    clear_column(table, tally)
    return finished
