"""Runs that are kept: killed, interrupted, continued, added up, and folders that are refused."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from analyzer import folders, manifest, registry
from analyzer.errors import FivesError
from analyzer.folders import MANIFEST, PROGRESS, lock, unlock
from analyzer.merge import merge
from analyzer.plans import Interrupted, Plan, Result, execute
from analyzer.resume import resume
from analyzer.rulesets import rule_set
from analyzer.saved import new_folder, opened
from analyzer.simulate import simulation
from tests.shell import Outcome, fives, refusal

resource = pytest.importorskip("resource")  # processes and signals as POSIX has them
ROOT = Path(__file__).parents[1]
GAMES = 3000
SEED = 5

# The command line with saves so frequent that a short run has many.
HASTY = (
    "import sys; from analyzer import folders; from analyzer.cli import main; "
    "folders.SAVE_SECONDS = 0.02; sys.exit(main(sys.argv[1:]))"
)
# The command line that says when it begins to play.
TALKATIVE = (
    "import sys; from analyzer import plans; from analyzer.cli import main; play = plans.play_to_verdict; "
    "say = lambda: print('playing', file=sys.stderr, flush=True); "
    "plans.play_to_verdict = lambda *words: (say(), play(*words))[1]; "
    "sys.exit(main(sys.argv[1:]))"
)


def plan_of(games: int = GAMES, first_game: int = 0, **changes: Any) -> Plan:
    rules = rule_set("exact61", players=3, target=60)
    settings: dict[str, Any] = {"games": games, "seed": SEED, "first_game": first_game, **changes}
    return simulation(rules, ["greedy", "random", "careful"], **settings)


def kept(path: Path, plan: Plan) -> Result:
    """Play a plan to its end in a folder."""
    with new_folder(path, plan) as folder:
        return execute(plan, folder=folder)


def interrupted(path: Path, plan: Plan) -> Interrupted:
    """Play a plan in a folder until some of it is done; then Ctrl-C comes."""

    def stop(done: int, count: int) -> None:
        if done:
            raise KeyboardInterrupt

    with new_folder(path, plan) as folder, pytest.raises(Interrupted) as stopped:
        execute(plan, threads=1, folder=folder, progress=stop)
    return stopped.value


def content(path: Path) -> dict[str, Any]:
    """Return all files of a folder as bytes, the manifest without its times."""
    files: dict[str, Any] = {file.name: file.read_bytes() for file in path.iterdir()}
    files[MANIFEST] = json.loads(files[MANIFEST])
    assert files[MANIFEST].pop("times")["seconds"] >= 0
    return files


def change_json(file: Path, change: Callable[[Any], None]) -> None:
    value = json.loads(file.read_text())
    change(value)
    file.write_text(json.dumps(value))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of `plan_of()`, complete; not to be changed."""
    path = tmp_path_factory.mktemp("whole")
    kept(path, plan_of())
    return path


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a longer run, interrupted; not to be changed."""
    path = tmp_path_factory.mktemp("half")
    interrupted(path, plan_of(500_000))
    return path


@pytest.fixture
def copy_of_half(half: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(half, tmp_path / "half"))


@pytest.fixture
def copy_of_whole(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "whole"))


# --- what a folder holds ------------------------------------------------------------------------


def test_the_files_of_a_complete_run(whole: Path) -> None:
    tables = ("summary", "openings", "seats", "counts", "needs", "ends", "lengths", "after")
    files = {table + suffix for table in tables for suffix in (".csv", ".parquet")}
    assert {file.name for file in whole.iterdir()} == files | {MANIFEST, PROGRESS}
    told = json.loads((whole / MANIFEST).read_text())
    assert (told["command"], told["state"], told["done"], told["games"]) == (
        "simulate", "complete", GAMES, GAMES,
    )  # fmt: skip
    assert told["stopped_because"] == "all games played"
    assert told["rules"] == rule_set("exact61", players=3, target=60).as_dict()
    assert told["policies"][2] == {"name": "careful", "weights": {"accepted": 1, "wins": 1000}}
    assert set(told["versions"]) == {"fives", "numba", "numpy", "python"}
    assert set(told["times"]) == {"started", "finished", "seconds"}
    assert set(told["files"]) == files
    assert manifest.origin().items() <= told.items()


def test_a_folder_gives_back_its_plan_and_totals(whole: Path) -> None:
    with opened(whole) as folder:
        assert folder.plan == plan_of()
        assert folder.saved is not None
        assert folder.saved.done == [(0, GAMES)]
        assert folder.saved.total == execute(plan_of()).total


def test_an_interrupted_run_says_so(half: Path) -> None:
    told = json.loads((half / MANIFEST).read_text())
    saved = json.loads((half / PROGRESS).read_text())
    assert {file.name for file in half.iterdir()} == {MANIFEST, PROGRESS}
    assert (told["state"], told["stopped_because"]) == ("stopped", "interrupted")
    assert 0 < told["done"] < 500_000
    assert sum(stop - start for start, stop in saved["done"]) == told["done"]


# --- going on -----------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupted_run_ends_as_if_it_never_was(whole: Path, tmp_path: Path, threads: int) -> None:
    path = tmp_path / "run"
    stopped = interrupted(path, plan_of())
    assert 0 < stopped.done <= stopped.count == GAMES
    result = resume(path, threads=threads)
    assert result is not None
    assert result.to_dict()["summary"] == execute(plan_of()).to_dict()["summary"]
    assert content(path) == content(whole)
    assert resume(path) is None


def test_times_add_up(tmp_path: Path) -> None:
    interrupted(tmp_path, plan_of())
    before = json.loads((tmp_path / MANIFEST).read_text())["times"]
    resume(tmp_path)
    after = json.loads((tmp_path / MANIFEST).read_text())["times"]
    assert before["finished"] is None
    assert after["started"] == before["started"] <= after["finished"]
    assert after["seconds"] >= before["seconds"]


def test_a_run_killed_before_its_tables_goes_on(copy_of_whole: Path, whole: Path) -> None:
    """As after a kill between the last save and the manifest."""
    running = {"state": "running", "done": None, "stopped_because": None}
    change_json(copy_of_whole / MANIFEST, lambda told: told.update(running))
    (copy_of_whole / "ends.csv").unlink()
    (copy_of_whole / ".summary.csv.123.tmp").write_text("half")
    resume(copy_of_whole)
    assert content(copy_of_whole) == content(whole)


def test_resuming_a_complete_run_changes_nothing(copy_of_whole: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in copy_of_whole.iterdir()}
    outcome = fives("resume", copy_of_whole)
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == f"fives: {copy_of_whole} is complete: there is nothing left to play.\n"
    assert {file: file.stat().st_mtime_ns for file in copy_of_whole.iterdir()} == before


def test_resume_prints_what_the_command_would(tmp_path: Path) -> None:
    interrupted(tmp_path / "run", plan_of())
    resumed = fives("resume", tmp_path / "run", "--json", "--threads", 1).json
    assert resumed["summary"] == execute(plan_of()).to_dict()["summary"]
    interrupted(tmp_path / "again", plan_of())
    outcome = fives("resume", tmp_path / "again")
    title = outcome.out.splitlines()[0]
    for words in ("exact61 (version 1), 3 players", "greedy, random, careful", "3,000 games, seed 5"):
        assert words in title
    assert outcome.err == f"fives: wrote the run to {tmp_path / 'again'}.\n"


def test_a_plan_stopped_at_a_checkpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A checkpoint that was passed is not asked again with the totals of more games."""
    plan = plan_of()
    asked: list[int] = []

    def verdict(_: Any, total: Any) -> str | None:
        asked.append(total.games)
        return "enough" if total.games >= 2000 else None

    monkeypatch.setattr(type(plan), "checkpoints", (100, 1000, 2000, 2500))
    monkeypatch.setattr(type(plan), "verdict", verdict)
    result = kept(tmp_path / "whole", plan)
    assert (result.manifest["stopped_because"], result.manifest["done"]) == ("enough", 2000)
    assert asked == [100, 1000, 2000]
    with new_folder(tmp_path / "run", plan) as folder, pytest.raises(Interrupted):
        execute(plan, threads=1, folder=folder, progress=_interrupt_beyond(150))
    asked.clear()
    resume(tmp_path / "run")
    assert asked == [1000, 2000]
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def _interrupt_beyond(games: int) -> Callable[[int, int], None]:
    def stop(done: int, count: int) -> None:
        if done > games:
            raise KeyboardInterrupt

    return stop


