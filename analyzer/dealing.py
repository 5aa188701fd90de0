"""Tables for what is given of a deal, and how many deals a condition takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer import conditions
from analyzer.errors import FivesError, shown
from analyzer.given import Given
from analyzer.records import rules_record
from analyzer.rulesets import RuleSet
from kernels import given as kernel_given
from kernels.batch import count_tries
from kernels.rules import HALF
from kernels.state import MAX_CODE, TABLE, blank

LOOKED_AT = 10_000  # games whose deals tell how often a condition holds
MOST_LOOKED_AT = 1_000_000  # deals tried for that
MOST_TRIES = 100_000_000  # deals tried for one game


def new_table(rules: RuleSet, given: Given | None) -> Any:
    """Return a table record on which games start as given."""
    table = blank(TABLE)
    if given is None:
        return table
    for side, score in enumerate(given.scores or ()):
        table["start"][side] = HALF * score
    table["has_given"] = given.changes_deal
    table["most_tries"] = MOST_TRIES
    places = [(seat * rules.hand, hand) for seat, hand in enumerate(given.hands)]
    for start, tiles in [*places, (rules.players * rules.hand, given.boneyard)]:
        for place, tile in enumerate(tiles, start):
            table["fixed"][place] = tile.number + 1
    if given.opener is not None:
        table["given_opener"] = given.opener + 1
    if given.condition is not None:
        steps = conditions.compiled(given.condition, rules, MAX_CODE).steps
        table["code_length"] = len(steps)
        for place, (name, argument) in enumerate(steps):
            table["code"][2 * place] = getattr(kernel_given, name.upper())
            table["code"][2 * place + 1] = argument
    return table


def check_dealt(table: Any, given: Given | None) -> None:
    """Raise FivesError where a deal that meets the condition was not found."""
    if table["hopeless"]:
        raise _hopeless(given, MOST_TRIES)


def _hopeless(given: Given | None, tries: int) -> FivesError:
    condition = None if given is None else given.condition
    return FivesError(
        f"none of {tries:,} deals of one game meets the condition {shown(condition)}: loosen it."
    )


@dataclass(frozen=True)
class Acceptance:
    """How often a condition holds.

    Attributes
    ----------
    games : games whose first deals were looked at.
    tries : deals that they took.
    """

    games: int
    tries: int

    @property
    def rate(self) -> float:
        """The share of the deals tried that met the condition."""
        return self.games / self.tries

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"games": self.games, "deals_tried": self.tries, "rate": self.rate}

    def in_words(self) -> str:
        """Return one sentence."""
        share = f"{100 * self.rate:.3g} %"
        return f"The condition holds in {share} of the deals: {self.games:,} of {self.tries:,} tried."


def about(given: Given | None, found: Acceptance | None) -> tuple[dict[str, Any], list[str]]:
    """Return what a run's manifest and its reader are told of what is given."""
    if given is None:
        return {}, []
    sentences = [f"Given: {given.in_words()}."]
    if found is None:
        return {}, sentences
    return {"acceptance": found.as_dict()}, [*sentences, found.in_words()]


def acceptance(
    rules: RuleSet, given: Given | None, seed: int, first_game: int, count: int
) -> Acceptance | None:
    """Return how often a condition holds in the first deals of a run; None where there is none.

    It depends on the arguments alone: the first games are looked at, until MOST_LOOKED_AT deals were tried.

    Raises
    ------
    FivesError
        Where none of so many deals of the first game meets it.
    """
    if given is None or given.condition is None:
        return None
    table = new_table(rules, given)
    tries = np.zeros(min(count, LOOKED_AT), np.int64)
    games = int(count_tries(table, rules_record(rules), seed, first_game, tries, MOST_LOOKED_AT))
    if games == 0:
        raise _hopeless(given, MOST_LOOKED_AT)
    return Acceptance(games, int(tries[:games].sum()))
