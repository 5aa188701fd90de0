"""Time a run on one and on two worker processes of a cluster against threads, in turns in one run.

Usage: python tests/bench/cluster.py [--games N] [--repeats R]
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from analyzer.cluster import Cluster
from analyzer.counting import Counting
from analyzer.ledger import Ledger
from analyzer.policies import seat_policies
from analyzer.rulesets import rule_set
from analyzer.workers import Crew, Threads

SEED = 1


def seconds(crew: Crew, work: Any, games: int) -> float:
    """Return how long a crew takes."""
    began = time.perf_counter()
    crew.play(work, (0, games), Ledger(work.none()))
    return time.perf_counter() - began


def main() -> None:
    """Print the median seconds of each crew, and the ratios to one thread."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    rules = rule_set("exact61", players=4)
    work = Counting(rules, seat_policies(["greedy"], rules.sides), SEED)
    with Cluster("local:1") as one, Cluster("local:2") as two:
        crews: dict[str, Crew] = {
            "one thread": Threads(1),
            "two threads": Threads(2),
            "one worker": one,
            "two workers": two,
        }
        for crew in crews.values():
            seconds(crew, work, 20_000)  # kernels loaded, chunks fitted
        times = {
            name: [seconds(crew, work, given.games) for _ in range(given.repeats)]
            for name, crew in crews.items()
        }
    print(f"exact61, 4 players, greedy: {given.games:,} games, seed {SEED}, {given.repeats} runs, medians")
    base = statistics.median(times["one thread"])
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"{name:12} {middle:6.2f} s ({min(found):.2f}-{max(found):.2f})  {base / middle:.2f} times")


if __name__ == "__main__":
    main()
