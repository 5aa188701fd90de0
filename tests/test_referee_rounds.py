"""Rounds and games of the plain engine: stated deals, played by hand."""

import json

import pytest

from analyzer.errors import FivesError
from analyzer.notation import NotLegal, parse_move, tile_set
from analyzer.referee.games import opener_label, play_game, play_single_round
from analyzer.referee.record import number, rules_object
from analyzer.rulesets import NAMES, rule_set
from tests.plain.deals import dealt, play_stated, scripted
from tests.plain.play import play_trace


def seats_and_moves(result):
    return [(turn["seat"], turn["move"]) for turn in result.record["turns"]]


def drawn(result):
    return [" ".join(turn["drawn"]) for turn in result.record["turns"]]


# --- turns and draws ----------------------------------------------------------------------------


def test_a_round_is_recorded_turn_by_turn():
    """The lead 6-3, then a draw of three tiles until 6-6 can be placed: 3 + 12 = 15 points."""
    rules = rule_set("allfives", hand=2)
    result = play_stated(rules, "6-3 3-0 / 5-4 2-1", "6-3 6-6@6 3-0@3", first_drawn="5-1 4-4 6-6")
    assert result.record["turns"] == [
        {"seat": 0, "drawn": [], "move": "6-3", "count": 9, "points": 0, "accepted": None, "scores": [0, 0]},
        {"seat": 1, "drawn": ["5-1", "4-4", "6-6"], "move": "6-6@6", "count": 15, "points": 15,
         "accepted": True, "scores": [0, 15]},
        {"seat": 0, "drawn": [], "move": "3-0@3", "count": 12, "points": 0, "accepted": None,
         "scores": [0, 15]},
    ]  # fmt: skip
    assert result.record["end"] == "out"
    assert result.record["pips"] == [0, 26]  # 5-4, 2-1, 5-1, 4-4: 9 + 3 + 6 + 8
    assert result.record["winner"] == 0
    assert result.record["settlement"] == [
        {"side": 0, "seat": 0, "play": 0, "credit": 25, "debit": 0, "net": 25, "accepted": True,
         "scores": [25, 15]}
    ]  # fmt: skip


def test_drawing_until_a_playable_tile_or_an_empty_boneyard():
    """Reserve 19 leaves five tiles to draw; none fits 3-3, so seat 1 passes and seat 0 goes on."""
    rules = rule_set("draw", hand=2, reserve=19)
    result = play_stated(rules, "3-3 3-0 / 6-1 6-2", "3-3 3-0@3-3", first_drawn="4-4 5-5 6-6 5-4 6-5")
    assert seats_and_moves(result) == [(0, "3-3"), (1, None), (0, "3-0@3-3")]
    assert drawn(result) == ["", "4-4 5-5 6-6 5-4 6-5", ""]
    assert result.record["turns"][1]["count"] is None
    assert result.record["turns"][1]["points"] == 0


def test_draw_one_plays_the_tile_if_it_fits_and_passes_otherwise():
    rules = rule_set("draw", hand=2, draw="one")
    moves = "6-5 6-2@6 2-1@2 1-1@1 1-0@1-1 0-0@0"
    result = play_stated(rules, "6-5 1-1 / 4-4 3-3", moves, first_drawn="4-3 0-0 6-2 2-1 3-2 1-0")
    assert seats_and_moves(result) == [
        (0, "6-5"), (1, None), (0, None), (1, "6-2@6"), (0, "2-1@2"), (1, None), (0, "1-1@1"),
        (1, "1-0@1-1"), (0, "0-0@0"),
    ]  # fmt: skip
    assert drawn(result) == ["", "4-3", "0-0", "6-2", "2-1", "3-2", "", "1-0", ""]


def test_draw_none_passes_without_drawing():
    rules = rule_set("draw", hand=2, draw="none")
    result = play_stated(rules, "6-3 6-1 / 5-5 4-4", "6-3 6-1@6")
    assert seats_and_moves(result) == [(0, "6-3"), (1, None), (0, "6-1@6")]
    assert drawn(result) == ["", "", ""]


def test_a_round_without_draws_is_blocked_at_once():
    """No lap of passes: after 5-5 neither 6-3 nor 6-1 3-2 fits."""
    rules = rule_set("draw", hand=2, draw="none")
    result = play_stated(rules, "6-3 5-5 / 6-1 3-2", "5-5")
    assert seats_and_moves(result) == [(0, "5-5")]
    assert (result.end, result.record["pips"], result.record["winner"]) == ("blocked", [9, 12], 0)
    assert result.record["settlement"][0]["net"] == 12


