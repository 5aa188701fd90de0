"""`fives rules` and `fives policies`: every field with its source, and every choice told."""

from __future__ import annotations

import dataclasses

import pytest

from analyzer import rulesets
from analyzer.policies import FEATURES, POLICIES
from analyzer.provenance import field_notes
from analyzer.rulesets import NAMES, NAMING, RuleSet, rule_set
from tests.shell import fives, refusal

CHOICES = {
    "exact61": {"target": "negative", "settlement_block": "ascending seat number", "round_guard": "stopped"},
    "allfives": {"hand": "Pagat", "target": "Pagat", "ties": "Three hands tied", "round_guard": "stopped"},
    "partout5": {
        "set": "double-six",
        "players": "three and four",
        "sides": "partner's hand is not won",
        "hand": "10 with the double-nine",
        "target": "100, 250 and 500",
        "settlement_out": "for a block only",
        "settlement_block": "not its own",
        "rounding": "no rounding",
        "ties": "nobody scores",
        "round_guard": "time limit",
    },
    "draw": {
        "set": "double-six",
        "players": "three and four",
        "sides": "partner's hand is not won",
        "hand": "10 with the double-nine",
        "target": "100, 250 and 500",
        "settlement_block": "lap of passes",
        "rounding": "no rounding",
        "ties": "blocked and tied",
        "opener_after_block": "last tile",
        "round_guard": "time limit",
    },
    # the extra sets: their own choices, and those of their bases where nothing differs
    "block": {
        "set": "more players",
        "players": "three and four",
        "sides": "partner's hand is not won",
        "hand": "seven to four players",
        "settlement_block": "less its own",
        "rounding": "no rounding",
        "ties": "scores nothing",
        "opener_first": "by lot",
        "round_guard": "time limit",
    },
    "muggins": {
        "ties": "as in All Fives",
        "opener_first": "heaviest tile",
        "opener_after_out": "first round only",
        "opener_after_block": "by lot",
        "round_guard": "stopped",
    },
    "fiveup61reach": {
        "target": "negative",
        "target_kind": "61 or past it",
        "settlement_block": "ascending seat number",
        "round_guard": "stopped",
    },
    "threes-and-fives": {
        "settlement_out": "one point",
        "opener_first": "By lot",
        "last_play": "one event",
        "round_guard": "stopped",
    },
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_json_has_every_field_with_its_value(name: str, players: int) -> None:
    shown = fives("rules", name, "--players", players, "--json").json
    rules = rule_set(name, players=players)
    expected = [field.name for field in dataclasses.fields(RuleSet) if field.name not in NAMING]
    assert (shown["name"], shown["version"]) == (name, rules.version)
    assert [field["name"] for field in shown["fields"]] == expected
    for field in shown["fields"]:
        assert list(field) == ["name", "value", "unit", "source", "choice"]
        assert field["value"] == rules.as_dict()[field["name"]]
        assert field["unit"]
        assert field["source"]


@pytest.mark.parametrize("name", NAMES)
def test_choices_stand_at_their_fields_and_nowhere_else(name: str) -> None:
    choices = {note.name: note.choice for note in field_notes(rule_set(name)) if note.choice is not None}
    assert set(choices) == set(CHOICES[name])
    for field, words in CHOICES[name].items():
        assert words in choices[field]
        assert choices[field].endswith(".")


@pytest.mark.parametrize("field", ["hand", "target"])
def test_the_tables_that_are_lost_are_credited_to_pagat(field: str) -> None:
    notes = {note.name: note for note in field_notes(rule_set("allfives"))}
    assert notes[field].source == "Pagat (All Fives)"


@pytest.mark.parametrize("name", NAMES)
def test_text_shows_fields_and_choices(name: str) -> None:
    text = fives("rules", name).out
    for note in field_notes(rule_set(name)):
        assert note.name in text
        assert note.choice is None or note.choice in text


def test_list_of_rule_sets() -> None:
    shown = fives("rules", "--json").json
    assert [row["name"] for row in shown] == list(NAMES)
    assert [row["sets"] for row in shown] == [list(rulesets.sets_of(name)) for name in NAMES]
    text = fives("rules").out
    assert all(rulesets.summary_of(name) in text for name in NAMES)


def test_policies() -> None:
    shown = fives("policies", "--json").json
    assert [row["name"] for row in shown] == list(POLICIES)
    for row in shown:
        assert list(row) == ["name", "summary", "weights"]
        assert row["weights"] == dict(POLICIES[row["name"]].weights)
        assert set(row["weights"]) <= set(FEATURES)
    assert "+1000 wins" in fives("policies").out


def test_refusals() -> None:
    assert "did you mean allfives?" in refusal("rules", "allfive")
    assert "2, 3 or 4" in refusal("rules", "draw", "--players", 5)
