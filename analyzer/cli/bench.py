"""`fives bench`: how fast this machine plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.output import emit_json, emit_table

DEFAULT_ROUNDS = 200_000
DEFAULT_REPEATS = 5
WORDS = ("rules", "policy", "start")


def bench(
    rounds: Annotated[
        int, options.number("--rounds", metavar="N", help="Rounds a run of a fast policy.")
    ] = DEFAULT_ROUNDS,
    repeats: Annotated[
        int, options.number("--repeats", metavar="R", help="Runs of each case, after one to warm up.")
    ] = DEFAULT_REPEATS,
    speed_only: Annotated[
        bool, typer.Option("--speed-only", help="Leave out search, starts and memory.")
    ] = False,
    json: options.AsJson = False,
) -> None:
    """Time the kernels: rounds a second and ns a play, medians with the slowest and fastest run."""
    limits.check_count("rounds", rounds)
    limits.check_count("repeats", repeats)
    from analyzer import bench as timing
    from analyzer.manifest import versions
    from analyzer.workers import available_cores

    tables: dict[str, list[dict[str, Any]]] = {"speed": list(timing.speeds(timing.cases(rounds), repeats))}
    if not speed_only:
        from analyzer.bench_search import searches

        tables["search"] = list(searches(repeats))
        tables |= {"start": timing.starts(repeats), "memory": timing.memory()}
    if json:
        emit_json({"versions": versions(), "cores": available_cores(), "repeats": repeats, **tables})
        return
    for name, rows in tables.items():
        if not rows:  # as of the memory, where the system does not tell it
            continue
        emit_table(name, [_shown(row) for row in rows], words=[word for word in WORDS if word in rows[0]])


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for people: times and sizes to one decimal."""
    return {name: f"{value:.1f}" if isinstance(value, float) else value for name, value in row.items()}