def test_a_reserve_that_keeps_everything_draws_nothing():
    rules = rule_set("draw", hand=2, reserve=24)
    assert seats_and_moves(play_stated(rules, "6-3 5-5 / 6-1 3-2", "5-5")) == [(0, "5-5")]


def test_drawing_the_boneyard_empty_in_vain_is_a_pass_that_ends_the_round():
    """Source 003: sixes at all ends and none left; the opponent draws every tile, and the round is blocked.

    The ten tiles placed have 78 of the 168 pips; 10 are left with seat 1, so seat 0 ends with 80.
    """
    rules = rule_set("partout5")
    hands = "6-0 6-2 4-3 6-6 5-1 5-5 4-4 / 2-0 6-3 6-4 6-5 6-1 3-3 2-2"
    moves = "6-0 2-0@0 6-2@2 6-3@6 4-3@3 6-4@4 6-6@6 6-5@6-6 5-1@5 6-1@1"
    result = play_stated(rules, hands, moves)
    last = result.record["turns"][-1]
    assert (last["seat"], last["move"], len(last["drawn"])) == (0, None, 14)
    assert (result.end, result.record["pips"], result.record["winner"]) == ("blocked", [80, 10], 1)
    assert result.scores == (10, 80)  # the 4-3 made 10; unrounded settlement
    assert result.last_placer == 1


def test_the_last_seat_draws_all_in_vain():
    rules = rule_set("draw", hand=3, reserve=19)
    # 1-1 leads; nobody holds a one and the three tiles that may be drawn have none.
    result = play_stated(rules, "1-1 6-6 5-5 / 4-4 3-3 6-5", "1-1", first_drawn="0-0 2-2 3-2")
    assert seats_and_moves(result) == [(0, "1-1"), (1, None)]
    assert drawn(result) == ["", "0-0 2-2 3-2"]
    assert result.end == "blocked"
    assert result.record["pips"] == [22, 34]
    assert (result.record["winner"], result.last_placer) == (0, 0)


def test_a_pass_on_an_empty_boneyard_between_two_plays():
    rules = rule_set("allfives", players=3, hand=2, draw="none")
    result = play_stated(rules, "6-3 3-1 / 5-5 4-4 / 6-2 2-2", "6-3 6-2@6 3-1@3")
    assert seats_and_moves(result) == [(0, "6-3"), (1, None), (2, "6-2@6"), (0, "3-1@3")]
    assert [turn["scores"] for turn in result.record["turns"]][2] == [0, 0, 5]


def test_a_chooser_may_not_invent_a_placement():
    rules = rule_set("allfives", hand=2)
    with pytest.raises(NotLegal, match="5-5 is not among the placements of seat 0"):
        play_stated(rules, "6-3 3-0 / 5-5 2-1", "5-5")


# --- ends ---------------------------------------------------------------------------------------


def test_a_play_that_hits_the_target_ends_the_round_there_though_it_empties_the_hand():
    rules = rule_set("allfives", hand=1)
    result = play_stated(rules, "5-5 / 6-6", "5-5", scores=(240, 0))
    assert (result.end, result.record["settlement"], result.record["winner"]) == ("target", [], 0)
    assert (result.game.is_over, result.game.winner) == (True, 0)
    assert result.record["pips"] == [0, 12]


def test_a_last_play_counts_before_its_settlement():
    rules = rule_set("allfives", hand=1)
    result = play_stated(rules, "5-5 / 6-6", "5-5", scores=(235, 0))
    assert result.record["turns"][0]["scores"] == [245, 0]
    assert result.record["settlement"][0]["scores"] == [255, 0]
    assert (result.end, result.game.winner) == ("out", 0)


def test_an_exact61_last_play_enters_through_the_settlement():
    rules = rule_set("exact61", hand=1)
    result = play_stated(rules, "5-5 / 6-4", "5-5", scores=(285, 0))
    (turn,) = result.record["turns"]
    assert (turn["points"], turn["accepted"], turn["scores"]) == (10, None, [285, 0])
    assert result.record["settlement"] == [
        {"side": 0, "seat": 0, "play": 10, "credit": 10, "debit": 0, "net": 20, "accepted": True,
         "scores": [305, 0]}
    ]  # fmt: skip
    assert (result.end, result.game.winner) == ("out", 0)


