"""Files of a run on disk: each written whole or not at all, tables as CSV and Parquet.

A file is written under a temporary name in the same folder, flushed to the disk and renamed, so whatever
stops a run leaves no half file.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from analyzer.errors import FivesError
from reports.dialects import DIALECTS, PLAIN, Dialect

TABLE_SUFFIXES = (".csv", ".parquet")

Rows = Sequence[Mapping[str, Any]]


class CannotWrite(FivesError):
    """An output cannot be written.

    Attributes
    ----------
    problem : "cannot write PATH: REASON", without the advice.
    """

    def __init__(self, path: str | Path, error: OSError) -> None:
        reason = error.strerror or str(error)
        self.problem = f"cannot write {path}: {reason[:1].lower()}{reason[1:]}"
        super().__init__(f"{self.problem}; choose another place.")


def cannot_read(path: str | Path, error: OSError) -> FivesError:
    """Return the error for a file that cannot be read; it says why."""
    return FivesError(f"cannot read {path}: {(error.strerror or str(error)).lower()}.")


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
            _flush_folder(path.parent)
        except BaseException:
            discard(temporary)
            raise
    except OSError as error:
        raise CannotWrite(path, error) from error


def _opened(path: Path, mode: str) -> IO[Any]:
    if "b" in mode:
        return open(path, mode)
    return open(path, mode, encoding="utf-8", newline="\n")


def _flush_folder(folder: Path) -> None:
    """Make a rename outlast a power cut, where folders can be flushed at all."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some network file systems refuse; the rename itself has happened
    finally:
        os.close(handle)


def discard(path: Path) -> None:
    """Remove a file, if it is there and can be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass  # the error that led here is the one to tell


def write_bytes(path: Path, content: bytes) -> str:
    """Write a file, whole or not at all, and return its digest."""
    with replacing(path, "wb") as file:
        file.write(content)
    return digest_of(content)


def write_json(path: Path, value: Any, *, indent: int | None = 2) -> None:
    """Write a JSON value as a file, whole or not at all."""
    write_bytes(path, (json.dumps(value, indent=indent) + "\n").encode())


def digest_of(content: bytes) -> str:
    """Return the SHA-256 digest of a file's content in hex digits."""
    return hashlib.sha256(content).hexdigest()


def digest_of_file(path: Path) -> str:
    """Return the same digest of a file of any size; OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_tables(folder: Path, tables: Mapping[str, Rows]) -> dict[str, str]:
    """Write tables as CSV and Parquet and return the digest of each file by its name.

    Parameters
    ----------
    tables : rows by table name, "summary" among them.
    """
    digests = {}
    for table, rows in tables.items():
        for suffix, content in zip(TABLE_SUFFIXES, (csv_text(rows).encode(), _parquet(rows)), strict=True):
            digests[table + suffix] = write_bytes(folder / (table + suffix), content)
    return digests


def columns_of(rows: Rows) -> list[str]:
    """Return the keys of all rows, in the order in which they first occur; a row may lack some."""
    return list(dict.fromkeys(column for row in rows for column in row))


def csv_text(rows: Rows, dialect: Dialect = DIALECTS[PLAIN]) -> str:
    """Return rows as CSV with a header; lines end in a line feed, what is None or lacking is left empty."""
    if not rows:
        return ""
    text = io.StringIO()
    text.write(dialect.start)
    columns = columns_of(rows)
    writer = csv.writer(text, delimiter=dialect.separator, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_csv_value(row.get(column), dialect) for column in columns] for row in rows)
    return text.getvalue()


def _csv_value(value: object, dialect: Dialect) -> object:
    return float.__repr__(value).replace(".", dialect.decimal) if isinstance(value, float) else value


def _parquet(rows: Rows) -> bytes:
    import pyarrow
    import pyarrow.parquet

    columns = {column: [row.get(column) for row in rows] for column in columns_of(rows)}
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), content)
    return content.getvalue()
