"""What a run tells of its compiled kernels: that some are compiled, before the waiting, or cannot be read."""

from __future__ import annotations

import logging
import traceback

from analyzer.cli.output import tell

LOGGER = "kernels.jit"  # by its name, since that module loads Numba
EXPECTED = "up to 40 seconds, or two minutes with search"


class _Notice(logging.Handler):
    """Makes one line on stderr of the first record of `kernels.jit`, and nothing of the others."""

    def __init__(self) -> None:
        super().__init__()
        self._told = False

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it once; a handler is called by one thread at a time."""
        from kernels.cachedir import ENVIRONMENT_VARIABLE
        from kernels.jit import CACHE_FOLDER

        if self._told:
            return
        self._told = True
        compiling = f"compiling the kernels that this run needs, which takes {EXPECTED}; "
        if CACHE_FOLDER is not None:
            tell(f"{compiling}later runs find them.")
        else:
            tell(
                f"{compiling}no folder can be written to keep them in, so every run does this: "
                f"name one with {ENVIRONMENT_VARIABLE}."
            )


_NOTICE = _Notice()


def announce_compilation() -> None:
    """Let this process say, once, that it compiles, as soon as it compiles a kernel that the cache lacks.

    Numba itself reports that it begins to compile (`kernels.jit`), so nothing has to be known of which
    kernels a command calls, or of what the folder holds; and nothing is loaded for it.
    """
    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.INFO)
    logger.addHandler(_NOTICE)  # again and again is as once


def unreadable_cache(error: BaseException | None) -> str | None:
    """Return what to do about an error of Numba's as it read a kernel that is kept; None for any other error.

    A folder whose files were cut short, as when a machine lost its power, raises errors of many kinds.
    """
    frames = [] if error is None else [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if not any(
        frame.f_globals.get("__name__") == "numba.core.caching" and frame.f_code.co_name == "load_overload"
        for frame in frames
    ):
        return None
    from kernels.jit import CACHE_FOLDER

    what = f"the compiled kernels in {CACHE_FOLDER} cannot be read"
    return f"{what}: remove that folder, and they are compiled anew."
