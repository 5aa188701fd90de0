"""What a reader of records returns: games as they were written down, with what is known of the hands.

A reader is any function from a text to such games; `READERS` in `analyzer.imports.readers` names them. It
raises `CannotParse` with line and column where the text is not in its format; whether the games keep to the
rules is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from analyzer.notation import Tile
from analyzer.rulesets import RuleSet
from analyzer.turnlist import TurnList

Tiles = tuple[Tile, ...]
Place = tuple[int, int]  # line and column, from 1


@dataclass(frozen=True)
class WrittenRound:
    """One round as it was written down.

    Attributes
    ----------
    turns : who drew how many, and what was placed.
    place : where in the text the round begins.
    opener : the seat that led; None where the rules tell.
    hands : by seat the tiles as dealt, where they are known.
    drawn : by seat the tiles drawn, in order, where they are known.
    left : by seat the tiles left when the round ended, where they are known.
    boneyard : the undealt tiles in the order in which they are drawn, if known.
    lot : the seat that won the lot where a block was tied for least and the rules have a lot then.
    places : where in the text what stands, such as "opener" or "hand 0"; what is left out: the round's place.
    """

    turns: TurnList
    place: Place
    opener: int | None = None
    hands: Mapping[int, Tiles] = field(default_factory=dict)
    drawn: Mapping[int, Tiles] = field(default_factory=dict)
    left: Mapping[int, Tiles] = field(default_factory=dict)
    boneyard: Tiles | None = None
    lot: int | None = None
    places: Mapping[str, Place] = field(default_factory=dict)

    def at(self, key: str) -> Place:
        """Return where in the text something of the round stands."""
        return self.places.get(key, self.place)


@dataclass(frozen=True)
class WrittenGame:
    """One game as it was written down; without a target its rounds stand alone.

    Attributes
    ----------
    rules : the rule set.
    names : who sat at each seat.
    rounds : in the order of play.
    """

    rules: RuleSet
    names: tuple[str, ...]
    rounds: tuple[WrittenRound, ...]


Reader = Callable[[str], list[WrittenGame]]
