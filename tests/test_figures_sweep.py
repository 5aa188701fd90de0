"""The figures of a sweep: their numbers are the table's, their claims the intervals', all is readable."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.container import ErrorbarContainer

import fives
from reports.drawing import Drawing
from reports.figures.cells import Sweep
from reports.figures.sweep import sweep_figures
from reports.images import svg
from reports.material import Material
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, drawn, material_of, told_elsewhere

WORDS = Words()
HALF = 0.02


def made(
    vary: Mapping[str, Sequence[Any]],
    estimates: Sequence[float | None],
    *,
    metric: str = "blocked_rate",
    half: float = HALF,
    paired: bool | Sequence[bool] = True,
) -> Material:
    """Return a sweep whose cells have these estimates, all intervals as wide."""
    cells = list(itertools.product(*vary.values()))
    assert len(cells) == len(estimates)
    base = estimates[0]
    rows = []
    for i, (cell, estimate) in enumerate(zip(cells, estimates, strict=True)):
        difference = None if estimate is None or base is None else estimate - base
        reach = half if i else 0.0
        rows.append(
            {
                **dict(zip(vary, cell, strict=True)),
                "n": 100,
                "estimate": estimate,
                "low": None if estimate is None else estimate - half,
                "high": None if estimate is None else estimate + half,
                "difference": difference,
                "difference_low": None if difference is None else difference - reach,
                "difference_high": None if difference is None else difference + reach,
                "paired": paired if isinstance(paired, bool) else paired[i],
                "base": i == 0,
            }
        )
    return Material(
        command="sweep",
        rules={"sides": [0, 1], "target": None, "target_kind": "reach"},
        rules_told="allfives",
        policies=("greedy", "greedy"),
        unit="rounds",
        done=1000,
        seed=5,
        confidence=0.95,
        summary=pandas.DataFrame([{"metric": metric.partition(":")[0], "scope": "hand=5", "estimate": base}]),
        tables={"cells": pandas.DataFrame(rows)},
        facts={"metric": metric},
    )


def by_key(material: Material, words: Words = WORDS) -> dict[str, Drawing]:
    """Return the figures of a sweep by their keys."""
    found = [drawing for _, drawings in sweep_figures(material, words) for drawing in drawings]
    assert len({drawing.key for drawing in found}) == len(found)
    return {drawing.key: drawing for drawing in found}


def axes_of(drawing: Drawing) -> Axes:
    """Return the axes on which a drawing is drawn."""
    axes: Axes = drawn(drawing).axes[0]
    return axes


def bars_of(axes: Axes, direction: int) -> np.ndarray:
    """Return the ends of all error bars: 0 for horizontal ones, 1 for vertical ones."""
    found = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    return np.array([each.lines[2][0].get_segments()[0][:, direction] for each in found])


# --- the numbers --------------------------------------------------------------------------------


def test_a_line_draws_the_table() -> None:
    material = made({"hand": [7, 5, 6, 8, 9]}, [0.3, 0.1, 0.2, 0.4, 0.5])
    axes = axes_of(by_key(material)["sweep"])
    (line,) = axes.lines
    np.testing.assert_allclose(line.get_xydata(), [[5, 0.1], [6, 0.2], [7, 0.3], [8, 0.4], [9, 0.5]])
    (band,) = [each for each in axes.collections if isinstance(each, PolyCollection)]
    corners = band.get_paths()[0].vertices
    for x, y in line.get_xydata():
        ends = {round(float(each[1]), 9) for each in corners if each[0] == x}
        assert ends >= {round(y - HALF, 9), round(y + HALF, 9)}


def test_categories_are_rows_with_the_null() -> None:
    material = made({"spinner": ["all", "first", "none"]}, [0.05, 0.02, 0.0], metric="opener_advantage")
    axes = axes_of(by_key(material)["sweep"])
    table = material.tables["cells"]
    np.testing.assert_allclose(bars_of(axes, 0), table[["low", "high"]])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["all", "first", "none"]
    assert any(line.get_linestyle() == "--" and line.get_xdata()[0] == 0 for line in axes.lines)


def test_series_differ_by_marker_line_and_colour() -> None:
    policies = ["random", "greedy", "careful", "heavy", "doubles", "mobile"]
    estimates = [0.01 * i for i in range(24)]
    material = made({"policy": policies, "players": [2, 3, 4, 5]}, estimates)
    drawing = by_key(material)["sweep"]
    lines = [line for line in axes_of(drawing).lines if len(line.get_xdata()) == 4]
    for tell in ("get_marker", "get_color"):
        assert len({getattr(line, tell)() for line in lines}) == 6
    assert len({(line.get_linestyle(), str(line._dash_pattern)) for line in lines}) == 6  # type: ignore[attr-defined]
    np.testing.assert_allclose(np.concatenate([line.get_ydata() for line in lines]), estimates)
    check_texts(drawing)


def test_the_legend_is_read_row_by_row() -> None:
    policies = ["greedy", "random", "careful", "defend", "heavy"]
    drawing = by_key(
        made({"policy.0": ["greedy", "random"], "policy.1": policies}, [0.01 * i for i in range(10)])
    )["sweep"]
    figure = drawn(drawing)
    figure.canvas.draw()
    (legend,) = figure.legends
    placed = [(text.get_window_extent(), text.get_text()) for text in legend.get_texts()]
    rows = sorted(placed, key=lambda each: (-round(each[0].y0), each[0].x0))
    assert len({round(box.y0) for box, _ in placed}) == 2
    assert [name for _, name in rows] == policies


def test_bars_of_series_stand_apart() -> None:
    material = made({"players": [2, 3, 4], "policy": ["greedy", "random"]}, [0.1, 0.11, 0.2, 0.21, 0.3, 0.31])
    axes = axes_of(by_key(material)["sweep"])
    ends = bars_of(axes, 1)
    drawn_at = bars_of(axes, 0)[:, 0]
    assert len(set(drawn_at.round(9))) == 6
    np.testing.assert_allclose(np.sort(ends.mean(axis=1)), [0.1, 0.11, 0.2, 0.21, 0.3, 0.31])


def test_differences_draw_the_table_and_tell_what_shares_deals() -> None:
    paired = [True, True, False, False]
    material = made(
        {"set": ["double-six", "double-nine"], "hand": [5, 7]}, [0.1, 0.13, 0.105, 0.2], paired=paired
    )
    drawing = by_key(material)["sweep-differences"]
    axes = axes_of(drawing)
    np.testing.assert_allclose(
        bars_of(axes, 0), material.tables["cells"][["difference_low", "difference_high"]][1:]
    )
    markers = [line.get_marker() for line in axes.lines if line.get_marker() in "os"]
    assert markers == ["o", "s", "s"]
    assert "Circles: over the same deals; squares: as independent." in drawing.caption
    assert drawing.title == "Blocked rounds: 2 of 3 cells can be told from the base, set double-six, hand 5"


def test_a_heat_map_writes_the_values() -> None:
    names = [f"p{i}" for i in range(7)]
    estimates = [0.01 * i for i in range(49)]
    drawing = by_key(made({"policy.0": names, "policy.1": names}, estimates))["sweep-heat"]
    texts = {text.get_position(): text.get_text() for text in axes_of(drawing).texts}
    for place, estimate in enumerate(estimates):
        across, down = divmod(place, 7)  # the first field across
        assert texts[across, down] == f"{100 * estimate:.1f}"


def test_a_large_heat_map_has_a_key_instead() -> None:
    material = made(
        {"hand": list(range(1, 21)), "target": list(range(50, 300, 10))}, [0.001 * i for i in range(500)]
    )
    drawing = by_key(material)["sweep-heat"]
    figure = drawn(drawing)
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][::5] == ["0.0%", "49.9%"]
    check_texts(drawing)
    assert len(svg(drawing)) < 60_000


def test_a_long_line_of_differences_is_a_line() -> None:
    material = made({"target": list(range(50, 501, 10))}, [0.5 - 0.01 * i for i in range(46)])
    drawing = by_key(material)["sweep-differences"]
    (line,) = [each for each in axes_of(drawing).lines if len(each.get_xdata()) == 46]
    np.testing.assert_allclose(line.get_ydata(), [-0.01 * i for i in range(46)])
    assert len(svg(drawing)) < 60_000


def test_of_very_many_cells_those_that_differ_most_are_drawn() -> None:
    names = [f"p{i}" for i in range(8)]
    drawing = by_key(made({"policy.0": names, "policy.1": names}, [0.01 * i for i in range(64)]))[
        "sweep-differences"
    ]
    ends = bars_of(axes_of(drawing), 0)
    np.testing.assert_allclose(ends.mean(axis=1), [0.01 * i for i in range(34, 64)])
    assert "Only the 30 of 63 cells that differ most" in drawing.caption
    assert len(drawing.table) == 64


def test_more_axes_make_more_figures() -> None:
    vary = {"spinner": ["none", "first", "all"], "set": ["double-six", "double-nine"], "hand": [5, 6, 7]}
    found = by_key(made(vary, [0.01 * i for i in range(18)]))
    assert [key for key in found if key != "sweep-differences"] == ["sweep", "sweep-2"]
    assert found["sweep"].title.startswith("With set double-six: Blocked rounds")
    assert found["sweep-2"].title.startswith("With set double-nine: Blocked rounds")
    assert [len(found[key].table) for key in ("sweep", "sweep-2")] == [9, 9]


# --- the claims ---------------------------------------------------------------------------------


def test_a_trend_is_told_where_it_never_turns_and_its_ends_differ() -> None:
    vary = {"hand": [5, 6, 7]}
    titles = [
        by_key(made(vary, estimates))["sweep"].title
        for estimates in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.1, 0.3, 0.2], [0.1, 0.101, 0.102])
    ]
    assert titles == [
        "Blocked rounds: rises with hand, from 10.0% at 5 to 30.0% at 7",
        "Blocked rounds: falls with hand, from 30.0% at 5 to 10.0% at 7",
        "Blocked rounds: lowest at hand 5 (10.0%), highest at hand 6 (30.0%)",
        "Blocked rounds: from 10.0% to 10.2%; the lowest cell cannot be told from the highest",
    ]


def test_many_cells_make_the_title_more_careful() -> None:
    """Extremes 2.4 half widths apart: two such cells differ; picked from twenty they may not."""
    apart = 2.4 * HALF
    two = by_key(made({"spinner": ["all", "none"]}, [0.1, 0.1 + apart]))["sweep"].title
    assert "lowest at spinner all" in two
    many = made({"hand": list(range(20))}, [0.1 + apart / 2, *[0.1 + apart / 2] * 17, 0.1, 0.1 + apart])
    assert "cannot be told" in by_key(many)["sweep"].title
    assert "20 cells" in by_key(many)["sweep"].caption


def test_paired_differences_tell_cells_apart_that_overlap() -> None:
    material = made({"spinner": ["all", "none"]}, [0.1, 0.11])
    assert "cannot be told" in by_key(material)["sweep"].title
    cells = material.tables["cells"]
    cells.loc[1, ["difference_low", "difference_high"]] = [0.005, 0.015]
    assert "highest at spinner none" in by_key(material)["sweep"].title


@pytest.mark.parametrize(
    ("estimate", "told"),
    [
        (0.2, "higher at hand 7 than at hand 5, by +10.0 (+8.0 to +12.0) percentage points"),
        (0.05, "lower at hand 7 than at hand 5, by ~5.0 (~7.0 to ~3.0) percentage points"),
        (
            0.105,
            "no difference between hand 7 and hand 5 can be told, +0.5 (~1.5 to +2.5) percentage points",
        ),
    ],
)
def test_one_difference_is_told_or_hedged(estimate: float, told: str) -> None:
    drawing = by_key(made({"hand": [5, 7]}, [0.1, estimate]))["sweep-differences"]
    assert drawing.title == "Blocked rounds: " + told.replace("~", "\N{MINUS SIGN}")


def test_no_cell_may_differ_from_the_base() -> None:
    drawing = by_key(made({"hand": [5, 6, 7]}, [0.1, 0.101, 0.102]))["sweep-differences"]
    assert drawing.title == "Blocked rounds: no cell can be told from the base, hand 5"


def test_one_cell_of_many_is_not_told_from_the_base_by_luck() -> None:
    few, many = (
        made({"hand": list(range(1, 2 + cells))}, [0.1, 0.123, *[0.1] * (cells - 1)]) for cells in (2, 30)
    )
    assert few.tables["cells"]["difference_low"][1] > 0
    told = {"few": by_key(few)["sweep-differences"], "many": by_key(many)["sweep-differences"]}
    assert "1 of 2 cells can be told from the base" in told["few"].title
    assert "no cell can be told from the base" in told["many"].title
    assert "The title allows for its choice among 30 cells." in told["many"].caption


def test_the_metric_of_a_scope_is_named() -> None:
    found = by_key(made({"hand": [5, 7]}, [0.1, 0.2], metric="overshoot_rate:kind=out"))
    assert found["sweep"].title.startswith("Gains that the target refuses, on going out: lowest at")


# --- without data -------------------------------------------------------------------------------


def test_cells_without_a_value_are_left_out() -> None:
    found = by_key(made({"hand": [5, 6, 7]}, [0.1, None, 0.3]))
    assert list(axes_of(found["sweep"]).lines[0].get_xdata()) == [5, 7]
    assert len(bars_of(axes_of(found["sweep-differences"]), 0)) == 1
    assert sweep_figures(made({"hand": [5, 6]}, [None, None]), WORDS) == []


def test_without_a_base_value_there_are_no_differences() -> None:
    assert list(by_key(made({"hand": [5, 6]}, [None, 0.2]))) == ["sweep"]


def test_one_cell_alone() -> None:
    found = by_key(made({"hand": [5]}, [0.1]))
    assert found["sweep"].title == "Blocked rounds: 10.0% (8.0% to 12.0%)"
    assert list(found) == ["sweep"]
    check_texts(found["sweep"])


def test_all_the_same_and_without_width() -> None:
    for value in (0.0, 1.0):
        for drawing in by_key(made({"hand": [5, 6, 7, 8, 9]}, [value] * 5, half=0.0)).values():
            assert "cannot be told" in drawing.title or "no cell" in drawing.title
            check_texts(drawing)


# --- real runs ----------------------------------------------------------------------------------


def runs() -> list[Material]:
    """Return sweeps of every shape."""
    return [
        material_of(fives.sweep(rules, vary, rounds=200, metric=metric))
        for rules, vary, metric in (
            ("exact61", {"players": [2, 3, 4], "policy": ["greedy", "random", "heavy"]}, "blocked_rate"),
            ("partout5", {"set": ["double-six", "double-nine"], "players": [2, 3]}, "points_per_round"),
            ("allfives", {"hand": [3, 4, 5, 6, 7], "players": [2, 3, 4]}, None),
        )
    ]


@pytest.fixture(scope="module")
def real() -> list[Material]:
    """Return sweeps of every shape, played."""
    return runs()


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_meets_another(real: list[Material], words: Words) -> None:
    for material in real:
        for drawing in by_key(material, words).values():
            check_texts(drawing)


def test_the_cells_of_a_run_are_read_as_they_are(real: list[Material]) -> None:
    for material in real:
        sweep = Sweep(material, WORDS)
        table = material.tables["cells"]
        assert [cell.own.estimate for cell in sweep.cells if cell.own] == list(table["estimate"].dropna())
        assert [cell.base for cell in sweep.cells] == list(table["base"])
        for drawing in by_key(material).values():
            assert "200 rounds in each of" in drawing.caption
            assert drawing.alt


def picture_digest() -> str:
    """Return a digest of every picture of sweeps that are made up."""
    found = hashlib.sha256()
    policies = [f"p{i}" for i in range(7)]
    for material in (
        made({"hand": [5, 6, 7, 8, 9]}, [0.1, 0.2, 0.3, 0.4, 0.5]),
        made({"policy.0": policies, "policy.1": policies[:3]}, [0.01 * i for i in range(21)]),
    ):
        for drawing in by_key(material).values():
            found.update(svg(drawing).encode())
    return found.hexdigest()


def test_the_same_bytes_in_another_process() -> None:
    assert told_elsewhere(__name__, "picture_digest") == picture_digest()
