"""Plans: what an experiment plays, and how its totals become rows; the same for every kind of experiment.

`simulate`, `compare` and others each define a plan. `execute` plays any plan. A plan is rebuilt from its
`settings()`, so that a saved run can go on, and two runs are parts of one experiment where all but their
spans agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from analyzer.ledger import Ledger, Span
from analyzer.manifest import COMPLETE, Clock, manifest_of

if TYPE_CHECKING:
    import pandas

    from analyzer.folders import Folder
    from analyzer.workers import Crew, Progress, Work

Row = dict[str, Any]
Watch = Callable[[str], None]
WATCH_SECONDS = 2.0


@dataclass(frozen=True)
class Report:
    """What totals show.

    Attributes
    ----------
    summary : one row a metric and scope.
    tables : rows by the name of the table.
    notes : what belongs in the manifest beside them.
    sentences : what the tables mean, in words, printed below them.
    """

    summary: list[Row]
    tables: dict[str, list[Row]]
    notes: dict[str, Any] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)


class Plan(Protocol):
    """One experiment, complete: everything that its result depends on.

    A plan may also have a `title`, one line for people, and `write_files(folder, threads, tick)`, which
    writes more than the tables when a kept run ends and returns the digest of each file by its name.
    """

    command: ClassVar[str]

    @property
    def unit(self) -> str:
        """What is counted, in the plural: "games", "rounds" or "deals"."""
        ...

    @property
    def headline(self) -> str:
        """The summary metric that is shown while the plan is played."""
        ...

    @property
    def span(self) -> Span:
        """The first game and the game after the last."""
        ...

    @property
    def checkpoints(self) -> Sequence[int]:
        """Ascending numbers of games done at which `verdict` is asked; empty where the span alone decides."""
        ...

    def verdict(self, total: Any) -> str | None:
        """Return why to stop at a checkpoint, or None to go on."""
        ...

    def work(self) -> Work[Any]:
        """Return what the threads play."""
        ...

    def total_from_dict(self, data: Mapping[str, Any]) -> Any:
        """Return totals that their `as_dict` wrote."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values, its span as `first_game` and a count under `unit`."""
        ...

    def report(self, total: Any) -> Report:
        """Return what totals show."""
        ...


