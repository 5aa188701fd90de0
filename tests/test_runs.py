"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet
import pytest

from analyzer.errors import FivesError
from analyzer.runs import csv_text, digest_of, replacing, write_tables


class Stopped(Exception):
    """What stops a run half way."""


def _write_half(file: Path) -> None:
    with replacing(file) as open_file:
        open_file.write("half")
        raise Stopped


def test_an_interrupted_file_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("old")
    with pytest.raises(Stopped):
        _write_half(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_lines_end_in_a_line_feed(tmp_path: Path) -> None:
    with replacing(tmp_path / "file") as file:
        file.write("a\nb\n")
    assert (tmp_path / "file").read_bytes() == b"a\nb\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with replacing(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="needs a null device in the file system")
def test_a_device_is_written_through() -> None:
    with replacing(Path(os.devnull)) as file:
        file.write("gone")
    assert not Path(os.devnull).is_file()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(FivesError, match=r"cannot write .*: no such file"),
        replacing(tmp_path / "none" / "file"),
    ):
        pytest.fail("opened")


def test_csv_text() -> None:
    assert csv_text([{"a": 1, "b": None}, {"a": 0.5, "b": "x,y"}]) == 'a,b\n1,\n0.5,"x,y"\n'
    assert csv_text([]) == ""


def test_tables_are_written_twice(tmp_path: Path) -> None:
    rows = [{"a": 1, "b": None}, {"b": 0.1 + 0.2, "c": "x"}]
    digests = write_tables(tmp_path, {"t": rows, "empty": []})
    assert set(digests) == {"t.csv", "t.parquet", "empty.csv", "empty.parquet"}
    for name, digest in digests.items():
        assert digest_of((tmp_path / name).read_bytes()) == digest
    assert (tmp_path / "t.csv").read_text() == "a,b,c\n1,,\n,0.30000000000000004,x\n"
    lacking = {"a": None, "b": None, "c": None}
    assert pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist() == [lacking | row for row in rows]
