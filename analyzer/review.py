"""A recorded game gone through turn by turn: what was played, what was best, what it cost, what luck brought.

Costs are seen from the seat that played (`analyzer.review_costs`), luck by one who sees all hands
(`analyzer.review_luck`). docs/advice.md defines both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from analyzer import limits
from analyzer.advice import base_policy, unit_of
from analyzer.errors import FivesError
from analyzer.notation import format_tile
from analyzer.policies import DEFAULT_BASE, Policy
from analyzer.positions import position_at
from analyzer.referee.reading import Trace
from analyzer.referee.record import rules_object
from analyzer.review_costs import Cost, cost_of
from analyzer.review_luck import Change, Valuer, changes
from analyzer.showing import Recorded, check_round, recorded_game, scores_before
from analyzer.stats import normal_quantile
from analyzer.workers import apart

DEFAULT_WORLDS = 2000
LEAST_WORLDS, MOST_WORLDS = 100, 100_000
BLUNDERS = {"win_probability": 0.05, "points": 5.0}  # what a blunder costs at least
KINDS_OF_LUCK = ("opener", "deal", "own_draws", "other_draws")
KINDS = (*KINDS_OF_LUCK, "own_plays", "other_plays")

Row = dict[str, Any]
Tick = Callable[[int, int], None]


@dataclass(frozen=True)
class Turn:
    """One turn that was gone through; `cost` is the seat's own."""

    round: int
    turn: int
    seat: int
    drawn: str | None
    move: str | None
    cost: Cost


@dataclass(frozen=True)
class Review:
    """What was found in a game.

    Attributes
    ----------
    names : of the players, by seat.
    blunder : what a blunder costs at least.
    turns : in their order.
    changes : what chance and plays brought, in their order.
    """

    trace: Trace
    names: tuple[str, ...]
    rounds: tuple[int, ...]
    base: str
    worlds: int
    seed: int
    confidence: float
    blunder: float
    turns: tuple[Turn, ...]
    changes: tuple[Change, ...] = field(repr=False)

    @property
    def unit(self) -> str:
        """What costs and luck are counted in."""
        return unit_of(self.trace.rules)

    def manifest(self) -> Row:
        """Return what the numbers rest on, as plain JSON values."""
        return {
            "rules": rules_object(self.trace.rules),
            "game": self.trace.game,
            "rounds": list(self.rounds),
            "unit": self.unit,
            "base": self.base,
            "worlds": self.worlds,
            "seed": self.seed,
            "confidence": self.confidence,
            "blunder": self.blunder,
        }

    def tables(self) -> dict[str, list[Row]]:
        """Return all rows by the name of their table."""
        return {
            "summary": [self._player(seat) for seat in range(self.trace.rules.players)],
            "turns": [self._turn(turn) for turn in self.turns],
            "luck": [self._luck(side) for side in range(self.trace.rules.side_count)],
            "changes": [row for change in self.changes for row in self._change(change)],
        }

    def as_dict(self) -> dict[str, Any]:
        """Return manifest, summary and tables as plain JSON values."""
        tables = self.tables()
        return {"manifest": self.manifest(), "summary": tables.pop("summary"), "tables": tables}

    def _is_blunder(self, cost: Cost) -> bool:
        return cost.is_decision and cost.cost >= self.blunder

    def _player(self, seat: int) -> Row:
        turns = [turn.cost for turn in self.turns if turn.seat == seat]
        decisions = [cost for cost in turns if cost.is_decision]
        total = sum(cost.cost for cost in decisions)
        error = math.sqrt(sum(cost.error**2 for cost in decisions))
        row: Row = {"seat": seat, "player": self.names[seat], "turns": len(turns)}
        row |= {kind: sum(cost.kind == kind for cost in turns) for kind in ("forced", "pass")}
        row |= {"decisions": len(decisions), "cost": total, "error_rate": None, "std_error": None}
        row |= {"low": None, "high": None, "blunders": sum(map(self._is_blunder, decisions))}
        if decisions:
            mean, error = total / len(decisions), error / len(decisions)
            reach = normal_quantile(self.confidence) * error
            row |= {"error_rate": mean, "std_error": error, "low": mean - reach, "high": mean + reach}
        return row

    def _turn(self, turn: Turn) -> Row:
        cost = turn.cost
        is_told = cost.is_decision
        return {
            "round": turn.round,
            "turn": turn.turn,
            "seat": turn.seat,
            "player": self.names[turn.seat],
            "drawn": turn.drawn,
            "move": turn.move,
            "best": None if cost.best is None else str(cost.best),
            "kind": cost.kind,
            "cost": cost.cost if is_told else None,
            "std_error": cost.error if is_told else None,
            "blunder": self._is_blunder(cost),
        }

    def _luck(self, side: int) -> Row:
        sums = dict.fromkeys(KINDS, 0.0)
        for change in self.changes:
            sums[self._kind(change, side)] += float(change.gain[side])
        start, end = self.changes[0].before, self.changes[-1].after
        luck = sum(sums[kind] for kind in KINDS_OF_LUCK)
        return {
            "side": side,
            "players": ", ".join(self._players_of(side)),
            "start": float(start.value[side]),
            **sums,
            "result": float(end.value[side]),
            "luck": luck,
            "luck_std_error": self._luck_error(side),
        }

    def _players_of(self, side: int) -> list[str]:
        return [
            f"{self.names[seat]} (seat {seat})"
            for seat, own in enumerate(self.trace.rules.sides)
            if own == side
        ]

    def _kind(self, change: Change, side: int) -> str:
        """Return the column in which a side counts a change."""
        if change.seat is None:
            return change.kind
        own = "own" if self.trace.rules.sides[change.seat] == side else "other"
        return f"{own}_{change.kind}s"

    def _luck_error(self, side: int) -> float:
        """Return the standard error of all luck: each moment counts as often as it is left over."""
        left: dict[int, list[float]] = {}
        for change in self.changes:
            if self._kind(change, side) in KINDS_OF_LUCK:
                for prospect, sign in ((change.after, 1), (change.before, -1)):
                    entry = left.setdefault(id(prospect), [0.0, float(prospect.error[side])])
                    entry[0] += sign
        return math.sqrt(sum((count * error) ** 2 for count, error in left.values()))

    def _change(self, change: Change) -> list[Row]:
        return [
            {
                "round": change.round,
                "turn": change.turn,
                "seat": change.seat,
                "kind": change.kind,
                "drawn": change.tiles_told,
                "side": side,
                "before": float(change.before.value[side]),
                "after": float(change.after.value[side]),
                "gain": float(change.gain[side]),
                "std_error": float(np.hypot(change.before.error[side], change.after.error[side])),
            }
            for side in range(self.trace.rules.side_count)
        ]