# --- real processes -----------------------------------------------------------------------------

LONG: dict[str, tuple[str, ...]] = {
    "simulate": ("allfives", "--players", "4", "--policy", "defend", "--games", "16000"),
    "compare": ("allfives", "--policy", "defend", "--policy", "greedy", "--deals", "16000"),
    "sweep": ("allfives", "--policy", "defend", "--vary", "hand=5,7", "--games", "8000"),
    "openings": ("allfives", "--policy", "defend", "--rounds", "20000"),
    "race": ("exact61", "--target", "150", "--policy", "careful", "--rounds", "4000"),
}


def test_every_kind_of_run_is_killed_below() -> None:
    assert set(LONG) == set(registry.KINDS)


@contextmanager
def started(*words: object, script: str = HASTY, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command line in a process of its own, which does not outlive the block."""
    with subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run in the background
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def done_in(path: Path) -> int:
    """Return how many games a folder's progress counts; 0 where it is not there yet."""
    try:
        spans = json.loads((path / PROGRESS).read_text())["done"]
    except FileNotFoundError:
        return 0
    return sum(stop - start for start, stop in spans)


def wait_for_more(process: subprocess.Popen[str], path: Path, than: int = 0) -> int:
    """Wait until a run has saved some more, and return how much."""
    for _ in range(18_000):  # three minutes: kernels may have to be compiled first
        if (done := done_in(path)) > than and (path / MANIFEST).exists():
            return done
        if process.poll() is not None:
            pytest.skip("this machine is too busy to stop the run in time")
        time.sleep(0.01)
    pytest.fail("nothing was saved")


@pytest.mark.parametrize("command", LONG)
def test_killed_and_killed_again(command: str, tmp_path: Path) -> None:
    words = (command, *LONG[command])
    first, path = tmp_path / "never stopped", tmp_path / "wird getötet"
    assert fives(*words, "--out", first).code == 0  # all is compiled then, so that none of the others says so
    done, again = 0, (*words, "--out", path, "--threads", 1)
    for _ in range(2):
        with started(*again) as process:
            done = wait_for_more(process, path, done)
            process.kill()
        again = ("resume", path, "--threads", 1)
        if json.loads((path / MANIFEST).read_text())["state"] != "running":
            pytest.skip("this machine is too busy to kill the run in time")
    with started("resume", path) as process:
        assert process.communicate()[1] == f"fives: wrote the run to {path}.\n"
    assert content(path) == content(first)


def stopped_by(number: signal.Signals, process: subprocess.Popen[str]) -> str:
    """Send a signal and return the last line on stderr; the answer must be code 130 and no result."""
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    return err.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_answers_at_once(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "a b"
    with started("simulate", *LONG["simulate"], "--out", path, "--threads", 1) as process:
        wait_for_more(process, path)
        line = stopped_by(number, process)
    done = done_in(path)
    assert line == f"fives: stopped: {done:,} of 16,000 games are kept; go on with: fives resume '{path}'"
    told = json.loads((path / MANIFEST).read_text())
    assert (told["state"], told["done"]) == ("stopped", done)


def test_ctrl_c_without_a_folder() -> None:
    with started("simulate", "draw", "--games", 10**9, script=TALKATIVE) as process:
        assert process.stderr is not None
        while (line := process.stderr.readline()) != "playing\n":
            assert line.startswith("fives: compiling")
        line = stopped_by(signal.SIGINT, process)
    assert line == "fives: stopped: nothing is kept; a run with --out DIR is kept and can go on."


def test_ctrl_c_while_kernels_are_compiled(tmp_path: Path) -> None:
    path = tmp_path / "run"
    words = ("simulate", "draw", "--rounds", 100, "--out", path)
    with started(*words, FIVES_CACHE_DIR=str(tmp_path / "cache")) as process:
        wait_for_more(process, path, -1)
        time.sleep(0.5)
        line = stopped_by(signal.SIGINT, process)
    assert line == f"fives: stopped: 0 of 100 rounds are kept; go on with: fives resume {path}"
    assert resume(path) is not None


def test_the_c_locale_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "Läufe é"
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    with started("simulate", "draw", "--rounds", 100, "--out", path, **poor) as process:
        err = process.communicate()[1]
        assert process.returncode == 0, err
    assert fives("resume", path).code == 0
    with started("resume", path, **poor) as process:
        assert "is complete" in process.communicate()[1]
        assert process.returncode == 0


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """A limit on the size of files stands in for it: it refuses the table files, not the first save."""
    path = tmp_path / "run"

    def limited() -> None:
        size = len((tmp_path / "progress").read_bytes())
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    kept(tmp_path / "other", plan_of(1))
    shutil.copy(tmp_path / "other" / PROGRESS, tmp_path / "progress")
    process = subprocess.run(
        [sys.executable, "-c", HASTY, "simulate", "exact61", "--games", "20000", "--out", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    assert process.returncode == 2, process
    assert process.stderr.count("\n") == 1
    assert process.stderr.startswith(f"fives: cannot write {path / PROGRESS}: file too large; what was saved")
    assert process.stderr.endswith(f"go on with: fives resume {path}\n")
    assert resume(path) is not None


# --- a folder is never overwritten silently -----------------------------------------------------


def run_into(path: Path, *more: object) -> Outcome:
    return fives("simulate", "draw", "--rounds", 50, "--out", path, *more)


def test_the_same_experiment_complete(tmp_path: Path) -> None:
    assert run_into(tmp_path).code == 0
    before = content(tmp_path)
    again = run_into(tmp_path)
    assert again.code == 2
    assert f"{tmp_path} already holds this experiment, complete" in again.err
    assert run_into(tmp_path, "--force").code == 0
    assert content(tmp_path) == before


def test_the_same_experiment_incomplete(tmp_path: Path) -> None:
    plan = simulation(rule_set("draw"), ["greedy"], rounds=GAMES)
    stopped = interrupted(tmp_path, plan)
    told = refusal("simulate", "draw", "--rounds", GAMES, "--out", tmp_path)
    assert f"already holds {stopped.done:,} of the 3,000 rounds of this experiment" in told
    assert f"go on with fives resume {tmp_path}" in told


def test_another_experiment(tmp_path: Path) -> None:
    assert run_into(tmp_path).code == 0
    before = content(tmp_path)
    for more in (("--seed", 2), ("--first-game", 1), ("--confidence", 0.9), ("--policy", "random")):
        assert "already holds another experiment" in run_into(tmp_path, *more).err
    assert content(tmp_path) == before
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "mine.csv").write_text("mine")
    assert fives("simulate", "allfives", "--games", 9, "--out", tmp_path, "--force").code == 0
    assert (tmp_path / "notes.txt").read_text() == (tmp_path / "mine.csv").read_text() == "mine"
    assert json.loads((tmp_path / MANIFEST).read_text())["games"] == 9


@pytest.mark.parametrize("name", ["progress.json", "summary.csv", "ends.parquet"])
def test_files_without_a_manifest(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    assert f"already holds files of another run ({name})" in run_into(tmp_path).err
    assert f"{tmp_path} is damaged: it has no manifest.json" in refusal("resume", tmp_path)
    assert run_into(tmp_path, "--force").code == 0


def test_no_run(tmp_path: Path) -> None:
    assert "holds no run: it has no manifest.json" in refusal("resume", tmp_path)
    assert "no such file" in refusal("resume", tmp_path / "none")
    assert "not a directory" in refusal("resume", __file__)


@pytest.mark.skipif(os.name != "posix", reason="needs locks")
def test_two_at_once(copy_of_half: Path) -> None:
    handle = lock(copy_of_half)
    try:
        assert "another run is at work in" in refusal("resume", copy_of_half)
        assert "another run is at work in" in run_into(copy_of_half, "--force").err
    finally:
        unlock(handle)


def test_a_folder_that_cannot_be_written(copy_of_half: Path, copy_of_whole: Path) -> None:
    for path in (copy_of_half, copy_of_whole):
        path.chmod(0o500)
    try:
        if os.access(copy_of_half, os.W_OK):
            pytest.skip("this user may write anywhere")
        assert "permission denied" in refusal("resume", copy_of_half)
        assert fives("resume", copy_of_whole).code == 0
        assert "permission denied" in run_into(copy_of_half / "new").err
    finally:
        for path in (copy_of_half, copy_of_whole):
            path.chmod(0o700)


def test_a_command_line_that_needs_quotes() -> None:
    assert folders.resume_command(Path("a b/it's")) == """fives resume 'a b/it'"'"'s'"""
    assert folders.resume_command(Path("-x")) == "fives resume ./-x"


# --- damaged folders ----------------------------------------------------------------------------


def _set(name: str, value: Any) -> Callable[[Any], None]:
    return lambda told: told.__setitem__(name, value)


def _rule(name: str, value: Any) -> Callable[[Any], None]:
    return lambda told: told["rules"].__setitem__(name, value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("command", "simulat"), "unknown command 'simulat'"),
        (_set("command", ["simulate"]), "unknown command"),
        (_set("seed", 6), "are not those that progress.json is of"),
        (_set("games", 600_000), "are not those that progress.json is of"),
        (_set("games", None), "neither of rounds and games"),
        (_set("games", "many"), "whole number"),
        (_set("seed", -1), "seed out of range"),
        (_set("first_game", 2**62), "first game"),
        (_set("confidence", 2), "confidence is 2"),
        (_set("confidence", "0.95"), "confidence"),
        (_set("policies", []), "0 policies"),
        (_set("policies", [{"name": "greedy", "weights": {"points": 1}}]), "the setting 'policies'"),
        (_set("policies", [{"name": "greedy", "weights": {"pints": 1}}] * 3), "did you mean points?"),
        (_set("policies", 7), "its settings are not in the form"),
        (_set("rules", {}), "the fields of its rule set"),
        (_set("rules", None), "its settings are not in the form"),
        (_rule("hand", 99), "hand is 99"),
        (_rule("target", "x"), "target is 'x'"),
        (_rule("sides", 7), "its settings are not in the form"),
        (_rule("name", 7), "no name and version"),
        (_rule("spinner", "first"), "are not those that progress.json is of"),
        (lambda told: told.pop("seed"), "the setting 'seed' is missing"),
        (_set("state", "done"), "lacks the run's state or times"),
        (_set("times", None), "lacks the run's state or times"),
        (_set("versions", None), "lacks the versions"),
        (lambda told: told.pop("kernel_digest"), "lacks the versions"),
    ],
)
def test_a_manifest_that_was_changed(copy_of_half: Path, change: Any, sentence: str) -> None:
    change_json(copy_of_half / MANIFEST, change)
    before = content(copy_of_half) if "times" not in sentence else None
    told = refusal("resume", copy_of_half)
    assert told.startswith(f"{copy_of_half} is damaged: ")
    assert sentence in told
    assert before is None or content(copy_of_half) == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("versions", {"fives": "0.0.9"}), "was made by fives 0.0.9 and this is"),
        (
            _set("kernel_digest", "0123456789abcdef"),
            "was made with the kernels 0123456789abcdef and these are",
        ),
        (_set("random_stream_version", 0), "was made with random streams of version 0 and these are"),
    ],
)
def test_a_run_of_another_version(copy_of_half: Path, change: Any, sentence: str) -> None:
    change_json(copy_of_half / MANIFEST, change)
    assert sentence in refusal("resume", copy_of_half)
    assert sentence in refusal("merge", copy_of_half, "--out", copy_of_half / "new")


