"""Duplicate deals against a plain count from traces, and what a comparison may and may not depend on."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analyzer import registry
from analyzer.compare import Comparison, compare, comparison, from_settings
from analyzer.duel_totals import DuelTotals, exact_product
from analyzer.duels import Duels
from analyzer.errors import FivesError
from analyzer.plans import Result
from analyzer.policies import Policy, policy
from analyzer.rulesets import RuleSet, rule_set
from analyzer.sequential import Sprt, checkpoints
from analyzer.stopping import UntilWidth
from tests.plain import duels
from tests.shell import fives, refusal

TRIO = ("greedy", "random", "heavy")
ALLFIVES = rule_set("allfives")
SETS: dict[str, RuleSet] = {
    "two": ALLFIVES,
    "partners": rule_set("exact61", players=4),
    "draws": rule_set("draw"),
    "three": rule_set("allfives", players=3),
    "four": rule_set("partout5", players=4),
    "stopped": rule_set("exact61", round_guard=9),
    "three stopped": rule_set("exact61", players=3, round_guard=12),
}
SEED, FIRST = 5, 40


def played(rules: RuleSet, per: str) -> RuleSet:
    return rules if per == "game" else rules.replace(target=None)


def row_of(result: Result, metric: str, scope: str) -> dict[str, Any]:
    (row,) = [row for row in result.summary_rows if (row["metric"], row["scope"]) == (metric, scope)]
    return row


# --- against a plain count ----------------------------------------------------------------------


@pytest.mark.parametrize("per", ["game", "round"])
@pytest.mark.parametrize("name", SETS)
def test_every_pair_as_counted_from_traces(name: str, per: str) -> None:
    rules, count = SETS[name], 8 if name == "four" else 24
    result = compare(rules, TRIO, deals=count, per=per, seed=SEED, first_game=FIRST)
    z = NormalDist().inv_cdf(0.975)
    stopped = 0
    for number, (a, b) in enumerate(itertools.combinations(TRIO, 2)):
        deals, _ = duels.duels(played(rules, per), a, b, seed=SEED, first_game=FIRST, deals=count)
        stopped += sum(duels.game_values(deals, "stopped"))
        for metric, of in (("win_rate_difference", "difference"), ("margin_difference", "margin")):
            by_deal, by_game = duels.deal_values(deals, of), duels.game_values(deals, of)
            row = row_of(result, metric, f"pair={a}/{b}")
            error = duels.std_error(by_deal)
            assert row["estimate"] == pytest.approx(float(duels.mean(by_deal)), abs=1e-12)
            assert row["std_error"] == pytest.approx(error, abs=1e-9)
            assert row["unpaired_std_error"] == pytest.approx(duels.std_error(by_game), abs=1e-9)
            assert row["n"] == count
            if row["unit"] == "raw points" or rules.side_count > 2:
                assert row["low"] == pytest.approx(row["estimate"] - z * error, abs=1e-9)
                assert row["high"] == pytest.approx(row["estimate"] + z * error, abs=1e-9)
            if error:
                saved = (duels.std_error(by_game) / error) ** 2
                assert row["games_saved"] == pytest.approx(saved)
        table = result.table_rows["pairs"][number]
        counts = duels.pentanomial(deals) if rules.side_count == 2 else [None] * 5
        assert list(table.values()) == [a, b, count, *counts]
        check_margins(result, rules, a, b, duels.game_values(deals, "margin"))
    assert result.manifest["games_stopped"] == stopped
    assert (stopped > 0) == ("stopped" in name and per == "game")


def check_margins(result: Result, rules: RuleSet, a: str, b: str, margins: list[Fraction]) -> None:
    """Hold the histogram of a pair's margins to its games; with more than two sides there is none."""
    if rules.side_count > 2:
        assert "margins" not in result.table_rows
        return
    rows = [row for row in result.table_rows["margins"] if (row["a"], row["b"]) == (a, b)]
    assert {row["margin"]: row["games"] for row in rows} == dict(Counter(margins))


