"""Who wins games: by side, and by policy where policies differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import extremes, is_above, row
from reports.figures.forest import Point, draw_forest, size
from reports.figures.scale import PERCENT, Scale, scale_of

if TYPE_CHECKING:
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
    return Drawing(
        key="winners",
        title=_title(policies or sides, even, scale, words),
        caption=words(
            "Games won by side, and by policy the mean over its sides; the line is an even share, {even}. "
            "Who sits after whom is as given.",
            even=words.percent(even),
        )
        + " "
        + source_of(material, words),
        alt=words(
            "Points with intervals: {rows}.",
            rows="; ".join(f"{p.name} {scale.tell_all(p.estimate, p.low, p.high)}" for p in points),
        ),
        draw=lambda figure: draw_forest(figure, points, scale, words("share of the games won"), even),
        table=material.summary[material.summary["metric"] == "win_rate"],
        size=size(points),
    )


def _side(side: int, material: Material, words: Words) -> str:
    """Return a side in words, with the policies of its seats."""
    seats = zip(material.rules["sides"], material.policies, strict=True)
    held = dict.fromkeys(policy for owner, policy in seats if owner == side)
    return words("side {side}: {policies}", side=side, policies=", ".join(held))


def _says_more(material: Material) -> bool:
    """Return whether the win rates by policy are others than those by side."""
    held = set(zip(material.rules["sides"], material.policies, strict=True))
    return len(set(material.policies)) < len(held)


def _title(points: list[Point], even: float, scale: Scale, words: Words) -> str:
    best, _ = extremes(points)
    told = {
        "name": best.name,
        "rate": scale.tell_all(best.estimate, best.low, best.high),
        "even": words.percent(even),
    }
    if is_above(best, even):
        return words("{name} wins most, {rate} against an even {even}", **told)
    if best.group:
        return words("No policy can be told to win more than an even {even}", **told)
    return words("No side can be told to win more than an even {even}", **told)
