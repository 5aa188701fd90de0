"""The command line: a thin shell over the library, one module a command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; imports come late, so that Ctrl-C is always caught."""
    try:
        from analyzer.cli.app import main as run

        return run(args)
    except KeyboardInterrupt:
        print("fives: stopped.", file=sys.stderr)
        return INTERRUPTED
