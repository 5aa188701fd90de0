"""Rule sets and policies read back from the plain JSON values that a manifest keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.errors import FivesError
from analyzer.policies import POLICIES, Policy, searching
from analyzer.rulesets import RuleSet


def rules_from(fields: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that `RuleSet.as_dict` wrote; FivesError where a field does not fit."""
    names = {field.name for field in dataclasses.fields(RuleSet)}
    if set(fields) != names:
        raise FivesError(f"the fields of its rule set are not {', '.join(sorted(names))}.")
    if not isinstance(fields["name"], str) or not isinstance(fields["version"], int):
        raise FivesError("its rule set has no name and version.")
    return RuleSet(**{**fields, "sides": tuple(fields["sides"])})


def policy_from(fields: Mapping[str, Any]) -> Policy:
    """Return the policy that `Policy.as_dict` wrote; FivesError for an unknown feature or weight."""
    name = fields["name"]
    if not isinstance(name, str):
        raise FivesError(f"the name of a policy is {name!r}: it must be a word.")
    summary = POLICIES[name].summary if name in POLICIES else ""
    found = Policy(name, summary, dict(fields["weights"]), fields.get("worlds", 0))
    return searching(found.base(), found.worlds) if found.worlds else found


def policies_from(several: Sequence[Mapping[str, Any]]) -> tuple[Policy, ...]:
    """Return the policies that were written as a list."""
    return tuple(policy_from(fields) for fields in several)
