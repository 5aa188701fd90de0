"""Replaying traces: good ones have no fault, each tampered field has one, and no content raises."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.notation import CannotParse
from analyzer.referee.games import play_game
from analyzer.referee.replay import Fault, check_trace, verify_file
from analyzer.rulesets import NAMES, rule_set
from tests.plain.deals import dealt, scripted
from tests.plain.play import play_trace


def texts(trace):
    return [fault.text for fault in check_trace(trace)]


def where(trace):
    return [(fault.round, fault.turn) for fault in check_trace(trace)]


def tampered(trace, *path, value):
    """Return a copy with the item at `path` replaced."""
    changed = copy.deepcopy(trace)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def without(trace, *path):
    changed = copy.deepcopy(trace)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return changed


# --- good traces --------------------------------------------------------------------------------

HOUSE_RULES = [
    {},
    {"draw": "none"},
    {"draw": "one", "reserve": 3},
    {"settlement_block": "hand_differences"},
    {"settlement_block": "opponents", "ties": "split", "rounding": "none"},
    {"settlement_out": "none", "settlement_block": "none", "score_multiple": 3, "target_kind": "reach"},
    {"last_play": "with", "partner": "debited"},
    {"last_play": "before", "partner": "debited", "spinner": "all"},
    {"score_multiple": 0, "opener_after_out": "lot", "opener_after_block": "last_tile"},
    {"target_kind": "exact", "target": 100, "round_guard": 5},
    {"target_kind": "reach", "round_guard": 1},
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("changes", HOUSE_RULES, ids=str)
def test_good_traces_have_no_fault(name, players, changes):
    rules = rule_set(name, players=players, hand=5, round_guard=30).replace(points="raw", **changes)
    for seed in range(2):
        assert check_trace(play_trace(rules, ["random"], seed, 0)) == []
        assert check_trace(play_trace(rules.replace(target=None), ["careful"], seed, 1)) == []


def test_double_nine_and_four_sides():
    for rules in (
        rule_set("partout5", set="double-nine", players=4),
        rule_set("draw", set="double-nine", players=3),
        rule_set("exact61", players=4, sides=(0, 1, 2, 3)),
        rule_set("partout5", players=4, sides=(0, 1, 0, 1)),
    ):
        assert check_trace(play_trace(rules, ["random"], 3, 0)) == []


# --- a game small enough to be read -------------------------------------------------------------


@pytest.fixture
def small():
    """Two rounds of allfives with three tiles each, to 30 points.

    6-3 counts 9; seat 1 draws 5-1 and 6-6, 6-6@6 makes 15; 3-2@3 counts 14; 2-2@2 counts 16; 6-4@6-6
    counts 8, and seat 0 is out. 16 pips are left with seat 1, rounded to 15. In round 1, of the same deal,
    6-6@6 brings seat 1 to 30.
    """
    rules = rule_set("allfives", hand=3, target=30)
    tiles = dealt(rules, "6-3 3-2 6-4 / 2-2 5-4 1-0", "5-1 6-6 4-0 0-0")
    moves = scripted("6-3 6-6@6 3-2@3 2-2@2 6-4@6-6 6-3 6-6@6")
    return play_game(rules, lambda game, round_: (0, tiles), moves, policies=["a", "b"], seed=7, game=3)


def test_the_small_game(small):
    assert check_trace(small) == []
    first, second = small["rounds"]
    assert [turn["count"] for turn in first["turns"]] == [9, 15, 14, 16, 8]
    assert first["turns"][1]["drawn"] == ["5-1", "6-6"]
    assert (first["end"], first["settlement"][0]["net"]) == ("out", 15)
    assert (second["end"], second["settlement"], second["opener_by"]) == ("target", [], "out")
    assert (small["scores"], small["winner"]) == ([15, 30], 1)


@pytest.mark.parametrize(
    ("path", "value", "place", "text"),
    [
        (("opener_by",), "out", None, "opener_by is out, by the rules lot"),
        (("turns", 1, "count"), 14, 1, "count is 14, by the rules 15"),
        (("turns", 1, "count"), None, 1, "count is null, by the rules 15"),
        (("turns", 1, "points"), 10, 1, "points is 10, by the rules 15"),
        (("turns", 1, "accepted"), False, 1, "accepted is false, by the rules true"),
        (("turns", 1, "accepted"), None, 1, "accepted is null, by the rules true"),
        (("turns", 0, "accepted"), True, 0, "accepted is true, by the rules null"),
        (("turns", 1, "scores"), [0, 20], 1, "scores are [0, 20], by the rules [0, 15]"),
        (("turns", 1, "drawn"), ["6-6", "5-1"], 1, "draws 6-6 5-1, by the rules 5-1 6-6"),
        (("turns", 1, "drawn"), [], 1, "draws nothing, by the rules 5-1 6-6"),
        (("turns", 2, "drawn"), ["4-0"], 2, "draws 4-0, by the rules nothing"),
        (("turns", 2, "seat"), 1, 2, "seat 1 has the turn, by the rules seat 0"),
        (("turns", 4, "move"), "6-4@2", 4, "6-4@2 cannot be placed, since 6-4 has no half of value 2."),
        (("turns", 3, "move"), "4-2@2", 3, "seat 1 places 4-2, which is not in its hand"),
        (("end",), "blocked", None, "end is blocked, by the rules out"),
        (("pips",), [0, 15], None, "pips is [0, 15], by the rules [0, 16]"),
        (("winner",), 1, None, "the round's winner is 1, by the rules 0"),
        (("winner",), None, None, "the round's winner is null, by the rules 0"),
        (("settlement", 0, "side"), 1, None, "the settlement's event of seat 0: side is 1, by the rules 0"),
        (("settlement", 0, "seat"), 1, None, "the settlement's event of seat 0: seat is 1, by the rules 0"),
        (("settlement", 0, "play"), 5, None, "the settlement's event of seat 0: play is 5, by the rules 0"),
        (("settlement", 0, "credit"), 16, None,
         "the settlement's event of seat 0: credit is 16, by the rules 15"),
        (("settlement", 0, "debit"), 5, None, "the settlement's event of seat 0: debit is 5, by the rules 0"),
        (("settlement", 0, "net"), 2.5, None,
         "the settlement's event of seat 0: net is 2.5, by the rules 15"),
        (("settlement", 0, "accepted"), None, None,
         "the settlement's event of seat 0: accepted is null, by the rules true"),
        (("settlement", 0, "scores"), [10, 15], None,
         "the settlement's event of seat 0: scores are [10, 15], by the rules [15, 15]"),
        (("settlement",), [], None, "the settlement lacks the event of seat 0, net 15"),
    ],
)  # fmt: skip
def test_a_tampered_field_is_one_fault(small, path, value, place, text):
    faults = check_trace(tampered(small, "rounds", 0, *path, value=value))
    assert faults[0] == Fault(3, 0, place, text)
    assert len(faults) <= 2


def test_faults_say_where(small):
    (fault,) = check_trace(tampered(small, "rounds", 0, "turns", 1, "count", value=14))
    assert str(fault) == "game 3, round 0, turn 1: count is 14, by the rules 15"
    (fault,) = check_trace(tampered(small, "winner", value=None))
    assert str(fault) == "game 3: winner is null, by the rules 1"


def test_a_wrong_deal(small):
    twice = tampered(small, "rounds", 0, "hands", 1, 2, value="6-6")
    assert texts(twice) == ["dealt more than once: 6-6", "neither dealt nor in the boneyard: 1-0"]
    boneyard = small["rounds"][0]["boneyard"]
    missing = tampered(small, "rounds", 0, "boneyard", value=boneyard[:-1])
    assert texts(missing) == [f"neither dealt nor in the boneyard: {boneyard[-1]}"]


def test_a_tile_too_many_in_a_hand(small):
    hands, boneyard = small["rounds"][0]["hands"], small["rounds"][0]["boneyard"]
    changed = tampered(small, "rounds", 0, "hands", 1, value=[*hands[1], boneyard[-1]])
    changed["rounds"][0]["boneyard"] = boneyard[:-1]
    assert texts(changed)[0] == "seat 1 is dealt 4 tiles, by the rules 3"


def test_a_pass_with_a_playable_tile(small):
    turn = {"seat": 0, "drawn": [], "move": None, "count": None, "points": 0, "accepted": None,
            "scores": [0, 15]}  # fmt: skip
    faults = check_trace(tampered(small, "rounds", 0, "turns", 2, value=turn))
    assert faults[0] == Fault(3, 0, 2, "seat 0 passes, but must place a tile, such as 3-2@3")
    assert len(faults) <= 3


def test_an_end_that_is_not_open(small):
    faults = check_trace(tampered(small, "rounds", 0, "turns", 2, "move", value="3-2@2"))
    assert faults == [Fault(3, 0, 2, "3-2@2 cannot be placed: the open places are 3, 6-6.")]


def test_turns_after_the_end_and_too_few_turns(small):
    turns = small["rounds"][0]["turns"]
    more = tampered(small, "rounds", 0, "turns", value=[*turns, turns[0]])
    assert check_trace(more) == [Fault(3, 0, 5, "the round goes on, but it ended out with the turn before")]
    fewer = tampered(small, "rounds", 0, "turns", value=turns[:-1])
    assert check_trace(fewer)[0] == Fault(3, 0, None, "the turns stop before the round ends")
    assert len(check_trace(fewer)) <= 2


def test_a_missing_turn_is_no_avalanche(small):
    for index in range(5):
        assert 1 <= len(check_trace(without(small, "rounds", 0, "turns", index))) <= 8


def test_an_event_too_many(small):
    event = small["rounds"][0]["settlement"][0]
    changed = tampered(small, "rounds", 0, "settlement", value=[event, {**event, "seat": 1, "side": 1}])
    assert texts(changed) == ["the settlement has an event of seat 1 that the rules do not give"]


def test_events_out_of_order():
    rules = rule_set("exact61", players=4)
    for game in range(200):
        trace = play_trace(rules.replace(target=None), ["random"], 1, game)
        settlement = trace["rounds"][0]["settlement"]
        if len({event["seat"] for event in settlement}) > 1:
            break
    changed = tampered(trace, "rounds", 0, "settlement", value=settlement[::-1])
    assert "the events of the settlement are not in their order" in texts(changed)


def test_the_end_of_the_game(small):
    assert texts(tampered(small, "scores", value=[1, 2]))[0].startswith("scores are [1, 2], by the rules")
    assert texts(tampered(small, "guard", value=True)) == ["guard is true, by the rules false"]
    stopped = texts(tampered(small, "rounds", value=small["rounds"][:1]))
    assert "the game stops before a side has won it" in stopped
    longer = tampered(small, "rounds", value=[*small["rounds"], small["rounds"][1]])
    assert texts(longer)[0] == "the game goes on, but it ended with the round before"
    assert "there is no round" in texts(tampered(small, "rounds", value=[]))


def test_the_next_opener():
    rules = rule_set("partout5")
    trace = play_trace(rules, ["random"], 2, 0)
    opener = trace["rounds"][1]["opener"]
    changed = tampered(trace, "rounds", 1, "opener", value=1 - opener)
    assert texts(changed)[0] == f"seat {1 - opener} opens, by the rules seat {opener}"


def test_a_lot_may_name_any_seat_and_an_opener_may_be_given():
    trace = play_trace(rule_set("exact61").replace(target=None), ["random"], 2, 0)
    assert texts(tampered(trace, "rounds", 0, "opener_by", value="given")) == []


def test_the_guard():
    rules = rule_set("exact61", round_guard=2)
    trace = play_trace(rules, ["random"], 1, 0)
    assert (trace["guard"], len(trace["rounds"]), check_trace(trace)) == (True, 2, [])
    assert texts(tampered(trace, "guard", value=False)) == ["guard is false, by the rules true"]
    assert texts(tampered(trace, "winner", value=0)) == ["winner is 0, by the rules null"]
    longer = tampered(trace, "rounds", value=trace["rounds"] + trace["rounds"][:1])
    assert "the game goes on, but the guard stops it after 2 rounds" in texts(longer)


def test_a_single_round_is_one_round_without_winner():
    trace = play_trace(rule_set("allfives").replace(target=None), ["random"], 1, 0)
    assert texts(tampered(trace, "winner", value=0)) == ["winner is 0, by the rules null"]
    twice = tampered(trace, "rounds", value=trace["rounds"] * 2)
    assert texts(twice)[0] == "the game goes on, but it ended with the round before"


def test_one_wrong_score_is_told_once_whether_the_rest_follows_it_or_not():
    trace = play_trace(rule_set("exact61").replace(target=None), ["random"], 1, 0)
    turns = trace["rounds"][0]["turns"]
    shifted = copy.deepcopy(trace)
    for row in [*shifted["rounds"][0]["turns"][2:], *shifted["rounds"][0]["settlement"], shifted]:
        row["scores"] = [score + 10 for score in row["scores"]]
    assert len(turns) > 4
    assert where(shifted) == [(0, 2)]
    once = tampered(trace, "rounds", 0, "turns", 2, "scores", value=[50, 60])
    assert where(once) == [(0, 2)]


# --- every leaf ---------------------------------------------------------------------------------


def leaves(value, path=()):
    """Yield the path of every value that is no object and no list."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))
    if not isinstance(value, dict | list):
        yield path, value


