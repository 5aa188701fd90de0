"""What a first run tells: that the kernels are being compiled, and how long that takes."""

from __future__ import annotations

from analyzer.cli.output import tell

EXPECTED = "10 to 30 seconds"


def announce_compilation() -> None:
    """Say so on stderr, once for each version of the kernels, where a run has to compile first."""
    from kernels.cachedir import ENVIRONMENT_VARIABLE
    from kernels.jit import CACHE_FOLDER, is_cold

    if not is_cold():
        return
    if CACHE_FOLDER is not None:
        tell(f"compiling the kernels, which takes {EXPECTED}; only the first run does this.")
    else:
        tell(
            f"compiling the kernels, which takes {EXPECTED}; no folder can be written to keep them in, so "
            f"every run does this: name one with {ENVIRONMENT_VARIABLE}."
        )
