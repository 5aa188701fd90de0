"""Who beats whom: the matrix of win rates as a heat map, the strongest policy first."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.differences import WINS, Pair, differences, is_told_by_test
from reports.figures.forest import Point, number_or_none
from reports.figures.heat import diverging, draw_heat, size

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words


def matrix(material: Material, words: Words) -> Drawing | None:
    """Draw the win rate of each row's policy in its games against each column's."""
    import pandas

    if "matrix" not in material.tables:
        return None
    table = material.tables["matrix"].set_index("policy")
    names = by_strength(material, [str(name) for name in table.index])
    values = {(row, column): number_or_none(table.at[row, column]) for row in names for column in names}
    if all(value is None for value in values.values()):
        return None
    found = differences(material, WINS)
    even = 1 / material.sides
    cells = [
        [_cell(words, values[row, column], _is_told(found, row, column)) for column in names] for row in names
    ]
    steps = [[_step(values[row, column], even) for column in names] for row in names]

    def draw(figure: FigureBase) -> None:
        label = words("win rate of the row's policy against the column's, in percent")
        draw_heat(figure, names, names, steps, cells=cells, labels=(label, ""))

    return Drawing(
        key="matrix",
        title=_title(words, names, values, found),
        caption=" ".join([_caption(words, even), source_of(material, words)]),
        alt=words("Heat map of win rates in percent: {told}.", told=_told(words, names, cells)),
        draw=draw,
        table=pandas.DataFrame(_rows(material, values, found)),
        size=size(names, names),
    )


def by_strength(material: Material, names: list[str]) -> list[str]:
    """Return the policies, the one first that wins most."""
    rates = material.tables["policies"].set_index("policy")["win_rate"]
    return sorted(names, key=lambda name: -(number_or_none(rates.get(name)) or 0.0))


def _step(value: float | None, even: float) -> int | None:
    return None if value is None else diverging(value, 0.0, even, 1.0)


def _is_told(found: dict[Pair, Point], row: str, column: str) -> bool:
    point = found.get((row, column)) or found.get((column, row))
    return point is not None and point.is_told_from(0)


def _cell(words: Words, value: float | None, is_told: bool) -> str:
    if value is None:
        return ""
    told = words.number(100 * value, 0)
    return told if is_told else f"({told})"


def _title(words: Words, names: list[str], values: dict[Pair, float | None], found: dict[Pair, Point]) -> str:
    """Return whether the order is that of strength in each pair too, or who beats a policy above it."""
    upsets = [
        (lower, upper)
        for upper, lower in itertools.combinations(names, 2)
        if (values[lower, upper] or 0.0) > (values[upper, lower] or 0.0) and _is_told(found, upper, lower)
    ]
    if upsets:
        lower, upper = upsets[0]
        return words(
            "{lower} beats {upper}, which wins more in all: the order by wins does not hold in every pair",
            lower=lower,
            upper=upper,
        )
    unsure = sum(not _is_told(found, *pair) for pair in itertools.combinations(names, 2))
    if unsure:
        return words(
            "No policy is sure to lose to one that wins less in all; {unsure} of {pairs} pairs cannot be "
            "told apart",
            unsure=unsure,
            pairs=len(names) * (len(names) - 1) // 2,
        )
    return words("Each policy beats every policy that wins less in all")


def _caption(words: Words, even: float) -> str:
    return words(
        "The policy that wins most comes first; {even} is even. In brackets: the interval of the pair's "
        "difference holds 0.",
        even=words.percent(even, 0),
    )


def _told(words: Words, names: list[str], cells: list[list[str]]) -> str:
    told = [
        words(
            "{first} against {told}",
            first=name,
            told=", ".join(f"{other} {cell}" for other, cell in zip(names, row, strict=True) if cell),
        )
        for name, row in zip(names, cells, strict=True)
    ]
    return "; ".join(told)


def _rows(
    material: Material, values: dict[Pair, float | None], found: dict[Pair, Point]
) -> list[dict[str, object]]:
    """Return a row a cell; of two sides with the interval, which is half the difference's about one half."""
    rows = []
    for (row, column), value in values.items():
        if value is None:
            continue
        low = high = None
        if material.sides == 2 and not is_told_by_test(material):
            low, high = _bounds(found, row, column)
        rows.append({"policy": row, "opponent": column, "win_rate": value, "low": low, "high": high})
    return rows


def _bounds(found: dict[Pair, Point], row: str, column: str) -> tuple[float | None, float | None]:
    if (point := found.get((row, column))) is not None and point.low is not None and point.high is not None:
        return (1 + point.low) / 2, (1 + point.high) / 2
    if (point := found.get((column, row))) is not None and point.low is not None and point.high is not None:
        return (1 - point.high) / 2, (1 - point.low) / 2
    return None, None
