"""How rounds end: out, blocked, or cut by the target; and how often they block, by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.style import HATCHES, INK, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def ends(material: Material, words: Words) -> Drawing | None:
    """Draw the share of rounds by how they end, with the interval of the blocked ones."""
    blocked = material.metric("blocked_rate")
    if blocked is None or "ends" not in material.tables:
        return None
    table = material.tables["ends"]
    table = table[table["rounds"] > 0]
    names = {"out": words("out"), "blocked": words("blocked"), "target": words("at the target")}
    labels = [names[end] for end in table["end"]]
    shares = [float(share) for share in table["share"]]

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        places = range(len(labels) - 1, -1, -1)
        for i, (place, share) in enumerate(zip(places, shares, strict=True)):
            axes.barh(place, share, color=SERIES[i], hatch=HATCHES[i], height=0.62)
            axes.annotate(
                words.percent(share),
                (share, place),
                (4, 0),
                textcoords="offset points",
                va="center",
                color=INK,
            )
        axes.set_yticks(list(places), labels)
        axes.set_xlim(0, max(shares) * 1.14)
        axes.xaxis.set_major_formatter(lambda share, _: words.percent(share, 0))
        axes.set_xlabel(words("share of all rounds"))
        axes.grid(axis="y", visible=False)

    each = [f"{label} {words.percent(share)}" for label, share in zip(labels, shares, strict=True)]
    return Drawing(
        key="ends",
        title=words(
            "{rate} of the rounds that are played out block ({interval})",
            rate=words.percent(blocked.estimate),
            interval=words.interval(words.percent(blocked.low, 2), words.percent(blocked.high, 2)),
        ),
        caption=words("How rounds end.") + " " + source_of(material, words),
        alt=words("Bars: share of the rounds by their end: {shares}.", shares=words.joined(each)),
        draw=draw,
        table=table,
        size=(WIDTH, 0.9 + 0.42 * len(labels)),
    )
