"""Trace objects read into typed records, so that the replay meets no surprise.

What cannot be read at all (a key missing, a value of the wrong type, no tile, a seat that does not
exist) is a `CannotParse` with one sentence. What can be read but breaks the rules is left to the replay.
Keys that the schema does not name are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from analyzer.errors import FivesError
from analyzer.notation import CannotParse, Move, NotLegal, Tile, parse_move, parse_tile, quoted
from analyzer.referee.events import Scores, no_scores
from analyzer.referee.record import FORMAT, VERSION
from analyzer.rulesets import RuleSet, rule_set

ENDS = ("out", "blocked", "target")
OPENER_LABELS = ("lot", "out", "last_tile", "highest_double", "seat_in_turn", "given")
MOST_POINTS = 10**12  # no game comes near; a larger number is a slip, and slow to work with

T = TypeVar("T")


@dataclass(frozen=True)
class TurnRecord:
    """One turn as written. `illegal` is the sentence about a move whose tile does not fit its place."""

    seat: int
    drawn: tuple[Tile, ...]
    move: Move | None
    illegal: str | None
    count: int | None
    points: Fraction
    accepted: bool | None
    scores: Scores

    @property
    def is_pass(self) -> bool:
        """Whether the turn is written as a pass."""
        return self.move is None and self.illegal is None


@dataclass(frozen=True)
class EventRecord:
    """One event of a settlement as written; raw points."""

    side: int
    seat: int
    play: Fraction
    credit: Fraction
    debit: Fraction
    net: Fraction
    accepted: bool | None
    scores: Scores


@dataclass(frozen=True)
class RoundRecord:
    """One round as written."""

    opener: int
    opener_by: str
    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    turns: tuple[TurnRecord, ...]
    end: str
    pips: tuple[int, ...]
    winner: int | None
    settlement: tuple[EventRecord, ...]


@dataclass(frozen=True)
class Trace:
    """One game, or one single round, as written."""

    rules: RuleSet
    game: int
    rounds: tuple[RoundRecord, ...]
    scores: Scores
    winner: int | None
    guard: bool
    start: Scores  # raw points of each side when the game began


def read_trace(obj: object) -> Trace:
    """Return the trace that a JSON value holds.

    Raises
    ------
    CannotParse
        Where it is no trace of this format and version; the sentence says what is wrong, and where.
    """
    top = _Reader(_object(obj, "the line"), "")
    if top.value("format") != FORMAT:
        raise CannotParse(f"format is {quoted(top.value('format'))}: only {FORMAT} can be read.")
    version = top.value("version")
    if isinstance(version, bool) or version != VERSION:
        raise CannotParse(f"version is {quoted(version)}: only version {VERSION} of {FORMAT} can be read.")
    rules = read_rules(top.value("rules"))
    top.check_unjudged()
    return Trace(
        rules=rules,
        game=top.whole("game"),
        rounds=tuple(top.items("rounds", lambda item, where: _read_round(item, where, rules))),
        scores=top.scores("scores", rules),
        winner=top.optional_index("winner", rules.side_count),
        guard=top.truth("guard") if "guard" in top.fields else False,
        start=top.scores("start", rules) if "start" in top.fields else no_scores(rules),
    )


def read_rules(obj: object) -> RuleSet:
    """Return the rule set that a trace's `rules` object names; CannotParse where it names none."""
    fields = dict(_object(obj, "rules"))
    name, players = fields.pop("name", None), fields.pop("players", None)
    if not isinstance(name, str):
        raise CannotParse(f"rules.name is {quoted(name)}: it must be the name of a rule set.")
    if "sides" in fields:
        sides = _Reader(fields, "rules.").items("sides", _as_int)
        fields["sides"] = tuple(sides)
    without_target = "target" in fields and fields["target"] is None
    try:
        named = rule_set(name, players=players, set=fields.pop("set", None))
        _check_version(named, fields)
        if without_target:
            fields["target"] = None
        return named.replace(**fields)
    except FivesError as error:
        raise CannotParse(f"rules: {error}") from error


def _check_version(named: RuleSet, fields: dict[str, Any]) -> None:
    version = fields.get("version", named.version)
    if isinstance(version, bool) or version != named.version:
        raise CannotParse(
            f"version is {quoted(version)}: only version {named.version} of {named.name} can be replayed."
        )


def _read_round(item: object, where: str, rules: RuleSet) -> RoundRecord:
    reader = _Reader(_object(item, where), f"{where}.")
    tile = _tile_reader(rules)
    return RoundRecord(
        opener=reader.index("opener", rules.players),
        opener_by=reader.choice("opener_by", OPENER_LABELS),
        hands=tuple(
            tuple(hand)
            for hand in reader.items("hands", lambda hand, at: _as_list(hand, at, tile), rules.players)
        ),
        boneyard=tuple(reader.items("boneyard", tile)),
        turns=tuple(reader.items("turns", lambda turn, at: _read_turn(turn, at, rules))),
        end=reader.choice("end", ENDS),
        pips=tuple(reader.items("pips", _as_int, rules.players)),
        winner=reader.optional_index("winner", rules.side_count),
        settlement=tuple(reader.items("settlement", lambda event, at: _read_event(event, at, rules))),
    )


