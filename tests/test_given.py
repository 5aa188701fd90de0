"""Fixed deals and conditions: the kernels against a plain twin, exact chances, and every mistake told."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from analyzer import conditions
from analyzer.compare import compare
from analyzer.dealing import acceptance
from analyzer.errors import FivesError
from analyzer.given import MAX_STEPS, Given, from_dict, given
from analyzer.notation import format_tile, tile_set
from analyzer.referee.replay import check_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.simulate import simulate, simulation
from analyzer.traces import traces
from kernels.state import MAX_CODE
from tests.plain.given_deals import Deal, dealt
from tests.shell import fives, refusal

ALLFIVES = rule_set("allfives")


def first_rounds(rules: RuleSet, start: Given | None, count: int, **more: Any) -> list[dict[str, Any]]:
    return [trace["rounds"][0] for trace in traces(rules, ["greedy"], count=count, given=start, **more)]


# --- what is fixed lies where it is told --------------------------------------------------------


def test_hands_boneyard_opener_and_scores() -> None:
    start = given(ALLFIVES, hands={0: "6-6 6-5", 1: "0-0"}, boneyard="1-1 2-2", opener=1, scores=[100, 245])
    for trace in traces(ALLFIVES, ["greedy"], count=20, given=start):
        round_ = trace["rounds"][0]
        assert round_["hands"][0][:2] == ["6-6", "6-5"]
        assert round_["hands"][1][0] == "0-0"
        assert round_["boneyard"][:2] == ["1-1", "2-2"]
        assert (round_["opener"], round_["opener_by"]) == (1, "given")
        assert trace["start"] == [100, 245]
        assert trace["rounds"][0]["turns"][0]["scores"][0] == 100
        assert check_trace(trace) == []


def test_later_rounds_are_those_of_the_stream() -> None:
    rules = rule_set("partout5", target=500)
    plain, fixed = (
        next(traces(rules, ["random"], seed=5, count=1, given=start))
        for start in (None, given(rules, hands={0: "6-6"}))
    )
    assert plain["rounds"][0]["hands"] != fixed["rounds"][0]["hands"]
    for one, other in zip(plain["rounds"][1:], fixed["rounds"][1:], strict=False):
        assert one["hands"] == other["hands"]


def test_nothing_given_changes_nothing() -> None:
    assert given(ALLFIVES) is None
    first = first_rounds(ALLFIVES, None, 5)
    assert first_rounds(ALLFIVES, given(ALLFIVES, condition="1"), 5) == first


@pytest.mark.parametrize("name", ["exact61", "muggins", "threes-and-fives"])
def test_fixed_tiles_of_every_rule_set(name: str) -> None:
    rules = rule_set(name, players=3)
    start = given(rules, hands={1: "3-2 4-1"}, boneyard="6-6")
    for game, round_ in enumerate(first_rounds(rules, start, 10, seed=9)):
        assert start is not None
        deal, _ = dealt(rules, start, 9, game, None)
        texts = [format_tile(tile) for tile in deal.tiles_dealt]
        assert [tile for hand in round_["hands"] for tile in hand] + round_["boneyard"] == texts
        assert round_["opener"] == deal.opener


def test_free_tiles_are_dealt_evenly() -> None:
    """Each of the 25 tiles that are not fixed is the third of seat 0's hand equally often."""
    rules = ALLFIVES.replace(hand=3, target=None)
    start = given(rules, hands={0: "6-6 6-5"}, boneyard="0-0")
    count = 5000
    seen = [round_["hands"][0][2] for round_ in first_rounds(rules, start, count)]
    expected = count / 25
    chi2 = sum((seen.count(tile) - expected) ** 2 / expected for tile in set(seen))
    assert len(set(seen)) == 25
    assert chi2 < 24 + 4 * sqrt(2 * 24)


# --- conditions ---------------------------------------------------------------------------------

CONDITIONS = {
    "doubles(opener) >= 4": lambda d: d.doubles(d.opener) >= 4,
    "pips(0) < pips(1) < 60": lambda d: d.pips(0) < d.pips(1) < 60,
    "leads(opener) == 0 or tiles(opener + 1, 5) > 3": lambda d: (
        d.leads(d.opener) == 0 or d.tiles(d.opener + 1, 5) > 3
    ),
    "holds(1, 5, 6) and not holds(0, 6, 6)": lambda d: d.holds(1, 6, 5) and not d.holds(0, 6, 6),
    "opener == players - 1": lambda d: d.opener == d.players - 1,
    "2 * doubles(0) - doubles(1) != 1 and pips(0) - 55 <= -1 * doubles(0)": lambda d: (
        2 * d.doubles(0) - d.doubles(1) != 1 and d.pips(0) - 55 <= -d.doubles(0)
    ),
    "-(pips(0)) > -45": lambda d: -d.pips(0) > -45,
}


