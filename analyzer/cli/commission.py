"""`fives commission`: what a game for stakes costs, when it breaks even, and how much money it takes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.commission import MOST_POINTS, Terms, money
from analyzer.commission_table import load_table, own_table
from analyzer.errors import FivesError, unknown

if TYPE_CHECKING:
    from analyzer.commission_answer import Answer
    from analyzer.commission_runs import Record

TABLES = ("summary", "brackets", "stakes")
MOST_STEPS = 1_000_000_000  # games of a path times paths


def commission(
    stake: Annotated[str, typer.Option("--stake", metavar="S", help="The stake of each player.")],
    target: Annotated[
        int | None, options.number("--target", metavar="POINTS", help="The target of the game.")
    ] = None,
    point_price: Annotated[
        str,
        typer.Option("--point-price", metavar="P", help="What the loser pays for each point."),
    ] = "0",
    points: Annotated[
        int | None, options.number("--points", metavar="D", help="The points between the two players.")
    ] = None,
    edge: Annotated[
        float | None, typer.Option("--edge", metavar="E", help="The win rate less one half, such as 0.03.")
    ] = None,
    win_rate: Annotated[
        float | None, typer.Option("--win-rate", metavar="W", help="The win rate, such as 0.53.")
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", metavar="DIR", help="A run of compare: its first policy plays its second."),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--table", metavar="FILE", help="Another table of commissions, in TOML.")
    ] = None,
    games_per_hour: Annotated[
        float | None, typer.Option("--games-per-hour", metavar="N", help="For the expected value of an hour.")
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", metavar="B", help="The money at hand, for the risk of ruin.")
    ] = None,
    horizon: Annotated[
        int, options.number("--horizon", metavar="N", help="Games in a row that must be staked.")
    ] = 1000,
    paths: Annotated[
        int, options.number("--paths", metavar="N", help="Such rows of games that are simulated.")
    ] = 10_000,
    seed: options.Seed = options.DEFAULT_SEED,
    confidence: options.Confidence = options.DEFAULT_CONFIDENCE,
    json: options.AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="[TABLE]", help=f"Print a table as CSV: {', '.join(TABLES)}."),
    ] = None,
) -> None:
    """Tell the commission of a game for stakes, the win rate that breaks even, and the risk of ruin."""
    _check(json, csv, horizon, paths, seed, confidence, games_per_hour)
    commissions = own_table() if table is None else load_table(table)
    terms = Terms(money("stake", stake), money("point price", point_price, zero=True), commissions)
    rate, record = _who_wins(edge, win_rate, run)
    commissions.check_target(_target(target, record))
    from analyzer.commission_answer import Answer, Question

    answer = Answer(
        Question(
            terms=terms,
            points=_points(points),
            win_rate=rate,
            record=record,
            games_per_hour=games_per_hour,
            bankroll=None if bankroll is None else money("bankroll", bankroll, zero=True),
            horizon=horizon,
            paths=paths,
            seed=seed,
            confidence=confidence,
        )
    )
    _print(answer, json, csv)


def _check(
    json: bool,
    csv: str | None,
    horizon: int,
    paths: int,
    seed: int,
    confidence: float,
    games_per_hour: float | None,
) -> None:
    if json and csv is not None:
        raise FivesError("--json and --csv are both given: choose one.")
    if csv is not None and csv not in TABLES:
        raise unknown("table", csv, TABLES)
    limits.check_count("horizon", horizon)
    limits.check_count("paths", paths)
    if horizon * paths > MOST_STEPS:
        raise FivesError(
            f"{paths:,} rows of {horizon:,} games are more than {MOST_STEPS:,} games: ask for fewer."
        )
    limits.check_seed(seed)
    limits.check_confidence(confidence)
    if games_per_hour is not None and not (math.isfinite(games_per_hour) and games_per_hour > 0):
        raise FivesError(f"games per hour is {games_per_hour:g}: it must be more than 0.")


def _who_wins(
    edge: float | None, win_rate: float | None, run: Path | None
) -> tuple[float | None, Record | None]:
    """Return the win rate that was typed in, or what a run says."""
    given = [
        name
        for name, value in (("--edge", edge), ("--win-rate", win_rate), ("--run", run))
        if value is not None
    ]
    if len(given) > 1:
        raise FivesError(f"{given[0]} and {given[1]} are both given: choose one.")
    if run is not None:
        from analyzer.commission_runs import record_of

        return None, record_of(run)
    rate = win_rate if edge is None else 0.5 + edge
    if rate is not None and not 0 <= rate <= 1:
        wanted = "--win-rate from 0 to 1" if edge is None else "--edge from -0.5 to 0.5"
        raise FivesError(f"the win rate would be {rate:g}: give {wanted}.")
    return rate, None


def _target(target: int | None, record: Record | None) -> int | None:
    """Return the target that is given; where a run has games to another one, FivesError."""
    if target is not None and record is not None and target != record.target:
        raise FivesError(f"target is {target} and the run's games go to {record.target}: leave --target out.")
    return target


def _points(points: int | None) -> int | None:
    if points is not None and not 1 <= points <= MOST_POINTS:
        raise FivesError(f"points is {points}: it must be from 1 to {MOST_POINTS:,}.")
    return points


def _print(answer: Answer, json: bool, csv: str | None) -> None:
    from analyzer import commission_report as report

    if json:
        emit_json(report.as_dict(answer))
        return
    if csv is not None:
        from analyzer.runs import csv_text

        rows = {"summary": report.summary, "brackets": report.brackets, "stakes": report.stakes}[csv](answer)
        emit(csv_text(rows).rstrip("\n"))
        return
    emit_table("summary", report.summary(answer), words=("quantity", "unit"))
    emit_table("brackets", report.brackets(answer))
    for sentence in report.sentences(answer):
        emit(sentence)
