"""Distributions: the share of each number as a bar with its interval, and the mean with its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.figures.forest import number_or_none
from reports.figures.scale import PERCENT, lines_of, tick
from reports.style import HATCHES, INK, MUTED, SERIES

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

    from reports.material import Measured
    from reports.words import Words

REST = 0.002  # at most this share is left out at the upper end, and told in the caption
_WIDEST = 60  # numbers from first to last; beyond, bars are drawn as one outline
_BAR = 0.8  # of the distance to the next number


@dataclass(frozen=True)
class Distribution:
    """The share of each number.

    Attributes
    ----------
    numbers : ascending.
    shares : of each.
    lows, highs : of the interval of each share, None where it has none.
    rest : share of the numbers above the last.
    """

    numbers: tuple[float, ...]
    shares: tuple[float, ...]
    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]
    rest: float

    @property
    def step(self) -> float:
        """Smallest distance between two of the numbers; 1 for a single number."""
        gaps = [b - a for a, b in zip(self.numbers, self.numbers[1:], strict=False)]
        return min(gaps, default=1.0)

    @property
    def top(self) -> float:
        """Highest value that is drawn."""
        return max(*self.shares, *(high for high in self.highs if high is not None), 0.0)


def distribution(table: pandas.DataFrame, column: str) -> Distribution:
    """Return a table's shares by the numbers of a column, without the far upper end.

    Parameters
    ----------
    table : with columns share and, where the shares have intervals, low and high.
    """
    ordered = table.sort_values(column)
    shares = [float(share) for share in ordered["share"]]
    kept, total = 0, 0.0
    while kept < len(shares) and total < 1 - REST:
        total += shares[kept]
        kept += 1
    bounds = [
        tuple(number_or_none(value) for value in ordered[name][:kept]) if name in ordered else (None,) * kept
        for name in ("low", "high")
    ]
    rest = sum(shares[kept:])
    numbers = tuple(float(number) for number in ordered[column][:kept])
    return Distribution(numbers, tuple(shares[:kept]), bounds[0], bounds[1], rest)


def quantile(table: pandas.DataFrame, column: str, part: float) -> float:
    """Return the smallest number within which at least a part of all lies."""
    ordered = table.sort_values(column)
    within = ordered["share"].cumsum() >= part - 1e-12
    return float(ordered[column][within].iloc[0] if within.any() else ordered[column].iloc[-1])


def draw_distribution(
    axes: Axes, shown: Distribution, words: Words, across: str, up: str, groups: Sequence[int] | None = None
) -> None:
    """Draw a distribution.

    Parameters
    ----------
    across, up : the labels of the axes.
    groups : number of each bar's colour and hatch; all 0 without them.
    """
    if (shown.numbers[-1] - shown.numbers[0]) / shown.step > _WIDEST and groups is None:
        _outline(axes, shown)
    else:
        _bars(axes, shown, groups or [0] * len(shown.numbers))
    axes.set_ylim(0, 1.06 * shown.top)
    margin = 0.7 * shown.step if len(shown.numbers) > 1 else 1.5
    axes.set_xlim(shown.numbers[0] - margin, shown.numbers[-1] + margin)
    tick_whole(axes.xaxis, words)
    tick(axes.yaxis, words, PERCENT)
    axes.grid(axis="x", visible=False)
    axes.set_xlabel(lines_of(across))
    axes.set_ylabel(lines_of(up, 28))


def tick_whole(axis: Axis, words: Words, most: int = 10) -> None:
    """Write an axis's ticks as whole numbers."""
    axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda value, _: words.whole(value)))


def _bars(axes: Axes, shown: Distribution, groups: Sequence[int]) -> None:
    for number, share, group in zip(shown.numbers, shown.shares, groups, strict=True):
        axes.bar(number, share, _BAR * shown.step, color=SERIES[group], hatch=HATCHES[group])
    _intervals(axes, shown, INK, 1.1)


def _outline(axes: Axes, shown: Distribution) -> None:
    share_of = dict(zip(shown.numbers, shown.shares, strict=True))
    count = round((shown.numbers[-1] - shown.numbers[0]) / shown.step) + 1
    numbers = [shown.numbers[0] + i * shown.step for i in range(count)]
    edges = [number - shown.step / 2 for number in numbers] + [numbers[-1] + shown.step / 2]
    shares = [share_of.get(number, 0.0) for number in numbers]
    axes.stairs(shares, edges, fill=True, color=SERIES[0])
    _band(axes, shown, edges, numbers)


def _band(axes: Axes, shown: Distribution, edges: Sequence[float], numbers: Sequence[float]) -> None:
    """Draw the intervals of an outline as one band; a line for each would hide it."""
    bounds = zip(shown.numbers, shown.lows, shown.highs, strict=True)
    found = {number: (low, high) for number, low, high in bounds if low is not None and high is not None}
    if found:
        lows, highs = zip(*(found.get(number, (0.0, 0.0)) for number in numbers), strict=True)
        axes.stairs(highs, edges, baseline=lows, fill=True, color=MUTED, alpha=0.45, linewidth=0)


def _intervals(axes: Axes, shown: Distribution, colour: str, width: float) -> None:
    """Draw the intervals as lines without caps, which narrow bars have no room for."""
    found = [
        (number, low, high)
        for number, low, high in zip(shown.numbers, shown.lows, shown.highs, strict=True)
        if low is not None and high is not None
    ]
    if found:
        numbers, lows, highs = zip(*found, strict=True)
        axes.vlines(numbers, lows, highs, colors=colour, linewidth=width)


def mark_mean(axes: Axes, mean: Measured) -> None:
    """Draw a mean as a line across the distribution, its interval as a band."""
    if mean.low < mean.high:
        axes.axvspan(mean.low, mean.high, color=MUTED, alpha=0.3, linewidth=0, zorder=0.6)  # behind the bars
    axes.axvline(mean.estimate, color=INK, linestyle="--", linewidth=1.2)


def mean_key(label: str) -> Line2D:
    """Return what stands for a mean in a legend."""
    return Line2D([], [], color=INK, linestyle="--", linewidth=1.2, label=label)


def group_key(group: int, label: str) -> Patch:
    """Return what stands for a group of bars in a legend."""
    return Patch(facecolor=SERIES[group], hatch=HATCHES[group], label=label)


def put_legend(axes: Axes, keys: Sequence[Patch | Line2D]) -> None:
    """Write a legend above the axes, one line a key, where it hides nothing."""
    axes.legend(handles=list(keys), loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2)


def rest_told(shown: Distribution, words: Words) -> str:
    """Return what a caption says of the numbers that are not drawn; empty where all are."""
    if shown.rest <= 0:
        return ""
    told = words("Not drawn: the {share} above.", share=words.percent(shown.rest, 2))
    return " " + told
