"""What a play earns: the distribution of its points, and their mean by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from reports.drawing import Drawing, source_of
from reports.figures.claims import are_apart, extremes, row
from reports.figures.counts import scores
from reports.figures.forest import draw_forest, size
from reports.figures.games import mean_told
from reports.figures.histogram import (
    distribution,
    draw_distribution,
    mark_mean,
    mean_key,
    put_legend,
    rest_told,
)
from reports.figures.scale import NUMBER, scale_of
from reports.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


_MOST_TICKS = 12  # numbers that are all written below the axis


def points_table(counts: pandas.DataFrame, multiple: int) -> pandas.DataFrame:
    """Return the plays by the points that they earn, from those by the count: columns points, plays, share.

    Parameters
    ----------
    multiple : a play scores its count where that is a positive multiple of it.
    """
    earned = [int(count) if scores(count, multiple) else 0 for count in counts["count"]]
    grouped = counts.assign(points=earned).groupby("points", sort=True)[["plays", "share"]].sum()
    return grouped.reset_index()


def points(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the plays by the points that they earn, where plays score."""
    table, mean = material.tables.get("counts"), material.metric("points_per_play")
    multiple = int(material.rules["score_multiple"])
    if table is None or table.empty or mean is None or not multiple:
        return None
    earned = points_table(table, multiple)
    shown = distribution(earned, "points")
    told = mean_told(mean, words)

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        draw_distribution(axes, shown, words, words("raw points of a play"), words("share of the plays"))
        if len(shown.numbers) <= _MOST_TICKS:
            axes.set_xticks(list(shown.numbers), [words.whole(number) for number in shown.numbers])
        mark_mean(axes, mean)
        put_legend(axes, [mean_key(words("mean {mean}", mean=told))])

    bars = zip(shown.numbers, shown.shares, strict=True)
    rows = [f"{words.whole(number)}: {words.percent(share)}" for number, share in bars]
    return Drawing(
        key="points",
        title=words("A play earns {mean} points on the mean", mean=told),
        caption=words(
            "Plays by their points, before any is refused; single bars have no interval, since plays of a "
            "round hang together."
        )
        + rest_told(shown, words)
        + " "
        + source_of(material, words),
        alt=words("Bars, by points: {rows}.", rows="; ".join(rows)),
        draw=draw,
        table=earned,
        size=(WIDTH, 3.0),
    )


def points_by_policy(material: Material, words: Words) -> Drawing | None:
    """Draw the mean points of a play by policy, where policies differ and plays score."""
    found = material.scopes("points_per_play")
    if len(found) < 3 or not material.rules["score_multiple"]:
        return None
    rows = [
        row(words("all") if scope == "all" else scope.removeprefix("policy="), each, scope != "all")
        for scope, each in found.items()
    ]
    scale = scale_of(words, NUMBER, [point.width for point in rows])
    most, least = extremes([point for point in rows if point.group])
    told = {
        "most": most.name,
        "least": least.name,
        "high": scale.tell_all(most.estimate, most.low, most.high),
        "low": scale.tell_all(least.estimate, least.low, least.high),
    }
    if are_apart(most, least):
        title = words("A play of {most} earns most, {high} points; one of {least} least, {low}", **told)
    else:
        title = words("What a play earns cannot be told apart by policy")
    return Drawing(
        key="points-by-policy",
        title=title,
        caption=words("Mean raw points of a play, before any is refused.") + " " + source_of(material, words),
        alt=words(
            "Points with intervals: {rows}.",
            rows="; ".join(f"{p.name} {scale.tell_all(p.estimate, p.low, p.high)}" for p in rows),
        ),
        draw=lambda figure: draw_forest(figure, rows, scale, words("raw points of a play, mean")),
        table=material.summary[material.summary["metric"] == "points_per_play"],
        size=size(rows),
    )
