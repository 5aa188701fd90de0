"""The rule sets: every rule a field, each with its unit, its source and the choice made where that is silent.

A `RuleSet` is frozen and valid: it cannot be built with a field out of range. Build one with
`rule_set("exact61", players=4)` and vary it with `rules.replace(target=200)`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError, shown, unknown
from analyzer.housefile import MAX_LABEL, HouseFile, is_label, read_house_file

TILES_IN_SET = {"double-six": 28, "double-nine": 55}
HIGHEST_PIP = {"double-six": 6, "double-nine": 9}
PLAYERS = (2, 3, 4)
PARTNERS = (0, 1, 0, 1)
MAX_TARGET = 1_000_000
MAX_GUARD = 1_000_000
MAX_MULTIPLE = 100
NAMING = ("name", "version", "house")  # what a rule set is called; all other fields are rules
FIVE = 5  # what settlements are rounded to, and the raw points in a shown point

CHOICES_OF_FIELD: dict[str, tuple[str, ...]] = {
    "set": ("double-six", "double-nine"),
    "spinner": ("none", "first", "all"),
    "target_kind": ("exact", "reach"),
    "points": ("raw", "divided"),
    "settlement_out": ("none", "opponents", "one"),
    "settlement_block": ("none", "opponents", "less_own", "differences", "hand_differences"),
    "rounding": ("none", "nearest", "down"),
    "rounding_of": ("sum", "hand"),
    "partner": ("ignored", "debited"),
    "last_play": ("before", "with"),
    "ties": ("none", "split", "lot"),
    "opener_first": ("lot", "highest_double", "seat_in_turn"),
    "opener_after_out": ("lot", "out", "last_tile", "highest_double", "seat_in_turn"),
    "opener_after_block": ("lot", "last_tile", "highest_double", "seat_in_turn"),
    "lead": ("any", "forced"),
    "draw": ("none", "one", "until_playable"),
}
RANGE_OF_FIELD: dict[str, tuple[int, int]] = {
    "score_multiple": (0, MAX_MULTIPLE),
    "second_multiple": (0, MAX_MULTIPLE),
    "reserve": (0, 54),
    "round_guard": (1, MAX_GUARD),
}


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """One complete set of rules for a number of players.

    Attributes
    ----------
    name, version : the named set it comes from; the version changes only when its behaviour does.
    house : what house rules call themselves; None for a named set as it is.
    set : "double-six" (28 tiles) or "double-nine" (55 tiles).
    players : seats, 2 to 4.
    sides : the side of each seat: (0, 1, ..) when all play for themselves, (0, 1, 0, 1) for partners.
    hand : tiles dealt to each seat.
    spinner : which doubles have four sides: "none", "first" (the first double of the round) or "all".
    score_multiple : a play scores where the count is a positive multiple of this; 0: plays score nothing.
    second_multiple : another such number, 0 for none; a count that both divide scores for both.
    points : "raw": a multiple scores the count; "divided": it scores the count divided by the number, and
        settlements count the fives in the pips.
    target : points that win the game, raw where points are raw; None: no target.
    target_kind : "exact" (a gain that would pass the target is refused) or "reach" (reach or pass).
    settlement_out : what the side that went out is credited: "none", "opponents" (all opponents' pips) or
        "one" (one point).
    settlement_block : "none", or what the unique lightest side is credited: "opponents" (its opponents'
        pips), "less_own" (these less its own pips) or "differences" (what each other side has more, added
        up); or "hand_differences" (each hand is credited its differences to heavier opposing hands).
    rounding : to multiples of five: "none", "nearest" or "down".
    rounding_of : the settlement's "sum" is rounded once, or each "hand" (or difference) on its own.
    partner : after an out, the partner's pips are "ignored" or "debited".
    last_play : a last play's points come "before" the settlement, or "with" it as one event.
    ties : a block with a tie for least: "none" (nobody gains), "split" (exactly two tied sides that have
        somebody to win from get half each) or "lot" (one of them, drawn by lot, wins the round).
    opener_first, opener_after_out, opener_after_block : "lot", "out" (who went out), "last_tile" (who placed
        it), "highest_double" (who is dealt it; where nobody has a double the heaviest tile, of two with
        equal pips the one with the higher half) or "seat_in_turn" (seat 0 first, then the next clockwise).
    lead : "any" tile, or "forced": who opens by the highest double must lead that tile; other openers lead
        any.
    draw : without a playable tile draw "none", "one" or "until_playable".
    reserve : tiles of the boneyard that are never drawn.
    round_guard : a game is stopped after so many rounds.
    """

    name: str
    version: int
    house: str | None = None
    set: str
    players: int
    sides: tuple[int, ...]
    hand: int
    spinner: str
    score_multiple: int
    second_multiple: int
    points: str
    target: int | None
    target_kind: str
    settlement_out: str
    settlement_block: str
    rounding: str
    rounding_of: str
    partner: str
    last_play: str
    ties: str
    opener_first: str
    opener_after_out: str
    opener_after_block: str
    lead: str
    draw: str
    reserve: int
    round_guard: int

    def __post_init__(self) -> None:
        _check_fields(self)

    @property
    def tiles(self) -> int:
        """Tiles in the set."""
        return TILES_IN_SET[self.set]

    @property
    def highest_pip(self) -> int:
        """The highest value of the set: 6 or 9."""
        return HIGHEST_PIP[self.set]

    @property
    def side_count(self) -> int:
        """Number of sides that hold a score."""
        return len(set(self.sides))

    @property
    def has_partners(self) -> bool:
        """Whether two seats share a side."""
        return self.side_count < self.players

    def replace(self, /, **changes: Any) -> RuleSet:
        """Return a copy with some fields changed, validated like any other."""
        for name in changes:
            if name not in RuleSet.__dataclass_fields__:
                raise unknown_field(name)
        return dataclasses.replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON values; `sides` is a list."""
        return {**dataclasses.asdict(self), "sides": list(self.sides)}


def changes_of(rules: RuleSet) -> dict[str, Any]:
    """Return the fields that differ from the named set's own for this set and number of players, as JSON."""
    named = rule_set(rules.name, players=rules.players, set=rules.set).as_dict()
    return {field: value for field, value in rules.as_dict().items() if value != named[field]}


def in_words(rules: RuleSet, without: Sequence[str] = ()) -> str:
    """Return a rule set in a few words: name, version, players, and every field that was changed.

    Parameters
    ----------
    without : changed fields that are told elsewhere.
    """
    sides = f" in sides {_commas(rules.sides)}" if rules.has_partners and "sides" not in without else ""
    set_ = f", {rules.set}" if len(sets_of(rules.name)) > 1 and "set" not in without else ""
    players = "" if "players" in without else f", {rules.players} players"
    changed = {field: value for field, value in changes_of(rules).items() if value is not None}
    label = f"{changed.pop('house')}: " if "house" in changed else ""
    if "sides" in changed:
        changed["sides"] = "none"  # partners are told above
    told = [
        f"{field} {value}"
        for field, value in changed.items()
        if field not in without and not (field == "sides" and rules.has_partners)
    ]
    house = f" with {', '.join(told)}" if told else ""
    return f"{label}{rules.name} (version {rules.version}){set_}{players}{sides}{house}"


def _bad(field: str, value: object, allowed: str) -> FivesError:
    return FivesError(f"{field} is {shown(value)}: it must be {allowed}.")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_fields(rules: RuleSet) -> None:
    """Raise FivesError that names the first field out of range, its value and the range."""
    if not isinstance(rules.name, str) or not rules.name:
        raise _bad("name", rules.name, "a word")
    if not _is_int(rules.version):
        raise _bad("version", rules.version, "a whole number")
    if rules.house is not None and not is_label(rules.house):
        raise _bad("house", rules.house, f"a name of at most {MAX_LABEL} printable characters")
    _check_set(rules.set)
    for field, choices in CHOICES_OF_FIELD.items():
        if getattr(rules, field) not in choices:
            raise _bad(field, getattr(rules, field), "one of " + ", ".join(choices))
    if not _is_int(rules.players) or rules.players not in PLAYERS:
        raise _bad("players", rules.players, "2, 3 or 4")
    for field, (low, high) in RANGE_OF_FIELD.items():
        value = getattr(rules, field)
        if not _is_int(value) or not low <= value <= high:
            raise _bad(field, value, f"a whole number from {low} to {high}")
    _check_hand(rules)
    _check_sides(rules)
    _check_points(rules)
    _check_target(rules)


def _check_set(set_: object) -> None:
    if isinstance(set_, str) and set_ not in TILES_IN_SET and set_.startswith("double-"):
        raise FivesError(
            f"set is {shown(set_)}: only the double-six and the double-nine set can be played, since larger "
            "sets such as the double-twelve are out of this program's scope."
        )


def _check_hand(rules: RuleSet) -> None:
    most = rules.tiles // rules.players
    if not _is_int(rules.hand) or not 1 <= rules.hand <= most:
        raise _bad(
            "hand", rules.hand, f"from 1 to {most} with {rules.players} players and the {rules.set} set"
        )
    undealt = rules.tiles - rules.players * rules.hand
    if rules.reserve > undealt:
        raise _bad("reserve", rules.reserve, f"at most the {undealt} tiles that are not dealt")


def _commas(sides: object) -> str:
    return ",".join(map(str, sides)) if isinstance(sides, tuple) else str(sides)


def _check_sides(rules: RuleSet) -> None:
    single = tuple(range(rules.players))
    allowed = [single, PARTNERS] if rules.players == 4 else [single]
    if not isinstance(rules.sides, tuple) or not all(map(_is_int, rules.sides)) or rules.sides not in allowed:
        text = " or ".join(_commas(sides) for sides in allowed)
        raise _bad("sides", _commas(rules.sides), f"{text} with {rules.players} players")


def _check_target(rules: RuleSet) -> None:
    if rules.target is None:
        return
    if not _is_int(rules.target) or not 1 <= rules.target <= MAX_TARGET:
        raise _bad("target", rules.target, f"a whole number of raw points from 1 to {MAX_TARGET}")
    step = gain_step(rules)
    if rules.target_kind == "exact" and step and rules.target % step:
        raise FivesError(
            f"target is {rules.target}: an exact target must be a multiple of {step}, "
            "since no score can hit any other."
        )


def _settles_pips(rules: RuleSet) -> bool:
    by_pips = rules.settlement_out == "opponents" or rules.settlement_block != "none"
    return by_pips or (rules.partner == "debited" and rules.has_partners)


def _check_points(rules: RuleSet) -> None:
    """Refuse divided points of unrounded pips, which could not be told in whole points."""
    if rules.points == "divided" and rules.rounding == "none" and _settles_pips(rules):
        raise FivesError(
            "points is 'divided' and rounding 'none': a settlement that counts pips must then be rounded to "
            "fives, nearest or down."
        )


def gain_step(rules: RuleSet) -> int:
    """Return the greatest number of points that divides every gain; 0 where nothing is ever gained."""
    is_divided = rules.points == "divided"
    steps = [multiple and (1 if is_divided else multiple) for multiple in multiples_of(rules)]
    if _settles_pips(rules):
        steps.append(FIVE if rules.rounding != "none" and not is_divided else 1)
    if rules.settlement_out == "one":
        steps.append(1)
    return math.gcd(*steps)


def openers_of(rules: RuleSet) -> tuple[str, ...]:
    """Return what may name the opener of a round: in single rounds, without a target, the first alone."""
    if rules.target is None:
        return (rules.opener_first,)
    return rules.opener_first, rules.opener_after_out, rules.opener_after_block


def multiples_of(rules: RuleSet) -> tuple[int, ...]:
    """Return the numbers whose multiples score; none where plays score nothing."""
    return tuple(multiple for multiple in (rules.score_multiple, rules.second_multiple) if multiple)


# --- the named sets -----------------------------------------------------------------------------

_EXACT61: dict[str, Any] = {
    "version": 1,
    "set": "double-six",
    "spinner": "all",
    "score_multiple": 5,
    "second_multiple": 0,
    "points": "raw",
    "target": 305,
    "target_kind": "exact",
    "settlement_out": "opponents",
    "settlement_block": "hand_differences",
    "rounding": "nearest",
    "rounding_of": "sum",
    "partner": "debited",
    "last_play": "with",
    "ties": "none",
    "opener_first": "lot",
    "opener_after_out": "out",
    "opener_after_block": "lot",
    "lead": "any",
    "draw": "until_playable",
    "reserve": 0,
    "round_guard": 1000,
}
_ALLFIVES: dict[str, Any] = {
    **_EXACT61,
    "spinner": "first",
    "target": 250,
    "target_kind": "reach",
    "settlement_block": "opponents",
    "partner": "ignored",
    "last_play": "before",
    "ties": "split",
}
_PARTOUT5: dict[str, Any] = {
    **_ALLFIVES,
    "target": 100,
    "rounding": "none",
    "ties": "none",
    "opener_after_block": "last_tile",
}
_DRAW: dict[str, Any] = {
    **_PARTOUT5,
    "spinner": "none",
    "score_multiple": 0,
    "opener_after_out": "last_tile",
}


def _five_each(set_: str, players: int) -> int:
    return 5


def _pagat_hand(set_: str, players: int) -> int:
    return {2: 9, 3: 7, 4: 5}[players]


def _seven_or_ten(set_: str, players: int) -> int:
    return 7 if set_ == "double-six" else 10


@dataclass(frozen=True)
class _Named:
    """A named set: its fields, what depends on the players, and the tile sets it is played with."""

    summary: str
    fields: Mapping[str, Any]
    hand: Callable[[str, int], int]
    targets: Mapping[int, int]  # by players, where it differs
    partners: bool  # four players default to two sides
    sets: tuple[str, ...]
    extra: HouseFile | None = None  # the file of an extra set

    def own(self, set_: str, players: int) -> dict[str, Any]:
        """Return all fields for a tile set and a number of players, but the sides."""
        by_players = {"hand": self.hand(set_, players)}
        if players in self.targets:
            by_players["target"] = self.targets[players]
        return {**self.fields, "set": set_, "players": players, **by_players}


_NAMED: dict[str, _Named] = {
    "exact61": _Named(
        "Exact 61 Five Up: every double a spinner, gains that pass 61 are refused",
        _EXACT61, _five_each, {}, True, ("double-six",),
    ),
    "allfives": _Named(
        "All Fives (Muggins): the first double is the spinner, 250 or 200 points reached or passed",
        _ALLFIVES, _pagat_hand, {3: 200, 4: 200}, True, ("double-six",),
    ),
    "partout5": _Named(
        "5 partout: the first double is the spinner, unrounded settlement, 100 points reached or passed",
        _PARTOUT5, _seven_or_ten, {}, False, ("double-six", "double-nine"),
    ),
    "draw": _Named(
        "Jeu avec pioche: the draw game, no spinner, only the hands left score",
        _DRAW, _seven_or_ten, {}, False, ("double-six", "double-nine"),
    ),
}  # fmt: skip

# Sets that differ from one of these in a few fields: a file each, as house rules are written
EXTRAS = ("block", "muggins", "fiveup61reach", "threes-and-fives")
EXTRAS_FOLDER = Path(__file__).parent / "rules"
NAMES: tuple[str, ...] = (*_NAMED, *EXTRAS)
DEFAULT_PLAYERS = 2


def summary_of(name: str) -> str:
    """Return the one-line description of a named set."""
    return _named(name).summary


def sets_of(name: str) -> tuple[str, ...]:
    """Return the tile sets that a named set can be played with."""
    return _named(name).sets


def _named(name: str) -> _Named:
    if not isinstance(name, str) or name not in NAMES:
        raise unknown("rule set", name, NAMES)
    return _NAMED[name] if name in _NAMED else _extra(name)


@cache
def _extra(name: str) -> _Named:
    """Return an extra set, read from its file."""
    house = read_house_file(EXTRAS_FOLDER / f"{name}.toml")
    base = _NAMED[house.base]

    def by_players(field: str) -> dict[int, int]:
        return {players: changed[field] for players, changed in house.by_players.items() if field in changed}

    hands, hand = by_players("hand"), house.changed["hand"]
    return _Named(
        summary=house.summary,
        fields={**base.fields, **house.changed},
        hand=lambda set_, players: hands.get(players, hand),
        targets={**({} if "target" in house.changed else base.targets), **by_players("target")},
        partners=base.partners,
        sets=base.sets[:1],
        extra=house,
    )


def extra_file(name: str) -> HouseFile | None:
    """Return the file of an extra set, None for the others; FivesError for an unknown name."""
    return _named(name).extra


def default_sides(name: str, players: int) -> tuple[int, ...]:
    """Return each seat's side as the named set has it for this number of players."""
    return PARTNERS if players == 4 and _named(name).partners else tuple(range(players))


def _as_tuple(sides: object) -> tuple[int, ...]:
    if not isinstance(sides, Sequence) or isinstance(sides, str):
        raise _bad("sides", sides, "the side of each seat, such as (0, 1, 0, 1)")
    return tuple(sides)


def unknown_field(field: str) -> FivesError:
    """Return the error for a word that is no rule of a rule set."""
    rules = [name for name in RuleSet.__dataclass_fields__ if name not in NAMING]
    return unknown("field of a rule set", field, rules)


def as_rule_set(rules: RuleSet | str) -> RuleSet:
    """Return a rule set as it is, and the named one for two players for a name."""
    if isinstance(rules, RuleSet):
        return rules
    return rule_set(rules)


def rule_set(
    name: str,
    /,
    *,
    players: int = DEFAULT_PLAYERS,
    set: str | None = None,
    hand: int | None = None,
    target: int | None = None,
    sides: Sequence[int] | None = None,
    **changes: Any,
) -> RuleSet:
    """Return a named rule set for a number of players, with any field changed.

    Parameters
    ----------
    name : "exact61", "allfives", "partout5", "draw", or one of `EXTRAS`.
    players : 2, 3 or 4.
    set : "double-six" or "double-nine", where the named set is played with it.
    hand : tiles each; default: the named set's own for this number of players.
    target : raw points; default: the named set's own.
    sides : the side of each seat; default: partners for four players in exact61 and allfives.
    changes : any other field of `RuleSet`.

    Raises
    ------
    FivesError
        For an unknown name or a field out of range; it names field, value and range.
    """
    named = _named(name)
    if not _is_int(players) or players not in PLAYERS:
        raise _bad("players", players, "2, 3 or 4")
    set_ = named.fields["set"] if set is None else set
    _check_set(set_)
    if set_ not in named.sets:
        raise FivesError(f"set is {set_!r}: {name} is played with the {' or the '.join(named.sets)} set.")
    given = {"hand": hand, "target": target, "sides": None if sides is None else _as_tuple(sides)}
    fields: dict[str, Any] = {
        **named.own(set_, players),
        "sides": default_sides(name, players),
        **{field: value for field, value in given.items() if value is not None},
    }
    for field in changes:
        if field not in RuleSet.__dataclass_fields__ or field == "name":
            raise unknown_field(field)
    return RuleSet(name=name, **{**fields, **changes})
