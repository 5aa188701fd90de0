"""The signatures: results have not changed unless somebody meant them to."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.rulesets import NAMES
from analyzer.signature import signature

FILE = Path(__file__).with_name("signatures.txt")
EXPECTED = dict(line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if line[:1] != "#")


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    """A change of it means changed results: then name it in CHANGELOG.md and in the file."""
    assert signature(name) == EXPECTED[name]
    changelog = (FILE.parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"{name} {EXPECTED[name]}" in changelog
