"""Fills in what a record does not tell: a deal that the rules allow to have been played as written.

Each position of the shuffled set, in a first hand or in the boneyard, must hold a tile that can have been
there. A tile that a seat places must have come to it before; a tile that it holds must not fit where it drew
or passed. So tiles and positions are matched in a random order, by the algorithm of Hopcroft and Karp as
SciPy has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from analyzer.errors import FivesError
from analyzer.imports.written import Tiles, WrittenRound
from analyzer.notation import Tile, tile_set
from analyzer.referee.layout import Layout
from analyzer.referee.table import opening_rank
from analyzer.rulesets import RuleSet
from analyzer.seen import seat_of

FOREVER = 1 << 30  # a turn after all others: of a tile that is never placed
DEALT = -1  # a turn before all others: of a tile that was dealt


@dataclass(frozen=True)
class _Slot:
    """A position of the shuffled set: who gets the tile (None: nobody) and at which turn.

    `fits` tells a tile that is drawn and placed at once.
    """

    seat: int | None
    turn: int
    fits: bool = False


@dataclass(frozen=True)
class _Stuck:
    """A turn at which a seat had no placement, and the values then open."""

    turn: int
    values: frozenset[int]


class _Facts:
    """What the turns of a round tell about where each tile was."""

    def __init__(self, rules: RuleSet, round_: WrittenRound, opener: int, is_blocked: bool) -> None:
        self.rules = rules
        self.placed: dict[Tile, tuple[int, int]] = {}  # seat and turn
        self.stuck: list[list[_Stuck]] = [[] for _ in range(rules.players)]
        self.drawn: list[_Slot] = []  # of the boneyard, in order
        layout = Layout(rules.spinner)
        for turn, (number, move) in enumerate(round_.turns.turns):
            seat = seat_of(rules, opener, turn)
            if number or move is None:
                self.stuck[seat].append(_Stuck(turn, frozenset(layout.open_values())))
            last = number - 1 if move is not None else number
            self.drawn += [_Slot(seat, turn, fits=place == last) for place in range(number)]
            if move is not None:
                layout.place(move)
                self.placed[move.tile] = seat, turn
        if is_blocked:
            for stuck in self.stuck:
                stuck.append(_Stuck(FOREVER - 1, frozenset(layout.open_values())))

    def slots(self) -> list[_Slot]:
        """Return every position of the shuffled set."""
        rules = self.rules
        dealt = [_Slot(seat, DEALT) for seat in range(rules.players) for _ in range(rules.hand)]
        boneyard = rules.tiles - len(dealt) - len(self.drawn)
        return [*dealt, *self.drawn, *[_Slot(None, FOREVER)] * boneyard]

    def may_be(self, tile: Tile, slot: _Slot) -> bool:
        """Whether a tile can have been at a position."""
        seat, until = self.placed.get(tile, (None, FOREVER))
        if slot.seat is None:
            return seat is None
        if slot.fits:
            return (seat, until) == (slot.seat, slot.turn)
        if seat is not None and (seat != slot.seat or slot.turn >= until):
            return False
        return not any(
            slot.turn <= stuck.turn <= until and (tile.high in stuck.values or tile.low in stuck.values)
            for stuck in self.stuck[slot.seat]
        )


def completed_deal(
    rules: RuleSet,
    round_: WrittenRound,
    opener: int,
    is_blocked: bool,
    seed: int,
    leads: Sequence[Tile] = (),
) -> tuple[list[Tile], int]:
    """Return a shuffled set that the round can have been played with, and how many tiles were filled in.

    Parameters
    ----------
    round_ : its turns must be legal on an open table (`analyzer.seen`).
    is_blocked : whether the round ends because nobody can place a tile.
    seed : of the order in which tiles are tried.
    leads : the opener is dealt one of these, and nobody a tile that opens before it (`opening_rank`);
        empty: the opener opens for another reason.

    Raises
    ------
    FivesError
        Where no deal is consistent with all that is written.
    """
    facts = _Facts(rules, round_, opener, is_blocked)
    tiles, slots = tile_set(rules.set), facts.slots()
    known = _known(rules, round_, slots)
    allowed = np.array(
        [
            [_is_told(tile, place, slot, round_, known, facts) and facts.may_be(tile, slot) for tile in tiles]
            for place, slot in enumerate(slots)
        ]
    )
    random = np.random.default_rng(seed)
    tried = [_opening(allowed, tiles, slots, opener, lead) for lead in leads] or [allowed]
    found = next((found for found in (_matched(each, random) for each in tried) if found is not None), None)
    if found is None:
        raise FivesError("no deal is consistent with these turns and tiles: look for a slip in one of them.")
    return [tiles[number] for number in found], _untold(allowed, tiles, slots, facts)


def _opening(
    allowed: np.ndarray, tiles: Sequence[Tile], slots: Sequence[_Slot], opener: int, lead: Tile
) -> np.ndarray:
    """Return what is allowed where the opener is dealt a tile, and nobody one that would open before it."""
    is_dealt = np.array([slot.turn == DEALT for slot in slots])
    is_openers = is_dealt & np.array([slot.seat == opener for slot in slots])
    is_higher = np.array([opening_rank(tile) > opening_rank(lead) for tile in tiles])
    is_lead = np.array([tile == lead for tile in tiles])
    return allowed & ~np.outer(is_dealt, is_higher) & ~np.outer(~is_openers, is_lead)


def _untold(allowed: np.ndarray, tiles: Sequence[Tile], slots: Sequence[_Slot], facts: _Facts) -> int:
    """Return how many tiles are not placed and may have ended with more than one seat, or nobody."""
    owners = [
        {slot.seat for slot, may_be in zip(slots, column, strict=True) if may_be} for column in allowed.T
    ]
    return sum(len(seats) > 1 for tile, seats in zip(tiles, owners, strict=True) if tile not in facts.placed)


def _matched(allowed: np.ndarray, random: np.random.Generator) -> list[int] | None:
    """Return a tile for each position, or None where there is no such matching."""
    rows, columns = random.permutation(len(allowed)), random.permutation(len(allowed))
    graph = csr_array(allowed[rows][:, columns].astype(np.int8))
    match = maximum_bipartite_matching(graph, perm_type="column")
    if (match < 0).any():
        return None
    found = np.empty(len(allowed), np.int64)
    found[rows] = columns[match]
    return [int(number) for number in found]


def _known(rules: RuleSet, round_: WrittenRound, slots: Sequence[_Slot]) -> dict[int, Tile]:
    """Return the tiles that are told position by position: hands, what was drawn, and the boneyard."""
    known = {
        seat * rules.hand + i: tile for seat, hand in round_.hands.items() for i, tile in enumerate(hand)
    }
    first = rules.players * rules.hand
    for seat, drawn in round_.drawn.items():
        own = [place for place, slot in enumerate(slots) if place >= first and slot.seat == seat]
        if len(own) != len(drawn):
            raise FivesError(f"{len(drawn)} drawn tiles are named, but seat {seat} drew {len(own)}.")
        known.update(zip(own, drawn, strict=True))
    for place, tile in enumerate(round_.boneyard or (), start=first):
        if known.setdefault(place, tile) != tile:
            raise FivesError(f"{known[place]} is named as drawn where the boneyard has {tile}.")
    if round_.boneyard is not None and len(round_.boneyard) != len(slots) - first:
        raise FivesError(
            f"the boneyard has {len(round_.boneyard)} tiles, but {len(slots) - first} are not dealt."
        )
    return known


def _is_told(
    tile: Tile, place: int, slot: _Slot, round_: WrittenRound, known: Mapping[int, Tile], facts: _Facts
) -> bool:
    """Whether the tiles that are written down allow a tile at a position."""
    if place in known:
        return known[place] == tile
    if tile in known.values():
        return False
    for seat, left in round_.left.items():
        is_left = slot.seat == seat and tile not in facts.placed
        if is_left != (tile in left):
            return False
    return True


def check_sizes(rules: RuleSet, hands: Mapping[int, Tiles], name: str, sizes: Sequence[int]) -> None:
    """Raise FivesError where a hand that is written has a tile twice or the wrong number of tiles."""
    for seat, hand in hands.items():
        twice = next((tile for tile in hand if hand.count(tile) > 1), None)
        if twice is not None:
            raise FivesError(f"{twice} is twice in the tiles of seat {seat}.")
        if len(hand) != sizes[seat]:
            raise FivesError(f"{name} of seat {seat} has {len(hand)} tiles: it must have {sizes[seat]}.")
    every = [tile for hand in hands.values() for tile in hand]
    shared = next((tile for tile in every if every.count(tile) > 1), None)
    if shared is not None:
        raise FivesError(f"{shared} is in the tiles of two seats.")