def review(
    trace: Mapping[str, Any],
    *,
    round_: int | None = None,
    base: str | Policy = DEFAULT_BASE,
    worlds: int = DEFAULT_WORLDS,
    seed: int = 1,
    confidence: float = 0.95,
    blunder: float | None = None,
) -> Review:
    """Go through a recorded game.

    Parameters
    ----------
    trace : a trace object, such as `fives.trace` yields.
    round_ : this round alone; None: all.
    base : the policy that plays imagined worlds on in all seats.
    worlds : that each turn with a choice is played out in, and boneyards for each moment.
    blunder : what a blunder costs at least; None: 0.05 of a game, or 5 points.

    Raises
    ------
    FivesError
        Where it is no trace, breaks the rules, or a number is out of range.
    """
    recorded = recorded_game(trace)
    return reviewed(
        recorded, round_, base_policy(base), worlds, seed=seed, confidence=confidence, blunder=blunder
    )


def check_worlds(worlds: int) -> None:
    """Raise FivesError unless the worlds of a review are a number in range."""
    limits.check_whole("worlds", worlds)
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise FivesError(f"worlds is {worlds}: it must be from {LEAST_WORLDS} to {MOST_WORLDS}.")


def reviewed(
    recorded: Recorded,
    round_: int | None,
    base: Policy,
    worlds: int,
    *,
    seed: int = 1,
    confidence: float = 0.95,
    blunder: float | None = None,
    tick: Tick = lambda done, total: None,
) -> Review:
    """Go through a game that was read; `tick` is told (steps done, of all)."""
    check_worlds(worlds)
    limits.check_seed(seed)
    limits.check_confidence(confidence)
    if blunder is not None and not blunder > 0:
        raise FivesError(f"blunder is {blunder:g}: it must be above 0, as what a blunder costs at least.")
    trace = recorded.trace
    if round_ is not None:
        check_round(trace, round_)
    rounds = tuple(range(len(trace.rounds))) if round_ is None else (round_,)
    counter = _Counter(2 * sum(len(trace.rounds[each].turns) for each in rounds), tick)
    valuer = apart(partial(Valuer, trace, base, worlds, seed))  # refuses rules that no search can play
    turns = _turns(trace, rounds, base, worlds, seed, counter)
    return Review(
        trace=trace,
        names=recorded.policies or tuple(f"seat {seat}" for seat in range(trace.rules.players)),
        rounds=rounds,
        base=base.name,
        worlds=worlds,
        seed=seed,
        confidence=confidence,
        blunder=BLUNDERS[unit_of(trace.rules)] if blunder is None else blunder,
        turns=tuple(turns),
        changes=tuple(changes(valuer, rounds, counter.step)),
    )


class _Counter:
    """Counts steps for whoever shows them."""

    def __init__(self, total: int, tick: Tick) -> None:
        self.done, self.total, self.tick = 0, total, tick

    def step(self) -> None:
        """Count one step."""
        self.done += 1
        self.tick(self.done, self.total)


def _turns(
    trace: Trace, rounds: Sequence[int], base: Policy, worlds: int, seed: int, counter: _Counter
) -> list[Turn]:
    found = []
    for number in rounds:
        record, scores = trace.rounds[number], scores_before(trace, number)
        for turn, what in enumerate(record.turns):
            position = position_at(trace.rules, record, turn, scores)
            cost = cost_of(position, what.move, base, worlds, seed=seed, game=trace.game, game_round=number)
            drawn = " ".join(map(format_tile, what.drawn)) or None
            move = None if what.move is None else str(what.move)
            found.append(Turn(number, turn, what.seat, drawn, move, cost))
            counter.step()
    return found
