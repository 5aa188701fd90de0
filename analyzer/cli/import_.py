"""`fives import`: games written down by people become traces."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.output import emit, tell


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record, such as a move list.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of the record: movelist.")
    ] = "movelist",
    seed: options.Seed = options.DEFAULT_SEED,
    out: options.OutFile = None,
) -> None:
    """Read games that people wrote down and print them as traces.

    Tiles that the record does not tell are filled in so that all of it can have happened; the seed says how.
    """
    limits.check_seed(seed)
    from analyzer.imports.readers import import_file
    from analyzer.referee.record import trace_line

    found = import_file(file, format_, seed)
    lines = [trace_line(item.trace) for item in found]
    if out is None:
        for line in lines:
            emit(line)
    else:
        from analyzer import runs

        with runs.replacing(out) as stream:
            stream.writelines(line + "\n" for line in lines)
    filled = sum(item.filled for item in found)
    if filled:
        tell(f"{filled} tiles are not told by the record and were filled in with seed {seed}.")
