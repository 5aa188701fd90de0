"""What opening is worth: to the opener's side in a round and in a game, and to each seat after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.figures.claims import is_above, is_below, row
from reports.figures.forest import Point, points_of
from reports.figures.rows import Rows, rows_of_metrics
from reports.figures.scale import PERCENT, scale_of

if TYPE_CHECKING:
    from reports.drawing import Drawing
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
    rows = Rows(points, scale, words("share won"), even)
    told = zip([name for name in found if found[name]], points, strict=True)
    title = "; ".join(_verdict(name, point, rows, words) for name, point in told)
    caption = words(
        "Who opens wins this share; the line is an even share, {even}. Ties are shared.",
        even=words.percent(even),
    )
    return rows.drawing("advantage", title, caption, rows_of_metrics(material, *metrics), material, words)


def _verdict(metric: str, point: Point, rows: Rows, words: Words) -> str:
    """Return what a share says against an even one."""
    even = rows.null or 0.0
    told = {"share": rows.told(point), "even": words.percent(even)}
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
    points = points_of(
        table, [names[offset] for offset in table["offset"]], ("round_win_rate", "low", "high")
    )
    even = 1 / material.sides
    scale = scale_of(words, PERCENT, [point.width for point in points])
    caption = words(
        "Rounds won, by seats after the opener; the line is an even share, {even}. Ties are shared.",
        even=words.percent(even),
    )
    rows = Rows(points, scale, words("share of the rounds won"), even)
    return rows.drawing("seats", _seats_title(points, even, words), caption, table, material, words)


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
