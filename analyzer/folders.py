"""A run's folder: kept while the run goes on, so that any end of it loses at most a few seconds.

`progress.json` holds what is played as whole-number totals and the spans of games that they are of. It is
written first and then now and then; `manifest.json` says whose totals these are and how the run stands; the
tables are written at the end, before the manifest says that the run is complete.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry, runs
from analyzer.errors import FivesError
from analyzer.ledger import Ledger, Span
from analyzer.manifest import RUNNING, STOPPED, Clock, experiment_digest, manifest_of
from analyzer.runs import CannotWrite
from reports.languages import PAGE_MARK

if TYPE_CHECKING:
    from analyzer.plans import Plan, Result
    from analyzer.workers import Work

MANIFEST, PROGRESS = "manifest.json", "progress.json"
PAGE = "report.html"  # of a run, where no other file is named
SAVE_SECONDS = 2.0


@dataclass(frozen=True)
class Saved:
    """What a folder holds of its run.

    Attributes
    ----------
    manifest : as it was last written.
    done : the spans of games that are counted.
    total : their totals.
    """

    manifest: Mapping[str, Any]
    done: list[Span]
    total: Any


class Folder:
    """The folder of one run; a context that keeps other processes away from it.

    Parameters
    ----------
    path : made ready by `analyzer.saved`, which makes these objects.
    plan : the run's.
    lock : to be closed at the end; -1: none.
    saved : what the folder holds already; None: nothing.
    """

    def __init__(self, path: Path, plan: Plan, lock: int, saved: Saved | None = None) -> None:
        self.path = path
        self.plan = plan
        self.saved = saved
        self._lock = lock
        self._last_save = time.monotonic()

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        unlock(self._lock)

    @property
    def times(self) -> Mapping[str, Any] | None:
        """The times of the part that is done; None where none is."""
        return None if self.saved is None else self.saved.manifest["times"]

    @property
    def is_resumable(self) -> bool:
        """Whether `fives resume` could go on from what is on disk."""
        return (self.path / MANIFEST).exists()

    def ledger(self, work: Work[Any]) -> Ledger[Any]:
        """Return the games that are done and their totals."""
        if self.saved is None:
            return Ledger(work.none())
        return Ledger(self.saved.total, self.saved.done)

    def begin(self, ledger: Ledger[Any], clock: Clock) -> None:
        """Say on disk that the run is under way."""
        remove_temporary_files(self.path)
        self.keep(ledger)
        self._write_manifest(manifest_of(self.plan, RUNNING, clock))

    def keep(self, ledger: Ledger[Any]) -> None:
        """Save what is done."""
        text = progress_text(self.plan, ledger)
        self._writing(lambda: runs.write_bytes(self.path / PROGRESS, text))
        self._last_save = time.monotonic()

    def keep_now_and_then(self, ledger: Ledger[Any]) -> None:
        """Save what is done unless that was done a moment ago."""
        if time.monotonic() - self._last_save >= SAVE_SECONDS:
            self.keep(ledger)

    def interrupt(self, ledger: Ledger[Any], clock: Clock) -> None:
        """Save what is done, and that the run was interrupted."""
        self.keep(ledger)
        self._write_manifest(manifest_of(self.plan, STOPPED, clock, done=ledger.games, why="interrupted"))

    def finish(
        self,
        result: Result,
        ledger: Ledger[Any],
        threads: int | None = None,
        tick: Callable[[], None] | None = None,
    ) -> None:
        """Save what is done, the tables, what else the plan writes, and that the run is complete.

        Parameters
        ----------
        threads : for what the plan writes; None: one a core.
        tick : called now and then while it does.
        """
        self.keep(ledger)
        tables = {registry.SUMMARY: result.summary_rows, **result.table_rows}
        digests = self._writing(lambda: runs.write_tables(self.path, tables))
        if (write_files := getattr(self.plan, "write_files", None)) is not None:
            digests |= self._writing(lambda: write_files(self.path, threads, tick))
        self._write_manifest(result.manifest | {"files": digests})

    def _write_manifest(self, manifest: Mapping[str, Any]) -> None:
        self._writing(lambda: runs.write_json(self.path / MANIFEST, manifest))

    def _writing(self, write: Callable[[], Any]) -> Any:
        try:
            return write()
        except CannotWrite as error:
            if not self.is_resumable:
                runs.discard(self.path / PROGRESS)
                raise
            raise FivesError(
                f"{error.problem}; what was saved before is kept: when it can be written again, "
                f"go on with: {resume_command(self.path)}"
            ) from error


def progress_text(plan: Plan, ledger: Ledger[Any]) -> bytes:
    """Return the content of `progress.json`."""
    done, total = ledger.state()
    content = {"experiment": experiment_digest(plan), "done": done, "total": total.as_dict()}
    return _compact({**content, "digest": content_digest(content)}) + b"\n"


def content_digest(content: Mapping[str, Any]) -> str:
    """Return the digest by which a changed `progress.json` is found out."""
    return runs.digest_of(_compact(content))


def _compact(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def resume_command(path: Path) -> str:
    """Return the shell line that goes on with a run."""
    word = str(path)
    return f"fives resume {shell_word(f'./{word}' if word.startswith('-') else word)}"


def shell_word(text: str) -> str:
    """Return a word that means `text` in a shell, in characters that every console shows where it must."""
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        escaped = "".join(
            chr(byte) if 32 <= byte < 127 and chr(byte) not in "'\\" else f"\\x{byte:02x}"
            for byte in os.fsencode(text)
        )
        return f"$'{escaped}'"
    return shlex.quote(text)


def run_files(path: Path) -> list[str]:
    """Return the names of a folder's files that are a run's, the manifest first."""
    tables = [table + suffix for table in sorted(registry.every_table()) for suffix in runs.TABLE_SUFFIXES]
    names = (MANIFEST, PROGRESS, *tables, *registry.ROW_FILES)
    return [name for name in names if os.path.lexists(path / name)]


def is_page(path: Path) -> bool:
    """Whether a file is a page that `analyzer.report` wrote; FivesError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return PAGE_MARK.encode() in file.read(2000)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise runs.cannot_read(path, error) from error


def remove_temporary_files(path: Path) -> None:
    """Remove what a killed run left of files that it was writing."""
    ours = (MANIFEST, PROGRESS, *registry.every_table(), *registry.ROW_FILES)
    for file in path.glob(".*.tmp"):
        if file.name.split(".", 1)[1].startswith(ours):
            runs.discard(file)


def lock(path: Path) -> int:
    """Keep other processes away from a folder and return what `unlock` takes; it ends with the process too.

    Raises
    ------
    FivesError
        Where another process is at work in it.
    OSError
        Where the folder cannot be opened.
    """
    try:
        import fcntl
    except ImportError:  # not POSIX
        return -1
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise FivesError(
            f"another run is at work in {path}: wait for it, or choose another folder."
        ) from None
    except OSError:
        pass  # a file system without locks
    return handle


def unlock(handle: int) -> None:
    """Let other processes in again."""
    if handle >= 0:
        os.close(handle)
