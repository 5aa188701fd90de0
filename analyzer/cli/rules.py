"""`fives rules`: the rule sets, and every field of one with its source and the choices made."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from analyzer import house, rulesets
from analyzer.cli.options import AsJson, Players
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.provenance import FieldNote, field_notes
from analyzer.rulesets import DEFAULT_PLAYERS, RuleSet


def rules(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help=f"One rule set: {', '.join(rulesets.NAMES)}, or the path of a file of house rules.",
        ),
    ] = None,
    players: Players = DEFAULT_PLAYERS,
    json: AsJson = False,
) -> None:
    """List the rule sets, or show all fields of one.

    Each with its value, unit and source, and the choice made where the source is silent. Of a file of house
    rules, what differs from its base.
    """
    if name is None:
        _list_sets(json)
        return
    rule_set = house.rules_of(name, players=players)
    notes = field_notes(rule_set)
    if json:
        fields = [dataclasses.asdict(note) for note in notes]
        told = {"name": rule_set.name, "version": rule_set.version}
        if rule_set.house is not None:
            told["house"] = rule_set.house
        emit_json({**told, "fields": fields})
    elif rule_set.house is not None:
        _show_changes(rule_set)
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


def _show_changes(rule_set: RuleSet) -> None:
    """Show which fields of house rules differ from their base."""
    named = rulesets.rule_set(rule_set.name, players=rule_set.players, set=rule_set.set).as_dict()
    rows = [
        {"field": field, "value": _text(value), rule_set.name: _text(named[field])}
        for field, value in rulesets.changes_of(rule_set).items()
        if field not in rulesets.NAMING
    ]
    base = f"{rule_set.name}, version {rule_set.version}"
    title = f"{rule_set.house}: house rules on {base}, {rule_set.players} players"
    if rows:
        emit_table(title, rows, words=("field", "value", rule_set.name))
    else:
        emit(f"{title}: nothing differs.")
    emit(f"All other fields are those of {rule_set.name}: fives rules {rule_set.name}")


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
