"""`fives merge`: add up runs of one experiment over disjoint ranges of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.output import tell
from analyzer.cli.running import print_result


def merge(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of complete runs.")],
    out: Annotated[Path, options.output_option("--out", metavar="DIR", help="The folder to write.")],
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Add up runs that differ in their ranges of games alone. The sum is the run over all of them."""
    from analyzer.merge import merge as add_up

    result = add_up(folders, out, force=force)
    tell(f"wrote the run to {out}.")
    print_result(result, json=json)
