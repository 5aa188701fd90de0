"""The folder of a tuning: `tuning.json` while it goes on, the policy and a table of generations at its end.

`tuning.json` holds the settings and, of each generation, its candidates and their wins: all that the search
was told; at its end what came out too. It is written after each generation, whole or not at all, so that
whatever stops a tuning costs at most one generation.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer import manifest, runs
from analyzer.errors import FivesError
from analyzer.folders import (
    content_digest,
    lock,
    remove_temporary_files,
    resume_command,
    run_files,
    unlock,
)
from analyzer.policy_file import policy_text
from analyzer.tune import Tuned, Tuning, from_settings

STATE, POLICY, GENERATIONS = "tuning.json", "policy.toml", "generations.csv"


class TuningFolder:
    """The folder of one tuning; a context that keeps other processes away from it.

    Parameters
    ----------
    path : made ready by `new_folder` or `opened`.
    handle : the lock, freed at the end.
    past : of each generation that is done its candidates and their wins.
    found : what came out, as `Tuned.kept` has it; None while the tuning goes on.
    """

    def __init__(
        self,
        path: Path,
        handle: int,
        tuning: Tuning,
        past: list[dict[str, Any]],
        found: dict[str, Any] | None = None,
    ) -> None:
        self.path, self.tuning, self.past, self.found = path, tuning, past, found
        self._handle = handle

    def __enter__(self) -> TuningFolder:
        return self

    def __exit__(self, *_: object) -> None:
        unlock(self._handle)

    @property
    def is_complete(self) -> bool:
        """Whether the policy is written, and what came out is kept."""
        return (self.path / POLICY).exists() and self.found is not None

    def keep(self) -> None:
        """Write down what the search was told."""
        content = {"settings": self.tuning.settings(), **origin(), "generations": self.past}
        content |= {} if self.found is None else {"found": self.found}
        runs.write_json(self.path / STATE, {**content, "digest": content_digest(content)}, indent=None)

    def finish(self, tuned: Tuned) -> None:
        """Write what came out: into the state, as a table of generations, and the policy last."""
        self.found = tuned.kept()
        self.keep()
        runs.write_bytes(self.path / GENERATIONS, runs.csv_text(tuned.generations).encode())
        runs.write_bytes(self.path / POLICY, policy_text(tuned.policy, tuned.recipe()).encode())


def origin() -> dict[str, Any]:
    """Return what the same settings must meet to give the same search."""
    import cmaes

    return {**manifest.origin(), "versions": manifest.versions() | {"cmaes": cmaes.__version__}}


def is_tuning(path: Path) -> bool:
    """Whether a folder holds a tuning."""
    return (path / STATE).is_file()


def new_folder(path: Path, tuning: Tuning, *, force: bool = False) -> TuningFolder:
    """Make a folder ready for a tuning.

    Raises
    ------
    FivesError
        Where it cannot be written, is in use, or holds a run or another tuning; `force` overwrites a tuning.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = lock(path)
    except OSError as error:
        raise runs.CannotWrite(path, error) from error
    try:
        if run_files(path):
            raise FivesError(f"{path} already holds a run: choose another folder.")
        if is_tuning(path) and not force:
            raise FivesError(
                f"{path} already holds a tuning: go on with {resume_command(path)}, or overwrite it with "
                "--force."
            )
        for name in (POLICY, GENERATIONS, STATE):
            runs.discard(path / name)
        folder = TuningFolder(path, handle, tuning, [])
        folder.keep()
    except BaseException:
        unlock(handle)
        raise
    return folder


def opened(path: Path) -> TuningFolder:
    """Return the folder of a tuning that was begun.

    Raises
    ------
    FivesError
        Where it is damaged, in use, or comes from another version.
    """
    try:
        handle = lock(path)
    except OSError as error:
        raise runs.cannot_read(path, error) from error
    try:
        remove_temporary_files(path)
        content = _read(path / STATE)
        tuning = from_settings(content["settings"])
        past = content["generations"]
        found = content.get("found") if len(past) == tuning.generations else None
        return TuningFolder(path, handle, tuning, past, found)
    except BaseException:
        unlock(handle)
        raise


def _read(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        digest = content.pop("digest")
    except OSError as error:
        raise runs.cannot_read(path, error) from error
    except (ValueError, KeyError, AttributeError) as error:
        raise FivesError(f"{path} is damaged: start afresh in another folder.") from error
    if digest != content_digest(content):
        raise FivesError(f"{path} is not as it was written: start afresh in another folder.")
    if any(content[name] != value for name, value in origin().items()):
        raise FivesError(
            f"{path} was begun by other versions of fives or of its packages, so it would not go on as it "
            "began: start afresh in another folder."
        )
    return content
