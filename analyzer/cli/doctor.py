"""`fives doctor`: whether this installation is sound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from analyzer.cli import options
from analyzer.cli.output import emit, emit_json

if TYPE_CHECKING:
    from analyzer.doctor import Finding

SOMETHING_WRONG = 1
NAME_WIDTH = 24


def doctor(json: options.AsJson = False) -> None:
    """Look at versions, cache, rules and speed; each problem is told in one sentence, with what to do."""
    findings: list[Finding] = []
    for finding in _examined():
        findings.append(finding)
        if not json:
            emit(f"{finding.name:{NAME_WIDTH}}  {finding.value}")
    problems = [finding.problem for finding in findings if finding.problem is not None]
    if json:
        emit_json(
            {
                "ok": not problems,
                "findings": [
                    {"name": each.name, "value": each.value, "problem": each.problem} for each in findings
                ],
            }
        )
    else:
        emit("\n" + ("\n".join(f"Problem: {problem}" for problem in problems) or "All well."))
    if problems:
        raise typer.Exit(SOMETHING_WRONG)


def _examined() -> Iterator[Finding]:
    """Yield the findings, those about the kernels only where they can be loaded."""
    from analyzer.doctor import kernels, packages

    sound = True
    for finding in packages():
        sound = sound and finding.problem is None
        yield finding
    if sound:
        yield from kernels()
