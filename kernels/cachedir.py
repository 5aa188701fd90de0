"""Where compiled kernels are kept: a folder named by a digest of their sources.

Numba stamps a cached function with the file of that function alone, so after an edit of an imported kernel
module stale machine code would run on. A folder per digest of all kernel sources, and per bounds-check
flag, cannot go stale. Without any folder that can be written, kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import platformdirs

ENVIRONMENT_VARIABLE = "FIVES_CACHE_DIR"


def source_digest() -> str:
    """Return 16 hex digits that name the kernel sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _candidates() -> Iterator[Path]:
    given = os.environ.get(ENVIRONMENT_VARIABLE)
    if given:
        yield Path(given)
    yield Path(platformdirs.user_cache_dir("fives", appauthor=False))
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"fives-{owner}"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can put machine code into the folder."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return _is_ours(folder)
    except OSError:
        return False


def pin() -> Path | None:
    """Point Numba at the folder for these sources and return it; None where nothing can be written."""
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    name = f"kernels-{source_digest()}{checked}"
    for base in _candidates():
        folder = base / name
        if base.is_absolute() and _usable(folder):
            numba.config.CACHE_DIR = str(folder)
            return folder
    return None


def is_cold(folder: Path | None) -> bool:
    """Whether no compiled kernel is kept there."""
    return folder is None or not any(folder.rglob("*.nbc"))
