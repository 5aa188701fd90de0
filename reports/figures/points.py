"""What a play earns: the distribution of its points, and their mean by policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.figures.counts import plays_score, points_of
from reports.figures.rows import by_policy, rows_of_metrics
from reports.figures.scale import NUMBER
from reports.figures.spread import Telling, mean_told, spread

if TYPE_CHECKING:
    import pandas

    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words


def points_table(counts: pandas.DataFrame, rules: Mapping[str, Any]) -> pandas.DataFrame:
    """Return the plays by the points that they earn, from the table of counts: points, plays, share."""
    earned = [points_of(count, rules) for count in counts["count"]]
    grouped = counts.assign(points=earned).groupby("points", sort=True)[["plays", "share"]].sum()
    return grouped.reset_index()


def points(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the plays by the points that they earn, where plays score."""
    table, mean = material.tables.get("counts"), material.metric("points_per_play")
    if table is None or table.empty or mean is None or not plays_score(material.rules):
        return None
    telling = Telling(
        title=words("A play earns {mean} points on the mean", mean=mean_told(mean, words)),
        caption=words(
            "Plays by their points, before any is refused; single bars have no interval, since plays of a "
            "round hang together."
        ),
        across=words("points of a play"),
        up=words("share of the plays"),
    )
    return spread("points", points_table(table, material.rules), "points", mean, telling, material, words)


def points_by_policy(material: Material, words: Words) -> Drawing | None:
    """Draw the mean points of a play by policy, where policies differ and plays score."""
    label = words("points of a play, mean")
    found = by_policy(material, words, "points_per_play", NUMBER, label)
    if found is None or not plays_score(material.rules):
        return None
    if found.are_apart:
        title = words("A play of {most} earns more, {high} points, than one of {least}, {low}", **found.parts)
    else:
        title = words("What a play earns cannot be told apart by policy")
    caption = words("Mean points of a play, before any is refused.")
    table = rows_of_metrics(material, "points_per_play")
    return found.rows.drawing("points-by-policy", title, caption, table, material, words)
