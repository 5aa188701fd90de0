"""The policies of docs/policies.md: each feature on its own, by trying the placement on the layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb

from analyzer.notation import Move, Tile, tile_set
from analyzer.referee.events import points_of_play
from analyzer.referee.layout import Layout
from analyzer.referee.rounds import View
from analyzer.rulesets import RuleSet

from . import streams

Feature = Callable[[View, Move], Fraction | int]


def choose(view: View, weights: Mapping[str, int], seed: int) -> Move:
    """Return the placement that a row of weights takes, ties drawn from the choice stream."""
    if len(view.placements) == 1:
        return view.placements[0]
    values = [value_of(view, move, weights) for move in view.placements]
    best = [move for move, value in zip(view.placements, values, strict=True) if value == max(values)]
    return best[streams.choice(seed, view.game, view.round, view.play, len(best))]


def value_of(view: View, move: Move, weights: Mapping[str, int]) -> Fraction | int:
    """Return the sum of weight times feature."""
    return sum(weight * FEATURES[name](view, move) for name, weight in weights.items() if weight)


def points(view: View, move: Move) -> int:
    return _points_on(view.rules, view.layout, move)


def accepted(view: View, move: Move) -> int:
    gained = points(view, move)
    rules = view.rules
    if rules.target is None or rules.target_kind == "reach" or _waits_for_settlement(view):
        return gained
    return gained if _score(view) + gained <= rules.target else 0


def wins(view: View, move: Move) -> int:
    gained = points(view, move)
    rules = view.rules
    if rules.target is None or _waits_for_settlement(view) or gained <= 0:
        return 0
    after = _score(view) + gained
    return int(after == rules.target if rules.target_kind == "exact" else after >= rules.target)


def pips(view: View, move: Move) -> int:
    return move.tile.high + move.tile.low


def double(view: View, move: Move) -> int:
    return int(move.tile.high == move.tile.low)


def count(view: View, move: Move) -> int:
    return _count_after(view.layout, move)


def mobility(view: View, move: Move) -> int:
    rest = [tile for tile in view.hand if tile != move.tile]
    view.layout.place(move)
    values = view.layout.open_values()
    view.layout.take_back()
    return sum(any(value in tile for tile in rest) for value in values)


def reply(view: View, move: Move) -> Fraction:
    if len(view.hand) == 1:
        return Fraction(0)
    seen = {*view.layout.tiles, *view.hand}
    unseen = [tile for tile in tile_set(view.rules.set) if tile not in seen]
    size = view.hand_sizes[_next_opponent(view)]
    view.layout.place(move)
    best = [_best_points(view.rules, view.layout, tile) for tile in unseen]
    view.layout.take_back()
    hands = comb(len(unseen), size)
    without = (comb(sum(points < p for points in best), size) for p in range(1, max(best, default=0) + 1))
    return sum((1 - Fraction(misses, hands) for misses in without), Fraction(0))


FEATURES: dict[str, Feature] = {
    "points": points,
    "accepted": accepted,
    "wins": wins,
    "pips": pips,
    "double": double,
    "count": count,
    "mobility": mobility,
    "reply": reply,
}


def _count_after(layout: Layout, move: Move) -> int:
    layout.place(move)
    after = layout.count()
    layout.take_back()
    return after


def _points_on(rules: RuleSet, layout: Layout, move: Move) -> int:
    return points_of_play(rules, _count_after(layout, move))


def _best_points(rules: RuleSet, layout: Layout, tile: Tile) -> int:
    placements: Sequence[Move] = layout.placements([tile])
    return max((_points_on(rules, layout, move) for move in placements), default=0)


def _score(view: View) -> Fraction:
    return view.scores[view.rules.sides[view.seat]]


def _waits_for_settlement(view: View) -> bool:
    return view.rules.last_play == "with" and len(view.hand) == 1


def _next_opponent(view: View) -> int:
    rules = view.rules
    seats = [(view.seat + step) % rules.players for step in range(1, rules.players)]
    return next(seat for seat in seats if rules.sides[seat] != rules.sides[view.seat])
