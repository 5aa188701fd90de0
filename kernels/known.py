"""A moment of a round played out with all hands known: only the boneyard's order is drawn, or the whole deal.

This is the view of one who sees every hand. What chance brings from one moment to the next is the difference
of two such values (docs/advise.md).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kernels.deal import open_by_highest_double
from kernels.imagine import shuffle_boneyard
from kernels.jit import kernel
from kernels.playout import play_from
from kernels.rng import DEAL, child
from kernels.rollout import set_lacks, worth


class Moment(NamedTuple):
    """A moment of a round: before its deal, or before the turn of a seat, with or without its draws."""

    seat: int  # that is to draw or to place; before the deal not looked at where the deal names the opener
    boneyard: int  # mask of the tiles that may still be drawn; before the deal all
    drawn: int  # tiles dealt and drawn; 0 before the deal
    played: int  # mask of the tiles on the layout
    plays: int  # their number
    last: int  # seat that placed the last tile
    opener: int
    by_highest: int  # 1: the hands as dealt name the opener
    game_round: int
    hands: Any  # int64 (MAX_SEATS,): masks
    scores: Any  # int64 (MAX_SEATS,): half points of each side


@kernel
def _set_world(search, rules, moment, key):
    """Set the world to be played out: the moment, with the hidden order drawn; return who is to play."""
    world = search.world
    shuffle_boneyard(world, rules, moment.boneyard, moment.drawn, key, 0)
    for seat in range(rules.players):
        world.lacks[seat] = search.deal.lacks[seat]
        world.hands[seat] = moment.hands[seat]
        if moment.drawn == 0:
            for position in range(seat * rules.hand, (seat + 1) * rules.hand):
                world.hands[seat] |= 1 << world.order[position]
        world.dealt[seat] = world.hands[seat]  # asked for before the lead alone, when nothing is drawn yet
    if moment.drawn == 0:
        world.drawn = rules.players * rules.hand
    for side in range(rules.sides):
        world.scores[side] = moment.scores[side]
    world.last, world.opener, world.game_round = moment.last, moment.opener, moment.game_round
    world.over, world.due_lead = 0, 0
    if moment.plays == 0 and moment.by_highest:
        open_by_highest_double(world, rules)
        return world.opener
    return moment.seat


@kernel
def play_known(search, rules, moment, layout, key, worlds, values):
    """Play a moment out in worlds 0 ... `worlds - 1` by the base policy of seat 0 in all seats.

    Parameters
    ----------
    search : its history holds what all have seen so far.
    key : of the worlds.
    values : int64 (worlds, sides), filled: what the end is worth to each side, as `rollout.worth` has it.
    """
    policies = search.bases[0]
    set_lacks(search.deal, search.history, rules)
    for number in range(worlds):
        world_key = child(key, number)
        seat = _set_world(search, rules, moment, child(world_key, DEAL))
        play_from(search.world, rules, policies, world_key, seat, layout, moment.played, moment.plays)
        for seat in range(rules.players):
            values[number, rules.side[seat]] = worth(search, rules, seat, policies, world_key)
