"""Playing a range of games on the workers of a Dask cluster into a ledger.

A chunk's totals depend on its games alone, and the ledger adds them up in any order. So a worker that dies
loses nothing and changes nothing: its chunks are played once more elsewhere. The ledger, and the folder that
keeps it, stay with the process that began the run.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.errors import FivesError
from analyzer.ledger import Ledger, Part, Span
from analyzer.manifest import origin
from analyzer.version import __version__
from analyzer.workers import POLL_SECONDS, CrewLost, Work

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T", bound=Part)

LOCAL = "local:"
MOST_LOCAL = 256
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "ucx://", "inproc://")
CONNECT_SECONDS = 10.0
FIRST_CHUNK = 1  # games; a single one may take long
CHUNK_SECONDS = 1.0  # long against the cluster's milliseconds a task, short against a run
LEAST_PART = 10  # towards the end chunks shrink to this part of that
LARGEST_CHUNK = 1 << 24
LARGEST_GROWTH = 8
QUEUED = 3  # chunks under way for each thread of the cluster, so that none waits
RETRIES = 10  # workers that may die under one chunk, before the chunk itself is held to be the reason
LOGS = ("distributed", "distributed.client", "tornado")  # silenced: one sentence tells what goes wrong
EXTRA = "python -m pip install 'fives[cluster]'"


class Cluster:
    """The workers of a Dask scheduler; a context that is connected to it.

    Parameters
    ----------
    address : "tcp://host:8786", or "local:N" for N processes on this machine, which end with the context.

    Raises
    ------
    FivesError
        Where Dask is not installed, the address is none, the scheduler cannot be reached, it has no workers,
        or its workers have another version of fives.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._open = contextlib.ExitStack()
        self._client: Client
        self._identity: dict[str, str]
        self._pace = _Pace()

    def __enter__(self) -> Cluster:
        with self._open:
            self._client = self._open.enter_context(_client(self.address))
            self._identity = identity()
            _check_workers(self._client, self.address)
            self._open = self._open.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        with _ignoring_ctrl_c():  # a close that is broken off waits long for what it no longer hears of
            self._open.close()

    def play(
        self, work: Work[T], span: Span, ledger: Ledger[T], tick: Callable[[], None] | None = None
    ) -> None:
        """Play what of `span` is missing in `ledger`; as `analyzer.workers.play` does with threads.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C; chunks under way are given up.
        CrewLost
            Where the cluster goes away, or gives the run up.
        """
        chunks = _Chunks(ledger.missing(span), self._pace)
        pending: dict[Future, Span] = {}
        try:
            while chunks or pending:
                most = self._most()
                for chunk in chunks.take(most - len(pending), most):
                    pending[self._submitted(work, chunk)] = chunk
                self._take_in(pending, ledger)
                if tick is not None:
                    tick()
        except BaseException:
            with contextlib.suppress(Exception):
                self._client.cancel(list(pending), force=True)
            raise

    def _most(self) -> int:
        """Return how many chunks may be under way."""
        self._check_alive()
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError as error:
            raise self._lost() from error
        return QUEUED * max(1, sum(threads.values()))

    def _submitted(self, work: Work[Any], chunk: Span) -> Future:
        return self._client.submit(
            play_chunk, work, chunk[0], chunk[1] - chunk[0], self._identity, pure=False, retries=RETRIES
        )

    def _take_in(self, pending: dict[Future, Span], ledger: Ledger[Any]) -> None:
        """Wait a moment for chunks, and count those that are done."""
        from distributed import CancelledError, wait

        with contextlib.suppress(TimeoutError, CancelledError):  # `_result` tells of the latter
            wait(list(pending), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
        self._check_alive()
        for future in [future for future in pending if future.done()]:
            chunk = pending.pop(future)
            part, seconds = _result(future, self.address)
            ledger.add(chunk, part)
            self._pace.learn(chunk[1] - chunk[0], seconds)

    def _check_alive(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> CrewLost:
        return CrewLost(f"the connection to the cluster at {self.address} was lost.")


class _Pace:
    """How many games make a chunk that takes about CHUNK_SECONDS, as chunks have shown so far."""

    def __init__(self) -> None:
        self._games = FIRST_CHUNK
        self._largest = FIRST_CHUNK

    def size(self, left: int, most: int) -> int:
        """Return the games of the next chunk.

        Where fewer are left than `most` full chunks it is a share of them, so that chunks shrink towards the
        end and no thread plays a long one while others have none (guided self-scheduling: C. D.
        Polychronopoulos and D. J. Kuck, IEEE Transactions on Computers C-36, 1987).
        """
        return max(1, self._games // LEAST_PART, min(self._games, left // most))

    def learn(self, games: int, seconds: float) -> None:
        """Fit the size of the next chunks to how long one took."""
        self._largest = max(self._largest, games)
        fitting = int(games * CHUNK_SECONDS / max(seconds, 1e-6))
        self._games = max(1, min(fitting, LARGEST_GROWTH * self._largest, LARGEST_CHUNK))


class _Chunks:
    """The spans that are still to be played, cut into chunks."""

    def __init__(self, spans: list[Span], pace: _Pace) -> None:
        self._spans = list(reversed(spans))
        self._left = sum(stop - start for start, stop in spans)
        self._pace = pace

    def __bool__(self) -> bool:
        return bool(self._spans)

    def take(self, count: int, most: int) -> Iterator[Span]:
        """Yield at most `count` chunks, where at most `most` are under way at a time."""
        while count > 0 and self._spans:
            start, stop = self._spans.pop()
            end = min(start + self._pace.size(self._left, most), stop)
            if end < stop:
                self._spans.append((end, stop))
            self._left -= end - start
            count -= 1
            yield start, end


def play_chunk(work: Work[Any], first: int, games: int, wanted: dict[str, str]) -> tuple[Any, float]:
    """Play a chunk on a worker; return its totals and the seconds it took.

    Raises
    ------
    CrewLost
        Where this worker's fives is not the one that began the run.
    """
    if (found := identity()) != wanted:
        raise _versions_differ(found, wanted)
    began = time.perf_counter()
    part = work.player()(first, games)
    return part, time.perf_counter() - began


def identity() -> dict[str, str]:
    """Return what must be the same on every worker: the version, the kernels and the random streams."""
    return {"fives": __version__, **{name: str(value) for name, value in origin().items()}}


def _versions_differ(found: dict[str, str], wanted: dict[str, str]) -> CrewLost:
    name = next(name for name in wanted if found.get(name) != wanted[name])
    what = {"fives": "fives", "kernel_digest": "kernels", "random_stream_version": "random streams"}
    return CrewLost(
        f"a worker has {what.get(name, name)} {found.get(name)} and this is {wanted[name]}: "
        "install the same version of fives on all of them."
    )


@contextlib.contextmanager
def _client(address: str) -> Iterator[Client]:
    """Connect to a scheduler, or start one with workers of its own."""
    local = _local_workers(address)
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise FivesError(f"a cluster needs Dask, which is not installed: run {EXTRA}.") from error
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        if local is not None:
            with _deaf_to_ctrl_c():
                target: Any = stack.enter_context(
                    LocalCluster(
                        n_workers=local,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",  # of its web server; any free port
                        scheduler_kwargs={"dashboard": False},
                        silence_logs=logging.CRITICAL,
                    )
                )
        else:
            target = address
        try:
            client = Client(target, timeout=CONNECT_SECONDS)
        except (
            OSError,
            TimeoutError,
            ValueError,
            TypeError,
        ) as error:  # the last: what tls:// and ucx:// lack
            raise FivesError(
                f"the scheduler at {address} cannot be reached: check the address and that it is running."
            ) from error
        yield stack.enter_context(client)


@contextlib.contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C do nothing in this block, where this is the main thread, which alone gets it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Have threads that start in this block, and all processes that these start, never get Ctrl-C.

    A terminal sends it to workers on this machine as well, which would die of it before they are told to end.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not POSIX
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would undo the block when the first process starts it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _local_workers(address: str) -> int | None:
    """Return the number of workers that "local:N" asks for; None for an address."""
    if address.startswith(LOCAL):
        digits = address.removeprefix(LOCAL)
        if digits.isascii() and digits.isdecimal() and len(digits) < 4 and 1 <= int(digits) <= MOST_LOCAL:
            return int(digits)
        raise FivesError(f"cluster is {address!r}: local: needs a number of workers from 1 to {MOST_LOCAL}.")
    if not address.startswith(SCHEMES):
        raise FivesError(f"cluster is {address!r}: name a scheduler such as tcp://host:8786, or local:2.")
    return None


def _check_workers(client: Client, address: str) -> None:
    """Raise FivesError where no worker is there, or one has another fives."""
    if not client.nthreads():
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        if not client.nthreads():
            raise FivesError(f"the scheduler at {address} has no workers: start some, as with dask worker.")
    try:
        found = client.run(identity, on_error="return")
    except OSError as error:
        raise FivesError(f"the connection to the cluster at {address} was lost.") from error
    for answer in found.values():
        if isinstance(answer, ImportError | AttributeError):
            raise FivesError(f"a worker of {address} has no fives: {EXTRA.replace('[cluster]', '')} there.")
        if isinstance(answer, dict) and answer != identity():
            raise _versions_differ(answer, identity())


def _result(future: Future, address: str) -> tuple[Any, float]:
    """Return what a chunk came to; CrewLost where the cluster did not play it."""
    from distributed import CancelledError
    from distributed.scheduler import KilledWorker

    try:
        result: tuple[Any, float] = future.result()
    except CancelledError as error:
        raise CrewLost(f"the cluster at {address} cancelled the run.") from error
    except KilledWorker as error:
        raise CrewLost(
            f"workers of {address} died again and again under the same games: look at their logs and memory."
        ) from error
    except ImportError as error:
        raise CrewLost(
            f"a worker of {address} has no fives: {EXTRA.replace('[cluster]', '')} there."
        ) from error
    return result
