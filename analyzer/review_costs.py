"""What each turn of a recorded game cost, seen from the seat that played it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from analyzer.advice_chances import gap
from analyzer.notation import Move
from analyzer.policies import Policy
from analyzer.positions import Position
from analyzer.search import Searcher, Values
from analyzer.workers import apart

CHOICE, EXACT, FORCED, PASS = "choice", "exact", "forced", "pass"


@dataclass(frozen=True)
class Cost:
    """What a turn cost its seat's side.

    Attributes
    ----------
    kind : "choice", estimated; "exact", searched to the end; "forced", one placement; "pass".
    best : the placement that it was held against; None for a pass.
    cost, error : by how much `best` is worth more than what was played, and the standard error.
    """

    kind: str
    best: Move | None
    cost: float
    error: float

    @property
    def is_decision(self) -> bool:
        """Whether there was something to choose."""
        return self.kind in (CHOICE, EXACT)


def cost_of(
    position: Position | None,
    played: Move | None,
    base: Policy,
    worlds: int,
    *,
    seed: int,
    game: int,
    game_round: int,
) -> Cost:
    """Return what a placement cost.

    The first half of the worlds says which placement is best, the second by how much it is better. So what
    looks best by luck alone is not counted as an error: the cost of the placement that was picked is
    unbiased, and it may come out a little below 0.

    Parameters
    ----------
    position : None for a pass.
    worlds : at least 2.
    """
    if position is None or played is None:
        return Cost(PASS, None, 0.0, 0.0)
    if len(position.placements) == 1:
        return Cost(FORCED, played, 0.0, 0.0)
    searcher = apart(partial(Searcher, position, base, seed, game=game, game_round=game_round))
    at = position.placements.index(played)
    values = apart(searcher.solved)
    if values is not None:
        best = _best(values, at)
        return Cost(EXACT, values.moves[best], *gap(values, best, at))
    first = apart(partial(searcher.play, worlds // 2))
    both = apart(partial(searcher.play, worlds - worlds // 2))
    best = _best(first, at)
    return Cost(CHOICE, both.moves[best], *gap(_less(both, first), best, at))


def _best(values: Values, played: int) -> int:
    """Return the placement of the highest value: the one played, where it is among them."""
    return played if values.sums[played] == values.sums.max() else int(values.sums.argmax())


def _less(both: Values, first: Values) -> Values:
    """Return the values of the worlds that are in `both` and not in `first`."""
    return Values(
        both.moves,
        both.worlds - first.worlds,
        both.unit,
        both.sums - first.sums,
        both.products - first.products,
    )
