"""Reads games typed as plain text: a head with the rules, then the rounds.

    rules: allfives
    players: 2
    names: Ana, Ben

    round
    opener: Ana
    hand Ana: 6-3 5-5 5-4 4-4 4-2 3-2 3-1 2-1 1-0
    left Ben: 6-0 2-2
    turns: 6-3, +2 6-6@6, 3-2@3,
           pass

A line is `key: value`; a value goes on in the lines that follow without a key of their own. `#` starts a
comment. `game` on a line of its own starts another game with the same head. docs/import.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.errors import FivesError, unknown
from analyzer.house import rules_of, sides_of
from analyzer.imports.written import Place, Tiles, WrittenGame, WrittenRound
from analyzer.notation import CannotParse, parse_tile, quoted
from analyzer.rulesets import DEFAULT_PLAYERS, RANGE_OF_FIELD, RuleSet
from analyzer.turnlist import TurnList, parse_turns, told

GAME, ROUND = "game", "round"
HEAD_KEYS = ("rules", "players", "names", "sides", "target")
SEAT_KEYS = ("hand", "drawn", "left")
ROUND_KEYS = ("opener", *SEAT_KEYS, "boneyard", "turns", "lot")
NO_TARGET = "none"
_ENTRY = re.compile(r"\s*(?P<key>[A-Za-z_]+)(?P<of>[^:]*):(?P<value>.*)")
_WORDS = re.compile(r"[^\s,;]+")


@dataclass
class _Entry:
    """A key with its value; `lines` of the value each with the place at which it begins."""

    key: str
    of: str
    place: Place
    lines: list[tuple[Place, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The value as one line."""
        return " ".join(text.strip() for _, text in self.lines).strip()

    def words(self) -> Iterator[tuple[str, Place]]:
        """Yield the words of the value, parted by blanks, commas or semicolons, with their places."""
        for (line, column), text in self.lines:
            for found in _WORDS.finditer(text):
                yield found[0], (line, column + found.start())


def read_movelist(text: str) -> list[WrittenGame]:
    """Return the games of a plain text move list.

    Raises
    ------
    CannotParse
        With line and column of what is wrong.
    """
    head, games = _parted(_entries(text))
    game = _Head(head).read()
    if not any(games):
        raise CannotParse("line 1, column 1: no round is written: begin each with a line that says round.")
    return [
        WrittenGame(game.rules, game.names, tuple(_round(entries, game) for entries in rounds))
        for rounds in games
        if rounds
    ]


def _entries(text: str) -> list[_Entry]:
    """Return the entries of a text; a line without a key goes on with the one before."""
    entries: list[_Entry] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.split("#", 1)[0].rstrip()
        if not line.strip():
            continue
        column = len(line) - len(line.lstrip()) + 1
        found = _ENTRY.fullmatch(line)
        if line.strip().lower() in (GAME, ROUND):
            entries.append(_Entry(line.strip().lower(), "", (number, column)))
        elif found is not None:
            entry = _Entry(found["key"].lower(), found["of"].strip(), (number, column))
            entry.lines.append(((number, found.start("value") + 1), found["value"]))
            entries.append(entry)
        elif entries and entries[-1].lines:
            entries[-1].lines.append(((number, 1), line))
        else:
            raise _wrong((number, column), f"{quoted(line.strip())} is no entry: write key: value")
    return entries


def _parted(entries: Sequence[_Entry]) -> tuple[list[_Entry], list[list[list[_Entry]]]]:
    """Return the head, and for each game the entries of its rounds, the line that begins the round first."""
    head: list[_Entry] = []
    games: list[list[list[_Entry]]] = [[]]
    for entry in entries:
        if entry.key == GAME:
            games.append([])
        elif entry.key == ROUND:
            games[-1].append([entry])
        elif games[-1]:
            games[-1][-1].append(entry)
        elif len(games) == 1:
            head.append(entry)
        else:
            raise _wrong(entry.place, f"{entry.key} stands before the game's first round")
    return head, games


@dataclass(frozen=True)
class _Game:
    rules: RuleSet
    names: tuple[str, ...]

    def seat(self, name: str, place: Place) -> int:
        """Return the seat of a name or a seat's number."""
        if name in self.names:
            return self.names.index(name)
        if name.isdecimal() and len(name) == 1 and int(name) < self.rules.players:
            return int(name)
        raise _wrong(place, f"{quoted(name)} is nobody at the table: name one of {', '.join(self.names)}")


