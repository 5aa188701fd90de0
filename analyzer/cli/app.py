"""The `fives` command: its commands put together, and the one way in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from analyzer.cli import (
    advise,
    bench,
    calc,
    commission,
    compare,
    doctor,
    failures,
    import_,
    merge,
    openings,
    policies,
    race,
    report,
    resume,
    review,
    rules,
    score,
    show,
    simulate,
    sweep,
    trace,
    tune,
    verify,
)
from analyzer.cli.kernels import announce_compilation
from analyzer.cli.options import CommandWithCsv
from analyzer.cli.output import emit
from analyzer.errors import unknown
from analyzer.version import __version__


class _Commands(TyperGroup):
    """The commands; a name that is none of them is answered with the nearest one."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None and not cmd_name.startswith("-"):
            raise unknown("command", cmd_name, self.commands)
        return command


app = typer.Typer(
    cls=_Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.command("rules")(rules.rules)
app.command("policies")(policies.policies)
app.command("simulate", cls=CommandWithCsv)(simulate.simulate)
app.command("sweep", cls=CommandWithCsv)(sweep.sweep)
app.command("openings", cls=CommandWithCsv)(openings.openings)
app.command("compare", cls=CommandWithCsv)(compare.compare)
app.command("race", cls=CommandWithCsv)(race.race)
app.command("advise")(advise.advise)
app.command("review", cls=CommandWithCsv)(review.review)
app.command("tune")(tune.tune)
app.command("report")(report.report)
app.command("resume")(resume.resume)
app.command("merge")(merge.merge)
app.command("trace")(trace.trace)
app.command("verify")(verify.verify)
app.command("import")(import_.import_)
app.command("show")(show.show)
app.command("score")(score.score)
app.command("calc")(calc.calc)
app.command("commission", cls=CommandWithCsv)(commission.commission)
app.command("bench")(bench.bench)
app.command("doctor")(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        emit(f"fives {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def fives(
    ctx: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Monte Carlo analysis of the Fives family of dominoes."""
    if ctx.invoked_subcommand is None:
        emit(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    args : the words after `fives`; default: those of this process.

    Returns
    -------
    int
        0; 1 where `verify` found faults; 2 after an error, told in one line on stderr; 130 after Ctrl-C.
    """
    announce_compilation()
    return failures.run(get_command(app), args)