def _read_turn(item: object, where: str, rules: RuleSet) -> TurnRecord:
    reader = _Reader(_object(item, where), f"{where}.")
    move, illegal = _read_move(reader, rules)
    count = reader.value("count")
    return TurnRecord(
        seat=reader.index("seat", rules.players),
        drawn=tuple(reader.items("drawn", _tile_reader(rules))),
        move=move,
        illegal=illegal,
        count=None if count is None else reader.whole("count"),
        points=reader.number("points"),
        accepted=reader.optional_truth("accepted"),
        scores=reader.scores("scores", rules),
    )


def _read_move(reader: _Reader, rules: RuleSet) -> tuple[Move | None, str | None]:
    """Return a turn's move, or the sentence about one that can be read but does not fit its place."""
    where = f"{reader.where}move"
    if reader.value("move") is None:
        return None, None
    text = _as_text(reader.value("move"), where)
    try:
        return parse_move(text, rules.highest_pip), None
    except NotLegal as error:
        return None, str(error)
    except CannotParse as error:
        raise CannotParse(f"{where}: {error}") from error


def _read_event(item: object, where: str, rules: RuleSet) -> EventRecord:
    reader = _Reader(_object(item, where), f"{where}.")
    return EventRecord(
        side=reader.index("side", rules.side_count),
        seat=reader.index("seat", rules.players),
        play=reader.number("play"),
        credit=reader.number("credit"),
        debit=reader.number("debit"),
        net=reader.number("net"),
        accepted=reader.optional_truth("accepted"),
        scores=reader.scores("scores", rules),
    )


def _tile_reader(rules: RuleSet) -> Callable[[object, str], Tile]:
    def read(value: object, where: str) -> Tile:
        text = _as_text(value, where)
        try:
            return parse_tile(text, rules.highest_pip)
        except CannotParse as error:
            raise CannotParse(f"{where}: {error}") from error

    return read


class _Reader:
    """The fields of one JSON object; `where` is its path in the trace, for the sentences."""

    def __init__(self, fields: dict[str, Any], where: str) -> None:
        self.fields = fields
        self.where = where

    def value(self, key: str) -> Any:
        if key not in self.fields:
            raise CannotParse(f"{self.where}{key} is missing: a trace must have it.")
        return self.fields[key]

    def whole(self, key: str) -> int:
        return _as_int(self.value(key), self.where + key)

    def number(self, key: str) -> Fraction:
        return _as_number(self.value(key), self.where + key)

    def truth(self, key: str) -> bool:
        value = self.value(key)
        return value if isinstance(value, bool) else _wrong(self.where + key, value, "true or false")

    def optional_truth(self, key: str) -> bool | None:
        return None if self.value(key) is None else self.truth(key)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.value(key)
        if isinstance(value, str) and value in choices:
            return value
        return _wrong(self.where + key, value, "one of " + ", ".join(choices))

    def index(self, key: str, size: int) -> int:
        """Return a seat or a side, a whole number below `size`."""
        value = self.whole(key)
        return value if 0 <= value < size else _wrong(self.where + key, value, f"from 0 to {size - 1}")

    def optional_index(self, key: str, size: int) -> int | None:
        return None if self.value(key) is None else self.index(key, size)

    def items(self, key: str, read: Callable[[object, str], T], size: int | None = None) -> list[T]:
        """Return a list whose items `read` understands; of `size` items, where that is given."""
        items = _as_list(self.value(key), self.where + key, read)
        if size is not None and len(items) != size:
            raise CannotParse(f"{self.where}{key} has {len(items)} entries: it must have {size}.")
        return items

    def scores(self, key: str, rules: RuleSet) -> Scores:
        return tuple(self.items(key, _as_number, rules.side_count))

    def check_unjudged(self) -> None:
        """Check the types of what a replay does not use: who played, and the seed."""
        if self.value("policies") is not None:
            self.items("policies", _as_name)
        if self.value("seed") is not None:
            self.whole("seed")


def _wrong(where: str, value: object, allowed: str) -> NoReturn:
    raise CannotParse(f"{where} is {quoted(value)}: it must be {allowed}.")


def _object(value: object, where: str) -> dict[str, Any]:
    return value if isinstance(value, dict) else _wrong(where, value, "an object")


def _as_list(value: object, where: str, read: Callable[[object, str], T]) -> list[T]:
    if not isinstance(value, list):
        _wrong(where, value, "a list")
    return [read(item, f"{where}[{index}]") for index, item in enumerate(value)]


def _as_text(value: object, where: str) -> str:
    return value if isinstance(value, str) else _wrong(where, value, "a text")


def _as_name(value: object, where: str) -> str:
    """Return a text that a screen can show: a name that steers a terminal, or is no Unicode, is none."""
    name = _as_text(value, where)
    return name if name.isprintable() else _wrong(where, name, "a name of printable characters")


def _as_int(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        _wrong(where, value, "a whole number")
    return value


def _as_number(value: object, where: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _wrong(where, value, "a number")
    if not abs(value) <= MOST_POINTS:  # refuses NaN too
        _wrong(where, value, f"a number of raw points from -{MOST_POINTS} to {MOST_POINTS}")
    return Fraction(value)
