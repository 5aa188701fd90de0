"""`fives doctor` where all is well and where it is not, and first starts in places that allow little."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from analyzer import doctor
from analyzer.signatures import SIGNATURES
from kernels import jit
from tests.shell import Outcome, fives

ROOT = Path(__file__).parents[1]
# The command line with a short look at the rules and the speed.
BRIEF = (
    "import sys; from analyzer import doctor; from analyzer.cli import main; "
    "doctor.SPEED_SECONDS = 0.01; doctor.SIGNATURES = {'draw': doctor.SIGNATURES['draw']}; "
    "sys.exit(main(sys.argv[1:]))"
)


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.01)
    monkeypatch.setattr(doctor, "SIGNATURES", {"draw": SIGNATURES["draw"]})


def problems_of(outcome: Outcome) -> list[str]:
    """Return the problems of `fives doctor --json`, which must fit its exit code."""
    told = outcome.json
    problems = [each["problem"] for each in told["findings"] if each["problem"] is not None]
    assert told["ok"] == (not problems)
    assert outcome.code == (1 if problems else 0)
    return problems


# --- what it tells ------------------------------------------------------------------------------


def test_all_is_well() -> None:
    outcome = fives("doctor")
    assert outcome.code == 0, outcome.out
    lines = outcome.out.splitlines()
    assert lines[-1] == "All well."
    names = [line[:24].strip() for line in lines if line and line != "All well."]
    assert {"fives", "python", "numpy", "numba", "extra cluster", "cores", "compiler", "cache"} <= set(names)
    assert re.search(r"^rules draw +21d74e170db39a69$", outcome.out, flags=re.MULTILINE)
    assert re.search(r"^speed +[0-9,]+ rounds a second", outcome.out, flags=re.MULTILINE)


def test_every_package_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[^a-z0-9]", text)[0] for text in project["dependencies"]}
    assert set(doctor.NEEDED) == wanted


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NEEDED", (*doctor.NEEDED, "five_fingers"))
    outcome = fives("doctor")
    assert outcome.code == 1
    assert outcome.out.endswith(
        "\nProblem: fives needs five_fingers: run python -m pip install five_fingers.\n"
    )
    assert "rules draw" not in outcome.out


def test_an_extra_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "EXTRAS", {"five_fingers": "hand"})
    found = {finding.name: finding for finding in doctor.packages()}["extra hand"]
    assert found.problem is None
    assert "pip install 'fives[hand]'" in found.value


def test_rules_that_give_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SIGNATURES", {"draw": "0" * 16})
    (problem,) = problems_of(fives("doctor", "--json"))
    assert problem.startswith("draw gives other games than version")


def test_no_folder_for_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "CACHE_FOLDER", None)
    (problem,) = problems_of(fives("doctor", "--json"))
    assert "every run compiles them anew: name one" in problem
    assert "FIVES_CACHE_DIR" in problem


def test_a_named_folder_that_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVES_CACHE_DIR", "/dev/null/cache")
    (problem,) = problems_of(fives("doctor", "--json"))
    assert problem.startswith("FIVES_CACHE_DIR names /dev/null/cache, which is not a folder")


def test_kernels_that_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "JIT_DISABLED", True)
    (problem,) = problems_of(fives("doctor", "--json"))
    assert "unset NUMBA_DISABLE_JIT" in problem


# --- places that allow little -------------------------------------------------------------------


def run(
    *words: str, cwd: Path = ROOT, environment: dict[str, str], script: str = BRIEF, **options: Any
) -> Outcome:
    """Run the command line in a process with this environment and no other."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_without_a_home() -> None:
    assert jit.CACHE_FOLDER is not None
    outcome = run("doctor", "--json", environment={"FIVES_CACHE_DIR": str(jit.CACHE_FOLDER.parent)})
    assert problems_of(outcome) == []
    assert outcome.err == ""


def obey_modes() -> None:
    """Give up root's right to write where the modes of files forbid it; others have none to give up."""
    drop_from_bounding_set, override_modes = 24, 1  # of linux/prctl.h and linux/capability.h
    ctypes.CDLL(None).prctl(drop_from_bounding_set, override_modes, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="rights as Linux has them")
def test_a_read_only_install_and_no_cache(tmp_path: Path) -> None:
    """Sources and home that cannot be written, and no other folder for a cache: it runs, and says so."""
    install = tmp_path / "install"
    for package in ("analyzer", "kernels", "reports"):
        shutil.copytree(ROOT / package, install / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (install, *install.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    nowhere_else = "import tempfile; tempfile.gettempdir = lambda: '/proc'; "
    environment = {"HOME": str(install), "FIVES_CACHE_DIR": str(install / "cache")}
    words = ("doctor", "--json")
    outcome = run(
        *words, cwd=install, environment=environment, script=nowhere_else + BRIEF, preexec_fn=obey_modes
    )
    (problem,) = problems_of(outcome)
    assert "every run compiles them anew" in problem
    assert outcome.err.startswith("fives: compiling the kernels")
    assert not list(install.rglob("*cache*/*"))


@pytest.mark.slow
def test_six_at_once_on_a_cold_cache(tmp_path: Path) -> None:
    words = ["-m", "analyzer.cli", "simulate", "draw", "--rounds", "1000", "--json"]
    environment = os.environ | {"FIVES_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    told = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 6, told
    summaries = [json.loads(out)["summary"] for out, _ in told]
    assert summaries == [summaries[0]] * 6
    assert summaries[0] == fives("simulate", "draw", "--rounds", 1000, "--json").json["summary"]
    assert {err for _, err in told} <= {"", told[0][1]}
