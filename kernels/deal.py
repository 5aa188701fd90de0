"""Dealing: a forward shuffle that stops at the last tile that is dealt or drawn."""

from __future__ import annotations

from kernels.bits import lowest
from kernels.jit import inlined, kernel
from kernels.rng import below
from kernels.tiles import IDENTITY, OPENING_RANK


@inlined
def settle_position(table, position):
    """Take one step of the shuffle and return the tile that now lies at `position` for good."""
    other = table.partner[position]
    tile = table.order[other]
    table.order[other] = table.order[position]
    table.order[position] = tile
    return tile


@kernel
def deal(table, rules, deal_key):
    """Deal a hand to every seat; return the mask of all tiles dealt."""
    tiles = rules.tiles
    for tile in range(tiles):
        table.order[tile] = IDENTITY[tile]
    # all steps at once: they do not depend on each other, so this is vector code
    for position in range(tiles):
        table.partner[position] = position + below(deal_key, position, tiles - position)
    position = 0
    dealt = 0
    for seat in range(rules.players):
        hand = 0
        for _ in range(rules.hand):
            hand |= 1 << settle_position(table, position)
            position += 1
        table.hands[seat] = hand
        table.lacks[seat] = 0
        dealt |= hand
    table.drawn = position
    return dealt


@kernel
def open_by_highest_double(table, rules):
    """Set as opener who was dealt the highest double, or where nobody has one the heaviest tile.

    Of two tiles with equal pips the one with the higher half is the heavier.
    """
    highest, tile_of_highest = -1, 0
    for seat in range(rules.players):
        hand = table.hands[seat]
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
    drawn = 0
    stop = min(rules.tiles - rules.reserve, table.drawn + rules.draws)
    while table.drawn < stop:
        tile = 1 << settle_position(table, table.drawn)
        table.drawn += 1
        drawn |= tile
        if tile & playable:
            break
    return drawn


@kernel
def finish_shuffle(table, rules):
    """Settle the order of the tiles that nobody drew; for records only."""
    for position in range(table.drawn, rules.tiles):
        settle_position(table, position)
