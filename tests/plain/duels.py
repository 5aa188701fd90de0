"""Duplicate deals counted from traces: every seating of two policies, in fractions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from analyzer.rulesets import RuleSet
from analyzer.traces import traces

from .measure import Game as TracedGame

Trace = dict[str, Any]


@dataclass(frozen=True)
class Game:
    """One game of A and B: wins and raw points, each per side held."""

    wins_a: Fraction
    wins_b: Fraction
    points_a: Fraction
    points_b: Fraction
    stopped: bool

    @property
    def difference(self) -> Fraction:
        return self.wins_a - self.wins_b

    @property
    def margin(self) -> Fraction:
        return self.points_a - self.points_b


def seatings(sides: int) -> Iterator[str]:
    """Yield who holds each side, such as "AB" and "BA"; both hold one at least."""
    for letters in itertools.product("AB", repeat=sides):
        if len(set(letters)) == 2:
            yield "".join(letters)


def duels(
    rules: RuleSet, a: str, b: str, *, seed: int, first_game: int, deals: int
) -> tuple[list[list[Game]], list[list[Trace]]]:
    """Return the games of each deal, one a seating, and their traces; without a target rounds are played."""
    columns, shown = [], []
    for letters in seatings(rules.side_count):
        seats = [{"A": a, "B": b}[letters[side]] for side in rules.sides]
        played = list(traces(rules, seats, seed=seed, first_game=first_game, count=deals))
        columns.append([_game(rules, letters, trace) for trace in played])
        shown.append(played)
    return [list(deal) for deal in zip(*columns, strict=True)], [
        list(deal) for deal in zip(*shown, strict=True)
    ]


def _game(rules: RuleSet, letters: str, trace: Trace) -> Game:
    sides = range(rules.side_count)
    stopped = trace.get("guard", False)
    points = [Fraction(0 if stopped else score) for score in trace["scores"]]
    shares = [Fraction(1, len(sides)) if stopped else _share(rules, trace, side) for side in sides]

    def held(letter: str, values: Sequence[Fraction]) -> Fraction:
        own = [value for owner, value in zip(letters, values, strict=True) if owner == letter]
        return sum(own, Fraction(0)) / len(own)

    return Game(held("A", shares), held("B", shares), held("A", points), held("B", points), stopped)


def _share(rules: RuleSet, trace: Trace, side: int) -> Fraction:
    game = TracedGame(rules, trace)
    return game.share(side) if rules.target is not None else game.rounds[0].share(side)


# --- statistics, as their definitions read --------------------------------------------------------


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def std_error(values: Sequence[Fraction]) -> float:
    """Return sqrt(variance / n), the variance with divisor n."""
    centre = mean(values)
    return math.sqrt(mean([(value - centre) ** 2 for value in values]) / len(values))


def deal_values(deals: Sequence[Sequence[Game]], of: str) -> list[Fraction]:
    """Return the mean over the seatings of each deal of one attribute of `Game`."""
    return [mean([getattr(game, of) for game in games]) for games in deals]


def game_values(deals: Sequence[Sequence[Game]], of: str) -> list[Fraction]:
    """Return one attribute of every game."""
    return [getattr(game, of) for games in deals for game in games]


def pentanomial(deals: Sequence[Sequence[Game]]) -> list[int]:
    """Return the deals in which A scored 0, 1/2, 1, 3/2 and 2 of its two games."""
    scores = [sum((game.wins_a for game in games), Fraction(0)) for games in deals]
    return [scores.count(Fraction(half, 2)) for half in range(5)]
