"""How a number is spread over games or plays: its distribution with the mean, as one figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import row
from reports.figures.histogram import (
    distribution,
    draw_distribution,
    mark_mean,
    mean_key,
    put_legend,
    rest_told,
)
from reports.figures.scale import NUMBER, scale_of
from reports.style import WIDTH

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import FigureBase

    from reports.material import Material, Measured
    from reports.words import Words


LAST = 255  # rounds or points; a table of games ends there


@dataclass(frozen=True)
class Telling:
    """The words of a figure: title, first sentence of the caption, and the labels of the axes."""

    title: str
    caption: str
    across: str
    up: str


def mean_told(found: Measured, words: Words) -> str:
    """Return a mean with its interval in words."""
    point = row("", found)
    return scale_of(words, NUMBER, [point.width]).tell_all(point.estimate, point.low, point.high)


def spread(
    key: str,
    table: pandas.DataFrame,
    column: str,
    mean: Measured,
    telling: Telling,
    material: Material,
    words: Words,
) -> Drawing:
    """Draw a distribution with its mean.

    Parameters
    ----------
    table : with the numbers in `column` and their share; a number of `LAST` or more stands for more, too.
    mean : of the numbers.
    """
    shown = distribution(table, column)

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        draw_distribution(axes, shown, words, telling.across, telling.up)
        mark_mean(axes, mean)
        put_legend(axes, [mean_key(words("mean {mean}", mean=mean_told(mean, words)))])

    rest = rest_told(shown, words)
    if shown.numbers[-1] >= LAST:
        rest += " " + words("The last bar stands for {last} and more.", last=words.whole(LAST))
    digits = 0 if all(number % 1 == 0 for number in shown.numbers) else 1
    bars = zip(shown.numbers, shown.shares, strict=True)
    rows = [f"{words.number(number, digits)}: {words.percent(share)}" for number, share in bars]
    return Drawing(
        key=key,
        title=telling.title,
        caption=f"{telling.caption}{rest} {source_of(material, words)}",
        alt=words("Bars: {rows}.", rows="; ".join(rows)),
        draw=draw,
        table=table,
        size=(WIDTH, 3.0),
    )
