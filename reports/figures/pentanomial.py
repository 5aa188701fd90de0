"""How the two games of a deal come out, pair by pair: stacked shares of the five results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.scale import PERCENT, lines_of, more_lines, tick
from reports.labels import sentence
from reports.style import HEAT, PAPER, WIDTH, on_heat

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words

RESULTS = ("0", "½", "1", "1½", "2")
_STEPS = (1, 3, 5, 7, 9)  # of HEAT: second's win, even, first's win
_COLUMNS = [f"n{i}" for i in range(len(RESULTS))]
_MOST_ROWS = 20
_NAME_LETTERS, _LINE = 26, 0.16  # of a row's name: letters a line, inches of each further line
_NARROW = 0.075  # a smaller share has no room for its number


def pentanomial(material: Material, words: Words) -> Drawing | None:
    """Draw the shares of deals in which the first of a pair scored 0, ½, 1, 1½ and 2 of its two games."""
    table = material.tables.get("pairs")
    if table is None or table[_COLUMNS].isna().to_numpy().any() or not (table["deals"] > 0).all():
        return None
    shares = table[_COLUMNS].astype(float).div(table["deals"], axis=0)
    pairs = [
        words("{first} against {second}", first=a, second=b)
        for a, b in table[["a", "b"]].itertuples(index=False)
    ]
    order = sorted(range(len(pairs)), key=lambda place: -_score(shares, place))
    shown = (
        order
        if len(order) <= _MOST_ROWS
        else sorted(order, key=lambda i: abs(_score(shares, i) - 1))[:_MOST_ROWS]
    )
    shown = [place for place in order if place in shown]
    rows = [(pairs[place], shares.iloc[place].tolist()) for place in shown]
    counted = table.assign(**{f"share_{name}": shares[name] for name in _COLUMNS})

    def draw(figure: FigureBase) -> None:
        _draw(figure.subplots(), rows, words)

    caption = [words("Deals by what the first of a pair scored in its two games, one from either side.")]
    if len(shown) < len(order):
        caption.append(
            words(
                "Only the {shown} closest of {pairs} pairs are drawn; the table has all.",
                shown=len(shown),
                pairs=len(order),
            )
        )
    return Drawing(
        key="pentanomial",
        title=_title(material, words, shares),
        caption=" ".join([*caption, source_of(material, words)]),
        alt=words(
            "Stacked bars: {told}.", told="; ".join(_told(name, values, words) for name, values in rows)
        ),
        draw=draw,
        table=counted,
        size=(
            WIDTH,
            1.25 + (0.34 + _LINE * more_lines([name for name, _ in rows], _NAME_LETTERS)) * len(rows),
        ),
    )


def _score(shares: pandas.DataFrame, place: int) -> float:
    return sum(i / 2 * float(share) for i, share in enumerate(shares.iloc[place]))


def _told(name: str, values: list[float], words: Words) -> str:
    each = [f"{result}: {words.percent(share)}" for result, share in zip(RESULTS, values, strict=True)]
    return f"{name} {', '.join(each)}"


def _title(material: Material, words: Words, shares: pandas.DataFrame) -> str:
    even = float(shares["n2"].mean())
    if len(shares) == 1:
        sweeps = float(shares["n0"].iloc[0] + shares["n4"].iloc[0])
        return words(
            "{even} of the deals come out even; in {sweeps} one policy wins from both sides",
            even=words.percent(even),
            sweeps=words.percent(sweeps),
        )
    least, most = float(shares["n2"].min()), float(shares["n2"].max())
    return words(
        "From {least} to {most} of the deals come out even, by pair",
        least=words.percent(least),
        most=words.percent(most),
    )


def _draw(axes: Axes, rows: list[tuple[str, list[float]]], words: Words) -> None:
    places = list(range(len(rows) - 1, -1, -1))
    for result, step in enumerate(_STEPS):
        lefts = [sum(values[:result]) for _, values in rows]
        widths = [values[result] for _, values in rows]
        axes.barh(
            places, widths, left=lefts, height=0.72, color=HEAT[step], edgecolor=PAPER, label=RESULTS[result]
        )
        for place, left, width in zip(places, lefts, widths, strict=True):
            if width >= _NARROW:
                told = words.percent(width, 0)
                axes.text(
                    left + width / 2, place, told, ha="center", va="center", size=9, color=on_heat(step)
                )
    axes.set_yticks(places, [lines_of(name, _NAME_LETTERS) for name, _ in rows])
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlim(0, 1)
    axes.grid(visible=False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    tick(axes.xaxis, words, PERCENT)
    axes.set_xlabel(words("share of deals"))
    axes.legend(
        title=lines_of(sentence(words("games won by the first, of two"))),
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(RESULTS),
        columnspacing=1.2,
        handlelength=1.2,
    )
