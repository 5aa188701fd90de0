"""The chain of rounds: the chance that side 0 wins from a pair of scores, from outcomes of sampled rounds.

With x_o the chance at this pair where side o opens, and the outcomes of N rounds that it opens,

    x_o = (rounds won + sum over the other outcomes of the chance where they lead) / N .

Outcomes that lead back to this pair are the two unknowns, solved exactly; all others look up chances found
before. Where no score can fall those are of pairs with a higher sum, so that one pass in descending order of
sums is the solution; else passes are repeated.

Errors are the infinitesimal jackknife over batches of rounds (Efron and Tibshirani, *An Introduction to the
Bootstrap*, 1993, chapter 21). With r_b the sum of (chance where it leads - x) over the rounds of batch b,
divided by the number of all rounds, the solution of y = r_b + P y, P the same transitions, is what the batch
moves the chance by.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, kernel
from kernels.race import LOT, WON, mirrored, replay_rounds

OPENERS = 2
STUCK = 1e-9  # determinant of the two equations, below which no round leaves the pair


@inlined
def _share(cell, area, here, opener):
    """Return the part of a cell that is this pair where `opener` opens: 1, half of a lot, or 0."""
    if cell % area != here:
        return 0.0
    follower = cell // area
    if follower == LOT:
        return 0.5
    return 1.0 if follower == opener else 0.0


@kernel
def _count(outcomes, edges, chances, area, here, counts, met, sums, selves):
    """Count the outcomes of one opener's rounds.

    Parameters
    ----------
    edges : int64 (batches + 1,), the first round of each batch, and the number of rounds.
    chances : float64 (3 * area,), by cell.
    counts : int64 (2 * 3 * area,), zeros; filled by outcome.
    met : int64 (rounds,), filled with the distinct outcomes.
    sums : float64 (batches,), filled: wins, and chances where the other rounds lead.
    selves : float64 (batches, 2), filled: rounds that lead back to this pair, by opener.

    Returns
    -------
    (int, int) : distinct outcomes, and rounds won.
    """
    distinct, won = 0, 0
    for batch in range(edges.shape[0] - 1):
        total = 0.0
        selves[batch, 0], selves[batch, 1] = 0.0, 0.0
        for game in range(edges[batch], edges[batch + 1]):
            outcome = outcomes[game]
            if outcome < 0:
                won += 1 if outcome == WON else 0
                total += 1.0 if outcome == WON else 0.0
                continue
            if counts[outcome] == 0:
                met[distinct] = outcome
                distinct += 1
            counts[outcome] += 1
            cell = outcome >> 1
            if cell % area == here:
                for opener in range(OPENERS):
                    selves[batch, opener] += _share(cell, area, here, opener)
            else:
                total += chances[cell]
        sums[batch] = total
    return distinct, won


@inlined
def _solve(equations, known_0, known_1):
    """Return the x of (I - equations) x = known."""
    a, b = 1.0 - equations[0, 0], -equations[0, 1]
    c, d = -equations[1, 0], 1.0 - equations[1, 1]
    determinant = a * d - b * c
    return (d * known_0 - b * known_1) / determinant, (a * known_1 - c * known_0) / determinant


@kernel
def _fold(opener, distinct, won, rounds, area, here, chances, helds, moves, scratch, equations, known, moved):
    """Turn the counted outcomes of one opener into its equations, and clear the counts.

    `known` (2, 2), by opener: what chance and held scores rest on beside this pair; `moved` (2, batches):
    what the moves rest on beside it. All are means over the rounds.
    """
    counts, met = scratch
    win, held = float(won), 0.0
    for i in range(distinct):
        outcome = met[i]
        weight = float(counts[outcome])
        counts[outcome] = 0
        cell = outcome >> 1
        own = cell % area == here
        held += weight * (outcome & 1)
        if own:
            for other in range(OPENERS):
                equations[opener, other] += weight * _share(cell, area, here, other) / rounds
            continue
        win += weight * chances[cell]
        held += weight * helds[cell]
        follower, place = cell // area, cell % area
        for other in range(OPENERS):
            part = 0.5 if follower == LOT else (1.0 if follower == other else 0.0)
            if part > 0.0:
                share = part * weight / rounds
                for batch in range(moved.shape[1]):
                    moved[opener, batch] += share * moves[other, place, batch]
    known[opener, 0] = win / rounds
    known[opener, 1] = held / rounds


@kernel
def solve_pair(outcomes, edges, here, chances, helds, moves, scratch, found, found_moves):
    """Find the chances of one pair of scores.

    Parameters
    ----------
    outcomes : int64 (2, rounds), from this pair, by opener.
    here : the pair: place of side 0 times size, plus place of side 1.
    chances, helds : float64 (3 * area,), by cell: what is known so far.
    moves : float64 (2, area, batches), by opener and pair: moves of the chances with each batch.
    scratch : (counts, met) as for `_count`.
    found : float64 (2, 2), filled by opener: the chance, and the scores held from here on; NaN where no round
        leaves the pair.
    found_moves : float64 (2, batches), filled.
    """
    counts, met = scratch
    rounds, batches, area = outcomes.shape[1], edges.shape[0] - 1, moves.shape[1]
    sums = np.zeros((OPENERS, batches))
    selves = np.zeros((OPENERS, batches, OPENERS))
    equations, known = np.zeros((OPENERS, OPENERS)), np.zeros((OPENERS, 2))
    moved = np.zeros((OPENERS, batches))
    for opener in range(OPENERS):
        distinct, won = _count(
            outcomes[opener], edges, chances, area, here, counts, met, sums[opener], selves[opener]
        )
        _fold(
            opener, distinct, won, rounds, area, here, chances, helds, moves, scratch, equations, known, moved
        )
    loose = (1.0 - equations[0, 0]) * (1.0 - equations[1, 1]) - equations[0, 1] * equations[1, 0]
    if loose < STUCK:
        found[:] = np.nan
        return
    found[0, 0], found[1, 0] = _solve(equations, known[0, 0], known[1, 0])
    found[0, 1], found[1, 1] = _solve(equations, known[0, 1], known[1, 1])
    for batch in range(batches):
        size = edges[batch + 1] - edges[batch]
        for opener in range(OPENERS):
            total = sums[opener, batch]
            total += selves[opener, batch, 0] * found[0, 0] + selves[opener, batch, 1] * found[1, 0]
            # the batch's weight among all rounds is size / rounds
            moved[opener, batch] += (total - size * found[opener, 0]) / rounds
        found_moves[0, batch], found_moves[1, batch] = _solve(equations, moved[0, batch], moved[1, batch])


@kernel
def solve_pairs(
    pairs, sample, mirror, grid, exact, edges, chances, helds, moves, scratch, found, found_moves
):
    """Find the chances of some pairs of scores by replaying rounds.

    Parameters
    ----------
    pairs : int64 (pairs,).
    sample : by opener `kernels.race.Rounds`.
    mirror : 1: what side 1 opens is what side 0 opens with the sides exchanged.
    found, found_moves : float64 (pairs, 2, 2) and (pairs, 2, batches), filled.
    """
    outcomes = np.zeros((OPENERS, edges[-1]), np.int64)
    for i in range(pairs.shape[0]):
        place_0, place_1 = pairs[i] // grid.size, pairs[i] % grid.size
        replay_rounds(sample[0], place_0, place_1, grid, exact, outcomes[0])
        if mirror:
            replay_rounds(sample[1], place_1, place_0, grid, exact, outcomes[1])
            for game in range(edges[-1]):
                outcomes[1, game] = mirrored(outcomes[1, game], grid.size)
        else:
            replay_rounds(sample[1], place_0, place_1, grid, exact, outcomes[1])
        solve_pair(outcomes, edges, pairs[i], chances, helds, moves, scratch, found[i], found_moves[i])