@pytest.mark.parametrize(
    ("start", "accepted", "after"), [(295, False, 295), (300, False, 300), (304, False, 304)]
)
def test_a_refused_out_event_takes_the_play_with_it_and_the_round_is_won(start, accepted, after):
    rules = rule_set("exact61", hand=1)
    result = play_stated(rules, "5-5 / 6-4", "5-5", scores=(start, 0))
    (event,) = result.record["settlement"]
    assert (event["accepted"], event["scores"]) == (accepted, [after, 0])
    assert (result.record["winner"], result.game.is_over) == (0, False)


def test_a_combined_last_play_for_a_reach_target_ends_out():
    rules = rule_set("allfives", hand=1, last_play="with")
    result = play_stated(rules, "5-5 / 6-6", "5-5", scores=(245, 0))
    assert result.end == "out"
    assert result.record["settlement"][0]["play"] == 10
    assert result.game.winner == 0


def test_a_refused_play_stands_and_the_round_goes_on():
    rules = rule_set("exact61", hand=2, draw="none")
    result = play_stated(rules, "5-5 4-4 / 5-0 5-1", "5-5 5-0@5-5 5-1@5-5", scores=(300, 100))
    assert result.record["turns"][0] == {
        "seat": 0, "drawn": [], "move": "5-5", "count": 10, "points": 10, "accepted": False,
        "scores": [300, 100],
    }  # fmt: skip
    assert result.record["turns"][1]["scores"] == [300, 110]


def test_a_partner_debit_below_zero_in_play():
    rules = rule_set("exact61", players=4, hand=1)
    result = play_stated(rules, "2-1 / 1-0 / 6-6 / 0-0", "2-1")
    (event,) = result.record["settlement"]
    assert (event["credit"], event["debit"], event["net"], event["accepted"]) == (0, 10, -10, True)
    assert event["scores"] == [-10, 0]


def test_blocked_hands_are_credited_one_by_one():
    """Pips 10, 10, 2, 22. Seat 2: 8 + 20 = 28 → 30. Seat 0: 12 → 10; seat 1 is equal. Seat 1: nothing."""
    rules = rule_set("exact61", players=4, hand=2, draw="none")
    result = play_stated(rules, "1-1 5-5 / 6-0 2-2 / 0-0 2-0 / 6-6 6-4", "1-1")
    assert result.record["pips"] == [10, 10, 2, 22]
    assert [(event["seat"], event["net"]) for event in result.record["settlement"]] == [(2, 30), (0, 10)]
    assert (result.end, result.record["winner"], result.scores) == ("blocked", 0, (40, 0))


def test_half_points_are_written_as_numbers():
    rules = rule_set("allfives", players=3, hand=2, draw="none")
    result = play_stated(rules, "1-1 4-2 / 6-0 0-0 / 5-4 2-2", "1-1")
    assert result.record["pips"] == [6, 6, 13]
    assert [event["scores"] for event in result.record["settlement"]] == [[7.5, 0, 0], [7.5, 7.5, 0]]
    assert result.record["winner"] is None
    assert json.dumps([number(score) for score in result.scores]) == "[7.5, 7.5, 0]"


# --- games --------------------------------------------------------------------------------------


def one_tile_game(rules, lots, leads="2-1 1-0"):
    """Every round is the same deal of one tile each, so that the opener is out at once."""
    tiles = dealt(rules, leads.replace(" ", " / "))
    return play_game(
        rules,
        lambda game, round_: (lots[round_], tiles),
        lambda view: view.placements[0],
        policies=["by hand"] * rules.players,
        seed=None,
        game=0,
    )


def test_openers_after_out_and_the_guard():
    """Seat 1 is drawn and out in each round; nobody scores, so the guard of three rounds stops the game."""
    rules = rule_set("exact61", hand=1, round_guard=3)
    trace = one_tile_game(rules, [1, 0, 0], "0-0 1-0")
    assert [(r["opener"], r["opener_by"]) for r in trace["rounds"]] == [(1, "lot"), (1, "out"), (1, "out")]
    assert (trace["winner"], trace["guard"], trace["scores"]) == (None, True, [0, 0])


