"""Tables for a page: cells as their reader writes numbers, the same table as CSV, and that as a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reports.dialects import Dialect
from reports.labels import column_label, metric_label, opener_label, scope_label
from reports.told import end_told, unit_told

if TYPE_CHECKING:
    import pandas

    from reports.words import Words

MOST_SHOWN = (
    300  # rows of a table on a page; a longer one is whole as CSV alone, so that the page stays small
)
MOST_LINKED = 2_300_000  # characters of CSV in a page; longer ones are in the run's folder alone
_PLAIN_IN_LINKS = ",;."
_NOTHING = "\N{EN DASH}"


@dataclass(frozen=True)
class Shown:
    """A table as a page shows it.

    Attributes
    ----------
    key : its name in links and file names.
    title : its caption.
    columns : heading of each column, and whether it holds numbers.
    rows : the cells of each row, of the first `MOST_SHOWN`.
    count : how many rows there are.
    csv : all of them as CSV; None where that is too long, or is in another table of the page.
    """

    key: str
    title: str
    columns: list[tuple[str, bool]]
    rows: list[list[str]]
    count: int
    csv: str | None

    @property
    def is_whole(self) -> bool:
        """Whether every row is shown."""
        return len(self.rows) == self.count

    @property
    def link(self) -> str | None:
        """The CSV as a `data:` link; None without CSV."""
        if self.csv is None:
            return None
        return "data:text/csv;charset=utf-8," + quote(self.csv, safe=_PLAIN_IN_LINKS)


def shown(
    key: str, title: str, table: pandas.DataFrame, dialect: Dialect, words: Words, *, is_part: bool = False
) -> Shown:
    """Return a table ready for a page.

    Parameters
    ----------
    is_part : whether its rows are in another table of the page too, so that a long one needs no CSV.
    """
    first = table.iloc[:MOST_SHOWN]
    cells = [_cells(str(name), first[name], words) for name in table]
    columns = [(column_label(str(name), words), _is_numeric(table[name])) for name in table]
    rows = [list(row) for row in zip(*cells, strict=True)]
    csv = None if is_part and len(table) > MOST_SHOWN else csv_of(table, dialect)
    if csv is not None and len(csv) > MOST_LINKED:
        csv = None
    return Shown(key, title, columns, rows, len(table), csv)


def csv_of(table: pandas.DataFrame, dialect: Dialect) -> str:
    """Return a table as CSV with a header; empty where it has no columns."""
    if table.columns.empty:
        return ""
    text = table.to_csv(index=False, lineterminator="\n", sep=dialect.separator, decimal=dialect.decimal)
    return dialect.start + str(text)


def _is_numeric(column: pandas.Series) -> bool:
    import pandas.api.types as types

    return bool(types.is_numeric_dtype(column) and not types.is_bool_dtype(column))


def _cells(name: str, column: pandas.Series, words: Words) -> list[str]:
    import pandas

    tell = _teller(name, column, words)
    return [_NOTHING if pandas.isna(value) else tell(value) for value in column]


def _teller(name: str, column: pandas.Series, words: Words) -> Callable[[Any], str]:
    """Return what tells a value of a column."""
    import pandas.api.types as types

    if types.is_bool_dtype(column):
        return lambda value: words("yes") if value else words("no")
    if not types.is_numeric_dtype(column):
        known: dict[str, Callable[[Any], str]] = {
            "metric": lambda value: metric_label(value, words),
            "scope": lambda value: scope_label(value, words),
            "unit": lambda value: unit_told(value, words),
            "end": lambda value: end_told(value, words),
            "opener": lambda value: opener_label(value, words),
        }
        return known.get(name, str)
    if types.is_integer_dtype(column) or (column.dropna() % 1 == 0).all():
        return words.whole
    return lambda value: words.number(value, _digits(name, float(value), column))


def _digits(name: str, value: float, column: pandas.Series) -> int:
    """Return decimals for a number: by its column; in a summary, whose rows differ in unit, by itself."""
    size = abs(value) if name in ("estimate", "std_error", "low", "high") else float(column.abs().max())
    return 4 if size < 10 else 2