@pytest.mark.parametrize("name", [MANIFEST, PROGRESS])
@pytest.mark.parametrize("text", ["", "{", "[]", "\xff", "[" * 100_000, '{"a": 1}'])
def test_a_file_that_is_not_what_it_should_be(copy_of_half: Path, name: str, text: str) -> None:
    (copy_of_half / name).write_bytes(text.encode("latin-1"))
    told = refusal("resume", copy_of_half)
    assert told.startswith(f"{copy_of_half} is damaged: {name} ")
    assert (copy_of_half / name).read_bytes() == text.encode("latin-1")


def test_a_missing_progress(copy_of_half: Path) -> None:
    (copy_of_half / PROGRESS).unlink()
    assert "progress.json is missing" in refusal("resume", copy_of_half)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda saved: saved["total"].update(games=saved["total"]["games"] + 1), "not as it was written"),
        (_set("digest", None), "not as it was written"),
        (_set("done", [[0, 1]]), "not as it was written"),
    ],
)
def test_a_progress_that_was_changed(copy_of_half: Path, change: Any, sentence: str) -> None:
    change_json(copy_of_half / PROGRESS, change)
    assert sentence in refusal("resume", copy_of_half)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("done", [[0, 10], [5, 20]]), "are not spans"),
        (_set("done", [[0]]), "are not spans"),
        (_set("done", 3), "are not spans"),
        (_set("done", [[0, 10**7]]), "counts games that manifest.json does not have"),
        (_set("done", [[-1, 1]]), "counts games that manifest.json does not have"),
        (_set("total", {}), "not in the form"),
        (_set("total", 1), "not in the form"),
    ],
)
def test_a_progress_that_was_forged(copy_of_half: Path, change: Any, sentence: str) -> None:
    def forge(saved: dict[str, Any]) -> None:
        del saved["digest"]
        change(saved)
        saved["digest"] = folders.content_digest(saved)

    change_json(copy_of_half / PROGRESS, forge)
    assert sentence in refusal("resume", copy_of_half)


