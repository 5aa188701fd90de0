"""The progress bar on stderr: how much is done, how fast, how long still. Absent without a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress | None]:
    """Show a bar while the block runs, and give the function that moves it.

    Parameters
    ----------
    unit : what is counted, "rounds" or "games".

    Yields
    ------
    callable or None
        `progress(done, total)`; None where stderr is not a terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}"),
        bars.BarColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=None, rate="", visible=False)

        def move(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            rate = f"{speed:,.0f} {unit}/s" if speed else ""
            bar.update(task, completed=done, total=total, rate=rate, visible=True)

        yield move
