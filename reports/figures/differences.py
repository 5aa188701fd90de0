"""Differences between policies, pair by pair: in wins and in points, with their intervals."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures import forest
from reports.figures.forest import MOST_ROWS, Point
from reports.figures.scale import NUMBER, POINTS, Scale, scale_of
from reports.labels import pair_label

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words

WINS, MARGIN = "win_rate_difference", "margin_difference"
Pair = tuple[str, str]


def differences(material: Material, metric: str) -> dict[Pair, Point]:
    """Return a metric of each pair of policies that has a value, the largest first."""
    if "pairs" not in material.tables:
        return {}
    rows = material.summary[material.summary["metric"] == metric].set_index("scope")
    found = {}
    for a, b in material.tables["pairs"][["a", "b"]].itertuples(index=False):
        scope = f"pair={a}/{b}"
        if scope not in rows.index:
            continue
        estimate, low, high = (
            forest.number_or_none(rows.at[scope, name]) for name in ("estimate", "low", "high")
        )
        if estimate is not None:
            found[a, b] = Point("", estimate, low, high)
    return dict(sorted(found.items(), key=lambda item: -item[1].estimate))


def is_told_by_test(material: Material) -> bool:
    """Whether a sequential test chose when to stop, so that the intervals do not keep their confidence."""
    return "test" in material.facts


def win_differences(material: Material, words: Words) -> Drawing | None:
    """Draw each pair's difference in wins, in percentage points."""
    found = differences(material, WINS)
    if not found:
        return None
    scale = scale_of(words, POINTS, [point.width for point in found.values()], signed=True)
    if is_told_by_test(material):
        title = _title_where_tested(scale, found)
    else:
        title = _title_of_wins(scale, found) if len(found) == 1 else _title_of_many_wins(words, found)
    if material.sides == 2:
        label = words("win rate, first less second (percentage points)")
    else:
        label = words("wins for each side held, first less second (percentage points)")
    return _drawing(material, "win-differences", title, found, scale, label)


def margin_differences(material: Material, words: Words) -> Drawing | None:
    """Draw each pair's difference in raw points."""
    found = differences(material, MARGIN)
    if not found:
        return None
    scale = scale_of(words, NUMBER, [point.width for point in found.values()], signed=True)
    title = _title_of_points(scale, found) if len(found) == 1 else _title_of_many_points(words, found)
    if is_told_by_test(material):
        ((a, b), point) = next(iter(found.items()))
        title = words(
            "{pair}: {difference} raw points where the test stood",
            pair=pair_label(a, b, words),
            difference=scale.tell(point.estimate),
        )
    if material.by_games:
        label = words("raw points a game, first less second")
    else:
        label = words("raw points a round, first less second")
    return _drawing(material, "margin-differences", title, found, scale, label)


# --- what is found ------------------------------------------------------------------------------


def ahead(found: dict[Pair, Point]) -> tuple[str, str, Point]:
    """Return the policy ahead in the first pair, the other, and the first's difference to it."""
    ((a, b), point) = next(iter(found.items()))
    if point.estimate >= 0:
        return a, b, point
    low = None if point.high is None else -point.high
    high = None if point.low is None else -point.low
    return b, a, dataclasses.replace(point, estimate=-point.estimate, low=low, high=high)


def ahead_of_all(found: dict[Pair, Point]) -> str | None:
    """Return the policy that is ahead of each other beyond the interval, None where there is none."""
    names = dict.fromkeys(name for pair in found for name in pair)
    wins = [(a if point.estimate > 0 else b) for (a, b), point in found.items() if point.is_told_from(0)]
    return next((name for name in names if wins.count(name) == len(names) - 1), None)


def _title_of_wins(scale: Scale, found: dict[Pair, Point]) -> str:
    better, worse, point = ahead(found)
    told = _unsigned(scale).tell_all(point.estimate, point.low, point.high)
    if point.is_told_from(0):
        return scale.words(
            "{better} wins more often than {worse}, by {told} percentage points",
            better=better,
            worse=worse,
            told=told,
        )
    return scale.words(
        "No difference in wins can be told between {first} and {second}: {told} percentage points",
        first=better,
        second=worse,
        told=told,
    )


