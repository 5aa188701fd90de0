"""How strong each policy is: ratings, or wins against all others where there are no ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures import forest
from reports.figures.differences import WINS, differences
from reports.figures.forest import Point, points_of
from reports.figures.scale import NUMBER, PERCENT, Scale, scale_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def ratings(material: Material, words: Words) -> Drawing | None:
    """Draw the ratings of three policies or more, best first, on the scale of Elo."""
    table = _ranked(material, "rating")
    if table is None:
        return None
    rated = table.dropna(subset=["rating"])
    points = points_of(rated, list(rated["policy"]), ("rating", "rating_low", "rating_high"))
    scale = scale_of(words, NUMBER, [point.width for point in points], signed=True)
    without = [str(name) for name in table.loc[table["rating"].isna(), "policy"]]
    caption = words("Ratings of Bradley and Terry on the scale of Elo, mean 0.")
    if without:
        told = words("Without a rating, having won or lost all: {names}.", names=words.joined(without))
        caption = f"{caption} {told}"

    def draw(figure: FigureBase) -> None:
        forest.draw_forest(figure, points, scale, words("rating (Elo)"))

    return Drawing(
        key="ratings",
        title=_title(material, scale, points),
        caption=f"{caption} {source_of(material, words)}",
        alt=words("Ratings with intervals: {told}.", told=_told(scale, points)),
        draw=draw,
        table=rated[["policy", "rating", "rating_low", "rating_high"]].reset_index(drop=True),
        size=forest.size(points),
    )


def win_rates(material: Material, words: Words) -> Drawing | None:
    """Draw each policy's wins over all its games, where no policy has a rating."""
    table = _ranked(material, "win_rate")
    if table is None or table["rating"].notna().any():
        return None
    points = points_of(table, list(table["policy"]), ("win_rate", "low", "high"))
    scale = scale_of(words, PERCENT, [point.width for point in points])
    even = 1 / material.sides
    ahead = [point.name for point in points if point.is_told_from(even) and point.estimate > even]
    if ahead:
        title = words("More wins than their even share: {names}", names=words.joined(ahead))
    else:
        title = words("No policy can be told to win more than its even share")

    def draw(figure: FigureBase) -> None:
        forest.draw_forest(figure, points, scale, words("wins for each side held, in all games"), null=even)

    return Drawing(
        key="win-rates",
        title=title,
        caption=words("Dashed: the even share, {even}.", even=words.percent(even))
        + " "
        + source_of(material, words),
        alt=words("Wins with intervals: {told}.", told=_told(scale, points)),
        draw=draw,
        table=table[["policy", "games", "win_rate", "low", "high"]].reset_index(drop=True),
        size=forest.size(points),
    )


def _ranked(material: Material, column: str) -> pandas.DataFrame | None:
    """Return the table of three policies or more, the largest of a column first; None without any value."""
    table = material.tables.get("policies")
    if table is None or len(table) < 3 or table[column].isna().all():
        return None
    ranked = table.astype({column: float})
    return ranked.sort_values(column, ascending=False, kind="stable", na_position="last")


def _told(scale: Scale, points: list[Point]) -> str:
    told = [f"{point.name} {scale.tell_all(point.estimate, point.low, point.high)}" for point in points]
    return scale.words.joined(told)


def _title(material: Material, scale: Scale, points: list[Point]) -> str:
    words = scale.words
    best = points[0]
    told = scale.tell_all(best.estimate, best.low, best.high)
    if len(points) < 2:
        return words("Only {name} has a rating: {told}", name=best.name, told=told)
    second = points[1]
    if _beats(material, best.name, second.name):
        return words("{name} is rated highest, {told}", name=best.name, told=told)
    return words(
        "{name} is rated highest, {told}, but cannot be told from {second}",
        name=best.name,
        told=told,
        second=second.name,
    )


def _beats(material: Material, best: str, second: str) -> bool:
    """Whether the games of two policies against each other tell that the first is better."""
    found = differences(material, WINS)
    if (point := found.get((best, second))) is not None:
        return point.is_told_from(0) and point.estimate > 0
    point = found.get((second, best))
    return point is not None and point.is_told_from(0) and point.estimate < 0
