"""What a seat should play: what each placement is worth, how sure that is, and which is best.

The worlds and their values are those of `analyzer.search`; the statistics are in `analyzer.advice_chances`.
docs/advise.md says what the numbers mean.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from analyzer import limits
from analyzer.advice_chances import chances_of_best, gap, is_separated
from analyzer.advice_position import typed_position
from analyzer.errors import FivesError
from analyzer.explaining import Reason, reasons
from analyzer.notation import Move
from analyzer.policies import DEFAULT_BASE, Policy, policy
from analyzer.positions import Position
from analyzer.referee.events import apply_play, game_state, points_of_play
from analyzer.referee.record import numbers, rules_object, tile_texts
from analyzer.rulesets import RuleSet, as_rule_set
from analyzer.search import Searcher, Values
from analyzer.sequential import checkpoints
from analyzer.stats import Estimate, mean, rate
from analyzer.turnlist import format_turns
from analyzer.workers import apart

DEFAULT_WORLDS = 10_000
DEFAULT_SECONDS = 2.0
MOST_WORLDS = 1_000_000
MOST_SECONDS = 86_400.0
FIRST_STEP = 16  # worlds
STEP_SECONDS = 0.02  # a shorter step is doubled

STOPPED = {
    "exact": "every tile is known, and the rest of the round was searched to its end",
    "separated": "the best is separated from the others",
    "worlds": "the worlds asked for were played",
    "seconds": "the time was up",
}


@dataclass(frozen=True)
class Budget:
    """How many worlds to play, and how long; None: no bound. Where both are None, the defaults hold.

    Raises
    ------
    FivesError
        For a number out of range.
    """

    worlds: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.worlds is None and self.seconds is None:
            object.__setattr__(self, "worlds", DEFAULT_WORLDS)
            object.__setattr__(self, "seconds", DEFAULT_SECONDS)
        if self.worlds is not None:
            limits.check_whole("worlds", self.worlds)
            if not 1 <= self.worlds <= MOST_WORLDS:
                raise FivesError(f"worlds is {self.worlds}: it must be from 1 to {MOST_WORLDS}.")
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise FivesError(f"seconds is {self.seconds:g}: it must be above 0, at most {MOST_SECONDS:g}.")

    @property
    def most_worlds(self) -> int:
        """The worlds to play at most."""
        return MOST_WORLDS if self.worlds is None else self.worlds


@dataclass(frozen=True)
class Rated:
    """One placement.

    Attributes
    ----------
    estimate, low, high : the chance that the seat's side wins the game, or its points of the round, with
        the bounds of its interval; None after one world.
    gap, gap_error : by how much it is below the best, and the standard error of that.
    p_best : the chance that none is better.
    """

    move: Move
    estimate: float
    low: float | None
    high: float | None
    gap: float
    gap_error: float
    p_best: float

    @property
    def gap_se(self) -> float | None:
        """The gap in its standard errors; None where it has none, as between exact values."""
        if self.gap == 0:
            return 0.0
        return self.gap / self.gap_error if self.gap_error else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        told = {name: getattr(self, name) for name in ("estimate", "low", "high", "gap", "gap_se", "p_best")}
        return {"move": str(self.move), **told}


@dataclass(frozen=True)
class Advice:
    """The placements of a position, the best first.

    Attributes
    ----------
    worlds : played; 0 where the values are exact.
    stopped : a word of STOPPED.
    reasons : why the best is best, against the second; empty where there is one placement.
    """

    position: Position
    base: str
    seed: int
    confidence: float
    worlds: int
    stopped: str
    placements: tuple[Rated, ...]
    reasons: tuple[Reason, ...]

    @property
    def best(self) -> Move:
        """The placement of the highest estimate."""
        return self.placements[0].move

    @property
    def unit(self) -> str:
        """What is estimated."""
        return unit_of(self.position.rules)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; the reasons are not among them."""
        position = self.position
        return {
            "placements": [rated.as_dict() for rated in self.placements],
            "stopped": self.stopped,
            "unit": self.unit,
            "rules": rules_object(position.rules),
            "hand": tile_texts(position.hand),
            "opener": position.opener,
            "seat": position.seat,
            "moves": format_turns(position.turns, position.drawing),
            "scores": numbers(position.scores),
            "highest_double": position.by_highest,
            "base": self.base,
            "worlds": self.worlds,
            "seed": self.seed,
            "confidence": self.confidence,
        }


def unit_of(rules: RuleSet) -> str:
    """Return what placements are worth: chances to win the game, or points of the round."""
    return "win_probability" if rules.target is not None else "points"


def base_policy(name: str | Policy) -> Policy:
    """Return the policy that plays the worlds out; FivesError where it searches itself."""
    base = name if isinstance(name, Policy) else policy(name)
    if base.worlds:
        raise FivesError(f"the base {base.name!r} is a search: name a policy without one.")
    return base


