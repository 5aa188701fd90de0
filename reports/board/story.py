"""One round as plain data: what was dealt, laid, drawn, counted and settled, step by step.

Points and scores are in the unit of the rule set. Seats, sides, turns, rounds and games are numbered from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from reports.board.spots import Joint

Number = int | float  # points: whole, or ending in .5


class Face(NamedTuple):
    """The two halves of a tile, the higher first, in pips."""

    high: int
    low: int

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


@dataclass(frozen=True)
class Laid:
    """A tile of the layout.

    Attributes
    ----------
    near, far : the half that joins and the other one, in pips; for the lead in either order.
    joint : what it joins. Exit 0 of a lead that is no double is its `near` half.
    """

    near: int
    far: int
    joint: Joint

    @property
    def face(self) -> Face:
        """The tile."""
        return Face(max(self.near, self.far), min(self.near, self.far))


@dataclass(frozen=True)
class Table:
    """What is on the table after a step.

    Attributes
    ----------
    laid : how many tiles of the layout lie.
    hands : the tiles of each seat.
    boneyard : the tiles left, in the order in which they are drawn.
    places : the open places as text, one entry a free side.
    scores : of each side.
    """

    laid: int
    hands: tuple[tuple[Face, ...], ...]
    boneyard: tuple[Face, ...]
    places: tuple[str, ...]
    scores: tuple[Number, ...]


@dataclass(frozen=True)
class Turn:
    """One turn.

    Attributes
    ----------
    number, seat : which turn, and whose.
    drawn : the tiles drawn, in order.
    move : the play as text, such as "6-3@6"; None for a pass.
    count : the count after it, in pips; None for a pass.
    points : what the play is worth.
    accepted : whether they were applied; None where there was nothing to test.
    waits : whether the points come with the settlement.
    before : the score of its side before it.
    table : what is on the table after it.
    """

    number: int
    seat: int
    drawn: tuple[Face, ...]
    move: str | None
    count: int | None
    points: Number
    accepted: bool | None
    waits: bool
    before: Number
    table: Table


@dataclass(frozen=True)
class Gain:
    """One event of the settlement.

    Attributes
    ----------
    side, seat : whose score it is for, and which hand it is told of.
    play, credit, debit, net : the last play's points, what opponents' hands give, what the partner's hand
        takes, and the sum.
    accepted : whether it was applied.
    before : the score of its side before it.
    """

    side: int
    seat: int
    play: Number
    credit: Number
    debit: Number
    net: Number
    accepted: bool
    before: Number


@dataclass(frozen=True)
class Ending:
    """How the round ended.

    Attributes
    ----------
    end : "out", "blocked" or "target".
    winner : the side that won the round; None where it is tied or void.
    pips : left in each hand.
    gains : the settlement.
    is_last : whether the game ended with this round.
    game_winner : the side that won the game then; None where it has no winner.
    table : what is on the table after it.
    """

    end: str
    winner: int | None
    pips: tuple[int, ...]
    gains: tuple[Gain, ...]
    is_last: bool
    game_winner: int | None
    table: Table


@dataclass(frozen=True)
class Story:
    """One round.

    Attributes
    ----------
    rules : the rule set in words.
    unit : of points and scores: "raw points" or "points".
    sides : the side of each seat.
    policies : the policy of each seat; empty where it is not known.
    target : None where there is none.
    game, round, rounds : which game and round, and how many rounds the game has.
    opener, opener_by : who leads, and what made it so, as in a trace.
    laid : the tiles of the layout, in the order of play.
    dealt : the table before the first turn.
    turns, ending : what follows.
    """

    rules: str
    unit: str
    sides: tuple[int, ...]
    policies: tuple[str, ...]
    target: int | None
    game: int
    round: int
    rounds: int
    opener: int
    opener_by: str
    laid: tuple[Laid, ...]
    dealt: Table
    turns: tuple[Turn, ...]
    ending: Ending
