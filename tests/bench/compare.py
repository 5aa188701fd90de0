"""Time the kernels against the C++ reference, side by side in one run, and check that both count the same.

Usage: python tests/bench/compare.py [--rounds N] [--repeats R]

Each line is one rule set, number of players and policy, played in rounds on one thread. The two programs take
turns; the ratio is kernel time over reference time, pair by pair, and its median is what counts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from analyzer.bench import peak_memory
from analyzer.counting import Counting
from analyzer.ledger import Ledger
from analyzer.policies import seat_policies
from analyzer.rulesets import rule_set
from analyzer.tallies import Tallies
from analyzer.workers import play

REFERENCE = Path(__file__).parent / "reference"
FIVES = Path(sys.executable).parent / "fives"
SEED = 1
BAR = 1.0
SAME = {
    "rounds": "rounds", "decided": "decided", "blocked": "blocked", "tied": "tied", "cut": "cut",
    "plays": "plays", "draws": "draws", "passes": "passes", "points2": "points", "scoring": "scoring",
    "settlement2": "settlement", "points_rejected2": "points_rejected", "opener_share": "opener_share",
    "opener_margin2": "opener_margin",
}  # fmt: skip


def kernel_run(
    name: str, players: int, policy: str, count: int, by_games: bool, threads: int = 1
) -> tuple[float, Tallies]:
    """Return (seconds, tallies) of one run of the kernels."""
    rules = rule_set(name, players=players)
    rules = rules if by_games else rules.replace(target=None)
    seats = seat_policies([policy], rules.sides)
    work = Counting(rules, seats, SEED)
    ledger = Ledger(work.none())
    began = time.perf_counter()
    play(work, (0, count), ledger, threads)
    return time.perf_counter() - began, ledger.state()[1]


def reference_run(name: str, players: int, policy: str, count: int, by_games: bool) -> dict[str, Any]:
    """Return what the C++ program prints for the same run."""
    unit = "games" if by_games else "rounds"
    command = [str(REFERENCE), name, str(players), policy, unit, str(count), str(SEED)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def differences(reference: dict[str, Any], ours: Tallies, by_games: bool) -> list[str]:
    """Return the tallies that differ, by name."""
    counted = reference["tallies"]
    found = [name for name, row in SAME.items() if counted[name] != ours.total([row])]
    if by_games and (counted["games"], counted["stopped"]) != (ours.games, ours.stopped):
        found.append("games")
    if counted["counts"] != ours.counts[: len(counted["counts"])].tolist():
        found.append("counts")
    if by_games:
        sides = [ours.total([f"side_share_{side}"]) for side in range(len(counted["side_wins"]))]
        kinds = ("play", "out", "block")
        found += ["side_wins"] * (sides != counted["side_wins"])
        for stem in ("events", "rejected"):
            found += [stem] * (
                [ours.total([f"{stem}_{kind}"]) for kind in kinds] != [counted[stem][k] for k in kinds]
            )
    return found


def print_ratios(rounds: int, repeats: int) -> bool:
    """Print a line for each configuration; return whether all tallies are equal."""
    print(f"{rounds:,} rounds each, seed {SEED}, one thread, {repeats} pairs of runs, medians; bar {BAR}")
    print("rule set  players policy    ratio  min-max      kernel ns/play  C++ ns/play  M rounds/s  tallies")
    all_equal = True
    for name in ("allfives", "exact61"):
        for players in (2, 4):
            for policy in ("random", "greedy"):
                kernel_run(name, players, policy, 1000, False)
                pairs = []
                for _ in range(repeats):
                    reference = reference_run(name, players, policy, rounds, False)
                    seconds, ours = kernel_run(name, players, policy, rounds, False)
                    plays = ours.total(["plays"])
                    pairs.append((seconds / plays * 1e9, reference["ns_per_play"], rounds / seconds))
                wrong = differences(reference, ours, False)
                all_equal &= not wrong
                ratios = [kernel / cpp for kernel, cpp, _ in pairs]
                kernel, cpp, speed = (statistics.median(column) for column in zip(*pairs, strict=True))
                print(
                    f"{name:9} {players:7} {policy:9} {statistics.median(ratios):5.2f}  "
                    f"{min(ratios):.2f}-{max(ratios):.2f}    "
                    f"{kernel:14.1f}  {cpp:11.1f}  {speed / 1e6:10.2f}  "
                    f"{'equal' if not wrong else 'DIFFER: ' + ', '.join(wrong)}",
                    flush=True,
                )
    return all_equal


def print_equality() -> bool:
    """Compare the tallies of games, and of all rule sets and policies; return whether all are equal."""
    compared, wrong = 0, []
    for name in ("allfives", "exact61", "partout5", "draw"):
        for players in (2, 3, 4):
            for policy in ("random", "greedy", "careful", "heavy", "doubles", "lowcount", "mobile"):
                for by_games in (True, False):
                    reference = reference_run(name, players, policy, 1000, by_games)
                    _, ours = kernel_run(name, players, policy, 1000, by_games)
                    compared += 1
                    found = differences(reference, ours, by_games)
                    if found:
                        wrong.append(
                            f"{name} {players} {policy} {'games' if by_games else 'rounds'}: {found}"
                        )
    print(f"tallies of {compared} runs of 1,000 rounds or games: {len(wrong)} differ from the reference's")
    print("".join(f"  {line}\n" for line in wrong), end="")
    return not wrong


def print_threads(rounds: int, repeats: int) -> None:
    """Print how much faster two threads are than one."""
    ratios = []
    for _ in range(repeats):
        one, _ = kernel_run("exact61", 4, "greedy", rounds, False, threads=1)
        two, _ = kernel_run("exact61", 4, "greedy", rounds, False, threads=2)
        ratios.append(one / two)
    print(
        f"two threads against one, {rounds:,} rounds: {statistics.median(ratios):.2f} times "
        f"({min(ratios):.2f}-{max(ratios):.2f})"
    )


def peak_of(rounds: int) -> float:
    """Return the peak resident memory, in MiB, of `fives simulate` with so many rounds."""
    command = [str(FIVES), "simulate", "exact61", "--rounds", str(rounds), "--json"]
    peak = peak_memory(command, os.environ)
    assert peak is not None, "this system does not tell the memory of a process"
    return peak


def print_memory() -> None:
    """Print the memory of a long run against that of a short one."""
    short, long = peak_of(100_000), peak_of(10_000_000)
    print(
        f"peak memory: 100,000 rounds {short:.0f} MiB, 10,000,000 rounds {long:.0f} MiB, "
        f"ratio {long / short:.3f}"
    )


def seconds_of(command: list[str], repeats: int) -> float:
    """Return the median wall seconds of a command."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def print_start(repeats: int) -> None:
    """Print how long a warm start and the help take."""
    first = [str(FIVES), "simulate", "exact61", "--rounds", "1000"]
    subprocess.run(first, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(
        f"warm start to the first result: {seconds_of(first, repeats):.2f} s; "
        f"--help: {seconds_of([str(FIVES), '--help'], repeats):.2f} s"
    )


def main() -> int:
    """Print all measurements; 1 where any tally differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, Numba {numba.__version__}"
    )
    equal = print_ratios(given.rounds, given.repeats)
    equal &= print_equality()
    print_threads(16 * given.rounds, given.repeats)
    print_memory()
    print_start(given.repeats)
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
