"""`fives simulate`: many rounds or games, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyzer import limits, runs
from analyzer.cli import options
from analyzer.cli.kernels import announce_compilation
from analyzer.cli.output import emit, emit_json, emit_table, tell
from analyzer.cli.progress import progress_bar
from analyzer.errors import FivesError, unknown
from analyzer.policies import Policy
from analyzer.rulesets import DEFAULT_PLAYERS, RuleSet

if TYPE_CHECKING:
    from analyzer.plans import Result

HIDDEN = ("clusters",)
WORDS = ("metric", "scope", "unit", "tile", "end")


def simulate(
    rules: options.RulesName,
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    rounds: options.Rounds = None,
    games: options.Games = None,
    seed: options.Seed = options.DEFAULT_SEED,
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="T", help="Threads, 1 to 256. [default: all cores]"),
    ] = None,
    first_game: options.FirstGame = 0,
    tile_set: options.TileSet = None,
    target: options.Target = None,
    hand_size: options.HandSize = None,
    sides: options.Sides = None,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="C", help="The confidence of the intervals.")
    ] = options.DEFAULT_CONFIDENCE,
    json: options.AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="[TABLE]", help=f"Print a table as CSV: {', '.join(runs.TABLES)}."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write manifest and tables (CSV, Parquet) into DIR too."),
    ] = None,
) -> None:
    """Play many rounds or games and print what they show. Give either --rounds or --games."""
    count = _checked_count(rounds, games, seed, threads, first_game, confidence)
    rule_set = options.chosen_rules(
        rules,
        players=players,
        tile_set=tile_set,
        target=target,
        hand_size=hand_size,
        sides=sides,
        by_rounds=rounds is not None,
    )
    policies = options.chosen_policies(policy, rule_set)
    _check_outputs(json, csv, out)
    unit = "games" if rounds is None else "rounds"
    announce_compilation()
    with progress_bar(unit) as progress:
        from analyzer.simulate import simulate as play

        result = play(
            rule_set,
            policies,
            rounds=rounds,
            games=games,
            seed=seed,
            threads=threads,
            first_game=first_game,
            confidence=confidence,
            progress=progress,
        )
    _write(result, out)
    title = _title(rule_set, policies, f"{count:,} {unit}", seed, first_game, confidence)
    _print(result, title, json, csv)


def _checked_count(
    rounds: int | None,
    games: int | None,
    seed: int,
    threads: int | None,
    first_game: int,
    confidence: float,
) -> int:
    """Return the number of rounds or games, all numbers being in range."""
    count = limits.run_size(rounds, games)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_threads(threads)
    limits.check_confidence(confidence)
    return count


def _check_outputs(json: bool, csv: str | None, out: Path | None) -> None:
    """Refuse, before the run, what could not be printed or written after it."""
    if json and csv is not None:
        raise FivesError("--json and --csv are both given: choose one.")
    if csv is not None and csv not in runs.TABLES:
        raise unknown("table", csv, runs.TABLES)
    if out is not None:
        runs.prepare_folder(out)


def _all_tables(result: Result) -> dict[str, list[dict[str, Any]]]:
    return {options.DEFAULT_TABLE: result.summary_rows, **result.table_rows}


def _write(result: Result, out: Path | None) -> None:
    if out is not None:
        names = runs.write_run(out, result.manifest, _all_tables(result))
        tell(f"wrote {len(names)} files to {out}.")


def _print(result: Result, title: str, json: bool, csv: str | None) -> None:
    tables = _all_tables(result)
    if json:
        emit_json(result.to_dict())
    elif csv is not None:
        if csv not in tables:
            raise FivesError(f"this run has no table {csv!r}: choose from {', '.join(tables)}.")
        emit(runs.csv_text(tables[csv]).rstrip("\n"))
    else:
        emit(title + "\n")
        for name, rows in tables.items():
            emit_table(name, _for_people(rows), words=WORDS)


def _for_people(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows without the columns that only a program needs."""
    return [{column: value for column, value in row.items() if column not in HIDDEN} for row in rows]


def _title(
    rules: RuleSet, policies: Sequence[Policy], count: str, seed: int, first_game: int, confidence: float
) -> str:
    """Return one line that says what was run; it is enough to run it again."""
    sides = f" in sides {','.join(map(str, rules.sides))}" if rules.has_partners else ""
    names = [policy.name for policy in policies]
    played = names[0] if len(set(names)) == 1 else ", ".join(names)
    start = f", first game {first_game}" if first_game else ""
    return (
        f"{rules.name} (version {rules.version}), {rules.players} players{sides}, {played}: "
        f"{count}, seed {seed}{start}, {100 * confidence:g} % intervals"
    )
