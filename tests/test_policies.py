"""Features and named policies: each feature alone against its plain twin, and what each policy prefers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analyzer.compare import compare
from analyzer.notation import Move, parse_move, parse_tile
from analyzer.policies import FEATURES, POLICIES, Policy
from analyzer.records import policies_record
from analyzer.referee.layout import Layout
from analyzer.referee.rounds import View
from analyzer.rulesets import RuleSet, rule_set
from analyzer.traces import traces
from kernels import policies as kernel_policies
from tests.plain import chooser
from tests.plain.play import play_trace

OLD = {"points", "accepted", "wins", "pips", "double", "count", "mobility", "reply"}
NEW = [feature for feature in FEATURES if feature not in OLD]
CASES = [
    ("exact61", "double-six", 2),
    ("exact61", "double-six", 4),
    ("allfives", "double-six", 3),
    ("partout5", "double-nine", 2),
    ("draw", "double-six", 4),
    ("threes-and-fives", "double-six", 2),
]


@pytest.mark.parametrize(("name", "set_", "players"), CASES)
def test_each_feature_alone_decides_as_its_plain_twin(name: str, set_: str, players: int) -> None:
    """Both signs, so that the least and the greatest of each feature are found."""
    rules = rule_set(name, set=set_, players=players).replace(target=None)
    for seed, feature in enumerate(NEW):
        for weight in (1, -1):
            policy = Policy("alone", "one feature", {feature: weight})
            for game, trace in enumerate(traces(rules, [policy], seed=seed, count=4)):
                assert trace == play_trace(rules, [policy], seed, game), (feature, weight)


@pytest.mark.parametrize("draw", ["none", "one", "until_playable"])
def test_what_draws_and_passes_show(draw: str) -> None:
    """Long, stuck rounds: small hands on two-ended layouts, where what is lacked changes often."""
    for players in (2, 4):
        rules = rule_set("draw", players=players, hand=7, draw=draw).replace(target=None)
        for weights in ({"lacked": 1}, {"stuck": 1}, {"lacked": -7, "pips": 1}):
            policy = Policy("shown", "what others lack", weights)
            for game, trace in enumerate(traces(rules, [policy], seed=3, count=25)):
                assert trace == play_trace(rules, [policy], 3, game), weights


def test_the_kernels_have_one_weight_a_feature() -> None:
    assert len(kernel_policies.FEATURES) == len(FEATURES)
    record = policies_record([POLICIES["small-gain"]] * 2, rule_set("exact61", players=2))
    assert dict(zip(FEATURES, record["weights"][0].tolist(), strict=True)) == {
        feature: POLICIES["small-gain"].weights.get(feature, 0) for feature in FEATURES
    }


def known_lacks(hands: list[str], boneyard: str, weights: dict[str, int]) -> list[dict[int, frozenset[int]]]:
    """Return what each turn's chooser was told in a round of dealt hands."""
    from analyzer.referee.rounds import RoundStart, play_round

    rules = rule_set("draw", players=2, hand=len(hands[0].split())).replace(target=None)
    tiles = [parse_tile(text) for text in (*hands[0].split(), *hands[1].split(), *boneyard.split())]
    told: list[dict[int, frozenset[int]]] = []

    def choose(view: View) -> Move:
        told.append(dict(view.lacks))
        return max(view.placements, key=lambda move: chooser.value_of(view, move, weights))

    play_round(rules, RoundStart(0, 0, 0, "lot", tiles, (Fraction(0), Fraction(0))), choose)
    return told


def test_a_kept_draw_ends_older_knowledge() -> None:
    """Seat 1 draws 6-5 at once on 6, 6; then, on 5, 0, it draws 4-2 and keeps it before 5-1 fits."""
    told = known_lacks(["6-6 6-0 0-0", "4-3 3-3 2-2"], "6-5 4-2 5-1 1-1", {"pips": 1})
    assert told[0] == {}
    assert told[1] == {1: frozenset({6})}  # its own choice where to place 6-5
    assert told[2] == {1: frozenset({6})}
    assert told[3] == {1: frozenset({0, 5})}  # 6 is forgotten: 4-2 could have been a 6-something


