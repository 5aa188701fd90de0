"""Finding a run's folder fit: a fresh one for a new run, or one whose run can go on.

A folder that is damaged, or that this version cannot continue exactly, is named with the reason in one
sentence; nothing in it is changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry, runs
from analyzer.errors import FivesError
from analyzer.folders import (
    MANIFEST,
    PAGE,
    PROGRESS,
    Folder,
    Saved,
    content_digest,
    is_page,
    lock,
    remove_temporary_files,
    resume_command,
    run_files,
    unlock,
)
from analyzer.ledger import Span, joined
from analyzer.manifest import COMPLETE, STATES, experiment_digest, origin
from analyzer.runs import CannotWrite, cannot_read
from analyzer.version import __version__

if TYPE_CHECKING:
    from analyzer.plans import Plan

AFRESH = "start afresh (with --force in the same folder)"
WHATS = {"random_stream_version": "random streams of version {}", "kernel_digest": "the kernels {}"}


def new_folder(path: Path, plan: Plan, *, force: bool = False) -> Folder:
    """Make a folder ready for a new run: make it where needed and try to write in it.

    Parameters
    ----------
    force : remove the files of a run that the folder holds; other files are left alone.

    Raises
    ------
    FivesError
        Where it cannot be made or written, is in use, or holds a run.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = lock(path)
    except OSError as error:
        raise CannotWrite(path, error) from error
    try:
        if force:
            _clear(path)
        elif held := run_files(path):
            raise FivesError(_refusal(path, plan, held))
        _probe(path)
    except BaseException:
        unlock(handle)
        raise
    return Folder(path, plan, handle)


def _clear(path: Path) -> None:
    """Remove the files of a run, and the page that tells of it."""
    remove_temporary_files(path)
    page = [PAGE] if is_page(path / PAGE) else []
    for name in [*run_files(path), *page]:
        try:
            (path / name).unlink()
        except OSError as error:
            raise CannotWrite(path / name, error) from error


def _probe(path: Path) -> None:
    probe = path / f".{os.getpid()}.probe"
    with runs.replacing(probe):
        pass
    runs.discard(probe)


def _refusal(path: Path, plan: Plan, held: list[str]) -> str:
    """Return why a folder that holds files of a run is not overwritten."""
    if MANIFEST not in held:
        return f"{path} already holds files of another run ({held[0]}): choose another folder, or {AFRESH}."
    manifest = _manifest(path)
    wanted = registry.plain({"command": plan.command, **plan.settings()})
    if any(manifest.get(name) != value for name, value in wanted.items()):
        return (
            f"{path} already holds another experiment: choose another folder, or overwrite it with --force."
        )
    saved = _saved(path, manifest, plan)
    if manifest["state"] == COMPLETE:
        return f"{path} already holds this experiment, complete: choose another folder, or {AFRESH}."
    done, count = sum(stop - start for start, stop in saved.done), plan.span[1] - plan.span[0]
    return (
        f"{path} already holds {done:,} of the {count:,} {plan.unit} of this experiment: "
        f"go on with {resume_command(path)} or {AFRESH}."
    )


def opened(path: Path) -> Folder:
    """Return the folder of a run that was begun, all of it checked.

    Raises
    ------
    FivesError
        Where it holds no run, is damaged, in use, or comes from another version.
    """
    try:
        handle = lock(path)
    except OSError as error:
        raise cannot_read(path, error) from error
    try:
        manifest = _manifest(path)
        plan = _plan(path, manifest)
        return Folder(path, plan, handle, _saved(path, manifest, plan))
    except BaseException:
        unlock(handle)
        raise


def _damaged(path: Path, what: str) -> FivesError:
    return FivesError(f"{path} is damaged: {what.rstrip('.')}; {AFRESH}.")


def _manifest(path: Path) -> dict[str, Any]:
    if not (path / MANIFEST).exists():
        if run_files(path):
            raise _damaged(path, f"it has no {MANIFEST}")
        raise FivesError(f"{path} holds no run: it has no {MANIFEST}.")
    manifest = _read_json(path, MANIFEST)
    if manifest.get("state") not in STATES or not _are_times(manifest.get("times")):
        raise _damaged(path, f"{MANIFEST} lacks the run's state or times")
    _check_version(path, manifest)
    return manifest


