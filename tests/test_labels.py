"""The names in words of metrics, columns, fields and scopes: none that a run can have is missing."""

from __future__ import annotations

import pytest

import fives
from analyzer.grid import RULE_FIELDS
from analyzer.measures import GUARD_RATE, METRICS, ROUND_WIN_RATE
from analyzer.plans import Result
from analyzer.registry import KINDS
from reports.labels import (
    DIFFERENCE,
    NUMBER,
    POINTS,
    SHARE,
    cell_label,
    column_label,
    field_axis,
    field_label,
    kind_of,
    metric_label,
    metric_unit,
    scope_label,
)
from reports.words import Words

WORDS = Words()
EXACT = fives.rule_set("exact61")


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """Return a run of each kind, with every table that it can have."""
    reach = fives.rule_set("allfives", players=3)
    return [
        fives.simulate(EXACT, ["greedy", "careful"], games=20),
        fives.simulate(reach, "greedy", games=20),
        fives.compare(EXACT, ["greedy", "careful", "random"], deals=20),
        fives.sweep("exact61", {"players": [2, 3], "policy": ["greedy", "random"]}, rounds=20),
        fives.openings(EXACT, "greedy", rounds=20),
        fives.race("allfives", "greedy", rounds=64, stands=[(240, 245)]),
    ]


def test_there_is_a_run_of_each_kind(results: list[Result]) -> None:
    assert set(KINDS) == {result.plan.command for result in results}, "every kind's columns need words"


@pytest.mark.parametrize("name", [*(metric.name for metric in METRICS), GUARD_RATE, ROUND_WIN_RATE.name])
def test_every_metric_has_words(name: str) -> None:
    assert "_" not in metric_label(name, WORDS)
    assert metric_label(f"{name}_difference", WORDS) != f"{name}_difference"


def test_the_kind_of_every_metric_is_its_unit() -> None:
    for metric in METRICS:
        kind = kind_of(metric.name)
        if metric.unit == "raw points":
            assert kind == POINTS, metric.name
        elif metric.unit == "rate":
            assert kind == (DIFFERENCE if metric.less_even else SHARE), metric.name
        else:
            assert kind == NUMBER, metric.name


def test_every_metric_and_scope_of_a_run_has_words(results: list[Result]) -> None:
    for result in results:
        for row in result.summary_rows:
            assert "_" not in metric_label(row["metric"], WORDS)
            assert "=" not in scope_label(row["scope"], WORDS)


def test_every_column_of_a_table_has_words(results: list[Result]) -> None:
    tables = [rows for result in results for rows in (result.summary_rows, *result.table_rows.values())]
    columns = {column for rows in tables for row in rows for column in row}
    policies = {policy.name for result in results for policy in getattr(result.plan, "policies", ())}
    assert len(columns) > 50
    for column in columns - policies:  # the matrix has a column a policy
        assert column_label(column, WORDS) != column or column in {
            name for name in columns if "_" not in name and len(name) > 1
        }, column
        assert "_" not in column_label(column, WORDS), column


@pytest.mark.parametrize("field", RULE_FIELDS)
def test_every_field_of_a_rule_set_has_words(field: str) -> None:
    assert "_" not in field_label(field, WORDS)
    assert field_label(field, WORDS) in field_axis(field, WORDS)


def test_what_is_unknown_keeps_its_name() -> None:
    assert metric_label("no_such", WORDS) == column_label("no_such", WORDS) == "no_such"
    assert metric_label("no_such_difference", WORDS) == "no_such_difference"
    assert scope_label("no_such", WORDS) == "no_such"
    assert kind_of("no_such") == NUMBER
    assert metric_unit("no_such", WORDS) == ""


def test_scopes_in_words() -> None:
    assert scope_label("all", WORDS) == "all"
    assert scope_label("kind=out", WORDS) == "on going out"
    assert scope_label("side=0", WORDS) == "side 0"
    assert scope_label("policy=greedy", WORDS) == "greedy"
    assert scope_label("pair=greedy/random", WORDS) == "greedy less random"
    assert scope_label("hand=5,policy.0=greedy", WORDS) == "hand 5, policy of side 0 greedy"
    assert metric_label("overshoot_rate:kind=out", WORDS) == "gains that the target refuses, on going out"


def test_a_difference_of_shares_is_in_percentage_points() -> None:
    assert kind_of("blocked_rate_difference") == kind_of("win_rate_difference") == DIFFERENCE
    assert kind_of("points_per_play_difference") == kind_of("margin_difference") == POINTS
    assert metric_label("blocked_rate_difference", WORDS) == "blocked rounds, less the base cell's"
    assert cell_label({"players": 2, "spinner": "none"}, WORDS) == "players 2, spinner none"
