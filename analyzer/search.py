"""A turn looked at from one seat: what each of its placements is worth, from rollouts or exactly.

What the seat knows is an `analyzer.positions.Position`, and nothing else is looked at. `Searcher` plays its
worlds in as many steps as the caller wants: world w is a function of the seed and w alone, so the sums after
n worlds depend on seed and n only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.notation import Move, Tile
from analyzer.policies import Policy, searching
from analyzer.positions import Position
from analyzer.records import rules_record
from analyzer.searching import search_state
from kernels import rollout
from kernels.belief import CELLS, believe
from kernels.endgame import UNSOLVED, solve
from kernels.history import retrace
from kernels.layout import AT_SIDE, BY_HIGH, LEAD
from kernels.layout import Layout as KernelLayout
from kernels.opening import NOBODY, Opening
from kernels.rng import WORLDS, child, game_key
from kernels.rules import HALF
from kernels.standing import WHOLE
from kernels.state import TABLE, blank

Integers = NDArray[np.int64]
PASS = -1
MOST_AT_ONCE = 1_000_000  # worlds: sums of so many products of millionths fit into 64 bits


def number_of(move: Move) -> int:
    """Return a placement as the kernels number it."""
    tile = move.tile.number
    if move.at is None:
        return tile + LEAD
    by_high = BY_HIGH if not move.tile.is_double and move.value == move.tile.high else 0
    return tile + by_high + (AT_SIDE if isinstance(move.at, Tile) else 0)


def mask_of(tiles: Iterable[Tile]) -> int:
    """Return the mask of tiles."""
    return sum(1 << tile.number for tile in tiles)


def opening_of(position: Position) -> Opening:
    """Return what the seat knows of the opening, as the kernels take it."""
    if not position.by_highest:
        return Opening(NOBODY, 0)
    return Opening(position.opener, mask_of(position.dealt or ()))


@dataclass(frozen=True)
class Values:
    """What the placements of a position are worth to the seat's side, added up over worlds.

    Attributes
    ----------
    moves : the placements.
    worlds : how many; 0 where the values are exact.
    unit : what one of the whole numbers is worth: of a game, or of raw points.
    sums : int64 (placements,); where exact the values themselves.
    products : object (placements, placements), exact whole numbers: sums of products of the values of two
        placements in the same world.
    """

    moves: tuple[Move, ...]
    worlds: int
    unit: Fraction
    sums: Integers
    products: NDArray[np.object_]

    @property
    def is_exact(self) -> bool:
        """Whether the values are those of perfect play from here, not estimates."""
        return self.worlds == 0


class Searcher:
    """Searches one position.

    Parameters
    ----------
    position : what the seat knows.
    base : the policy that plays the worlds out in all seats.
    seed, game, game_round : of the worlds: those that a searching policy sees at this turn of this game.

    Raises
    ------
    FivesError
        Where no deal agrees with what the seat has seen.
    """

    def __init__(
        self, position: Position, base: Policy, seed: int, *, game: int = 0, game_round: int = 0
    ) -> None:
        self.position, self.rules = position, rules_record(position.rules)
        state = search_state([searching(base, 1)] * position.rules.players, position.rules, blank(TABLE))
        assert state is not None
        self.state = state
        self.layout, self.turn = self._retraced(game_round)
        self.listed = np.array([number_of(move) for move in position.placements], np.int64)
        self.scores = np.zeros(len(state.worlds), np.int64)
        self.scores[: len(position.scores)] = [int(HALF * score) for score in position.scores]
        self.key = game_key(seed, game)
        for number in (game_round, WORLDS, self.turn.plays):
            self.key = child(np.uint64(self.key), number)  # a plain int could be a signed word to the kernels
        self.key = np.uint64(self.key)
        self.played = 0
        self.sums = np.zeros(len(self.listed), np.int64)
        self.products = np.zeros((len(self.listed),) * 2, object)
        self.opening = opening_of(position)
        self.ways = self.believed(CELLS)
        if state.belief["deals"] <= 0:
            raise FivesError("no deal agrees with these turns: check the hand, the draws and the passes.")

    def believed(self, cells: int) -> NDArray[np.float64]:
        """Fill in the belief and return its table of ways, of so many numbers at most."""
        seat, hand, drawn = self.turn.seat, self.turn.hand, self.turn.drawn
        ways: NDArray[np.float64] = believe(
            self.state.belief, self.state.history, self.rules, seat, hand, drawn, self.opening, cells
        )
        return ways

    def _retraced(self, game_round: int) -> tuple[KernelLayout, rollout.Turn]:
        position, rules = self.position, self.position.rules
        turns = position.turns
        seats = np.array(position.seats, np.int64)
        drawn = np.array([turn.drawn for turn in turns], np.int64)
        placed = np.array([PASS if turn.move is None else number_of(turn.move) for turn in turns], np.int64)
        layout, played = retrace(self.state.history, self.rules, seats, drawn, placed)
        hand = mask_of(position.hand)
        gone = rules.players * rules.hand + int(drawn.sum()) + position.drawing
        plays = int(np.count_nonzero(placed != PASS))
        return layout, rollout.Turn(position.seat, hand, played, plays, gone, position.opener, game_round)

    def solved(self) -> Values | None:
        """Return exact values where every tile is known and the rest is short enough; else None."""
        values = np.zeros(len(self.listed), np.int64)
        done = solve(
            self.state, self.rules, self.turn, self.layout, self.scores, self.listed, len(values), values
        )
        if done == UNSOLVED:
            return None
        if self.position.rules.target is not None:
            values = (values + WHOLE) // 2
        return Values(self.position.placements, 0, self.unit, values, np.zeros((0, 0), object))

    @property
    def unit(self) -> Fraction:
        """What one of the whole numbers of the values is worth: of a game, or of raw points."""
        rules = self.position.rules
        if rules.target is not None:
            return Fraction(1, WHOLE)
        return Fraction(1, HALF * (rules.side_count - 1))

    def play(self, worlds: int) -> Values:
        """Play so many further worlds, MOST_AT_ONCE at most, and return the values of all so far."""
        values = self.values(worlds)
        self.sums += values.sum(axis=0)
        self.products = self.products + (values.T @ values).astype(object)
        return Values(self.position.placements, self.played, self.unit, self.sums.copy(), self.products)

    def values(self, worlds: int) -> Integers:
        """Play so many further worlds and return each placement's value: int64 (worlds, placements)."""
        values = np.zeros((worlds, len(self.listed)), np.int64)
        found = rollout.play_worlds(
            self.state, self.ways, self.rules, self.turn, self.layout, self.scores, self.listed,
            len(self.listed), self.key, self.played, worlds, values,
        )  # fmt: skip
        if not found:
            raise FivesError("no deal was found that agrees with these turns.")
        self.played += worlds
        return values
