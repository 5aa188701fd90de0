"""How tables become CSV: the plain form, and that of spreadsheets which write a comma in decimals."""

from __future__ import annotations

from dataclasses import dataclass

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # how such spreadsheets tell UTF-8


@dataclass(frozen=True)
class Dialect:
    """One form of CSV; lines end in a line feed in all of them.

    Attributes
    ----------
    separator : between two values.
    decimal : the decimal mark.
    start : what a file begins with.
    """

    separator: str = ","
    decimal: str = "."
    start: str = ""


PLAIN = "plain"
DIALECTS = {PLAIN: Dialect(), "excel-fr": Dialect(";", ",", BYTE_ORDER_MARK)}
