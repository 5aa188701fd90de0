"""Runs on a cluster are, byte for byte, those of threads; whatever happens to the workers."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer import cluster, plans
from analyzer.cli.running import Interrupts
from analyzer.errors import FivesError
from analyzer.folders import Folder, content_digest
from analyzer.policies import seat_policies
from analyzer.rulesets import rule_set
from analyzer.runs import write_json
from analyzer.saved import new_folder, opened
from analyzer.simulate import simulation
from analyzer.tune import Tuning, from_settings, tune
from analyzer.tune_folder import STATE
from analyzer.tune_folder import new_folder as new_tuning
from analyzer.workers import CrewLost
from tests.shell import fives, refusal

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
ROOT = Path(__file__).parents[1]
quiet = pytest.mark.filterwarnings("ignore")  # Dask's own, when workers go away


def test_an_address_that_is_none_is_named() -> None:
    words = ("simulate", "draw", "--rounds", 10, "--cluster")
    assert "name a scheduler such as tcp://host:8786" in refusal(*words, "host:8786")
    assert "local: needs a number of workers from 1 to 256" in refusal(*words, "local:0")
    assert "local: needs a number of workers" in refusal(*words, "local:two")
    assert "local: needs a number of workers" in refusal(*words, "local:٢")
    assert "choose one" in refusal(*words, "local:2", "--threads", 2)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An address at which no scheduler answers."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield f"tcp://127.0.0.1:{unused.getsockname()[1]}"


def out_of_reach(address: str) -> str:
    return f"the scheduler at {address} cannot be reached: check the address and that it is running."


def test_a_cluster_closes_whole_whatever_the_keys() -> None:
    """After a run is complete its tables are still printed, though Ctrl-C came while the workers ended."""
    closed = []
    connected = cluster.Cluster("local:1")
    connected._open.callback(closed.append, "workers")
    connected._open.callback(signal.raise_signal, signal.SIGINT)
    handler = signal.getsignal(signal.SIGINT)
    connected.__exit__(None, None, None)
    assert closed == ["workers"]
    assert signal.getsignal(signal.SIGINT) is handler


@quiet
def test_a_scheduler_that_is_not_there_is_named(nobody: str) -> None:
    assert refusal("simulate", "draw", "--rounds", 10, "--cluster", nobody) == out_of_reach(nobody)


@quiet
def test_without_a_scheduler_nothing_is_overwritten(nobody: str, tmp_path: Path) -> None:
    words = ("simulate", "draw", "--rounds", 10, "--quiet", "--out", tmp_path / "run")
    assert fives(*words).code == 0
    before = all_files(tmp_path)
    assert refusal(*words, "--force", "--cluster", nobody) == out_of_reach(nobody)
    assert all_files(tmp_path) == before


@quiet
def test_without_a_scheduler_a_tuning_is_as_it_was(nobody: str, tuned: Path, tmp_path: Path) -> None:
    words = (*TUNING, "--out", tmp_path / "fresh", "--cluster", nobody)
    assert refusal(*words) == out_of_reach(nobody)
    assert not (tmp_path / "fresh").exists()
    before = all_files(tuned)
    assert refusal(*TUNING, "--out", tuned, "--force", "--cluster", nobody) == out_of_reach(nobody)
    assert all_files(tuned) == before
    cut(tuned, tmp_path / "begun", 1)
    assert refusal("resume", tmp_path / "begun", "--cluster", nobody) == out_of_reach(nobody)
    assert fives("resume", tmp_path / "begun", "--quiet").code == 0
    assert all_files(tmp_path / "begun") == all_files(tuned)


# --- chunks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "seconds_a_game"),
    [(1, 1e-6), (7, 1e-3), (5_000, 1e-6), (5_000, 1e-3), (5_000, 5.0), (3_000_000, 1e-6), (3_000_000, 1e-3)],
)
def test_chunks_fit_and_shrink_towards_the_end(games: int, seconds_a_game: float) -> None:
    """Six at a time, first in first out: no gap, none far above a second, and no long one at the end."""
    chunks = cluster._Chunks([(10, 10 + games)], pace := cluster._Pace())
    pending: list[tuple[int, int]] = []
    sizes, expected = [], 10
    while chunks or pending:
        for start, stop in chunks.take(6 - len(pending), 6):
            assert start == expected < stop
            expected = stop
            sizes.append(stop - start)
            pending.append((start, stop))
        start, stop = pending.pop(0)
        pace.learn(stop - start, (stop - start) * seconds_a_game)
    assert expected == 10 + games
    one_second = max(1, round(1 / seconds_a_game))
    assert max(sizes) <= one_second
    assert sizes[-1] <= max(1, one_second // 10, games // 36)
    assert len(sizes) < 80 + 2 * games / one_second


def test_a_chunk_grows_from_what_was_played_not_from_how_many_were() -> None:
    """Many tiny chunks in a row, as of an idle cluster's first second, promise no long one."""
    pace = cluster._Pace()
    for _ in range(100):
        pace.learn(1, 1e-6)
    assert pace.size(10**9, 6) == 8


