"""The options that fix a deal or set a condition on it, and what they give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer

from analyzer.cli.options import number, whole_number
from analyzer.errors import FivesError, shown
from analyzer.given import Given, given
from analyzer.rulesets import RuleSet

Hands = Annotated[
    list[str] | None,
    typer.Option(
        "--hand",
        metavar="SEAT=TILES",
        help='Tiles that a seat is dealt in the first round, such as 0="6-6 6-5". May be given for several.',
    ),
]
Boneyard = Annotated[
    str | None,
    typer.Option("--boneyard", metavar="TILES", help="The tiles drawn first in the first round, in order."),
]
Opener = Annotated[
    int | None, number("--opener", metavar="SEAT", help="The seat that opens the first round.")
]
Scores = Annotated[
    str | None,
    typer.Option("--scores", metavar="A,B", help="Raw points of each side at the start of every game."),
]
Condition = Annotated[
    str | None,
    typer.Option(
        "--given",
        metavar="CONDITION",
        help='What the first deal must meet, such as "doubles(opener) >= 4" (docs/deals.md).',
    ),
]


def chosen_given(
    rules: RuleSet,
    hands: Sequence[str] | None,
    boneyard: str | None,
    opener: int | None,
    scores: str | None,
    condition: str | None,
) -> Given | None:
    """Return what the options fix; None where they fix nothing.

    Raises
    ------
    FivesError
        Where an option cannot be read, or what it gives does not fit the rule set.
    """
    return given(
        rules,
        hands=_by_seat(hands or ()),
        boneyard=boneyard,
        opener=opener,
        scores=None if scores is None else _numbers(scores),
        condition=condition,
    )


def _by_seat(texts: Sequence[str]) -> dict[int, str]:
    hands: dict[int, str] = {}
    for text in texts:
        seat, equals, tiles = text.partition("=")
        if not equals or not re.fullmatch(r"\s*[0-9]{1,3}\s*", seat):
            raise FivesError(f'hand {shown(text)} names no seat: write it as 0="6-6 6-5".')
        if int(seat) in hands:
            raise FivesError(f"the hand of seat {int(seat)} is given twice: give it once.")
        hands[int(seat)] = tiles
    return hands


def _numbers(text: str) -> list[int]:
    try:
        return [whole_number(word.strip()) for word in text.split(",")]
    except typer.BadParameter as error:
        raise FivesError(
            f"scores is {shown(text)}: write a whole number for each side, such as 250,300."
        ) from error
