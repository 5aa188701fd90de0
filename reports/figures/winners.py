"""Who wins games: by side, and by policy where policies differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.figures.claims import extremes, is_above, row
from reports.figures.rows import Rows, rows_of_metrics
from reports.figures.scale import PERCENT, scale_of

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.figures.forest import Point
    from reports.material import Material
    from reports.words import Words


def winners(material: Material, words: Words) -> Drawing | None:
    """Draw the share of the games that each side wins, and of each policy the mean over its sides."""
    found = material.scopes("win_rate")
    if not found:
        return None
    sides = [
        row(_side(int(scope.removeprefix("side=")), material, words), each)
        for scope, each in found.items()
        if scope.startswith("side=")
    ]
    policies = [
        row(scope.removeprefix("policy="), each, 1)
        for scope, each in found.items()
        if scope.startswith("policy=")
    ]
    points = sides + (policies if _says_more(material) else [])
    even = 1 / material.sides
    scale = scale_of(words, PERCENT, [point.width for point in points])
    rows = Rows(points, scale, words("share of the games won"), even)
    caption = words(
        "Games won by side, and by policy the mean over its sides; the line is an even share, {even}. "
        "Who sits after whom is as given.",
        even=words.percent(even),
    )
    title = _title(policies or sides, rows, words)
    table = rows_of_metrics(material, "win_rate")
    return rows.drawing("winners", title, caption, table, material, words)


def _side(side: int, material: Material, words: Words) -> str:
    """Return a side in words, with the policies of its seats."""
    seats = zip(material.rules["sides"], material.policies, strict=True)
    held = dict.fromkeys(policy for owner, policy in seats if owner == side)
    return words("side {side}: {policies}", side=side, policies=", ".join(held))


def _says_more(material: Material) -> bool:
    """Return whether the win rates by policy are others than those by side."""
    held = set(zip(material.rules["sides"], material.policies, strict=True))
    return len(set(material.policies)) < len(held)


def _title(points: list[Point], rows: Rows, words: Words) -> str:
    best, _ = extremes(points)
    even = rows.null or 0.0
    told = {"name": best.name, "rate": rows.told(best), "even": words.percent(even)}
    if is_above(best, even):
        return words("{name} wins more than an even {even}: {rate}", **told)
    if best.group:
        return words("No policy can be told to win more than an even {even}", **told)
    return words("No side can be told to win more than an even {even}", **told)
