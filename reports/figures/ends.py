"""How rounds end: out, blocked, or cut by the target; and how often they block, by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from reports.drawing import Drawing, source_of
from reports.figures.claims import row
from reports.figures.forest import Point
from reports.figures.rows import by_policy, rows_of_metrics
from reports.figures.scale import PERCENT, Scale, lines_of, scale_of, tick
from reports.style import HATCHES, INK, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def ends(material: Material, words: Words) -> Drawing | None:
    """Draw how rounds end: blocked or out, of those played out, and of games how many the target cuts."""
    found = material.metric("blocked_rate")
    if found is None:
        return None
    blocked = row(words("blocked"), found, 1)
    out = Point(words("out"), 1 - blocked.estimate, _less(blocked.high), _less(blocked.low))
    points = [out, blocked]
    cut = material.metric("target_cut_rate")
    if cut is not None:
        points.append(row(words("cut by the target, of all rounds"), cut, 2))
    scale = scale_of(words, PERCENT, [point.width for point in points])
    each = [f"{point.name} {scale.tell_all(point.estimate, point.low, point.high)}" for point in points]
    kept = {"end": ["out", "blocked", "target"][: len(points)]}
    bounds = {
        "share": [point.estimate for point in points],
        "low": [point.low for point in points],
        "high": [point.high for point in points],
    }
    return Drawing(
        key="ends",
        title=words(
            "{rate} of the rounds that are played out block",
            rate=scale.tell_all(blocked.estimate, blocked.low, blocked.high),
        ),
        caption=words("How rounds end: out and blocked as shares of the rounds played out.")
        + " "
        + source_of(material, words),
        alt=words("Bars: share of the rounds by their end: {shares}.", shares=words.joined(each)),
        draw=lambda figure: _draw_ends(figure, points, scale),
        table=pandas.DataFrame(kept | bounds),
        size=(WIDTH, 0.95 + 0.45 * len(points)),
    )


def _less(bound: float | None) -> float | None:
    return None if bound is None else 1 - bound


def _draw_ends(figure: FigureBase, points: list[Point], scale: Scale) -> None:
    axes = figure.subplots()
    places = range(len(points) - 1, -1, -1)
    for place, point in zip(places, points, strict=True):
        end = point.estimate if point.high is None else point.high
        axes.barh(place, point.estimate, 0.62, color=SERIES[point.group], hatch=HATCHES[point.group])
        if point.low is not None and point.high is not None:
            reach = [[point.estimate - point.low], [point.high - point.estimate]]
            axes.errorbar(point.estimate, place, xerr=reach, fmt="none", color=INK, elinewidth=1.4)
        axes.annotate(
            scale.tell(point.estimate),
            (end, place),
            (5, 0),
            textcoords="offset points",
            va="center",
            color=INK,
        )
    axes.set_yticks(list(places), [lines_of(point.name, 18) for point in points])
    axes.set_xlim(0, 1.16 * max(point.high or point.estimate for point in points))
    tick(axes.xaxis, scale.words, PERCENT)
    axes.set_xlabel(lines_of(scale.words("share of the rounds")))
    axes.grid(axis="y", visible=False)


def blocked_by_policy(material: Material, words: Words) -> Drawing | None:
    """Draw how often rounds block by the policy that opened them, where policies differ."""
    label = words("share of the rounds that block")
    found = by_policy(material, words, "blocked_rate", PERCENT, label)
    if found is None:
        return None
    if found.are_apart:
        title = words(
            "Rounds opened by {most} block more often, {high}, than those by {least}, {low}", **found.parts
        )
    else:
        title = words("How often rounds block cannot be told apart by the policy that opens them")
    caption = words("Blocked rounds among those played out, by the policy of the seat that opened.")
    table = rows_of_metrics(material, "blocked_rate")
    return found.rows.drawing("blocked", title, caption, table, material, words)
