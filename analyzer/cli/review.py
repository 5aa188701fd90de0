"""`fives review`: a recorded game turn by turn, its errors and its luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.cli.progress import progress_bar
from analyzer.errors import FivesError, unknown
from analyzer.policies import DEFAULT_BASE
from analyzer.rulesets import in_words

if TYPE_CHECKING:
    from analyzer.policies import Policy
    from analyzer.review import Review
    from analyzer.showing import Recorded

TABLES = ("summary", "turns", "luck", "changes")
_DEFAULT_WORLDS = 2000
_SCALED = (
    "cost", "error_rate", "std_error", "low", "high", "start", "opener", "deal", "own_draws", "other_draws",
    "own_plays", "other_plays", "result", "luck", "luck_std_error",
)  # fmt: skip
_WORDS = ("player", "players", "drawn", "move", "best", "kind", "note")


def review(
    trace: Annotated[
        Path, typer.Argument(metavar="TRACE", help="A file of traces, one game a line; - reads stdin.")
    ],
    game: Annotated[
        int | None, options.number("--game", metavar="G", help="The game of the file. [default: its first]")
    ] = None,
    round_: Annotated[
        int | None, options.number("--round", metavar="R", help="This round alone. [default: all]")
    ] = None,
    base: Annotated[
        str, typer.Option("--base", metavar="P", help="The policy that plays on in all seats.")
    ] = DEFAULT_BASE,
    policy_file: options.PolicyFile = None,
    worlds: Annotated[
        int, options.number("--worlds", metavar="N", help="Worlds a turn, and boneyards a moment.")
    ] = _DEFAULT_WORLDS,
    seed: options.Seed = options.DEFAULT_SEED,
    confidence: options.Confidence = options.DEFAULT_CONFIDENCE,
    blunder: Annotated[
        float | None,
        typer.Option(
            "--blunder", metavar="X", help="What a blunder costs. [default: 0.05 of a game, or 5 points]"
        ),
    ] = None,
    json: options.AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="[TABLE]", help=f"Print a table as CSV: {', '.join(TABLES)}."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Go through a recorded game: what each turn cost, each player's error rate, and what luck brought."""
    limits.check_seed(seed)
    limits.check_confidence(confidence)
    if json and csv is not None:
        raise FivesError("--json and --csv are both given: choose one.")
    if csv is not None and csv not in TABLES:
        raise unknown("table", csv, TABLES)
    (named,) = options.named_policies([base], policy_file)
    from analyzer.review import check_worlds
    from analyzer.showing import find_game

    check_worlds(worlds)
    found = _reviewed(find_game(trace, game), round_, named, worlds, seed, confidence, blunder, quiet=quiet)
    _print(found, json, csv)


def _reviewed(
    recorded: Recorded,
    round_: int | None,
    base: Policy,
    worlds: int,
    seed: int,
    confidence: float,
    blunder: float | None,
    *,
    quiet: bool,
) -> Review:
    from analyzer.advice import base_policy
    from analyzer.review import reviewed

    policy = base_policy(base)
    numbers: dict[str, Any] = {"seed": seed, "confidence": confidence, "blunder": blunder}
    if quiet:
        return reviewed(recorded, round_, policy, worlds, **numbers)
    with progress_bar("steps") as bar:
        if bar is not None:
            numbers["tick"] = bar.move
        return reviewed(recorded, round_, policy, worlds, **numbers)


def _print(found: Review, json: bool, csv: str | None) -> None:
    if json:
        emit_json(found.as_dict())
    elif csv is not None:
        from analyzer.runs import csv_text

        emit(csv_text(found.tables()[csv]).rstrip("\n"))
    else:
        _show(found)


# --- showing it ---------------------------------------------------------------------------------


def _show(found: Review) -> None:
    tables = found.tables()
    is_game = found.unit == "win_probability"
    unit = "% of a game" if is_game else "points"
    rounds = "1 round" if len(found.rounds) == 1 else f"{len(found.rounds)} rounds"
    emit(
        f"{in_words(found.trace.rules)}: game {found.trace.game}, {rounds}; {found.worlds:,} worlds "
        f"played on by {found.base}, seed {found.seed}\n"
    )
    emit_table(f"Turns, costs in {unit}", [_turn(row, is_game) for row in tables["turns"]], words=_WORDS)
    title = f"Players, {unit}; a blunder costs {_told(found.blunder, is_game)} or more"
    emit_table(title, _rows(tables["summary"], is_game), words=_WORDS)
    emit_table(f"Luck and plays by side, {unit}", _rows(tables["luck"], is_game), words=_WORDS)
    emit(f"{found.confidence:.0%} intervals. start + the six changes = result; luck is the first four.")


def _rows(rows: Sequence[Mapping[str, Any]], is_game: bool) -> list[dict[str, Any]]:
    return [
        {name: _told(value, is_game) if name in _SCALED else value for name, value in row.items()}
        for row in rows
    ]


def _told(value: float | None, is_game: bool) -> str | None:
    """Return a number of points, or of a game in percent."""
    return None if value is None else f"{100 * value if is_game else value:.2f}"


def _turn(row: Mapping[str, Any], is_game: bool) -> dict[str, Any]:
    """Return a row for people: a pass and what had no choice show no cost."""
    shown = {name: row[name] for name in ("round", "turn", "seat", "player", "drawn")}
    shown |= {"move": row["move"] or "pass"}
    is_told = row["cost"] is not None
    shown |= {"best": row["best"] if is_told else None, "kind": row["kind"]}
    shown |= {name: _told(row[name], is_game) for name in ("cost", "std_error")}
    return shown | {"note": "blunder" if row["blunder"] else ""}
