"""The signatures: results have not changed unless somebody meant them to."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.rulesets import NAMES
from analyzer.signature import signature
from analyzer.signatures import SIGNATURES

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    """A change of it means changed results: then name it in CHANGELOG.md and in analyzer/signatures.py."""
    assert signature(name) == SIGNATURES[name]
    assert f"{name} {SIGNATURES[name]}" in CHANGELOG.read_text(encoding="utf-8")
