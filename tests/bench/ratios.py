"""Hold `fives bench` against its last results: the new ones beside the old, line by line, and their ratios.

Usage: python tests/bench/ratios.py [--rounds N] [--repeats R]

The results are kept in last.json beside this file, which git does not track; there the next call finds them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

LAST = Path(__file__).parent / "last.json"
LINE = ("rules", "players", "policy", "threads")


def measured(rounds: int, repeats: int) -> dict[str, Any]:
    """Return what `fives bench --json` prints."""
    words = ["bench", "--rounds", str(rounds), "--repeats", str(repeats), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "analyzer.cli", *words], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def lines(results: dict[str, Any]) -> dict[str, float]:
    """Return every figure by a name: the fewer the better, so that a ratio below 1 is a gain."""
    found = {" ".join(str(row[name]) for name in LINE): row["ns_per_play"] for row in results["speed"]}
    found |= {f"{row['rules']} {row['policy']}: ms a turn": row["ms_per_turn"] for row in results["search"]}
    found |= {f"start {row['start']}": row["seconds"] for row in results["start"]}
    return found | {f"memory {row['rounds']:,} rounds": row["mebibytes"] for row in results["memory"]}


def table(new: dict[str, Any], old: dict[str, Any] | None) -> list[str]:
    """Return the lines to print: new, last and ratio; a figure that the last results lack has no ratio."""
    before = {} if old is None else lines(old)
    head = f"{'rules, players, policy, threads: ns a play':44}{'new':>10}{'last':>10}{'ratio':>8}"
    shown = [head]
    for name, value in lines(new).items():
        last = before.get(name)
        beside = f"{last:10.2f}{value / last:8.2f}" if last else f"{'-':>10}{'-':>8}"
        shown.append(f"{name:44}{value:10.2f}{beside}")
    return shown


def main() -> None:
    """Measure, print the table and keep the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    new = measured(given.rounds, given.repeats)
    old = json.loads(LAST.read_text(encoding="utf-8")) if LAST.exists() else None
    print("\n".join(table(new, old)))
    whole = LAST.with_suffix(".new")
    whole.write_text(json.dumps(new, indent=2) + "\n", encoding="utf-8")
    os.replace(whole, LAST)


if __name__ == "__main__":
    main()
