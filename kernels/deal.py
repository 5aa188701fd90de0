"""Dealing: a forward shuffle that stops at the last tile that is dealt or drawn."""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest
from kernels.jit import inlined, kernel
from kernels.rng import below
from kernels.tiles import IDENTITY, OPENING_RANK


@inlined
def shuffle(order, partner, tiles, key):
    """Prepare a shuffle of the first `tiles` tiles.

    Parameters
    ----------
    order, partner : integer arrays (at least `tiles`,), filled; see `kernels.state`.
    """
    for tile in range(tiles):
        order[tile] = IDENTITY[tile]
    # all steps at once: they do not depend on each other, so this is vector code
    for position in range(tiles):
        partner[position] = position + below(key, position, tiles - position)


@inlined
def settle_position(order, partner, position):
    """Take one step of the shuffle and return the tile that now lies at `position` for good."""
    other = partner[position]
    tile = order[other]
    order[other] = order[position]
    order[position] = tile
    return np.int64(tile)


@inlined
def deal_hand(order, partner, position, tiles):
    """Return the mask of the next `tiles` tiles from `position` on."""
    hand = 0
    for _ in range(tiles):
        hand |= 1 << settle_position(order, partner, position)
        position += 1
    return hand


@inlined
def draw_from(order, partner, position, stop, playable):
    """Draw from `position` on until a tile of `playable` or `stop`.

    Returns
    -------
    (int, int) : mask of the tiles drawn, next position to draw from.
    """
    drawn = 0
    while position < stop:
        tile = 1 << settle_position(order, partner, position)
        position += 1
        drawn |= tile
        if tile & playable:
            break
    return drawn, position


@kernel
def deal(table, rules, deal_key):
    """Deal a hand to every seat; return the mask of all tiles dealt."""
    shuffle(table.order, table.partner, rules.tiles, deal_key)
    dealt = 0
    for seat in range(rules.players):
        hand = deal_hand(table.order, table.partner, seat * rules.hand, rules.hand)
        table.hands[seat] = hand
        table.dealt[seat] = hand
        table.lacks[seat] = 0
        dealt |= hand
    table.drawn = rules.players * rules.hand
    return dealt


@kernel
def open_by_highest_double(table, rules):
    """Set as opener who was dealt the highest double, or where nobody has one the heaviest tile.

    Of two tiles with equal pips the one with the higher half is the heavier.
    """
    highest, tile_of_highest = -1, 0
    for seat in range(rules.players):
        hand = table.dealt[seat]
        while hand:
            tile = lowest(hand)
            hand &= hand - 1
            if OPENING_RANK[tile] > highest:
                highest, tile_of_highest = OPENING_RANK[tile], tile
                table.opener = seat
    table.due_lead = 1 << tile_of_highest if rules.lead_forced else 0


@inlined
def can_draw(table, rules):
    """Whether the boneyard has a tile that may be drawn."""
    return rules.draws > 0 and table.drawn < rules.tiles - rules.reserve


@inlined
def draw(table, rules, playable):
    """Draw until a tile of `playable` or the turn's or the boneyard's end; return the mask of tiles drawn."""
    stop = min(rules.tiles - rules.reserve, table.drawn + rules.draws)
    drawn, table.drawn = draw_from(table.order, table.partner, table.drawn, stop, playable)
    return drawn


@kernel
def finish_shuffle(table, rules):
    """Settle the order of the tiles that nobody drew; for records only."""
    for position in range(table.drawn, rules.tiles):
        settle_position(table.order, table.partner, position)
