"""How rounds go by the lead: those that the policy led, and what each lead gains over the policy's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, source_of
from reports.figures.claims import are_apart, as_one_of, extremes, is_above
from reports.figures.forest import Point, points_of
from reports.figures.rows import Rows
from reports.figures.scale import NUMBER, POINTS, Scale, scale_of
from reports.figures.triangle import FEW, Cell, draw_triangle, rows_of, size, step_of_colours

if TYPE_CHECKING:
    import pandas

    from reports.material import Material
    from reports.words import Words

MOST_ROWS = 28  # leads in a forest plot; of more the best and the worst are drawn


def led(material: Material, words: Words) -> Drawing | None:
    """Draw how often the opener's side wins the round, by the tile that the policy led."""
    table = material.tables.get("openings")
    if table is None or table.empty or table["opener_win_rate"].isna().all():
        return None
    found = material.metric("opener_win_rate")
    assert found is not None  # a lead that won or lost a round has counted in it
    table, mean = table[table["opener_win_rate"].notna()], found.estimate
    middle = float(round(100 * mean))
    columns = ("opener_win_rate", "low", "high")
    points = points_of(table, list(table["tile"]), columns)
    cells = [
        Cell(point.name, 100 * point.estimate, words.number(100 * point.estimate, 0),
             point.is_told_from(mean), int(n))
        for point, n in zip(points, table["n"], strict=True)
    ]  # fmt: skip
    step = max(step_of_colours(cells, middle), 1.0)
    rows = rows_of(material.rules)
    key = words("percent of the rounds won by the opener's side; the middle is that of all leads")
    return Drawing(
        key="leads",
        title=_led_title(points, table, material, words),
        caption=_cells_caption(words)
        + " "
        + words("It shows what the policy led, not which lead is best.")
        + " "
        + source_of(material, words),
        alt=words(
            "A triangle of tiles with the percentage of rounds won by the opener's side: {tiles}.",
            tiles=", ".join(f"{cell.tile}: {cell.told}" for cell in cells),
        ),
        draw=lambda figure: draw_triangle(
            figure, cells, rows, (middle, step), (*_halves(words), key), words.whole
        ),
        table=table,
        size=size(cells, rows),
    )


def _halves(words: Words) -> tuple[str, str]:
    return words("lower half of the lead"), words("higher half")


def _cells_caption(words: Words) -> str:
    return words("Bold: the interval leaves out the middle. Dashed: fewer than {few} rounds.", few=FEW)


def _led_title(points: list[Point], table: pandas.DataFrame, material: Material, words: Words) -> str:
    often = [point for point, n in zip(points, table["n"], strict=True) if n >= FEW]
    if len(often) < 2:
        return words("Too few rounds to tell the leads apart")
    best, worst = (as_one_of(point, len(points), material.confidence) for point in extremes(often))
    told = {
        "best": best.name,
        "worst": worst.name,
        "most": words.percent(best.estimate),
        "least": words.percent(worst.estimate),
    }
    if are_apart(best, worst):
        return words(
            "The opener's side wins more rounds led with {best} ({most}) than with {worst} ({least})",
            **told,
        )
    return words(
        "No two leads can be told apart: from {least} won with {worst} to {most} with {best}", **told
    )


# --- what each lead gains -----------------------------------------------------------------------


def gains_map(material: Material, words: Words) -> Drawing | None:
    """Draw what each lead gains in rounds won over the policy's own lead, as a triangle."""
    table = material.tables.get("leads")
    if table is None or table.empty:
        return None
    points = points_of(table, list(table["tile"]), ("gap", "gap_low", "gap_high"))
    counts = dict(zip(table["tile"], table["n"], strict=True))
    values = [Cell(point.name, 100 * point.estimate, "", False, int(counts[point.name])) for point in points]
    step = step_of_colours(values, 0.0)
    digits = 0 if step >= 1 else 1
    cells = [
        Cell(
            cell.tile,
            cell.value,
            words.number(cell.value, digits, signed=True),
            point.is_told_from(0.0),
            cell.n,
        )
        for cell, point in zip(values, points, strict=True)
    ]
    rows = rows_of(material.rules)
    key = words("percentage points of the rounds that the lead wins more than the policy's own")
    return Drawing(
        key="lead-gains-map",
        title=_gain_title(points, material, words),
        caption=_cells_caption(words) + " " + _deals_caption(words) + " " + source_of(material, words),
        alt=words(
            "A triangle of tiles with the percentage points of rounds that each lead wins more: {tiles}.",
            tiles=", ".join(f"{cell.tile}: {cell.told}" for cell in cells),
        ),
        draw=lambda figure: draw_triangle(
            figure,
            cells,
            rows,
            (0.0, step),
            (*_halves(words), key),
            lambda value: words.number(value, digits, signed=True),
        ),
        table=table,
        size=size(cells, rows),
    )


