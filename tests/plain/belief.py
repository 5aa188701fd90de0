"""Every deal that agrees with what a seat has seen, by trying them all; written from the rule text.

The boneyard is not enumerated beyond the tiles that others drew: its rest lies in any order. What is kept
of a deal is what still matters: each seat's hand now.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.notation import Tile, tile_set
from analyzer.positions import Position
from analyzer.referee.layout import Layout
from analyzer.referee.table import opening_tile
from analyzer.rulesets import RuleSet

Hands = tuple[frozenset[Tile], ...]


@dataclass(frozen=True)
class _Seen:
    """One turn of another seat: the values open before it, the tiles drawn, the tile placed."""

    seat: int
    values: frozenset[int] | None  # None: the lead
    drawn: int
    tile: Tile | None


def deals(position: Position) -> Counter[Hands]:
    """Return, for each way the hands can lie now, the number of deals that lead there.

    A deal is the set of tiles dealt to each seat and the order of the boneyard.
    """
    rules = position.rules
    seen = list(_seen(position))
    own = {turn.tile for turn in seen if turn.seat == position.seat} | set(position.hand)
    others = [seat for seat in range(rules.players) if seat != position.seat]
    hidden = [tile for tile in tile_set(rules.set) if tile not in own]
    found: Counter[Hands] = Counter()
    for dealt in _dealt(rules, others, hidden, seen):
        if position.by_highest and not _opens(position, dealt, own):
            continue
        hands = [set(dealt.get(seat, position.hand)) for seat in range(rules.players)]
        boneyard = [tile for tile in hidden if not any(tile in hand for hand in dealt.values())]
        for left, now in _replayed(position.seat, hands, boneyard, seen):
            found[now] += math.factorial(left)
    return found


def _opens(position: Position, dealt: dict[int, frozenset[Tile]], own: set[Tile | None]) -> bool:
    """Whether the opener was dealt the tile that opens, and has led it where it must."""
    assert position.drawn is not None
    mine = {position.seat: own - {None, *position.drawn}}
    hands = [list((dealt | mine)[seat]) for seat in range(position.rules.players)]
    opener, tile = opening_tile(hands)
    lead = position.turns[0].move if position.turns else None
    led_rightly = position.rules.lead == "any" or lead is None or lead.tile == tile
    return opener == position.opener and led_rightly


def _seen(position: Position) -> Iterator[_Seen]:
    layout = Layout(position.rules.spinner)
    for seat, turn in zip(position.seats, position.turns, strict=True):
        values = frozenset(layout.open_values()) if len(layout) else None
        yield _Seen(seat, values, turn.drawn, turn.move and turn.move.tile)
        if turn.move is not None:
            layout.place(turn.move)


def _dealt(
    rules: RuleSet, others: Sequence[int], hidden: Sequence[Tile], seen: Sequence[_Seen]
) -> Iterator[dict[int, frozenset[Tile]]]:
    """Yield the hands that may have been dealt; what a seat played before its first draw was among them."""
    if not others:
        yield {}
        return
    seat, rest = others[0], others[1:]
    sure = set()
    for turn in seen:
        if turn.seat == seat:
            if turn.drawn:
                break
            sure |= {turn.tile} - {None}
    free = [tile for tile in hidden if tile not in sure]
    if not sure <= set(hidden) or len(sure) > rules.hand:
        return
    for more in itertools.combinations(free, rules.hand - len(sure)):
        hand = frozenset(sure) | frozenset(more)
        for dealt in _dealt(rules, rest, [tile for tile in hidden if tile not in hand], seen):
            yield {seat: hand, **dealt}


def _fits(tile: Tile, values: frozenset[int] | None) -> bool:
    return values is None or bool(values & set(tile))


def _replayed(
    me: int, hands: list[set[Tile]], boneyard: list[Tile], seen: Sequence[_Seen]
) -> Iterator[tuple[int, Hands]]:
    """Yield (boneyard left, hands now) for every order of the tiles drawn that agrees with the turns."""
    if not seen:
        yield len(boneyard), tuple(frozenset(hand) for hand in hands)
        return
    turn, rest = seen[0], seen[1:]
    if turn.seat == me:
        yield from _replayed(me, hands, boneyard, rest)
        return
    hand = hands[turn.seat]
    can_place = any(_fits(tile, turn.values) for tile in hand)
    is_stuck = turn.drawn > 0 or turn.tile is None
    if can_place == is_stuck:
        return
    fresh = [turn.tile] if turn.drawn > 0 and turn.tile is not None else []
    if not set(fresh) <= set(boneyard) or not all(_fits(tile, turn.values) for tile in fresh):
        return
    without = [tile for tile in boneyard if not _fits(tile, turn.values)]
    for kept in itertools.permutations(without, turn.drawn - len(fresh)):
        drawn = [*kept, *fresh]
        after = hand | set(drawn)
        if turn.tile is not None and turn.tile not in after:
            continue
        now = list(hands)
        now[turn.seat] = after - {turn.tile}
        yield from _replayed(me, now, [tile for tile in boneyard if tile not in drawn], rest)
