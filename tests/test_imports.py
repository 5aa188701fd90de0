"""Games typed by people become traces: the round trip of recorded games, and errors with line and column."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.imports.readers import import_text
from analyzer.notation import CannotParse
from analyzer.referee.reading import RoundRecord, read_trace
from analyzer.referee.replay import check_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.traces import trace
from analyzer.turnlist import Turn, format_turns
from tests.shell import fives, refusal

GAMES = [
    rule_set("exact61"),
    rule_set("exact61", players=4),
    rule_set("allfives", players=3),
    rule_set("partout5", players=2, set="double-nine"),
    rule_set("draw", players=4),
    rule_set("block", players=3),
    rule_set("muggins", players=4),
    rule_set("threes-and-fives"),
]


def written(obj: dict[str, Any], tells: str) -> str:
    """Return a trace as a move list that tells hands (h), draws (d), what is left (l), the boneyard (b)."""
    found = read_trace(obj)
    rules = found.rules
    lines = [f"rules: {rules.name}", f"players: {rules.players}", f"set: {rules.set}"]
    lines += ["target: none"] if rules.target is None else []
    lines += ["names: " + ", ".join(f"P{seat}" for seat in range(rules.players))]
    for round_ in found.rounds:
        lines += ["round", f"opener: P{round_.opener}"]
        lines += [line for seat in range(rules.players) for line in hands(round_, seat, tells)]
        lines += [f"boneyard: {' '.join(map(str, round_.boneyard))}"] if "b" in tells else []
        turns = [Turn(len(turn.drawn), turn.move) for turn in round_.turns]
        middle = len(turns) // 2
        lines += [
            f"turns: {format_turns(turns[:middle])},",
            f"   {format_turns(turns[middle:])}  # to the end",
        ]
    return "\n".join(lines)


def hands(round_: RoundRecord, seat: int, tells: str) -> list[str]:
    drawn = [tile for turn in round_.turns if turn.seat == seat for tile in turn.drawn]
    placed = {turn.move.tile for turn in round_.turns if turn.move is not None}
    left = [tile for tile in [*round_.hands[seat], *drawn] if tile not in placed]
    lines = [f"hand P{seat}: {' '.join(map(str, round_.hands[seat]))}"] if "h" in tells else []
    lines += [f"drawn P{seat}: {' '.join(map(str, drawn))}"] if "d" in tells and drawn else []
    return [*lines, f"left P{seat}: {' '.join(map(str, left))}"] if "l" in tells else lines


def without_players(obj: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in obj.items() if key not in ("policies", "seed")}


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.name}{rules.players}")
def test_a_recorded_game_comes_back_from_what_was_typed(rules: RuleSet) -> None:
    for game, obj in enumerate(trace(rules, "greedy", games=2, seed=11)):
        [whole] = import_text(written(obj, "hdb"))
        assert without_players(whole.trace) == without_players(obj | {"game": 0})
        assert whole.filled == 0
        for tells in ("l", "hl"):
            [found] = import_text(written(obj, tells), seed=game)
            assert check_trace(found.trace) == []
            assert found.trace["policies"] == [f"P{seat}" for seat in range(rules.players)]
            assert found.trace["scores"] == obj["scores"]
            assert [r["pips"] for r in found.trace["rounds"]] == [r["pips"] for r in obj["rounds"]]


@pytest.mark.parametrize("draw", ["one", "none"])
def test_house_rules_of_the_draw_are_kept(draw: str) -> None:
    rules = rule_set("allfives", draw=draw, hand=5).replace(target=None)
    for obj in trace(rules, "random", rounds=8, seed=2):
        text = written(obj, "l").replace("rules: allfives", f"rules: allfives\ndraw: {draw}\nhand: 5")
        [found] = import_text(text)
        assert check_trace(found.trace) == []
        assert found.trace["rounds"][0]["settlement"] == obj["rounds"][0]["settlement"]


OPENERS = ("opener_first", "opener_after_out", "opener_after_block")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "changes",
    [
        dict.fromkeys(OPENERS, "seat_in_turn"),
        dict.fromkeys(OPENERS, "highest_double"),
        {**dict.fromkeys(OPENERS, "highest_double"), "lead": "forced", "hand": 5},
        {"ties": "lot", "draw": "none", "hand": 5},
    ],
    ids=["turn", "double", "forced", "lot"],
)
def test_house_rules_of_openers_and_ties_are_kept(changes: dict[str, Any], players: int) -> None:
    rules = rule_set("allfives", players=players, **changes)
    head = "\n".join(["rules: allfives", *(f"{field}: {value}" for field, value in changes.items())])
    lots = 0
    for obj in trace(rules, "random", games=4, seed=11):
        for tells in ("hdb", "l"):
            text = written(obj, tells).replace("rules: allfives", head)
            text = with_lots(text, obj) if "ties" in changes else text
            lots += text.count("lot: ")
            [found] = import_text(text)
            assert check_trace(found.trace) == []
            assert found.trace["scores"] == obj["scores"]
            assert [r["opener"] for r in found.trace["rounds"]] == [r["opener"] for r in obj["rounds"]]
            if tells == "hdb":
                assert without_players(found.trace) == without_players(obj | {"game": 0})
                if rules.opener_first != "lot":  # the rules tell who opens
                    assert next(import_text(text.replace("opener: P", "# opener: P"))) == found
            if "lot: " in text:
                with pytest.raises(CannotParse, match="name the seat after lot:"):
                    list(import_text(text.replace("lot: ", "# lot: ")))
    assert (lots > 0) == ("ties" in changes)


def with_lots(text: str, obj: dict[str, Any]) -> str:
    """Return a move list that tells who won the lot of each block that is tied for least."""
    rules = rule_set("allfives", players=obj["rules"]["players"])
    head, *rounds = text.split("\nround\n")
    for number, round_ in enumerate(obj["rounds"]):
        held = [0] * rules.side_count
        for side, pips in zip(rules.sides, round_["pips"], strict=True):
            held[side] += pips
        if round_["end"] == "blocked" and held.count(min(held)) > 1:
            rounds[number] = f"lot: {round_['winner']}\n{rounds[number]}"  # side 0 has seat 0, side 1 seat 1
    return "\nround\n".join([head, *rounds])


def test_who_is_not_tied_has_not_won_the_lot() -> None:
    rules = rule_set("block", players=3, ties="lot", settlement_block="opponents").replace(target=None)
    for obj in trace(rules, "random", rounds=400, seed=3):
        pips = obj["rounds"][0]["pips"]
        if obj["rounds"][0]["end"] == "blocked" and pips.count(min(pips)) == 2:
            break
    head = "rules: block\nties: lot\nsettlement_block: opponents"
    text = written(obj, "hl").replace("rules: block", head)
    for seat, held in enumerate(pips):
        told = import_text(text.replace("turns:", f"lot: {seat}\nturns:"))
        if held == min(pips):
            assert next(told).trace["rounds"][0]["winner"] == seat
        else:
            with pytest.raises(CannotParse, match=f"seat {seat} is not tied for least"):
                next(told)


def test_a_filled_in_deal_lets_the_opener_open() -> None:
    """Only the turns are told: the opener must get the highest double, and lead it where that is forced."""
    for lead in ("any", "forced"):
        rules = rule_set("allfives", opener_first="highest_double", lead=lead).replace(target=None)
        for obj in trace(rules, "random", rounds=12, seed=5):
            text = written(obj, "").replace(
                "rules: allfives", f"rules: allfives\nopener_first: highest_double\nlead: {lead}"
            )
            [found] = import_text(text)
            assert check_trace(found.trace) == []


def test_a_file_of_house_rules_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('base = "allfives"\nname = "Club"\ndraw = "none"\nhand = 5\n')
    rules = rule_set("allfives", draw="none", hand=5).replace(target=None)
    [obj] = trace(rules, "random", rounds=1, seed=2)
    text = written(obj, "l").replace("rules: allfives", f"rules: {tmp_path / 'club.toml'}")
    [found] = import_text(text)
    assert check_trace(found.trace) == []
    assert (found.trace["rules"]["house"], found.trace["rules"]["hand"]) == ("Club", 5)


def test_rounds_without_a_target_are_traces_of_their_own() -> None:
    texts = [written(obj, "l") for obj in trace("draw", "random", rounds=3, seed=4)]
    one = "\n".join([texts[0], *(text[text.index("round") :] for text in texts[1:])])
    assert [item.trace["game"] for item in import_text(one)] == [0, 1, 2]


NIGHT = (Path(__file__).parents[1] / "docs" / "night.txt").read_text(encoding="utf-8")
HEAD = "rules: allfives\nnames: Ana, Ben\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("names: Ana, Ben", "line 1, column 1: no rule set is named"),
        (HEAD, "line 1, column 1: no round is written"),
        ("rules: allsixes\nround\nturns: 6-3", "line 1, column 1: unknown rule set 'allsixes'"),
        (
            "rules: allfives\nplayer: 2\nround\nturns: 6-3",
            "line 2, column 1: unknown key 'player'",
        ),
        ("rules: allfives\nplayers: two\nround\nturns: 6-3", "line 2, column 1: 'two' is no whole number"),
        (HEAD + "round\nturns: 6-3", "line 3, column 1: who opens this round is drawn by lot"),
        (HEAD + "round\nopener: Cid\nturns: 6-3", "line 4, column 1: 'Cid' is nobody at the table"),
        (HEAD + "round\nopener: Ana", "line 3, column 1: the round has no turns"),
        (HEAD + "round\nopener: Ana\nturns: 6-3,\n  6-x@6", "line 6, column 3: '6-x' is no tile"),
        (HEAD + "round\nopener: Ana\nturns: 6-3, 6-6@5", "line 5, column 13: 6-6@5 cannot be placed"),
        (HEAD + "round\nopener: Ana\nturns: 6-3, 5-4@5", "line 5, column 13: turn 2: 5-4@5 cannot be placed"),
        (HEAD + "round\nopener: Ana\nturns: 6-3, 6-6@6", "line 5, column 13: the round is not over"),
        (
            HEAD + "round\nopener: Ana\nturns: 6-3, pass",
            "line 5, column 13: turn 2: seat 1 passes after 0 drawn",
        ),
        (
            HEAD + "round\nopener: Ana\nhand Ana: 6-3 5-5\nturns: 6-3",
            "line 6, column 8: the round is not over",
        ),
        (HEAD + "round\nopener: Ana\nopener: Ben\nturns: 6-3", "line 5, column 1: opener is given twice"),
        (
            HEAD + "round\nopener: Ana\nhand Ana: 6-3 7-5\nturns: 6-3",
            "line 5, column 15: '7-5' has a value above",
        ),
        ("rules: allfives\nname: x\nround\nturns: 6-3", "line 2, column 1: name is no rule"),
        ("rules: allfives\nversion: 1\nround\nturns: 6-3", "line 2, column 1: version is no rule"),
        ("rules: allfives\nspinner: some\nround\nturns: 6-3", "line 2, column 1: spinner is 'some'"),
        ("rules: allfives\nsides: two\nround\nturns: 6-3", "line 2, column 1: sides is 'two'"),
        ("rules: allfives\nplayers: 3\nsides: partners\nround\nturns: 6-3", "line 3, column 1: sides is"),
        ("rules: none.toml\nround\nturns: 6-3", "line 1, column 1: cannot read none.toml"),
        ("rules: muggins\nround\nturns: 6-3", "line 2, column 1: who opens this round is who was dealt"),
        (
            "rules: block\nopener_first: seat_in_turn\nround\nopener: 1\nturns: 6-3",
            "line 4, column 1: seat 1",
        ),
        (
            NIGHT.replace("hand Ana: 6-4", "hand Ana:"),
            "line 9, column 1: hand of seat 0 has 8 tiles",
        ),
        (NIGHT.replace("0-0@0", "+ 0-0@0"), "line 11, column 22: '+ 0-0@0' is no turn"),
        (NIGHT.replace("0-0@0", "+99 0-0@0"), "line 11, column 22: +99 is more than any boneyard"),
        (NIGHT.replace("turns:", "lot: Ben\nturns:"), "line 11, column 1: no lot was drawn"),
        (NIGHT.replace("2-2 2-0 2-1", "2-2 2-0"), "line 10, column 1: left of seat 1 has 2 tiles"),
        ("hello there", "line 1, column 1: 'hello there' is no entry: write key: value"),
    ],
)
def test_errors_tell_line_and_column(text: str, said: str) -> None:
    with pytest.raises(CannotParse) as refused:
        list(import_text(text))
    assert str(refused.value).startswith(said)


def test_tiles_that_cannot_be_are_named() -> None:
    [obj] = trace(rule_set("allfives").replace(target=None), "greedy", rounds=1, seed=1)
    text = written(obj, "hl")
    hand = " ".join(obj["rounds"][0]["hands"][0])
    for wrong, said in [
        (f"{hand} {obj['rounds'][0]['boneyard'][-1]}", "hand of seat 0 has 10 tiles: it must have 9"),
        (f"{hand[:-3]}{hand[:3]}", "is twice in the tiles of seat 0"),
        (f"{hand[:-3]}{obj['rounds'][0]['hands'][1][0]}", "is in the tiles of two seats"),
        (f"{hand[:-3]}{obj['rounds'][0]['boneyard'][-1]}", "no deal is consistent"),
    ]:
        with pytest.raises(CannotParse, match=said):
            list(import_text(text.replace(f"hand P0: {hand}", f"hand P0: {wrong}")))


def test_the_example_of_the_docs_is_imported() -> None:
    example = Path(__file__).parents[1] / "docs" / "night.txt"
    done = fives("import", example)
    assert check_trace(json.loads(done.out)) == []
    page = (example.parent / "import.md").read_text(encoding="utf-8")
    assert all(line.strip() in page for line in example.read_text(encoding="utf-8").splitlines())


def test_a_file_is_imported_and_verified(tmp_path: Path) -> None:
    [obj] = trace(rule_set("exact61").replace(target=None), "careful", rounds=1, seed=1)
    (tmp_path / "night.txt").write_text("\ufeff" + written(obj, "").replace("\n", "\r\n"), encoding="utf-8")
    done = fives("import", tmp_path / "night.txt", "--out", tmp_path / "night.jsonl")
    assert (done.code, done.out) == (0, "")
    assert "were filled in with seed 1" in done.err
    assert fives("verify", tmp_path / "night.jsonl").code == 0
    assert json.loads(fives("import", tmp_path / "night.txt").out)["policies"] == ["P0", "P1"]
    assert refusal("import", tmp_path / "none.txt").endswith("no such file or directory.")
    assert refusal("import", tmp_path / "night.txt", "--format", "movlist").endswith("movelist?")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    assert refusal("import", tmp_path / "bad.txt").endswith("it is not UTF-8 text.")
    (tmp_path / "bad.txt").write_text("rules: exact61\nround\nturns: x", encoding="utf-8")
    assert "bad.txt, line 3, column 8: 'x' is no tile" in refusal("import", tmp_path / "bad.txt")