@pytest.mark.parametrize("text", CONDITIONS)
@pytest.mark.parametrize(("name", "players"), [("allfives", 2), ("exact61", 4), ("muggins", 3)])
def test_the_first_deal_that_meets_a_condition(name: str, players: int, text: str) -> None:
    rules = rule_set(name, players=players).replace(target=None)
    start = given(rules, condition=text)
    assert start is not None
    tries = 0
    for game, round_ in enumerate(first_rounds(rules, start, 8, seed=3)):
        deal, tried = dealt(rules, start, 3, game, CONDITIONS[text])
        tries += tried
        texts = [format_tile(tile) for tile in deal.tiles_dealt]
        assert [tile for hand in round_["hands"] for tile in hand] + round_["boneyard"] == texts
        assert round_["opener"] == deal.opener
    found = acceptance(rules, start, 3, 0, 8)
    assert found is not None
    assert (found.games, found.tries) == (8, tries)


def test_the_acceptance_of_four_doubles_is_the_exact_chance() -> None:
    start = given(ALLFIVES, condition="doubles(0) >= 4")
    found = acceptance(ALLFIVES, start, 1, 0, 10_000)
    assert found is not None
    p = sum(comb(7, k) * comb(21, 9 - k) for k in range(4, 8)) / comb(28, 9)
    error = sqrt(p * p * (1 - p) / found.games)  # of games / tries, games fixed
    assert abs(found.rate - p) <= 4 * error


def test_conditioned_deals_are_uniform_over_those_that_meet_it() -> None:
    """Three tiles with two doubles at least: every such hand equally often."""
    rules = ALLFIVES.replace(hand=3, target=None)
    start = given(rules, condition="doubles(0) >= 2 and tiles(0, 6) == 1 and pips(0) <= 12", opener=0)
    hands = [
        hand for hand in combinations(tile_set("double-six"), 3)
        if sum(tile.is_double for tile in hand) >= 2
        and sum(6 in tile for tile in hand) == 1
        and sum(tile.pips for tile in hand) <= 12
    ]  # fmt: skip
    count = 200 * len(hands)
    seen = [frozenset(round_["hands"][0]) for round_ in first_rounds(rules, start, count)]
    assert set(seen) == {frozenset(map(format_tile, hand)) for hand in hands}
    chi2 = sum((seen.count(hand) - 200) ** 2 / 200 for hand in set(seen))
    assert chi2 < len(hands) - 1 + 4 * sqrt(2 * (len(hands) - 1))


LEAVES = ["opener", "players", "doubles(0)", "pips(opener)", "leads(1)", "tiles(opener + 1, 6)"]
ARITHMETIC, LOGIC = ["+", "-", "*"], ["<", "<=", ">", ">=", "==", "!=", "and", "or"]
Both = tuple[str, str]  # a condition, and the same for Python, where logic does not come to 1 or 0 by itself


def both_of(left: Both, operator: str, right: Both) -> Both:
    if operator in ARITHMETIC:
        return f"({left[0]} {operator} {right[0]})", f"({left[1]} {operator} {right[1]})"
    return f"({left[0]} {operator} {right[0]})", f"int(bool({left[1]} {operator} {right[1]}))"


EXPRESSIONS = st.recursive(
    st.one_of(st.integers(0, 9).map(str), st.sampled_from([*LEAVES, "holds(0, 6, 5)"])).map(
        lambda text: (text, text)
    ),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(ARITHMETIC + LOGIC), part).map(lambda each: both_of(*each)),
        part.map(lambda each: (f"(not {each[0]})", f"int(not {each[1]})")),
        part.map(lambda each: (f"(-{each[0]})", f"(-{each[1]})")),
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@drawn(both=EXPRESSIONS, seed=st.integers(0, 1000))
def test_any_expression_is_worked_out_as_in_plain_arithmetic(both: Both, seed: int) -> None:
    """A try is taken where the expression is not 0: so the first of two tries tells what it came to."""
    rules = ALLFIVES.replace(target=None)
    text, python = both
    try:
        start = given(rules, condition=f"({text}) or opener == 0")
        code = conditions.compiled(f"({text}) or opener == 0", rules, MAX_STEPS)
    except FivesError:
        return  # too large for 64 bits, or for the program
    assert start is not None
    deal, tried = dealt(rules, start, seed, 0, lambda d: bool(plain(python, d)) or d.opener == 0)
    (round_,) = first_rounds(rules, start, 1, seed=seed)
    assert round_["opener"] == deal.opener
    assert round_["hands"][0][0] == format_tile(deal.tiles_dealt[0])
    inner = conditions.compiled(f"{text} or 1", rules, MAX_STEPS)
    assert (inner.low, inner.high) == (1, 1)
    assert code.low <= 1 <= code.high
    assert tried >= 1


