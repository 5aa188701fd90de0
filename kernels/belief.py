"""What a seat believes of the hidden tiles: the deals that agree with what it has seen, counted.

A deal is the hands as dealt and the order of the boneyard. What is hidden from a seat are *lots*: for every
other seat its hand as dealt, and the tiles that it kept of each of its draws; and the boneyard. Each tile
that the seat cannot place in the deal was in one of them. From its lot's birth to its own play (or to now)
it lay in that seat's hand, so it must not match what was open at any stuck turn of that seat in between; a
tile that was placed was in a lot of its seat that was born before. A deal agrees with the history if and
only if its tiles are put into the lots by these rules, and every filling of the lots comes from the same
number of deals: the product of the factorials of the sizes of the lots whose order counts.

So fillings are counted. Tiles are taken one by one; the state is how many tiles each lot still needs, and

    ways[k, state] = ways[k + 1, state]                         (tile k in the boneyard)
                     + sum over lots of ways[k + 1, state less one of the lot]

Lots of one seat that treat all open tiles alike are one lot. Where the table would be larger than CELLS,
further lots of a seat are joined, which allows too much; `kernels.imagine` makes up for it.

Where the highest double named the opener, no hand as dealt holds a tile of a higher rank than the opener's
highest (`kernels.opening`). Where the seat knows that tile, since it had to lead or is its own, it bounds the
lots that were dealt. Else fillings are counted without this, and `kernels.imagine` makes up for it too.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest, popcount
from kernels.history import NO_LEAD, NOT_PLACED
from kernels.jit import kernel
from kernels.opening import NO_RANK, NOBODY, highest_rank
from kernels.tallies import MAX_SEATS
from kernels.tiles import OPENING_RANK, ROOM, VALUES_OF

# A lot is a bit of a mask: at most a hand a seat and one a tile kept, 59, so that the boneyard has a free bit
BONEYARD = 62
DEALT = -1  # birth of the lots that were dealt
ANY_RANK = 1 << 20  # above all tiles
CELLS = 1 << 20  # numbers in the table of ways

BELIEF = np.dtype(
    [
        ("lots", np.int64),
        ("seat", np.int64, ROOM),  # by lot
        ("birth", np.int64, ROOM),  # by lot: the stuck turn of its draw, or DEALT
        ("room", np.int64, ROOM),  # by lot: its tiles that are still to be told
        ("alone", np.int64, ROOM),  # by lot: the same, before lots are joined
        ("joined", np.int64, ROOM),  # by lot: mask of the lots that are counted as this one
        ("stride", np.int64, ROOM),  # by lot: weight of its digit in the number of a state
        ("loose", np.int64),  # 1: lots are joined that differ
        ("tiles", np.int64),  # open tiles: those with more than one lot
        ("tile", np.int64, ROOM),  # by open tile: its number
        ("may", np.int64, ROOM),  # by open tile: mask of the lots that it may be in
        ("into", np.int64, ROOM),  # by open tile: mask of the joined lots that it may be in
        ("lot", np.int64, ROOM),  # by open tile: where the last filling put it
        ("states", np.int64),
        ("certain", np.int64, MAX_SEATS),  # mask of the tiles that each seat holds for certain
        ("buried", np.int64),  # mask of the tiles that lie in the boneyard for certain
        ("ceiling", np.int64),  # rank that no tile of a hand as dealt is above
        ("hidden_opener", np.int64),  # seat whose highest tile outranks all others, unseen; or NOBODY
        ("best", np.int64, MAX_SEATS),  # by seat: the highest rank that it was dealt for certain
        ("deals", np.float64),  # fillings that the table counts; more than the deals' where some are rejected
        ("attempts", np.int64),  # fillings drawn
    ]
)


@kernel
def _hear_opening(belief, history, rules, seat, opening):
    """Set what is known of the ranks of the tiles dealt."""
    belief.ceiling, belief.hidden_opener = ANY_RANK, NOBODY
    for other in range(MAX_SEATS):
        belief.best[other] = NO_RANK
    if opening.opener == NOBODY:
        return
    belief.best[seat] = highest_rank(opening.dealt)
    if rules.lead_forced and history.lead != NO_LEAD:
        belief.ceiling = OPENING_RANK[history.lead]
    elif seat == opening.opener:
        belief.ceiling = belief.best[seat]
    else:
        belief.hidden_opener = opening.opener


@kernel
def _name_lots(belief, history, rules, seat):
    """List the lots of all other seats, each seat's by birth."""
    lots = 0
    for other in range(rules.players):
        if other == seat:
            continue
        belief.seat[lots], belief.birth[lots], belief.room[lots] = other, DEALT, rules.hand
        lots += 1
        for turn in range(history.turns):
            if history.seat[turn] == other and history.kept[turn] > 0:
                belief.seat[lots], belief.birth[lots], belief.room[lots] = other, turn, history.kept[turn]
                lots += 1
    belief.lots = lots


