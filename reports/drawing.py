"""A figure before it is drawn: what it finds, in words, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.style import WIDTH

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


@dataclass(frozen=True)
class Drawing:
    """One figure with its words.

    Attributes
    ----------
    key : its name in file names and links, in small letters with hyphens.
    title : what it finds, one sentence, computed from the data; hedged where the interval holds the null.
    caption : what is drawn, the cases and the seed, the interval.
    alt : what it shows, for those who cannot see it.
    draw : draws it on an empty figure.
    table : the numbers that it draws.
    size : width and height in inches.
    """

    key: str
    title: str
    caption: str
    alt: str
    draw: Callable[[FigureBase], None]
    table: pandas.DataFrame
    size: tuple[float, float] = (WIDTH, 3.2)


def source_of(material: Material, words: Words) -> str:
    """Return the end of every caption: rule set, policies, cases, seed and interval."""
    return words(
        "{rules}, {policies}: {played}, seed {seed}, {confidence} intervals.",
        rules=material.rules_told,
        policies=", ".join(dict.fromkeys(material.policies)),
        played=told_played(material, words),
        seed=material.seed,
        confidence=told_confidence(material, words),
    )


def told_played(material: Material, words: Words) -> str:
    """Return how much was played: "1 game", "2,000 deals"."""
    done, count = material.done, words.whole(material.done)
    units = {
        "games": words.either("{count} game", "{count} games", done, count=count),
        "rounds": words.either("{count} round", "{count} rounds", done, count=count),
        "deals": words.either("{count} deal", "{count} deals", done, count=count),
    }
    return units[material.unit]


def told_confidence(material: Material, words: Words) -> str:
    """Return the confidence of the intervals, as a percentage without needless decimals."""
    return words.percent(material.confidence, 0 if material.confidence * 100 % 1 == 0 else 1)
