"""The layout's count after a play: how often each occurs, those that score marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.drawing import Drawing, source_of
from reports.figures.claims import row
from reports.figures.histogram import distribution, draw_distribution, group_key, put_legend, rest_told
from reports.figures.scale import PERCENT, scale_of
from reports.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def plays_score(rules: Mapping[str, Any]) -> bool:
    """Return whether a play can score under a rule set."""
    return bool(rules["score_multiple"] or rules["second_multiple"])


def points_of(count: float, rules: Mapping[str, Any]) -> int:
    """Return the points of a play by the layout's count after it, for each number whose multiple it is."""
    points = 0
    for multiple in (rules["score_multiple"], rules["second_multiple"]):
        if multiple and count > 0 and count % multiple == 0:
            points += int(count // multiple if rules["points"] == "divided" else count)
    return points


def counts(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the plays by the layout's count after them."""
    table = material.tables.get("counts")
    if table is None or table.empty:
        return None
    shown = distribution(table, "count")
    groups = [int(points_of(count, material.rules) > 0) for count in shown.numbers]
    keys = [words("scores nothing"), words("scores")]

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        across, up = words("count of the layout after a play"), words("share of the plays")
        draw_distribution(axes, shown, words, across, up, groups)
        if plays_score(material.rules):
            put_legend(axes, [group_key(group, keys[group]) for group in (1, 0)])

    bars = zip(shown.numbers, shown.shares, strict=True)
    rows = [f"{words.whole(count)}: {words.percent(share)}" for count, share in bars]
    return Drawing(
        key="counts",
        title=_title(material, words),
        caption=words(
            "Plays by the layout's count after them; no interval, since plays of a round hang together."
        )
        + rest_told(shown, words)
        + " "
        + source_of(material, words),
        alt=words("Bars, by count: {rows}.", rows="; ".join(rows)),
        draw=draw,
        table=table,
        size=(WIDTH, 3.2),
    )


def _title(material: Material, words: Words) -> str:
    table = material.tables["counts"]
    top = table.loc[table["share"].idxmax()]
    scoring = material.metric("scoring_play_rate")
    if scoring is None or not plays_score(material.rules):
        return words(
            "No play scores; the commonest count is {count}, after {share} of the plays",
            share=words.percent(float(top["share"])),
            count=words.whole(float(top["count"])),
        )
    point = row("", scoring)
    told = scale_of(words, PERCENT, [point.width]).tell_all(point.estimate, point.low, point.high)
    return words("{rate} of the plays make a count that scores", rate=told)
