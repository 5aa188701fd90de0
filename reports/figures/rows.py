"""Estimates in rows as one figure: a forest plot with its words; and the rows of a metric by policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import are_apart, extremes, row
from reports.figures.forest import Point, draw_forest, size
from reports.figures.scale import Scale, scale_of

if TYPE_CHECKING:
    import pandas

    from reports.material import Material
    from reports.words import Words


@dataclass(frozen=True)
class Rows:
    """Estimates in rows.

    Attributes
    ----------
    points : from the top.
    scale : tells them.
    label : of the axis.
    null : where a line is drawn; None without one.
    """

    points: list[Point]
    scale: Scale
    label: str
    null: float | None = None

    def told(self, point: Point) -> str:
        """Return the estimate of a row and its interval in words."""
        return self.scale.tell_all(point.estimate, point.low, point.high)

    def drawing(
        self, key: str, title: str, caption: str, table: pandas.DataFrame, material: Material, words: Words
    ) -> Drawing:
        """Return the rows as a figure; the source is added to its caption."""
        rows = "; ".join(f"{point.name} {self.told(point)}" for point in self.points)
        return Drawing(
            key=key,
            title=title,
            caption=f"{caption} {source_of(material, words)}",
            alt=words("Points with intervals: {rows}.", rows=rows),
            draw=lambda figure: draw_forest(figure, self.points, self.scale, self.label, self.null),
            table=table,
            size=size(self.points),
        )


def rows_of_metrics(material: Material, *metrics: str) -> pandas.DataFrame:
    """Return the rows of the summary that are of these metrics."""
    return material.summary[material.summary["metric"].isin(metrics)]


@dataclass(frozen=True)
class ByPolicy:
    """A metric by policy.

    Attributes
    ----------
    rows : all, then each policy.
    most, least : the policies of the highest and the lowest estimate.
    are_apart : whether their intervals have nothing in common.
    """

    rows: Rows
    most: Point
    least: Point
    are_apart: bool

    @property
    def parts(self) -> dict[str, str]:
        """The words of a title: most, least, and their estimates high and low."""
        high, low = self.rows.told(self.most), self.rows.told(self.least)
        return {"most": self.most.name, "least": self.least.name, "high": high, "low": low}


def by_policy(material: Material, words: Words, metric: str, form: str, label: str) -> ByPolicy | None:
    """Return a metric by policy, None where fewer than two policies have it.

    Parameters
    ----------
    form : of the scale.
    label : of the axis.
    """
    found = material.scopes(metric)
    policies = [
        row(scope.removeprefix("policy="), each, 1)
        for scope, each in found.items()
        if scope.startswith("policy=")
    ]
    if len(policies) < 2:
        return None
    points = [row(words("all"), found["all"]), *policies]
    most, least = extremes(policies)
    scale = scale_of(words, form, [point.width for point in points])
    return ByPolicy(Rows(points, scale, label), most, least, are_apart(most, least))
