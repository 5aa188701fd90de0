"""Reports of runs: one HTML page, and its figures as PNG files, from a result or a folder that keeps one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import runs
from analyzer.errors import FivesError, shown, unknown
from analyzer.folders import MANIFEST, PAGE, is_page, resume_command
from analyzer.manifest import COMPLETE
from analyzer.plans import Result, execute
from analyzer.registry import plan_from

if TYPE_CHECKING:
    from analyzer.report_stakes import Stakes
    from analyzer.report_tune import SavedTuning
    from reports.dialects import Dialect
    from reports.material import Material
    from reports.words import Words

ENGLISH = "en"
PLAIN = "plain"
DPI = 160
DPI_RANGE = (50, 1200)
FILES_OF_RUNS = (".json", ".csv", ".parquet")  # endings


def report(
    run: Result | SavedTuning | str | Path,
    out: str | Path | None = None,
    *,
    language: str = ENGLISH,
    csv_dialect: str = PLAIN,
    force: bool = False,
    stakes: Stakes | None = None,
) -> Path:
    """Write the page of a run, whole or not at all, and return its path.

    Parameters
    ----------
    run : what a run showed, or the folder that keeps one or a tuning.
    out : the file to write; default: `report.html` in the folder.
    language : "en", "fr" or "pt".
    csv_dialect : "plain" or "excel-fr": of the tables that the page holds as CSV.
    force : overwrite a file that is no such page.
    stakes : what the two policies of a comparison play for, told in a section of its own.

    Raises
    ------
    FivesError
        Where the folder holds no complete run, is damaged or comes from another version; where the file
        cannot be written or is something else; for an unknown language or dialect.
    """
    check_words(language, csv_dialect)
    if out is None:
        if not isinstance(run, str | Path):
            raise FivesError("a result has no folder: name the file to write.")
        out = Path(run) / PAGE
    check_target(Path(out), force=force)
    runs.write_bytes(Path(out), page_of(found_in(run), language, csv_dialect, stakes).encode())
    return Path(out)


def pictures(
    run: Result | SavedTuning | str | Path,
    folder: str | Path,
    *,
    dpi: int = DPI,
    language: str = ENGLISH,
    stakes: Stakes | None = None,
) -> list[Path]:
    """Write the figures of a run as PNG files into a folder and return their paths.

    Parameters
    ----------
    folder : made where it is not there; files of the same names in it are replaced.
    dpi : dots an inch, 50 to 1200.
    stakes : as for `report`.

    Raises
    ------
    FivesError
        As for `report`, and for a resolution out of range.
    """
    check_words(language, PLAIN)
    check_dpi(dpi)
    found = found_in(run)
    check_kind(command_of(found))
    from reports.images import png
    from reports.page import drawings_of
    from reports.words import Words

    words = Words(language)
    folder = made_folder(Path(folder))
    written = []
    for drawing in drawings_of(material_told(found, words, stakes), words):
        path = folder / f"{drawing.key}.png"
        runs.write_bytes(path, png(drawing, dpi))
        written.append(path)
    return written


def page_of(
    found: Result | SavedTuning,
    language: str = ENGLISH,
    csv_dialect: str = PLAIN,
    stakes: Stakes | None = None,
) -> str:
    """Return the page of a result as HTML; the same result, language and dialect give the same text."""
    from analyzer.report_material import record_of
    from analyzer.report_tune import record_of_tuning
    from reports.page import page
    from reports.words import Words

    check_kind(command_of(found))
    words = Words(language)
    usual = {"language": ENGLISH, "csv_dialect": PLAIN}
    given = {"language": language, "csv_dialect": csv_dialect}
    options = {name: value for name, value in given.items() if value != usual[name]}
    if isinstance(found, Result):
        record = record_of(found, options, stakes)
    else:
        record = record_of_tuning(found, options)
    return page(material_told(found, words, stakes), record, words, dialect_of(csv_dialect))


def material_told(found: Result | SavedTuning, words: Words, stakes: Stakes | None = None) -> Material:
    """Return the tables of what was run with the facts that its figures tell, in a language."""
    from analyzer.report_material import material_of
    from analyzer.report_tune import material_of_tuning

    if isinstance(found, Result):
        return material_of(found, words, stakes)
    if stakes is not None:
        raise FivesError("stakes are for games of two policies and this is a tuning: leave --stake out.")
    return material_of_tuning(found, words)


def command_of(found: Result | SavedTuning) -> str:
    """Return the command by whose name the kinds of pages are known."""
    return str(found.plan.command) if isinstance(found, Result) else "tune"


def found_in(run: Result | SavedTuning | str | Path) -> Result | SavedTuning:
    """Return what a run showed, read from its folder where it is one; FivesError as for `saved_result`."""
    if not isinstance(run, str | Path):
        return run
    from analyzer.tune_folder import is_tuning

    if is_tuning(Path(run)):
        from analyzer.report_tune import saved_tuning

        return saved_tuning(Path(run))
    return saved_result(Path(run))


def saved_result(path: Path) -> Result:
    """Return what a folder's run showed.

    Raises
    ------
    FivesError
        Where it holds no run, one that is not complete (it says how to go on), or is damaged, in use, or
        comes from another version.
    """
    from analyzer.saved import opened

    with opened(path) as folder:
        saved = folder.saved
        assert saved is not None
        if saved.manifest["state"] != COMPLETE:
            done, (first, last) = sum(stop - start for start, stop in saved.done), folder.plan.span
            raise FivesError(
                f"{path} is not complete, {done:,} of its {last - first:,} {folder.plan.unit} are kept: "
                f"go on with {resume_command(path)}."
            )
        return Result(folder.plan, saved.total, dict(saved.manifest))


def repeat(settings: Mapping[str, Any], *, threads: int | None = None) -> Result:
    """Play the run that the keys of a manifest describe; FivesError where they describe none."""
    return execute(plan_from(settings), threads=threads)


# --- checks before anything is played -----------------------------------------------------------


def check_words(language: str, csv_dialect: str) -> None:
    """Raise FivesError for an unknown language or dialect."""
    from reports.languages import LANGUAGES

    if language not in LANGUAGES:
        raise FivesError(f"unknown language {shown(language)}: choose from {', '.join(LANGUAGES)}.")
    dialect_of(csv_dialect)


def dialect_of(name: str) -> Dialect:
    """Return the dialect of CSV of this name; FivesError where there is none."""
    from reports.dialects import DIALECTS

    if name not in DIALECTS:
        raise unknown("CSV dialect", name, DIALECTS)
    return DIALECTS[name]


def check_kind(command: str) -> None:
    """Raise FivesError for a kind of run that has no page."""
    from reports.kinds import KINDS

    if command not in KINDS:
        raise FivesError(f"runs of {command} have no page: report one of {', '.join(KINDS)}.")


def check_dpi(dpi: int) -> None:
    """Raise FivesError for a resolution out of range."""
    low, high = DPI_RANGE
    if not low <= dpi <= high:
        raise FivesError(f"dpi is {dpi}: it must be from {low} to {high}.")


def check_target(path: Path, *, force: bool = False, folder: Path | None = None) -> None:
    """Raise FivesError where a page cannot be written to a path, or would replace something else.

    Parameters
    ----------
    force : allow it to replace a file that is no page of ours; never one of a run.
    folder : of the run that is about to be played; it may be made only then.
    """
    own = None if folder is None else folder.resolve()
    place = path.resolve()
    if path.is_dir() or place == own:
        raise FivesError(f"{path} is a folder: name a file, such as {path / PAGE}.")
    if not path.parent.is_dir() and place.parent != own:
        raise FivesError(f"{path.parent} is no folder: make it, or choose another place for the page.")
    if path.suffix in FILES_OF_RUNS and (place.parent == own or (place.parent / MANIFEST).exists()):
        raise FivesError(f"{path} may be a file of the run itself: name the page otherwise, such as {PAGE}.")
    if path.is_file() and not force and not is_page(path):
        raise FivesError(f"{path} is no page of a report: choose another name, or overwrite it with --force.")


def made_folder(path: Path) -> Path:
    """Make a folder where it is not there yet; FivesError where that cannot be done."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise runs.CannotWrite(path, error) from error
    return path