# --- runs -----------------------------------------------------------------------------------------


def plan(games: int = 200_000) -> Any:
    rules = rule_set("exact61", players=4)
    return simulation(rules, seat_policies(["greedy", "careful"], rules.sides), games=games, seed=5)


TUNING: tuple[Any, ...] = ("tune", "allfives", "--against", "greedy", "--features", "accepted,pips,live")
TUNING += ("--deals", 300, "--generations", 4, "--check", 400, "--quiet")


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tuning by one thread that was never stopped."""
    folder = tmp_path_factory.mktemp("tunings") / "tuned"
    assert fives(*TUNING, "--threads", 1, "--out", folder).code == 0
    return folder


def all_files(folder: Path) -> dict[Path, bytes]:
    """Return all that a folder holds, by its path in it."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def generations_in(folder: Path) -> int:
    state = folder / STATE
    return len(json.loads(state.read_text())["generations"]) if state.exists() else 0


def cut(whole: Path, folder: Path, generations: int) -> None:
    """Make a folder as a tuning leaves it that was stopped after some generations."""
    content = json.loads((whole / STATE).read_text())
    content = {name: value for name, value in content.items() if name not in ("digest", "found")}
    content["generations"] = content["generations"][:generations]
    folder.mkdir()
    write_json(folder / STATE, {**content, "digest": content_digest(content)}, indent=None)


def files(folder: Path) -> dict[str, bytes]:
    """Return the tables and totals of a run; the manifest has times."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "manifest.json"}


def played(folder: Path, crew: Any = None) -> dict[str, bytes]:
    with new_folder(folder, plan()) as run:
        plans.execute(run.plan, crew=crew, folder=run)
    return files(folder)


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """Two worker processes on this machine."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


@pytest.fixture
def crew(workers: Any) -> Iterator[cluster.Cluster]:
    workers.scale(2)
    with cluster.Cluster(workers.scheduler_address) as found:
        yield found


@quiet
@pytest.mark.slow
def test_a_cluster_plays_what_threads_play(crew: cluster.Cluster, tmp_path: Path) -> None:
    assert played(tmp_path / "cluster", crew) == played(tmp_path / "threads")


@quiet
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "allfives", "--games", 3000),
        ("compare", "exact61", "--policy", "greedy", "--policy", "random", "--deals", 500),
        ("sweep", "exact61", "--vary", "players=2,3", "--rounds", 2000),
        ("openings", "draw", "--rounds", 1000),
        ("race", "exact61", "--rounds", 2000),
    ],
)
def test_every_command_prints_the_same(workers: Any, words: tuple[Any, ...]) -> None:
    on_cluster = fives(*words, "--csv", "--quiet", "--cluster", workers.scheduler_address)
    assert on_cluster.code == 0, on_cluster.err
    assert on_cluster.out == fives(*words, "--csv", "--quiet").out


