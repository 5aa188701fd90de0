"""Leads compared on the same deals, held to the plain engine with its lead forced."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analyzer.errors import FivesError
from analyzer.leading import LeadTotals
from analyzer.notation import Move, Tile, format_tile, parse_tile
from analyzer.openings import Openings, openings, openings_plan
from analyzer.policies import seat_policies
from analyzer.referee.games import play_single_round
from analyzer.referee.rounds import View
from analyzer.registry import plan_from
from analyzer.rulesets import RuleSet, rule_set
from analyzer.simulate import simulate
from tests.plain import chooser, measure, streams
from tests.plain.play import play_trace
from tests.shell import fives, refusal

SEED = 6

CASES: dict[str, tuple[RuleSet, tuple[str, ...], int]] = {
    "allfives-2": (rule_set("allfives"), ("greedy",), 14),
    "allfives-3": (rule_set("allfives", players=3), ("greedy", "random", "lowcount"), 14),
    "exact61-4": (rule_set("exact61", players=4), ("defend", "greedy"), 10),
    "exact61-4-single": (rule_set("exact61", players=4, sides=(0, 1, 2, 3)), ("careful",), 14),
    "partout5-nine": (rule_set("partout5", set="double-nine"), ("greedy", "mobile"), 6),
    "draw": (rule_set("draw"), ("heavy", "doubles"), 14),
    "ties": (rule_set("allfives", draw="none", spinner="none", hand=5, players=3), ("greedy",), 20),
}


def forced_trace(rules: RuleSet, policies: tuple[str, ...], game: int, lead: Tile) -> dict[str, Any]:
    """Return the plain engine's round with a tile as the lead, all else as the policies choose."""
    seats = seat_policies(policies, rules.sides)

    def deal(game: int, round_: int) -> tuple[int, list[Tile]]:
        return streams.opener_lot(rules, SEED, game, round_), streams.shuffled(rules, SEED, game, round_)

    def choose(view: View) -> Move:
        if view.play == 0:
            return next(move for move in view.placements if move.tile == lead)
        return chooser.choose(view, seats[view.seat].weights, SEED)

    names = [policy.name for policy in seats]
    return play_single_round(rules, deal, choose, policies=names, seed=SEED, game=game)


Outcome = tuple[Fraction, Fraction]  # the opener's side's share and margin


def outcome(rules: RuleSet, trace: dict[str, Any]) -> Outcome:
    played = measure.Game(rules, trace).rounds[0]
    return played.share(played.opener_side), played.margin(played.opener_side)


def naive(rules: RuleSet, policies: tuple[str, ...], deals: int) -> list[tuple[Tile, dict[Tile, Outcome]]]:
    """Return, for each deal, the policy's own lead and the outcome of each lead."""
    rules = rules.replace(target=None)
    found = []
    for game in range(deals):
        own = play_trace(rules, policies, SEED, game)
        start = own["rounds"][0]
        hand = [parse_tile(text) for text in start["hands"][start["opener"]]]
        outcomes = {tile: outcome(rules, forced_trace(rules, policies, game, tile)) for tile in hand}
        lead = parse_tile(start["turns"][0]["move"])
        assert outcomes[lead] == outcome(rules, own)  # forcing the lead that the policy takes changes nothing
        found.append((lead, outcomes))
    return found


def interval(values: list[Fraction]) -> tuple[float, float]:
    """Return the normal interval of a mean."""
    array = np.array(values, float)
    reach = NormalDist().inv_cdf(0.975) * array.std(ddof=1) / math.sqrt(len(array))
    return array.mean() - reach, array.mean() + reach


