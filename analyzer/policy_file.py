"""Policies from a TOML file: tables of name to summary and weights, checked before anything is played.

    [bold]
    summary = "points, but a double first"
    weights = { points = 10, double = 100 }

A table may also hold a `recipe`, as `fives tune` writes it: for readers, not for play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError, shown, unknown
from analyzer.policies import POLICIES, Policy
from analyzer.tomlfile import read_toml

KEYS = ("summary", "weights", "recipe")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


def read_policies(path: Path) -> dict[str, Policy]:
    """Return the policies of a file by name, in its order.

    Raises
    ------
    FivesError
        Where the file cannot be read or is no TOML, a name is taken or is no word, a key or feature is
        unknown, or a weight is out of range; the sentence names the file and what is wrong in it.
    """
    content = read_toml(path, "file of policies")
    if not content:
        raise FivesError(f"{path} holds no policy: write a table for each, such as [bold].")
    return {name: _policy(path, name, table) for name, table in content.items()}


def _policy(path: Path, name: str, table: object) -> Policy:
    """Return one policy; FivesError names the file and the table."""
    try:
        check_name(name)
        if not isinstance(table, Mapping):
            raise FivesError(f"{shown(name)} stands outside a table: write [NAME] above its keys.")
        return _from_table(name, table)
    except FivesError as error:
        raise FivesError(f"{path}, policy {name}: {error}") from None


def check_name(name: str) -> None:
    """Raise FivesError unless a policy of one's own may have this name."""
    if not _NAME.fullmatch(name):
        raise FivesError(f"the name {shown(name)} has more than letters, digits, - and _: choose another.")
    if name in POLICIES:
        raise FivesError(f"{name} is a built-in policy: choose another name.")


def _from_table(name: str, table: Mapping[str, Any]) -> Policy:
    for key in table:
        if key not in KEYS:
            raise unknown("key", key, KEYS)
    summary, weights = table.get("summary", ""), table.get("weights")
    if not isinstance(summary, str):
        raise FivesError(f"its summary is {shown(summary)}: it must be a text in quotes.")
    if not isinstance(weights, Mapping):
        raise FivesError("it has no weights: write them as weights = { points = 1 }.")
    return Policy(name, summary, weights)


def policy_text(policy: Policy, recipe: Mapping[str, str | int | float]) -> str:
    """Return a policy as the content of such a file.

    Parameters
    ----------
    recipe : how it was made, as text and numbers by name.
    """
    lines = [f"[{policy.name}]", f"summary = {_toml(policy.summary)}", "", f"[{policy.name}.weights]"]
    lines += [f"{feature} = {weight}" for feature, weight in policy.weights.items()]
    lines += ["", f"[{policy.name}.recipe]"]
    lines += [f"{key} = {_toml(value)}" for key, value in recipe.items()]
    return "\n".join(lines) + "\n"


def _toml(value: str | int | float) -> str:
    if not isinstance(value, str):
        return repr(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
