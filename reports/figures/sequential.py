"""Where a sequential test of two policies stands between its bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.scale import NUMBER, lines_of, tick
from reports.style import HATCHES, INK, LINES, MARKERS, MUTED, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def sequential(material: Material, words: Words) -> Drawing | None:
    """Draw the log-likelihood ratio of a sequential test against the bounds at which it ends."""
    import pandas

    test = material.facts.get("test")
    if test is None:
        return None
    ratio, lower, upper = float(test["llr"]), float(test["lower"]), float(test["upper"])
    elo0, elo1 = words.number(test["elo0"], 0), words.number(test["elo1"], 0)

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        axes.barh(0, ratio, color=SERIES[0], hatch=HATCHES[0], height=0.4)
        axes.plot(ratio, 0, MARKERS[0], color=SERIES[0], zorder=3, clip_on=False)
        axes.axvline(0, color=MUTED, linewidth=0.8)
        for bound in (lower, upper):
            axes.axvline(bound, color=INK, linestyle=LINES[1])
        reach = 1.12 * max(abs(ratio), upper, -lower)
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-0.5, 0.5)
        axes.set_yticks([])
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
        tick(axes.xaxis, words, NUMBER)
        axes.set_xlabel(
            lines_of(
                words(
                    "log-likelihood ratio: Elo {elo0} is accepted at the left line, Elo {elo1} at the right",
                    elo0=elo0,
                    elo1=elo1,
                )
            )
        )

    return Drawing(
        key="sequential-test",
        title=_title(test, words),
        caption=words(
            "Sequential test of an Elo difference of {elo1} against {elo0}, risks {alpha} and {beta}; "
            "it ends at a dashed line.",
            elo0=elo0,
            elo1=elo1,
            alpha=words.percent(test["alpha"]),
            beta=words.percent(test["beta"]),
        )
        + " "
        + source_of(material, words),
        alt=words(
            "Bar: the log-likelihood ratio stands at {llr}, between the bounds {lower} "
            "and {upper} or beyond one of them.",
            llr=words.number(ratio),
            lower=words.number(lower),
            upper=words.number(upper),
        ),
        draw=draw,
        table=pandas.DataFrame([dict(test)]),
        size=(WIDTH, 1.5),
    )


def _title(test: dict[str, float | str], words: Words) -> str:
    verdict = str(test["verdict"])
    if verdict in test:
        return words(
            "The sequential test accepts a difference of {elo} Elo", elo=words.number(float(test[verdict]), 0)
        )
    return words(
        "The sequential test is not decided between {elo0} and {elo1} Elo",
        elo0=words.number(float(test["elo0"]), 0),
        elo1=words.number(float(test["elo1"]), 0),
    )
