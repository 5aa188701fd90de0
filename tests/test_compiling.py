"""The line about compiling: before a kernel is compiled that the cache lacks, once a process, else never."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINE = "fives: compiling the kernels that this run needs, which takes "
VARIABLE = "FIVES_CACHE_DIR"
KEPT = "; later runs find them."
NOT_KEPT = f"; no folder can be written to keep them in, so every run does this: name one with {VARIABLE}."

TINY = """
from kernels.jit import kernel

@kernel
def inner(number):
    return number + 1

@kernel
def twice(number):
    return 2 * inner(number)
"""
BEGIN = "from analyzer.cli.kernels import announce_compilation; announce_compilation(); "
WATCHED = """
import sys
from numba.core import event
from tiny import twice

class Ends(event.Listener):
    def on_start(self, event):
        pass
    def on_end(self, event):
        print("compiled", event.data["dispatcher"].py_func.__name__, file=sys.stderr)

event.register("numba:compile", Ends())
"""
THREADS = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    found = list(pool.map(twice, [1, 2, 0.5, 1.5]))
assert found == [4, 6, 3.0, 5.0]
"""


def err_of(script: str, folder: Path, **environment: str) -> str:
    """Run a script beside the tiny kernels, which are cached there too; return what it told on stderr."""
    (folder / "tiny.py").write_text(TINY)
    paths = os.pathsep.join([str(folder), str(ROOT)])
    given = {"PYTHONPATH": paths, VARIABLE: str(folder / "cache"), **environment}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    return done.stderr


def assert_told(err: str, ending: str = KEPT) -> None:
    assert err.startswith(LINE)
    assert err.endswith(ending + "\n")
    assert err.count("\n") == 1


def test_before_the_waiting_and_once_whatever_the_threads_and_signatures(tmp_path: Path) -> None:
    told, *compiled = err_of(BEGIN + WATCHED + THREADS, tmp_path).splitlines()
    assert_told(told + "\n")
    assert sorted(compiled) == ["compiled inner"] * 2 + ["compiled twice"] * 2


def test_never_where_the_cache_holds_what_is_called(tmp_path: Path) -> None:
    call = BEGIN + "import tiny; tiny.twice({})"
    assert_told(err_of(call.format(1), tmp_path))
    assert err_of(call.format(2), tmp_path) == ""
    assert err_of(BEGIN + "import tiny; tiny.inner(1)", tmp_path) == ""
    assert_told(err_of(call.format(0.5), tmp_path))  # the folder is full, but of another signature
    assert err_of(call.format(0.5), tmp_path) == ""
    for file in tmp_path.rglob("tiny.twice*.nbc"):
        file.unlink()  # as a clean-up of old files may do
    assert_told(err_of(call.format(1), tmp_path))
    assert err_of(call.format(1), tmp_path) == ""


def test_every_time_where_no_folder_can_be_written(tmp_path: Path) -> None:
    nowhere = "from kernels import cachedir; cachedir.pin = lambda: None; "
    for _ in range(2):
        assert_told(err_of(BEGIN + nowhere + "import tiny; tiny.twice(1)", tmp_path), NOT_KEPT)


def test_only_the_command_line_tells(tmp_path: Path) -> None:
    assert err_of("import tiny; tiny.twice(1)", tmp_path) == ""
    logged = "import logging; logging.basicConfig(level='INFO'); import tiny; tiny.twice(0.5)"
    assert err_of(logged, tmp_path) == "INFO:kernels.jit:compiling tiny.twice\n"


def test_nothing_is_told_without_the_compiler(tmp_path: Path) -> None:
    assert err_of(BEGIN + "import tiny; tiny.twice(1)", tmp_path, NUMBA_DISABLE_JIT="1") == ""


RUN = """
import sys
from analyzer.cli.failures import run
class Command:
    def main(self, **_):
        import tiny
        try:
            tiny.twice(1)
        except EOFError as error:  # as Typer does
            from typer import Abort
            raise Abort() from error
sys.exit(run(Command(), []) != {code})
"""


@pytest.mark.parametrize("left", [0, 100])
@pytest.mark.parametrize("kind", ["nbc", "nbi"])
def test_kernels_that_were_cut_short_are_told_in_one_sentence(tmp_path: Path, kind: str, left: int) -> None:
    assert err_of(RUN.format(code=0), tmp_path) == ""
    (file,) = tmp_path.rglob(f"tiny.twice*.{kind}")
    file.write_bytes(file.read_bytes()[:left])
    told = err_of(RUN.format(code=2), tmp_path)
    assert told.startswith(f"fives: the compiled kernels in {tmp_path / 'cache'}")
    assert told.endswith(" cannot be read: remove that folder, and they are compiled anew.\n")
    assert told.count("\n") == 1


# --- the commands -------------------------------------------------------------------------------

COMMANDS = (
    ("simulate", "draw", "--rounds", "1", "--quiet"),
    ("trace", "draw", "--games", "1"),
    ("compare", "draw", "--policy", "greedy", "--policy", "random", "--deals", "1", "--json"),
    ("advise", "draw", "--hand", "6-3 5-5 2-1 4-1 0-0 6-6 3-2", "--seat", "0", "--worlds", "100"),
)
PLAIN = COMMANDS[0]


def told_by(folder: Path, *words: str) -> str:
    """Run a command that keeps its kernels in a folder; return what it told on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "analyzer.cli", *words],
        cwd=ROOT,
        env=os.environ | {VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.slow
def test_each_command_that_compiles_something_more_says_so(tmp_path: Path) -> None:
    for words in COMMANDS:
        assert_told(told_by(tmp_path, *words))
        assert told_by(tmp_path, *words) == ""
    for words in COMMANDS:
        assert told_by(tmp_path, *words) == ""


@pytest.mark.slow
def test_workers_of_a_cluster_tell_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    assert told_by(tmp_path, *PLAIN, "--cluster", "local:2") == ""
    assert told_by(tmp_path, *PLAIN) == ""  # so the workers did compile