def advise(
    rules: RuleSet | str,
    hand: str,
    *,
    opener: int | None = None,
    seat: int | None = None,
    moves: str = "",
    drawn: str | None = None,
    scores: Sequence[int | float] | None = None,
    highest_double: bool | None = None,
    base: str | Policy = DEFAULT_BASE,
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    confidence: float = 0.95,
) -> Advice:
    """Return what each placement of a seat is worth.

    Parameters
    ----------
    rules, hand, opener, seat, moves, drawn, scores, highest_double : as for
        `analyzer.advice_position.typed_position`; rules may be a name for two players.
    base : the policy that plays the worlds out in all seats.
    worlds, seconds : the budget; neither: 10,000 worlds or 2 seconds, whichever ends first. With worlds
        alone the answer is a function of the seed.

    Raises
    ------
    FivesError
        Where what is told contradicts itself or the rules, or a number is out of range.
    """
    position = typed_position(
        as_rule_set(rules),
        hand,
        opener=opener,
        seat=seat,
        moves=moves,
        drawn=drawn,
        scores=scores,
        highest_double=highest_double,
    )
    return advice(position, base_policy(base), Budget(worlds, seconds), seed=seed, confidence=confidence)


def advice(
    position: Position, base: Policy, budget: Budget, *, seed: int = 1, confidence: float = 0.95
) -> Advice:
    """Return what each placement of a position is worth; see `advise`."""
    limits.check_seed(seed)
    limits.check_confidence(confidence)
    searcher = apart(partial(Searcher, position, base, seed))
    values, stopped = apart(searcher.solved), "exact"
    if values is None:
        values, stopped = _played(searcher, budget, 1 - confidence)
    rated = rated_placements(position, values, confidence)
    first = [each.move for each in rated[:2]]
    why = apart(partial(reasons, searcher, *first)) if len(first) > 1 else ()
    return Advice(position, base.name, seed, confidence, values.worlds, stopped, rated, why)


def _played(searcher: Searcher, budget: Budget, risk: float) -> tuple[Values, str]:
    """Play worlds until the best is separated or the budget ends; return their values and which it was."""
    stops = [*checkpoints(budget.most_worlds), budget.most_worlds]
    apart(partial(searcher.values, 0))  # whatever has to be compiled is not counted as time
    steps = _Steps(searcher, math.inf if budget.seconds is None else budget.seconds)
    for look, stop in enumerate(stops, start=1):
        values = steps.play_to(stop)
        if values.worlds < stop:
            return values, "seconds"
        if stop < stops[-1] and is_separated(values, int(values.sums.argmax()), look, risk):
            return values, "separated"
    return values, "worlds"


class _Steps:
    """Plays a searcher's worlds in steps short enough to keep to a time."""

    def __init__(self, searcher: Searcher, seconds: float, clock: Callable[[], float] = time.perf_counter):
        self.searcher, self.clock = searcher, clock
        self.end = clock() + seconds
        self.step = FIRST_STEP

    def play_to(self, worlds: int) -> Values:
        """Play until there are so many worlds, or the time is up; one step is always played."""
        while True:
            start = self.clock()
            step = min(self.step, worlds - self.searcher.played)
            values = apart(partial(self.searcher.play, step))
            now = self.clock()
            if now - start < STEP_SECONDS:
                self.step *= 2
            if values.worlds == worlds or now >= self.end:
                return values


def rated_placements(position: Position, values: Values, confidence: float) -> tuple[Rated, ...]:
    """Return the placements with their estimates, the best first; ties in the order of ties."""
    chances = chances_of_best(values)
    best = int(values.sums.argmax())
    order = sorted(range(len(values.moves)), key=lambda i: (-int(values.sums[i]), i))
    found = []
    for i in order:
        estimate, low, high = _bounds(position, values, i, confidence)
        found.append(Rated(values.moves[i], estimate, low, high, *gap(values, best, i), chances[i]))
    return tuple(found)


def _bounds(
    position: Position, values: Values, i: int, confidence: float
) -> tuple[float, float | None, float | None]:
    """Return the estimate of a placement and the bounds of its interval."""
    if values.is_exact:
        exact = float(int(values.sums[i]) * values.unit)
        return exact, exact, exact
    if wins_at_once(position, values.moves[i]):
        return 1.0, 1.0, 1.0
    found = estimate_of(
        values.worlds,
        int(values.sums[i]),
        int(values.products[i, i]),
        values.unit,
        position.rules,
        confidence,
    )
    assert found.estimate is not None
    return found.estimate, found.low, found.high


def estimate_of(
    n: int, total: int, squares: int, unit: Fraction, rules: RuleSet, confidence: float
) -> Estimate:
    """Return the mean of n worlds' values with its interval: a proportion's where the game is to be won."""
    kind = mean if rules.target is None else rate
    return kind(n, total, squares, confidence, int(1 / unit))


def wins_at_once(position: Position, move: Move) -> bool:
    """Whether a placement's own points win the game for the seat's side."""
    rules = position.rules
    if rules.last_play == "with" and len(position.hand) == 1:
        return False
    position.layout.place(move)
    points = points_of_play(rules, position.layout.count())
    position.layout.take_back()
    return game_state(rules, apply_play(rules, position.scores, position.side, points).scores).is_over