@pytest.mark.parametrize("per", ["game", "round"])
@pytest.mark.parametrize("name", ["two", "three", "three stopped"])
def test_win_rates_and_the_matrix(name: str, per: str) -> None:
    rules, count = SETS[name], 30
    result = compare(rules, TRIO, deals=count, per=per, seed=SEED, first_game=FIRST)
    wins: dict[str, list[list[Fraction]]] = {each: [] for each in TRIO}
    matrix = {row["policy"]: row for row in result.table_rows["matrix"]}
    for a, b in itertools.combinations(TRIO, 2):
        deals, _ = duels.duels(played(rules, per), a, b, seed=SEED, first_game=FIRST, deals=count)
        for one, other, of in ((a, b, "wins_a"), (b, a, "wins_b")):
            values = duels.deal_values(deals, of)
            wins[one].append(values)
            assert matrix[one][other] == pytest.approx(float(duels.mean(values)))
    for row in result.table_rows["policies"]:
        values = [duels.mean(each) for each in zip(*wins[row["policy"]], strict=True)]
        summary = row_of(result, "win_rate", f"policy={row['policy']}")
        assert row["win_rate"] == summary["estimate"] == pytest.approx(float(duels.mean(values)))
        assert summary["std_error"] == pytest.approx(duels.std_error(values))
        assert row["low"] < row["win_rate"] < row["high"]
        assert row["games"] == 2 * count * (2**rules.side_count - 2)
        assert matrix[row["policy"]][row["policy"]] is None


@pytest.mark.parametrize("name", SETS)
def test_the_seatings_of_a_deal_share_hands_and_opener(name: str) -> None:
    _, shown = duels.duels(SETS[name], "greedy", "random", seed=SEED, first_game=0, deals=4)
    for deal in shown:
        for part in ("opener", "hands", "boneyard"):
            assert all(trace["rounds"][0][part] == deal[0]["rounds"][0][part] for trace in deal)


def test_ratings_expect_the_scores_that_were_seen() -> None:
    rules, policies = SETS["partners"], ("greedy", "random", "heavy", "mobile")
    rows = compare(rules, policies, deals=300).table_rows["policies"]
    strength = {row["policy"]: row["rating"] for row in rows}
    assert sum(strength.values()) == pytest.approx(0, abs=1e-6)
    for row in rows:
        gaps = [strength[row["policy"]] - strength[other] for other in strength if other != row["policy"]]
        expected = [1 / (1 + 10 ** (-gap / 400)) for gap in gaps]
        assert row["win_rate"] == pytest.approx(sum(expected) / len(expected))
        assert row["rating_low"] < row["rating"] < row["rating_high"]


def test_two_policies_are_rated_half_their_difference_apart() -> None:
    result = compare(ALLFIVES, ["greedy", "defend"], deals=300)
    elo = row_of(result, "elo_difference", "pair=greedy/defend")
    greedy, defend = result.table_rows["policies"]
    for bound, other in (("", ""), ("_low", "_high"), ("_high", "_low")):
        key = bound.lstrip("_") or "estimate"
        assert greedy[f"rating{bound}"] == pytest.approx(elo[key] / 2)
        assert defend[f"rating{other}"] == pytest.approx(-elo[key] / 2)
    score = greedy["win_rate"]
    assert elo["estimate"] == pytest.approx(400 * np.log10(score / (1 - score)))
    assert elo["unpaired_std_error"] / elo["std_error"] == pytest.approx(elo["games_saved"] ** 0.5)


# --- what it must not depend on -----------------------------------------------------------------


def reported(result: Result) -> dict[str, Any]:
    found = result.to_dict()
    return found | {"manifest": {key: value for key, value in found["manifest"].items() if key != "times"}}


def test_a_name_stands_for_the_rule_set() -> None:
    by_name = compare("allfives", ["greedy", "random"], deals=20)
    assert by_name.summary_rows == compare(rule_set("allfives"), ["greedy", "random"], deals=20).summary_rows


@pytest.mark.parametrize("name", ["two", "three"])
def test_threads_do_not_matter(name: str) -> None:
    one, *others = (compare(SETS[name], TRIO, deals=1500, per="round", threads=n) for n in (1, 3, None))
    for other in others:
        assert reported(other) == reported(one)
        assert other.total == one.total


