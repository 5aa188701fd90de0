"""Runs on disk: a folder with a manifest and its tables, each file written whole or not at all.

A file is written under a temporary name in the same folder, flushed to the disk and renamed, so a
run that is stopped leaves no half file. The manifest comes last: a folder that has one is complete.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from analyzer.errors import FivesError

TABLES = ("summary", "openings", "seats", "counts", "needs", "ends")
MANIFEST = "manifest.json"
TABLE_SUFFIXES = (".csv", ".parquet")

Rows = Sequence[Mapping[str, Any]]


def cannot_write(path: str | Path, error: OSError) -> FivesError:
    """Return the error for an output that cannot be written; it says why."""
    reason = error.strerror or str(error)
    return FivesError(f"cannot write {path}: {reason[:1].lower()}{reason[1:]}; choose another place.")


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open `path` for writing, whole or not at all; a pipe or device is written straight through.

    Parameters
    ----------
    path : the file to write; an older one is replaced when the block ends without an exception.
    mode : "w" (UTF-8, lines end in a line feed) or "wb".

    Raises
    ------
    FivesError
        Where the file cannot be opened, written or renamed.
    """
    try:
        if path.exists() and not path.is_file():
            with _opened(path, mode) as file:
                yield file
            return
        path = path.resolve()  # a link stays a link: what it names is replaced
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with _opened(temporary, mode) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            _discard(temporary)
            raise
    except OSError as error:
        raise cannot_write(path, error) from error


def _opened(path: Path, mode: str) -> IO[Any]:
    if "b" in mode:
        return open(path, mode)
    return open(path, mode, encoding="utf-8", newline="\n")


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass  # the error that led here is the one to tell


def prepare_folder(folder: Path) -> None:
    """Make `folder` ready for a run: make it where needed and try to write in it.

    Raises
    ------
    FivesError
        Where it cannot be made or written, or already holds files of a run.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = sorted(path.name for path in folder.iterdir() if path.name in _file_names())
    except OSError as error:
        raise cannot_write(folder, error) from error
    if held:
        raise FivesError(f"{folder} already holds files of another run ({held[0]}): choose another folder.")
    probe = folder / f".{os.getpid()}.probe"
    with replacing(probe):
        pass
    _discard(probe)


def _file_names() -> set[str]:
    return {MANIFEST} | {table + suffix for table in TABLES for suffix in TABLE_SUFFIXES}


def write_run(folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, Rows]) -> list[str]:
    """Write a run's tables as CSV and Parquet, then its manifest, and return the names of the files.

    Parameters
    ----------
    folder : made ready by `prepare_folder`.
    manifest : plain JSON values.
    tables : rows by table name, "summary" among them.
    """
    names = []
    for table, rows in tables.items():
        with replacing(folder / f"{table}.csv") as file:
            file.write(csv_text(rows))
        with replacing(folder / f"{table}.parquet", "wb") as file:
            _write_parquet(rows, file)
        names += [f"{table}{suffix}" for suffix in TABLE_SUFFIXES]
    with replacing(folder / MANIFEST) as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")
    return [*names, MANIFEST]


def columns_of(rows: Rows) -> list[str]:
    """Return the keys of all rows, in the order in which they first occur; a row may lack some."""
    return list(dict.fromkeys(column for row in rows for column in row))


def csv_text(rows: Rows) -> str:
    """Return rows as CSV with a header; lines end in a line feed, what is None or lacking is left empty."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=columns_of(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _write_parquet(rows: Rows, file: IO[bytes]) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = {column: [row.get(column) for row in rows] for column in columns_of(rows)}
    pyarrow.parquet.write_table(pyarrow.table(columns), file)
