"""What the commission costs: the win rate that breaks even by stake, and what a game brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing
from reports.figures.scale import NUMBER, PERCENT, lines_of, scale_of, tick
from reports.figures.sections import drawn
from reports.style import INK, LINES, MUTED, SERIES, WIDTH

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words

_EVEN = 0.5


def commission_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of stakes under "stakes", from the tables `brackets` and `stakes`."""
    return drawn((("stakes", (break_even, expected)),), material, words)


def break_even(material: Material, words: Words) -> Drawing | None:
    """Draw the win rate that breaks even by stake, with each bracket's percentage."""
    brackets, stakes = material.tables.get("brackets"), material.tables.get("stakes")
    if brackets is None or stakes is None or brackets.empty or stakes.empty:
        return None
    scale = scale_of(words, PERCENT, [0.002])
    rates = [float(rate) for rate in brackets["break_even"]]
    least, most = (scale.tell(rate) for rate in (min(rates), max(rates)))
    if least == most:
        title = words("Who wins {rate} of the games breaks even", rate=least)
    else:
        title = words(
            "From {least} to {most} of the games must be won to break even, by stake", least=least, most=most
        )

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        axes.plot(stakes["stake"], stakes["break_even"], color=MUTED, linewidth=1.0)
        _draw_brackets(axes, brackets, float(stakes["stake"].max()), words)
        axes.axhline(_EVEN, color=MUTED, linestyle=LINES[1], linewidth=1.1)
        tick(axes.xaxis, words, NUMBER)
        tick(axes.yaxis, words, PERCENT)
        axes.margins(y=0.14)
        axes.set_xlim(0, float(stakes["stake"].max()))
        axes.set_xlabel(words("stake"))
        axes.set_title(lines_of(words("Break-even win rate"), 68), loc="left", fontsize=9.5)

    each = [
        words("from {stake} {rate}", stake=words.number(float(low), 0), rate=scale.tell(rate))
        for low, rate in zip(brackets["from"], rates, strict=True)
    ]
    return Drawing(
        key="break-even",
        title=title,
        caption=words(
            "Thick: by bracket, with the commission of each player in percent; thin: rounded to the cent; "
            "dashed: even."
        ),
        alt=words("Steps of the break-even win rate over the stake: {told}.", told=words.joined(each)),
        draw=draw,
        table=brackets,
        size=(WIDTH, 3.3),
    )


def _draw_brackets(axes: Axes, brackets: pandas.DataFrame, end: float, words: Words) -> None:
    for low, high, percent, rate in brackets[["from", "to", "percent", "break_even"]].itertuples(index=False):
        last = end if high != high else min(float(high), end)  # NaN: the last bracket has no end
        axes.plot([low, last], [rate, rate], color=SERIES[0], linewidth=2.6, solid_capstyle="butt")
        axes.annotate(
            words.percent(percent / 100, 0 if float(percent).is_integer() else 1),
            (low, rate),
            (2, 3),
            textcoords="offset points",
            va="bottom",
            color=INK,
        )


def expected(material: Material, words: Words) -> Drawing | None:
    """Draw what a game brings at the win rate of the question, by stake; None where none is known."""
    stakes = material.tables.get("stakes")
    if stakes is None or stakes.empty or stakes["expected_per_game"].isna().any():
        return None
    brings = stakes["expected_per_game"].astype(float)
    best = stakes.iloc[int(brings.to_numpy().argmax())]
    told = {
        "most": words.number(float(brings.max()), 2, signed=True),
        "stake": words.number(float(best["stake"]), 2),
    }
    if brings.max() <= 0:
        title = words("At this win rate every stake loses, up to the commission's rounding")
    elif brings.min() > 0:
        title = words("At this win rate every stake gains, most at {stake}: {most} a game", **told)
    else:
        gains = stakes.loc[brings > 0, "stake"]
        title = words(
            "At this win rate stakes from {first} may gain, most at {stake}: {most} a game",
            first=words.number(float(gains.min()), 2),
            **told,
        )

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        axes.axhline(0, color=MUTED, linestyle=LINES[1], linewidth=1.1)
        axes.plot(stakes["stake"], brings, color=SERIES[0])
        tick(axes.xaxis, words, NUMBER)
        tick(axes.yaxis, words, NUMBER, signed=True)
        axes.set_xlabel(words("stake"))
        axes.set_title(
            lines_of(words("Expected gain a game, in the money of the stake"), 68), loc="left", fontsize=9.5
        )

    return Drawing(
        key="expected",
        title=title,
        caption=words(
            "Expected gain a game after commission, at the estimated win rate without its interval."
        ),
        alt=words("Line of the expected gain a game over the stake, at most {most} at {stake}.", **told),
        draw=draw,
        table=stakes,
        size=(WIDTH, 3.3),
    )