@quiet
@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(
    crew: cluster.Cluster, workers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CHUNK_SECONDS", 0.1)
    killed: list[int] = []
    with new_folder(tmp_path / "cluster", plan()) as run:
        plans.execute(run.plan, crew=crew, progress=lambda *_: kill_one(workers, killed), folder=run)
    assert killed
    assert files(tmp_path / "cluster") == played(tmp_path / "threads")


def kill_one(workers: Any, killed: list[int]) -> None:
    """Kill the process of one worker; once, which `killed` tells."""
    if not killed:
        with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
            killed.extend(client.run(os.getpid).values())
        os.kill(killed[0], signal.SIGKILL)


@quiet
@pytest.mark.slow
def test_a_stopped_run_goes_on_with_threads(crew: cluster.Cluster, tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done > 1000:
            raise KeyboardInterrupt

    with new_folder(tmp_path / "cluster", plan()) as run, pytest.raises(plans.Interrupted):
        plans.execute(run.plan, crew=crew, progress=stop, folder=run)
    with opened(tmp_path / "cluster") as run:
        assert 1000 < sum(stop - start for start, stop in _done(run)) < 200_000
        plans.execute(run.plan, folder=run)
    assert files(tmp_path / "cluster") == played(tmp_path / "threads")


def _done(run: Folder) -> list[tuple[int, int]]:
    assert run.saved is not None
    return run.saved.done


@quiet
@pytest.mark.slow
def test_workers_of_another_version_are_refused(workers: Any, crew: cluster.Cluster) -> None:
    with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
        client.run(_other_version, "0.0.1")
        with pytest.raises(FivesError, match=r"a worker has fives 0\.0\.1 and this is"):
            plans.execute(plan(10), crew=crew)
        with (
            pytest.raises(FivesError, match="install the same version of fives"),
            cluster.Cluster(crew.address),
        ):
            pass
        client.run(_other_version, None)


def _other_version(version: str | None) -> None:
    from analyzer import cluster
    from analyzer.version import __version__

    cluster.__version__ = __version__ if version is None else version


@quiet
@pytest.mark.slow
def test_a_cancelled_run_is_told_and_goes_on(crew: cluster.Cluster, tmp_path: Path) -> None:
    def cancel_midway(done: int, _: int) -> None:
        if done > 1000:
            cancel(crew.address)

    told = f"the cluster at {crew.address} cancelled the run"
    with new_folder(tmp_path / "cluster", plan()) as run, pytest.raises(CrewLost, match=told):
        plans.execute(run.plan, crew=crew, progress=cancel_midway, folder=run)
    with opened(tmp_path / "cluster") as run:
        assert 1000 < sum(stop - start for start, stop in _done(run)) < 200_000
        plans.execute(run.plan, folder=run)
    assert files(tmp_path / "cluster") == played(tmp_path / "threads")


@quiet
@pytest.mark.slow
def test_how_a_cancelled_run_goes_on_is_told(
    crew: cluster.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Interrupts, "check", lambda _: cancel(crew.address))
    words = ("simulate", "exact61", "--games", 200_000, "--quiet", "--cluster", crew.address)
    assert refusal(*words) == f"the cluster at {crew.address} cancelled the run."
    assert refusal(*words, "--out", tmp_path / "run") == how_to_go_on(crew.address, tmp_path / "run")
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["state"] == "stopped"


def how_to_go_on(address: str, folder: Path) -> str:
    told = f"the cluster at {address} cancelled the run; what is done is kept, so go on with:"
    return f"{told} fives resume {folder}"


def cancel(address: str) -> None:
    """Cancel what a cluster plays."""
    with distributed.Client(address, set_as_default=False) as other:
        other.run_on_scheduler(_cancel_all)


def _cancel_all(dask_scheduler: Any = None) -> None:
    for client, state in list(dask_scheduler.clients.items()):
        keys = [task.key for task in state.wants_what]
        dask_scheduler.stimulus_cancel(keys=keys, client=client, force=True, reason="test", msg="test")


# --- policies that search, and of a file ----------------------------------------------------------


@quiet
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "allfives", "--rounds", 60, "--policy", "rollout:6:greedy", "--policy", "own"),
        ("compare", "exact61", "--policy", "rollout:4:careful", "--policy", "own", "--deals", 3),
    ],
)
def test_search_and_policies_of_a_file_give_the_same_files(
    workers: Any, tmp_path: Path, words: tuple[Any, ...]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[own]\nweights = { points = 3, live = 2, double = -4 }\n", encoding="utf-8")
    words = (*words, "--policy-file", own, "--quiet", "--out")
    assert fives(*words, tmp_path / "threads").code == 0  # compiles once for all
    assert fives(*words, tmp_path / "cluster", "--cluster", workers.scheduler_address).code == 0
    assert "summary.csv" in files(tmp_path / "cluster")
    assert files(tmp_path / "cluster") == files(tmp_path / "threads")


# --- tunings --------------------------------------------------------------------------------------


@quiet
@pytest.mark.slow
def test_a_tuning_on_a_cluster_is_that_of_threads(
    tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = []
    connect = cluster._client
    monkeypatch.setattr(cluster, "_client", lambda address: connected.append(address) or connect(address))
    assert fives(*TUNING, "--cluster", "local:2", "--out", tmp_path / "cluster").code == 0
    assert connected == ["local:2"]  # one connection for all generations and the check
    assert fives(*TUNING, "--threads", 2, "--out", tmp_path / "threads").code == 0
    assert all_files(tmp_path / "cluster") == all_files(tmp_path / "threads") == all_files(tuned)
    assert sorted(map(str, all_files(tuned))) == ["generations.csv", "policy.toml", "tuning.json"]


@quiet
@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 2, 4])
def test_a_stopped_tuning_goes_on_with_a_cluster(
    workers: Any, tuned: Path, tmp_path: Path, kept: int
) -> None:
    cut(tuned, tmp_path / "begun", kept)
    address = workers.scheduler_address
    assert fives("resume", tmp_path / "begun", "--quiet", "--cluster", address).code == 0
    assert all_files(tmp_path / "begun") == all_files(tuned)


