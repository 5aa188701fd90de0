"""Hold that a run's memory does not grow with its rounds: peak resident memory of a long run and a short one.

Usage: python tests/bench/memory.py [--rounds N]

The bar is 5 %. A hundred million rounds take a minute or two.
"""

from __future__ import annotations

import argparse
import sys

from compare import peak_of

SHORT = 100_000
BAR = 1.05


def main() -> int:
    """Print both peaks and their ratio; 1 where it passes the bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100_000_000)
    given = parser.parse_args()
    peak_of(SHORT)  # compiled and cached, so that neither run has the compiler in its memory
    short, long = peak_of(SHORT), peak_of(given.rounds)
    print(
        f"peak memory: {SHORT:,} rounds {short:.0f} MiB, "
        f"{given.rounds:,} rounds {long:.0f} MiB, ratio {long / short:.3f}, bar {BAR}"
    )
    return 0 if long <= BAR * short else 1


if __name__ == "__main__":
    sys.exit(main())
