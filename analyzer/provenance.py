"""Where each rule comes from: for every field of a rule set its unit, its source and the choice made.

A *choice* is what had to be decided because the source is silent, lost or ambiguous; each is one
sentence, and each can be undone by changing its field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.rulesets import CHOICES_OF_FIELD, NAMING, RuleSet, changes_of, extra_file, sets_of

EXACT61 = "Exact 61 Five Up (French and Portuguese rules)"
ALLFIVES = "Tous les cinq (All Fives, French rules)"
PAGAT = "Pagat (All Fives)"
PARTOUT5 = "5 partout (French rules)"
DRAW = "Jeu avec pioche (French rules)"
SIMULATOR = "the simulator's own"
HOUSE = "these house rules"

_PAGE = {"exact61": EXACT61, "allfives": ALLFIVES, "partout5": PARTOUT5, "draw": DRAW}
_OTHER_SOURCE: dict[tuple[str, str], str] = {
    ("allfives", "hand"): PAGAT,
    ("allfives", "target"): PAGAT,
}
_UNIT = {
    "players": "seats",
    "sides": "the side of each seat",
    "hand": "tiles for each seat",
    "score_multiple": "pips; 0: plays score nothing",
    "second_multiple": "pips; 0: none",
    "target": "raw points",
    "reserve": "tiles that are never drawn",
    "round_guard": "rounds",
}

# --- the choices --------------------------------------------------------------------------------

_GUARD = "No source limits the rounds of a game: one that has not ended by then is stopped and counted."
_CLOCK = (
    "The source's time limit, whose overrun loses the game and the stake, is not simulated; "
    "no source limits the rounds of a game, and one that has not ended by then is stopped and counted."
)
_PLAYERS = "The source names no number: two is the default, three and four are possible too."
_SIDES = (
    "The source knows no partners: four play singly unless sides are asked for; a side's pips are then "
    "both partners' hands together, and a partner's hand is not won."
)
_HAND = (
    'The source says only "the corresponding number": 7 tiles with the double-six, 10 with the double-nine.'
)
_TARGET = "The source names 100, 250 and 500; that the target ends the game as soon as it is hit is assumed."
_UNROUNDED = "The source names no rounding: the pips left are credited as they are."
_AT_ONCE = "a round is blocked as soon as nobody can play or draw, not after a lap of passes"

_CHOICES: dict[str, dict[str, str]] = {
    "exact61": {
        "target": "Scores may be negative: the source sets no floor under a partner's debit.",
        "settlement_block": (
            "Equal hands are credited in ascending seat number, since the source says clockwise but not "
            "from where; a credit of zero is no event."
        ),
        "round_guard": _GUARD,
    },
    "allfives": {
        "hand": "The table of the French page is lost: Pagat's is used.",
        "target": "The table of the French page is lost: Pagat's is used.",
        "ties": (
            "Three hands tied for least score nothing; where a split lifts two players to the target the "
            "higher score wins, and equal scores make a drawn game."
        ),
        "round_guard": _GUARD,
    },
    "partout5": {
        "set": "The source allows both sets: the double-six is the default.",
        "players": _PLAYERS,
        "sides": _SIDES,
        "hand": _HAND,
        "target": _TARGET,
        "settlement_out": (
            "The source names a settlement for a block only: going out is credited the opponents' pips too."
        ),
        "settlement_block": (
            'Of "the points on the remaining tiles" the lightest side gets its opponents\', not its own; '
            f"{_AT_ONCE}."
        ),
        "rounding": _UNROUNDED,
        "ties": "The source is silent on a blocked round with a tie for least: nobody scores.",
        "round_guard": _CLOCK,
    },
    "draw": {
        "set": "The source allows both sets: the double-six is the default.",
        "players": _PLAYERS,
        "sides": _SIDES,
        "hand": _HAND,
        "target": _TARGET,
        "settlement_block": f"As in 5 partout, {_AT_ONCE}.",
        "rounding": _UNROUNDED,
        "ties": (
            'The source voids "a blocked round or equal scores": read as blocked and tied for least, since '
            "the sentence before it gives a block to the lightest hand, and its example is a tie."
        ),
        "opener_after_block": "After a void round too, who placed the last tile opens the next one.",
        "round_guard": _CLOCK,
    },
}


@dataclass(frozen=True)
class FieldNote:
    """One rule of a set: its value, unit and source, and the choice made (None: the source is clear)."""

    name: str
    value: Any
    unit: str
    source: str
    choice: str | None


def field_notes(rules: RuleSet) -> list[FieldNote]:
    """Return a note for every field of a rule set but its names and version, in the order of `RuleSet`.

    Units are words; a field that takes one of a few words lists them. `value` is a plain JSON value. Where a
    field differs from the named set's own, the source is the house rules, and its choice falls.
    """
    changed = changes_of(rules)
    return [
        FieldNote(name, value, _unit(rules, name), HOUSE, None)
        if name in changed
        else FieldNote(name, value, _unit(rules, name), *_origin(rules.name, name))
        for name, value in rules.as_dict().items()
        if name not in NAMING
    ]


def _origin(rule_set: str, field: str) -> tuple[str, str | None]:
    """Return the source of a named set's field, and the choice made."""
    extra = extra_file(rule_set)
    if extra is None:
        page = SIMULATOR if field == "round_guard" else _PAGE[rule_set]
        return _OTHER_SOURCE.get((rule_set, field), page), _CHOICES[rule_set].get(field)
    in_players = any(field in fields for fields in extra.by_players.values())
    if field in extra.changed or field in extra.choices or in_players:
        return extra.source, extra.choices.get(field)
    return _origin(extra.base, field)


def _unit(rules: RuleSet, field: str) -> str:
    if field == "target" and rules.points == "divided":
        return "points"
    if (rules.name, field) == ("exact61", "target"):
        return "raw points; 5 raw points are 1 shown point"
    if field == "set":
        return "one of " + ", ".join(sets_of(rules.name))
    return _UNIT.get(field) or "one of " + ", ".join(CHOICES_OF_FIELD[field])
