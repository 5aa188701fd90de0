"""The one exception that means "the user asked for something that cannot be done"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FivesError(ValueError):
    """Bad input. Its text is one sentence that says what is wrong and what to do.

    The command line prints it as ``fives: TEXT`` and exits with 2.
    """


SHOWN_LENGTH = 60


def shown(value: object) -> str:
    """Return a value as an error shows it: on one line, printable, cut where it is long."""
    text = repr(value)
    return text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "..."


def unknown(what: str, given: object, known: Iterable[str]) -> FivesError:
    """Return the error for a name that is not in `known`, with the nearest name where there is one."""
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(str(given)[:SHOWN_LENGTH].casefold(), names, n=1, cutoff=0.5)
    hint = f"did you mean {names[near[0]]}?" if near else f"choose from {', '.join(names.values())}."
    return FivesError(f"unknown {what} {shown(given)}: {hint}")
