"""How rounds end: out, blocked, or cut by the target; and how often they block, by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from reports.drawing import Drawing, source_of
from reports.figures.claims import are_apart, extremes, row
from reports.figures.forest import Point, draw_forest, size
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
    found = material.scopes("blocked_rate")
    if len(found) < 3:
        return None
    points = [
        row(words("all") if scope == "all" else scope.removeprefix("policy="), each, scope != "all")
        for scope, each in found.items()
    ]
    scale = scale_of(words, PERCENT, [point.width for point in points])
    most, least = extremes([point for point in points if point.group])
    told = {
        "most": most.name,
        "least": least.name,
        "high": scale.tell_all(most.estimate, most.low, most.high),
        "low": scale.tell_all(least.estimate, least.low, least.high),
    }
    if are_apart(most, least):
        title = words("Rounds opened by {most} block most often, {high}; by {least} least, {low}", **told)
    else:
        title = words("How often rounds block cannot be told apart by the policy that opens them", **told)
    return Drawing(
        key="blocked",
        title=title,
        caption=words("Blocked rounds among those played out, by the policy of the seat that opened.")
        + " "
        + source_of(material, words),
        alt=words(
            "Points with intervals: {rows}.",
            rows="; ".join(f"{p.name} {scale.tell_all(p.estimate, p.low, p.high)}" for p in points),
        ),
        draw=lambda figure: draw_forest(figure, points, scale, words("share of the rounds that block")),
        table=material.summary[material.summary["metric"] == "blocked_rate"],
        size=size(points),
    )
