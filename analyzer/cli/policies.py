"""`fives policies`: the policies and the weights that they are."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.cli.options import AsJson, PolicyFile
from analyzer.cli.output import emit_json, emit_table
from analyzer.policies import POLICIES


def policies(policy_file: PolicyFile = None, json: AsJson = False) -> None:
    """List the policies with their weights."""
    known = POLICIES
    if policy_file is not None:
        from analyzer.policy_file import read_policies

        known = POLICIES | read_policies(policy_file)
    rows = [
        {"name": policy.name, "summary": policy.summary, "weights": dict(policy.weights)}
        for policy in known.values()
    ]
    if json:
        emit_json(rows)
        return
    shown = [{**row, "weights": _text(known[str(row["name"])].weights)} for row in rows]
    emit_table("Policies", shown, words=("name", "summary", "weights"))


def _text(weights: Mapping[str, int]) -> str:
    return ", ".join(f"{weight:+d} {feature}" for feature, weight in weights.items()) or "all 0"
