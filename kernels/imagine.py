"""Hidden hands and the boneyard's order, drawn uniformly from a seat's belief.

A filling of the lots is drawn by walking down the table of ways of `kernels.belief`. Where lots are joined
that differ, the tiles of each joined lot are put into its own lots in random order, and the filling is
drawn again until all of them obey the rules. Where the opener's highest tile is hidden, a filling is drawn
again until that outranks all that was dealt to others. What is left of a uniform choice among too many is
uniform among the right.
"""

from __future__ import annotations

import numpy as np

from kernels.belief import BONEYARD, DEALT
from kernels.bits import lowest, popcount
from kernels.history import NOT_PLACED
from kernels.jit import kernel
from kernels.opening import NO_RANK, NOBODY
from kernels.rng import below, fraction
from kernels.tallies import MAX_SEATS
from kernels.tiles import OPENING_RANK

ATTEMPTS = 1_000_000  # fillings drawn before joined lots are given up


@kernel
def _fill(belief, ways, key, word):
    """Draw a filling of the joined lots; return the next word of the stream."""
    state = belief.states - 1
    for k in range(belief.tiles):
        point = fraction(key, word) * ways[k, state]
        word += 1
        into = belief.into[k]
        taken, next_state = BONEYARD, state
        rest = into & ~(1 << BONEYARD)
        if into >> BONEYARD & 1:
            point -= ways[k + 1, state]
        else:
            taken = -1
        while rest and (point >= 0.0 or taken < 0):
            lot = lowest(rest)
            rest &= rest - 1
            if state // belief.stride[lot] % (belief.room[lot] + 1) == 0:
                continue
            after = state - belief.stride[lot]
            if ways[k + 1, after] > 0.0:
                taken, next_state = lot, after
                point -= ways[k + 1, after]
        belief.lot[k] = taken
        state = next_state
    return word


@kernel
def _spread(belief, key, word):
    """Put the tiles of joined lots into their own at random; return (whether all may be there, next word)."""
    order = np.empty(belief.tiles, np.int64)
    for lot in range(belief.lots):
        if popcount(belief.joined[lot]) < 2 or belief.room[lot] == 0:
            continue
        n = 0
        for k in range(belief.tiles):
            if belief.lot[k] == lot:
                order[n] = k
                n += 1
        parts = belief.joined[lot]
        part, left = lowest(parts), belief.alone[lowest(parts)]
        for i in range(n):
            j = i + below(key, word, n - i)
            word += 1
            k = order[j]
            order[j] = order[i]
            while left == 0:
                parts &= parts - 1
                part, left = lowest(parts), belief.alone[lowest(parts)]
            left -= 1
            if belief.may[k] >> part & 1 == 0:
                return False, word
            belief.lot[k] = part
    return True, word


@kernel
def _opens_rightly(belief):
    """Whether the opener was dealt the tile of the highest rank."""
    of_opener, of_others = NO_RANK, NO_RANK
    for seat in range(MAX_SEATS):
        if seat == belief.hidden_opener:
            of_opener = belief.best[seat]
        else:
            of_others = max(of_others, belief.best[seat])
    for k in range(belief.tiles):
        lot, rank = belief.lot[k], OPENING_RANK[belief.tile[k]]
        if lot == BONEYARD or belief.birth[lot] != DEALT:
            continue
        if belief.seat[lot] == belief.hidden_opener:
            of_opener = max(of_opener, rank)
        else:
            of_others = max(of_others, rank)
    return of_opener > of_others


@kernel
def shuffle_boneyard(world, rules, boneyard, drawn, key, word):
    """Lay the tiles of a mask into the boneyard in random order, to be drawn as they lie."""
    position = drawn
    while boneyard:
        world.order[position] = lowest(boneyard)
        boneyard &= boneyard - 1
        position += 1
    for position in range(drawn, rules.tiles):
        other = position + below(key, word, rules.tiles - position)
        word += 1
        tile = world.order[other]
        world.order[other] = world.order[position]
        world.order[position] = tile
        world.partner[position] = position
    world.drawn = drawn


@kernel
def imagine(belief, ways, history, rules, seat, hand, drawn, world, key):
    """Draw hidden hands and the boneyard's order from a belief and lay them on a table.

    Parameters
    ----------
    belief, ways : as `believe` left and returned them.
    world : TABLE record; its `hands`, `order`, `partner` and `drawn` are set.
    key : the stream of random words.

    Returns
    -------
    bool : whether a deal was found in ATTEMPTS tries.
    """
    word = 0
    for _ in range(ATTEMPTS):
        word = _fill(belief, ways, key, word)
        obeys = True
        if belief.loose or belief.hidden_opener != NOBODY:
            obeys, word = _spread(belief, key, word)
        if obeys and belief.hidden_opener != NOBODY:
            obeys = _opens_rightly(belief)
        belief.attempts += 1
        if obeys:
            boneyard = belief.buried
            for other in range(rules.players):
                world.hands[other] = hand if other == seat else belief.certain[other]
            for k in range(belief.tiles):
                tile = belief.tile[k]
                if belief.lot[k] == BONEYARD:
                    boneyard |= 1 << tile
                elif history.placed_by[tile] == NOT_PLACED:
                    world.hands[belief.seat[belief.lot[k]]] |= 1 << tile
            shuffle_boneyard(world, rules, boneyard, drawn, key, word)
            return True
    return False
