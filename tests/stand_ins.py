"""Stand-ins for the library behind the command line, so that its own behaviour is tested without playing."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

SUMMARY = [
    {"metric": "blocked_rate", "scope": "all", "estimate": 0.25, "std_error": 0.05, "low": 0.16, "high": 0.36,
     "n": 1000, "unit": "share"},
    {"metric": "win_rate", "scope": "side=0", "estimate": None, "std_error": None, "low": None, "high": None,
     "n": 0, "unit": "share", "clusters": 0},
]  # fmt: skip
TABLES = {
    "ends": [{"end": "out", "rounds": 750, "share": 0.75}, {"end": "blocked", "rounds": 250, "share": 0.25}]
}
MANIFEST = {"seed": 1}


class Result:
    """What `execute` returns, always the same."""

    manifest = MANIFEST
    summary_rows = SUMMARY
    table_rows = TABLES
    sentences = ["In words."]

    def __init__(self, plan: Any) -> None:
        self.plan = plan

    def to_dict(self) -> dict[str, Any]:
        return {"manifest": MANIFEST, "summary": SUMMARY, "tables": TABLES}


class Calls(list[dict[str, Any]]):
    """The arguments of each call, in order."""

    def execute(self, plan: Any, *, crew: Any, progress: Any, watch: Any, folder: Any) -> Result:
        many = {"games": None, "rounds": None, plan.unit: plan.count}
        names = [policy.name for policy in plan.policies]
        self.append({"rules": plan.rules, "policies": names, "threads": crew.count, "folder": folder, **many})
        self[-1] |= {name: getattr(plan, name) for name in ("seed", "first_game", "confidence")}
        if progress is not None:
            progress(1, 2)
        return Result(plan)

    def traces(self, rules: Any, policies: Any, **options: Any) -> Iterator[dict[str, Any]]:
        self.append({"rules": rules, "policies": [policy.name for policy in policies], **options})
        for game in range(options["first_game"], options["first_game"] + options["count"]):
            yield {"format": "fives-trace", "game": game}


def install(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Put the stand-ins in place of `execute` and `analyzer.traces`; return their calls."""
    calls = Calls()
    monkeypatch.setattr("analyzer.plans.execute", calls.execute)
    module = types.ModuleType("analyzer.traces")
    module.traces = calls.traces
    monkeypatch.setitem(sys.modules, "analyzer.traces", module)
    return calls
