"""`fives report`: the page of a run from the folder that keeps it, and its figures as PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import options
from analyzer.cli.output import emit
from analyzer.errors import FivesError

if TYPE_CHECKING:
    from analyzer.report_stakes import Stakes


def report(
    folder: Annotated[
        Path,
        typer.Argument(parser=options.output_path, metavar="DIR", help="The folder of a run, made by --out."),
    ],
    out: Annotated[
        Path | None,
        options.output_option("--out", metavar="FILE", help="The page to write. [default: DIR/report.html]"),
    ] = None,
    png: Annotated[
        Path | None,
        options.output_option("--png", metavar="FOLDER", help="Write each figure into FOLDER as PNG too."),
    ] = None,
    dpi: Annotated[
        int | None, options.number("--dpi", metavar="N", help="Dots an inch of the PNGs. [default: 160]")
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option("--stake", metavar="S", help="Tell what a comparison comes to for this stake."),
    ] = None,
    target: Annotated[
        int | None, options.number("--target", metavar="POINTS", help="The target of the games for stakes.")
    ] = None,
    point_price: Annotated[
        str | None,
        typer.Option("--point-price", metavar="P", help="What the loser pays for each point. [default: 0]"),
    ] = None,
    table: Annotated[
        Path | None,
        options.output_option("--table", metavar="FILE", help="Another table of commissions, in TOML."),
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", metavar="B", help="The money at hand, for the risk of ruin.")
    ] = None,
    lang: options.Language = options.DEFAULT_LANGUAGE,
    csv_dialect: options.CsvDialect = options.DEFAULT_DIALECT,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file that is no page of a report.")
    ] = False,
) -> None:
    """Write one HTML page of a complete run: what it found, figures, tables, rules, how to repeat it.

    Its path is printed.
    """
    from analyzer import report as library
    from analyzer.folders import PAGE

    if dpi is not None and png is None:
        raise FivesError("--dpi is for the PNG files: name their folder with --png.")
    resolution = library.DPI if dpi is None else dpi
    library.check_dpi(resolution)
    library.check_words(lang, csv_dialect)
    stakes = _stakes(stake, target, point_price, table, bankroll)
    run = library.found_in(folder)
    page = library.report(
        run, out or folder / PAGE, language=lang, csv_dialect=csv_dialect, force=force, stakes=stakes
    )
    emit(str(page))
    if png is not None:
        for path in library.pictures(run, png, dpi=resolution, language=lang, stakes=stakes):
            emit(str(path))


def _stakes(
    stake: str | None, target: int | None, price: str | None, table: Path | None, bankroll: str | None
) -> Stakes | None:
    """Return what is played for; None without a stake."""
    from analyzer.report_stakes import NO_PRICE, Stakes

    given = {"--target": target, "--point-price": price, "--table": table, "--bankroll": bankroll}
    if stake is not None:
        path = None if table is None else str(table)
        return Stakes(stake, target, NO_PRICE if price is None else price, path, bankroll)
    if (name := next((name for name, value in given.items() if value is not None), None)) is not None:
        raise FivesError(f"{name} is for games for stakes: give --stake S too.")
    return None