@kernel
def _last_match(history, seat, tile, before):
    """Return the last stuck turn of a seat, before a given one, that the tile would have ended; -2: none."""
    for turn in range(before - 1, -1, -1):
        if history.seat[turn] == seat and VALUES_OF[tile] & history.open[turn]:
            return turn
    return -2


@kernel
def _lots_of(belief, history, tile, boneyard):
    """Return the mask of the lots that a tile may have been in."""
    owner = history.placed_by[tile]
    before = history.turns if owner == NOT_PLACED else history.placed_at[tile]
    may = 1 << BONEYARD if owner == NOT_PLACED and boneyard > 0 else 0
    outranks = OPENING_RANK[tile] > belief.ceiling
    seat, last = -1, -2
    for lot in range(belief.lots):
        if owner != NOT_PLACED and belief.seat[lot] != owner:
            continue
        if belief.seat[lot] != seat:
            seat = belief.seat[lot]
            last = _last_match(history, seat, tile, before)
        if outranks and belief.birth[lot] == DEALT:
            continue
        if last < belief.birth[lot] < before:
            may |= 1 << lot
    return may


@kernel
def _list_tiles(belief, history, rules, seat, hand, boneyard):
    """List the tiles whose lot the seat does not know."""
    tiles = 0
    for tile in range(rules.tiles):
        bit = 1 << tile
        if hand & bit or history.fresh & bit or history.placed_by[tile] == seat:
            continue
        belief.tile[tiles] = tile
        belief.may[tiles] = _lots_of(belief, history, tile, boneyard)
        tiles += 1
    belief.tiles = tiles


@kernel
def _settle_certain(belief, history):
    """Take out the tiles with a single lot until none is left; return False where nothing fits."""
    full = 0
    for lot in range(belief.lots):
        full |= (1 << lot) if belief.room[lot] == 0 else 0
    changed = True
    while changed:
        changed = False
        kept = 0
        for k in range(belief.tiles):
            tile, may = belief.tile[k], belief.may[k] & ~full
            if may == 0:
                return False
            if popcount(may) > 1:
                belief.tile[kept], belief.may[kept] = tile, may
                kept += 1
                continue
            changed = True
            if may >> BONEYARD & 1:
                belief.buried |= 1 << tile
                continue
            lot = lowest(may)
            belief.room[lot] -= 1
            full |= (1 << lot) if belief.room[lot] == 0 else 0
            if belief.birth[lot] == DEALT:
                other = belief.seat[lot]
                belief.best[other] = max(belief.best[other], OPENING_RANK[tile])
            if history.placed_by[tile] == NOT_PLACED:
                belief.certain[belief.seat[lot]] |= 1 << tile
        belief.tiles = kept
    return True


@kernel
def _are_alike(belief, one, other):
    """Whether every open tile may be in both lots or in neither."""
    for k in range(belief.tiles):
        if (belief.may[k] >> one ^ belief.may[k] >> other) & 1:
            return False
    return True


@kernel
def _join(belief, one, other):
    """Count lot `other` as lot `one` from now on."""
    belief.room[one] += belief.room[other]
    belief.joined[one] |= belief.joined[other]
    belief.room[other] = 0
    belief.joined[other] = 0


