"""How many rounds a game takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.figures.histogram import quantile
from reports.figures.spread import LAST, Telling, mean_told, spread

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words

MOST = 0.9  # the share of the games that the title tells the length of


def lengths(material: Material, words: Words) -> Drawing | None:
    """Draw the games by their rounds, and the mean."""
    mean, table = material.metric("rounds_per_game"), material.tables.get("lengths")
    if mean is None or table is None or table.empty:
        return None
    most = quantile(table, "rounds", MOST)
    told = {"mean": mean_told(mean, words), "most": words.whole(most)}
    if most < LAST:
        title = words("A game takes {mean} rounds on the mean; nine in ten take {most} or fewer", **told)
    else:
        title = words(
            "A game takes {mean} rounds on the mean; more than one in ten take {most} or more", **told
        )
    telling = Telling(
        title=title,
        caption=words("Games by the rounds that they took."),
        across=words("rounds of a game"),
        up=words("share of the games"),
    )
    return spread("lengths", table, "rounds", mean, telling, material, words)
