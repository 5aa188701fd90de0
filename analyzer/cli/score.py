"""`fives score`: the score sheet of a layout typed by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import options
from analyzer.cli.output import emit_json, emit_table
from analyzer.errors import FivesError
from analyzer.rulesets import DEFAULT_PLAYERS

if TYPE_CHECKING:
    from analyzer.referee.sheet import Sheet

STDIN = "-"


def score(
    rules: options.RulesName = None,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="MOVE", help="The moves in order: 6-3 6-6@6 6-1@6-6; - reads stdin."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Read the moves from FILE, parted by blanks or lines."),
    ] = None,
    rules_file: options.RulesFile = None,
    players: options.Players = DEFAULT_PLAYERS,
    tile_set: options.TileSet = None,
    json: options.AsJson = False,
) -> None:
    """Show the score sheet of moves: count, points, open places.

    The moves come as words, from a file or from stdin. Any unused tile may come next.
    """
    words = moves or []
    if rules_file is not None and rules is not None:  # then the first word is a move
        words, rules = [rules, *words], None
    rule_set = options.chosen_rules(rules, file=rules_file, players=players, tile_set=tile_set)
    from analyzer.referee.sheet import score_sheet

    sheet = score_sheet(rule_set, _moves(words, file))
    if json:
        emit_json(sheet.as_dict())
    else:
        _show(sheet)
    if sheet.error is not None:
        raise FivesError(sheet.error)


def _moves(words: list[str], file: Path | None) -> list[str]:
    """Return the moves from the one place where they are given."""
    if file is not None and words:
        raise FivesError("moves are given both as words and with --file: choose one.")
    if file is not None and str(file) != STDIN:
        moves = _read(file).split()
    elif file is not None or words == [STDIN] or (not words and not _at_keyboard()):
        moves = _read(None).split()
    else:
        moves = words
    if not moves:
        raise FivesError("no moves are given: type them after the rule set, such as 6-3 6-6@6.")
    return moves


def _at_keyboard() -> bool:
    return sys.stdin is None or sys.stdin.isatty()


def _read(file: Path | None) -> str:
    """Return the text of a file, or of stdin for None."""
    name = "standard input" if file is None else str(file)
    try:
        if file is not None:
            return file.read_text(encoding="utf-8-sig")
        if sys.stdin is None:
            return ""
        # bytes, so that a byte order mark or a wrong encoding is met as in a file
        raw = getattr(sys.stdin, "buffer", None)
        return str(raw.read(), "utf-8-sig") if raw is not None else sys.stdin.read()
    except OSError as error:
        raise FivesError(f"cannot read {name}: {(error.strerror or str(error)).lower()}.") from error
    except UnicodeDecodeError as error:
        raise FivesError(f"cannot read {name}: it is not UTF-8 text.") from error


def _show(sheet: Sheet) -> None:
    rows = [
        {
            "play": turn,
            "move": play.move,
            "count": play.count,
            "points": play.points,
            "open places": ", ".join(play.places),
        }
        for turn, play in enumerate(sheet.plays, start=1)
    ]
    emit_table("Score sheet", rows, words=("move", "open places"))
