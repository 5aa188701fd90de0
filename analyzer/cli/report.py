"""`fives report`: the page of a run from the folder that keeps it, and its figures as PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.output import emit


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
    from analyzer.errors import FivesError
    from analyzer.folders import PAGE

    if dpi is not None and png is None:
        raise FivesError("--dpi is for the PNG files: name their folder with --png.")
    resolution = library.DPI if dpi is None else dpi
    library.check_dpi(resolution)
    library.check_words(lang, csv_dialect)
    run = library.saved_result(folder)
    emit(str(library.report(run, out or folder / PAGE, language=lang, csv_dialect=csv_dialect, force=force)))
    if png is not None:
        for path in library.pictures(run, png, dpi=resolution, language=lang):
            emit(str(path))