@pytest.mark.parametrize("name", CASES)
def test_every_lead_is_what_the_plain_engine_says(name: str) -> None:
    rules, policies, deals = CASES[name]
    expected = naive(rules, policies, deals)
    result = openings(rules, list(policies), rounds=deals, seed=SEED)
    rows = {row["tile"]: row for row in result.table_rows["leads"]}
    tiles = {tile for _, outcomes in expected for tile in outcomes}
    assert set(rows) == {format_tile(tile) for tile in tiles}
    for tile in tiles:
        row = rows[format_tile(tile)]
        held = [(own, outcomes) for own, outcomes in expected if tile in outcomes]
        shares = [outcomes[tile][0] for _, outcomes in held]
        margins = [outcomes[tile][1] for _, outcomes in held]
        gaps = [outcomes[tile][0] - outcomes[own][0] for own, outcomes in held]
        margin_gaps = [outcomes[tile][1] - outcomes[own][1] for own, outcomes in held]
        assert (row["n"], row["led"]) == (len(held), sum(own == tile for own, _ in held))
        for column, values in (
            ("opener_win_rate", shares),
            ("margin", margins),
            ("gap", gaps),
            ("margin_gap", margin_gaps),
        ):
            assert row[column] == pytest.approx(float(sum(values) / len(values)), abs=1e-12)
            if column != "opener_win_rate" and len(values) > 1 and any(v != values[0] for v in values):
                bounds = row[f"{column}_low"], row[f"{column}_high"]
                assert bounds == pytest.approx(interval(values), abs=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_the_own_leads_add_up_to_what_simulate_says(name: str) -> None:
    rules, policies, _ = CASES[name]
    rows = openings(rules, list(policies), rounds=300, seed=SEED).summary_rows
    alone = simulate(rules, list(policies), rounds=300, seed=SEED).summary_rows
    for row in rows:
        (expected,) = (line for line in alone if line["metric"] == row["metric"] and line["scope"] == "all")
        assert row == expected


def test_the_led_column_is_the_openings_table_of_simulate() -> None:
    rules = rule_set("allfives")
    leads = openings(rules, "greedy", rounds=400, seed=SEED).table_rows["leads"]
    led = {row["tile"]: row["led"] for row in leads if row["led"]}
    table = simulate(rules, "greedy", rounds=400, seed=SEED).table_rows["openings"]
    assert led == {row["tile"]: row["n"] for row in table}


def test_rows_are_ranked_and_the_gaps_of_a_random_lead_cancel() -> None:
    result = openings(rule_set("allfives"), "random", rounds=3000)
    rows = result.table_rows["leads"]
    gaps = [row["gap"] for row in rows]
    assert len(rows) == 28
    assert gaps == sorted(gaps, reverse=True)
    assert abs(sum(row["gap"] * row["n"] for row in rows) / sum(row["n"] for row in rows)) < 0.02
    assert result.sentences[0].startswith(f"Best lead by rounds won: {rows[0]['tile']}, better than")
    assert result.sentences[1].startswith("Best lead by points: ")


def test_a_tile_that_is_always_led_has_no_gap() -> None:
    rows = openings(rule_set("draw"), "heavy", rounds=200).table_rows["leads"]
    (top,) = (row for row in rows if row["tile"] == "6-6")
    assert top["led"] == top["n"]
    assert top["gap"] == top["margin_gap"] == 0.0
    assert top["gap_low"] < 0.0 < top["gap_high"]  # so many deals show no more than that


def test_few_deals_say_so() -> None:
    result = openings(rule_set("allfives"), "greedy", rounds=1)
    assert all(row["margin_gap_low"] is None for row in result.table_rows["leads"])
    assert result.sentences[1] == "Best lead by points: too few deals to tell."


def test_threads_and_parts_do_not_matter() -> None:
    rules = rule_set("partout5", set="double-nine")
    one, two = (openings(rules, ["greedy", "random"], rounds=90, threads=n) for n in (1, 3))
    play = one.plan.work().player()
    parts = play(40, 50) + play(0, 1) + play(1, 39)
    assert one.total.as_dict() == two.total.as_dict() == parts.as_dict()
    assert len(parts.tiles) == 55
    assert LeadTotals.from_dict(json.loads(json.dumps(parts.as_dict()))) == parts


def test_totals_in_another_form_are_refused() -> None:
    data = openings(rule_set("allfives"), "greedy", rounds=3).total.as_dict()
    for broken in ({}, {**data, "own": data["tiles"][0]["moments"]}, {**data, "tiles": [{"led": 0}]}):
        with pytest.raises(FivesError, match="start the run afresh"):
            LeadTotals.from_dict(broken)


def test_a_plan_comes_back_from_its_settings() -> None:
    plan = openings_plan(rule_set("exact61", players=4), ["greedy", "heavy"], rounds=5, first_game=3)
    back = plan_from(json.loads(json.dumps({"command": "openings", **plan.settings()})))
    assert isinstance(back, Openings)
    assert back.settings() == plan.settings()


def test_the_command_prints_table_csv_and_json() -> None:
    words = ["openings", "draw", "--hand-size", 5, "--policy", "heavy", "--rounds", 100]
    plain, csv, data = (fives(*words, *more) for more in ([], ["--csv", "leads"], ["--json"]))
    assert "Best lead by rounds won: " in plain.out
    assert len(csv.out.splitlines()) == 29
    found = openings(rule_set("draw", hand=5), "heavy", rounds=100)
    assert data.json["tables"]["leads"] == found.table_rows["leads"]


def test_wrong_numbers_are_refused() -> None:
    assert refusal("openings", "allfives", "--rounds", 0) == "rounds is 0: it must be at least 1."
    assert refusal("openings", "allfives", "--rounds", 5, "--threads", 0).startswith("threads is 0")
    assert "--rounds" in refusal("openings", "allfives")


def test_nothing_is_told_before_the_first_deal() -> None:
    plan = openings_plan(rule_set("allfives"), "greedy", rounds=3)
    report = plan.report(plan.work().none())
    assert (report.tables, report.sentences) == ({"leads": []}, [])
