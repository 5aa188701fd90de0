"""`fives rules`: the rule sets, and every field of one with its source and the choices made."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from analyzer import rulesets
from analyzer.cli.options import AsJson, Players
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.provenance import FieldNote, field_notes
from analyzer.rulesets import DEFAULT_PLAYERS, RuleSet


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help=f"One rule set: {', '.join(rulesets.NAMES)}.")
    ] = None,
    players: Players = DEFAULT_PLAYERS,
    json: AsJson = False,
) -> None:
    """List the rule sets, or show all fields of one.

    Each with its value, unit and source, and the choice made where the source is silent.
    """
    if name is None:
        _list_sets(json)
        return
    rule_set = rulesets.rule_set(name, players=players)
    notes = field_notes(rule_set)
    if json:
        fields = [dataclasses.asdict(note) for note in notes]
        emit_json({"name": rule_set.name, "version": rule_set.version, "fields": fields})
    else:
        _show(rule_set, notes)


def _list_sets(json: bool) -> None:
    rows = [
        {
            "name": name,
            "version": rulesets.rule_set(name).version,
            "sets": list(rulesets.sets_of(name)),
            "summary": rulesets.summary_of(name),
        }
        for name in rulesets.NAMES
    ]
    if json:
        emit_json(rows)
        return
    shown = [{**row, "sets": ", ".join(rulesets.sets_of(str(row["name"])))} for row in rows]
    emit_table("Rule sets", shown, words=("name", "sets", "summary"))


def _show(rule_set: RuleSet, notes: list[FieldNote]) -> None:
    sources = list(dict.fromkeys(note.source for note in notes))
    rows = [
        {
            "field": note.name,
            "value": _text(note.value),
            "unit": note.unit,
            "source": f"[{sources.index(note.source) + 1}]",
        }
        for note in notes
    ]
    title = f"{rule_set.name}, version {rule_set.version}, {rule_set.players} players"
    emit_table(title, rows, words=("field", "value", "unit", "source"))
    for number, source in enumerate(sources, start=1):
        emit(f"[{number}] {source}")
    emit("\nChoices, where the source is silent, lost or ambiguous:\n")
    for note in notes:
        if note.choice is not None:
            emit(f"  {note.name}: {note.choice}")


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
