"""What a first run tells: that the kernels are being compiled, and how long that takes."""

from __future__ import annotations

from analyzer.cli.output import tell

EXPECTED_SECONDS = 10


def announce_compilation() -> None:
    """Say so on stderr, once for each version of the kernels, where a run has to compile first."""
    from kernels.cachedir import ENVIRONMENT_VARIABLE
    from kernels.jit import CACHE_FOLDER, is_cold

    if not is_cold():
        return
    if CACHE_FOLDER is not None:
        tell(f"compiling the kernels, about {EXPECTED_SECONDS} seconds; only the first run does this.")
    else:
        tell(
            f"compiling the kernels, about {EXPECTED_SECONDS} seconds; no folder can be written to keep them "
            f"in, so every run does this: name one with {ENVIRONMENT_VARIABLE}."
        )
