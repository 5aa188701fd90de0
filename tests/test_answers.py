"""The sentences that a page opens with, on constructed data on both sides of each claim."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import pandas
import pytest

from reports.answers.compare import compare_answer
from reports.answers.openings import openings_answer
from reports.answers.race import opening_worths, race_answer
from reports.answers.simulate import simulate_answer
from reports.answers.stakes import stakes_answer
from reports.answers.sweep import sweep_answer
from reports.answers.telling import digits_of
from reports.answers.tune import tune_answer
from reports.languages import LANGUAGES
from reports.material import Material
from reports.methods import simulate_method
from reports.words import Words

MINUS = "\N{MINUS SIGN}"
Row = tuple[str, str, float | None, float | None, float | None]
Answer = Callable[[Material, Words], list[str]]


def material(
    rows: Sequence[Row],
    *,
    command: str = "simulate",
    target: int | None = 305,
    kind: str = "exact",
    policies: Sequence[str] = ("greedy", "greedy"),
    unit: str = "games",
    tables: Mapping[str, Any] | None = None,
    facts: Mapping[str, Any] | None = None,
    **columns: Sequence[Any],
) -> Material:
    """Return the material of a run with two sides and these summary rows."""
    summary = pandas.DataFrame(rows, columns=["metric", "scope", "estimate", "low", "high"])
    summary["n"] = 1000
    for name, values in columns.items():
        summary[name] = values
    rules = {
        "name": "exact61",
        "sides": [0, 1],
        "target": target,
        "target_kind": kind,
        "score_multiple": 5,
        "second_multiple": 0,
    }
    return Material(
        command,
        rules,
        "exact61, 2 players",
        tuple(policies),
        unit,
        1000,
        1,
        0.95,
        summary,
        tables or {},
        facts or {},
    )


def answer(of: Answer, *args: Any, **options: Any) -> str:
    return " ".join(of(material(*args, **options), Words()))


# --- simulate -----------------------------------------------------------------------------------


def opening(estimate: float, low: float, high: float) -> list[Row]:
    rate: Row = ("opener_win_rate", "all", estimate, low, high)
    return [rate, ("opener_advantage", "all", estimate - 0.5, low - 0.5, high - 0.5)]


@pytest.mark.parametrize(
    ("numbers", "claim"),
    [
        ((0.60, 0.58, 0.62), "Opening a round helps: the opener's side wins 60.0% (58.0% to 62.0%)"),
        ((0.40, 0.38, 0.42), "Opening a round hurts: the opener's side wins 40.0% (38.0% to 42.0%)"),
        ((0.51, 0.49, 0.53), "Whether opening a round helps cannot be told"),
        ((0.49, 0.47, 0.51), "Whether opening a round helps cannot be told"),
    ],
)
def test_who_profits_from_opening(numbers: tuple[float, float, float], claim: str) -> None:
    told = answer(simulate_answer, opening(*numbers))
    assert claim in told
    assert "50%" in told


@pytest.mark.parametrize(
    ("numbers", "claim"),
    [
        (
            (0.04, 0.02, 0.06),
            "keeps an advantage: it wins 54.0% (52.0% to 56.0%), 4.0 percentage points above",
        ),
        ((-0.04, -0.06, -0.02), "is worse off: it wins 46.0% (44.0% to 48.0%), 4.0 percentage points below"),
        ((0.0, -0.02, 0.02), "no advantage of the side that opens first can be told"),
    ],
)
def test_who_profits_over_a_game(numbers: tuple[float, float, float], claim: str) -> None:
    rate: Row = ("first_mover_win_rate", "all", *(0.5 + number for number in numbers))
    assert claim in answer(simulate_answer, [rate, ("first_mover_advantage", "all", *numbers)])


@pytest.mark.parametrize(
    ("numbers", "claim"),
    [
        (
            (0.02, 0.018, 0.022),
            "A round blocks in 2.00% (1.80% to 2.20%) of those that are played out, about one in 50.",
        ),
        ((0.70, 0.69, 0.71), "Most rounds block: 70.0% (69.0% to 71.0%)"),
        (
            (0.0, 0.0, 0.0038),
            "None of the 1,000 rounds that were played out is blocked; a rate of up to 0.38%",
        ),
    ],
)
def test_how_often_a_round_blocks(numbers: tuple[float, float, float], claim: str) -> None:
    assert claim in answer(simulate_answer, [("blocked_rate", "all", *numbers)])


def test_how_often_the_exact_target_refuses() -> None:
    games: Row = ("overshoot_game_rate", "all", 0.5, 0.47, 0.53)
    some = answer(simulate_answer, [("overshoot_rate", "all", 0.02, 0.01, 0.03), games])
    assert (
        "The exact target refuses 2.0% (1.0% to 3.0%) of all gains; 50.0% (47.0% to 53.0%) of the games"
        in some
    )
    none = answer(simulate_answer, [("overshoot_rate", "all", 0.0, 0.0, 0.004), games])
    assert "refused none of the 1,000 gains" in none


def test_the_target_that_is_reached_has_an_excess_instead() -> None:
    rows: list[Row] = [("excess_rate", "all", 0.5, 0.45, 0.55), ("excess_points", "all", 4.5, 4.0, 5.0)]
    told = answer(simulate_answer, rows, kind="reach")
    assert "The winner ends above the target in 50% (45% to 55%)" in told.replace(".0%", "%")
    assert "exact target" not in told


@pytest.mark.parametrize(
    ("low", "claim"),
    [(0.51, "In these seats careful does better than an even share"), (0.49, "No policy does better")],
)
def test_which_policy_wins(low: float, claim: str) -> None:
    rows: list[Row] = [
        ("win_rate", "policy=careful", 0.53, low, 0.55),
        ("win_rate", "policy=greedy", 0.47, 0.45, 1 - low),
    ]
    assert claim in answer(simulate_answer, rows, policies=("careful", "greedy"))
    assert "share" not in answer(simulate_answer, rows, policies=("careful", "careful"))


def test_what_a_run_lacks_is_left_out() -> None:
    nothing: list[Row] = [
        ("blocked_rate", "all", None, None, None),
        ("plays_per_round", "all", 12.0, 11.0, 13.0),
    ]
    assert simulate_answer(material(nothing), Words()) == []


# --- compare ------------------------------------------------------------------------------------


def pair(estimate: float, low: float, high: float, likely: float = 0.99) -> dict[str, Any]:
    return {
        "rows": [
            ("win_rate_difference", "pair=a/b", estimate, low, high),
            ("margin_difference", "pair=a/b", 10 * estimate, 10 * low, 10 * high),
            ("likelihood_of_superiority", "pair=a/b", likely, None, None),
            ("win_rate", "policy=a", 0.5 + estimate / 2, 0.4, 0.6),
            ("win_rate", "policy=b", 0.5 - estimate / 2, 0.4, 0.6),
        ],
        "command": "compare",
        "unit": "deals",
        "policies": ("a", "b"),
        "games_saved": [2.5, 1.0, None, None, None],
    }


@pytest.mark.parametrize(
    ("numbers", "claims"),
    [
        (
            (0.10, 0.06, 0.14, 0.99),
            ["a is better than b: it wins 55.0% against 45.0%", "a is the better one is 99.00%"],
        ),
        (
            (-0.10, -0.14, -0.06, 0.01),
            ["b is better than a: it wins 55.0% against 45.0%", "b is the better one is 99.00%"],
        ),
        (
            (0.01, -0.03, 0.05, 0.7),
            ["Which of a and b is better cannot be told", "In points no difference can be told"],
        ),
        ((0.30, 0.28, 0.32, 1.0), ["The likelihood that a is the better one is above 99.99%"]),
    ],
)
def test_which_of_two_is_better(numbers: tuple[float, ...], claims: list[str]) -> None:
    told = answer(compare_answer, **pair(*numbers))
    for claim in [*claims, "2.5 times as many"]:
        assert claim in told


def test_a_sequential_test_has_the_word() -> None:
    test = {"elo0": 0.0, "elo1": 10.0, "verdict": "elo1"}
    told = answer(compare_answer, **pair(0.1, 0.06, 0.14), facts={"test": test})
    assert "a test chose when to stop" in told
    assert "accepts a difference of 10.0 Elo over one of 0.0" in told
    assert "better" not in told
    undecided = answer(compare_answer, **pair(0.1, 0.06, 0.14), facts={"test": {**test, "verdict": "go on"}})
    assert "is not decided" in undecided


def test_one_deal_claims_nothing() -> None:
    nothing = float("nan")
    rows: list[Row] = [
        ("win_rate_difference", "pair=a/b", 1.0, nothing, nothing),
        ("margin_difference", "pair=a/b", 25.0, nothing, nothing),
    ]
    told = answer(compare_answer, rows, command="compare", unit="deals")
    assert "Which of a and b is better cannot be told" in told
    assert "In points no difference can be told: a less b makes +25.0 (no interval) raw points" in told


def test_a_policy_against_itself() -> None:
    rows: list[Row] = [("win_rate_difference", "pair=a/a", 0.0, 0.0, 0.0)]
    assert answer(compare_answer, rows, unit="deals") == "a was compared with itself: there is no difference."


def three(ab: tuple[float, float, float], circles: list[dict[str, Any]] | None = None) -> str:
    rows: list[Row] = [
        ("win_rate_difference", "pair=a/b", *ab),
        ("win_rate_difference", "pair=a/c", 0.3, 0.2, 0.4),
        ("win_rate_difference", "pair=b/c", 0.2, 0.1, 0.3),
        *(
            (("win_rate", f"policy={name}", rate, rate - 0.01, rate + 0.01))
            for name, rate in zip("abc", (0.6, 0.5, 0.4), strict=True)
        ),
    ]
    facts = {"non_transitive": circles or []}
    return answer(compare_answer, rows, command="compare", unit="deals", facts=facts)


def test_the_best_of_three() -> None:
    told = three((0.1, 0.05, 0.15))
    assert "a is the best: it wins more often than each of the others." in told
    assert "All 3 pairs are told apart" in told
    assert "No three of them beat each other in a circle." in told
    hedged = three((0.1, -0.05, 0.25))
    assert "a wins most; of these it can be told that they win less often: c." in hedged
    assert "2 of 3 pairs are told apart by their intervals; these are not: a/b." in hedged


def test_circles_are_named() -> None:
    circle = {"policies": ["a", "b", "c"], "certain": False}
    assert "One circle: a beats b, b beats c and c beats a; circles that the intervals confirm: 0." in three(
        (0.1, 0.0, 0.2), [circle]
    )
    assert "2 circles, such as:" in three((0.1, 0.0, 0.2), [circle, {**circle, "certain": True}])


# --- sweep --------------------------------------------------------------------------------------


def cells(
    differences: Sequence[tuple[float, float]], metric: str = "blocked_rate", **columns: Any
) -> dict[str, Any]:
    """Return a sweep over `hand` whose cells differ from the base by these intervals."""
    middle = [(low + high) / 2 for low, high in differences]
    table = pandas.DataFrame(
        {
            "hand": [5, *range(6, 6 + len(differences))],
            **columns,
            "n": 1000,
            "estimate": [0.2, *(0.2 + change for change in middle)],
            "low": [0.18, *(0.18 + change for change in middle)],
            "high": [0.22, *(0.22 + change for change in middle)],
            "difference": [0.0, *middle],
            "difference_low": [0.0, *(low for low, _ in differences)],
            "difference_high": [0.0, *(high for _, high in differences)],
            "paired": True,
            "base": [True, *(False for _ in differences)],
        }
    )
    return {"rows": [], "command": "sweep", "tables": {"cells": table}, "facts": {"metric": metric}}


def test_what_moves_the_metric() -> None:
    told = answer(sweep_answer, **cells([(-0.01, 0.02), (0.05, 0.09)]))
    assert "Blocked rounds: 20.0% (18.0% to 22.0%) in the base cell (hand 5)." in told
    assert "1 of the 2 other cells differ from the base cell by more than chance would explain" in told
    assert "hand 7: +7.0 (+5.0 to +9.0) percentage points" in told
    assert "Every other cell differs" in answer(sweep_answer, **cells([(0.01, 0.02), (0.05, 0.09)]))
    assert "No cell can be told from the base cell: all 2 intervals" in answer(
        sweep_answer, **cells([(-0.1, 0.1)] * 2)
    )


def test_one_cell_of_many_is_not_told_from_the_base_by_luck() -> None:
    lucky = [(0.001, 0.06), *[(-0.03, 0.03)] * 29]
    told = answer(sweep_answer, **cells(lucky))
    assert "Blocked rounds: no cell can be told from the base, hand 5." in told
    assert "all 30 intervals" not in told
    assert "1 of the 30 other cells" in answer(sweep_answer, **cells([(0.02, 0.06), *lucky[1:]]))


def test_metrics_in_other_units() -> None:
    told = answer(sweep_answer, **cells([(0.05, 0.09)], metric="plays_per_round"))
    assert "percent" not in told
    assert "+0.070 (+0.050 to +0.090)" in told


def test_two_fields_are_told_by_how_far_they_move() -> None:
    both = cells([(0.0, 0.0), (0.1, 0.1), (0.1, 0.1)])
    both["tables"]["cells"]["hand"] = [5, 5, 7, 7]
    both["tables"]["cells"].insert(1, "spinner", ["none", "all", "none", "all"])
    assert "move by: hand 10.0 percentage points and spinner 0.0 percentage points." in answer(
        sweep_answer, **both
    )


def test_a_sweep_without_values() -> None:
    empty = cells([(0.0, 0.0)])
    empty["tables"]["cells"]["estimate"] = None
    assert answer(sweep_answer, **empty) == "No cell of the grid has a value of the metric."


# --- openings -----------------------------------------------------------------------------------


def leads(gap: float, reach: float) -> dict[str, Any]:
    others = [(f"{tile}-0", -0.05, 0.01) for tile in range(1, 7)]
    rows = [("6-6", gap, reach), *others]
    table = pandas.DataFrame(
        {
            "tile": [tile for tile, _, _ in rows],
            "n": 500,
            **{
                f"{stem}{end}": [gap + sign * reach for _, gap, reach in rows]
                for stem in ("gap", "margin_gap")
                for end, sign in (("", 0), ("_low", -1), ("_high", 1))
            },
        }
    )
    return {
        "rows": opening(0.6, 0.58, 0.62),
        "command": "openings",
        "unit": "rounds",
        "tables": {"leads": table},
    }


def test_the_best_lead_allows_for_all_tiles() -> None:
    normal = NormalDist()
    wider = normal.inv_cdf(1 - 0.05 / 14) / normal.inv_cdf(0.975)
    sure = answer(openings_answer, **leads(0.05 * wider + 0.001, 0.05))
    assert "By rounds won the best lead is 6-6" in sure
    assert "By points the best lead is 6-6" in sure
    # its own interval excludes 0, but not the one that allows for having picked the best of seven
    unsure = answer(openings_answer, **leads(0.05 * wider - 0.001, 0.05))
    assert "By rounds won no lead is surely better than the policy's own" in unsure
    assert "By points no lead is surely better" in unsure
    assert "6 win surely fewer rounds" in unsure


# --- all ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "digits"), [(0, 1), (50, 1), (5, 1), (0.5, 2), (0.05, 3), (1e-9, 3)])
def test_an_interval_is_shown_with_its_first_two_digits(width: float, digits: int) -> None:
    assert digits_of(width) == digits


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_in_every_language_hold_the_same_numbers(language: str) -> None:
    told = " ".join(simulate_answer(material(opening(0.6, 0.58, 0.62)), Words(language)))
    for number in ("60", "58", "62", "50"):
        assert number in told
    assert "{" not in told


def test_plays_that_score_nothing_and_divided_points_are_told() -> None:
    means = [("plays_per_round", 18.6), ("points_per_round", 0.0), ("settlement_per_round", 14.2)]
    rows: list[Row] = [(metric, "all", value, value, value) for metric, value in means]
    plain = material(rows)
    silent = dataclasses.replace(plain, rules={**plain.rules, "score_multiple": 0})
    assert "18.6 plays on average, which earn 0.0 raw points" in simulate_answer(plain, Words())[-1]
    assert (
        "18.6 plays on average, which score nothing; its settlement is worth 14.2"
        in (simulate_answer(silent, Words())[-1])
    )
    divided = dataclasses.replace(plain, rules={**plain.rules, "points": "divided"})
    assert not any("divided" in told for told in simulate_method(plain, Words()))
    assert sum("Points are divided here" in told for told in simulate_method(divided, Words())) == 1


# --- race ---------------------------------------------------------------------------------------


def race(
    opens: tuple[float, float, float] = (0.6, 0.58, 0.62),
    stand: tuple[float, float, float] = (0.01, 0.005, 0.015),
    lowest: int = 0,
    **options: Any,
) -> str:
    """Return the answer of a race of ten scores from `lowest`, where opening is worth 0.2."""
    turned = (1 - opens[0], 1 - opens[2], 1 - opens[1])
    rows: list[Row] = [
        ("win_rate", "own=0 other=0 opener=own", *opens),
        ("win_rate", "own=0 other=0 opener=other", *turned),
        ("win_rate", "own=0 other=0 opener=lot", 0.5, 0.5, 0.5),
        ("stand_difference", "own=8 less 9", *stand),
    ]
    scores = [
        {"own": own, "other": other, "opener": opener, "win_rate": rate, "std_error": 0.01}
        for own in range(lowest, 10)
        for other in range(lowest, 10)
        for opener, rate in (("own", 0.6), ("other", 0.4))
    ]
    stands = [
        {
            "stand": 8,
            "instead": 9,
            "other": other,
            "opener": "own",
            "difference": 0.0,
            "low": low,
            "high": high,
        }
        for other, (low, high) in enumerate([(0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), (0.1, 0.3)])
    ]
    tables = {"scores": pandas.DataFrame(scores), "stands": pandas.DataFrame(stands)}
    return answer(race_answer, rows, command="race", unit="rounds", tables=tables, **options)


@pytest.mark.parametrize(
    ("opens", "claim"),
    [
        ((0.60, 0.58, 0.62), "the side that opens the next round has the better chance: it wins 60.0%"),
        ((0.40, 0.38, 0.42), "the side that opens the next round has the worse chance: it wins 40.0%"),
        ((0.51, 0.49, 0.53), "whether opening the next round helps cannot be told"),
    ],
)
def test_what_opening_is_worth_in_a_race(opens: tuple[float, float, float], claim: str) -> None:
    told = race(opens)
    assert claim in told
    assert "+20.0 (+16.1 to +23.9) at 0 each" in told
    assert "at 5 each and" in told


def test_two_policies_in_a_race_are_named() -> None:
    told = race(policies=("greedy", "random"))
    assert "greedy wins against random 60.0% (58.0% to 62.0%) of the games where it opens" in told
    assert "40.0% (38.0% to 42.0%) where random does, and 50.0% (50.0% to 50.0%) by lot" in told


@pytest.mark.parametrize(
    ("stand", "claim"),
    [
        ((0.01, 0.005, 0.015), "It is better to stand at 8 than at 9: +1.00 (+0.50 to +1.50) percentage"),
        ((-0.01, -0.015, -0.005), "It is worse to stand at 8 than at 9"),
        ((0.001, -0.004, 0.006), "Whether it is better to stand at 8 or at 9 cannot be told"),
    ],
)
def test_where_to_stand(stand: tuple[float, float, float], claim: str) -> None:
    told = race(stand=stand)
    assert claim in told
    assert "of these 4 cases 8 is better in 2 and 9 in 1, each by its own interval" in told


def test_scores_that_are_held() -> None:
    assert "held" not in race(facts={"held_per_game": 0.0})
    assert f"Scores below {MINUS}3 are held there; that happens less than once in a million games" in race(
        lowest=-3, facts={"held_per_game": 1e-9}
    )
    assert "held there, 0.002000 times a game" in race(lowest=-3, facts={"held_per_game": 0.002})


def test_the_worth_of_opening_between_equal_policies_is_exact() -> None:
    """The other side's chance is the complement, so the error of the difference is twice that of one."""
    rows = [
        {"own": 1, "other": 1, "opener": opener, "win_rate": rate, "std_error": 0.02}
        for opener, rate in (("own", 0.55), ("other", 0.45))
    ]
    worth = opening_worths(material([], tables={"scores": pandas.DataFrame(rows)}))[1]
    reach = NormalDist().inv_cdf(0.975) * 2 * 0.02
    assert (worth.low, worth.high) == pytest.approx((0.1 - reach, 0.1 + reach))


