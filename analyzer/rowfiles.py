"""Rows streamed into one Parquet file, in row groups of a fixed size: its bytes depend on the rows alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow
import pyarrow.parquet

from analyzer import runs

ROW_GROUP = 1 << 16  # rows
COMPRESSION = "zstd"


def write(path: Path, tables: Iterable[pyarrow.Table], tick: Callable[[], None] | None = None) -> str:
    """Write tables of one schema as a Parquet file, whole or not at all, and return its digest.

    Parameters
    ----------
    tables : at least one; no more of them than fill a row group are held at a time.
    tick : called after each row group.

    Raises
    ------
    FivesError
        Where the file cannot be written.
    """
    groups = _regrouped(tables)
    first = next(groups)
    with (
        runs.replacing(path, "wb") as file,
        pyarrow.parquet.ParquetWriter(file, first.schema, compression=COMPRESSION) as writer,
    ):
        for group in chain([first], groups):
            writer.write_table(group)
            if tick is not None:
                tick()
    return runs.digest_of_file(path)


def _regrouped(tables: Iterable[pyarrow.Table]) -> Iterator[pyarrow.Table]:
    """Yield the rows in tables of ROW_GROUP rows, the last of what is left; each column in one piece."""
    held: list[pyarrow.Table] = []
    count = 0
    for table in tables:
        held.append(table)
        count += table.num_rows
        while count >= ROW_GROUP:
            whole = pyarrow.concat_tables(held)
            yield whole.slice(0, ROW_GROUP).combine_chunks()
            count -= ROW_GROUP
            held = [whole.slice(ROW_GROUP)]
    if count:
        yield pyarrow.concat_tables(held).combine_chunks()