def test_a_game_that_ends_in_its_last_allowed_round_is_not_stopped_by_the_guard():
    rules = rule_set("allfives", hand=1, target=20, round_guard=2)
    trace = one_tile_game(rules, [0, 1], "5-0 6-4")  # 5 and round5(10) a round
    assert [r["end"] for r in trace["rounds"]] == ["out", "target"]
    assert (trace["winner"], trace["scores"], "guard" in trace) == (0, [20, 0], False)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("exact61", ("lot", "out", "lot")),
        ("allfives", ("lot", "out", "lot")),
        ("partout5", ("lot", "out", "last_tile")),
        ("draw", ("lot", "last_tile", "last_tile")),
    ],
)
def test_what_makes_a_seat_the_opener(name, labels):
    rules = rule_set(name)
    assert tuple(opener_label(rules, end) for end in (None, "out", "blocked")) == labels


@pytest.mark.parametrize(
    ("opener_after_block", "second_lead", "opener"), [("last_tile", "4-4", 1), ("lot", "5-5", 0)]
)
def test_the_opener_after_a_block(opener_after_block, second_lead, opener):
    """6-3, then 3-1@3: ends 6 and 1, which neither 5-5 nor 4-4 fits. Seat 1 placed the last tile."""
    rules = rule_set("partout5", hand=2, draw="none", round_guard=2, opener_after_block=opener_after_block)
    tiles = dealt(rules, "6-3 5-5 / 3-1 4-4")
    choose = scripted(f"6-3 3-1@3 {second_lead}")
    trace = play_game(rules, lambda game, round_: (0, tiles), choose, policies=[], seed=1, game=0)
    assert [round_["end"] for round_ in trace["rounds"]] == ["blocked", "blocked"]
    labels = [(round_["opener"], round_["opener_by"]) for round_ in trace["rounds"]]
    assert labels == [(0, "lot"), (opener, opener_after_block)]


def test_a_game_needs_a_target():
    rules = rule_set("allfives").replace(target=None)
    with pytest.raises(FivesError, match="a game needs a target"):
        play_game(
            rules, lambda game, round_: (0, tile_set(rules.set)), scripted(""), policies=[], seed=1, game=0
        )


def test_a_single_round_has_no_target():
    rules = rule_set("exact61", hand=1)
    tiles = dealt(rules, "5-5 / 6-4")
    trace = play_single_round(
        rules, lambda game, round_: (0, tiles), lambda view: parse_move("5-5"), policies=[], seed=1, game=4
    )
    assert (trace["rules"]["target"], trace["winner"], trace["game"]) == (None, None, 4)
    assert (trace["scores"], len(trace["rounds"])) == ([20, 0], 1)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (rule_set("exact61"), {}),
        (rule_set("exact61", players=4), {"sides": [0, 1, 0, 1]}),
        (rule_set("partout5", players=4), {}),
        (rule_set("partout5", players=4, sides=(0, 1, 0, 1)), {"sides": [0, 1, 0, 1]}),
        (rule_set("allfives", players=4, sides=(0, 1, 2, 3)), {"sides": [0, 1, 2, 3]}),
        (rule_set("draw", set="double-nine", hand=7, target=500), {"hand": 7, "target": 500}),
        (rule_set("allfives", reserve=2).replace(target=None), {"target": None, "reserve": 2}),
    ],
)
def test_the_rules_of_a_trace_name_what_differs(rules, told):
    assert rules_object(rules) == {"name": rules.name, "players": rules.players, "set": rules.set, **told}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_are_conserved_and_scores_add_up(name, players):
    rules = rule_set(name, players=players)
    for game in range(3):
        trace = play_trace(rules, ["random"], 5, game)
        assert json.loads(json.dumps(trace)) == trace
        for round_ in trace["rounds"]:
            dealt_tiles = [tile for hand in round_["hands"] for tile in hand] + round_["boneyard"]
            assert len(set(dealt_tiles)) == rules.tiles
            played = [turn["move"].split("@")[0] for turn in round_["turns"] if turn["move"]]
            drawn_tiles = [tile for turn in round_["turns"] for tile in turn["drawn"]]
            assert drawn_tiles == round_["boneyard"][: len(drawn_tiles)]
            pips_out = sum(int(tile[0]) + int(tile[2]) for tile in played)
            kept = round_["boneyard"][len(drawn_tiles) :]
            pips_kept = sum(int(tile[0]) + int(tile[2]) for tile in kept)
            assert pips_out + pips_kept + sum(round_["pips"]) == 168