def test_a_complete_run_that_was_changed(copy_of_whole: Path) -> None:
    with (copy_of_whole / "summary.csv").open("a") as file:
        file.write("x")
    assert "summary.csv is not as it was written" in refusal("resume", copy_of_whole)
    (copy_of_whole / "summary.csv").unlink()
    assert "summary.csv is missing" in refusal("merge", copy_of_whole, "--out", copy_of_whole / "new")
    change_json(copy_of_whole / MANIFEST, _set("files", None))
    assert "does not list its files" in refusal("resume", copy_of_whole)
    change_json(copy_of_whole / MANIFEST, _set("done", 1))
    assert "differ in what is done" in refusal("resume", copy_of_whole)


# --- adding up ----------------------------------------------------------------------------------


def parts(folder: Path, *cuts: int) -> list[Path]:
    """Return folders of the runs between the cuts."""
    paths = []
    for start, stop in itertools.pairwise(cuts):
        paths.append(folder / f"{start} to {stop}")
        kept(paths[-1], plan_of(stop - start, start))
    return paths


def test_parts_add_up_to_the_whole(whole: Path, tmp_path: Path) -> None:
    first, second, third = parts(tmp_path, 0, 1, 1200, GAMES)
    outcome = fives("merge", second, first, third, "--out", tmp_path / "sum")
    assert (outcome.code, outcome.err) == (0, f"fives: wrote the run to {tmp_path / 'sum'}.\n")
    assert content(tmp_path / "sum") == content(whole)
    again = refusal("merge", second, first, third, "--out", tmp_path / "sum")
    assert "already holds this experiment, complete" in again
    result = merge([tmp_path / "sum"], tmp_path / "copy")
    assert result.manifest["games"] == GAMES
    assert content(tmp_path / "copy") == content(whole)


