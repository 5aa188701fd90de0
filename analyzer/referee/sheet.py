"""The score sheet of a layout typed by hand: count, points and open places after each play.

It knows no seats, hands, draws or target: any unused tile may come next, and the points are what the
rule set gives the play before any test against the target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from analyzer.errors import FivesError
from analyzer.notation import NotLegal, format_move, format_place, parse_move
from analyzer.referee.events import points_of_play
from analyzer.referee.layout import Layout
from analyzer.rulesets import RuleSet


@dataclass(frozen=True)
class SheetPlay:
    """One line of a score sheet.

    Attributes
    ----------
    move : the play as text, its tile's higher half first.
    count : the layout's count after it, in pips.
    points : the raw points that the rule set gives it.
    places : the open places after it. Ordinary ends come first ("3"), by ascending value, one entry an
        end; then one entry for each free side of a double that may be played on now ("1-1").
    """

    move: str
    count: int
    points: int
    places: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """A score sheet; `error` is the sentence about the first move that cannot be placed, or None."""

    plays: tuple[SheetPlay, ...]
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; `error` is there only where a move could not be placed."""
        plays = [asdict(play) | {"places": list(play.places)} for play in self.plays]
        return {"plays": plays} if self.error is None else {"plays": plays, "error": self.error}


def score_sheet(rules: RuleSet, moves: Iterable[str]) -> Sheet:
    """Return the score sheet of moves, up to the first that cannot be read or placed.

    Parameters
    ----------
    rules : gives the set, the spinner and the score of a play; nothing else matters.
    moves : moves as text, in the order of play.
    """
    layout = Layout(rules.spinner)
    plays: list[SheetPlay] = []
    for text in moves:
        try:
            plays.append(_play(rules, layout, text))
        except FivesError as error:
            return Sheet(tuple(plays), str(error))
    return Sheet(tuple(plays))


def _play(rules: RuleSet, layout: Layout, text: str) -> SheetPlay:
    try:
        move = parse_move(text, rules.highest_pip)
    except NotLegal as error:
        raise layout.refusal(str(error).rstrip(".")) from error
    layout.place(move)
    count = layout.count()
    places = tuple(format_place(place) for place in layout.open_places())
    return SheetPlay(format_move(move), count, points_of_play(rules, count), places)
