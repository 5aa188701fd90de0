"""Reviews: costs of known sense, luck that adds up, moments held against the plain engine, the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fives
from analyzer.notation import tile_set
from analyzer.policies import POLICIES
from analyzer.positions import position_at
from analyzer.referee.reading import read_trace
from analyzer.referee.record import trace_line
from analyzer.review import KINDS, Review, review
from analyzer.review_luck import Valuer, _Turns
from analyzer.rulesets import RuleSet, rule_set
from analyzer.showing import scores_before
from analyzer.traces import traces
from kernels.known import Moment
from kernels.rng import CHOICE, child
from kernels.tallies import MAX_SEATS
from tests import shell
from tests.plain import worth
from tests.plain.rollout import play_on

HIGHEST = dict.fromkeys(("opener_first", "opener_after_out", "opener_after_block"), "highest_double")
TABLES = [
    rule_set("exact61", players=2, target=100),
    rule_set("exact61", players=4, target=100),
    rule_set("allfives", players=3, target=40),
    rule_set("allfives", players=4).replace(target=None),
    rule_set("allfives", players=3).replace(target=None),
    rule_set("draw", players=2, draw="one", reserve=2, target=60),
    rule_set("partout5", players=2, set="double-nine"),
    rule_set("muggins", players=2, target=60),
    rule_set("muggins", players=3, target=40, **HIGHEST),
    rule_set("allfives", players=4, opener_first="highest_double").replace(target=None),
]
WORLDS = 100


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}-{rules.target}"


def played(rules: RuleSet, *names: str, seed: int = 51) -> dict[str, Any]:
    (trace,) = traces(rules, names, seed=seed)
    return trace


@pytest.fixture(scope="module", params=TABLES, ids=name_of)
def reviewed(request: pytest.FixtureRequest) -> Review:
    return review(played(request.param, "random"), worlds=WORLDS)


# --- luck ---------------------------------------------------------------------------------------


def test_luck_and_plays_add_up_to_the_result(reviewed: Review) -> None:
    rows = reviewed.tables()["luck"]
    for row in rows:
        changes = [row[kind] for kind in KINDS]
        assert row["start"] + sum(changes) == pytest.approx(row["result"], abs=1e-9)
        assert row["luck"] == pytest.approx(sum(changes[:4]))
        assert row["luck_std_error"] > 0
    total = 1.0 if reviewed.trace.rules.target is not None else 0.0
    assert sum(row["result"] for row in rows) == pytest.approx(total, abs=1e-5)
    assert sum(row["luck"] for row in rows) == pytest.approx(0, abs=1e-3)


def test_each_change_begins_where_the_one_before_ended(reviewed: Review) -> None:
    for before, after in zip(reviewed.changes, reviewed.changes[1:], strict=False):
        assert before.after is after.before
    kinds = [change.kind for change in reviewed.changes]
    assert kinds.count("deal") == len(reviewed.trace.rounds)
    draws = sum(bool(turn.drawn) for round_ in reviewed.trace.rounds for turn in round_.turns)
    assert kinds.count("draw") == draws


def test_the_result_is_the_winners() -> None:
    trace = played(TABLES[0], "greedy", "random")
    rows = review(trace, worlds=WORLDS).tables()["luck"]
    assert [row["result"] for row in rows] == [float(side == trace["winner"]) for side in range(2)]


@pytest.mark.parametrize(
    "rules",
    [
        rule_set("allfives", players=2, hand=14),
        rule_set("exact61", players=2, hand=14).replace(target=None),
        rule_set("partout5", players=4, hand=7, sides=(0, 1, 0, 1)),
        rule_set("muggins", players=2, hand=14),
    ],
    ids=name_of,
)
def test_moments_are_played_on_as_the_plain_engine_does(rules: RuleSet) -> None:
    """No tile is left undealt, so a world differs from the plain engine's in nothing but the ties."""
    trace = read_trace(played(rules, "random"))
    valuer = Valuer(trace, POLICIES["careful"], 1, seed=4)
    record = trace.rounds[0]
    values = []
    valuer_value = valuer.value
    for turn in range(0, len(record.turns), 5):
        position = position_at(rules, record, turn, scores_before(trace, 0))
        if position is None:
            continue
        gone = [what.move.tile for what in record.turns[:turn] if what.move is not None]
        hands = [[tile for tile in hand if tile not in gone] for hand in record.hands]
        moment = moment_of(rules, record, turn, hands, position)
        found = valuer_value(moment, arrays_of(record, turn), 7, 1)
        key = valuer.key
        for number in (0, 7, 7, 0):  # round, moments, this moment, world
            key = child(np.uint64(key), number)
        ties = int(child(np.uint64(key), CHOICE))
        end = play_on(position, hands, [], None, POLICIES["careful"], ties)
        for side in range(rules.side_count):
            if rules.target is None:
                expected = worth.margin(rules, end.scores, side) * valuer.unit
            else:
                opens = worth.opens_next(rules, end.end, end.last_placer)
                tables = valuer.state.standing, valuer.state.chances[0]
                expected = worth.chance(rules, end.scores, end.game, opens, side, *tables) * valuer.unit
            assert found.value[side] == pytest.approx(expected)
            values.append(expected)
    assert len(set(values)) > 2


