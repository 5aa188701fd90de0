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
from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True)
class _Ended:
    """What a process took: seconds by the clock, and the most memory that it held, in MiB.

    The memory is None where the system does not tell it.
    """

    seconds: float
    mebibytes: float | None


def starts(repeats: int) -> list[Row]:
    """Return the seconds from a command to its result: once with nothing compiled yet, and from then on."""
    with tempfile.TemporaryDirectory(prefix="fives-bench-") as cache:
        cold = _simulated(FIRST_ROUNDS, cache).seconds
        warm = [_simulated(FIRST_ROUNDS, cache).seconds for _ in range(repeats)]
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
    ended = {rounds: _simulated(rounds) for rounds in (SHORT, LONGER * SHORT)}
    return [
        {"rounds": rounds, "mebibytes": round(process.mebibytes, 1)}
        for rounds, process in ended.items()
        if process.mebibytes is not None
    ]


def _simulated(rounds: int, cache: str | None = None) -> _Ended:
    """Simulate so many rounds in a process of its own."""
    words = ["simulate", "exact61", "--rounds", str(rounds), "--quiet", "--json"]
    packages = str(Path(__file__).parents[1])  # so that the child runs these sources, installed or not
    path = os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path} | ({"FIVES_CACHE_DIR": cache} if cache else {})
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "analyzer.cli", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    code, mebibytes = _waited_for(process)
    if code != 0:
        raise FivesError(f"a run that was to be timed failed: see what fives {' '.join(words)} says.")
    return _Ended(time.perf_counter() - began, mebibytes)


def _waited_for(process: subprocess.Popen[bytes]) -> tuple[int, float | None]:
    """Return the exit code of a process and its peak memory in MiB, where the system tells it."""
    if not hasattr(os, "wait4"):
        return process.wait(), None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # Popen must not wait for it again
    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, KiB elsewhere
    return process.returncode, usage.ru_maxrss / unit
