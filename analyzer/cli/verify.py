"""`fives verify`: replay written games with the plain engine and name every fault of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli.output import emit, tell
from analyzer.errors import FivesError

if TYPE_CHECKING:
    from analyzer.referee.replay import Fault

FAULTS_FOUND = 1
UNREADABLE = 2
TOLD = 100  # unreadable lines that are told one by one


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Traces, one JSON object a line; - reads stdin.")
    ],
) -> None:
    """Replay traces by the rules. Exit code 1: a fault was found; 2: a line cannot be read."""
    from analyzer.referee.replay import verify_file

    report = verify_file(file)
    if not report.games and not report.unreadable:
        raise FivesError(f"{file} holds no trace: each line must be one game, as fives trace writes it.")
    for fault in report.faults:
        emit(_text(fault))
    for line, sentence in report.unreadable[:TOLD]:
        tell(f"{file}, line {line}: {sentence}")
    if len(report.unreadable) > TOLD:
        tell(f"{file}: {len(report.unreadable) - TOLD:,} more lines cannot be read.")
    if report.games:
        faults = _counted(len(report.faults), "fault") if report.faults else "no faults"
        emit(f"{_counted(report.games, 'game')}, {_counted(report.rounds, 'round')}: {faults}")
    if report.unreadable:
        raise typer.Exit(UNREADABLE)
    if report.faults:
        raise typer.Exit(FAULTS_FOUND)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _text(fault: Fault) -> str:
    """Return one line; a fault of a whole round or game has no turn or round."""
    places = [("game", fault.game), ("round", fault.round), ("turn", fault.turn)]
    where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
    return f"{where}: {' '.join(fault.text.split())}"
