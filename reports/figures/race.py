"""The figures of a race: the chance to win from each pair of scores, and which score is best to stand at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.cells import Axis
from reports.figures.chances import OTHER, OWN, Chances
from reports.figures.claims import are_apart, as_one_of
from reports.figures.forest import Point, points_of
from reports.figures.heat import MIDDLE, diverging, draw_heat, size
from reports.figures.scale import PERCENT, POINTS, scale_of
from reports.figures.sections import drawn, filled
from reports.figures.sweep_lines import Series, draw_legend, draw_lines
from reports.labels import sentence
from reports.style import HEAT, WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material, Measured
    from reports.words import Words

_MOST_SCORES = 70  # drawn on the map; of more every second, third …
_NEAR = 11  # scores before the target that are drawn with their chances
_LINES = 6  # own scores before the target that are drawn as lines
_KEY = (0, 2, MIDDLE, 8, 10)
_DIFFERENCE = ("difference", "low", "high")


def race_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of a race under "scores" and "stands"."""
    scores = drawn((("scores", (race_map, race_near, race_lines)),), material, words)
    return filled([*scores, ("stands", race_stands(material, words))])


def race_map(material: Material, words: Words) -> Drawing | None:
    """Draw the chance of the side that opens, from all pairs of scores."""
    chances = _chances(material)
    if chances is None:
        return None
    scores = chances.scores[:: math.ceil(len(chances.scores) / _MOST_SCORES)]
    names = [str(score) for score in scores]
    steps = [[_step(chances.at(own, other)) for own in scores] for other in reversed(scores)]
    key = [(step, words.percent(step / (len(HEAT) - 1), 0)) for step in _KEY]

    def draw(figure: FigureBase) -> None:
        draw_heat(figure, names[::-1], names, steps, labels=_labels(words), key=key)

    start = chances.at(scores[0], scores[0])
    corners = [(own, other) for own in (scores[0], scores[-1]) for other in (scores[0], scores[-1])]
    return Drawing(
        key="race-map",
        title=_title_of_start(material, words, start, scores[0]),
        caption=_caption(material, words),
        alt=words(
            "Heat map of the chance to win by own and other score, light where it is even: {told}.",
            told=_told(chances, words, corners),
        ),
        draw=draw,
        table=chances.table,
        size=(WIDTH, 5.2),
    )


def race_near(material: Material, words: Words) -> Drawing | None:
    """Draw the chances from the last scores before the target, with their values."""
    chances = _chances(material)
    if chances is None:
        return None
    scores = chances.scores[-_NEAR:]
    names = [str(score) for score in scores]
    found = [[chances.at(own, other) for own in scores] for other in reversed(scores)]
    steps = [[_step(point) for point in row] for row in found]
    cells = [[words.number(100 * point.estimate, 0) for point in row] for row in found]

    def draw(figure: FigureBase) -> None:
        draw_heat(figure, names[::-1], names, steps, cells=cells, labels=_labels(words))

    return Drawing(
        key="race-near",
        title=_title_of_steps(words, chances, scores),
        caption=_caption(material, words, words("Chances in percent; their intervals are in the table.")),
        alt=words(
            "Heat map of the chance to win near the target: {told}.",
            told=_told(chances, words, [(own, scores[-1]) for own in scores]),
        ),
        draw=draw,
        table=chances.rows(scores, scores),
        size=size(names, names),
    )