def _deals_caption(words: Words) -> str:
    return words("Each deal was played with every tile of the opener's hand as the lead.")


def _gain_title(points: list[Point], material: Material, words: Words) -> str:
    told = _often(points, material)
    if not told:
        return words("Too few deals to tell which lead is best")
    best = as_one_of(extremes(told)[0], len(points), material.confidence)
    scale = scale_of(words, POINTS, [best.width], signed=True)
    parts = {"tile": best.name, "gain": scale.tell_all(best.estimate, best.low, best.high)}
    if is_above(best, 0.0):
        return words(
            "Leading {tile} wins more rounds than the policy's own lead: {gain} percentage points", **parts
        )
    return words(
        "No lead can be told from the policy's own; at best {tile}: {gain} percentage points", **parts
    )


def _often(points: list[Point], material: Material) -> list[Point]:
    """Return the leads that were played often enough to say something of them."""
    table = material.tables["leads"]
    counts = dict(zip(table["tile"], table["n"], strict=True))
    return [point for point in points if counts[point.name] >= FEW]


def gains(material: Material, words: Words) -> Drawing | None:
    """Draw what each lead gains in rounds won over the policy's own lead, best first, with intervals."""
    points = _ranked(material.tables.get("leads"), "gap")
    if not points:
        return None
    scale = scale_of(words, POINTS, [point.width for point in points], signed=True)
    told = _often(points, material)
    above = sum(is_above(as_one_of(p, len(points), material.confidence), 0.0) for p in told)
    if above:
        title = words.either(
            "{above} lead wins more rounds than the policy's own, allowing for all {tiles}",
            "{above} leads win more rounds than the policy's own, allowing for all {tiles}",
            above,
            above=words.whole(above),
            tiles=words.whole(len(points)),
        )
    elif told:
        title = words("No lead can be told to win more rounds than the policy's own")
    else:
        title = words("Too few deals to tell the leads apart")
    label = words("rounds won more than with the policy's own lead, percentage points")
    return _forest_of_leads("lead-gains", title, points, scale, label, material, words)


def margins(material: Material, words: Words) -> Drawing | None:
    """Draw what each lead gains in points over the policy's own lead, best first, with intervals."""
    points = _ranked(material.tables.get("leads"), "margin_gap")
    if not points:
        return None
    scale = scale_of(words, NUMBER, [point.width for point in points], signed=True)
    told = _often(points, material)
    best = as_one_of((told or points)[0], len(points), material.confidence)
    parts = {"tile": best.name, "gain": scale.tell_all(best.estimate, best.low, best.high)}
    if not told:
        title = words("Too few deals to tell which lead is best by points")
    elif is_above(best, 0.0):
        title = words("Leading {tile} earns more points than the policy's own lead: {gain} a round", **parts)
    else:
        title = words("By points no lead can be told from the policy's own; at best {tile}: {gain}", **parts)
    label = words("points a round more than with the policy's own lead")
    return _forest_of_leads("lead-margins", title, points, scale, label, material, words)


def _ranked(table: pandas.DataFrame | None, column: str) -> list[Point]:
    """Return the leads by their estimate, the highest first."""
    if table is None or table.empty:
        return []
    found = points_of(table, list(table["tile"]), (column, f"{column}_low", f"{column}_high"))
    return sorted(found, key=lambda point: -point.estimate)


def _forest_of_leads(
    key: str, title: str, points: list[Point], scale: Scale, label: str, material: Material, words: Words
) -> Drawing:
    drawn, left_out = points, ""
    if len(points) > MOST_ROWS:
        half = MOST_ROWS // 2
        drawn = points[:half] + points[-half:]
        left_out = words("Drawn are the {half} best and the {half} worst.", half=words.whole(half)) + " "
    hollow = words(
        "Hollow: the interval holds 0. It allows for one tile, the title for {tiles}.",
        tiles=words.whole(len(points)),
    )
    caption = f"{left_out}{hollow} {_deals_caption(words)}"
    return Rows(drawn, scale, label, 0.0).drawing(
        key, title, caption, material.tables["leads"], material, words
    )
