"""Playing a range of games on several threads, into one set of whole-number totals.

Kernels release the GIL, so threads of one process use all cores. Each takes the next chunk of games
when it is done with its last; totals are whole numbers, so neither their number nor the order matters.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.tallies import PAIRS, Tallies
from kernels.batch import play_games
from kernels.bounds import COUNTS
from kernels.state import TABLE, blank
from kernels.tallies import TALLY

FIRST_CHUNK = 256  # games; long enough to time, short enough to answer
CHUNK_SECONDS = 0.05
LARGEST_CHUNK = 1 << 20
POLL_SECONDS = 0.1

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Job:
    """What to play: the records that kernels take, the seed, the range of games and the products to sum."""

    rules: Any
    policies: Any
    seed: int
    first_game: int
    games: int
    pairs: NDArray[np.int64]  # numbers of rows of PAIRS


class _Queue:
    """Hands out chunks of the job's games; a worker's chunk grows until it takes about CHUNK_SECONDS."""

    def __init__(self, job: Job) -> None:
        self._lock = threading.Lock()
        self._next = 0
        self._total = job.games
        self.done = 0
        self.stopped = False

    def take(self, wanted: int) -> tuple[int, int]:
        """Return the offset and the number of games of the next chunk; 0 games when there are no more."""
        with self._lock:
            games = 0 if self.stopped else min(wanted, self._total - self._next)
            start = self._next
            self._next += games
            return start, games

    def finish(self, games: int) -> None:
        """Note that so many games have been played."""
        with self._lock:
            self.done += games


def _work(job: Job, queue: _Queue) -> Tallies:
    """Play chunks until there are no more and return their totals."""
    table, tally = blank(TABLE), blank(TALLY)
    pairs = PAIRS[job.pairs]
    products = np.zeros(len(pairs), np.int64)
    total = Tallies.zero(COUNTS - 1)
    chunk = FIRST_CHUNK
    while True:
        start, games = queue.take(chunk)
        if not games:
            return total
        began = time.perf_counter()
        play_games(
            table, job.rules, job.policies, job.seed, job.first_game + start, games, tally, pairs, products
        )
        seconds = time.perf_counter() - began
        chunk = int(min(max(games * min(CHUNK_SECONDS / max(seconds, 1e-6), 4.0), 1), LARGEST_CHUNK))
        total += _totals(job, tally, products)
        _clear(tally)
        products[:] = 0
        queue.finish(games)


def _totals(job: Job, tally: Any, products: NDArray[np.int64]) -> Tallies:
    every = np.zeros(len(PAIRS), np.int64)
    every[job.pairs] = products
    names = ("sums", "present", "counts", "openings", "needs")
    arrays = {name: tally[name].copy() for name in names}
    return Tallies(games=tally["games"], stopped=tally["stopped"], products=every, **arrays)


def _clear(tally: Any) -> None:
    for name in TALLY.names or ():
        tally[name] = 0


def play(job: Job, threads: int | None = None, progress: Progress | None = None) -> Tallies:
    """Play the job's games and return their totals.

    Parameters
    ----------
    threads : None: one a core.
    progress : called with (games done, games in all) now and then, from the calling thread.
    """
    queue = _Queue(job)
    workers = min(threads or available_cores(), job.games)
    with ThreadPoolExecutor(workers, thread_name_prefix="fives") as pool:
        futures = [pool.submit(_work, job, queue) for _ in range(workers)]
        try:
            _follow(futures, queue, job.games, progress)
        finally:
            queue.stopped = True
    return reduce(add, (future.result() for future in futures))


def _follow(futures: list[Future[Tallies]], queue: _Queue, games: int, progress: Progress | None) -> None:
    pending = set(futures)
    while pending:
        finished, pending = wait(pending, timeout=POLL_SECONDS, return_when=FIRST_EXCEPTION)
        for future in finished:
            future.result()  # a worker's exception is raised here
        if progress is not None:
            progress(queue.done, games)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
