"""The kinds of experiment by the name of their command: how a plan is rebuilt, and which tables it has.

A kind names its function instead of importing it, so that nothing is loaded before it is needed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.errors import FivesError, unknown

if TYPE_CHECKING:
    from analyzer.plans import Plan

SUMMARY = "summary"
ROW_KINDS = ("games", "rounds")  # of `simulate --rows`
ROW_FILES = tuple(f"{kind}.parquet" for kind in ROW_KINDS)


@dataclass(frozen=True)
class Kind:
    """One kind of experiment.

    Attributes
    ----------
    home : "module:function"; the function takes a plan's `settings()` and returns the plan.
    tables : the tables that its reports may have beside the summary.
    """

    home: str
    tables: tuple[str, ...]


_TABLES_OF_SIMULATE = ("openings", "seats", "counts", "needs", "ends", "lengths", "after", "excess")

KINDS: dict[str, Kind] = {
    "compare": Kind("analyzer.compare:from_settings", ("pairs", "policies", "matrix", "margins")),
    "simulate": Kind("analyzer.simulate:from_settings", _TABLES_OF_SIMULATE),
    "sweep": Kind("analyzer.sweep:from_settings", ("cells",)),
    "openings": Kind("analyzer.openings:from_settings", ("leads",)),
    "race": Kind("analyzer.race:from_settings", ("scores", "stands", "near")),
}


def tables_of(command: str) -> tuple[str, ...]:
    """Return the names of all tables of a command, the summary first."""
    return (SUMMARY, *KINDS[command].tables)


def every_table() -> set[str]:
    """Return the names of the tables of all commands."""
    return {table for command in KINDS for table in tables_of(command)}


def plan_from(manifest: Mapping[str, Any]) -> Plan:
    """Return the plan that a manifest describes.

    Raises
    ------
    FivesError
        For an unknown command, a setting that is missing or out of range, or settings that no plan has.
    """
    command = str(manifest.get("command"))
    if command not in KINDS:
        raise unknown("command", command, KINDS)
    module, function = KINDS[command].home.split(":")
    try:
        plan: Plan = getattr(importlib.import_module(module), function)(manifest)
    except KeyError as error:
        raise FivesError(f"the setting {error.args[0]!r} is missing.") from error
    except (TypeError, AttributeError, IndexError) as error:
        raise FivesError("its settings are not in the form that this version writes.") from error
    for name, value in plain(plan.settings()).items():
        if manifest.get(name) != value:
            raise FivesError(f"the setting {name!r} is none that {command} can have.")
    return plan


def plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as they are read back from JSON: lists for tuples."""
    read: dict[str, Any] = json.loads(json.dumps(settings))
    return read
