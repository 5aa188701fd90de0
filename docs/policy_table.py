"""Write docs/policy-table.md: every policy against every other, by rule set and number of players.

Usage: python docs/policy_table.py [--out FILE] [--games N]        (or: make policy-table)
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import fives
from analyzer.rulesets import PLAYERS, in_words
from analyzer.seatings import Seatings

NAMES = ("exact61", "allfives", "partout5", "draw")
SEED = 1
CONFIDENCE = 0.95
GAMES = 1000  # of each pair, at least
HERE = Path(__file__).parent
HEAD = """# Every policy against every other

Made by `make policy-table` (`docs/policy_table.py`), which calls `fives.compare` for each rule set and number
of players with all policies; nothing on this page is typed by hand. [policies.md](policies.md) says what the
policies do, [compare.md](compare.md) how they are compared.

A cell is how many of 100 games the row's policy wins against the column's, on the same deals in every
seating: 50 is even with two sides. With three or four sides it is per side that it holds, so 33 or 25 is
even. `all` is the mean over the games with all others, with its {confidence:g} % interval. Seed {seed},
deals from 0. Policies stand in the order of `all`.
"""


def deals_for(sides: int, games: int) -> int:
    """Return how many deals give each pair so many games."""
    return math.ceil(games / Seatings(sides).count)


def section(name: str, players: int, games: int) -> Iterator[str]:
    """Yield the lines of one rule set and number of players."""
    rules = fives.rule_set(name, players=players)
    deals = deals_for(rules.side_count, games)
    result = fives.compare(rules, list(fives.POLICIES), deals=deals, seed=SEED, confidence=CONFIDENCE)
    rows = sorted(result.table_rows["policies"], key=lambda row: -row["win_rate"])
    order = [row["policy"] for row in rows]
    per_pair = result.manifest["games_played"] // math.comb(len(order), 2)
    stopped = result.manifest["games_stopped"]
    yield f"\n## {in_words(rules)}\n"
    yield f"{deals:,} deals, {per_pair:,} games of each pair; {stopped:,} games stopped by the round guard.\n"
    yield from _lines(order, rows, {row["policy"]: row for row in result.table_rows["matrix"]})


def _lines(
    order: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    matrix: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the markdown table."""
    numbers = [str(place) for place in range(1, len(order) + 1)]
    yield "| | policy | all | " + " | ".join(numbers) + " |"
    yield "| --- | --- | --- |" + " --- |" * len(order)
    for number, row in zip(numbers, rows, strict=True):
        name = row["policy"]
        cells = ["·" if name == other else f"{100 * matrix[name][other]:.0f}" for other in order]
        half = 100 * (row["high"] - row["low"]) / 2
        yield f"| {number} | `{name}` | {100 * row['win_rate']:.1f} ± {half:.1f} | {' | '.join(cells)} |"


def page(games: int, names: Sequence[str] = NAMES) -> str:
    """Return the whole page."""
    lines = [HEAD.format(confidence=100 * CONFIDENCE, seed=SEED)]
    for name in names:
        for players in PLAYERS:
            began = time.perf_counter()
            lines += section(name, players, games)
            print(f"{name}, {players} players: {time.perf_counter() - began:.0f} s", flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--out", type=Path, default=HERE / "policy-table.md")
    parser.add_argument("--games", type=int, default=GAMES)
    given = parser.parse_args()
    given.out.write_text(page(given.games), encoding="utf-8")


if __name__ == "__main__":
    main()
