"""Runs on a cluster are, byte for byte, those of threads; whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer import cluster, plans
from analyzer.errors import FivesError
from analyzer.folders import Folder
from analyzer.policies import seat_policies
from analyzer.rulesets import rule_set
from analyzer.saved import new_folder, opened
from analyzer.simulate import simulation
from tests.shell import fives, refusal

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
quiet = pytest.mark.filterwarnings("ignore")  # Dask's own, when workers go away


def test_an_address_that_is_none_is_named() -> None:
    words = ("simulate", "draw", "--rounds", 10, "--cluster")
    assert "name a scheduler such as tcp://host:8786" in refusal(*words, "host:8786")
    assert "local: needs a number of workers from 1 to 256" in refusal(*words, "local:0")
    assert "local: needs a number of workers" in refusal(*words, "local:two")
    assert "choose one" in refusal(*words, "local:2", "--threads", 2)


@quiet
def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        said = refusal("simulate", "draw", "--rounds", 10, "--cluster", address)
    assert said == f"the scheduler at {address} cannot be reached: check the address and that it is running."


def plan(games: int = 200_000) -> Any:
    rules = rule_set("exact61", players=4)
    return simulation(rules, seat_policies(["greedy", "careful"], rules.sides), games=games, seed=5)


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
    killed = []

    def kill(*_: Any) -> None:
        if not killed:
            with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    with new_folder(tmp_path / "cluster", plan()) as run:
        plans.execute(run.plan, crew=crew, progress=kill, folder=run)
    assert killed
    assert files(tmp_path / "cluster") == played(tmp_path / "threads")


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
def test_a_cancelled_run_is_told(crew: cluster.Cluster) -> None:
    def cancel(*_: Any) -> None:
        with distributed.Client(crew.address, set_as_default=False) as other:
            other.run_on_scheduler(_cancel_all)

    with pytest.raises(FivesError, match=f"the cluster at {crew.address} cancelled the run"):
        plans.execute(plan(5_000_000), crew=crew, progress=cancel)


def _cancel_all(dask_scheduler: Any = None) -> None:
    for client, state in list(dask_scheduler.clients.items()):
        keys = [task.key for task in state.wants_what]
        dask_scheduler.stimulus_cancel(keys=keys, client=client, force=True, reason="test", msg="test")
