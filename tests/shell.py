"""Running the command line inside a test: what it printed, what it complained about, how it ended."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from analyzer.cli import main


@dataclass(frozen=True)
class Outcome:
    """The exit code and the texts on stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@contextlib.contextmanager
def compiling_untold() -> Iterator[None]:
    """Keep the line about compiling out of stderr: which test has to compile depends on those before it."""
    logger = logging.getLogger("kernels.jit")

    def drop(_: logging.LogRecord) -> bool:
        return False

    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def fives(*words: object, stdin: str = "") -> Outcome:
    """Run `fives WORDS`; neither stdin, stdout nor stderr is a terminal."""
    out, err = io.StringIO(), io.StringIO()
    saved, sys.stdin = sys.stdin, io.StringIO(stdin)
    try:
        with compiling_untold(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(word) for word in words])
    finally:
        sys.stdin = saved
    return Outcome(code, out.getvalue(), err.getvalue())


def refusal(*words: object, stdin: str = "") -> str:
    """Run `fives WORDS`, which must be refused in one line with exit code 2; return its sentence."""
    outcome = fives(*words, stdin=stdin)
    assert outcome.code == 2, outcome
    assert outcome.err.startswith("fives: "), outcome.err
    assert outcome.err.endswith("\n"), outcome.err
    assert outcome.err.count("\n") == 1, outcome.err
    return outcome.err.removeprefix("fives: ").rstrip("\n")


def lines_of(html: str) -> list[str]:
    """Return the lines to be typed that a page shows, block by block."""
    blocks = re.findall(r'<pre class="line">(.*?)</pre>', html, flags=re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", block)) for block in blocks]
