"""`fives resume`: go on with a run that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer import limits
from analyzer.cli import options, tune
from analyzer.cli.output import tell
from analyzer.cli.running import crew_of, play, print_result


def resume(
    folder: Annotated[
        Path,
        typer.Argument(parser=options.output_path, metavar="DIR", help="The folder of a run, made by --out."),
    ],
    threads: options.Threads = None,
    cluster: options.Cluster = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Go on with a run that was stopped. It ends with the files of a run that was never stopped."""
    limits.check_threads(threads)
    from analyzer.tune_folder import is_tuning

    if is_tuning(folder):
        tune.go_on(folder, threads=threads, cluster=cluster, json=json, quiet=quiet)
        return
    from analyzer.resume import is_complete
    from analyzer.saved import opened

    with opened(folder) as run:
        if is_complete(run):
            tell(f"{folder} is complete: there is nothing left to play.")
            return
        with crew_of(threads, cluster) as crew:
            result = play(run.plan, run, crew, quiet=quiet)
    print_result(result, json=json)
