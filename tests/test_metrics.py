"""Summary rows and tables against hand-worked tallies and a plain twin that sums per-game dictionaries."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from analyzer.errors import FivesError
from analyzer.measures import GUARD_RATE, METRICS, Experiment, distinct_policies, policy_indices
from analyzer.metrics import summary_rows
from analyzer.policies import Policy, policy
from analyzer.rulesets import rule_set
from analyzer.stats import wilson_interval
from analyzer.tables import tables
from analyzer.tallies import PAIRS, Tallies, pairs_of
from kernels.tallies import NEEDS_SHAPE, OPENINGS_SHAPE, QUANTITIES, ROW

GREEDY, RANDOM = policy("greedy"), policy("random")
MAX_COUNT = 40


def tallied(games, *, stopped=0, counts=None, openings=None, needs=None, **histograms) -> Tallies:
    """Return the tallies of games that are given as dictionaries of quantities, 0 where not named."""
    found = Tallies.zero(MAX_COUNT)
    rows = np.array([[game.get(name, 0) for name in QUANTITIES] for game in games], object)
    rows = rows.reshape(len(games), len(QUANTITIES))
    found.games, found.stopped = len(games), stopped
    for row in range(len(QUANTITIES)):
        found.sums[row] = sum(rows[:, row])
        found.present[row] = sum(value != 0 for value in rows[:, row])
    for number, (a, b) in enumerate(PAIRS):
        found.products[number] = sum(rows[:, a] * rows[:, b])
    for count, plays in (counts or {}).items():
        found.counts[count] = plays
    for tile, values in (openings or {}).items():
        found.openings[tile] = values
    for need, values in (needs or {}).items():
        found.needs[need] = values
    for name, numbers in histograms.items():
        for number, times in numbers.items():
            getattr(found, name)[number] = times
    return found


def summary(tallies, rules, policies=None, by_games=False, confidence=0.95):
    """Return the summary rows by (metric, scope)."""
    seats = policies or (GREEDY,) * rules.players
    return {(r["metric"], r["scope"]): r for r in summary_rows(tallies, rules, seats, by_games, confidence)}


def values(row, *names):
    return tuple(row[name] for name in names)


def a_round(**more):
    return {"rounds": 1, "decided": 1, "plays": 10, **more}


# --- which rows ---------------------------------------------------------------------------------

ROUND_METRICS = [
    "blocked_rate", "blocked_tie_rate", "opener_win_rate", "opener_advantage", "opener_margin",
    "plays_per_round", "draws_per_round", "passes_per_round", "points_per_round", "scoring_play_rate",
    "points_per_play", "settlement_per_round",
]  # fmt: skip
GAME_METRICS = [
    "first_mover_win_rate", "first_mover_advantage", "rounds_per_game", "plays_per_game", "target_cut_rate",
]  # fmt: skip


def scoped(*names, scope="all"):
    return [(name, scope) for name in names]


def by_kind(name):
    return [(name, scope) for scope in ("all", "kind=play", "kind=out", "kind=block")]


def listed(rules, policies, by_games):
    rows = summary_rows(Tallies.zero(MAX_COUNT), rules, policies, by_games, 0.95)
    return [(row["metric"], row["scope"]) for row in rows]


def test_rows_of_rounds():
    assert listed(rule_set("exact61"), (GREEDY, GREEDY), False) == scoped(*ROUND_METRICS)


def test_rows_of_games_to_an_exact_target():
    assert listed(rule_set("exact61"), (GREEDY, GREEDY), True) == [
        *scoped(*ROUND_METRICS),
        ("win_rate", "side=0"),
        ("win_rate", "side=1"),
        *scoped(*GAME_METRICS),
        *by_kind("overshoot_rate"),
        *by_kind("overshoots_per_game"),
        *scoped("overshoot_game_rate", "points_rejected_per_game", "rounds_after_first_overshoot"),
        *scoped("drawn_rate", "guard_rate"),
    ]


def test_rows_of_games_to_reach_or_pass_a_target():
    found = listed(rule_set("allfives", players=3), (GREEDY,) * 3, True)
    sides = [("win_rate", f"side={side}") for side in range(3)]
    last = scoped("excess_rate", "excess_points", "drawn_rate", "guard_rate")
    assert found == [*scoped(*ROUND_METRICS), *sides, *scoped(*GAME_METRICS), *last]


def test_rows_by_policy_follow_those_of_all_where_policies_differ():
    found = listed(rule_set("exact61"), (RANDOM, GREEDY), True)
    for name, before in (
        ("blocked_rate", "all"),
        ("points_per_play", "all"),
        ("win_rate", "side=1"),
        ("overshoot_rate", "kind=block"),
    ):
        start = found.index((name, before))
        assert found[start + 1 : start + 3] == [(name, "policy=random"), (name, "policy=greedy")]
    assert sum(scope.startswith("policy=") for _, scope in found) == 8


def test_equal_policies_share_an_index():
    twin = Policy("greedy", "the same weights, written out", {"points": 1, "pips": 0})
    seats = (RANDOM, GREEDY, RANDOM, twin)
    assert distinct_policies(seats) == (RANDOM, GREEDY)
    assert policy_indices(seats) == (0, 1, 0, 1)


def test_two_policies_of_one_name_are_refused():
    with pytest.raises(FivesError, match="both named 'greedy'"):
        distinct_policies((GREEDY, Policy("greedy", "", {"points": 2})))


def test_the_page_names_every_metric():
    text = (Path(__file__).parents[1] / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name in [*(metric.name for metric in METRICS), GUARD_RATE]:
        assert f"`{name}`" in text, name


def test_metrics_and_products_name_real_quantities():
    for metric in METRICS:
        above, below = metric.quantities(["play" if metric.by == "kind" else "0"])
        assert set(above + below) <= {*QUANTITIES, "games"}
    assert PAIRS.dtype == np.int64
    assert len({frozenset(pair) for pair in PAIRS.tolist()}) == len(PAIRS)


# --- single rounds, worked by hand --------------------------------------------------------------


@pytest.fixture
def four_rounds():
    """Two players, raw points: opener wins 12-2, loses 0-5, ties a block 4-4 and wins a block 10-0."""
    return tallied(
        [
            a_round(opener_share=12, opener_margin=20, scoring=2, points=14, settlement=14, draws=1),
            a_round(opener_share=0, opener_margin=-10, plays=12, settlement=10, passes=2),
            a_round(opener_share=6, blocked=1, tied=1, plays=14, scoring=3, points=16),
            a_round(opener_share=12, opener_margin=20, blocked=1, plays=8, scoring=1, points=20, draws=3),
        ]
    )


def test_hand_worked_rounds(four_rounds):
    found = summary(four_rounds, rule_set("partout5"))
    expected = {
        "blocked_rate": (2 / 4, 4, "rate"),
        "blocked_tie_rate": (1 / 2, 2, "rate"),
        "opener_win_rate": (2.5 / 4, 4, "rate"),
        "opener_advantage": (2.5 / 4 - 1 / 2, 4, "rate"),
        "opener_margin": ((10 - 5 + 0 + 10) / 4, 4, "raw points"),
        "plays_per_round": (44 / 4, 4, "plays"),
        "draws_per_round": (1, 4, "draws"),
        "passes_per_round": (0.5, 4, "passes"),
        "points_per_round": (25 / 4, 4, "raw points"),
        "scoring_play_rate": (6 / 44, 44, "rate"),
        "points_per_play": (25 / 44, 44, "raw points"),
        "settlement_per_round": (12 / 4, 4, "raw points"),
    }
    for name, (value, n, unit) in expected.items():
        row = found[name, "all"]
        assert row["estimate"] == pytest.approx(value), name
        assert values(row, "n", "unit") == (n, unit)
    clustered = {name for (name, _), row in found.items() if "clusters" in row}
    assert clustered == {"scoring_play_rate", "points_per_play"}
    assert found["points_per_play", "all"]["clusters"] == 4


def test_intervals_of_rounds(four_rounds):
    found = summary(four_rounds, rule_set("partout5"))
    blocked, won = found["blocked_rate", "all"], found["opener_win_rate", "all"]
    lead = found["opener_advantage", "all"]
    assert values(blocked, "low", "high") == wilson_interval(0.5, 4, 0.95)
    assert blocked["std_error"] == math.sqrt(0.25 / 4)
    std_error = np.std([1, 0, 0.5, 1], ddof=1) / 2
    assert won["std_error"] == pytest.approx(std_error)
    assert values(won, "low", "high") == pytest.approx((0.625 - 1.959964 * std_error, 1.0))
    assert values(lead, "low", "high") == pytest.approx((won["low"] - 0.5, won["high"] - 0.5))
    assert lead["std_error"] == won["std_error"]
    assert found["opener_margin", "all"]["std_error"] == pytest.approx(np.std([10, -5, 0, 10], ddof=1) / 2)


def test_margins_are_per_other_side():
    """Three sides, raw 10, 4 and 1: 10 - 2.5 = 7.5; in half points times two: 2 * 20 - 8 - 2."""
    rules = rule_set("allfives", players=3)
    tallies = tallied([a_round(opener_margin=30, offset_margin_0=30)])
    assert summary(tallies, rules)["opener_margin", "all"]["estimate"] == 7.5
    assert tables(tallies, rules, False, 0.95)["seats"][0]["margin"] == 7.5


def test_advantage_is_less_one_side_in_so_many():
    rules = rule_set("exact61", players=4)
    row = summary(tallied([a_round(opener_share=12), a_round()]), rules)["opener_advantage", "all"]
    assert row["estimate"] == 0.0


def test_nothing_played_gives_null():
    nothing, rules = Tallies.zero(MAX_COUNT), rule_set("exact61")
    for by_games in (False, True):
        for row in summary_rows(nothing, rules, (RANDOM, GREEDY), by_games, 0.95):
            assert values(row, "estimate", "std_error", "low", "high", "n") == (None, None, None, None, 0)
            assert row.get("clusters", 0) == 0


def test_one_round():
    found = summary(tallied([a_round(opener_share=12, points=10)]), rule_set("allfives"))
    assert values(found["opener_win_rate", "all"], "low", "high") == wilson_interval(1, 1, 0.95)
    points = found["points_per_round", "all"]
    assert values(points, "estimate", "std_error", "low", "high") == (5, None, None, None)
    assert values(found["points_per_play", "all"], "std_error", "low", "clusters") == (None, None, 1)
    assert values(found["scoring_play_rate", "all"], "low", "high") == wilson_interval(0, 1, 0.95)
    assert found["blocked_tie_rate", "all"]["estimate"] is None


def test_blocked_rate_by_policy_is_over_the_rounds_it_opened():
    games = [
        a_round(blocked=1, policy_opened_0=1, policy_blocked_0=1),
        a_round(policy_opened_0=1),
        a_round(policy_opened_1=1),
    ]
    found = summary(tallied(games), rule_set("draw"), (RANDOM, GREEDY))
    row = found["blocked_rate", "policy=random"]
    assert values(row, "estimate", "n") == (0.5, 2)
    assert values(row, "low", "high") == wilson_interval(0.5, 2, 0.95)
    assert values(found["blocked_rate", "policy=greedy"], "estimate", "n") == (0, 1)


# --- games, worked by hand ----------------------------------------------------------------------


@pytest.fixture
def three_games():
    """Exact target, two players: rejections in the first and the third game only."""
    return tallied(
        [
            {"rounds": 3, "decided": 2, "cut": 1, "plays": 30, "side_share_0": 12, "first_share": 12,
             "events_play": 6, "events_out": 2, "rejected_play": 2, "rejected_out": 1, "points_rejected": 60,
             "overshot": 1, "rounds_after": 2, "policy_share_0": 12, "won": 1},
            {"rounds": 1, "decided": 1, "plays": 9, "side_share_1": 12, "events_play": 4, "events_block": 1,
             "policy_share_1": 12, "won": 1},
            {"rounds": 2, "decided": 1, "cut": 1, "plays": 21, "side_share_0": 12, "events_play": 5,
             "rejected_play": 1, "points_rejected": 10, "overshot": 1, "policy_share_0": 12, "won": 1},
        ],
        stopped=1,
    )  # fmt: skip


def test_hand_worked_games_to_an_exact_target(three_games):
    found = summary(three_games, rule_set("exact61"), (RANDOM, GREEDY), by_games=True)
    expected = {
        ("win_rate", "side=0"): (2 / 3, 3),
        ("win_rate", "side=1"): (1 / 3, 3),
        ("win_rate", "policy=random"): (2 / 3, 3),
        ("first_mover_win_rate", "all"): (1 / 3, 3),
        ("first_mover_advantage", "all"): (1 / 3 - 1 / 2, 3),
        ("rounds_per_game", "all"): (2, 3),
        ("plays_per_game", "all"): (20, 3),
        ("plays_per_round", "all"): (10, 6),
        ("target_cut_rate", "all"): (2 / 6, 6),
        ("overshoot_rate", "all"): (4 / 18, 18),
        ("overshoot_rate", "kind=play"): (3 / 15, 15),
        ("overshoot_rate", "kind=out"): (1 / 2, 2),
        ("overshoot_rate", "kind=block"): (0, 1),
        ("overshoots_per_game", "all"): (4 / 3, 3),
        ("overshoots_per_game", "kind=out"): (1 / 3, 3),
        ("overshoot_game_rate", "all"): (2 / 3, 3),
        ("points_rejected_per_game", "all"): (35 / 3, 3),
        ("rounds_after_first_overshoot", "all"): (1, 2),
        ("drawn_rate", "all"): (0, 3),
        ("guard_rate", "all"): (1 / 4, 4),
    }
    for key, (value, n) in expected.items():
        assert found[key]["estimate"] == pytest.approx(value), key
        assert found[key]["n"] == n, key


def test_intervals_of_games(three_games):
    found = summary(three_games, rule_set("exact61"), by_games=True)
    overshoot, block = found["overshoot_rate", "all"], found["overshoot_rate", "kind=block"]
    events, rejected = np.array([8, 5, 5]), np.array([3, 0, 1])
    residuals = rejected - 4 / 18 * events
    assert overshoot["std_error"] == pytest.approx(math.sqrt(3 / 2 * (residuals**2).sum()) / 18)
    assert overshoot["clusters"] == 3
    assert values(block, "low", "high", "clusters") == (*wilson_interval(0, 1, 0.95), 1)
    per_game = found["overshoots_per_game", "all"]
    assert per_game["std_error"] == pytest.approx(np.std(rejected, ddof=1) / math.sqrt(3))
    assert found["rounds_after_first_overshoot", "all"]["std_error"] == pytest.approx(1.0)  # of 2 and 0
    for key in (("win_rate", "side=0"), ("overshoot_game_rate", "all")):
        assert values(found[key], "low", "high") == wilson_interval(2 / 3, 3, 0.95)
        assert "clusters" not in found[key]


def test_drawn_games_are_shared():
    games = [
        {"side_share_0": 6, "side_share_1": 6, "first_share": 6, "drawn": 1},
        {"side_share_2": 12, "first_share": 12, "won": 1, "over": 1, "excess": 10},
        {"side_share_1": 12, "won": 1},
        {"side_share_0": 12, "won": 1, "over": 1, "excess": 5},
    ]
    found = summary(tallied(games), rule_set("allfives", players=3), by_games=True)
    assert [found["win_rate", f"side={side}"]["estimate"] for side in range(3)] == [0.375, 0.375, 0.25]
    assert values(found["first_mover_win_rate", "all"], "estimate", "n") == (0.375, 4)
    assert values(found["excess_rate", "all"], "estimate", "n") == (2 / 3, 3)
    assert values(found["excess_points", "all"], "estimate", "n", "unit") == (2.5, 3, "raw points")
    assert values(found["drawn_rate", "all"], "estimate", "n") == (0.25, 4)
    assert found["win_rate", "side=0"]["std_error"] == pytest.approx(np.std([0.5, 0, 0, 1], ddof=1) / 2)


def test_win_rate_of_a_policy_is_the_mean_over_its_sides():
    """Greedy holds two of three sides and wins three games of four: 3/8 a side."""
    games = [{"policy_share_0": 12}] * 3 + [{"policy_share_1": 12}]
    seats = (GREEDY, GREEDY, RANDOM)
    found = summary(tallied(games), rule_set("allfives", players=3), seats, by_games=True)
    greedy = found["win_rate", "policy=greedy"]
    low, high = wilson_interval(3 / 4, 4, 0.95)
    assert values(greedy, "estimate", "low", "high", "n") == (3 / 8, low / 2, high / 2, 4)
    assert found["win_rate", "policy=random"]["estimate"] == 1 / 4


def test_games_without_a_target_have_no_rows_about_it():
    rules = rule_set("exact61").replace(target=None)
    names = {name for name, _ in listed(rules, (GREEDY, GREEDY), True)}
    assert not names & {"overshoot_rate", "excess_rate"}
    assert "needs" not in tables(Tallies.zero(MAX_COUNT), rules, True, 0.95)


# --- against direct computation on many games ---------------------------------------------------


def random_games(seed, games=400):
    """Return games of several rounds as dictionaries, with quantities that hang together."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(games):
        rounds = int(rng.integers(1, 9))
        cut = int(rng.integers(0, 2))
        decided = rounds - cut
        blocked = int(rng.binomial(decided, 0.4))
        plays = int(rng.integers(8, 16)) * rounds
        scoring = int(rng.binomial(plays, 0.2))
        events = {f"events_{kind}": int(rng.integers(0, 6)) for kind in ("play", "out", "block")}
        events["events_out"] += sum(events.values()) == 0  # a game is won by an event
        rejected = {k.replace("events", "rejected"): int(rng.binomial(v, 0.1)) for k, v in events.items()}
        found.append(
            {
                "rounds": rounds, "decided": decided, "cut": cut, "blocked": blocked, "plays": plays,
                "tied": int(rng.binomial(blocked, 0.1)),
                "opener_share": int(rng.integers(0, 12 * decided + 1)),
                "opener_margin": int(rng.integers(-60, 80)), "draws": int(rng.poisson(3 * rounds)),
                "scoring": scoring, "points": 10 * scoring, "settlement": int(rng.integers(-20, 100)),
                "offset_share_0": int(rng.integers(0, 12 * decided + 1)), **events, **rejected,
            }
        )  # fmt: skip
    return found


