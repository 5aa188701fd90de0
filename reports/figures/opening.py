"""What opening is worth: to the opener's side in a round and in a game, and to each seat after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import is_above, is_below, row
from reports.figures.forest import Point, draw_forest, size
from reports.figures.scale import PERCENT, Scale, scale_of

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words


def advantage(material: Material, words: Words) -> Drawing | None:
    """Draw how often the opener's side wins the round and, of games, the first opener's side the game."""
    metrics = {
        "opener_win_rate": words("the round, by its opener's side"),
        "first_mover_win_rate": words("the game, by its first opener's side"),
    }
    found = {name: material.metric(name) for name in metrics}
    points = [row(metrics[name], each) for name, each in found.items() if each is not None]
    if not points:
        return None
    even = 1 / material.sides
    scale = scale_of(words, PERCENT, [point.width for point in points])
    verdicts = [
        _verdict(name, point, even, scale, words)
        for name, point in zip([name for name in found if found[name]], points, strict=True)
    ]
    return Drawing(
        key="advantage",
        title="; ".join(verdicts),
        caption=words(
            "Who opens wins this share; the line is an even share, {even}. Ties are shared.",
            even=words.percent(even),
        )
        + " "
        + source_of(material, words),
        alt=words("Points with intervals: {rows}.", rows="; ".join(_told(point, scale) for point in points)),
        draw=lambda figure: draw_forest(figure, points, scale, words("share won"), even),
        table=material.summary[material.summary["metric"].isin(list(metrics))],
        size=size(points),
    )


def _told(point: Point, scale: Scale) -> str:
    return f"{point.name} {scale.tell_all(point.estimate, point.low, point.high)}"


def _verdict(metric: str, point: Point, even: float, scale: Scale, words: Words) -> str:
    """Return what a share says against an even one."""
    told = {
        "share": scale.tell_all(point.estimate, point.low, point.high),
        "even": words.percent(even),
    }
    if metric == "opener_win_rate":
        if is_above(point, even):
            return words("Opening pays in the round: {share} against an even {even}", **told)
        if is_below(point, even):
            return words("Opening costs in the round: {share} against an even {even}", **told)
        return words("Opening a round is no advantage that can be told: {share} against {even}", **told)
    if is_above(point, even):
        return words("it pays in the game: {share}", **told)
    if is_below(point, even):
        return words("it costs in the game: {share}", **told)
    return words("in the game no difference can be told: {share}", **told)


def seats(material: Material, words: Words) -> Drawing | None:
    """Draw how often each seat after the opener wins the round, where three or more play singly."""
    table = material.tables.get("seats")
    if table is None or material.sides < 3 or table["round_win_rate"].isna().all():
        return None
    names = [
        words("the opener"),
        words("the next seat"),
        words("the second after it"),
        words("the third after it"),
    ]
    points = [
        Point(names[offset], rate, low, high)
        for offset, rate, low, high in table[["offset", "round_win_rate", "low", "high"]].itertuples(
            index=False
        )
    ]
    even = 1 / material.sides
    scale = scale_of(words, PERCENT, [point.width for point in points])
    return Drawing(
        key="seats",
        title=_seats_title(points, even, words),
        caption=words(
            "Rounds won, by seats after the opener; the line is an even share, {even}. Ties are shared.",
            even=words.percent(even),
        )
        + " "
        + source_of(material, words),
        alt=words("Points with intervals: {rows}.", rows="; ".join(_told(point, scale) for point in points)),
        draw=lambda figure: draw_forest(figure, points, scale, words("share of the rounds won"), even),
        table=table,
        size=size(points),
    )


def _seats_title(points: list[Point], even: float, words: Words) -> str:
    above = [point.name for point in points if is_above(point, even)]
    below = [point.name for point in points if is_below(point, even)]
    told = {"above": words.joined(above), "below": words.joined(below), "even": words.percent(even)}
    if above and below:
        return words("More than an even {even} of the rounds: {above}; less: {below}", **told)
    if above:
        return words("More than an even {even} of the rounds: {above}", **told)
    if below:
        return words("Less than an even {even} of the rounds: {below}", **told)
    return words("No seat's share of the rounds can be told from an even {even}", **told)
