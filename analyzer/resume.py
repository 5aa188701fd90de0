"""Going on with a run that was stopped, whatever stopped it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer import limits
from analyzer.manifest import COMPLETE
from analyzer.plans import Result, execute
from analyzer.saved import opened

if TYPE_CHECKING:
    from analyzer.folders import Folder
    from analyzer.workers import Progress


def resume(
    path: str | Path, *, threads: int | None = None, progress: Progress | None = None
) -> Result | None:
    """Play what a run's folder still lacks; it ends with the files of a run that was never stopped.

    Parameters
    ----------
    threads : None: one a core. The result does not depend on it.
    progress : called with (done, in all) now and then.

    Returns
    -------
    Result or None
        None where the run was complete already.

    Raises
    ------
    FivesError
        Where the folder holds no run, is damaged, in use, cannot be written, or comes from another version.
    """
    limits.check_threads(threads)
    with opened(Path(path)) as folder:
        if is_complete(folder):
            return None
        return execute(folder.plan, threads=threads, progress=progress, folder=folder)


def is_complete(folder: Folder) -> bool:
    """Whether nothing of the folder's run is left to play."""
    return folder.saved is not None and folder.saved.manifest["state"] == COMPLETE
