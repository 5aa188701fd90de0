"""What a seat knows: every recorded turn is a position, and what contradicts itself is named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import pytest

from analyzer.errors import FivesError
from analyzer.notation import CannotParse, Tile, parse_tile
from analyzer.positions import Position, position_at
from analyzer.referee.reading import RoundRecord, read_trace
from analyzer.rulesets import RuleSet, rule_set
from analyzer.traces import trace
from analyzer.turnlist import Turn, TurnList, format_turns, parse_turns

SETS = [
    rule_set("exact61"),
    rule_set("exact61", players=4),
    rule_set("allfives", players=3),
    rule_set("allfives", draw="one", hand=5),
    rule_set("draw", players=4, draw="none", hand=6),
    rule_set("partout5", set="double-nine", reserve=2),
    rule_set("muggins", players=3),
]


def rounds_of(rules: RuleSet, games: int = 6) -> Iterator[RoundRecord]:
    for obj in trace(rules, "random", rounds=games, seed=3):
        yield from read_trace(obj).rounds


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(word) for word in text.split())


def turns(text: str) -> TurnList:
    return parse_turns(text, 6)


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: f"{rules.name}{rules.players}{rules.draw}")
def test_every_recorded_turn_is_a_position(rules: RuleSet) -> None:
    rules = rules.replace(target=None)
    seen = 0
    for round_ in rounds_of(rules):
        for number, turn in enumerate(round_.turns):
            found = position_at(rules, round_, number)
            assert (found is None) == (turn.move is None)
            if found is None:
                continue
            seen += 1
            assert turn.move in found.placements
            assert dataclasses.replace(found, drawn=None).placements == found.placements
            others = sum(size for seat, size in enumerate(found.hand_sizes) if seat != found.seat)
            assert len(found.unseen) == others + found.boneyard
            written = format_turns(found.turns, found.drawing)
            read = parse_turns(written, rules.highest_pip)
            assert (read.turns, read.drawing) == (found.turns, found.drawing)
    assert seen > 30


def test_a_turn_list_tells_where_it_is_wrong() -> None:
    assert turns("6-3, +2 6-6@6\n PASS ;+1 pass") == TurnList(
        (Turn(0, turns("6-3").turns[0].move), *turns("+2 6-6@6").turns, Turn(0, None), Turn(1, None)),
        0,
        ((1, 1), (1, 6), (2, 2), (2, 8)),
    )
    assert turns("6-3, +2").drawing == 2
    for text, said in [
        ("6-3, 6-x@6", "line 1, column 6: '6-x' is no tile"),
        ("6-3\n  6-7@6", "line 2, column 3: '6-7' has a value above 6"),
        ("6-3, +2, pass", "line 1, column 6: +2 stands alone"),
        ("6-3, +x 6-6@6", "line 1, column 6: '+x 6-6@6' is no turn"),
        ("6-3, +99 pass", "line 1, column 6: +99 is more than any boneyard holds"),
        ("6-3, 5-4@6", "line 1, column 6: 5-4@6 cannot be placed"),
    ]:
        with pytest.raises(FivesError, match=said.replace("+", r"\+")):
            turns(text)
    with pytest.raises(CannotParse):
        turns("6-3 6-6@6")


def test_an_opener_by_the_highest_double_is_known_from_the_record() -> None:
    for round_ in rounds_of(rule_set("muggins", players=3)):
        found = [
            position_at(rule_set("muggins", players=3), round_, turn) for turn in range(len(round_.turns))
        ]
        assert all(position.by_highest for position in found if position is not None)
        assert len(found[0].placements) == 1, "the lead is forced"
        for position in found:
            if position is not None:
                assert sorted(position.dealt) == sorted(round_.hands[position.seat])
                assert dataclasses.replace(position, drawn=None).dealt in (None, position.dealt)


@pytest.mark.parametrize(
    ("lead", "text", "hand", "drawn", "said"),
    [
        ("forced", "5-5", "6-6 6-5 4-1", None, "seat 1 was dealt 6-6, so seat 0 was not dealt the tile"),
        (
            "forced",
            "5-5, 5-4@5-5",
            "5-2 6-6",
            None,
            "seat 0 leads 5-5, but must lead 6-6, its highest",
        ),
        ("forced", "5-4", "1-1 6-5 4-1", None, "seat 1 was dealt 1-1, so seat 0 was not dealt"),
        ("any", "5-4", "6-6 6-5 4-1", None, "seat 1 was dealt 6-6, so seat 0 was not dealt the tile"),
        ("any", "5-4", "5-5 6-5 4-1", None, ""),
        ("any", "5-5, 5-4@5-5", "5-2 6-6", None, ""),
        ("any", "4-0, +2 4-1@4, 5-1@1", "6-6 6-2 3-2 5-2", None, "name the tiles that it drew"),
        ("any", "4-0, +2 4-1@4, 5-1@1", "6-6 6-2 3-2 5-2", "5-2 4-1", "seat 1 was dealt 6-6"),
        ("any", "4-0, +2 4-1@4, 5-1@1", "6-6 6-2 3-2 5-2", "6-6 4-1", ""),
        ("forced", "4-4, +2 4-1@4-4, 5-1@1", "6-6 6-2 3-2 5-2", None, ""),
        ("forced", "4-4, +2 4-1@4-4, 5-1@1", "6-6 6-2 3-2 5-2", "6-2 4-1", "seat 1 was dealt 6-6"),
    ],
)
def test_an_opener_by_the_highest_double_must_have_had_it(
    lead: str, text: str, hand: str, drawn: str | None, said: str
) -> None:
    rules = rule_set("allfives", hand=3, lead=lead, opener_first="highest_double")
    read = turns(text)
    own = None if drawn is None else tiles(drawn)

    def position() -> Position:
        seat = len(read.turns) % 2
        return Position(rules, 0, seat, tiles(hand), read.turns, read.drawing, own, by_highest=True)

    if not said:
        assert position().placements
        return
    with pytest.raises(FivesError, match=said):
        position()


def told(text: str, hand: str, drawn: str | None = None, **changes: object) -> str:
    """Return the sentence that refuses a position of exact61 with two players; seat 0 opens."""
    rules = rule_set("exact61").replace(**changes)
    read = turns(text)
    own = None if drawn is None else tiles(drawn)
    with pytest.raises(FivesError) as refused:
        Position(rules, 0, len(read.turns) % 2, tiles(hand), read.turns, read.drawing, own)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "hand", "said"),
    [
        ("6-3", "5-5 5-4 4-4 4-2 6-3", "6-3 is in the hand, but lies on the table already"),
        ("6-3", "5-5 5-5 4-4 4-2 6-2", "5-5 is twice in the hand"),
        ("6-3", "9-1 5-4 4-4 4-2 6-2", "9-1 is not in the double-six set"),
        ("6-3", "5-5 5-4 4-4 6-2", "the hand has 4 tiles, but seat 1 holds 5"),
        ("6-3", "5-5 5-4 4-4 4-2 5-2", "seat 1 has no placement"),
        ("6-3, 5-4@5", "5-5 4-3 4-4 6-2", "turn 2: 5-4@5 cannot be placed: the open places are 3, 6"),
        ("6-3, 6-6@6, 6-6@6", "5-5 5-4 4-4 6-2", "turn 3: 6-6@6 cannot be placed, since 6-6 lies already"),
        ("pass", "5-5 5-4 4-4 4-2 6-2", "turn 1: seat 0 opens the round"),
        ("+2 6-3", "5-5 5-4 4-4 4-2 6-2", "turn 1: seat 0 opens the round"),
        ("6-3, pass", "5-5 5-4 4-4 6-2", "turn 2: seat 1 passes after 0 drawn, but must draw"),
        ("6-3, +19 6-6@6", "5-5 5-4 4-4 6-2", "turn 2: seat 1 draws 19, but only 18 can be drawn"),
        (
            "6-3, +18 pass, 6-6@6, 6-2@6-6",
            "5-5 5-4 4-4",
            "turn 4: seat 1 plays 6-2, but had no tile that fits at turn 2",
        ),
    ],
)
def test_contradictions_on_the_table_are_named(text: str, hand: str, said: str) -> None:
    assert said in told(text, hand)


def test_a_seat_cannot_draw_with_a_tile_that_fits() -> None:
    said = told("6-3, +2 6-6@6", "5-5 5-4 4-4 4-2 6-2", drawn=None)
    assert said == "the hand has 5 tiles, but seat 0 holds 4 after these turns."
    # seat 0 led 6-3, then drew 3-0 and played it, though it held 6-1 all the time
    text = "6-3, 6-6@6, +1 3-0@3, 0-0@0"
    assert "seat 0 draws or passes while it holds 6-1" in told(text, "6-1 5-5 4-4 4-2")
    assert "3-0 is named as the last tile" not in told(text, "6-1 5-5 4-4 4-2", drawn="3-0")
    assert "5-5 is named as the last tile drawn, and not 3-0" in told(text, "5-1 5-5 4-4 4-2", drawn="5-5")
    assert "1 drawn tiles are named, but seat 0 drew 2" in told(
        "6-3, 6-6@6, +2 3-0@3, 0-0@0", "5-1 5-5 4-4 4-2 5-2", drawn="3-0"
    )
    assert "6-1 is named as drawn, but it fits" in told(
        "6-3, 6-6@6, +2 3-0@3, 0-0@0", "6-1 5-5 4-4 4-2 5-2", drawn="6-1 3-0"
    )


def test_after_a_draw_only_the_last_tile_fits() -> None:
    rules, read = rule_set("exact61"), turns("6-3, +2")
    position = Position(rules, 0, 1, tiles("5-5 5-4 4-4 4-2 2-2 1-1 6-2"), read.turns, read.drawing)
    assert [str(move) for move in position.placements] == ["6-2@6"]
    assert position.hand_sizes == (4, 7)
    assert position.boneyard == 16
    assert "6-2 is named as drawn, but it fits" in told(
        "6-3, +2", "5-5 5-4 4-4 4-2 2-2 1-1 6-2", drawn="6-2 1-1"
    )


def test_seats_and_scores_are_checked() -> None:
    rules, hand = rule_set("exact61"), tiles("6-3 5-5 4-4 4-2 6-2")
    with pytest.raises(FivesError, match="after 0 turns from seat 1 on seat 1 is to play"):
        Position(rules, 1, 0, hand)
    with pytest.raises(FivesError, match="opener is 2: it must be a seat from 0 to 1"):
        Position(rules, 2, 0, hand)
    for scores, said in [
        ((305, 0), "the score of side 0 is 305: at the target of 305 the game is over"),
        ((0, 310), "the score of side 1 is 310: at the target"),
        ((0,), "1 scores"),
        ((0.25, 0), "is 0.25: it must be a multiple of 5"),
        ((0, 291), "the score of side 1 is 291: it must be a multiple of 5, as every gain is"),
        ((-5, 0), "none falls below 0"),
    ]:
        with pytest.raises(FivesError, match=said):
            Position(rules, 0, 0, hand, scores=scores)  # type: ignore[arg-type]


def test_scores_may_be_what_debits_and_shared_gains_make_of_them() -> None:
    """Four partners can stand below zero, and of three the two that share a block gain 2.5 of every five."""
    four = Position(rule_set("exact61", players=4), 0, 0, tiles("6-3 5-5 4-4 4-2 6-2"), scores=(-50, 0))  # type: ignore[arg-type]
    assert four.scores == (-50, 0)
    three = rule_set("allfives", players=3)
    hand = tiles("6-3 5-5 4-4 4-2 6-2 1-0 3-2")
    assert Position(three, 0, 0, hand, scores=(Fraction(5, 2), Fraction(0), Fraction(5))).scores[0] == 2.5
    with pytest.raises(FivesError, match=r"the score of side 2 is 7: it must be a multiple of 2\.5"):
        Position(three, 0, 0, hand, scores=(Fraction(0), Fraction(0), Fraction(7)))


def test_no_turn_follows_the_end_of_a_round() -> None:
    rules = rule_set("draw", hand=1, draw="none").replace(target=None)
    with pytest.raises(FivesError, match="turn 2: the round is over, since seat 0 went out"):
        Position(rules, 0, 0, tiles("6-6"), turns("6-3, pass").turns)
    with pytest.raises(FivesError, match="the round is over, since all have passed"):
        Position(rules.replace(hand=2), 0, 1, tiles("6-6"), turns("6-3, pass, pass").turns)
