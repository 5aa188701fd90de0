"""How fast this machine plays: rounds a second, nanoseconds a play, the first start and the next, memory.

Speeds are of the kernels alone, called as every run calls them, after one run that is not counted. Starts and
memory are of a process of their own, as a user starts it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.counting import Counting
from analyzer.errors import FivesError
from analyzer.ledger import Ledger
from analyzer.policies import seat_policies
from analyzer.rulesets import rule_set
from analyzer.tallies import Tallies
from analyzer.workers import available_cores, play

SEED = 1
RULES = ("exact61", "allfives", "partout5", "draw")
PLAYERS = (2, 4)
SHARES = {
    "random": 1,
    "greedy": 1,
    "careful": 2,
    "defend": 4,
}
"""The policies that are timed; one that is slow by nature plays the rounds divided by this."""
SHORT = 100_000  # rounds of the run whose memory a long one is held against
LONGER = 10  # how many times as many that one has
FIRST_ROUNDS = 1000  # of the run that is timed from the start of its process

Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """What is timed: single rounds of one rule set, one policy in all seats."""

    rules: str
    players: int
    policy: str
    threads: int
    rounds: int


def cases(rounds: int) -> list[Case]:
    """Return every case, on one thread and on all cores."""
    return [
        Case(rules, players, policy, threads, max(1, rounds // share))
        for rules in RULES
        for players in PLAYERS
        for policy, share in SHARES.items()
        for threads in sorted({1, available_cores()})
    ]


def speeds(several: Sequence[Case], repeats: int) -> Iterator[Row]:
    """Yield a row a case: medians of so many runs, and the slowest and fastest of them."""
    for case in several:
        rules = rule_set(case.rules, players=case.players).replace(target=None)
        work = Counting(rules, seat_policies([case.policy], rules.sides), SEED)
        _timed(work, case)
        runs = [_timed(work, case) for _ in range(repeats)]
        rates = [case.rounds / seconds for seconds, _ in runs]
        times = [1e9 * seconds / total.total(["plays"]) for seconds, total in runs]
        yield {
            "rules": case.rules,
            "players": case.players,
            "policy": case.policy,
            "threads": case.threads,
            "rounds": case.rounds,
            "rounds_per_second": round(statistics.median(rates)),
            "slowest": round(min(rates)),
            "fastest": round(max(rates)),
            "ns_per_play": round(statistics.median(times), 2),
        }


def _timed(work: Counting, case: Case) -> tuple[float, Tallies]:
    """Return the seconds that a case takes, and what it counted."""
    ledger = Ledger(work.none())
    began = time.perf_counter()
    play(work, (0, case.rounds), ledger, case.threads)
    return time.perf_counter() - began, ledger.state()[1]


def starts(repeats: int) -> list[Row]:
    """Return the seconds from a command to its result: once with nothing compiled yet, and from then on."""
    with tempfile.TemporaryDirectory(prefix="fives-bench-") as cache:
        cold = _simulated(FIRST_ROUNDS, cache)
        warm = [_simulated(FIRST_ROUNDS, cache) for _ in range(repeats)]
    return [
        {"start": "first, compiling", "seconds": round(cold, 2), "slowest": None, "fastest": None},
        {
            "start": "from then on",
            "seconds": round(statistics.median(warm), 2),
            "slowest": round(max(warm), 2),
            "fastest": round(min(warm), 2),
        },
    ]


def memory() -> list[Row]:
    """Return the most memory that a short and a long run hold; nothing where the system does not tell."""
    _simulated(1)  # so that neither has the compiler in its memory
    ended = {rounds: peak_memory(*_simulation(rounds)) for rounds in (SHORT, LONGER * SHORT)}
    return [
        {"rounds": rounds, "mebibytes": round(mebibytes, 1)}
        for rounds, mebibytes in ended.items()
        if mebibytes is not None
    ]


def _simulation(rounds: int, cache: str | None = None) -> tuple[list[str], dict[str, str]]:
    """Return the command that simulates so many rounds, and its environment."""
    words = ["simulate", "exact61", "--rounds", str(rounds), "--quiet", "--json"]
    packages = str(Path(__file__).parents[1])  # so that the child runs these sources, installed or not
    path = os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path} | ({"FIVES_CACHE_DIR": cache} if cache else {})
    return [sys.executable, "-m", "analyzer.cli", *words], environment


def _simulated(rounds: int, cache: str | None = None) -> float:
    """Simulate so many rounds in a process of its own; return its seconds."""
    command, environment = _simulation(rounds, cache)
    began = time.perf_counter()
    nothing = subprocess.DEVNULL
    if subprocess.run(command, env=environment, stdout=nothing, stderr=nothing, check=False).returncode:
        raise _failed(command)
    return time.perf_counter() - began


# Run by a process of its own, since a system counts what a child shares with its parent as it starts
_WATCH = """
import resource, subprocess, sys
nothing = subprocess.DEVNULL
code = subprocess.run(sys.argv[1:], stdout=nothing, stderr=nothing).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_memory(command: Sequence[str], environment: Mapping[str, str]) -> float | None:
    """Return the most resident memory of a command in MiB; None where the system does not tell it.

    Raises
    ------
    FivesError
        Where the command fails.
    """
    if not hasattr(os, "wait4"):  # no `resource` either
        return None
    watch = [sys.executable, "-S", "-c", _WATCH, *command]
    told = subprocess.run(watch, env=environment, capture_output=True, text=True, check=True).stdout
    code, peak = map(int, told.split())
    if code != 0:
        raise _failed(command)
    return peak / (2**20 if sys.platform == "darwin" else 2**10)  # bytes there, KiB elsewhere


def _failed(command: Sequence[str]) -> FivesError:
    words = " ".join(command[3:])
    return FivesError(f"a run that was to be timed failed: see what fives {words} says.")