def view(rules: RuleSet, moves: str, hand: str, **others: object) -> View:
    layout = Layout(rules.spinner)
    for text in moves.split():
        layout.place(parse_move(text))
    tiles = tuple(parse_tile(text) for text in hand.split())
    fields: dict[str, object] = {
        "scores": (Fraction(0), Fraction(0)),
        "hand_sizes": (len(tiles), 5),
        "boneyard": 5,
        "lacks": {},
    }
    placements = tuple(layout.placements(tiles))
    return View(rules, 0, 0, 0, len(layout), 0, tiles, placements, layout, **fields | others)  # type: ignore[arg-type]


def taken(seen: View, name: str) -> set[str]:
    """Return the placements that a named policy values highest."""
    weights = POLICIES[name].weights
    values = {str(move): chooser.value_of(seen, move, weights) for move in seen.placements}
    return {move for move, value in values.items() if value == max(values.values())}


ALLFIVES, EXACT61, DRAW = (rule_set(name, players=2) for name in ("allfives", "exact61", "draw"))


def test_companion_lays_open_what_it_holds_most_of() -> None:
    assert taken(view(DRAW, "6-3", "6-1 6-2 2-2 2-0 4-2"), "companion") == {"6-2@6"}


def test_variety_keeps_different_values() -> None:
    assert taken(view(DRAW, "6-3", "6-1 6-2 3-2 2-1 0-0"), "variety") == {"6-1@6", "6-2@6"}


def test_shut_offers_what_the_opponent_lacks() -> None:
    seen = view(DRAW, "6-3", "6-1 6-2", lacks={1: frozenset({2, 3})})
    assert taken(seen, "shut") == {"6-2@6"}


def test_close_shuts_what_is_nearly_all_seen_only_while_the_hand_is_light() -> None:
    """Ends 6 and 0 lie open; of value 1 all but 1-1 are seen. Unseen fit 5 tiles the ends 6, 1; 6 the ends
    1, 0; 9 the ends 5, 0.
    """
    layout = "6-2 2-1@2 1-4@1 4-0@4"
    hand = "6-5 6-1 5-1 3-1 1-0"
    light = view(DRAW, layout, hand, hand_sizes=(5, 7))
    assert taken(light, "close") == {"1-0@0"}
    assert {chooser.closing(light, move) for move in light.placements} == {5, 6, 9}
    heavy = view(DRAW, layout, hand, hand_sizes=(5, 1))
    assert {chooser.closing(heavy, move) for move in heavy.placements} == {0}


def test_endrace_sheds_pips_only_near_the_end() -> None:
    far = view(ALLFIVES, "6-3", "6-6 3-2 3-0 1-1", hand_sizes=(4, 5))
    assert taken(far, "endrace") == {"6-6@6"}  # 15 points
    assert chooser.rush(far, parse_move("3-2@3")) == 0
    near = view(ALLFIVES, "4-3", "4-2 6-3 5-5 1-1", hand_sizes=(4, 2))
    assert taken(near, "endrace") == {"6-3@3"}  # 10 points and 9 pips beat 5 points and 6 pips
    assert chooser.rush(near, parse_move("4-2@4")) == 6


def test_spinner_shy_lays_no_bare_spinner() -> None:
    assert taken(view(EXACT61, "6-3", "3-3 6-1 4-0"), "spinner-shy") == {"6-1@6"}
    assert taken(view(EXACT61, "6-3", "3-3 6-1 5-3"), "spinner-shy") == {"3-3@3", "6-1@6", "5-3@3"}


@pytest.mark.parametrize(
    ("score", "best"),
    [(0, "6-6@6"), (285, "6-2@6"), (290, "6-6@6"), (295, "6-2@6"), (300, "6-2@6")],
)
def test_small_gain_takes_the_smaller_gain_near_the_target(score: int, best: str) -> None:
    """On 6-3 the tile 6-6 earns 15 and 6-2 earns 5; 290 + 15 and 300 + 5 win."""
    seen = view(EXACT61, "6-3", "6-6 6-2 4-4", scores=(Fraction(score), Fraction(0)))
    assert taken(seen, "small-gain") == {best}


@pytest.mark.parametrize(("name", "rules"), [("tuned61", EXACT61), ("tunedfives", ALLFIVES)])
def test_a_tuned_policy_wins_three_games_of_four(name: str, rules: RuleSet) -> None:
    """On deals of a seed that its tuning never had; docs/policies.md has the figures of record."""
    rows = compare(rules, [name, "greedy"], deals=2000, seed=2027).summary_rows
    assert next(row["low"] for row in rows if row["scope"] == f"policy={name}") > 0.75
