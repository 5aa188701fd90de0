"""The manifest: what a run says about itself, so that it can be told apart, repeated and continued."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from analyzer.rulesets import changes_of
from analyzer.settings import rules_from
from analyzer.signatures import SIGNATURES
from analyzer.version import __version__

if TYPE_CHECKING:
    from analyzer.plans import Plan

RUNNING, STOPPED, COMPLETE = "running", "stopped", "complete"
STATES = (RUNNING, STOPPED, COMPLETE)


class Clock:
    """When a run began, and how long it was at work.

    Parameters
    ----------
    times : those of the part before, where a run goes on.
    """

    def __init__(self, times: Mapping[str, Any] | None = None) -> None:
        self._started = times["started"] if times else _now()
        self._before = times["seconds"] if times else 0.0
        self._began = time.perf_counter()

    def times(self, *, finished: bool) -> dict[str, Any]:
        """Return the start and end in UTC, and the seconds at work."""
        seconds = self._before + time.perf_counter() - self._began
        return {
            "started": self._started,
            "finished": _now() if finished else None,
            "seconds": round(seconds, 3),
        }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def manifest_of(
    plan: Plan,
    state: str,
    clock: Clock,
    *,
    done: int | None = None,
    why: str | None = None,
    notes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run.

    Parameters
    ----------
    state : one of `STATES`.
    done : what is done; None while running.
    why : why the run ended; None while running.
    notes : what its report adds.
    """
    settings = plan.settings()
    rules = settings["rules"]  # all fields, or the name of a set that is varied
    return {
        "command": plan.command,
        **settings,
        "signature": signature_of(rules),
        "state": state,
        "done": done,
        "stopped_because": why,
        **(notes or {}),
        **origin(),
        "versions": versions(),
        "times": clock.times(finished=state == COMPLETE),
    }


def signature_of(rules: str | Mapping[str, Any]) -> str | None:
    """Return the signature of a rule set; None where a field is changed, since it says nothing of that game.

    Rounds are played without a target, which changes no round.
    """
    if isinstance(rules, str):
        return SIGNATURES.get(rules)
    rule_set = rules_from(rules)
    changed = changes_of(rule_set)
    if changed.get("target", 0) is None:
        del changed["target"]
    return None if changed else SIGNATURES.get(rule_set.name)


def origin() -> dict[str, Any]:
    """Return what the totals of equal settings depend on."""
    from kernels.cachedir import source_digest
    from kernels.rng import STREAM_VERSION

    return {"random_stream_version": STREAM_VERSION, "kernel_digest": source_digest()}


def versions() -> dict[str, str]:
    """Return the versions of this program and of what it stands on."""
    import numba
    import numpy

    return {
        "fives": __version__,
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "python": platform.python_version(),
    }


def experiment_digest(plan: Plan) -> str:
    """Return hex digits that two runs share only where their totals must be equal."""
    identity = {"command": plan.command, **plan.settings(), **origin(), "fives": __version__}
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
