"""Single rounds for the table of races: what a round does to the scores of two sides.

A round that is blind to the scores is played once, without a target, and kept as its *steps*: its events in
their order, each a whole number 2 * net + side with the net in units of the grid of scores. At any pair of
scores the steps are then replayed: refused, accepted, or won. A round whose policies look at the scores is
played at each pair.

What a round leads to from a pair of scores is one whole number, its *outcome*: WON or LOST for side 0, else

    2 * cell + held        cell = (follower * size + place of side 0) * size + place of side 1

where a place is a score less the lowest of the grid, in units; the follower opens the next round: side 0,
side 1, or LOT; and held is 1 where a score fell below the grid and stands at its lowest.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, kernel
from kernels.record import EVENT, TURN
from kernels.rng import child, game_key
from kernels.round import play_round
from kernels.rules import OPENER_IN_TURN, OPENER_LOT
from kernels.state import END_OUT
from kernels.tiles import MAX_TILES

LOT = 2
FOLLOWERS = 3
WON, LOST = -1, -2
MOST_STEPS = MAX_TILES + 4  # each play and each hand of a block can be an event
MOST_LOG_ROWS = 4 * MAX_TILES + 16  # each play after at most three passes
_PEAK_0, _PEAK_1, _TOTAL_0, _TOTAL_1 = 0, 1, 2, 3


@inlined
def _follower(table, rules):
    """Return the side that opens the next round, or LOT."""
    after = rules.after_out if table.end == END_OUT else rules.after_block
    if after == OPENER_IN_TURN:
        return rules.side[table.opener + 1 if table.opener + 1 < rules.players else 0]
    return LOT if after == OPENER_LOT else rules.side[table.last]


@inlined
def _set_out(table, opener):
    """Make the table ready for a round that a seat opens."""
    table.slot, table.weight = 0, 1
    table.game_round, table.overshot_round = 0, 0
    table.opener, table.by_lot, table.by_highest, table.due_lead = opener, 0, 0, 0
    table.over = 0


@kernel
def _write_steps(log, rules, unit, steps, start):
    """Write the steps of a logged round from place `start` on; return the place after them."""
    for row in range(1, log[0, 0]):
        net, side = 0, 0
        if log[row, 0] == TURN and log[row, 6] == 1:
            net, side = log[row, 5], rules.side[log[row, 1]]
        elif log[row, 0] == EVENT:
            net, side = log[row, 6], log[row, 1]
        if net != 0:
            steps[start] = 2 * (net // unit) + side
            start += 1
    return start


@kernel
def play_free_rounds(
    table, rules, policies, seed, first, rounds, opener, unit, tally, log, steps, sizes, followers
):
    """Play round 0 of games `first` ... without a target, opened by a given seat, and write their steps.

    Parameters
    ----------
    rules : without a target.
    opener : seat.
    unit : half points in a unit; it divides every gain.
    log : int64 (MOST_LOG_ROWS, WIDTH), scratch.
    steps : int64 (rounds * MOST_STEPS,), filled from its start.
    sizes, followers : int64 (rounds,), filled: steps of each round, and who opens the next.

    Returns
    -------
    int : steps written.
    """
    stop = 0
    for game in range(rounds):
        _set_out(table, opener)
        for side in range(rules.sides):
            table.scores[side] = 0
        log[0, 0] = 1
        play_round(table, rules, policies, None, child(game_key(seed, first + game), 0), tally, log)
        start = stop
        stop = _write_steps(log, rules, unit, steps, start)
        sizes[game] = stop - start
        followers[game] = _follower(table, rules)
    return stop


@inlined
def _outcome(place_0, place_1, follower, size):
    """Return the outcome of a round that nobody won."""
    held = 1 if place_0 < 0 or place_1 < 0 else 0
    return 2 * ((follower * size + max(place_0, 0)) * size + max(place_1, 0)) + held


@kernel
def play_rounds_at(table, rules, policies, seed, first, rounds, opener, unit, lowest, size, tally, outcomes):
    """Play round 0 of games `first` ... from every pair of scores.

    Parameters
    ----------
    rules : with the target, which lies at place `size` of the grid.
    unit, lowest, size : half points in a unit, the lowest score in units, and the places of the grid.
    outcomes : int32 (rounds, size * size), filled; pair i has side 0 at place i // size.
    """
    for game in range(rounds):
        round_key = child(game_key(seed, first + game), 0)
        for pair in range(size * size):
            _set_out(table, opener)
            table.scores[0] = (pair // size + lowest) * unit
            table.scores[1] = (pair % size + lowest) * unit
            play_round(table, rules, policies, None, round_key, tally, None)
            if table.over:
                outcomes[game, pair] = WON if table.scores[0] >= rules.target else LOST
            else:
                places = table.scores[0] // unit - lowest, table.scores[1] // unit - lowest
                outcomes[game, pair] = _outcome(places[0], places[1], _follower(table, rules), size)


@kernel
def reaches(steps, starts):
    """Return int64 (rounds, 4): the highest sum of each side after a step, and each side's sum at the end.

    Where both scores stay below the target with these highest sums, nothing is refused and nothing is won.
    """
    rounds = starts.shape[0] - 1
    found = np.zeros((rounds, 4), np.int64)
    for game in range(rounds):
        for step in range(starts[game], starts[game + 1]):
            side = steps[step] & 1
            found[game, _TOTAL_0 + side] += steps[step] >> 1
            found[game, _PEAK_0 + side] = max(found[game, _PEAK_0 + side], found[game, _TOTAL_0 + side])
    return found


@kernel
def replay(steps, start, stop, place_0, place_1, follower, size, exact):
    """Return the outcome of a round's steps from a pair of scores.

    The test of `kernels.events.apply_event`: a step past an exact target is refused; the first accepted one
    that comes to the target, or past one to be reached, wins and ends the round.
    """
    for step in range(start, stop):
        net = steps[step] >> 1
        if steps[step] & 1:
            if exact and place_1 + net > size:
                continue
            place_1 += net
            if place_1 >= size:
                return LOST
        else:
            if exact and place_0 + net > size:
                continue
            place_0 += net
            if place_0 >= size:
                return WON
    return _outcome(place_0, place_1, follower, size)


@kernel
def replay_rounds(steps, starts, reach, followers, place_0, place_1, size, exact, outcomes):
    """Fill `outcomes`, int64 (rounds,), with those of all rounds from a pair of scores."""
    for game in range(followers.shape[0]):
        if place_0 + reach[game, _PEAK_0] < size and place_1 + reach[game, _PEAK_1] < size:
            outcomes[game] = _outcome(
                place_0 + reach[game, _TOTAL_0], place_1 + reach[game, _TOTAL_1], followers[game], size
            )
        else:
            outcomes[game] = replay(
                steps, starts[game], starts[game + 1], place_0, place_1, followers[game], size, exact
            )


@inlined
def mirrored(outcome, size):
    """Return an outcome with the two sides exchanged."""
    if outcome < 0:
        return WON + LOST - outcome
    held, cell = outcome & 1, outcome >> 1
    place_1, rest = cell % size, cell // size
    place_0, follower = rest % size, rest // size
    other = follower if follower == LOT else 1 - follower
    return 2 * ((other * size + place_1) * size + place_0) + held