def other_value(path, value, rules):
    """Return another value of the same type, or None where the field is not judged."""
    key = path[-1]
    if path[0] in ("policies", "seed", "game", "rules", "format", "version"):
        return None
    if key == "opener" and rules.opener_first == "lot":
        return None
    if key in ("accepted", "guard"):
        return not value
    if key in ("seat", "side", "winner", "opener"):
        return 0 if value is None else 1 - value
    if key == "opener_by":
        return "lot" if value == "highest_double" else "highest_double"
    if key == "end":
        return "blocked" if value == "out" else "out"
    if isinstance(value, str) or key == "move":
        return "0-0" if value is None or not value.startswith("0-0") else "6-6"
    return 0 if value is None else value + 5


@pytest.mark.parametrize("name", NAMES)
def test_every_changed_value_is_found_and_told_briefly(name):
    rules = rule_set(name)
    trace = play_trace(rules, ["greedy"], 4, 0)
    assert len(trace["rounds"]) > 1
    paths = [
        (path, value)
        for path, value in leaves(trace)
        if (path[0] != "rounds" or path[1] < 2) and other_value(path, value, rules) is not None
    ]
    for path, value in random.Random(1).sample(paths, min(len(paths), 150)):
        faults = check_trace(tampered(trace, *path, value=other_value(path, value, rules)))
        assert 1 <= len(faults) <= 8, (path, value, faults)


