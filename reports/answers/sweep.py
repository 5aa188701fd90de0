"""The answer of a sweep: what the metric is in the base cell, and what moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.answers import telling
from reports.figures import claims
from reports.labels import DIFFERENCE, SHARE, cell_label, field_label, kind_of, metric_label, sentence
from reports.material import Measured

if TYPE_CHECKING:
    import pandas

    from reports.material import Material
    from reports.words import Words

_OWN = ("n", "estimate", "low", "high", "difference", "difference_low", "difference_high", "paired", "base")


def sweep_answer(material: Material, words: Words) -> list[str]:
    """Return two to five sentences; those whose numbers the run lacks are left out."""
    cells = material.tables["cells"]
    played = cells[cells["estimate"].notna()]
    if played.empty:
        return [words("No cell of the grid has a value of the metric.")]
    fields = [str(column) for column in cells if column not in _OWN]
    told = [
        _base(played, fields, material, words),
        _range(played, fields, material, words),
        _changes(played, fields, material, words),
        _fields(played, fields, material, words) if len(fields) > 1 else None,
    ]
    return [sentence for sentence in told if sentence is not None]


def _is_rate(material: Material) -> bool:
    return kind_of(str(material.facts["metric"]).partition(":")[0]) in (SHARE, DIFFERENCE)


def _value(found: Measured, material: Material, words: Words) -> str:
    kind = kind_of(str(material.facts["metric"]).partition(":")[0])
    if kind == SHARE:
        return telling.rate(found, words)
    return _change(found, material, words) if kind == DIFFERENCE else telling.number(found, words)


def _change(found: Measured, material: Material, words: Words) -> str:
    """Return a difference with its interval and unit."""
    if _is_rate(material):
        return words("{change} percentage points", change=telling.percentage_points(found, words))
    return telling.number(found, words, signed=True)


def _cell(row: pandas.Series, fields: list[str], words: Words) -> str:
    return cell_label({field: row[field] for field in fields}, words)


def _measured(row: pandas.Series, stem: str = "") -> Measured:
    estimate, low, high = (stem, f"{stem}_low", f"{stem}_high") if stem else ("estimate", "low", "high")
    return Measured(float(row[estimate]), float(row[low]), float(row[high]), int(row["n"]))


def _base(played: pandas.DataFrame, fields: list[str], material: Material, words: Words) -> str | None:
    base = played[played["base"]]
    if base.empty:
        return None
    return words(
        "{metric}: {value} in the base cell ({cell}).",
        metric=sentence(metric_label(str(material.facts["metric"]), words)),
        value=_value(_measured(base.iloc[0]), material, words),
        cell=_cell(base.iloc[0], fields, words),
    )


def _range(played: pandas.DataFrame, fields: list[str], material: Material, words: Words) -> str:
    lowest, highest = (
        played.loc[place] for place in (played["estimate"].idxmin(), played["estimate"].idxmax())
    )
    return words(
        "Over the grid it runs from {low} ({low_cell}) to {high} ({high_cell}).",
        low=_value(_measured(lowest), material, words),
        low_cell=_cell(lowest, fields, words),
        high=_value(_measured(highest), material, words),
        high_cell=_cell(highest, fields, words),
    )


def _changes(played: pandas.DataFrame, fields: list[str], material: Material, words: Words) -> str | None:
    others = played[~played["base"].astype(bool) & played["difference"].notna()]
    if others.empty:
        return None
    apart = others[[_is_apart(row, len(others), material) for _, row in others.iterrows()]]
    if apart.empty:
        return _no_change(played, others, fields, material, words)
    largest = apart.loc[apart["difference"].abs().idxmax()]
    if len(apart) == len(others):
        return words(
            "Every other cell differs from the base cell by more than chance would explain, most of all "
            "{cell}: {change}.",
            cell=_cell(largest, fields, words),
            change=_change(_measured(largest, "difference"), material, words),
        )
    return words(
        "{apart} of the {count} other cells differ from the base cell by more than chance would explain, "
        "most of all {cell}: {change}.",
        apart=words.whole(len(apart)),
        count=words.whole(len(others)),
        cell=_cell(largest, fields, words),
        change=_change(_measured(largest, "difference"), material, words),
    )


def _is_apart(row: pandas.Series, many: int, material: Material) -> bool:
    """Return whether one of many cells differs from the base cell, its interval widened to allow for all."""
    found = claims.row("", _measured(row, "difference"))
    return claims.as_one_of(found, many, material.confidence).is_told_from(0)


def _no_change(
    played: pandas.DataFrame,
    others: pandas.DataFrame,
    fields: list[str],
    material: Material,
    words: Words,
) -> str:
    if all(_measured(row, "difference").holds(0) for _, row in others.iterrows()):
        return words(
            "No cell can be told from the base cell: all {count} intervals of the differences hold 0.",
            count=words.whole(len(others)),
        )
    metric = sentence(metric_label(str(material.facts["metric"]), words))
    base = _cell(played[played["base"].astype(bool)].iloc[0], fields, words)
    return words("{metric}: no cell can be told from the base, {base}", metric=metric, base=base) + "."


def _fields(played: pandas.DataFrame, fields: list[str], material: Material, words: Words) -> str | None:
    """Tell how far each field moves the metric, on the mean over the other fields, where the grid is full."""
    if len(played) != len(played[fields].drop_duplicates()) or any(
        played.groupby(field).size().nunique() > 1 for field in fields
    ):
        return None
    spans = {}
    for field in fields:
        means = played.groupby(field, sort=False)["estimate"].mean()
        spans[field] = float(means.max() - means.min())
    order = sorted(fields, key=lambda field: -spans[field])
    unit = words("percentage points") if _is_rate(material) else ""
    tell = words.points if _is_rate(material) else words.number
    each = [f"{field_label(field, words)} {tell(spans[field])} {unit}".strip() for field in order]
    return words("Estimates averaged over the other fields move by: {each}.", each=words.joined(each))