def test_overlaps_and_gaps_are_named(tmp_path: Path) -> None:
    first, second, third = parts(tmp_path, 0, 100, 101, 200)
    out = tmp_path / "sum"
    overlap = tmp_path / "overlap"
    kept(overlap, plan_of(60, 50))
    assert "game 100 is missing between" in refusal("merge", first, third, "--out", out)
    assert "games 50 to 99 are in both" in refusal("merge", overlap, first, "--out", out)
    assert "is given twice" in refusal("merge", first, f"{first}/.", "--out", out)
    assert "is one of the folders" in refusal("merge", first, second, "--out", second, "--force")
    shutil.copytree(first, tmp_path / "same")
    assert "games 0 to 99 are in both" in refusal("merge", first, tmp_path / "same", "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("changes", "setting"),
    [({"seed": 6}, "seed"), ({"confidence": 0.9}, "confidence"),
     ({"games": None, "rounds": 9}, "games and rounds")],
)  # fmt: skip
def test_other_experiments_are_not_added_up(tmp_path: Path, changes: dict[str, Any], setting: str) -> None:
    (first,) = parts(tmp_path, 0, 10)
    kept(tmp_path / "other", plan_of(**{"games": 9, "first_game": 10, **changes}))
    told = refusal("merge", first, tmp_path / "other", "--out", tmp_path / "sum")
    assert told.endswith(f"are not of one experiment: they differ in {setting}.")


def test_incomplete_runs_are_not_added_up(half: Path, tmp_path: Path) -> None:
    told = refusal("merge", half, "--out", tmp_path / "sum")
    assert told == f"{half} is not complete: first run fives resume {half}."


def test_runs_with_a_stopping_rule_are_not_added_up(
    monkeypatch: pytest.MonkeyPatch, whole: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(type(plan_of()), "checkpoints", (100,))
    with pytest.raises(FivesError, match="has a stopping rule"):
        merge([whole], tmp_path / "sum")
