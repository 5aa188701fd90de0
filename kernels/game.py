"""One game: rounds up to the target, or a single round where there is none."""

from __future__ import annotations

from kernels.bits import lowest, popcount
from kernels.jit import kernel
from kernels.opener import name_opener
from kernels.rng import child
from kernels.round import play_round, share_of
from kernels.tallies import EXCESSES, LENGTHS, ROW, SHARES

_ROUNDS_AFTER, _FIRST_SHARE = ROW["rounds_after"], ROW["first_share"]
_WON, _DRAWN, _OVER, _EXCESS = ROW["won"], ROW["drawn"], ROW["over"], ROW["excess"]
_SIDE_MARGIN = ROW["side_margin_0"]
_SIDE_SHARE, _POLICY_SHARE = ROW["side_share_0"], ROW["policy_share_0"]


@kernel
def _game_winners(table, rules):
    """Return the mask of the sides with the highest score."""
    best = table.scores[0]
    winners = 1
    for side in range(1, rules.sides):
        if table.scores[side] > best:
            best, winners = table.scores[side], 0
        if table.scores[side] == best:
            winners |= 1 << side
    return winners


@kernel
def count_sides(table, rules, winners, tally):
    """Count what each side has at the end: its share, and its margin over the others."""
    total = 0
    for side in range(rules.sides):
        total += table.scores[side]
    for side in range(rules.sides):
        tally.rows[_SIDE_SHARE + side, table.slot] = share_of(winners, side)
        tally.rows[_SIDE_MARGIN + side, table.slot] = rules.sides * table.scores[side] - total


@kernel
def _count_game(table, rules, policies, tally):
    """Count who won a finished game and by how much, and how long it took."""
    winners = _game_winners(table, rules)
    count_sides(table, rules, winners, tally)
    share = SHARES[popcount(winners)]
    if winners >> rules.side[table.first_opener] & 1:
        tally.rows[_FIRST_SHARE, table.slot] = share
    held = 0  # (policy, side) pairs seen
    for seat in range(rules.players):
        side, policy = rules.side[seat], policies.index[seat]
        bit = 1 << 4 * policy + side
        if winners >> side & 1 and held & bit == 0:
            tally.rows[_POLICY_SHARE + policy, table.slot] += share
        held |= bit
    tally.lengths[min(table.game_round + 1, LENGTHS - 1)] += 1
    if table.overshot_round >= 0:
        after = table.game_round - table.overshot_round
        tally.rows[_ROUNDS_AFTER, table.slot] = after
        tally.after[min(after, LENGTHS - 1)] += 1
    if popcount(winners) > 1:
        tally.rows[_DRAWN, table.slot] = 1
        return
    tally.rows[_WON, table.slot] = 1
    excess = table.scores[lowest(winners)] - rules.target
    tally.rows[_OVER, table.slot] = 1 if excess > 0 else 0
    tally.rows[_EXCESS, table.slot] = excess
    tally.excess[min(excess, EXCESSES - 1)] += 1


@kernel
def _fold_openings(table, tally):
    """Add the game's sums by lead, and their products, to the table of openings."""
    touched = table.touched
    while touched:
        lead = lowest(touched)
        touched &= touched - 1
        decided, share = table.lead_decided[lead], table.lead_share[lead]
        table.lead_decided[lead] = 0
        table.lead_share[lead] = 0
        tally.openings[lead, 1] += table.weight * decided
        tally.openings[lead, 2] += table.weight * share
        tally.openings[lead, 4] += table.weight * decided * decided
        tally.openings[lead, 5] += table.weight * share * decided
        tally.openings[lead, 6] += table.weight * share * share
        tally.openings[lead, 7] += table.weight
    table.touched = 0


@kernel
def begin_game(table, rules):
    """Set the table as it is before a game's first round; `table.start` must be set."""
    for side in range(rules.sides):
        table.scores[side] = table.start[side]
    table.over = 0
    table.overshot_round = -1
    table.game_round = 0


@kernel
def end_game(table, rules, policies, tally):
    """Count a game whose last round is counted."""
    if table.over:
        _count_game(table, rules, policies, tally)
    _fold_openings(table, tally)


@kernel
def play_game(table, rules, policies, search, game_key, tally, log):
    """Play one game into column `table.slot` of the tally's buffer.

    Parameters
    ----------
    table : its `slot` and `weight` must be set; `start` and what is given of the first round may be.
    search : see `kernels.rollout`, or None where no policy searches.
    game_key : the game's random key.
    log : see `kernels.record`, or None.

    Returns
    -------
    bool : finished; False where the guard stopped it.
    """
    begin_game(table, rules)
    limit = rules.guard if rules.target else 1
    for game_round in range(limit):
        table.game_round = game_round
        round_key = child(game_key, game_round)
        name_opener(table, rules, round_key)
        play_round(table, rules, policies, search, round_key, tally, log)
        if game_round == 0:
            table.first_opener = table.opener
        if table.over:
            break
    end_game(table, rules, policies, tally)
    return table.over == 1 or rules.target == 0