# --- lines that cannot be read ------------------------------------------------------------------


@pytest.fixture
def line():
    return play_trace(rule_set("exact61", players=4).replace(target=None), ["random"], 1, 0)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("format",), "other", "format is 'other': only fives-trace can be read."),
        (("version",), 2, "version is 2: only version 1 of fives-trace can be read."),
        (("version",), True, "version is True: only version 1 of fives-trace can be read."),
        (("rules",), [], "rules is a list: it must be an object."),
        (("rules", "name"), "exact16", "rules: unknown rule set 'exact16': did you mean exact61?"),
        (("rules", "name"), None, "rules.name is None: it must be the name of a rule set."),
        (("rules", "players"), 5, "rules: players is 5: it must be 2, 3 or 4."),
        (("rules", "hand"), 99, "rules: hand is 99: it must be from 1 to 7 with 4 players"),
        (("rules", "cat"), 1, "rules: unknown field of a rule set 'cat': "),
        (("rules", "set"), "double-nine", "rules: set is 'double-nine': exact61 is played with"),
        (("rules", "version"), 9, "rules: version is 9: only version 1 of exact61 can be replayed."),
        (("rules", "sides"), 3, "rules.sides is 3: it must be a list."),
        (("rules", "sides"), [0, 1.0, 0, 1], "rules.sides[1] is 1.0: it must be a whole number."),
        (("policies",), "random", "policies is 'random': it must be a list."),
        (("policies",), ["\x1b[1m", "b"], r"policies[0] is '\x1b[1m': it must be a name of printable"),
        (("policies",), ["a", "\ud800"], r"policies[1] is '\ud800': it must be a name of printable"),
        (("rules", "set"), [], "rules: set is []: exact61 is played with the double-six set."),
        (("seed",), "7", "seed is '7': it must be a whole number."),
        (("game",), None, "game is None: it must be a whole number."),
        (("rounds",), {}, "rounds is an object: it must be a list."),
        (("rounds", 0), 1, "rounds[0] is 1: it must be an object."),
        (("rounds", 0, "opener"), 4, "rounds[0].opener is 4: it must be from 0 to 3."),
        (("rounds", 0, "opener_by"), "dice", "rounds[0].opener_by is 'dice': it must be one of lot, out,"),
        (("rounds", 0, "hands"), [], "rounds[0].hands has 0 entries: it must have 4."),
        (("rounds", 0, "hands", 1, 2), "7-1",
         "rounds[0].hands[1][2]: '7-1' has a value above 6, the highest of the set."),
        (("rounds", 0, "hands", 1, 2), 5, "rounds[0].hands[1][2] is 5: it must be a text."),
        (("rounds", 0, "boneyard", 0), "x", "rounds[0].boneyard[0]: 'x' is no tile"),
        (("rounds", 0, "turns", 0, "move"), "6-", "rounds[0].turns[0].move: '6-' is no tile"),
        (("rounds", 0, "turns", 0, "seat"), True, "rounds[0].turns[0].seat is True: it must be a whole"),
        (("rounds", 0, "turns", 0, "accepted"), 1, "rounds[0].turns[0].accepted is 1: it must be true"),
        (("rounds", 0, "turns", 0, "points"), float("nan"), "rounds[0].turns[0].points is nan: it must be"),
        (("rounds", 0, "turns", 0, "scores"), [0], "rounds[0].turns[0].scores has 1 entries: it must have 2"),
        (("rounds", 0, "end"), "over", "rounds[0].end is 'over': it must be one of out, blocked, target."),
        (("rounds", 0, "pips", 0), 1.5, "rounds[0].pips[0] is 1.5: it must be a whole number."),
        (("winner",), 2, "winner is 2: it must be from 0 to 1."),
        (("guard",), None, "guard is None: it must be true or false."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence(line, path, value, sentence):
    with pytest.raises(CannotParse) as error:
        check_trace(tampered(line, *path, value=value))
    assert str(error.value).startswith(sentence)


def test_every_key_is_needed(line):
    paths = [(key,) for key in line]
    paths += [("rounds", 0, key) for key in line["rounds"][0]]
    paths += [("rounds", 0, "turns", 0, key) for key in line["rounds"][0]["turns"][0]]
    paths += [("rounds", 0, "settlement", 0, key) for key in line["rounds"][0]["settlement"][0]]
    for path in paths:
        with pytest.raises(CannotParse, match=f"{path[-1]} is missing|must be an object"):
            check_trace(without(line, *path))


@pytest.mark.parametrize("obj", [None, 1, "x", [], [1], True])
def test_a_value_that_is_no_object(obj):
    with pytest.raises(CannotParse, match=r"the line is .*: it must be an object"):
        check_trace(obj)


# --- files --------------------------------------------------------------------------------------


def test_a_file_of_good_and_bad_lines(tmp_path, line):
    bad = tampered(line, "rounds", 0, "turns", 0, "count", value=77)
    content = [
        b"\xef\xbb\xbf" + json.dumps(line).encode(),
        b"",
        b"{not json",
        json.dumps(bad).encode(),
        b"\xff\xfe",
        b"[" * 100_000,
        b"1" * 10_000,
        json.dumps({**line, "version": 3}).encode(),
        json.dumps(line).encode(),
    ]
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"\r\n".join(content))
    report = verify_file(path)
    assert (report.games, report.rounds) == (3, 3)
    assert [fault.text[:11] for fault in report.faults] == ["count is 77"]
    assert [number for number, _ in report.unreadable] == [3, 5, 6, 7, 8]
    assert report.unreadable[0][1].startswith("the line is not JSON: ")
    assert report.unreadable[1][1] == "the line is not UTF-8 text."
    assert report.unreadable[2][1] == "the line is not a trace: it is nested too deeply."
    assert report.unreadable[3][1] == "the line has a number that is too long to be read."