# --- stakes -------------------------------------------------------------------------------------


def stakes(**changes: Any) -> str:
    found = {
        "names": ["mine", "yours"],
        "stake": 20.0,
        "price": 0.0,
        "percent": 9.0,
        "commission": 1.8,
        "winner_receives": 36.4,
        "break_even": 0.5495,
        "win_rate": [0.58, 0.57, 0.59],
        "expected": [1.11, 0.75, 1.48],
        "bankroll": None,
        "risk": None,
        "needed": 500.0,
        "games": 1000,
        "paths": 10000,
        "is_own_table": True,
    }
    return answer(stakes_answer, [], command="compare", facts={"stakes": {**found, **changes}})


@pytest.mark.parametrize(
    ("rate", "claim"),
    [
        ([0.58, 0.57, 0.59], "mine more than covers it against yours: it wins 58.0% (57.0% to 59.0%)"),
        ([0.52, 0.51, 0.53], "mine does not cover it against yours"),
        ([0.55, 0.54, 0.56], "Whether mine covers it against yours cannot be told"),
    ],
)
def test_whether_an_edge_covers_the_commission(rate: list[float], claim: str) -> None:
    assert claim in stakes(win_rate=rate)


@pytest.mark.parametrize(
    ("value", "claim"),
    [
        ([1.11, 0.75, 1.48], "A game gains +1.11 (+0.75 to +1.48) on the mean"),
        ([-1.11, -1.48, -0.75], f"A game loses on the mean: {MINUS}1.11 ({MINUS}1.48 to {MINUS}0.75)"),
        ([0.11, -0.25, 0.48], "A game may gain or lose: +0.11"),
    ],
)
def test_what_a_game_for_stakes_brings(value: list[float], claim: str) -> None:
    assert claim in stakes(expected=value)


