"""Plans: what an experiment plays, and how its totals become rows; the same for every kind of experiment.

`simulate`, `compare` and others each define a plan. `execute` plays any plan. A plan is rebuilt from its
`settings()`, so that a saved run can go on, and two runs are parts of one experiment where all but their
spans agree.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from analyzer.ledger import Ledger, Span
from analyzer.version import __version__

if TYPE_CHECKING:
    import pandas

    from analyzer.workers import Progress, Work

Row = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """What totals show: summary rows, tables of rows, and what belongs in the manifest beside them."""

    summary: list[Row]
    tables: dict[str, list[Row]]
    notes: dict[str, Any] = field(default_factory=dict)


class Plan(Protocol):
    """One experiment, complete: everything that its result depends on."""

    command: ClassVar[str]

    @property
    def unit(self) -> str:
        """What is counted, in the plural: "games", "rounds" or "deals"."""
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
    total: Any
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


def execute(plan: Plan, *, threads: int | None = None, progress: Progress | None = None) -> Result:
    """Play a plan and return what it showed.

    Parameters
    ----------
    threads : None: one a core. The result does not depend on it.
    progress : called with (done, in all) now and then.
    """
    work = plan.work()
    ledger: Ledger[Any] = Ledger(work.none())
    began = time.perf_counter()
    why = play_to_verdict(plan, work, ledger, threads, progress)
    seconds = time.perf_counter() - began
    total = ledger.state()[1]
    return Result(plan, total, manifest_of(plan, ledger, total, why) | {"seconds": round(seconds, 3)})


def play_to_verdict(
    plan: Plan, work: Work[Any], ledger: Ledger[Any], threads: int | None, progress: Progress | None
) -> str:
    """Play what is missing, checkpoint by checkpoint, and return why it ended."""
    from analyzer import workers

    first, last = plan.span
    tick = None if progress is None else lambda: progress(ledger.games, last - first)
    for done in [*plan.checkpoints, last - first]:
        workers.play(work, (first, min(first + done, last)), ledger, threads, tick)
        if done < last - first and (why := plan.verdict(ledger.state()[1])) is not None:
            return why
    return f"all {plan.unit} played"


def manifest_of(plan: Plan, ledger: Ledger[Any], total: Any, why: str) -> dict[str, Any]:
    """Return the manifest of a run, without its times."""
    import numba
    import numpy

    from kernels.cachedir import source_digest
    from kernels.rng import STREAM_VERSION

    return {
        "command": plan.command,
        **plan.settings(),
        "done": ledger.games,
        "stopped_because": why,
        **plan.report(total).notes,
        "random_stream_version": STREAM_VERSION,
        "kernel_digest": source_digest(),
        "versions": {
            "fives": __version__,
            "numba": numba.__version__,
            "numpy": numpy.__version__,
            "python": platform.python_version(),
        },
    }
