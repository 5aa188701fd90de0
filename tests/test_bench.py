"""`fives bench`: what it times and tells; and the ratios of two of its results."""

from __future__ import annotations

import os
import sys

import pytest

from analyzer import bench, bench_search
from analyzer.errors import FivesError
from analyzer.workers import available_cores
from tests.shell import fives, refusal


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RULES", ("draw",))
    monkeypatch.setattr(bench, "PLAYERS", (2,))
    monkeypatch.setattr(bench, "SHARES", {"random": 1, "defend": 100})


def test_every_case_is_timed() -> None:
    several = bench.cases(1000)
    threads = {1, available_cores()}
    assert len(several) == len(bench.RULES) * len(bench.PLAYERS) * len(bench.SHARES) * len(threads)
    assert {case.rounds for case in several if case.policy == "greedy"} == {1000}
    assert {case.rounds for case in several if case.policy == "defend"} == {1000 // bench.SHARES["defend"]}
    assert {case.rounds for case in bench.cases(1)} == {1}


@pytest.mark.usefixtures("few")
def test_speeds_add_up() -> None:
    """Time a round is time a play times plays a round, whatever the clock says."""
    (case, *_) = bench.cases(500)
    (row,) = bench.speeds([case], 1)
    assert (row["rules"], row["policy"], row["threads"], row["rounds"]) == ("draw", "random", 1, 500)
    assert row["slowest"] == row["rounds_per_second"] == row["fastest"]
    plays = 1e9 / row["rounds_per_second"] / row["ns_per_play"]
    told = fives("simulate", "draw", "--policy", "random", "--rounds", 500, "--json").json["summary"]
    (mean,) = [each["estimate"] for each in told if each["metric"] == "plays_per_round"]
    assert plays == pytest.approx(mean, rel=0.01)


@pytest.mark.usefixtures("few")
def test_several_runs_have_a_spread() -> None:
    (row,) = bench.speeds(bench.cases(500)[:1], 3)
    assert 0 < row["slowest"] <= row["rounds_per_second"] <= row["fastest"]


@pytest.mark.usefixtures("few")
def test_the_command() -> None:
    told = fives("bench", "--rounds", 200, "--repeats", 1, "--speed-only", "--json").json
    assert set(told) == {"versions", "cores", "repeats", "speed"}
    assert [(row["policy"], row["rounds"]) for row in told["speed"]][-1] == ("defend", 2)
    outcome = fives("bench", "--rounds", 200, "--repeats", 1, "--speed-only")
    assert outcome.code == 0
    assert "rounds_per_second" in outcome.out


@pytest.mark.slow
def test_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_search, "RULES", ("exact61",))
    monkeypatch.setattr(bench_search, "BASES", ("greedy",))
    (row,) = bench_search.searches(3)
    assert (row["policy"], row["turns"]) == ("rollout:400:greedy", bench_search.TURNS)
    assert 0 < row["slowest"] <= row["rollouts_per_second"] <= row["fastest"]
    rollouts_a_turn = row["rollouts_per_second"] * row["ms_per_turn"] / 1e3
    assert rollouts_a_turn >= bench_search.LEAST * bench_search.WORLDS * 0.99


def test_a_run_of_its_own_has_a_time() -> None:
    assert bench._simulated(10) > 0


def test_memory_is_that_of_the_command_alone() -> None:
    """The system counts what a child shares with its parent as it starts, and this process is a large one."""
    held = bytearray(256 * 2**20)
    small = bench.peak_memory([sys.executable, "-S", "-c", "pass"], os.environ)
    large = bench.peak_memory([sys.executable, "-S", "-c", "bytearray(100 * 2**20)"], os.environ)
    assert len(held) > 0
    if small is not None and large is not None:
        assert 2 < small < 60
        assert 100 < large < 160


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(FivesError, match="a run that was to be timed failed"):
        bench.peak_memory([sys.executable, "-c", "raise SystemExit(3)"], os.environ)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(("--rounds", 0), "rounds is 0"), (("--repeats", 0), "repeats is 0"), (("--round", 1), "--rounds?")],
)
def test_bad_options(words: tuple[object, ...], sentence: str) -> None:
    assert sentence in refusal("bench", *words)