class _Head:
    """The entries before the first round."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self.entries = _by_key(entries)

    def read(self) -> _Game:
        if "rules" not in self.entries:
            raise CannotParse(
                "line 1, column 1: no rule set is named: begin with a line such as rules: allfives."
            )
        fields: dict[str, Any] = {
            key: self._value(key) for key in self.entries if key not in ("rules", "names")
        }
        without_target = fields.get("target") == NO_TARGET
        if without_target:
            del fields["target"]
        try:
            rules = rules_of(self.entries["rules"].text, **fields)
        except FivesError as error:
            # a sentence about a field begins with its name
            about = self.entries.get(str(error).split()[0], self.entries["rules"])
            raise CannotParse(f"{told(about.place)}: {error}") from error
        rules = rules.replace(target=None) if without_target else rules
        return _Game(rules, self._names(rules.players))

    def _value(self, key: str) -> Any:
        text, place = self.entries[key].text, self.entries[key].place
        if key in ("name", "version"):
            raise _wrong(
                place, f"{key} is no rule: leave it out, or write house: and what the rules are called"
            )
        if key == "target" and text == NO_TARGET:
            return text
        if key == "sides" and text.isalpha():
            return self._named_sides(text, place)
        if key == "sides":
            return tuple(_whole(word, at) for word, at in self.entries[key].words())
        if key in ("players", "hand", "target", *RANGE_OF_FIELD):
            return _whole(text, place)
        if key not in RuleSet.__dataclass_fields__:
            raise CannotParse(f"{told(place)}: {unknown('key', key, [*HEAD_KEYS, ROUND])}")
        return text

    def _named_sides(self, text: str, place: Place) -> tuple[int, ...]:
        players = self._value("players") if "players" in self.entries else DEFAULT_PLAYERS
        try:
            return sides_of(text, players)
        except FivesError as error:
            raise CannotParse(f"{told(place)}: {error}") from error

    def _names(self, players: int) -> tuple[str, ...]:
        if "names" not in self.entries:
            return tuple(f"seat {seat}" for seat in range(players))
        entry = self.entries["names"]
        names = tuple(name.strip() for name in entry.text.split(","))
        if len(names) != players or not all(names) or len(set(names)) < players:
            raise _wrong(entry.place, f"names must be {players} different names, parted by commas")
        return names


def _by_key(entries: Sequence[_Entry]) -> dict[str, _Entry]:
    found: dict[str, _Entry] = {}
    for entry in entries:
        name = f"{entry.key} {entry.of}".strip()
        if name in found:
            raise _wrong(entry.place, f"{name} is given twice")
        found[name] = entry
    return found


def _round(entries: Sequence[_Entry], game: _Game) -> WrittenRound:
    begin = entries[0].place
    given = _by_key(entries[1:])
    of_seat: dict[str, dict[int, Tiles]] = {key: {} for key in SEAT_KEYS}
    places = {name: entry.place for name, entry in given.items()}
    for name, entry in given.items():
        if entry.key in SEAT_KEYS:
            seat = game.seat(entry.of, entry.place)
            if seat in of_seat[entry.key]:
                raise _wrong(entry.place, f"{name} is given twice")
            of_seat[entry.key][seat] = _tiles(entry, game.rules)
            places[f"{entry.key} {seat}"] = entry.place
        elif name not in ROUND_KEYS:
            raise CannotParse(f"{told(entry.place)}: {unknown('key', entry.key, [*ROUND_KEYS, ROUND, GAME])}")
    if "turns" not in given:
        raise _wrong(begin, "the round has no turns: write them after turns:")
    return WrittenRound(
        turns=_turns(given["turns"], game.rules),
        place=begin,
        opener=_seat(given, "opener", game),
        hands=of_seat["hand"],
        drawn=of_seat["drawn"],
        left=of_seat["left"],
        boneyard=_tiles(given["boneyard"], game.rules) if "boneyard" in given else None,
        lot=_seat(given, "lot", game),
        places=places,
    )


def _seat(given: Mapping[str, _Entry], key: str, game: _Game) -> int | None:
    return game.seat(given[key].text, given[key].place) if key in given else None


def _tiles(entry: _Entry, rules: RuleSet) -> Tiles:
    found = []
    for word, place in entry.words():
        try:
            found.append(parse_tile(word, rules.highest_pip))
        except CannotParse as error:
            raise CannotParse(f"{told(place)}: {error}") from error
    return tuple(found)


def _turns(entry: _Entry, rules: RuleSet) -> TurnList:
    """Return the turns with their places in the whole text."""
    first_line = entry.lines[0][0][0]
    rows = {line: " " * (column - 1) + text for (line, column), text in entry.lines}
    text = "\n".join(rows.get(line, "") for line in range(first_line, max(rows) + 1))
    turns = parse_turns(text, rules.highest_pip, first_line)
    if turns.drawing:
        raise _wrong(
            turns.places[-1], f"+{turns.drawing} stands alone: write what was played after it, or pass"
        )
    if not turns.turns:
        raise _wrong(entry.place, "the round has no turns: write them after turns:")
    return turns


def _whole(text: str, place: Place) -> int:
    if not text.isdecimal() or len(text) > 7:
        raise _wrong(place, f"{quoted(text)} is no whole number")
    return int(text)


def _wrong(place: Place, what: str) -> CannotParse:
    return CannotParse(f"{told(place)}: {what}.")
