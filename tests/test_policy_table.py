"""The page of all policies against each other: the figures of compare, and every policy named."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from analyzer.compare import compare
from analyzer.policies import POLICIES
from analyzer.rulesets import PLAYERS, in_words, rule_set

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("policy_table", DOCS / "policy_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|\n").split("|")]


@pytest.mark.parametrize("players", [2, 3])
def test_each_cell_is_what_compare_finds(script: Any, players: int) -> None:
    rules = rule_set("draw", players=players)
    deals = script.deals_for(rules.side_count, 12)
    assert deals * (2 if players == 2 else 6) == 12
    lines = "\n".join(script.section("draw", players, 12)).split("\n")
    rows = [cells_of(line) for line in lines if line.startswith("| ")][2:]
    names = [row[1].strip("`") for row in rows]
    assert sorted(names) == sorted(POLICIES)
    for place, other in ((0, 1), (1, 0), (2, 7), (9, 3)):
        pair = compare(rules, [names[place], names[other]], deals=deals, seed=1)
        expected = 100 * pair.table_rows["policies"][0]["win_rate"]
        assert rows[place][3 + other] == f"{expected:.0f}"
    assert [row[3 + place] for place, row in enumerate(rows)] == ["·"] * len(rows)
    shares = [float(row[2].split()[0]) for row in rows]
    assert shares == sorted(shares, reverse=True)


def test_the_page_has_every_rule_set_and_policy(script: Any) -> None:
    page = (DOCS / "policy-table.md").read_text(encoding="utf-8")
    sections = page.split("\n## ")[1:]
    expected = [in_words(rule_set(name, players=players)) for name in script.NAMES for players in PLAYERS]
    assert [section.split("\n")[0] for section in sections] == expected
    for section in sections:
        rows = [cells_of(line) for line in section.split("\n") if line.startswith("| ")][2:]
        assert {row[1].strip("`") for row in rows} == set(POLICIES)