def _are_times(times: Any) -> bool:
    return (
        isinstance(times, dict)
        and isinstance(times.get("started"), str)
        and isinstance(times.get("seconds"), int | float)
    )


def _read_json(path: Path, name: str) -> dict[str, Any]:
    try:
        value = json.loads((path / name).read_bytes())
    except FileNotFoundError:
        raise _damaged(path, f"{name} is missing") from None
    except OSError as error:
        raise cannot_read(path / name, error) from error
    except (ValueError, RecursionError):
        raise _damaged(path, f"{name} is not JSON") from None
    if not isinstance(value, dict):
        raise _damaged(path, f"{name} is not a JSON object")
    return value


def _check_version(path: Path, manifest: Mapping[str, Any]) -> None:
    """Raise FivesError where other programs than these played the run."""
    versions = manifest.get("versions")
    other = versions.get("fives") if isinstance(versions, dict) else None
    if other is None or not set(WHATS) <= set(manifest):
        raise _damaged(path, f"{MANIFEST} lacks the versions that it was made with")
    if other != __version__:
        raise FivesError(
            f"{path} was made by fives {other} and this is {__version__}: use that version, or {AFRESH}."
        )
    for name, ours in origin().items():
        if manifest[name] != ours:
            was, now = WHATS[name].format(manifest[name]), WHATS[name].format(ours)
            raise FivesError(f"{path} was made with {was} and these are {now}: {AFRESH}.")


def _plan(path: Path, manifest: Mapping[str, Any]) -> Plan:
    try:
        return registry.plan_from(manifest)
    except FivesError as error:
        raise _damaged(path, f"in {MANIFEST}, {error}") from error


def _saved(path: Path, manifest: Mapping[str, Any], plan: Plan) -> Saved:
    progress = _read_json(path, PROGRESS)
    digest = progress.pop("digest", None)
    if set(progress) != {"experiment", "done", "total"} or digest != content_digest(progress):
        raise _damaged(path, f"{PROGRESS} is not as it was written")
    if progress["experiment"] != experiment_digest(plan):
        raise _damaged(path, f"the settings in {MANIFEST} are not those that {PROGRESS} is of")
    done = _spans(path, progress["done"], plan.span)
    try:
        total = plan.total_from_dict(progress["total"])
    except (FivesError, KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise _damaged(
            path, f"the totals in {PROGRESS} are not in the form that this version writes"
        ) from None
    if manifest["state"] == COMPLETE:
        _check_complete(path, manifest, done)
    return Saved(manifest, done, total)


def _spans(path: Path, value: Any, within: Span) -> list[Span]:
    try:
        spans = joined([(int(start), int(stop)) for start, stop in value])
    except (TypeError, ValueError):
        raise _damaged(path, f"the games done in {PROGRESS} are not spans") from None
    if any(not within[0] <= start < stop <= within[1] for start, stop in spans):
        raise _damaged(path, f"{PROGRESS} counts games that {MANIFEST} does not have")
    return spans


def _check_complete(path: Path, manifest: Mapping[str, Any], done: list[Span]) -> None:
    """Raise FivesError unless a complete folder has all its games and its files as they were written."""
    if manifest.get("done") != sum(stop - start for start, stop in done):
        raise _damaged(path, f"{MANIFEST} and {PROGRESS} differ in what is done")
    files = manifest.get("files")
    if not isinstance(files, dict) or not files:
        raise _damaged(path, f"{MANIFEST} does not list its files")
    for name, digest in files.items():
        try:
            found = runs.digest_of_file(path / Path(name).name)
        except FileNotFoundError:
            raise _damaged(path, f"{name} is missing") from None
        except OSError as error:
            raise cannot_read(path / name, error) from error
        if found != digest:
            raise _damaged(path, f"{name} is not as it was written")
