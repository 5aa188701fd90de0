"""The policies of docs/policies.md: each feature on its own, by trying the placement on the layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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
    rest = _rest(view, move)
    return sum(any(value in tile for tile in rest) for value in _open_after(view, move))


def reply(view: View, move: Move) -> Fraction:
    return _mean_best_reply(view, move, _unseen(view))


def scores(view: View, move: Move) -> int:
    return int(accepted(view, move) > 0)


def near(view: View, move: Move) -> int:
    rules = view.rules
    if rules.target is None or rules.target_kind != "exact" or _waits_for_settlement(view):
        return 0
    gained = accepted(view, move)
    return gained if rules.target - (_score(view) + gained) <= 50 else 0


def companions(view: View, move: Move) -> int:
    tile = move.tile
    if tile.is_double:
        made = {tile.high}
    elif move.at is None:
        made = {tile.high, tile.low}
    else:
        joined = move.at.high if isinstance(move.at, Tile) else move.at
        made = {tile.high + tile.low - joined}
    return sum(bool(made & {*other}) for other in _rest(view, move))


def variety(view: View, move: Move) -> int:
    return len({value for tile in _rest(view, move) for value in tile})


def playable(view: View, move: Move) -> int:
    return sum(_fits(tile, _open_after(view, move)) for tile in _rest(view, move))


def follow(view: View, move: Move) -> int:
    view.layout.place(move)
    most = max((_best_points(view.rules, view.layout, tile) for tile in _rest(view, move)), default=0)
    view.layout.take_back()
    return most


def bare_spinner(view: View, move: Move) -> int:
    spinner, laid = view.rules.spinner, [tile for tile in view.layout.tiles if tile.is_double]
    crosses = move.tile.is_double and (spinner == "all" or (spinner == "first" and not laid))
    return int(crosses and companions(view, move) == 0)


def rush(view: View, move: Move) -> int:
    sizes = [size - (seat == view.seat) for seat, size in enumerate(view.hand_sizes)]
    return pips(view, move) if min(sizes) <= 2 else 0


def lacked(view: View, move: Move) -> int:
    return len(_open_after(view, move) & _lacks_of_next(view))


def stuck(view: View, move: Move) -> int:
    open_values = _open_after(view, move)
    pool = _pool_of_next(view)
    size = view.hand_sizes[_next_opponent(view)]
    without = comb(sum(not _fits(tile, open_values) for tile in pool), size)
    return 1000 * without // comb(len(pool), size)


def threat(view: View, move: Move) -> int:
    return int(100 * _mean_best_reply(view, move, _pool_of_next(view)))


def live(view: View, move: Move) -> int:
    return sum(_fits(tile, _open_after(view, move)) for tile in _unseen(view))


def closing(view: View, move: Move) -> int:
    unseen = _unseen(view)
    own = sum(tile.pips for tile in _rest(view, move))
    if not unseen:
        return 0
    mean = Fraction(sum(tile.pips for tile in unseen), len(unseen))
    return live(view, move) if own < view.hand_sizes[_next_opponent(view)] * mean else 0


FEATURES: dict[str, Feature] = {
    "points": points,
    "accepted": accepted,
    "wins": wins,
    "pips": pips,
    "double": double,
    "count": count,
    "mobility": mobility,
    "reply": reply,
    "scores": scores,
    "near": near,
    "companions": companions,
    "variety": variety,
    "playable": playable,
    "follow": follow,
    "bare_spinner": bare_spinner,
    "rush": rush,
    "lacked": lacked,
    "stuck": stuck,
    "threat": threat,
    "live": live,
    "closing": closing,
}


def _rest(view: View, move: Move) -> list[Tile]:
    return [tile for tile in view.hand if tile != move.tile]


def _unseen(view: View) -> list[Tile]:
    seen = {*view.layout.tiles, *view.hand}
    return [tile for tile in tile_set(view.rules.set) if tile not in seen]


def _open_after(view: View, move: Move) -> set[int]:
    view.layout.place(move)
    values = view.layout.open_values()
    view.layout.take_back()
    return values


def _fits(tile: Tile, values: Collection[int]) -> bool:
    return tile.high in values or tile.low in values


def _lacks_of_next(view: View) -> frozenset[int]:
    return view.lacks.get(_next_opponent(view), frozenset())


def _pool_of_next(view: View) -> list[Tile]:
    return [tile for tile in _unseen(view) if not _fits(tile, _lacks_of_next(view))]


def _mean_best_reply(view: View, move: Move, pool: Sequence[Tile]) -> Fraction:
    """Return the mean over all hands from the pool; 0 after the hand's last tile."""
    if len(view.hand) == 1:
        return Fraction(0)
    size = view.hand_sizes[_next_opponent(view)]
    view.layout.place(move)
    best = [_best_points(view.rules, view.layout, tile) for tile in pool]
    view.layout.take_back()
    hands = comb(len(pool), size)
    without = (comb(sum(points < p for points in best), size) for p in range(1, max(best, default=0) + 1))
    return sum((1 - Fraction(misses, hands) for misses in without), Fraction(0))


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