def test_ranges_add_up() -> None:
    work = Duels(ALLFIVES, tuple(map(policy, TRIO)), SEED)
    play = work.player()
    parts = play(10, 3) + work.none() + play(13, 1) + play(14, 6)
    assert parts == play(10, 10)
    assert DuelTotals.from_dict(json.loads(json.dumps(parts.as_dict())), len(TRIO)) == parts


@pytest.mark.parametrize("name", ["two", "three"])
def test_permuting_the_policies_permutes_the_results(name: str) -> None:
    def estimates(order: tuple[str, ...]) -> dict[tuple[str, str], dict[str, Any]]:
        result = compare(SETS[name], order, deals=60, seed=SEED)
        pairs = {(row["metric"], row["scope"]): row for row in result.summary_rows}
        return pairs | {("table", row["policy"]): row for row in result.table_rows["policies"]}

    base = estimates(TRIO)
    for order in itertools.permutations(TRIO):
        other = estimates(order)
        assert len(other) == len(base)
        for (metric, scope), row in base.items():
            if metric == "win_rate" or metric == "table" or (metric, scope) in other:
                assert other[metric, scope] == row  # to the last digit
            else:
                a, b = scope.removeprefix("pair=").split("/")
                about = pytest.approx if metric == "likelihood_of_superiority" else dict
                assert other[metric, f"pair={b}/{a}"] == about(swapped(row, a, b))


def swapped(row: dict[str, Any], a: str, b: str) -> dict[str, Any]:
    """Return the row that pair=b/a must have where pair=a/b has this one."""
    if row["metric"] == "likelihood_of_superiority":
        return row | {"scope": f"pair={b}/{a}", "estimate": 1 - row["estimate"]}
    turned = {"estimate": row["estimate"], "low": row["high"], "high": row["low"]}
    turned = {key: None if value is None else -value for key, value in turned.items()}
    return row | turned | {"scope": f"pair={b}/{a}"}


@pytest.mark.parametrize("per", ["game", "round"])
@pytest.mark.parametrize("name", SETS)
def test_a_policy_against_itself(name: str, per: str) -> None:
    result = compare(SETS[name], ["defend", "defend"], deals=30, per=per)
    for metric in ("win_rate_difference", "margin_difference", "elo_difference"):
        row = row_of(result, metric, "pair=defend/defend")
        null = metric == "elo_difference" and SETS[name].side_count > 2
        zero = None if null else 0.0
        assert [row[key] for key in ("estimate", "std_error", "low", "high")] == [zero] * 4
    assert row_of(result, "likelihood_of_superiority", "pair=defend/defend")["estimate"] == 0.5
    assert row_of(result, "win_rate", "policy=defend")["estimate"] == 1 / SETS[name].side_count
    assert "not distinguishable" in result.manifest["verdicts"]["defend/defend"]


def test_an_equal_policy_under_another_name_is_no_different() -> None:
    twin = Policy("twin", "greedy again", {"points": 1})
    row = row_of(compare(ALLFIVES, ["greedy", twin], deals=40), "win_rate_difference", "pair=greedy/twin")
    assert (row["estimate"], row["std_error"]) == (0, 0)
    assert row["low"] < 0 < row["high"]


# --- stopping rules -----------------------------------------------------------------------------


def test_a_test_stops_at_a_checkpoint_and_says_what_its_intervals_are() -> None:
    test = Sprt(0, 10, 0.1, 0.02)
    result = compare(ALLFIVES, ["defend", "greedy"], deals=5000, sprt=test)
    deals = result.manifest["done"]
    assert deals in checkpoints(5000)
    assert result.total.deals == deals
    assert result.manifest["stopped_because"].startswith("SPRT accepts elo1 = 10")
    found = result.manifest["test"]
    counts = [result.table_rows["pairs"][0][f"n{score}"] for score in range(5)]
    assert found["llr"] == test.llr(counts) >= found["upper"]
    assert (found["alpha"], found["beta"], found["verdict"]) == (0.1, 0.02, "elo1")
    assert any("no 95 % interval" in sentence for sentence in result.sentences)


