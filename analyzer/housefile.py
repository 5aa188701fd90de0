"""Files of house rules: a rule set that differs from a named one in a few fields, written in TOML.

    base = "allfives"
    name = "Thursday club"        # else the file's own name
    summary = "Seven tiles, no spinner, to 150"
    spinner = "none"
    hand = 7
    target = 150

    [players.4]                   # what differs with four players
    hand = 5

The fields are those of `analyzer.rulesets.RuleSet`; that they exist and fit together is checked there. The
extra rule sets that come with the program are such files too; they also name their source and their choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError, shown
from analyzer.tomlfile import read_toml

BASE, PLAYERS, CHOICES = "base", "players", "choices"
TEXTS = ("name", "summary", "source")
NOT_HERE = {
    "version": "it is the base's own",
    "house": "write it as name",
}
MAX_LABEL = 60  # characters of a name


@dataclass(frozen=True)
class HouseFile:
    """What a file of house rules says.

    Attributes
    ----------
    base : the name of the rule set that it changes.
    name, summary : of the house rules; the summary may be empty.
    changed : fields and their values, whatever the number of players.
    by_players : further ones by the number of players.
    source : where the rules are from; may be empty.
    choices : what had to be decided, a sentence by field.
    """

    base: str
    name: str
    summary: str
    changed: Mapping[str, Any]
    by_players: Mapping[int, Mapping[str, Any]]
    source: str
    choices: Mapping[str, str]

    def fields(self, players: int) -> dict[str, Any]:
        """Return the fields that are changed with this number of players."""
        return {**self.changed, **self.by_players.get(players, {})}


def read_house_file(path: Path) -> HouseFile:
    """Return what a file of house rules says.

    Raises
    ------
    FivesError
        Where it cannot be read or is not in this form; the sentence names the file.
    """
    data = read_toml(path, "file of house rules")
    base = data.pop(BASE, None)
    if not isinstance(base, str):
        raise FivesError(f'{path}: no base is named: write base = "allfives", or another rule set.')
    texts = {key: data.pop(key) for key in TEXTS if key in data}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise FivesError(f"{path}: {key} is {shown(value)}: it must be a text.")
    choices = _choices(path, data.pop(CHOICES, {}))
    name = texts.get("name", path.stem)
    if not is_label(name):
        raise FivesError(
            f"{path}: name is {shown(name)}: write a name of at most {MAX_LABEL} printable characters."
        )
    by_players = _by_players(path, data.pop(PLAYERS, {}))
    for fields in (data, *by_players.values()):
        for field, why in NOT_HERE.items():
            if field in fields:
                raise FivesError(f"{path}: {field} cannot be set in a file: {why}.")
    return HouseFile(
        base=base,
        name=name,
        summary=texts.get("summary", ""),
        changed=data,
        by_players=by_players,
        source=texts.get("source", ""),
        choices=choices,
    )


def is_label(value: object) -> bool:
    """Whether a value can be what house rules are called."""
    is_text = isinstance(value, str) and value == value.strip() and value.isprintable()
    return is_text and 0 < len(str(value)) <= MAX_LABEL


def _table(path: Path, key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FivesError(f"{path}: {key} is {shown(value)}: it must be a table.")
    return value


def _choices(path: Path, value: object) -> dict[str, str]:
    choices = _table(path, CHOICES, value)
    for field, sentence in choices.items():
        if not isinstance(sentence, str):
            raise FivesError(f"{path}: the choice of {field} is {shown(sentence)}: it must be a text.")
    return choices


def _by_players(path: Path, value: object) -> dict[int, dict[str, Any]]:
    if not isinstance(value, dict):
        raise FivesError(
            f"{path}: players is {shown(value)}: give the number with --players, and what differs with it "
            "in a table such as [players.4]."
        )
    for number in value:
        if number not in ("2", "3", "4"):
            raise FivesError(f"{path}: there is no table [players.{number}]: a game has 2, 3 or 4.")
    return {int(number): _table(path, f"players.{number}", fields) for number, fields in value.items()}
