"""Stated deals and scripted plays, for rounds worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from analyzer.notation import Move, Tile, parse_move, parse_tile, tile_set
from analyzer.referee.events import no_scores
from analyzer.referee.rounds import RoundResult, RoundStart, View, play_round
from analyzer.rulesets import RuleSet


def dealt(rules: RuleSet, hands: str, first_drawn: str = "") -> list[Tile]:
    """Return the whole set: the hands ("6-3 5-5 / 4-4 4-1"), then the tiles drawn first, then the rest."""
    stated = [parse_tile(text) for text in f"{hands} {first_drawn}".replace("/", " ").split()]
    return stated + [tile for tile in tile_set(rules.set) if tile not in stated]


def scripted(moves: str) -> Callable[[View], Move]:
    """Return a chooser that takes these placements in turn."""
    script = iter([parse_move(text) for text in moves.split()])
    return lambda view: next(script)


def play_stated(
    rules: RuleSet,
    hands: str,
    moves: str,
    *,
    first_drawn: str = "",
    scores: tuple[int, ...] = (),
    opener: int = 0,
) -> RoundResult:
    """Play one round of a stated deal with stated placements."""
    tiles = dealt(rules, hands, first_drawn)
    start = tuple(map(Fraction, scores)) or no_scores(rules)
    return play_round(rules, RoundStart(0, 0, opener, "lot", tiles, start), scripted(moves))
