"""Playing a range of games on several threads into a ledger.

Kernels release the GIL, so threads of one process use all cores. Each takes the next chunk of games
when it is done with its last; totals are whole numbers, so neither their number nor the order matters.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from functools import partial
from typing import Generic, Protocol, TypeVar

from analyzer.errors import FivesError
from analyzer.ledger import Ledger, Part, Span

FIRST_CHUNK = 1  # games; a single one may take long
CHUNK_SECONDS = 0.05
LARGEST_CHUNK = 1 << 20
LARGEST_GROWTH = 8.0
POLL_SECONDS = 0.1
GRACE_SECONDS = 0.5  # for the chunks under way, after Ctrl-C
THREAD_NAME = "fives"

R = TypeVar("R")
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


class _Queue(Generic[T]):
    """Hands out chunks of the spans that are still to be played, and takes in what they added up to."""

    def __init__(self, ledger: Ledger[T], spans: Sequence[Span]) -> None:
        self._lock = threading.Lock()
        self._ledger = ledger
        self._spans = list(reversed(spans))
        self._closed = False

    def take(self, wanted: int) -> Span | None:
        """Return the next chunk of at most `wanted` games; None when there are no more."""
        with self._lock:
            if not self._spans:
                return None
            start, stop = self._spans.pop()
            end = min(start + wanted, stop)
            if end < stop:
                self._spans.append((end, stop))
            return start, end

    def hand_in(self, span: Span, part: T) -> None:
        """Count a chunk, unless nobody waits for it any more."""
        with self._lock:
            if not self._closed:
                self._ledger.add(span, part)

    def stop(self) -> None:
        """Hand out no more chunks."""
        with self._lock:
            self._spans.clear()

    def close(self) -> None:
        """Take in no more chunks."""
        with self._lock:
            self._closed = True


def _work(work: Work[T], queue: _Queue[T]) -> None:
    """Play chunks until there are no more; a chunk grows until it takes about CHUNK_SECONDS."""
    play_chunk = work.player()
    wanted = FIRST_CHUNK
    while (span := queue.take(wanted)) is not None:
        games = span[1] - span[0]
        began = time.perf_counter()
        queue.hand_in(span, play_chunk(span[0], games))
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
        On Ctrl-C, once the chunks under way are counted. One that takes longer than GRACE_SECONDS, as
        where kernels are still being compiled, is left alone and never counted.
    """
    missing = ledger.missing(span)
    queue = _Queue(ledger, missing)
    workers = min(threads or available_cores(), max(1, sum(stop - start for start, stop in missing)))
    futures = [started(partial(_work, work, queue)) for _ in range(workers)]
    try:
        _follow(futures, tick)
    except BaseException:
        queue.stop()
        try:
            wait(futures, timeout=GRACE_SECONDS)
        finally:
            queue.close()
        raise


class CrewLost(FivesError):
    """Who plays gave up in mid-run, for no fault of what is played: it can go on with others."""


class Crew(Protocol):
    """Who plays: the threads of this process, or the workers of a cluster."""

    def play(
        self, work: Work[T], span: Span, ledger: Ledger[T], tick: Callable[[], None] | None = None
    ) -> None:
        """Play what of `span` is missing in `ledger`; see `play`.

        Raises
        ------
        CrewLost
            Where the workers of a cluster go away, or give up.
        """
        ...


class Threads:
    """The threads of this process.

    Parameters
    ----------
    count : None: one a core.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count

    def play(
        self, work: Work[T], span: Span, ledger: Ledger[T], tick: Callable[[], None] | None = None
    ) -> None:
        """Play what of `span` is missing in `ledger`; see `play`."""
        play(work, span, ledger, self.count, tick)


def apart(function: Callable[[], R]) -> R:
    """Return what a function returns on a thread of its own: Ctrl-C never lands in compiled code then."""
    return started(function).result()


def started(function: Callable[[], R]) -> Future[R]:
    """Let a thread work that the process need not wait for at its end."""
    future: Future[R] = Future()

    def run() -> None:
        try:
            result = function()
        except BaseException as error:  # raised in the calling thread
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name=THREAD_NAME, daemon=True).start()
    return future


def are_at_work() -> bool:
    """Whether a thread still plays a chunk that nobody waits for."""
    return any(thread.name == THREAD_NAME for thread in threading.enumerate())


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
