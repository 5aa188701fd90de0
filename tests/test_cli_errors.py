"""The command line in the shell: exit codes, closed and full outputs, poor consoles, Ctrl-C, a quick help."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.version import __version__
from tests.shell import fives, refusal
from tests.stand_ins import install

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "analyzer.cli"]
HEAVY = ("numba", "pandas", "numpy", "matplotlib", "pyarrow", "rich", "jinja2")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell line in which `fives` is the command."""
    full = f'fives() {{ "{sys.executable}" -m analyzer.cli "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", full],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_version() -> None:
    assert fives("--version").out == f"fives {__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help(words: tuple[str, ...]) -> None:
    outcome = fives(*words)
    assert outcome.code == 0
    for command in ("rules", "policies", "simulate", "trace", "verify", "score"):
        assert f"\n  {command} " in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simulat",), "unknown command 'simulat': did you mean simulate?"),
        (("xyz",), "unknown command 'xyz': choose from rules"),
        (("--versoin",), "unknown option '--versoin': did you mean --version?"),
        (("rules", "--playres", 3), "did you mean --players?"),
        (("rules", "--players", "two"), "--players does not fit"),
        (("policies", "extra"), "extra"),
        (("verify",), "missing argument 'FILE'"),
    ],
)
def test_usage_errors_are_one_line(words: tuple[object, ...], sentence: str) -> None:
    assert sentence in refusal(*words)


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = install(monkeypatch)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("analyzer.plans.execute", interrupted)
    outcome = fives("simulate", "draw", "--rounds", 1)
    sentence = "fives: stopped: nothing is kept; a run with --out DIR is kept and can go on.\n"
    assert (outcome.code, outcome.out, outcome.err) == (130, "", sentence)
    assert not calls


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert str(tmp_path) in refusal("verify", tmp_path)


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from analyzer.cli import main; main(['simulate', '--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not set(HEAVY) & set(done.stdout.split())


@pytest.mark.parametrize("line", ["fives policies | true", "fives policies --json | head -c 1"])
def test_a_closed_pipe_is_no_traceback(line: str) -> None:
    assert b"Traceback" not in shell(line).stderr
    assert b"Exception" not in shell(line).stderr


def test_a_reader_that_has_gone_is_no_mistake() -> None:
    done = shell("fives rules exact61 | head -1; fives policies --json | true")
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", ["policies --json", "rules draw", "--help", "--version", "simulate --help"])
def test_a_full_output_is_one_line(words: str) -> None:
    done = shell(f"fives {words} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith(b"fives: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_closed_streams() -> None:
    assert shell("fives policies >&-").stderr.startswith(b"fives: standard output is closed")
    assert shell("fives rulez 2>&-").returncode == 2
    assert shell("fives score allfives <&-").stderr.startswith(b"fives: no moves")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("words", ["policies", "rules partout5", "score draw 6-3", "--help"])
def test_any_console_can_show_it(encoding: str, words: str) -> None:
    done = shell(f"fives {words}", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"?" not in done.stdout
    done.stdout.decode(encoding)


def test_the_c_locale_is_enough() -> None:
    done = shell("fives rules draw", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@pytest.mark.parametrize("words", [("simulate", "draw", "--rounds", 1, "--out", ""), ("resume", "")])
def test_an_empty_path_is_no_folder(words: tuple[object, ...]) -> None:
    assert "the path is empty" in refusal(*words)
