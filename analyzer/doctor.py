"""Whether this installation is sound: versions, cache, the rules against their signatures, speed, extras.

Each finding is a fact; where something is wrong it has a problem too, one sentence that says what to do. What
needs the kernels is looked at only where all packages are there.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

from analyzer.signatures import SIGNATURES
from analyzer.version import __version__

NEEDED = (
    "babel",
    "cmaes",
    "jinja2",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "platformdirs",
    "pyarrow",
    "rich",
    "scipy",
    "statsmodels",
    "typer",
)
EXTRAS = {"distributed": "cluster"}
SPEED_SECONDS = 2.0


@dataclass(frozen=True)
class Finding:
    """One fact about the installation.

    Attributes
    ----------
    name, value : what was looked at, and what it is.
    problem : what is wrong and what to do about it; None: all well.
    """

    name: str
    value: str
    problem: str | None = None


def packages() -> Iterator[Finding]:
    """Yield what is installed; nothing of it is loaded."""
    yield Finding("fives", __version__)
    yield Finding("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    missing = [name for name in NEEDED if not _is_there(name)]
    if missing:
        names = ", ".join(missing)
        why = f"fives needs {names}: run python -m pip install {' '.join(missing)}."
        yield Finding("packages", f"without {names}", why)
    for package in ("numpy", "numba", "pandas", "pyarrow"):
        if package not in missing:
            yield Finding(package, version(package))
    for package, extra in EXTRAS.items():  # none of them has to be there
        how = f"not installed; python -m pip install 'fives[{extra}]' does it"
        yield Finding(f"extra {extra}", "installed" if _is_there(package) else how)


def kernels() -> Iterator[Finding]:
    """Yield whether games are played, fast, and as the rules have it; all packages must be there."""
    yield _cores()
    yield _compiler()
    yield _cache()
    yield from _rules()
    yield _speed()


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _cores() -> Finding:
    from analyzer.workers import available_cores

    return Finding("cores", f"{available_cores()} of {os.cpu_count()} may be used")


def _compiler() -> Finding:
    from kernels.jit import JIT_DISABLED

    if JIT_DISABLED:
        why = "kernels are not compiled, so runs take a thousand times as long: unset NUMBA_DISABLE_JIT."
        return Finding("compiler", "off", why)
    return Finding("compiler", "on")


def _cache() -> Finding:
    """Return where compiled kernels are kept."""
    from kernels.cachedir import ENVIRONMENT_VARIABLE
    from kernels.jit import CACHE_FOLDER, JIT_DISABLED, is_cold

    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if JIT_DISABLED:
        return Finding("cache", "not needed")
    if CACHE_FOLDER is None:
        why = (
            "no folder can be written to keep compiled kernels in, so every run compiles them anew: "
            f"name one that only you can write to with {ENVIRONMENT_VARIABLE}."
        )
        return Finding("cache", "none", why)
    value = f"{CACHE_FOLDER}, {'nothing compiled yet' if is_cold() else 'compiled'}"
    if named and not CACHE_FOLDER.is_relative_to(named):
        why = (
            f"{ENVIRONMENT_VARIABLE} names {named}, which is not a folder that only you can write to, so "
            f"{CACHE_FOLDER.parent} is used: name another, with its full path."
        )
        return Finding("cache", value, why)
    return Finding("cache", value)


def _rules() -> Iterator[Finding]:
    """Yield whether each named rule set gives the games that it should."""
    from analyzer.signature import signature

    for name, wanted in SIGNATURES.items():
        found = signature(name)
        if found == wanted:
            yield Finding(f"rules {name}", wanted)
        else:
            why = f"{name} gives other games than version {__version__} should: install fives afresh."
            yield Finding(f"rules {name}", f"{found}, not {wanted}", why)


def _speed() -> Finding:
    """Return how many rounds a second all cores play, in SPEED_SECONDS or up to twice as many."""
    from analyzer.counting import Counting
    from analyzer.ledger import Ledger
    from analyzer.policies import seat_policies
    from analyzer.rulesets import rule_set
    from analyzer.workers import play

    rules = rule_set("exact61", players=4).replace(target=None)
    work = Counting(rules, seat_policies(["greedy"], rules.sides), 1)
    ledger = Ledger(work.none())
    play(work, (0, 1), ledger)  # compiled now, where it was not
    began, seconds = time.perf_counter(), 0.0
    while seconds < SPEED_SECONDS:
        play(work, (0, 2 * ledger.games), ledger)
        seconds = time.perf_counter() - began
    return Finding("speed", f"{ledger.games / seconds:,.0f} rounds a second (exact61, 4 players, greedy)")
