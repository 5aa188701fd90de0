"""Money: commissions to the cent, break-even, expected value and ruin; held to known truth."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.commission import Terms, money
from analyzer.commission_answer import Answer, Question
from analyzer.commission_ruin import needs_of
from analyzer.commission_table import load_table, own_table
from analyzer.errors import FivesError
from tests.shell import fives, refusal

OWN = own_table()


def percent_of(cents: Fraction) -> int:
    """Return the source's percentage of a stake in cents, read off its table."""
    for below, percent in ((1000, 11), (2000, 10), (5000, 9), (10000, 7)):
        if cents < below:
            return percent
    return 5


def test_every_commission_is_what_whole_numbers_give() -> None:
    for stake in [*range(1, 2500), *range(4990, 5010), *range(9990, 10010), 11000, 123457]:
        for price, points in ((0, 0), (25, 37), (3, 1)):
            amount = stake + Fraction(price * points, 2)
            cents = math.floor(amount * percent_of(amount) / 100 + Fraction(1, 2))
            purse = Terms(Decimal(stake) / 100, Decimal(price) / 100, OWN).purse(points)
            assert purse.commission * 100 == cents
            extra = price * points
            assert purse.winner_receives * 100 == 2 * stake + extra - 2 * cents
            even = Fraction(stake + extra, 2 * (stake + extra) - 2 * cents)
            assert purse.break_even == pytest.approx(float(even), abs=1e-15)


@pytest.mark.parametrize(
    ("words", "commission", "receives", "even"),
    [
        (("--stake", 10), "1.00", "18.00", 10 / 18),
        (("--stake", "9.90"), "1.09", "17.62", 9.9 / 17.62),
        (("--stake", 15, "--point-price", 1, "--points", 60), "4.05", "81.90", 75 / 141.9),
        (("--stake", 110), "5.50", "209.00", 110 / 209),
        (("--stake", 10, "--target", 250), "1.00", "18.00", 10 / 18),
    ],
)
def test_the_sources_examples(words: tuple[object, ...], commission: str, receives: str, even: float) -> None:
    answer = fives("commission", *words, "--json").json
    assert answer["commission"] == commission
    assert answer["winner_receives"] == receives
    assert answer["break_even"] == pytest.approx(even, abs=1e-12)
    assert bool(answer["notes"]) == ("110" in map(str, words))
    if answer["notes"]:
        assert "6.49" in answer["notes"][0]
        assert "207.02" in answer["notes"][0]


def test_the_tables_hold_every_bracket() -> None:
    tables = fives("commission", "--stake", 10, "--win-rate", 0.55, "--json").json["tables"]
    assert [(row["from"], row["to"], row["percent"]) for row in tables["brackets"]] == [
        (0, 10, 11), (10, 20, 10), (20, 50, 9), (50, 100, 7), (100, None, 5),
    ]  # fmt: skip
    for row in tables["brackets"]:
        assert row["break_even"] == pytest.approx(1 / (2 - row["percent"] / 50))
    assert len(tables["stakes"]) == 200
    for row in tables["stakes"]:
        gain = row["winner_receives"] - row["stake"]
        assert row["percent"] == percent_of(Fraction(row["stake"]) * 100)
        assert row["expected_per_game"] == pytest.approx(0.55 * gain - 0.45 * row["stake"], abs=1e-9)


# --- expected value ------------------------------------------------------------------------------