DIRECT = {  # (metric, scope): numerators, denominators, unit
    ("blocked_rate", "all"): (["blocked"], ["decided"], 1),
    ("blocked_tie_rate", "all"): (["tied"], ["blocked"], 1),
    ("opener_win_rate", "all"): (["opener_share"], ["decided"], 12),
    ("opener_margin", "all"): (["opener_margin"], ["rounds"], 2),
    ("plays_per_round", "all"): (["plays"], ["rounds"], 1),
    ("draws_per_round", "all"): (["draws"], ["rounds"], 1),
    ("scoring_play_rate", "all"): (["scoring"], ["plays"], 1),
    ("points_per_play", "all"): (["points"], ["plays"], 2),
    ("settlement_per_round", "all"): (["settlement"], ["rounds"], 2),
    ("target_cut_rate", "all"): (["cut"], ["rounds"], 1),
    ("overshoot_rate", "kind=out"): (["rejected_out"], ["events_out"], 1),
    ("overshoot_rate", "all"): (
        ["rejected_play", "rejected_out", "rejected_block"], ["events_play", "events_out", "events_block"], 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", DIRECT, ids=lambda key: f"{key[0]} {key[1]}")
def test_ratios_of_games_are_clustered_by_game(key):
    above, below, unit = DIRECT[key]
    games = random_games(5)
    y = np.array([sum(game[name] for name in above) for game in games], float) / unit
    x = np.array([sum(game[name] for name in below) for game in games], float)
    row = summary(tallied(games), rule_set("exact61"), by_games=True)[key]
    n, r = row["clusters"], y.sum() / x.sum()
    assert (n, row["n"]) == ((x > 0).sum(), x.sum())
    assert row["estimate"] == pytest.approx(r, rel=1e-12)
    std_error = math.sqrt(n / (n - 1) * ((y - r * x) ** 2).sum()) / x.sum()
    assert row["std_error"] == pytest.approx(std_error, rel=1e-9)


@pytest.mark.parametrize(("name", "by_games"), [("exact61", True), ("exact61", False), ("allfives", True)])
def test_only_the_products_of_the_run_are_read(name, by_games):
    rules, seats = rule_set(name), (RANDOM, GREEDY)
    full = tallied(random_games(6, games=50))
    part = tallied(random_games(6, games=50))
    needed = pairs_of(Experiment(rules, seats, by_games))
    unread = np.ones(len(PAIRS), bool)
    unread[needed] = False
    part.products[unread] = 0
    assert len(needed) < len(PAIRS)
    assert summary(part, rules, seats, by_games) == summary(full, rules, seats, by_games)
    assert tables(part, rules, by_games, 0.95) == tables(full, rules, by_games, 0.95)


# --- tallies ------------------------------------------------------------------------------------


def test_adding_in_any_order_is_the_whole():
    games = random_games(7, games=60)
    parts = [tallied(part, stopped=1) for part in (games[:10], games[10:35], games[35:])]
    whole = tallied(games, stopped=3)
    assert parts[0] + parts[1] + parts[2] == whole
    assert parts[2] + (parts[0] + parts[1]) == whole
    assert whole + Tallies.zero(MAX_COUNT) == whole


def test_products_beyond_64_bits_add_exactly():
    square = PAIRS.tolist().index([ROW["points"], ROW["points"]])
    part = Tallies.zero(MAX_COUNT)
    part.products[square] = 2**62
    total = part + part + part
    assert total.product(["points"], ["points"]) == 3 * 2**62
    assert Tallies.from_dict(json.loads(json.dumps(total.as_dict()))) == total


def test_tallies_come_back_from_json():
    side_tables = {
        "counts": {5: 3},
        "openings": {20: [1] * 8},
        "needs": {4: [1, 1, 0, 0]},
        "lengths": {2: 1},
        "after": {0: 1},
        "excess": {5: 1},
    }
    tallies = tallied(random_games(8, games=5), stopped=2, **side_tables)
    again = Tallies.from_dict(json.loads(json.dumps(tallies.as_dict())))
    assert again == tallies
    assert again + tallies == tallies + tallies


@pytest.mark.parametrize(
    "spoil", [{"sums": {}}, {"products": {}}, {"needs": [1]}, {"games": None}, {"after": [1]}]
)
def test_tallies_of_another_form_are_refused(spoil):
    with pytest.raises(FivesError, match="saved tallies"):
        Tallies.from_dict({**Tallies.zero(MAX_COUNT).as_dict(), **spoil})


def test_tallies_of_unlike_counts_do_not_add():
    with pytest.raises(ValueError, match="cannot be added"):
        Tallies.zero(20) + Tallies.zero(30)


# --- tables -------------------------------------------------------------------------------------


def opening(rounds, decided, share, margin, decided_squares, share_decided, share_squares, games):
    return [rounds, decided, share, margin, decided_squares, share_decided, share_squares, games]


def test_openings_of_rounds():
    tallies = tallied(
        [],
        openings={
            20: opening(4, 4, 24, 60, 4, 24, 288, 4),  # 5-5: won twice, lost twice
            24: opening(2, 2, 18, -4, 2, 18, 180, 2),  # 6-3: won once, tied once
        },
    )
    five, six = tables(tallies, rule_set("partout5"), False, 0.95)["openings"]
    low, high = wilson_interval(0.5, 4, 0.95)
    assert five == {"tile": "5-5", "n": 4, "opener_win_rate": 0.5, "low": low, "high": high,
                    "opener_margin": 7.5, "count": 10}  # fmt: skip
    assert values(six, "tile", "n", "opener_win_rate", "high") == ("6-3", 2, 0.75, 1)
    assert values(six, "opener_margin", "count") == (-1, 9)
    assert six["low"] == pytest.approx(0.75 - 1.959964 * np.std([1, 0.5], ddof=1) / math.sqrt(2))


def test_openings_of_games_are_clustered_and_may_all_be_cut():
    """6-6 led in two games: won 2 of 3 rounds and 0 of 1; 0-0 led in a single round, cut by the target."""
    openings = {27: opening(5, 4, 24, 16, 10, 72, 576, 2), 0: opening(1, 0, 0, 4, 0, 0, 0, 0)}
    zero, six = tables(tallied([], openings=openings), rule_set("exact61"), True, 0.95)["openings"]
    assert zero == {"tile": "0-0", "n": 0, "opener_win_rate": None, "low": None, "high": None,
                    "opener_margin": 2.0, "count": 0}  # fmt: skip
    residuals = np.array([2, 0]) - 0.5 * np.array([3, 1])
    std_error = math.sqrt(2 * (residuals**2).sum()) / 4
    assert values(six, "tile", "n", "opener_win_rate") == ("6-6", 4, 0.5)
    assert six["low"] == pytest.approx(0.5 - 1.959964 * std_error)


def test_openings_of_the_double_nine_set():
    tallies = tallied([], openings={54: opening(1, 1, 12, 0, 1, 12, 144, 1)})
    rules = rule_set("draw", set="double-nine")
    (row,) = tables(tallies, rules, False, 0.95)["openings"]
    assert values(row, "tile", "count") == ("9-9", 18)


def test_seats_counts_and_ends(four_rounds):
    four_rounds.counts[[0, 5, 9]] = 1, 3, 4
    shares = tallied([{"offset_share_1": 12}, {"offset_share_1": 6, "offset_margin_1": -30}])
    for name in ("sums", "present", "products"):
        getattr(four_rounds, name)[:] += getattr(shares, name)
    found = tables(four_rounds, rule_set("partout5"), False, 0.95)
    assert [values(row, "offset", "n") for row in found["seats"]] == [(0, 4), (1, 4)]
    assert values(found["seats"][1], "round_win_rate", "margin") == (0.375, -3.75)
    assert found["counts"] == [
        {"count": 0, "plays": 1, "share": 0.125},
        {"count": 5, "plays": 3, "share": 0.375},
        {"count": 9, "plays": 4, "share": 0.5},
    ]
    assert found["ends"] == [
        {"end": "out", "rounds": 2, "share": 0.5},
        {"end": "blocked", "rounds": 2, "share": 0.5},
        {"end": "target", "rounds": 0, "share": 0.0},
    ]


def test_needs_only_in_games_to_an_exact_target():
    tallies = tallied([], needs={1: [4, 1, 3, 1], 61: [2, 2, 0, 0]})
    rows = tables(tallies, rule_set("exact61"), True, 0.95)["needs"]
    told = [values(row, "need", "events", "accepted", "rejected", "rejected_share", "wins") for row in rows]
    assert told == [(1, 4, 1, 3, 0.75, 1), (61, 2, 2, 0, 0.0, 0)]
    assert [values(row, "low", "high") for row in rows] == [
        wilson_interval(0.75, 4, 0.95),
        wilson_interval(0.0, 2, 0.95),
    ]
    assert "needs" not in tables(tallies, rule_set("exact61"), False, 0.95)
    reached = tables(tallies, rule_set("allfives"), True, 0.95)
    assert list(reached) == ["openings", "seats", "counts", "ends", "lengths", "excess"]


def test_games_by_rounds_rounds_after_and_excess():
    tallies = tallied([], lengths={3: 1, 255: 3}, after={0: 2}, excess={0: 1, 5: 1, 511: 2})
    exact, reach = (tables(tallies, rule_set(name), True, 0.95) for name in ("exact61", "allfives"))
    assert exact["lengths"] == reach["lengths"]
    for row, rounds, games in zip(exact["lengths"], (3, 255), (1, 3), strict=True):
        low, high = wilson_interval(games / 4, 4, 0.95)
        assert row == {"rounds": rounds, "games": games, "share": games / 4, "low": low, "high": high}
    assert [values(row, "rounds_after", "games", "share") for row in exact["after"]] == [(0, 2, 1.0)]
    assert [values(row, "points", "share") for row in reach["excess"]] == [
        (0, 0.25),
        (2.5, 0.25),
        (255.5, 0.5),
    ]
    assert not {"lengths", "after", "excess"} & set(tables(tallies, rule_set("exact61"), False, 0.95))


def test_tables_of_nothing():
    found = tables(Tallies.zero(MAX_COUNT), rule_set("exact61", players=4), True, 0.95)
    assert found["openings"] == found["counts"] == found["needs"] == []
    assert [row["share"] for row in found["ends"]] == [None] * 3
    assert all(row["round_win_rate"] is None and row["margin"] is None for row in found["seats"])
    assert len(found["seats"]) == 4


# --- JSON ---------------------------------------------------------------------------------------


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def test_shapes_of_the_side_tables():
    tallies = Tallies.zero(MAX_COUNT)
    assert (tallies.openings.shape, tallies.needs.shape) == (OPENINGS_SHAPE, NEEDS_SHAPE)


@pytest.mark.parametrize("by_games", [False, True])
def test_everything_is_plain_json(by_games):
    games = random_games(9, games=20)
    side_tables = {
        "counts": {5: 3},
        "openings": {20: [1] * 8},
        "needs": {4: [1, 1, 0, 0]},
        "lengths": {2: 1},
        "after": {0: 1},
        "excess": {5: 1},
    }
    tallies = Tallies.zero(MAX_COUNT) + tallied(games, stopped=np.int64(1), **side_tables)
    rules = rule_set("exact61")
    found = [
        summary_rows(tallies, rules, (RANDOM, GREEDY), by_games, 0.95),
        tables(tallies, rules, by_games, 0.95),
        tallies.as_dict(),
    ]
    for part in found:
        json.dumps(part, allow_nan=False)
        assert {type(leaf) for leaf in leaves(part)} <= {int, float, str, type(None)}