def plain(text: str, deal: Deal) -> Any:
    """Return what Python makes of an expression that this test has built itself."""
    names = {name: getattr(deal, name) for name in (*conditions.QUANTITIES, *conditions.NAMES)}
    return eval(text, {"__builtins__": {}, "int": int, "bool": bool}, names)


def test_the_room_for_a_condition_is_the_kernels() -> None:
    assert MAX_STEPS == MAX_CODE


# --- runs ---------------------------------------------------------------------------------------


def test_threads_ranges_and_saved_runs_change_nothing(tmp_path: Path) -> None:
    base = ["simulate", "allfives", "--rounds", 400, "--given", "doubles(opener) >= 4", "--hand", "0=6-5"]
    one, two = (fives(*base, "--threads", threads, "--json").json for threads in (1, 2))
    assert one["summary"] == two["summary"]
    assert one["manifest"]["acceptance"] == two["manifest"]["acceptance"]
    for first in (0, 200):
        words = [*base[:2], "--rounds", 200, *base[4:], "--first-game", first]
        fives(*words, "--out", tmp_path / f"part{first}")
    fives("merge", tmp_path / "part0", tmp_path / "part200", "--out", tmp_path / "both")
    fives(*base, "--out", tmp_path / "whole")
    whole, both = (json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("whole", "both"))
    assert whole["given"] == both["given"]
    assert whole["acceptance"] == both["acceptance"]
    assert (tmp_path / "both" / "summary.csv").read_bytes() == (
        tmp_path / "whole" / "summary.csv"
    ).read_bytes()


def test_the_plan_is_rebuilt_from_its_settings() -> None:
    from analyzer.simulate import from_settings

    start = given(
        ALLFIVES, hands={1: "6-6"}, boneyard="0-0", opener=0, scores=[5, 10], condition="pips(0) > 3"
    )
    plan = simulation(ALLFIVES, "greedy", games=10, given=start)
    assert from_settings(json.loads(json.dumps(plan.settings()))) == plan
    assert from_dict(None, ALLFIVES) is None


def test_sentences_say_what_is_given() -> None:
    text = fives("simulate", "allfives", "--rounds", 50, "--given", "doubles(0) >= 4", "--opener", 1).out
    assert "Given: seat 1 opens; doubles(0) >= 4." in text
    assert "The condition holds in" in text
    assert "Given" not in fives("simulate", "allfives", "--rounds", 50).out


def test_compare_deals_as_given_in_every_seating() -> None:
    start = given(ALLFIVES, hands={0: "6-6 5-5 4-4"}, scores=[200, 0])
    result = compare(ALLFIVES, ["greedy", "greedy"], deals=50, given=start)
    found = next(row for row in result.summary_rows if row["metric"] == "win_rate_difference")
    assert found["estimate"] == 0
    ahead = simulate(ALLFIVES, "greedy", games=400, given=given(ALLFIVES, scores=[240, 0]))
    won = next(row for row in ahead.summary_rows if (row["metric"], row["scope"]) == ("win_rate", "side=0"))
    assert won["low"] > 0.8


def test_a_lead_in_points_is_worth_what_it_is_from_either_side() -> None:
    rates = []
    for side in (0, 1):
        scores = [200 if each == side else 100 for each in (0, 1)]
        result = simulate(ALLFIVES, "greedy", games=3000, seed=4 + side, given=given(ALLFIVES, scores=scores))
        rates.append(next(r for r in result.summary_rows if r["scope"] == f"side={side}"))
    gap = abs(rates[0]["estimate"] - rates[1]["estimate"])
    assert gap <= 4 * sqrt(rates[0]["std_error"] ** 2 + rates[1]["std_error"] ** 2)


