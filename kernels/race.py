"""Single rounds for the table of races: what a round does to the scores of two sides.

A round is played once and kept as its *steps*: its events in their order, each a whole number 2 * net + side
with the net in units of the grid of scores. At any pair of scores the steps are then replayed: refused,
accepted, or won. A round whose policies look at the scores has *branches* (`kernels.branches`), and the steps
are those of the branch to which the pair belongs.

What a round leads to from a pair of scores is one whole number, its *outcome*: WON or LOST for side 0, else

    2 * cell + held        cell = (follower * size + place of side 0) * size + place of side 1

where the follower opens the next round: side 0, side 1, or LOT; and held is 1 where a score fell below the
grid and stands at its lowest. Where the grid is coarse a score stands at the place below it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kernels.jit import inlined, kernel
from kernels.record import EVENT, TURN
from kernels.rng import child, game_key
from kernels.round import play_round
from kernels.rules import OPENER_IN_TURN, OPENER_LAST
from kernels.state import END_OUT
from kernels.tallies import MAX_SEATS
from kernels.tiles import MAX_TILES

LOT = 2
FOLLOWERS = 3
WON, LOST = -1, -2
MOST_STEPS = MAX_TILES + 4  # each play and each hand of a block can be an event
MOST_LOG_ROWS = 4 * MAX_TILES + 16  # each play after at most three passes
BY_HIGHEST = -1  # as an opener: the deal names it
_PEAK_0, _PEAK_1, _TOTAL_0, _TOTAL_1 = 0, 1, 2, 3


class Grid(NamedTuple):
    """The pairs of scores; scores are counted in units above the lowest."""

    size: int  # places a side
    coarse: int  # units between two places
    goal: int  # units of the target
    lowest: int  # units of the lowest score above 0, or less
    unit: int  # half points


class Rounds(NamedTuple):
    """Rounds that one side opens, as they are replayed."""

    steps: Any  # int64: of all branches, in their order
    starts: Any  # int64 (branches + 1,): where the steps of each start
    reach: Any  # int64 (branches, 4), see `reaches`
    followers: Any  # int64 (branches,)
    firsts: Any  # int64 (rounds + 1,): the first branch of each round
    members: Any  # int8 (branches, 2 * size), not looked at where a round has one branch


@inlined
def follower_of(table, rules, turned):
    """Return the side that opens the next round, or LOT; sides are exchanged where `turned`."""
    after = rules.after_out if table.end == END_OUT else rules.after_block
    if after == OPENER_IN_TURN:
        return rules.side[table.opener + 1 if table.opener + 1 < rules.players else 0] ^ turned
    return rules.side[table.last] ^ turned if after == OPENER_LAST else LOT


@inlined
def set_out(table, opener):
    """Make the table ready for a round that a seat opens, or who has the highest double."""
    table.slot, table.weight = 0, 1
    table.game_round, table.overshot_round = 0, 0
    table.by_highest = 1 if opener == BY_HIGHEST else 0
    table.opener, table.by_lot, table.due_lead = max(opener, 0), 0, 0
    table.over = 0
    for side in range(MAX_SEATS):
        table.scores[side] = 0


@kernel
def write_steps(log, rules, unit, steps, start, turned):
    """Write the steps of a log from place `start` on; return the place after them."""
    for row in range(1, log[0, 0]):
        net, side = 0, 0
        if log[row, 0] == TURN and log[row, 6] == 1:
            net, side = log[row, 5], rules.side[log[row, 1]]
        elif log[row, 0] == EVENT:
            net, side = log[row, 6], log[row, 1]
        if net != 0:
            steps[start] = 2 * (net // unit) + (side ^ turned)
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
    opener : seat, or BY_HIGHEST: sides are then exchanged where side 1 opens.
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
        set_out(table, opener)
        log[0, 0] = 1
        play_round(table, rules, policies, None, child(game_key(seed, first + game), 0), tally, log)
        turned = rules.side[table.opener] if opener == BY_HIGHEST else 0
        start = stop
        stop = write_steps(log, rules, unit, steps, start, turned)
        sizes[game] = stop - start
        followers[game] = follower_of(table, rules, turned)
    return stop


@kernel
def reaches(steps, starts):
    """Return int64 (branches, 4): the highest sum of each side after a step, and each side's sum at the end.

    Where both scores stay below the target with these highest sums, nothing is refused and nothing is won.
    """
    branches = starts.shape[0] - 1
    found = np.zeros((branches, 4), np.int64)
    for branch in range(branches):
        for step in range(starts[branch], starts[branch + 1]):
            side = steps[step] & 1
            found[branch, _TOTAL_0 + side] += steps[step] >> 1
            found[branch, _PEAK_0 + side] = max(found[branch, _PEAK_0 + side], found[branch, _TOTAL_0 + side])
    return found


@inlined
def _outcome(units_0, units_1, follower, grid):
    """Return the outcome of a round that nobody won."""
    held = 1 if units_0 < 0 or units_1 < 0 else 0
    place_0, place_1 = max(units_0, 0) // grid.coarse, max(units_1, 0) // grid.coarse
    return 2 * ((follower * grid.size + place_0) * grid.size + place_1) + held


@kernel
def replay(rounds, branch, units_0, units_1, grid, exact):
    """Return the outcome of a branch's steps from a pair of scores, in units.

    The test of `kernels.events.apply_event`: a step past an exact target is refused; the first accepted one
    that comes to the target, or past one to be reached, wins and ends the round.
    """
    for step in range(rounds.starts[branch], rounds.starts[branch + 1]):
        net = rounds.steps[step] >> 1
        if rounds.steps[step] & 1:
            if exact and units_1 + net > grid.goal:
                continue
            units_1 += net
            if units_1 >= grid.goal:
                return LOST
        else:
            if exact and units_0 + net > grid.goal:
                continue
            units_0 += net
            if units_0 >= grid.goal:
                return WON
    return _outcome(units_0, units_1, rounds.followers[branch], grid)


@inlined
def branch_of(rounds, game, place_0, place_1, size):
    """Return the branch of a round to which a pair of places belongs."""
    branch, last = rounds.firsts[game], rounds.firsts[game + 1] - 1
    while branch < last and not (rounds.members[branch, place_0] and rounds.members[branch, size + place_1]):
        branch += 1
    return branch


@kernel
def replay_rounds(rounds, place_0, place_1, grid, exact, outcomes):
    """Fill `outcomes`, int64 (rounds,), with those of all rounds from a pair of places."""
    units_0, units_1 = place_0 * grid.coarse, place_1 * grid.coarse
    reach = rounds.reach
    for game in range(rounds.firsts.shape[0] - 1):
        branch = branch_of(rounds, game, place_0, place_1, grid.size)
        if units_0 + reach[branch, _PEAK_0] < grid.goal and units_1 + reach[branch, _PEAK_1] < grid.goal:
            outcomes[game] = _outcome(
                units_0 + reach[branch, _TOTAL_0], units_1 + reach[branch, _TOTAL_1],
                rounds.followers[branch], grid,
            )  # fmt: skip
        else:
            outcomes[game] = replay(rounds, branch, units_0, units_1, grid, exact)


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
