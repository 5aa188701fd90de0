"""The progress bar on stderr: done, rate, time left, the headline so far. Absent without a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Bar:
    """What moves a progress bar: (done, in all), and a text with what the run shows so far."""

    move: Progress
    tell: Callable[[str], None]


@contextmanager
def progress_bar(unit: str) -> Iterator[Bar | None]:
    """Show a bar while the block runs, and give what moves it.

    Parameters
    ----------
    unit : what is counted, "rounds" or "games".

    Yields
    ------
    Bar or None
        None where stderr is not a terminal.
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
        bars.TextColumn("{task.fields[current]}"),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=None, rate="", current="", visible=False)

        def move(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            rate = f"{speed:,.0f} {unit}/s" if speed else ""
            bar.update(task, completed=done, total=total, rate=rate, visible=True)

        def tell(current: str) -> None:
            bar.update(task, current=current)

        yield Bar(move, tell)