def _title_of_points(scale: Scale, found: dict[Pair, Point]) -> str:
    better, worse, point = ahead(found)
    told = _unsigned(scale).tell_all(point.estimate, point.low, point.high)
    if point.is_told_from(0):
        return scale.words(
            "{better} makes more points than {worse}, by {told} raw points",
            better=better,
            worse=worse,
            told=told,
        )
    return scale.words(
        "No difference in points can be told between {first} and {second}: {told} raw points",
        first=better,
        second=worse,
        told=told,
    )


def _unsigned(scale: Scale) -> Scale:
    return dataclasses.replace(scale, signed=False)


def _told_apart(found: dict[Pair, Point]) -> dict[str, int]:
    return {"told": sum(point.is_told_from(0) for point in found.values()), "pairs": len(found)}


def _title_of_many_wins(words: Words, found: dict[Pair, Point]) -> str:
    best = ahead_of_all(found)
    if best is None:
        return words(
            "No policy is sure to win more often than each other; {told} of {pairs} pairs are told apart",
            **_told_apart(found),
        )
    return words(
        "{best} wins more often than each other policy; {told} of {pairs} pairs are told apart",
        best=best,
        **_told_apart(found),
    )


def _title_of_many_points(words: Words, found: dict[Pair, Point]) -> str:
    best = ahead_of_all(found)
    if best is None:
        return words(
            "No policy is sure to make more points than each other; {told} of {pairs} pairs are told apart",
            **_told_apart(found),
        )
    return words(
        "{best} makes more points than each other policy; {told} of {pairs} pairs are told apart",
        best=best,
        **_told_apart(found),
    )


def _title_where_tested(scale: Scale, found: dict[Pair, Point]) -> str:
    ((a, b), point) = next(iter(found.items()))
    return scale.words(
        "{pair}: {difference} percentage points in wins where the test stood",
        pair=pair_label(a, b, scale.words),
        difference=scale.tell(point.estimate),
    )


# --- the drawing --------------------------------------------------------------------------------


def _drawing(
    material: Material, key: str, title: str, found: dict[Pair, Point], scale: Scale, label: str
) -> Drawing:
    import pandas

    words = scale.words
    named = {pair: dataclasses.replace(point, name=pair_label(*pair, words)) for pair, point in found.items()}
    shown = closest(list(named.values()))

    def draw(figure: FigureBase) -> None:
        forest.draw_forest(figure, shown, scale, label, null=0.0)

    rows = [
        {
            "a": a,
            "b": b,
            "difference": point.estimate,
            "difference_low": point.low,
            "difference_high": point.high,
        }
        for (a, b), point in found.items()
    ]
    told = [f"{point.name} {scale.tell_all(point.estimate, point.low, point.high)}" for point in shown]
    return Drawing(
        key=key,
        title=title,
        caption=" ".join([_caption(material, words, len(shown), len(found)), source_of(material, words)]),
        alt=words("Points with intervals, {label}: {told}.", label=label, told=words.joined(told)),
        draw=draw,
        table=pandas.DataFrame(rows),
        size=forest.size(shown),
    )


def closest(points: list[Point]) -> list[Point]:
    """Return the points in their order; of too many those that are closest to 0."""
    if len(points) <= MOST_ROWS:
        return points
    kept = sorted(range(len(points)), key=lambda place: abs(points[place].estimate))[:MOST_ROWS]
    return [points[place] for place in sorted(kept)]


def _caption(material: Material, words: Words, shown: int, pairs: int) -> str:
    told = [words("Each deal is played in every seating, and the deal is the unit.")]
    if is_told_by_test(material):
        told.append(words("The test chose when to stop, so the intervals do not keep their confidence."))
    elif pairs > 1:
        told.append(words("Hollow: the interval holds 0. Each interval stands for itself."))
    if shown < pairs:
        told.append(
            words(
                "Only the {shown} closest of {pairs} pairs are drawn; the table has all.",
                shown=shown,
                pairs=pairs,
            )
        )
    return " ".join(told)
