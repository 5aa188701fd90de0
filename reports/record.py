"""What a page tells of a run besides its tables: the rules in force, how to repeat it, what played it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One rule in force.

    Attributes
    ----------
    name, value : the field and its value, as the command line has them.
    unit : the unit of the value; empty where it is one of a few words.
    source : where the rule set's own value comes from.
    choice : what was decided where that source is silent; None: it is clear.
    own : the rule set's own value where this is another; None: they agree.
    """

    name: str
    value: str
    unit: str
    source: str
    choice: str | None = None
    own: str | None = None


@dataclass(frozen=True)
class Record:
    """A run on record.

    Attributes
    ----------
    rules : every rule in force; in a sweep those of the base cell.
    run_line : the shell line or Python lines that play the run again and write this page.
    page_line : the shell line that writes this page from a folder that keeps the run.
    check_line : the shell lines that write down one game of the run and replay it; None where there are none.
    signature : of the named rule set.
    versions : of the programs, by name.
    streams, kernels : the version of the random streams, and the digest of the kernels' sources.
    started, finished : in UTC, ISO 8601; None where nothing keeps them.
    seconds : at work; None likewise.
    """

    rules: tuple[Rule, ...]
    run_line: str
    page_line: str
    check_line: str | None
    signature: str | None
    versions: Mapping[str, str]
    streams: int
    kernels: str
    started: str | None
    finished: str | None
    seconds: float | None