def test_an_undecided_test_says_so() -> None:
    result = compare(ALLFIVES, ["lowcount", "greedy"], deals=50, sprt=Sprt(0, 1))
    assert result.manifest["stopped_because"] == "all deals played"
    assert any("undecided, LLR" in sentence for sentence in result.sentences)


@pytest.mark.parametrize(
    ("metric", "width"), [("win_rate_difference", 0.12), ("margin_difference", 8.0), ("elo_difference", 40.0)]
)
def test_until_width_stops_at_the_first_checkpoint_that_is_narrow_enough(metric: str, width: float) -> None:
    result = compare(ALLFIVES, ["defend", "greedy"], deals=5000, until=UntilWidth(width, metric))
    deals = result.manifest["done"]
    row = row_of(result, metric, "pair=defend/greedy")
    assert row["high"] - row["low"] <= width
    looks = checkpoints(5000)
    assert 100 < deals < 5000
    before = compare(ALLFIVES, ["defend", "greedy"], deals=looks[looks.index(deals) - 1])
    earlier = row_of(before, metric, "pair=defend/greedy")
    assert earlier["high"] - earlier["low"] > width


def test_until_width_waits_for_every_pair() -> None:
    rule = UntilWidth(0.05)
    result = compare(SETS["three"], TRIO, deals=4000, per="round", until=rule)
    widths = [row["high"] - row["low"] for row in result.summary_rows if row["metric"] == rule.metric]
    assert len(widths) == 3
    assert max(widths) <= rule.width
    assert result.manifest["done"] < 4000


# --- words --------------------------------------------------------------------------------------


def test_verdicts_and_cycles_in_words() -> None:
    result = compare(ALLFIVES, ["random", "greedy", "lowcount"], deals=150)
    verdicts = result.manifest["verdicts"]
    assert verdicts["random/greedy"] == "greedy wins more often than random"
    assert result.manifest["non_transitive"] == []
    assert "No three policies beat each other in a circle." in result.sentences


def test_a_cycle_is_named() -> None:
    plan = comparison(ALLFIVES, TRIO, deals=100)
    totals = plan.work().none()
    totals.deals = 100
    for number, ahead in enumerate((1, -1, 1)):  # greedy > random > heavy > greedy
        totals.wins[number] = [1200 + 360 * ahead, 1200 - 360 * ahead]
        totals.pentanomial[number] = [10, 0, 50, 0, 40][::ahead]
        totals.products[number, number] = 50 * 24**2
        totals.game_squares[number] = 200 * 12**2
    totals.policy_squares[:] = 100 * 48**2
    report = plan.report(totals)
    (cycle,) = report.notes["non_transitive"]
    assert cycle == {"policies": ["greedy", "random", "heavy"], "certain": True}
    assert any(sentence.startswith("Not transitive: greedy beats random") for sentence in report.sentences)


@pytest.mark.parametrize("order", [("greedy", "random"), ("random", "greedy")])
def test_who_won_every_game_has_no_rating(order: tuple[str, str]) -> None:
    result = compare(ALLFIVES, order, deals=3, seed=2)
    difference = row_of(result, "win_rate_difference", f"pair={'/'.join(order)}")
    assert difference["estimate"] == (1 if order[0] == "greedy" else -1)
    assert difference["low"] < difference["high"]
    assert row_of(result, "elo_difference", f"pair={'/'.join(order)}")["estimate"] is None
    assert result.manifest["unrated"] == {"greedy": "it won every game", "random": "it lost every game"}
    assert [row["rating"] for row in result.table_rows["policies"]] == [None, None]


def test_no_ratings_without_two_sides() -> None:
    result = compare(SETS["three"], ["greedy", "random"], deals=20)
    assert [row["rating"] for row in result.table_rows["policies"]] == [None, None]
    assert result.manifest["unrated"] == dict.fromkeys(("greedy", "random"), "ratings are for two sides")
    assert row_of(result, "elo_difference", "pair=greedy/random")["estimate"] is None


