"""The one exception that means "the user asked for something that cannot be done"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FivesError(ValueError):
    """Bad input. Its text is one sentence that says what is wrong and what to do.

    The command line prints it as ``fives: TEXT`` and exits with 2.
    """


def unknown(what: str, given: str, known: Iterable[str]) -> FivesError:
    """Return the error for a name that is not in `known`, with the nearest name where there is one."""
    names = list(known)
    near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(names)}."
    return FivesError(f"unknown {what} {given!r}: {hint}")
