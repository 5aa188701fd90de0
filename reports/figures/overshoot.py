"""Past the target: what an exact one refuses and what that costs; by how much another is passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import are_apart, is_above, row
from reports.figures.forest import Point, points_of
from reports.figures.histogram import tick_whole
from reports.figures.rows import Rows, rows_of_metrics
from reports.figures.scale import PERCENT, lines_of, scale_of, tick
from reports.figures.spread import Telling, mean_told, spread
from reports.style import MARKERS, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material, Measured
    from reports.words import Words

FARTHEST = 20  # shown points needed, of those that are drawn
_FAR = 5  # shown points: what "with 1 to go" is held against


def refused_by_kind(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the events that an exact target refuses, by their kind and by policy."""
    found = material.scopes("overshoot_rate")
    if "all" not in found:
        return None
    names = {
        "all": words("all events"),
        "kind=play": words("plays"),
        "kind=out": words("going out"),
        "kind=block": words("blocked rounds"),
    }
    points = [
        row(names.get(scope, scope.removeprefix("policy=")), each, _group(scope))
        for scope, each in found.items()
    ]
    scale = scale_of(words, PERCENT, [point.width for point in points])
    rows = Rows(points, scale, words("share of the events that is refused"))
    caption = words(
        "Events that would pass the target, among those with positive points: all, by kind, and where "
        "policies differ by policy."
    )
    table = rows_of_metrics(material, "overshoot_rate")
    return rows.drawing("refused", _kinds_title(found, words), caption, table, material, words)


def _group(scope: str) -> int:
    return 1 if scope == "all" else 2 if scope.startswith("policy=") else 0


def _kinds_title(found: dict[str, Measured], words: Words) -> str:
    scale = scale_of(words, PERCENT, [each.high - each.low for each in found.values()])
    every, play, out = (found.get(scope) for scope in ("all", "kind=play", "kind=out"))
    assert every is not None
    told = {"all": scale.tell_all(every.estimate, every.low, every.high)}
    if play is None or out is None:
        return words("The exact target refuses {all} of the events", **told)
    told |= {"play": scale.tell(play.estimate), "out": scale.tell(out.estimate)}
    if is_above(out, play.high):
        return words(
            "The exact target refuses {all} of the events: going out more often ({out}) than plays ({play})",
            **told,
        )
    if is_above(play, out.high):
        return words(
            "The exact target refuses {all} of the events: plays more often ({play}) than going out ({out})",
            **told,
        )
    return words(
        "The exact target refuses {all} of the events; plays and going out cannot be told apart", **told
    )


def refused_by_need(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the events that an exact target refuses against the points still needed."""
    table = material.tables.get("needs")
    if table is None or table.empty or not (table["need"] <= FARTHEST).any():
        return None
    table = table[table["need"] <= FARTHEST]
    points = points_of(table, [str(need) for need in table["need"]], ("rejected_share", "low", "high"))

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        reach = [
            [max(p.estimate - (p.low or 0.0), 0.0) for p in points],
            [max((1.0 if p.high is None else p.high) - p.estimate, 0.0) for p in points],
        ]
        axes.errorbar(
            [int(point.name) for point in points],
            [point.estimate for point in points],
            yerr=reach,
            color=SERIES[0],
            marker=MARKERS[0],
            linestyle="none",
        )
        axes.set_ylim(0, None)
        axes.set_xlim(0.3, max(*(int(p.name) for p in points), 5) + 0.7)
        tick(axes.yaxis, words, PERCENT)
        tick_whole(axes.xaxis, words)
        axes.set_xlabel(lines_of(words("shown points still needed")))
        axes.set_ylabel(lines_of(words("share of the events that is refused"), 28))

    scale = scale_of(words, PERCENT, [point.width for point in points])
    return Drawing(
        key="refused-by-need",
        title=_needs_title(points, words),
        caption=words("Refused events among those that met a side with so many shown points to go.")
        + " "
        + source_of(material, words),
        alt=words(
            "Points with intervals, by shown points needed: {rows}.",
            rows="; ".join(f"{p.name}: {scale.tell_all(p.estimate, p.low, p.high)}" for p in points),
        ),
        draw=draw,
        table=table,
        size=(WIDTH, 3.0),
    )


def _needs_title(points: list[Point], words: Words) -> str:
    near, far = points[0], min(points, key=lambda point: abs(int(point.name) - _FAR))
    told = {
        "near": near.name,
        "far": far.name,
        "more": words.percent(near.estimate),
        "less": words.percent(far.estimate),
    }
    if far is not near and are_apart(near, far):
        if near.estimate > far.estimate:
            return words(
                "Nearer the target more is refused: {more} of the events at {near} to go, {less} at {far}",
                **told,
            )
        return words("{more} of the events are refused at {near} to go, but {less} at {far}", **told)
    if far is near:
        return words("{more} of the events are refused at {near} to go", **told)
    return words("Too few events to tell whether more is refused at {near} to go than at {far}", **told)


def after(material: Material, words: Words) -> Drawing | None:
    """Draw how many rounds games go on after the first that an exact target refuses."""
    mean = material.metric("rounds_after_first_overshoot")
    share = material.metric("overshoot_game_rate")
    table = material.tables.get("after")
    if mean is None or share is None or table is None or table.empty:
        return None
    telling = Telling(
        title=words(
            "Something is refused in {share} of the games; they go on for {mean} rounds after the first",
            share=words.percent(share.estimate),
            mean=mean_told(mean, words),
        ),
        caption=words("Games with a refusal, by the rounds after the one with the first."),
        across=words("rounds after the one with the first refusal"),
        up=words("share of these games"),
    )
    return spread("after", table, "rounds_after", mean, telling, material, words)


def excess(material: Material, words: Words) -> Drawing | None:
    """Draw by how much winners pass a target that is reached or passed."""
    mean, share = material.metric("excess_points"), material.metric("excess_rate")
    table = material.tables.get("excess")
    if mean is None or share is None or table is None or table.empty:
        return None
    telling = Telling(
        title=words(
            "{share} of the games won end above the target; winners pass it by {mean} points on the mean",
            share=words.percent(share.estimate),
            mean=mean_told(mean, words),
        ),
        caption=words("Games with a single winner, by its points above the target."),
        across=words("points above the target"),
        up=words("share of the games won"),
    )
    return spread("excess", table, "points", mean, telling, material, words)