def moment_of(rules: RuleSet, record: Any, turn: int, hands: Any, position: Any) -> Moment:
    masks = np.zeros(MAX_SEATS, np.int64)
    masks[: rules.players] = [sum(1 << tile.number for tile in hand) for hand in hands]
    scores = np.zeros(MAX_SEATS, np.int64)
    scores[: rules.side_count] = [int(2 * score) for score in position.scores]
    laid = [what for what in record.turns[:turn] if what.move is not None]
    played = sum(1 << what.move.tile.number for what in laid)
    last = laid[-1].seat if laid else record.opener
    by_highest = int(record.opener_by == "highest_double")
    return Moment(
        position.seat, 0, len(tile_set(rules.set)), played, len(laid), last, record.opener, by_highest, 0,
        masks, scores,
    )  # fmt: skip


def arrays_of(record: Any, turn: int) -> _Turns:
    from analyzer.search import PASS, number_of

    before = record.turns[:turn]
    placed = [PASS if what.move is None else number_of(what.move) for what in before]
    columns = [what.seat for what in before], [len(what.drawn) for what in before], placed
    arrays = tuple(np.array(column, np.int64) for column in columns)
    return _Turns(arrays, arrays)


def test_before_the_deal_a_game_is_worth_what_its_opener_wins() -> None:
    """The share of games that the first opener wins, by simulation, against the moment before the deal."""
    rules = rule_set("exact61", players=2)
    trace = read_trace(played(rules, "careful"))
    opener = trace.rounds[0].opener
    found = Valuer(trace, POLICIES["careful"], 5000, seed=4).opened(0, opener)
    row = fives.simulate(rules, ["careful"], games=10_000, seed=52).summary.set_index("metric")
    measured = row.loc["first_mover_win_rate"]
    assert abs(found.value[opener] - measured["estimate"]) < 0.025
    assert found.value.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("changes", [{}, HIGHEST], ids=["first", "all"])
def test_before_a_deal_that_names_the_opener_none_is_favoured(changes: dict[str, str]) -> None:
    """Even scores are worth half a game; others what games from them come to."""
    rules = rule_set("muggins", players=2, **changes)
    given = fives.given(rules, scores=(150, 110))
    (trace,) = traces(rules, ["careful"], seed=52, given=given)
    rows = fives.simulate(rules, ["careful"], games=10_000, seed=52, given=given).summary
    measured = rows.set_index(["metric", "scope"]).loc[("win_rate", "side=0"), "estimate"]
    found = Valuer(read_trace(trace), POLICIES["careful"], 2500, seed=4).opened(0, 0)
    assert abs(found.value[0] - measured) < 0.025
    assert found.value.sum() == pytest.approx(1.0)
    even = Valuer(read_trace(played(rules, "careful")), POLICIES["careful"], 2500, seed=4).opened(0, 0)
    assert abs(even.value[0] - 0.5) < 4 * even.error[0]


def test_a_better_deal_is_luck() -> None:
    """Five doubles against what is left: the deal's change is one side's luck and the other's loss."""
    hands = {0: "6-6 5-5 4-4 3-3 2-2", 1: "6-1 4-3 2-1 5-4 6-3"}
    given = fives.given(rule_set("exact61"), hands=hands, opener=0)
    (trace,) = traces(rule_set("exact61"), ["careful"], seed=53, given=given)
    found = review(trace, worlds=400, round_=0)
    deal = next(change for change in found.changes if change.kind == "deal")
    assert deal.gain[0] == pytest.approx(-deal.gain[1])
    assert abs(deal.gain[0]) > 2 * float(np.hypot(deal.before.error[0], deal.after.error[0]))
    assert not [change for change in found.changes if change.kind == "opener"], "it was given, not drawn"


# --- costs --------------------------------------------------------------------------------------


def test_turns_are_marked_for_what_they_were(reviewed: Review) -> None:
    turns = iter(reviewed.turns)
    for number, record in enumerate(reviewed.trace.rounds):
        scores = scores_before(reviewed.trace, number)
        for at, what in enumerate(record.turns):
            turn, position = next(turns), position_at(reviewed.trace.rules, record, at, scores)
            assert (turn.round, turn.turn, turn.seat) == (number, at, what.seat)
            if position is None:
                assert turn.cost.kind == "pass"
            elif len(position.placements) == 1:
                assert turn.cost.kind == "forced"
            else:
                assert turn.cost.kind in ("choice", "exact")
            if turn.cost.kind != "choice":
                assert turn.cost.error == 0.0
                assert turn.cost.cost >= 0.0
            assert turn.cost.cost > -5 * turn.cost.error - 1e-9
    assert next(turns, None) is None