def race_lines(material: Material, words: Words) -> Drawing | None:
    """Draw the chance from each of the last own scores, over the other score."""
    chances = _chances(material)
    if chances is None or len(chances.scores) <= _LINES:
        return None
    scores, own = chances.scores[len(chances.scores) // 2 :], chances.scores[-_LINES:]
    series = [
        Series(str(score), [float(other) for other in scores], [chances.at(score, other) for other in scores])
        for score in own
    ]
    scale = scale_of(words, PERCENT, [point.width for each in series for point in each.points])

    def draw(figure: FigureBase) -> None:
        labels = (words("other score"), words("Games won by the own side, opening (percent)"))
        axes = draw_lines(figure, series, Axis("other", tuple(scores)), scale, labels, None)
        draw_legend(figure, axes, words("own score"))

    return Drawing(
        key="race-lines",
        title=_title_of_best(words, chances, own),
        caption=_caption(material, words, words("Bands: the intervals.")),
        alt=words(
            "Lines of the chance to win over the other score, one an own score: {told}.",
            told=_told(chances, words, [(score, scores[-1]) for score in own]),
        ),
        draw=draw,
        table=chances.rows(own, scores),
        size=(WIDTH, 3.8),
    )


def race_stands(material: Material, words: Words) -> list[Drawing]:
    """Draw for each two own scores that were compared the difference in chances, over the other score."""
    table = material.tables.get("stands")
    if table is None or table.empty:
        return []
    pairs = dict.fromkeys(table[["stand", "instead"]].itertuples(index=False, name=None))
    return [_stand(material, words, stand, instead, place) for place, (stand, instead) in enumerate(pairs)]


def _stand(material: Material, words: Words, stand: int, instead: int, place: int) -> Drawing:
    table = material.tables["stands"]
    table = table[(table["stand"] == stand) & (table["instead"] == instead)].reset_index(drop=True)
    openers = {OWN: words("the own side"), OTHER: words("the other side")}
    series = [
        Series(told, [float(at) for at in rows["other"]], points_of(rows, [""] * len(rows), _DIFFERENCE))
        for opener, told in openers.items()
        if len(rows := table[table["opener"] == opener])
    ]
    scale = scale_of(words, POINTS, [point.width for each in series for point in each.points], signed=True)
    others = tuple(sorted(set(table["other"].tolist())))

    def draw(figure: FigureBase) -> None:
        told = words(
            "games won at {stand} less at {instead} (percentage points)", stand=stand, instead=instead
        )
        labels = (words("other score"), sentence(told))
        axes = draw_lines(figure, series, Axis("other", others), scale, labels, 0.0)
        draw_legend(figure, axes, words("opener"))

    mean = material.metric("stand_difference", f"own={stand} less {instead}")
    return Drawing(
        key=f"race-stands-{place + 1}" if place else "race-stands",
        title=_title_of_stand(words, stand, instead, mean),
        caption=words("Bands: the intervals, each for itself.") + " " + source_of(material, words),
        alt=words(
            "Lines of the difference over the other score, one an opener: from {low} to {high} percentage "
            "points.",
            low=scale.tell(float(table["difference"].min())),
            high=scale.tell(float(table["difference"].max())),
        ),
        draw=draw,
        table=table,
        size=(WIDTH, 3.8),
    )


# --- what is found ------------------------------------------------------------------------------


def _title_of_start(material: Material, words: Words, start: Point, score: int) -> str:
    scale = scale_of(words, PERCENT, [start.width])
    told = scale.tell_all(start.estimate, start.low, start.high)
    if len(set(material.policies)) > 1:
        own, other = material.policies[:2]
        return words(
            "From {score} each, {own} against {other} wins {told} where it opens",
            score=score,
            own=own,
            other=other,
            told=told,
        )
    if not start.is_told_from(0.5):
        return words("From {score} each, no advantage of opening can be told: {told}", score=score, told=told)
    if start.estimate > 0.5:
        return words("From {score} each, the side that opens wins more: {told}", score=score, told=told)
    return words("From {score} each, the side that opens wins less: {told}", score=score, told=told)


def _title_of_steps(words: Words, chances: Chances, scores: Sequence[int]) -> str:
    step = chances.worst_step(scores)
    if step is None:
        return words("Near the target, no higher score wins less by the estimates")
    among = len(scores) ** 2 * (len(scores) - 1) // 2
    scale = scale_of(words, PERCENT, [step.lower.width, step.higher.width])
    told = {
        "low": step.low,
        "high": step.high,
        "other": step.other,
        "more": scale.tell(step.lower.estimate),
        "less": scale.tell(step.higher.estimate),
    }
    if chances.is_told(step, among):
        return words(
            "A higher score is not always better: against {other}, {low} wins {more} and {high} {less}",
            **told,
        )
    return words(
        "Near the target no higher score is sure to win less; against {other}, {low} wins {more} and "
        "{high} {less}",
        **told,
    )


def _title_of_best(words: Words, chances: Chances, own: Sequence[int]) -> str:
    other = chances.scores[-1]
    ranked = sorted(own, key=lambda score: -chances.at(score, other).estimate)
    points = [as_one_of(chances.at(score, other), len(own) - 1, chances.confidence) for score in ranked[:2]]
    scale = scale_of(words, PERCENT, [point.width for point in points])
    told = {
        "other": other,
        "best": ranked[0],
        "second": ranked[1],
        "rate": scale.tell(points[0].estimate),
        "next": scale.tell(points[1].estimate),
    }
    if are_apart(*points):
        return words("Against {other}, {best} wins most, {rate}, then {second}, {next}", **told)
    return words(
        "Against {other}, {best} ({rate}) cannot be told from {second} ({next}) by their intervals", **told
    )


def _title_of_stand(words: Words, stand: int, instead: int, mean: Measured | None) -> str:
    told: dict[str, object] = {"stand": stand, "instead": instead}
    if mean is None:
        return words("Standing at {stand} or at {instead}", **told)
    scale = scale_of(words, POINTS, [mean.high - mean.low], signed=True)
    told["told"] = scale.tell_all(mean.estimate, mean.low, mean.high)
    if mean.holds(0):
        return words(
            "No difference between standing at {stand} and at {instead} can be told: {told} percentage "
            "points, the mean over all cases",
            **told,
        )
    if mean.low > 0:
        return words(
            "It is better to stand at {stand} than at {instead}: {told} percentage points, the mean over all "
            "cases",
            **told,
        )
    return words(
        "It is worse to stand at {stand} than at {instead}: {told} percentage points, the mean over all "
        "cases",
        **told,
    )


# --- parts of the drawings ----------------------------------------------------------------------


def _chances(material: Material) -> Chances | None:
    table = material.tables.get("scores")
    return None if table is None or table.empty else Chances(material)


def _step(point: Point) -> int:
    return diverging(point.estimate, 0.0, 0.5, 1.0)


def _labels(words: Words) -> tuple[str, str]:
    return words("own score, the own side opening"), words("other score")


def _caption(material: Material, words: Words, *more: str) -> str:
    what = words("The chance to win the game, where the own side opens the next round.")
    return " ".join([what, *more, source_of(material, words)])


def _told(chances: Chances, words: Words, places: Sequence[tuple[int, int]]) -> str:
    told = [
        words(
            "{own} against {other} {rate}",
            own=own,
            other=other,
            rate=words.percent(chances.at(own, other).estimate),
        )
        for own, other in dict.fromkeys(places)
    ]
    return ", ".join(told)