def test_an_empty_file_has_nothing_to_tell(tmp_path):
    path = tmp_path / "none.jsonl"
    path.write_bytes(b"")
    report = verify_file(path)
    assert (report.faults, report.unreadable, report.games) == ((), (), 0)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(FivesError, match=r"cannot read .*: no such file or directory"):
        verify_file(tmp_path / "none")
    with pytest.raises(FivesError, match=r"cannot read .*: is a directory"):
        verify_file(tmp_path)


# --- fuzz ---------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["6-3", "6-3@6", "6-6@6", "6-3@5", "0-0", "out", "lot", "target", "blocked"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
GAMES = [
    play_trace(rule_set("exact61", players=4, target=60), ["random"], 1, 0),
    play_trace(rule_set("allfives", players=3, target=40), ["random"], 2, 0),
    play_trace(rule_set("draw").replace(target=None), ["random"], 3, 0),
]


def paths_in(value, path=()):
    """Yield the path of everything inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths_in(item, (*path, key))


def readable_faults(obj):
    """Return the faults, or None where the object cannot be read; anything else raised is a failure."""
    try:
        return check_trace(obj)
    except CannotParse as error:
        return None if str(error).endswith((".", "?")) else [error]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_trace_never_raises(data):
    trace = copy.deepcopy(data.draw(st.sampled_from(GAMES)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths_in(trace))))
        if data.draw(st.booleans()):
            trace = tampered(trace, *path, value=data.draw(json_values))
        else:
            donor = data.draw(st.sampled_from(list(paths_in(trace))))
            value = trace
            for key in donor:
                value = value[key]
            trace = tampered(trace, *path, value=copy.deepcopy(value))
    faults = readable_faults(trace)
    assert faults is None or all(isinstance(fault, Fault) for fault in faults)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_value_is_refused_in_a_sentence(value):
    assert readable_faults(value) is None


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 10_000), st.booleans())
def test_damaged_bytes_never_raise(tmp_path_factory, junk, position, replaces):
    whole = json.dumps(GAMES[2]).encode()
    at = position % len(whole)
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_bytes(whole[:at] + junk + whole[at + (len(junk) if replaces else 0) :])
    report = verify_file(path)
    for _, sentence in report.unreadable:
        assert sentence.isprintable()
