"""What the commands print: one way to stdout, plain tables, JSON, and numbers as people read them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.errors import FivesError
from analyzer.runs import columns_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

PIPE_WIDTH = 200  # columns of a table where nobody's window limits it
GAP = 2  # columns between two columns of a table
FOLDED_WIDTH = 8  # columns that words keep in a narrow window
PLAIN_LIMIT = 1000  # numbers from here on are shown with fewer decimals


def make_output_safe() -> None:
    """Let a console that lacks a character show a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def emit(text: str) -> None:
    """Print `text` and a line feed on stdout.

    Raises
    ------
    FivesError
        Where stdout is closed, full, or nobody reads it any more.
    """
    if sys.stdout is None:
        raise FivesError("standard output is closed: there is nowhere to print the results.")
    try:
        sys.stdout.write(text + "\n")
    except BrokenPipeError:
        raise  # nobody reads on, as with `| head`: no mistake to tell
    except OSError as error:
        reason = error.strerror or str(error)
        raise FivesError(f"cannot write to standard output: {reason[:1].lower()}{reason[1:]}.") from error


def tell(sentence: str) -> None:
    """Print one line `fives: SENTENCE` on stderr; where there is no stderr, do nothing."""
    if sys.stderr is None:
        return
    try:
        print("fives: " + " ".join(sentence.split()), file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody is left to tell


def emit_json(value: Any) -> None:
    """Print a JSON value, indented by two, on stdout."""
    emit(json.dumps(value, indent=2))


def number(value: object) -> str:
    """Return a cell: whole numbers with thousands separators, others to five or two decimals, None as "-"."""
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.5f}" if abs(value) < PLAIN_LIMIT else f"{value:,.2f}"


def emit_table(title: str, rows: Sequence[Mapping[str, Any]], *, words: Sequence[str] = ()) -> None:
    """Print rows as a table.

    Parameters
    ----------
    title : a line above the table.
    rows : one mapping a row; None is shown as "-", and what a row lacks is left blank.
    words : columns that hold words, set to the left and folded where the window is narrow.
    """
    from rich.table import Table

    if not rows:
        return
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=_box(),
        pad_edge=False,
        collapse_padding=True,
    )
    columns = columns_of(rows)
    least_width = 0
    for column in columns:
        if column in words:
            width = FOLDED_WIDTH
            table.add_column(column, justify="left", overflow="fold", min_width=width)
        else:
            width = max(len(column), *(len(number(row.get(column, ""))) for row in rows))
            table.add_column(column, justify="right", no_wrap=True, min_width=width)
        least_width += width + GAP
    for row in rows:
        table.add_row(*[number(row.get(column, "")) for column in columns])
    emit(_rendered(table, least_width))


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def speaks_utf8() -> bool:
    """Whether stdout can show line characters."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _box() -> Any:
    from rich import box

    return box.SIMPLE_HEAD if speaks_utf8() else box.ASCII


def _rendered(table: Table, least_width: int) -> str:
    """Return the table as text: in the window's width and with bold heads on a terminal, plain elsewhere."""
    console = new_console(PIPE_WIDTH)
    console.width = max(console.width, least_width)  # a line may run over, but no number is ever cut
    return rendered(console, table) + "\n"


def new_console(pipe_width: int | None = None) -> Console:
    """Return a console for `rendered`: it has a terminal's width and styles where stdout is one, else none.

    Parameters
    ----------
    pipe_width : its columns where stdout is no terminal; None: those of COLUMNS, else 80.
    """
    from rich.console import Console

    terminal = _is_terminal()
    return Console(
        file=io.StringIO(),
        width=None if terminal else pipe_width,
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        markup=False,
        highlight=False,
        emoji=False,
    )


def rendered(console: Console, content: RenderableType) -> str:
    """Return what the console makes of a table or a text, without blanks at the ends of lines."""
    console.file = text = io.StringIO()
    console.print(content)
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().split("\n"))