@dataclass(frozen=True)
class Result:
    """What a run showed.

    Attributes
    ----------
    plan : what was run.
    total : its whole-number totals.
    manifest : what was run, with what, and why it stopped, as plain JSON values.
    """

    plan: Any
    total: Any = field(repr=False)
    manifest: dict[str, Any] = field(repr=False)

    @cached_property
    def _report(self) -> Report:
        report: Report = self.plan.report(self.total)
        return report

    @property
    def summary_rows(self) -> list[Row]:
        """One row a metric and scope: metric, scope, estimate, std_error, low, high, n, unit."""
        return self._report.summary

    @property
    def table_rows(self) -> dict[str, list[Row]]:
        """The rows of each table, by its name."""
        return self._report.tables

    @property
    def sentences(self) -> list[str]:
        """What the tables mean, in words."""
        return self._report.sentences

    @property
    def summary(self) -> pandas.DataFrame:
        """The summary rows as a DataFrame."""
        import pandas

        frame = pandas.DataFrame(self.summary_rows)
        if "clusters" in frame:  # only ratio rows have it; whole numbers stay whole
            frame["clusters"] = frame["clusters"].astype("Int64")
        return frame

    @property
    def tables(self) -> dict[str, pandas.DataFrame]:
        """Each table as a DataFrame."""
        import pandas

        return {name: pandas.DataFrame(rows) for name, rows in self.table_rows.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return manifest, summary and tables as plain JSON values."""
        return {"manifest": self.manifest, "summary": self.summary_rows, "tables": self.table_rows}


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a plan was played.

    Attributes
    ----------
    done : what was played.
    count : what was to be played.
    """

    def __init__(self, done: int, count: int) -> None:
        super().__init__()
        self.done = done
        self.count = count


def execute(
    plan: Plan,
    *,
    threads: int | None = None,
    crew: Crew | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    folder: Folder | None = None,
) -> Result:
    """Play a plan and return what it showed.

    Parameters
    ----------
    threads : None: one a core. The result does not depend on it.
    crew : who plays, where that is not threads of this process. The result does not depend on it.
    progress : called with (done, in all) now and then.
    watch : called every WATCH_SECONDS with `current` as of then.
    folder : where the run is kept while it goes on and when it ends; it may hold the first part of it.

    Raises
    ------
    Interrupted
        On Ctrl-C; the folder then holds all that was played.
    CrewLost
        Where the workers of a cluster give up; the folder then holds all that was played.
    FivesError
        Where the folder cannot be written.
    """
    from analyzer.workers import CrewLost, Threads

    work = plan.work()
    crew = Threads(threads) if crew is None else crew
    ledger: Ledger[Any] = Ledger(work.none()) if folder is None else folder.ledger(work)
    clock = Clock() if folder is None else Clock(folder.times)
    try:
        return _played(plan, work, ledger, clock, crew, _watched(plan, ledger, progress, watch), folder)
    except (KeyboardInterrupt, CrewLost) as stop:
        if folder is not None:
            folder.interrupt(ledger, clock)
        if isinstance(stop, CrewLost):
            raise
        raise Interrupted(ledger.games, plan.span[1] - plan.span[0]) from stop


def _played(
    plan: Plan,
    work: Work[Any],
    ledger: Ledger[Any],
    clock: Clock,
    crew: Crew,
    follow: Callable[[], None],
    folder: Folder | None,
) -> Result:
    from analyzer.workers import Threads

    def tick() -> None:
        if folder is not None:
            folder.keep_now_and_then(ledger)
        follow()

    if folder is not None:
        folder.begin(ledger, clock)
    why = play_to_verdict(plan, work, ledger, crew, tick)
    result = result_of(plan, ledger, why, clock)
    if folder is not None:
        threads = crew.count if isinstance(crew, Threads) else None
        folder.finish(result, ledger, threads, follow)
    return result


def _watched(
    plan: Plan, ledger: Ledger[Any], progress: Progress | None, watch: Watch | None
) -> Callable[[], None]:
    """Return what tells those who follow a run how it stands."""
    told = time.monotonic()

    def follow() -> None:
        nonlocal told
        if progress is not None:
            progress(ledger.games, plan.span[1] - plan.span[0])
        if watch is not None and time.monotonic() - told >= WATCH_SECONDS:
            watch(current(plan, ledger.state()[1]))
            told = time.monotonic()

    return follow


def current(plan: Plan, total: Any) -> str:
    """Return the plan's headline so far in a few words: the estimate ± half its interval's width."""
    row = next((row for row in plan.report(total).summary if row["metric"] == plan.headline), None)
    if row is None or row["low"] is None:
        return ""
    return f"{plan.headline} {row['estimate']:.4f} ± {(row['high'] - row['low']) / 2:.4f}"


def result_of(plan: Plan, ledger: Ledger[Any], why: str, clock: Clock) -> Result:
    """Return what a ledger shows that holds all that a plan plays."""
    total = ledger.state()[1]
    notes = plan.report(total).notes
    return Result(plan, total, manifest_of(plan, COMPLETE, clock, done=ledger.games, why=why, notes=notes))


def all_played(plan: Plan) -> str:
    """Return why a run ended whose span was played to its end."""
    return f"all {plan.unit} played"


def play_to_verdict(
    plan: Plan,
    work: Work[Any],
    ledger: Ledger[Any],
    crew: Crew,
    tick: Callable[[], None] | None = None,
) -> str:
    """Play what is missing, checkpoint by checkpoint, and return why it ended.

    Where the ledger has more games than a checkpoint, its verdict was to go on.
    """
    first, last = plan.span
    for done in [*plan.checkpoints, last - first]:
        if done < ledger.games:
            continue
        crew.play(work, (first, min(first + done, last)), ledger, tick)
        if (why := plan.verdict(ledger.state()[1])) is not None:
            return why
    return all_played(plan)
