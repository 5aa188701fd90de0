"""How fast policies that search play, on one thread: rollouts a second, and how long a turn takes.

A turn is that of `analyzer.search`: what the seat may believe is counted, and each placement is played out in
WORLDS worlds. The turns are the first of a game at random that have a choice worth a search.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from analyzer.policies import policy
from analyzer.positions import Position, position_at
from analyzer.referee.reading import read_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.search import Searcher
from analyzer.traces import traces

RULES = ("exact61", "allfives")
BASES = ("greedy", "careful")
WORLDS = 400
SEED = 5
TURNS = 6
LEAST = 3  # placements


def searches(repeats: int) -> Iterator[dict[str, Any]]:
    """Yield a row a rule set and base policy: medians of so many runs, the slowest and the fastest."""
    for name in RULES:
        positions = list(islice(_positions(rule_set(name)), TURNS))
        rollouts = WORLDS * sum(len(position.placements) for position in positions)
        for base in BASES:
            _seconds(positions, base)
            times = [_seconds(positions, base) for _ in range(repeats)]
            yield {
                "rules": name,
                "policy": f"rollout:{WORLDS}:{base}",
                "turns": len(positions),
                "rollouts_per_second": round(rollouts / statistics.median(times)),
                "slowest": round(rollouts / max(times)),
                "fastest": round(rollouts / min(times)),
                "ms_per_turn": round(1e3 * statistics.median(times) / len(positions), 3),
            }


def _positions(rules: RuleSet) -> Iterator[Position]:
    """Yield the positions of a game with two random players that have at least LEAST placements."""
    (game,) = traces(rules, "random", seed=SEED)
    scores = None
    for round_ in read_trace(game).rounds:
        for turn in range(len(round_.turns)):
            position = position_at(rules, round_, turn, scores)
            if position is not None and len(position.placements) >= LEAST:
                yield position
        scores = (round_.settlement or round_.turns)[-1].scores


def _seconds(positions: list[Position], base: str) -> float:
    """Return how long it takes to search the positions."""
    began = time.perf_counter()
    for position in positions:
        Searcher(position, policy(base), SEED).play(WORLDS)
    return time.perf_counter() - began