def test_players_rows_are_the_sums_of_their_turns(reviewed: Review) -> None:
    tables = reviewed.tables()
    for row in tables["summary"]:
        own = [turn for turn in tables["turns"] if turn["seat"] == row["seat"]]
        costs = [turn["cost"] for turn in own if turn["cost"] is not None]
        assert row["turns"] == len(own) == row["forced"] + row["pass"] + row["decisions"]
        assert row["cost"] == pytest.approx(sum(costs))
        assert row["error_rate"] == pytest.approx(np.mean(costs))
        assert row["low"] <= row["error_rate"] <= row["high"]
        assert row["blunders"] == sum(turn["blunder"] for turn in own)
        assert row["player"] == "random"


def test_random_play_costs_more_than_a_search() -> None:
    trace = played(rule_set("allfives", players=2), "random", "rollout:100:careful")
    random, search = review(trace, worlds=300, blunder=0.01).tables()["summary"]
    assert random["low"] > search["high"]
    assert random["blunders"] > search["blunders"]


def test_perfect_play_of_an_endgame_costs_nothing() -> None:
    trace = played(rule_set("exact61", players=2, hand=14).replace(target=None), "rollout:5:careful", seed=54)
    exact = [turn.cost for turn in review(trace, worlds=WORLDS).turns if turn.cost.kind == "exact"]
    assert exact
    assert [cost.cost for cost in exact] == [0.0] * len(exact)


def test_noise_alone_is_no_cost() -> None:
    """A lead of equal tiles in all but name: costs scatter around 0, as the halves of the worlds differ."""
    rules = rule_set("draw", players=2).replace(target=None)
    costs, errors = [], []
    for game in range(8):
        (trace,) = traces(rules, ["rollout:2000:careful"], seed=55, first_game=game)
        for turn in review(trace, worlds=WORLDS, seed=56).turns:
            if turn.cost.kind == "choice" and turn.cost.error:
                costs.append(turn.cost.cost)
                errors.append(turn.cost.error)
    assert min(costs) < 0 < max(costs)
    assert sum(costs) / np.hypot.reduce(errors) < 3


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rules = rule_set("exact61", players=2, target=100)
    path = tmp_path / "games.jsonl"
    lines = [trace_line(trace) for trace in traces(rules, ["greedy", "random"], seed=57, count=2)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_command_says_what_the_library_finds(file: Path) -> None:
    outcome = shell.fives("review", file, "--worlds", WORLDS, "--seed", 5, "--game", 1, "--json")
    trace = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
    found = review(trace, worlds=WORLDS, seed=5)
    assert outcome.json == json.loads(json.dumps(found.as_dict()))
    assert outcome.json["manifest"]["base"] == "careful"
    assert set(outcome.json) == {"manifest", "summary", "tables"}
    assert set(outcome.json["tables"]) == {"turns", "luck", "changes"}


def test_tables_come_as_csv(file: Path) -> None:
    words = ("review", file, "--worlds", WORLDS, "--round", 0)
    header = shell.fives(*words, "--csv").out.splitlines()[0]
    assert header.startswith("seat,player,turns,forced,pass,decisions,cost,error_rate")
    assert shell.fives(*words, "--csv", "turns").out.startswith("round,turn,seat,player,drawn,move,best,kind")
    assert shell.fives(*words, "--csv", "luck").out.startswith("side,players,start,opener,deal")
    assert shell.fives(*words, "--csv", "changes").out.startswith("round,turn,seat,kind,drawn,side,before")


def test_people_read_turns_players_and_luck(file: Path) -> None:
    text = shell.fives("review", file, "--worlds", WORLDS).out
    for part in ("Turns, costs in % of a game", "forced", "a blunder costs 5.00 or more", "greedy (seat 0)"):
        assert part in text
    assert "luck is the first four" in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--worlds", 99), "from 100 to"),
        (("--round", 99), "has no round 99"),
        (("--game", 7), "has no game 7"),
        (("--csv", "turn"), "did you mean turns"),
        (("--json", "--csv"), "choose one"),
        (("--base", "rollout:5:greedy"), "is a search"),
        (("--confidence", 1), "between 0 and 1"),
        (("--blunder", 0), "above 0"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(file: Path, words: tuple[object, ...], problem: str) -> None:
    assert problem in shell.refusal("review", file, *words)


def test_a_deal_that_names_the_opener_is_luck_of_the_deal(tmp_path: Path) -> None:
    rules = rule_set("muggins", target=100)
    path = tmp_path / "game.jsonl"
    path.write_text(trace_line(played(rules, "greedy")), encoding="utf-8")
    tables = shell.fives("review", path, "--round", 0, "--worlds", WORLDS, "--json").json["tables"]
    assert tables["turns"][0]["kind"] == "forced", "the highest double must lead"
    assert tables["luck"][0]["opener"] == 0.0
    assert abs(tables["luck"][0]["start"] - 0.5) < 0.05
    assert tables["luck"][0]["deal"] != 0.0
