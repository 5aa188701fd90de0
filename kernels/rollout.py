"""Rollouts: each placement of a turn played out in the same imagined worlds; docs/strategy.md describes them.

A world is a deal that agrees with all that the seat has seen (`kernels.belief`). In each world every
placement is followed to the end of the round by a base policy in all seats, with the same boneyard and the
same random words for ties. What an end is worth to the seat's side is a whole number:

- without a target its margin: (sides - 1) * its half points - the others';
- with a target its chance to win the game, in millionths: of two sides from a table by scores
  (`kernels.standing`), of more from the game played on by the base policy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kernels.belief import CELLS, believe
from kernels.bits import lowest
from kernels.endgame import UNSOLVED, solve
from kernels.imagine import imagine
from kernels.jit import kernel
from kernels.layout import GROUP, LEAD
from kernels.opening import opening_seen
from kernels.playout import finish_game, play_on
from kernels.policies import Groups, added, pick
from kernels.rng import CHOICE, DEAL, REST, WORLDS, child
from kernels.standing import WHOLE, game_share, two_sided_worth
from kernels.steps import note_lacks
from kernels.tiles import MAX_TILES

PLACES = 4 * MAX_TILES  # most placements of a turn


class Search(NamedTuple):
    """What a table at which policies search keeps beside its record."""

    table: Any  # TABLE that is played at: who opened it, and the searching seat's own tiles are looked at
    worlds: Any  # int64 (MAX_SEATS,): worlds a turn, 0 for a seat that does not search
    bases: Any  # POLICIES (MAX_SEATS,): by searching seat its base policy, in all seats
    history: Any  # HISTORY
    belief: Any  # BELIEF
    deal: Any  # TABLE: the world as imagined
    world: Any  # TABLE: the world as played out
    standing: Any  # STANDING, by which the scores between rounds are valued
    chances: Any  # int64 (seats, n, n), by searching seat its table


class Turn(NamedTuple):
    """What a seat knows of its turn beyond layout, scores and history."""

    seat: int
    hand: int  # mask of its tiles
    played: int  # mask of the tiles on the layout
    plays: int  # their number
    drawn: int  # tiles dealt and drawn by all
    opener: int
    game_round: int


@kernel
def list_placements(groups, is_lead, listed):
    """Write the placements in the order of ties; return their number."""
    n = 0
    for group in range(4):
        mask = groups[group]
        while mask:
            listed[n] = lowest(mask) + (LEAD if is_lead else GROUP * group)
            mask &= mask - 1
            n += 1
    return n


@kernel
def set_lacks(table, history, rules):
    """Set what all have seen that each seat lacks, as every round keeps it."""
    for seat in range(rules.players):
        table.lacks[seat] = 0
    for turn in range(history.turns):
        note_lacks(table, history.seat[turn], history.open[turn], history.kept[turn])


@kernel
def _set_world(search, rules, turn, scores):
    """Set the world that is to be played out to the one imagined."""
    world, imagined = search.world, search.deal
    for seat in range(rules.players):
        world.hands[seat] = imagined.hands[seat]
        world.lacks[seat] = imagined.lacks[seat]
    for side in range(rules.sides):
        world.scores[side] = scores[side]
    for position in range(turn.drawn, rules.tiles):
        world.order[position] = imagined.order[position]
        world.partner[position] = position
    world.drawn = turn.drawn
    world.opener, world.game_round = turn.opener, turn.game_round
    world.over = 0


@kernel
def worth(search, rules, seat, policies, world_key):
    """Return what the world's end is worth to a seat's side; see the module's text."""
    world, side = search.world, rules.side[seat]
    if rules.sides == 2:
        return two_sided_worth(search.standing, search.chances[seat], world, rules, side)
    if rules.target == 0:
        total = 0
        for other in range(rules.sides):
            total += world.scores[other]
        return rules.sides * world.scores[side] - total
    finish_game(world, rules, policies, child(world_key, REST))
    return game_share(world, rules, side) if world.over else WHOLE // rules.sides


@kernel
def play_worlds(search, ways, rules, turn, layout, scores, listed, n, key, first, worlds, values):
    """Play each placement out in worlds `first` ... `first + worlds - 1`.

    Parameters
    ----------
    ways : of the belief in `search.belief`.
    listed, n : int64 (n,) at least, the placements.
    key : the turn's stream of worlds; world w is a function of it and w alone.
    values : int64 (worlds, n) at least, filled: what the end is worth to the seat's side.

    Returns
    -------
    bool : False where no deal was found that agrees with the history.
    """
    policies = search.bases[turn.seat]
    set_lacks(search.deal, search.history, rules)
    for number in range(worlds):
        world_key = child(key, first + number)
        found = imagine(
            search.belief, ways, search.history, rules, turn.seat, turn.hand, turn.drawn, search.deal,
            child(world_key, DEAL),
        )  # fmt: skip
        if not found:
            return False
        for i in range(n):
            _set_world(search, rules, turn, scores)
            play_on(
                search.world,
                rules,
                policies,
                world_key,
                turn.seat,
                listed[i],
                layout,
                turn.played,
                turn.plays,
            )
            values[number, i] = worth(search, rules, turn.seat, policies, world_key)
    return True


@kernel
def best_of(totals, n, groups):
    """Return the placements with the highest total, of those listed from `groups`."""
    best, highest = Groups(0, 0, 0, 0), totals[0]
    for i in range(n):
        highest = max(highest, totals[i])
    i = 0
    for group in range(4):
        mask = groups[group]
        while mask:
            if totals[i] == highest:
                best = added(best, group, lowest(mask))
            mask &= mask - 1
            i += 1
    return best


@kernel
def _roll_out(search, rules, turn, layout, scores, listed, n, key, totals):
    """Add up what each placement is worth in the seat's worlds."""
    opening = opening_seen(search.table, turn.seat)
    ways = believe(search.belief, search.history, rules, turn.seat, turn.hand, turn.drawn, opening, CELLS)
    values = np.zeros((1, n), np.int64)
    for world in range(search.worlds[turn.seat]):
        if not play_worlds(search, ways, rules, turn, layout, scores, listed, n, key, world, 1, values):
            break
        for i in range(n):
            totals[i] += values[0, i]


@kernel
def search_placement(search, rules, turn, groups, layout, scores, round_key):
    """Return the placement that a searching policy takes: exact where all is known, else by rollouts.

    Parameters
    ----------
    groups : the legal placements; a lead has the tiles that may lead as `end_low`.
    scores : half points of each side.
    round_key : the round's random key; the worlds are a stream of their own.
    """
    is_lead = turn.plays == 0
    listed = np.zeros(PLACES, np.int64)
    n = list_placements(groups, is_lead, listed)
    best = groups
    if n > 1:
        totals = np.zeros(n, np.int64)
        if solve(search, rules, turn, layout, scores, listed, n, totals) == UNSOLVED:
            key = child(child(round_key, WORLDS), turn.plays)
            totals[:] = 0
            _roll_out(search, rules, turn, layout, scores, listed, n, key, totals)
        best = best_of(totals, n, groups)
    placement = pick(best, child(round_key, CHOICE), turn.plays)
    return placement + LEAD if is_lead else placement