def test_expected_value_of_a_typed_win_rate() -> None:
    answer = fives("commission", "--stake", 20, "--edge", 0.1, "--games-per-hour", 6, "--json").json
    assert answer["win_rate"] == pytest.approx(0.6)
    assert answer["expected_per_game"] == pytest.approx(0.6 * (20 - 3.6) - 0.4 * 20)
    assert answer["expected_per_hour"] == pytest.approx(6 * answer["expected_per_game"])
    assert set(answer["intervals"]) == {"bankroll_for_5_percent"}
    at_par = fives("commission", "--stake", 20, "--win-rate", answer["break_even"], "--json").json
    assert at_par["expected_per_game"] == pytest.approx(0, abs=1e-12)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a comparison of two policies."""
    folder = tmp_path_factory.mktemp("runs") / "partout"
    words = ["compare", "partout5", "--policy", "greedy", "--policy", "random", "--deals", 300, "--quiet"]
    assert fives(*words, "--out", folder).code == 0
    return folder


def margins_of(folder: Path) -> dict[int, int]:
    rows = (folder / "margins.csv").read_text(encoding="utf-8").split()[1:]
    return {int(row.split(",")[2]): int(row.split(",")[3]) for row in rows}


def test_a_run_of_games_for_the_stake_alone(run: Path) -> None:
    margins = margins_of(run)
    answer = fives("commission", "--stake", 10, "--run", run, "--json").json
    won = sum(games for margin, games in margins.items() if margin > 0)
    assert sum(margins.values()) == 600
    assert answer["win_rate"] == pytest.approx(won / 600)
    assert answer["expected_per_game"] == pytest.approx((won * 8 - (600 - won) * 10) / 600)
    low, high = answer["intervals"]["expected_per_game"]
    rate_low, rate_high = answer["intervals"]["win_rate"]
    assert [low, high] == pytest.approx([18 * rate_low - 10, 18 * rate_high - 10])


def test_a_run_of_games_with_a_price_of_a_point(run: Path) -> None:
    margins = margins_of(run)
    answer = fives("commission", "--stake", 10, "--point-price", "0.50", "--run", run, "--json").json
    results: list[Fraction] = []
    commissions, losses, receipts = [], [], []
    for margin, games in margins.items():
        amount = 1000 + Fraction(50 * abs(margin), 2)
        cents = math.floor(amount * percent_of(amount) / 100 + Fraction(1, 2))
        loss = 1000 + 50 * abs(margin)
        results += [Fraction(loss - 2 * cents if margin > 0 else -loss, 100)] * games
        commissions += [cents] * games
        losses += [loss] * games
        receipts += [1000 + loss - 2 * cents] * games
    values = np.array(results, float)
    assert answer["expected_per_game"] == pytest.approx(values.mean())
    low, high = answer["intervals"]["expected_per_game"]
    assert high - low == pytest.approx(2 * 1.959964 * values.std(ddof=1) / math.sqrt(600), rel=2e-3)
    assert answer["commission"] == f"{round(sum(commissions) / 600) / 100:.2f}"
    assert answer["winner_receives"] == f"{round(sum(receipts) / 600) / 100:.2f}"
    expected = sum(losses) / (2 * sum(losses) - 2 * sum(commissions))
    assert answer["break_even"] == pytest.approx(expected)


def test_points_may_be_fixed_for_a_run(run: Path) -> None:
    words = ["commission", "--stake", 15, "--point-price", 1, "--points", 60, "--run", run]
    answer = fives(*words, "--json").json
    rate = answer["win_rate"]
    assert answer["commission"] == "4.05"
    assert answer["expected_per_game"] == pytest.approx(rate * 66.9 - (1 - rate) * 75)
    printed = fives(*words, "--bankroll", 500)
    assert "greedy against random" in printed.out
    assert "risk_of_ruin" in printed.out


# --- ruin ----------------------------------------------------------------------------------------


def exact_ruin(p: float, gain: int, loss: int, bankroll: int, games: int, stake: int) -> float:
    """Return the chance that money falls below a stake before one of the games, by dynamic programming."""
    alive, ruined = {bankroll: 1.0}, 0.0
    for _ in range(games):
        after: dict[int, float] = {}
        for held, chance in alive.items():
            if held < stake:
                ruined += chance
                continue
            for result, share in ((gain, p), (-loss, 1 - p)):
                after[held + result] = after.get(held + result, 0.0) + chance * share
        alive = after
    return ruined


def test_ruin_is_what_dynamic_programming_says() -> None:
    results = {Decimal(8): 0.6, Decimal(-10): 0.4}
    needs = needs_of(results, Decimal(10), games=60, paths=20_000, seed=3)
    for bankroll in (10, 14, 40, 75, 120):
        exact = exact_ruin(0.6, 8, 10, bankroll, 60, 10)
        found = needs.ruin(Decimal(bankroll), 0.95)
        assert found.estimate is not None
        assert abs(found.estimate - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)
    value, low, high = needs.bankroll(0.999)
    assert low <= value <= high
    assert exact_ruin(0.6, 8, 10, int(low) - 1, 60, 10) > 0.05
    assert exact_ruin(0.6, 8, 10, int(high), 60, 10) < 0.055
    assert needs_of(results, Decimal(10), games=60, paths=50, seed=3).cents.tolist() == (
        needs_of(results, Decimal(10), games=60, paths=50, seed=3).cents.tolist()
    )


def test_who_always_wins_needs_one_stake() -> None:
    answer = fives("commission", "--stake", 12, "--win-rate", 1, "--bankroll", 12, "--json").json
    assert answer["bankroll_for_5_percent"] == "12.00"
    assert answer["risk_of_ruin"] == 0


# --- tables of users -----------------------------------------------------------------------------


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def bracket(low: object, high: object, percent: object) -> str:
    end = "" if high is None else f"to = {high}\n"
    return f"[[bracket]]\nfrom = {low}\n{end}percent = {percent}\n"


def test_a_users_table_takes_the_place_of_the_sources(tmp_path: Path) -> None:
    path = table(tmp_path, bracket("20.5", None, "2.5") + bracket(0, "20.5", 4))
    for stake, commission in (("20.49", "0.82"), ("20.50", "0.51"), ("110", "2.75")):
        answer = fives("commission", "--stake", stake, "--table", path, "--json").json
        assert answer["commission"] == commission
        assert answer["notes"] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (bracket(0, 10, 5) + bracket(11, None, 4), "leave a gap from 10 to 11"),
        (bracket(0, 10, 5) + bracket(9, None, 4), "overlap"),
        (bracket(0, None, 5) + bracket(9, None, 4), "overlap"),
        (bracket(1, None, 5), "leave a gap below 1"),
        (bracket(0, 10, 5), "end at 10"),
        (bracket(0, 0, 5), "is empty"),
        (bracket(0, None, 50), "less than 50"),
        (bracket(0, None, -1), "must be from 0 to"),
        (bracket(0, None, '"5"'), "must be a number"),
        (bracket(0, None, "nan"), "must be a number"),
        (bracket(0, None, "true"), "must be a number"),
        ("[[bracket]]\nfrom = 0\n", "does not have from, percent"),
        ("bracket = 3\n", "has no brackets"),
        ("", "has no brackets"),
        ("stakes = 1\n" + bracket(0, None, 5), "is no key"),
        ("targets = [0]\n" + bracket(0, None, 5), "targets is"),
        ("from =", "is no TOML file"),
        (bracket(0, None, "9" * 5000), "a number in it is out of all bounds"),
        (bracket(0, None, "1e9999999999999999999"), "a number in it is out of all bounds"),
        (bracket(0, None, "1e999999"), "it must be from 0 to"),
        (bracket(0, "1e999999", 5), "it must be from 0 to"),
        (bracket(0, None, "1e-999999"), "at most 12 decimals"),
        ("targets = [true]\n" + bracket(0, None, 5), "targets is"),
    ],
)
def test_a_table_that_is_not_whole_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = table(tmp_path, text)
    with pytest.raises(FivesError, match=told):
        load_table(path)
    assert told in refusal("commission", "--stake", 10, "--table", path)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = table(tmp_path, "\ufeff" + bracket(0, None, 4))
    assert load_table(path).brackets[0].percent == 4


# --- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--stake", 0), "more than 0"),
        (("--stake", "-5"), "give an amount"),
        (("--stake", "1.005"), "at most two decimals"),
        (("--stake", "nan"), "give an amount"),
        (("--stake", "2000000000"), "at most 1,000,000,000"),
        (("--stake", "9" * 5000), "at most 1,000,000,000"),
        (("--stake", 10, "--target", 305), "is for 100, 250, 500"),
        (("--stake", 10, "--point-price", 1), "needs the points"),
        (("--stake", 10, "--points", 60), "points need their price"),
        (("--stake", 10, "--point-price", 1, "--points", 0), "from 1 to"),
        (("--stake", 10, "--edge", 0.6), "--edge from -0.5 to 0.5"),
        (("--stake", 10, "--win-rate", "nan"), "--win-rate from 0 to 1"),
        (("--stake", 10, "--win-rate", 0.5, "--edge", 0.1), "both given"),
        (("--stake", 10, "--run", "nowhere-at-all"), "nowhere-at-all"),
        (("--stake", 10, "--table", "nowhere.toml"), "cannot read nowhere.toml"),
        (("--stake", 10, "--games-per-hour", 0), "more than 0"),
        (("--stake", 10, "--horizon", 0), "at least 1"),
        (("--stake", 10, "--paths", 10**7, "--horizon", 10**4), "ask for fewer"),
        (("--stake", 10, "--csv", "edges"), "unknown table"),
        (("--stake", 10, "--csv", "stakes", "--json"), "choose one"),
    ],
)
def test_mistakes_are_told_in_one_sentence(words: tuple[object, ...], told: str) -> None:
    sentence = refusal("commission", *words)
    assert told in sentence
    assert len(sentence) < 200


def test_ruin_is_not_counted_past_what_fits() -> None:
    largest = ("--stake", 10**9, "--point-price", 10**9, "--points", 10**6)
    assert "shorter --horizon" in refusal("commission", *largest, "--win-rate", 0.4)
    for horizon in (2, 8):  # who always loses S + D P needs a stake more than all games but the last cost
        words = (*largest, "--win-rate", 0, "--paths", 5, "--horizon", horizon)
        answer = fives("commission", *words, "--json").json
        needed = 10**9 + (horizon - 1) * (10**9 + 10**15)
        assert answer["bankroll_for_5_percent"] == f"{needed}.00"


def test_a_run_that_nobody_won_has_no_points_between_the_two(tmp_path: Path) -> None:
    rules = tmp_path / "one.toml"
    rules.write_text('base = "draw"\nround_guard = 1\ntarget = 500\n', encoding="utf-8")
    policies = ("--policy", "greedy", "--policy", "random")
    assert fives("compare", rules, *policies, "--deals", 20, "--out", tmp_path / "run").code == 0
    words = ("--stake", 10, "--run", tmp_path / "run")
    assert "neither gains nor loses" not in fives("commission", *words).out  # its interval holds 0
    assert "nobody won a game" in refusal("commission", *words, "--point-price", 1)
    assert fives("commission", *words, "--point-price", 1, "--points", 10).code == 0


def test_a_win_rate_that_breaks_even_is_told_so() -> None:
    free = fives("commission", "--stake", "0.01", "--win-rate", 0.5).out
    assert "This win rate neither gains nor loses on average." in free


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("compare", "exact61", "--policy", "greedy", "--policy", "random", "--per", "round"),
            "single rounds",
        ),
        (
            ("compare", "exact61", *("--policy", "greedy"), *("--policy", "random"), "--policy", "heavy"),
            "no match of two",
        ),
        (("simulate", "exact61"), "a run of simulate"),
    ],
)
def test_runs_that_are_no_match_are_refused(tmp_path: Path, words: tuple[Any, ...], told: str) -> None:
    count = ("--games", 3) if words[0] == "simulate" else ("--deals", 3)
    assert fives(*words, *count, "--quiet", "--out", tmp_path / "run").code == 0
    assert told in refusal("commission", "--stake", 10, "--run", tmp_path / "run")


def test_a_runs_target_stands(run: Path) -> None:
    assert "go to 100" in refusal("commission", "--stake", 10, "--run", run, "--target", 250)
    assert fives("commission", "--stake", 10, "--run", run, "--target", 100).code == 0


def test_csv_prints_one_table() -> None:
    assert fives("commission", "--stake", 10, "--csv").out.startswith("quantity,value,low,high,unit\n")
    assert fives("commission", "--stake", 10, "--csv", "stakes").out.count("\n") == 201


def test_the_library_answers_too() -> None:
    terms = Terms(money("stake", "10"), Decimal(0), OWN)
    assert Answer(Question(terms=terms)).expected is None
    assert Answer(Question(terms=terms)).break_even == pytest.approx(5 / 9)
