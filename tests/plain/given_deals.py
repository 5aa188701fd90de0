"""Deals as given, in obvious Python: fixed tiles, tries, and conditions as predicates on the hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyzer.given import Given
from analyzer.notation import Tile, tile_set
from analyzer.referee.events import points_of_play
from analyzer.referee.table import opening_tile
from analyzer.rulesets import RuleSet

from . import streams

Hands = Sequence[Sequence[Tile]]
Condition = Callable[["Deal"], Any]


class Deal:
    """A deal and its opener, with the quantities that conditions are about."""

    def __init__(self, rules: RuleSet, tiles: Sequence[Tile], opener: int) -> None:
        self.rules, self.tiles_dealt, self.opener = rules, list(tiles), opener
        self.players = rules.players

    def hand(self, seat: int) -> Sequence[Tile]:
        seat %= self.players
        return self.tiles_dealt[seat * self.rules.hand : (seat + 1) * self.rules.hand]

    def doubles(self, seat: int) -> int:
        return sum(tile.high == tile.low for tile in self.hand(seat))

    def pips(self, seat: int) -> int:
        return sum(tile.high + tile.low for tile in self.hand(seat))

    def leads(self, seat: int) -> int:
        return sum(points_of_play(self.rules, tile.high + tile.low) > 0 for tile in self.hand(seat))

    def tiles(self, seat: int, value: int) -> int:
        return sum(value in tile for tile in self.hand(seat))

    def holds(self, seat: int, one: int, other: int) -> int:
        return sum({one, other} == set(tile) for tile in self.hand(seat))


def dealt(
    rules: RuleSet, given: Given, seed: int, game: int, condition: Condition | None
) -> tuple[Deal, int]:
    """Return the first deal of a game that meets the condition, and the number of tries."""
    tried = 0
    while True:
        tiles = _one(rules, given, seed, game, tried)
        deal = Deal(rules, tiles, _opener(rules, given, seed, game, tried, tiles))
        tried += 1
        if condition is None or condition(deal):
            return deal, tried


def _one(rules: RuleSet, given: Given, seed: int, game: int, tried: int) -> list[Tile]:
    key = streams.child(0, seed)
    for number in (game, 0):
        key = streams.child(key, number)
    key = streams.child(key, 1) if tried == 0 else streams.child(streams.child(key, 4), tried)
    fixed: dict[int, Tile] = {}
    for seat, hand in enumerate(given.hands):
        fixed |= {seat * rules.hand + place: tile for place, tile in enumerate(hand)}
    start = rules.players * rules.hand
    fixed |= {start + place: tile for place, tile in enumerate(given.boneyard)}
    free = [tile for tile in tile_set(rules.set) if tile not in fixed.values()]
    for i in range(len(free)):
        j = i + streams.below(streams.child(key, i), len(free) - i)
        free[i], free[j] = free[j], free[i]
    rest = iter(free)
    return [fixed[place] if place in fixed else next(rest) for place in range(rules.tiles)]


def _opener(rules: RuleSet, given: Given, seed: int, game: int, tried: int, tiles: Sequence[Tile]) -> int:
    if given.opener is not None:
        return given.opener
    if rules.opener_first == "lot":
        return streams.below(streams.word(seed, game, 0, streams.OPENER, tried), rules.players)
    if rules.opener_first == "seat_in_turn":
        return 0
    hand = rules.hand
    return opening_tile([tiles[seat * hand : (seat + 1) * hand] for seat in range(rules.players)])[0]
