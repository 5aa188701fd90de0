"""Playing a range of games on several threads into a ledger.

Kernels release the GIL, so threads of one process use all cores. Each takes the next chunk of games
when it is done with its last; totals are whole numbers, so neither their number nor the order matters.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

from analyzer.ledger import Ledger, Part, Span

FIRST_CHUNK = 256  # games; long enough to time, short enough to answer
CHUNK_SECONDS = 0.05
LARGEST_CHUNK = 1 << 20
LARGEST_GROWTH = 4.0
POLL_SECONDS = 0.1

T = TypeVar("T", bound=Part)
T_co = TypeVar("T_co", bound=Part, covariant=True)
Progress = Callable[[int, int], None]


class Work(Protocol[T_co]):
    """What is played; one object serves all threads."""

    def none(self) -> T_co:
        """Return the totals of no games."""
        ...

    def player(self) -> Callable[[int, int], T_co]:
        """Return one thread's own function: (first game, number of games) to their totals."""
        ...


class _Queue:
    """Hands out chunks of the spans that are still to be played."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._lock = threading.Lock()
        self._spans = list(reversed(spans))
        self.stopped = False

    def take(self, wanted: int) -> Span | None:
        """Return the next chunk of at most `wanted` games; None when there are no more."""
        with self._lock:
            if self.stopped or not self._spans:
                return None
            start, stop = self._spans.pop()
            end = min(start + wanted, stop)
            if end < stop:
                self._spans.append((end, stop))
            return start, end


def _work(work: Work[T], queue: _Queue, ledger: Ledger[T]) -> None:
    """Play chunks until there are no more; a chunk grows until it takes about CHUNK_SECONDS."""
    play_chunk = work.player()
    wanted = FIRST_CHUNK
    while (span := queue.take(wanted)) is not None:
        games = span[1] - span[0]
        began = time.perf_counter()
        ledger.add(span, play_chunk(span[0], games))
        seconds = max(time.perf_counter() - began, 1e-6)
        wanted = max(1, min(int(games * min(CHUNK_SECONDS / seconds, LARGEST_GROWTH)), LARGEST_CHUNK))


def play(
    work: Work[T],
    span: Span,
    ledger: Ledger[T],
    threads: int | None = None,
    tick: Callable[[], None] | None = None,
) -> None:
    """Play what of `span` is missing in `ledger`.

    Parameters
    ----------
    threads : None: one a core.
    tick : called every POLL_SECONDS from the calling thread.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C, after the chunks under way are done; the ledger then holds all that was played.
    """
    missing = ledger.missing(span)
    queue = _Queue(missing)
    workers = min(threads or available_cores(), max(1, sum(stop - start for start, stop in missing)))
    with ThreadPoolExecutor(workers, thread_name_prefix="fives") as pool:
        futures = [pool.submit(_work, work, queue, ledger) for _ in range(workers)]
        try:
            _follow(futures, tick)
        finally:
            queue.stopped = True


def _follow(futures: Sequence[Future[None]], tick: Callable[[], None] | None) -> None:
    pending = set(futures)
    while pending:
        finished, pending = wait(pending, timeout=POLL_SECONDS, return_when=FIRST_EXCEPTION)
        for future in finished:
            future.result()  # a worker's exception is raised here
        if tick is not None:
            tick()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
