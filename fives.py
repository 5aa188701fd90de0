"""fives: a Monte Carlo analyser for the Fives family of dominoes.

    import fives

    rules = fives.rule_set("exact61", players=4)
    result = fives.simulate(rules, ["greedy"], games=100_000)
    print(result.summary)

This module is the library's public face. Each name is loaded when it is first used, so that
`import fives` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from analyzer.version import __version__

if TYPE_CHECKING:
    from analyzer.advice import advise
    from analyzer.compare import compare
    from analyzer.errors import FivesError
    from analyzer.given import given
    from analyzer.house import house_rules
    from analyzer.openings import openings
    from analyzer.plans import Result
    from analyzer.policies import POLICIES, Policy, policy
    from analyzer.race import race, race_table
    from analyzer.referee.replay import verify_file
    from analyzer.referee.sheet import score_sheet
    from analyzer.report import pictures, repeat, report
    from analyzer.report_stakes import Stakes
    from analyzer.review import review
    from analyzer.rulesets import RuleSet, rule_set
    from analyzer.sequential import Sprt
    from analyzer.simulate import simulate
    from analyzer.stopping import UntilWidth
    from analyzer.sweep import sweep
    from analyzer.traces import trace

__all__ = [
    "POLICIES",
    "FivesError",
    "Policy",
    "Result",
    "RuleSet",
    "Sprt",
    "Stakes",
    "UntilWidth",
    "__version__",
    "advise",
    "compare",
    "given",
    "house_rules",
    "openings",
    "pictures",
    "policy",
    "race",
    "race_table",
    "repeat",
    "report",
    "review",
    "rule_set",
    "score_sheet",
    "simulate",
    "sweep",
    "trace",
    "verify_file",
]

_HOME = {
    "FivesError": ("analyzer.errors", "FivesError"),
    "POLICIES": ("analyzer.policies", "POLICIES"),
    "Policy": ("analyzer.policies", "Policy"),
    "Result": ("analyzer.plans", "Result"),
    "RuleSet": ("analyzer.rulesets", "RuleSet"),
    "Sprt": ("analyzer.sequential", "Sprt"),
    "Stakes": ("analyzer.report_stakes", "Stakes"),
    "UntilWidth": ("analyzer.stopping", "UntilWidth"),
    "advise": ("analyzer.advice", "advise"),
    "compare": ("analyzer.compare", "compare"),
    "given": ("analyzer.given", "given"),
    "house_rules": ("analyzer.house", "house_rules"),
    "openings": ("analyzer.openings", "openings"),
    "policy": ("analyzer.policies", "policy"),
    "race": ("analyzer.race", "race"),
    "race_table": ("analyzer.race", "race_table"),
    "pictures": ("analyzer.report", "pictures"),
    "repeat": ("analyzer.report", "repeat"),
    "report": ("analyzer.report", "report"),
    "review": ("analyzer.review", "review"),
    "rule_set": ("analyzer.rulesets", "rule_set"),
    "score_sheet": ("analyzer.referee.sheet", "score_sheet"),
    "simulate": ("analyzer.simulate", "simulate"),
    "sweep": ("analyzer.sweep", "sweep"),
    "trace": ("analyzer.traces", "trace"),
    "verify_file": ("analyzer.referee.replay", "verify_file"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fives' has no attribute {name!r}")
    module, attribute = _HOME[name]
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
