"""What the commands that play have in common: progress, a folder that keeps the run, Ctrl-C, the results."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry
from analyzer.cli.failures import Stopped
from analyzer.cli.options import DEFAULT_DIALECT, DEFAULT_LANGUAGE
from analyzer.cli.output import emit, emit_json, emit_table, tell
from analyzer.cli.progress import progress_bar
from analyzer.errors import FivesError, unknown
from analyzer.rulesets import in_words
from analyzer.settings import rules_from
from analyzer.workers import Crew, CrewLost, Threads

if TYPE_CHECKING:
    from analyzer.folders import Folder
    from analyzer.plans import Plan, Result

HIDDEN = ("clusters",)


@dataclass(frozen=True)
class Page:
    """The page that a run writes, and how tables become CSV in it and on stdout.

    Attributes
    ----------
    path : None: no page.
    language, csv_dialect : as for `analyzer.report.report`.
    """

    path: Path | None = None
    language: str = DEFAULT_LANGUAGE
    csv_dialect: str = DEFAULT_DIALECT

    def check(self, csv: str | None) -> None:
        """Refuse names that are unknown, and options that would change nothing."""
        from analyzer.report import check_words

        check_words(self.language, self.csv_dialect)
        if self.path is None and self.language != DEFAULT_LANGUAGE:
            raise FivesError("--lang is for a page: name its file with --report.")
        if self.path is None and self.csv_dialect != DEFAULT_DIALECT and csv is None:
            raise FivesError("--csv-dialect is for --csv and --report: give one of them.")


NO_PAGE = Page()


def check_printing(command: str, json: bool, csv: str | None, page: Page = NO_PAGE) -> None:
    """Refuse, before a run, what could not be printed after it."""
    tables = registry.tables_of(command)
    page.check(csv)
    if json and csv is not None:
        raise FivesError("--json and --csv are both given: choose one.")
    if csv is not None and csv not in tables:
        raise unknown("table", csv, tables)


def run_and_print(
    plan: Plan,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    json: bool = False,
    csv: str | None = None,
    out: Path | None = None,
    force: bool = False,
    quiet: bool = False,
    page: Page = NO_PAGE,
) -> None:
    """Play a plan, kept in a folder where one is given, and print what it showed.

    Parameters
    ----------
    threads, cluster : see `crew_of`.
    json, csv : as `check_printing` allows; neither: tables for people.
    out : the folder that keeps the run; `force` overwrites a run that it holds.
    quiet : without progress.
    page : written from the result, in addition.

    Raises
    ------
    FivesError
        Where something cannot be printed or written; most is found out before the first game.
    Stopped
        After Ctrl-C.
    """
    check_printing(plan.command, json, csv, page)
    if page.path is not None:
        from analyzer.report import check_target

        check_target(page.path, force=force, folder=out)
    if csv is not None and csv != registry.SUMMARY:
        _check_table(csv, plan)
    if out is None and page.path is None and force:
        raise FivesError("--force is for a folder: name it with --out.")
    with ExitStack() as open_:
        crew = open_.enter_context(crew_of(threads, cluster))  # before --force removes anything
        folder = None
        if out is not None:
            from analyzer.saved import new_folder

            folder = open_.enter_context(new_folder(out, plan, force=force))
        result = play(plan, folder, crew, quiet=quiet)
    print_result(result, json=json, csv=csv, csv_dialect=page.csv_dialect)
    if page.path is not None:
        _write(page, result, force)


def _write(page: Page, result: Result, force: bool) -> None:
    from analyzer.report import report

    dialect, path = page.csv_dialect, page.path
    written = report(result, path, language=page.language, csv_dialect=dialect, force=force)
    tell(f"wrote the page {written}.")


def _check_table(table: str, plan: Plan) -> None:
    """Refuse a table that this plan does not fill, as `needs` where no exact target can refuse anything."""
    tables = plan.report(plan.work().none()).tables
    if table not in tables:
        raise FivesError(
            f"this run has no table {table!r}: choose from {registry.SUMMARY}, {', '.join(tables)}."
        )


def crew_of(threads: int | None, cluster: str | None) -> AbstractContextManager[Crew]:
    """Return who plays: threads of this process (None: one a core), or the workers of a cluster."""
    if cluster is None:
        return nullcontext(Threads(threads))
    if threads is not None:
        raise FivesError("--threads and --cluster are both given: a cluster brings its own, so choose one.")
    from analyzer.cluster import Cluster

    return Cluster(cluster)


def lost(error: CrewLost, folder: Path) -> FivesError:
    """Return the sentence of a cluster that gave up, with how to go on."""
    from analyzer.folders import resume_command

    problem = str(error).rstrip(".")
    return FivesError(f"{problem}; what is done is kept, so go on with: {resume_command(folder)}")


def play(plan: Plan, folder: Folder | None, crew: Crew, *, quiet: bool = False) -> Result:
    """Play a plan with progress, and tell what is kept of it, at its end or where it was stopped."""
    try:
        with (
            Interrupts() as interrupts,
            nullcontext() if quiet else progress_bar(plan.unit) as bar,
        ):
            from analyzer import plans

            def follow(done: int, count: int) -> None:
                interrupts.check()
                if bar is not None:
                    bar.move(done, count)

            watch = None if bar is None else bar.tell
            result = plans.execute(plan, crew=crew, progress=follow, watch=watch, folder=folder)
    except KeyboardInterrupt as stop:
        raise Stopped(_kept(stop, plan, folder)) from stop
    except CrewLost as error:
        if folder is None:
            raise
        raise lost(error, folder.path) from error
    if folder is not None:
        tell(f"wrote the run to {folder.path}.")
    return result


class Interrupts:
    """A context in which a request to end (SIGTERM) does what Ctrl-C does, and neither gets lost.

    Python drops an exception that a signal raises inside a clean-up function, so `check` raises it again.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._came = False

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():  # only there can signals be handled
            self._before = {
                number: signal.signal(number, self._interrupt)
                for number in self.SIGNALS
                if signal.getsignal(number) != signal.SIG_IGN  # as for a script's jobs in the background
            }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _interrupt(self, *_: object) -> None:
        self._came = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt where one came and got lost."""
        if self._came:
            raise KeyboardInterrupt


def _kept(stop: KeyboardInterrupt, plan: Plan, folder: Folder | None) -> str:
    """Return one line that says what is left of an interrupted run and how to go on."""
    from analyzer.folders import resume_command
    from analyzer.plans import Interrupted

    if folder is None:
        return "stopped: nothing is kept; a run with --out DIR is kept and can go on."
    if not folder.is_resumable:
        return "stopped before the first game: nothing is kept."
    command = resume_command(folder.path)
    if not isinstance(stop, Interrupted):
        return f"stopped: {folder.path} is as it was; go on with: {command}"
    return f"stopped: {stop.done:,} of {stop.count:,} {plan.unit} are kept; go on with: {command}"


def print_result(
    result: Result, *, json: bool = False, csv: str | None = None, csv_dialect: str = DEFAULT_DIALECT
) -> None:
    """Print a result as JSON, one table of it as CSV, or all tables for people."""
    tables = {registry.SUMMARY: result.summary_rows, **result.table_rows}
    if json:
        emit_json(result.to_dict())
    elif csv is not None:
        from analyzer.report import dialect_of
        from analyzer.runs import csv_text

        emit(csv_text(tables[csv], dialect_of(csv_dialect)).rstrip("\n"))
    else:
        emit(title_of(result.plan) + "\n")
        unprinted = getattr(result.plan, "unprinted", ())  # tables too long to look at
        for name, rows in tables.items():
            if name in unprinted:
                continue
            shown = _for_people(rows)
            emit_table(name, shown, words=_columns_of_words(shown))
        for sentence in result.sentences:
            emit(sentence)


def _for_people(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows without the columns that only a program needs."""
    return [{column: value for column, value in row.items() if column not in HIDDEN} for row in rows]


def _columns_of_words(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list({column: None for row in rows for column, value in row.items() if isinstance(value, str)})


def title_of(plan: Plan) -> str:
    """Return one line that says what was run: the plan's own `title`, or one from its settings."""
    if (own := getattr(plan, "title", None)) is not None:
        return str(own)
    settings = plan.settings()
    rules = rules_from(settings["rules"])
    names = [policy["name"] for policy in settings["policies"]]
    played = names[0] if len(set(names)) == 1 else ", ".join(names)
    first, last = plan.span
    unit = plan.unit if last - first != 1 else plan.unit[:-1]
    start = f", first game {first}" if first else ""
    return (
        f"{in_words(rules)}, {played}: {last - first:,} {unit}, seed {settings['seed']}{start}, "
        f"{100 * settings['confidence']:g} % intervals"
    )
