"""House rules from files: rule sets that differ from a named one in a few fields (`analyzer.housefile`).

Where a name of a rule set is expected a path may stand: a word that ends in .toml or has a slash. What is
built is a `RuleSet` like any other: it holds every field, so that nothing depends on the file later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError, shown
from analyzer.grid import PARTNERS as WITH_PARTNERS
from analyzer.grid import SINGLE
from analyzer.housefile import HouseFile, read_house_file
from analyzer.rulesets import DEFAULT_PLAYERS, PARTNERS, PLAYERS, RuleSet, rule_set, unknown_field

SUFFIX = ".toml"


def is_file(text: str) -> bool:
    """Whether a word is the path of a file of house rules and no name of a rule set."""
    return text.endswith(SUFFIX) or "/" in text or "\\" in text


def house_rules(
    path: str | Path,
    /,
    *,
    players: int = DEFAULT_PLAYERS,
    set: str | None = None,
    hand: int | None = None,
    target: int | None = None,
    sides: Sequence[int] | None = None,
    **changes: Any,
) -> RuleSet:
    """Return the rule set of a file of house rules for a number of players, with any field changed.

    Parameters
    ----------
    path : a TOML file: `base`, the fields that differ, and in tables such as [players.4] what else does then.
    players, set, hand, target, sides, changes : as for `rule_set`; they go before the file.

    Raises
    ------
    FivesError
        Where the file cannot be read, or a field is unknown or out of range; it names the file.
    """
    house = read_house_file(Path(path))
    with naming(path):
        _check_choices(house)
        _check_tables(house, players)
        own = {"set": set, "hand": hand, "target": target, "sides": sides, **changes}
        fields = {
            **fields_of(house, players),
            **{field: value for field, value in own.items() if value is not None},
        }
        return rule_set(house.base, players=players, house=house.name, **fields)


def _check_choices(house: HouseFile) -> None:
    for field in house.choices:
        if field not in RuleSet.__dataclass_fields__:
            raise unknown_field(field)


def _check_tables(house: HouseFile, players: int) -> None:
    """Refuse mistakes in the tables of other numbers of players, too."""
    for number in house.by_players:
        if number != players:
            with naming(f"[players.{number}]"):
                rule_set(house.base, players=number, house=house.name, **fields_of(house, number))


def rules_of(text: str, **fields: Any) -> RuleSet:
    """Return the rule set of a name or of a file; the fields are as for `rule_set`."""
    return house_rules(text, **fields) if is_file(text) else rule_set(text, **fields)


def sweep_base(
    text: str, players: int, varied: Collection[str], by_games: bool
) -> tuple[str, dict[str, Any]]:
    """Return the name of a rule set and the fields of every cell of a sweep over it, or over a file's rules.

    Parameters
    ----------
    players : those of the cells where they are not varied.
    varied : fields that the sweep varies; they go before the file.
    by_games : whether games are played; else the file's target is left out.

    Raises
    ------
    FivesError
        Where players are varied and the file has tables by their number.
    """
    if not is_file(text):
        return text, {}
    house = read_house_file(Path(text))
    if "players" in varied and house.by_players:
        raise FivesError(
            f"{text} differs by the number of players: vary something else, or use another file."
        )
    with naming(text):
        fields = fields_of(house, players)
    if "sides" in fields:
        fields["sides"] = WITH_PARTNERS if tuple(fields["sides"]) == PARTNERS else SINGLE
    without = {*varied} if by_games else {*varied, "target"}
    return house.base, {field: value for field, value in fields.items() if field not in without}


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Put the file in front of the sentence of a mistake."""
    try:
        yield
    except FivesError as error:
        raise FivesError(f"{path}: {error}") from error


def fields_of(house: HouseFile, players: int) -> dict[str, Any]:
    """Return the fields that a file changes with this number of players, `sides` as a tuple."""
    fields = house.fields(players)
    if "sides" in fields:
        fields["sides"] = sides_of(fields["sides"], players)
    return fields


def sides_of(value: object, players: int) -> tuple[int, ...]:
    """Return each seat's side from a list of sides or a word; FivesError for anything else."""
    if value == WITH_PARTNERS:
        return PARTNERS
    if value == SINGLE and players in PLAYERS:
        return tuple(range(players))
    if isinstance(value, list):
        return tuple(value)
    raise FivesError(f"sides is {shown(value)}: it must be {WITH_PARTNERS!r}, {SINGLE!r} or a list of sides.")