def test_a_price_of_a_point_a_bankroll_and_another_table_are_told() -> None:
    plain = stakes()
    assert "pays a commission of 1.80 (9%), and the winner receives 36.40" in plain
    assert "names commissions of 6.49 and 207.02 for the winner, which is 5.9%" in plain
    told = stakes(price=0.5, percent=None, bankroll=300.0, risk=[0.2, 0.19, 0.21], is_own_table=False)
    assert "0.50 for each raw point between the two" in told
    assert "With 300.00 at hand the risk of not being able to stake 1,000 games in a row is 20.0%" in told
    assert "contradicts" not in told


def test_one_deal_for_stakes_claims_nothing() -> None:
    told = stakes(win_rate=[1.0, None, None], expected=[16.4, None, None])
    assert "cover" not in told
    assert "A game" not in told


# --- tune ---------------------------------------------------------------------------------------


def tuning(gap: tuple[float, float | None, float | None], last: float = 0.7, generations: int = 3) -> str:
    rate = [None if bound is None else (1 + bound) / 2 for bound in gap]
    rows: list[Row] = [
        ("win_rate_difference", "pair=mine/greedy", *gap),
        ("win_rate", "policy=mine", *rate),
        ("margin_difference", "pair=mine/greedy", 3.0, -1.0, 7.0),
    ]
    means = [0.4, 0.5, last][:generations]
    course = pandas.DataFrame({"generation": range(len(means)), "mean": means})
    course["mean_low"], course["mean_high"] = course["mean"] - 0.05, course["mean"] + 0.05
    weights = pandas.DataFrame({"feature": ["wins", "live", "pips"], "counts": [0.8, -0.6, 0.0]})
    return answer(
        tune_answer,
        rows,
        command="tune",
        unit="deals",
        policies=("mine", "greedy"),
        tables={"weights": weights, "generations": course},
        facts={"generations": generations},
    )


@pytest.mark.parametrize(
    ("gap", "claim"),
    [
        ((0.2, 0.18, 0.22), "mine is better than greedy: on 1,000 deals that the search never saw"),
        ((-0.2, -0.22, -0.18), "mine is worse than greedy"),
        ((0.01, -0.01, 0.03), "whether it is better cannot be told"),
        ((1.0, None, None), "On one fresh deal mine and greedy cannot be told apart"),
    ],
)
def test_what_a_tuned_policy_is_worth(gap: tuple[float, float | None, float | None], claim: str) -> None:
    assert claim in tuning(gap)


def test_what_weighs_and_how_the_search_went() -> None:
    told = tuning((0.2, 0.18, 0.22))
    assert "Of the 3 features that may weigh, these count most" in told
    assert told.count("wins and live") == 1
    assert "the mean candidate went from 40.0% to 70.0% of the wins" in told
    assert "In points no difference can be told" in told
    assert "no progress of the mean candidate can be told" in tuning((0.2, 0.18, 0.22), last=0.45)
    assert "The one generation won 40.0%" in tuning((0.2, 0.18, 0.22), generations=1)