# --- plans and totals on paper ------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", [{}, {"sprt": Sprt(-1, 4, 0.01)}, {"until": UntilWidth(2, "margin_difference")}]
)
@pytest.mark.parametrize("per", ["game", "round"])
def test_a_plan_is_rebuilt_from_its_settings(rule: dict[str, Any], per: str) -> None:
    plan = comparison(ALLFIVES, ["greedy", "heavy"], deals=7, per=per, seed=3, first_game=2, **rule)
    written = json.loads(json.dumps({"command": plan.command, **plan.settings()}))
    assert from_settings(written) == plan
    assert registry.plan_from(written) == plan
    assert isinstance(plan, Comparison)
    assert plan.settings()["per"] == per


@pytest.mark.parametrize("spoil", [{"deals": "3"}, {"wins": [[1]]}, {"products": [[0.5]]}, {"margins": None}])
def test_totals_of_another_form_are_refused(spoil: dict[str, Any]) -> None:
    data = DuelTotals.zero(2).as_dict() | spoil
    with pytest.raises(FivesError, match="start the run afresh"):
        DuelTotals.from_dict(data, 2)


def test_products_beyond_64_bits_are_exact() -> None:
    a = np.array([[2**40, -(2**40), 3]], np.int64)
    assert exact_product(a, a.T)[0, 0] == 2**81 + 9
    assert exact_product(a[:, 2:], a[:, 2:].T)[0, 0] == 9


# --- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--policy", "greedy"], "needs two policies"),
        (["--policy", "greedy", "--policy", "gredy"], "did you mean greedy"),
        (["--policy", "greedy", "--policy", "heavy", "--policy", "greedy"], "'greedy': name each once"),
        (["--policy", "greedy", "--policy", "heavy", "--per", "hand"], "choose from game, round"),
        (["--policy", "greedy", "--policy", "heavy", "--sprt", "0"], "two numbers of Elo"),
        (["--policy", "greedy", "--policy", "heavy", "--sprt", "5,0"], "elo0 must be the lower"),
        (["--policy", "greedy", "--policy", "heavy", "--sprt", "0,5", "--players", "3"], "for two sides"),
        (["--policy", "greedy", "--policy", "heavy", "--policy", "random", "--sprt", "0,5"], "compare two"),
        (["--policy", "greedy", "--policy", "heavy", "--alpha", "0.1"], "give --sprt"),
        (["--policy", "greedy", "--policy", "heavy", "--until-width", "0"], "above 0"),
        (["--policy", "greedy", "--policy", "heavy", "--metric", "elo_difference"], "give --until-width"),
        (["--policy", "greedy", "--policy", "heavy", "--until-width", "1", "--sprt", "0,5"], "choose one"),
        (["--policy", "greedy", "--policy", "heavy", "--control"], "leave it out"),
        (["--policy", "greedy", "--policy", "heavy", "--per", "round", "--target", "50"], "for games"),
        (["--policy", "greedy", "--policy", "heavy", "--deals", "0"], "at least 1"),
        (["--policy", "greedy", "--policy", "heavy", "--csv", "seats"], "unknown table"),
    ],
)
def test_mistakes_are_told_in_one_sentence(words: list[str], sentence: str) -> None:
    assert sentence in refusal("compare", "allfives", "--deals", 5, *words)


def test_elo_widths_need_two_sides() -> None:
    with pytest.raises(FivesError, match="for two sides"):
        compare(SETS["three"], ["greedy", "heavy"], deals=5, until=UntilWidth(9, "elo_difference"))


def test_games_need_a_target() -> None:
    with pytest.raises(FivesError, match="target"):
        compare(ALLFIVES.replace(target=None), ["greedy", "heavy"], deals=5)


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_what_the_library_finds() -> None:
    words = ("compare", "draw", "--policy", "greedy", "--policy", "heavy", "--deals", 60, "--per", "round")
    found = compare(rule_set("draw"), ["greedy", "heavy"], deals=60, per="round")
    printed = fives(*words, "--json").json
    assert printed["summary"] == found.summary_rows
    assert printed["tables"] == found.table_rows
    assert printed["manifest"]["per"] == "round"
    assert fives(*words, "--csv", "pairs").out.splitlines()[0] == "a,b,deals,n0,n1,n2,n3,n4"
    text = fives(*words).out
    assert "Each deal is one round, played in 2 seatings: 120 rounds in all." in text
    assert "not distinguishable: the interval holds 0" in text or "wins more often than" in text
