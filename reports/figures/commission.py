"""What the commission costs: the win rate that breaks even by stake, and what a game brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import is_above, is_below
from reports.figures.forest import Point
from reports.figures.scale import NUMBER, PERCENT, Scale, lines_of, scale_of, tick
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
    found = _win_rate(material)

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        axes.plot(stakes["stake"], stakes["break_even"], color=MUTED, linewidth=1.0)
        _draw_brackets(axes, brackets, float(stakes["stake"].max()), words)
        axes.axhline(_EVEN, color=MUTED, linestyle=LINES[1], linewidth=1.1)
        if found is not None:
            _draw_rate(axes, found)
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
    caption = words(
        "Thick: by bracket, with the commission of each player in percent; thin: rounded to the cent; "
        "dashed: even."
    )
    if found is not None:
        band = words("Dash-dotted, with the interval as a band: the win rate of {policy}.", policy=found.name)
        caption = f"{caption} {band} {source_of(material, words)}"
    return Drawing(
        key="break-even",
        title=_title_of_rates(scale, rates) if found is None else _title_of_edge(words, brackets, found),
        caption=caption,
        alt=words("Steps of the break-even win rate over the stake: {told}.", told=words.joined(each)),
        draw=draw,
        table=brackets,
        size=(WIDTH, 3.3),
    )


def _title_of_rates(scale: Scale, rates: Sequence[float]) -> str:
    least, most = (scale.tell(rate) for rate in (min(rates), max(rates)))
    if least == most:
        return scale.words("Who wins {rate} of the games breaks even", rate=least)
    return scale.words(
        "From {least} to {most} of the games must be won to break even, by stake", least=least, most=most
    )


def _title_of_edge(words: Words, brackets: pandas.DataFrame, found: Point) -> str:
    """Return which stakes the win rate of a run is enough for, hedged where its interval does not say."""
    scale = scale_of(words, PERCENT, [found.width])
    told = {"policy": found.name, "rate": scale.tell_all(found.estimate, found.low, found.high)}
    enough = brackets[[is_above(found, rate) for rate in brackets["break_even"]]]
    too_little = [is_below(found, rate) for rate in brackets["break_even"]]
    if len(enough) == len(brackets):
        return words("{policy} wins more than breaks even at any stake: {rate}", **told)
    if all(too_little):
        return words("{policy} wins less than breaks even at any stake: {rate}", **told)
    if enough.empty:
        return words("At no stake is {policy} sure to win more than breaks even: {rate}", **told)
    stake = words.number(float(enough["from"].min()), 0)
    return words("{policy} wins more than breaks even for stakes from {stake}: {rate}", stake=stake, **told)


def _win_rate(material: Material) -> Point | None:
    """Return the win rate of the run that stakes are about; None where it has none."""
    stakes = material.facts.get("stakes")
    if stakes is None or stakes["win_rate"][0] is None:
        return None
    return Point(stakes["names"][0], *stakes["win_rate"])


def _draw_rate(axes: Axes, found: Point) -> None:
    if found.low is not None and found.high is not None:
        axes.axhspan(found.low, found.high, color=SERIES[1], alpha=0.17, linewidth=0)
    axes.axhline(found.estimate, color=SERIES[1], linestyle=LINES[2])


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
    found = _win_rate(material)
    table = stakes if found is None else _with_interval(stakes, found)
    has_band = "expected_low" in table

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        axes.axhline(0, color=MUTED, linestyle=LINES[1], linewidth=1.1)
        axes.plot(stakes["stake"], brings, color=SERIES[0])
        if has_band:
            bounds = table["expected_low"], table["expected_high"]
            axes.fill_between(stakes["stake"], *bounds, color=SERIES[0], alpha=0.17, linewidth=0)
        tick(axes.xaxis, words, NUMBER)
        tick(axes.yaxis, words, NUMBER, signed=True)
        axes.set_xlabel(words("stake"))
        axes.set_title(
            lines_of(words("Expected gain a game, in the money of the stake"), 68), loc="left", fontsize=9.5
        )

    if has_band:
        caption = words("Expected gain a game after commission, for the stake alone; band: the interval.")
        caption = f"{caption} {source_of(material, words)}"
    else:
        caption = words(
            "Expected gain a game after commission, at the estimated win rate without its interval."
        )
    return Drawing(
        key="expected",
        title=_title_of_interval(table, words, told) if has_band else _title_of_gain(stakes, words, told),
        caption=caption,
        alt=words("Line of the expected gain a game over the stake, at most {most} at {stake}.", **told),
        draw=draw,
        table=table,
        size=(WIDTH, 3.3),
    )


def _with_interval(stakes: pandas.DataFrame, found: Point) -> pandas.DataFrame:
    """Return the stakes with what a game brings at the bounds of the win rate; without bounds as they are."""
    if found.low is None or found.high is None:
        return stakes
    receives, stake = stakes["winner_receives"], stakes["stake"]
    return stakes.assign(
        expected_low=found.low * receives - stake, expected_high=found.high * receives - stake
    )


def _title_of_gain(stakes: pandas.DataFrame, words: Words, told: Mapping[str, str]) -> str:
    brings = stakes["expected_per_game"].astype(float)
    if brings.max() <= 0:
        return words("At this win rate every stake loses, up to the commission's rounding")
    if brings.min() > 0:
        return words("At this win rate every stake gains, most at {stake}: {most} a game", **told)
    return words(
        "At this win rate stakes from {first} may gain, most at {stake}: {most} a game",
        first=words.number(float(stakes.loc[brings > 0, "stake"].min()), 2),
        **told,
    )


def _title_of_interval(table: pandas.DataFrame, words: Words, told: Mapping[str, str]) -> str:
    """Return what the interval of the win rate allows to say of the stakes."""
    if table["expected_high"].max() < 0:
        return words("Every stake loses, up to the commission's rounding")
    gains = table["expected_low"] > 0
    if gains.all():
        return words("Every stake gains, most at {stake}: {most} a game", **told)
    if not gains.any() and table["expected_per_game"].max() <= 0:
        return words("No stake is sure to gain; by the estimate each loses")
    if not gains.any():
        return words("No stake is sure to gain; the most would be {most} a game at {stake}", **told)
    return words(
        "Stakes from {first} are sure to gain, by the interval, and most at {stake}: {most} a game",
        first=words.number(float(table.loc[gains, "stake"].min()), 2),
        **told,
    )