# --- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--hand", "0=6-6 6-6"], "6-6 is given more than once"),
        (["--hand", "0=6-6", "--hand", "1=6-6"], "6-6 is given more than once"),
        (["--hand", "0=6-6", "--boneyard", "6-6"], "6-6 is given more than once"),
        (["--hand", "0=6-6", "--hand", "0=5-5"], "seat 0 is given twice"),
        (["--hand", "0=6-7"], "has a value above 6"),
        (["--hand", "6-6"], "names no seat"),
        (["--hand", "0="], "names no tile"),
        (["--hand", "2=6-6"], "the seats are 0 to 1"),
        (["--hand", "0=6-6 6-5 6-4 6-3 6-2 6-1 6-0 5-5 5-4 5-3"], "has 10 tiles: 9 are dealt"),
        (["--boneyard", "6-6 6-5 6-4 6-3 6-2 6-1 6-0 5-5 5-4 5-3 5-2"], "has 11 tiles: 10 are left"),
        (["--opener", "2"], "the seats are 0 to 1"),
        (["--scores", "250,0"], "at the target of 250 the game is over"),
        (["--scores", "-5,0"], "none falls below 0"),
        (["--scores", "7,0"], "must be a multiple of 5"),
        (["--scores", "5"], "1 scores are given: there are 2 sides"),
        (["--scores", "9" * 5000 + ",0"], "write a whole number for each side"),
        (["--scores", "5,x"], "write a whole number for each side"),
        (["--given", "doubles(0) > 9"], "no deal can meet the condition"),
        (["--given", "double(0) > 3"], "did you mean doubles?"),
        (["--given", "doubles() > 3"], "write it as doubles(SEAT)"),
        (["--given", "tiles(0) > 3"], "write it as tiles(SEAT, VALUE)"),
        (["--given", "holds(0, 6, 7)"], "a number from 0 to 6"),
        (["--given", "doubles(0 - 1)"], "may be below 0"),
        (["--given", "doubles(0) >"], "cannot be read"),
        (["--given", "__import__('os')"], "unknown word of a condition '__import__'"),
        (["--given", "(1).real"], "cannot be read"),
        (["--given", "[1]"], "cannot be read"),
        (["--given", "7 / 2"], "cannot be read"),
        (["--given", "'a' < 3"], "must be a whole number"),
        (["--given", "1000000 * 1000000 * 1000000 * 1000000"], "become too large"),
        (["--given", "(" * 300 + "1" + ")" * 300], "it may have 500"),
        (["--given", ""], "cannot be read"),
        (["--given", "1or 2"], "cannot be read"),
        (["--given", "(1)(2)"], "cannot be read"),
        (["--given", "doubles > 3"], "write it as doubles(SEAT)"),
        (["--given", "opener(0) > 3"], "write it without brackets"),
        (["--hand", "9" * 5000 + "=6-6"], "names no seat"),
        (["--hand", "\N{ARABIC-INDIC DIGIT ZERO}=6-6"], "names no seat"),
    ],
)
def test_what_cannot_be_given_is_told_in_one_sentence(options: list[str], told: str) -> None:
    sentence = refusal("simulate", "allfives", "--games", 5, *options)
    assert told in sentence
    assert len(sentence) < 250


def test_scores_are_for_games_and_controls_for_random_deals() -> None:
    assert "scores are for games" in refusal("simulate", "allfives", "--rounds", 5, "--scores", "5,5")
    told = refusal("simulate", "allfives", "--rounds", 5, "--opener", 0, "--control")
    assert "deals at random" in told


def test_negative_scores_where_partners_are_debited() -> None:
    rules = rule_set("exact61", players=4)
    assert given(rules, scores=[-25, 300]) is not None
    with pytest.raises(FivesError, match="multiple of 5"):
        given(rules, scores=[-24, 300])


def test_a_condition_that_no_deal_meets_stops_before_it_is_played(tmp_path: Path) -> None:
    # within bounds, but two seats cannot both hold the double six
    hopeless = "holds(0, 6, 6) and holds(1, 6, 6)"
    for command in (["simulate", "allfives", "--rounds", 5], ["trace", "allfives", "--rounds", 5]):
        assert "none of 1,000,000 deals" in refusal(*command, "--given", hopeless)


# --- replays ------------------------------------------------------------------------------------


def test_a_given_opener_is_for_the_first_round_alone() -> None:
    start = given(ALLFIVES, opener=1)
    trace = next(
        trace for trace in traces(ALLFIVES, ["random"], count=20, given=start) if len(trace["rounds"]) > 2
    )
    assert check_trace(trace) == []
    later = next(n for n, round_ in enumerate(trace["rounds"]) if n and round_["opener_by"] == "out")
    trace["rounds"][later]["opener_by"] = "given"
    assert any("opener_by is given" in fault.text for fault in check_trace(trace))


def test_a_game_cannot_start_at_its_target() -> None:
    trace = next(traces(ALLFIVES, ["random"], count=1))
    trace["start"] = [250, 0]
    assert any("has won it" in fault.text for fault in check_trace(trace))
    trace["start"] = [5, 0]
    assert check_trace(trace) != []
