"""Files are written whole or not at all, and a folder holds one run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analyzer.errors import FivesError
from analyzer.runs import csv_text, prepare_folder, replacing


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


@pytest.mark.parametrize("name", ["manifest.json", "summary.csv", "ends.parquet"])
def test_a_folder_holds_one_run(tmp_path: Path, name: str) -> None:
    prepare_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).write_text("")
    with pytest.raises(FivesError, match="already holds files of another run"):
        prepare_folder(tmp_path)


def test_csv_text() -> None:
    assert csv_text([{"a": 1, "b": None}, {"a": 0.5, "b": "x,y"}]) == 'a,b\n1,\n0.5,"x,y"\n'
    assert csv_text([]) == ""