@quiet
@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing_in_a_tuning(
    crew: cluster.Cluster, workers: Any, tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CHUNK_SECONDS", 0.02)
    killed: list[int] = []

    def kill(done: int, count: int) -> None:
        if done > count // 3:  # in the second generation of four
            kill_one(workers, killed)

    with new_tuning(tmp_path / "cluster", tuning_in(tuned)) as folder:
        tune(folder, crew=crew, progress=kill)
    assert killed
    assert all_files(tmp_path / "cluster") == all_files(tuned)


def tuning_in(folder: Path) -> Tuning:
    return from_settings(json.loads((folder / STATE).read_text())["settings"])


@quiet
@pytest.mark.slow
def test_a_cancelled_tuning_is_told_and_goes_on_with_threads(
    crew: cluster.Cluster, tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cluster"

    def cancel_midway(_: Interrupts) -> None:
        if generations_in(folder) >= 1:
            cancel(crew.address)

    with monkeypatch.context() as patched:
        patched.setattr(Interrupts, "check", cancel_midway)
        said = refusal(*TUNING, "--out", folder, "--cluster", crew.address)
    assert said == how_to_go_on(crew.address, folder)
    assert 1 <= generations_in(folder) < 4
    assert fives("resume", folder, "--quiet").code == 0
    assert all_files(folder) == all_files(tuned)


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_is_answered_in_one_line(tuned: Path, tmp_path: Path) -> None:
    """A terminal sends it to the workers on this machine as well: they say nothing."""
    command = [sys.executable, "-m", "analyzer.cli", *map(str, TUNING), "--out", str(tmp_path / "begun")]
    command += ["--generations", "30000", "--cluster", "local:2"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while generations_in(tmp_path / "begun") < 2:
        assert process.poll() is None, "it ended before it could be stopped"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    told = f"of 30000 generations are kept; go on with: fives resume {tmp_path / 'begun'}"
    assert (process.returncode, out) == (130, "")
    assert err == f"fives: stopped: {generations_in(tmp_path / 'begun')} {told}\n"


@quiet
@pytest.mark.slow
def test_a_scheduler_that_dies_is_told_and_the_tuning_goes_on_with_threads(
    tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def kill_midway(_: Interrupts) -> None:
        if generations_in(tmp_path / "begun") >= 1:
            scheduler.kill()

    with a_scheduler(tmp_path / "scheduler.json") as (scheduler, address), monkeypatch.context() as patched:
        patched.setattr(Interrupts, "check", kill_midway)
        said = refusal(*TUNING, "--out", tmp_path / "begun", "--cluster", address)
    told = f"the connection to the cluster at {address} was lost; what is done is kept, so go on with:"
    assert said == f"{told} fives resume {tmp_path / 'begun'}"
    assert capfd.readouterr() == ("", "")  # nothing of Dask's log
    assert 1 <= generations_in(tmp_path / "begun") < 4
    assert fives("resume", tmp_path / "begun", "--quiet").code == 0
    assert all_files(tmp_path / "begun") == all_files(tuned)


@contextlib.contextmanager
def a_scheduler(file: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a scheduler and a worker as processes of their own, as people do; give the first, its address."""
    with contextlib.ExitStack() as processes:

        def started(*words: object) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "dask", *map(str, words), "--scheduler-file", str(file)]
            silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            process = subprocess.Popen([*command, "--no-dashboard"], cwd=ROOT, **silent)
            processes.callback(process.wait)
            processes.callback(process.terminate)
            return process

        scheduler = started("scheduler", "--host", "127.0.0.1", "--port", 0)
        started("worker", "--nthreads", 1, "--no-nanny")
        while not (file.exists() and file.read_text().endswith("}")):
            assert scheduler.poll() is None, "the scheduler ended"
            time.sleep(0.01)
        yield scheduler, json.loads(file.read_text())["address"]


@quiet
@pytest.mark.slow
def test_other_versions_leave_a_tuning_that_goes_on_with_threads(
    crew: cluster.Cluster, tuned: Path, tmp_path: Path
) -> None:
    with distributed.Client(crew.address, set_as_default=False) as client:

        def spoil(done: int, count: int) -> None:
            if done > count // 3:
                client.run(_other_version, "0.0.1")

        with (
            new_tuning(tmp_path / "begun", tuning_in(tuned)) as folder,
            pytest.raises(CrewLost, match=r"a worker has fives 0\.0\.1 and this is"),
        ):
            tune(folder, crew=crew, progress=spoil)
        said = refusal(*TUNING, "--out", tmp_path / "fresh", "--cluster", crew.address)
        assert "install the same version of fives" in said
        assert not (tmp_path / "fresh").exists()
        client.run(_other_version, None)
    assert 1 <= generations_in(tmp_path / "begun") < 4
    assert fives("resume", tmp_path / "begun", "--quiet").code == 0
    assert all_files(tmp_path / "begun") == all_files(tuned)