@kernel
def _join_alike(belief):
    """Join the lots of a seat that treat all open tiles alike: nothing is lost."""
    for one in range(belief.lots):
        belief.joined[one] = 1 << one
        belief.alone[one] = belief.room[one]
    for one in range(belief.lots):
        for other in range(one + 1, belief.lots):
            same_seat = belief.seat[one] == belief.seat[other]
            if same_seat and belief.room[one] and belief.room[other] and _are_alike(belief, one, other):
                _join(belief, one, other)


@kernel
def _states(belief):
    """Return the number of states, as a float since it may pass all bounds."""
    states = 1.0
    for lot in range(belief.lots):
        states *= belief.room[lot] + 1
    return states


@kernel
def _join_until_small(belief, cells):
    """Join neighbouring lots of a seat, those that save most first, until the table fits."""
    while _states(belief) * (belief.tiles + 1) > cells:
        best, one_of_best, other_of_best = 1.0, -1, -1
        one = -1
        for other in range(belief.lots):
            if belief.room[other] == 0:
                continue
            if one >= 0 and belief.seat[one] == belief.seat[other]:
                a, b = belief.room[one], belief.room[other]
                saved = (a + 1) * (b + 1) / (a + b + 1)
                if saved > best:
                    best, one_of_best, other_of_best = saved, one, other
            one = other
        if one_of_best < 0:
            return
        _join(belief, one_of_best, other_of_best)
        belief.loose = 1


@kernel
def _aim(belief):
    """Set for each open tile the joined lots that it may be in, and the strides of the lots' digits."""
    for k in range(belief.tiles):
        into = belief.may[k] & 1 << BONEYARD
        for lot in range(belief.lots):
            if belief.room[lot] and belief.may[k] & belief.joined[lot]:
                into |= 1 << lot
        belief.into[k] = into
    states = 1
    for lot in range(belief.lots):
        belief.stride[lot] = states
        states *= belief.room[lot] + 1
    belief.states = states


@kernel
def _needing(belief):
    """Return for each state the mask of the lots that still need a tile: int64 (states,)."""
    needing = np.zeros(belief.states, np.int64)
    for lot in range(belief.lots):
        room, stride = belief.room[lot] + 1, belief.stride[lot]
        if room == 1:
            continue
        for state in range(belief.states):
            if state // stride % room:
                needing[state] |= 1 << lot
    return needing


@kernel
def _count_ways(belief):
    """Return the table of ways: float64 (open tiles + 1, states)."""
    ways = np.zeros((belief.tiles + 1, belief.states), np.float64)
    needing = _needing(belief)
    ways[belief.tiles, 0] = 1.0
    for k in range(belief.tiles - 1, -1, -1):
        stays = 1.0 if belief.into[k] >> BONEYARD & 1 else 0.0
        for state in range(belief.states):
            total = stays * ways[k + 1, state]
            lots = belief.into[k] & needing[state]
            while lots:
                total += ways[k + 1, state - belief.stride[lowest(lots)]]
                lots &= lots - 1
            ways[k, state] = total
    return ways


@kernel
def believe(belief, history, rules, seat, hand, drawn, opening, cells):
    """Fill in what a seat believes of the hidden tiles; return the table of ways.

    Parameters
    ----------
    belief : BELIEF record, filled; its `deals` is 0 where no deal agrees with the history.
    history : of the round so far.
    hand : mask of the seat's own tiles.
    drawn : tiles dealt and drawn by all.
    opening : Opening.
    cells : most numbers in the table of ways; CELLS unless a test asks for less.

    Returns
    -------
    float64 (open tiles + 1, states)
    """
    boneyard = rules.tiles - drawn
    belief.loose, belief.buried, belief.attempts = 0, 0, 0
    for other in range(MAX_SEATS):
        belief.certain[other] = 0
    _hear_opening(belief, history, rules, seat, opening)
    _name_lots(belief, history, rules, seat)
    _list_tiles(belief, history, rules, seat, hand, boneyard)
    fits = _settle_certain(belief, history)
    if not fits:
        belief.tiles = 0
    _join_alike(belief)
    _join_until_small(belief, cells)
    _aim(belief)
    ways = _count_ways(belief)
    belief.deals = ways[0, belief.states - 1] if fits else 0.0
    return ways
