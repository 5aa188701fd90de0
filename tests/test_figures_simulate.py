"""The figures of `simulate` and `openings`: what is drawn is what the tables say; titles claim no more."""

from __future__ import annotations

import dataclasses
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Text

from analyzer.openings import openings
from analyzer.referee.events import points_of_play
from analyzer.rulesets import rule_set
from analyzer.simulate import simulate
from reports.drawing import Drawing
from reports.figures.claims import are_apart, as_one_of, is_above, is_below
from reports.figures.counts import counts, points_of
from reports.figures.ends import blocked_by_policy, ends
from reports.figures.forest import Point
from reports.figures.histogram import REST, distribution, quantile
from reports.figures.leads import gains, gains_map, led, margins
from reports.figures.lengths import lengths
from reports.figures.opening import advantage, seats
from reports.figures.overshoot import after, excess, refused_by_kind, refused_by_need
from reports.figures.points import points, points_by_policy, points_table
from reports.figures.simulate import openings_figures, section_title, simulate_figures
from reports.figures.triangle import FEW, Cell, heat_step, step_of_colours
from reports.figures.winners import winners
from reports.images import png, svg
from reports.material import Material, Measured
from reports.style import HATCHES, HEAT, SERIES
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, material_of

ROOT = Path(__file__).parents[1]
WORDS = Words()
FOUR = ["careful", "greedy", "random", "heavy"]
SINGLE = (0, 1, 2, 3)
LARGEST_SVG = 60_000  # bytes

RUNS: dict[str, Any] = {
    "exact-sides": (rule_set("exact61", players=4), FOUR[:2], {"games": 2000}),
    "exact-single": (rule_set("exact61", players=4, sides=SINGLE), FOUR, {"games": 400}),
    "exact-mixed": (
        rule_set("exact61", players=4),
        ["careful", "greedy", "greedy", "random"],
        {"games": 300},
    ),
    "exact-rounds": (rule_set("exact61"), "greedy", {"rounds": 20_000}),
    "few-games": (rule_set("exact61"), "greedy", {"games": 5}),
    "one-game": (rule_set("exact61"), "greedy", {"games": 1}),
    "half-points": (rule_set("allfives", players=3), FOUR[:3], {"games": 2000}),
    "reach-nine": (rule_set("partout5", set="double-nine", target=500), "greedy", {"games": 1000}),
    "rounds-nine": (rule_set("partout5", set="double-nine", players=4), FOUR, {"rounds": 2000}),
    "no-points": (rule_set("draw"), "heavy", {"games": 500}),
    "long-games": (rule_set("draw", target_kind="exact"), "greedy", {"games": 300}),
    "every-count-scores": (rule_set("partout5", score_multiple=1), "greedy", {"games": 300}),
    "threes": (rule_set("threes-and-fives"), "greedy", {"games": 500}),
    "threes-raw": (rule_set("threes-and-fives", points="raw"), "greedy", {"games": 100}),
    "one-round": (rule_set("partout5"), "greedy", {"rounds": 1}),
    "confident": (rule_set("allfives"), "greedy", {"games": 300, "confidence": 0.999}),
    "stopped": (rule_set("exact61", round_guard=1), "random", {"games": 20}),
}
LEADS: dict[str, Any] = {
    "leads": (rule_set("exact61"), "greedy", 4000),
    "leads-nine": (rule_set("partout5", set="double-nine"), "greedy", 1500),
    "one-deal": (rule_set("partout5"), "greedy", 1),
}


@cache
def run(name: str) -> Material:
    if name in LEADS:
        rules, policies, rounds = LEADS[name]
        return material_of(openings(rules, policies, rounds=rounds, seed=7))
    rules, policies, options = RUNS[name]
    return material_of(simulate(rules, policies, seed=7, **options))


def figures(material: Material, words: Words = WORDS) -> dict[str, Drawing]:
    """Return all figures of a run by their keys."""
    of = simulate_figures if material.command == "simulate" else openings_figures
    found = [drawing for _, drawings in of(material, words) for drawing in drawings]
    assert len({drawing.key for drawing in found}) == len(found)
    return {drawing.key: drawing for drawing in found}


def axes_of(drawing: Drawing | None) -> Axes:
    """Return the axes of a drawing, not laid out."""
    assert drawing is not None
    figure = Figure(figsize=drawing.size)
    drawing.draw(figure)
    return figure.axes[0]


# --- which figures ------------------------------------------------------------------------------


def keys(material: Material) -> dict[str, list[str]]:
    of = simulate_figures if material.command == "simulate" else openings_figures
    return {section: [drawing.key for drawing in drawings] for section, drawings in of(material, WORDS)}


def test_sections_of_games_to_an_exact_target() -> None:
    assert keys(run("exact-sides")) == {
        "opening": ["advantage", "leads"],
        "blocking": ["ends", "blocked"],
        "overshoot": ["refused", "refused-by-need", "after"],
        "scoring": ["counts", "points", "points-by-policy"],
        "length": ["lengths", "winners"],
    }


def test_sections_of_other_runs() -> None:
    assert keys(run("half-points"))["overshoot"] == ["excess"]
    assert keys(run("half-points"))["opening"] == ["advantage", "seats", "leads"]
    assert list(keys(run("exact-rounds"))) == ["opening", "blocking", "scoring"]
    assert keys(run("no-points"))["scoring"] == ["counts"]
    assert keys(run("leads")) == {"leads": ["lead-gains-map", "lead-gains", "lead-margins"]}


def test_a_run_without_a_finished_game_has_no_figures() -> None:
    assert simulate_figures(run("stopped"), WORDS) == []


def test_tables_without_rows_make_no_figures() -> None:
    empty = {name: frame.iloc[:0] for name, frame in run("leads").tables.items()}
    assert openings_figures(dataclasses.replace(run("leads"), tables=empty), WORDS) == []
    material = run("exact-sides")
    bare = dataclasses.replace(material, tables={}, summary=material.summary.iloc[:0])
    assert simulate_figures(bare, WORDS) == []


def test_every_section_has_a_heading() -> None:
    for name in (*RUNS, *LEADS):
        headings = [section_title(section, run(name), WORDS) for section in keys(run(name))]
        assert len(set(headings)) == len(headings)


# --- all figures --------------------------------------------------------------------------------


def test_titles_and_captions_fit_the_width_of_a_png(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Text] = []
    told = SubFigure.text

    def keep(self: SubFigure, *args: Any, **options: Any) -> Text:
        written.append(told(self, *args, **options))
        return written[-1]

    monkeypatch.setattr(SubFigure, "text", keep)
    wide = "Opening pays in the round: 34.7% (32.6% to 36.8%) against an even 25.0%"
    drawings = [advantage(run("exact-single"), WORDS), lengths(run("no-points"), WORDS)]
    for drawing in drawings:
        assert drawing is not None
        png(dataclasses.replace(drawing, title=wide), 100)  # as figures are laid out
    for text in written:
        assert text.get_window_extent().x1 <= text.get_figure(root=True).bbox.x1 - 2, text.get_text()
    assert len(written) == 4


def check_picture(drawing: Drawing) -> None:
    """Assert that the picture for a page is small, and of the palette, which `svg` holds."""
    picture = svg(drawing)
    assert len(picture.encode()) < LARGEST_SVG, drawing.key
    assert "nan" not in picture.lower(), drawing.key


@pytest.mark.parametrize("name", ["exact-mixed", "half-points"])
def test_figures_in_a_longer_language(name: str) -> None:
    for drawing in figures(run(name), LongWords()).values():
        check_texts(drawing)


def test_the_largest_figures_as_pictures() -> None:
    for name, key in (
        ("leads-nine", "lead-gains-map"),
        ("leads-nine", "lead-margins"),
        ("long-games", "after"),
    ):
        check_picture(figures(run(name))[key])


@pytest.mark.slow
@pytest.mark.parametrize("words", [WORDS, LongWords()], ids=["English", "longer"])
@pytest.mark.parametrize("name", [*RUNS, *LEADS])
def test_every_figure_can_be_read(name: str, words: Words) -> None:
    for drawing in figures(run(name), words).values():
        check_texts(drawing)
        check_picture(drawing)


@pytest.mark.parametrize("name", [*RUNS, *LEADS])
def test_words_tell_the_run_and_the_numbers(name: str) -> None:
    material = run(name)
    for drawing in figures(material).values():
        unit = material.unit.removesuffix("s") if material.done == 1 else material.unit
        assert f" {material.done:,} {unit}, seed 7, " in drawing.caption
        assert material.rules_told in drawing.caption
        words = f"{drawing.title} {drawing.caption} {drawing.alt}"
        assert "nan" not in words.lower()
        assert "{" not in words
        assert any(letter.isdigit() for letter in drawing.alt)
        assert len(drawing.table) > 0
    if name == "confident":
        assert all("99.9% intervals" in drawing.caption for drawing in figures(material).values())


_PICTURE = """
import pickle, sys
from pathlib import Path
from reports.figures.overshoot import after
from reports.images import png, svg
from reports.words import Words
drawing = after(pickle.loads(Path("material").read_bytes()), Words())
Path("picture").write_bytes(png(drawing, 50) + svg(drawing).encode())
"""


def test_pictures_are_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "material").write_bytes(pickle.dumps(run("exact-sides")))
    changed = {"PYTHONHASHSEED": "3", "MPLBACKEND": "pdf", "LANG": "fr_FR.UTF-8", "TZ": "Asia/Tokyo"}
    environment = {**os.environ, **changed, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _PICTURE], cwd=tmp_path, env=environment, check=True)
    drawing = after(run("exact-sides"), WORDS)
    assert drawing is not None
    assert (tmp_path / "picture").read_bytes() == png(drawing, 50) + svg(drawing).encode()


# --- what is drawn ------------------------------------------------------------------------------


def bars(axes: Axes) -> list[Rectangle]:
    """Return the bars of a histogram, the mean's band left out."""
    found = [bar for container in axes.containers for bar in container if isinstance(bar, Rectangle)]
    assert all(isinstance(bar, Rectangle) for bar in found)
    return found


def spread(axes: Axes) -> list[tuple[float, float, float]]:
    """Return where the intervals of a histogram are drawn: number, low, high."""
    (lines,) = [each for each in axes.collections if isinstance(each, LineCollection)]
    return [(float(a[0]), float(a[1]), float(b[1])) for a, b in lines.get_segments()]


HISTOGRAMS = [
    ("exact-sides", "after", "rounds_after"),
    ("exact-sides", "lengths", "rounds"),
    ("half-points", "excess", "points"),
    ("half-points", "lengths", "rounds"),
]


@pytest.mark.parametrize(("name", "table", "column"), HISTOGRAMS)
def test_bars_and_intervals_of_games_are_the_tables(name: str, table: str, column: str) -> None:
    axes = axes_of(figures(run(name))[table])
    frame = run(name).tables[table]
    drawn_bars = [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in bars(axes)]
    kept = frame.head(len(drawn_bars))
    np.testing.assert_allclose(drawn_bars, kept[[column, "share"]])
    np.testing.assert_allclose(spread(axes), kept[[column, "low", "high"]])
    left_out = float(frame["share"].iloc[len(kept) :].sum())
    assert left_out <= REST
    caption = figures(run(name))[table].caption
    assert (f"Not drawn: the {100 * left_out:.2f}% above." in caption) == (left_out > 0)


def test_the_mean_is_drawn_with_its_interval() -> None:
    mean = run("half-points").metric("excess_points")
    assert mean is not None
    axes = axes_of(excess(run("half-points"), WORDS))
    (line,) = axes.lines
    assert set(line.get_xdata()) == {mean.estimate}
    (band,) = [patch for patch in axes.patches if patch not in bars(axes)]
    assert band.get_extents().width > 0
    assert isinstance(band, Rectangle)
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((mean.low, mean.high))


def test_long_games_are_drawn_as_an_outline_to_the_open_end() -> None:
    material = run("long-games")
    drawing = figures(material)["lengths"]
    axes = axes_of(drawing)
    outline, band = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    values, edges, _ = outline.get_data()
    middles = (edges[1:] + edges[:-1]) / 2
    table = material.tables["lengths"]
    got = {int(middle): value for middle, value in zip(middles, values, strict=True) if value}
    assert got == pytest.approx(dict(zip(table["rounds"], table["share"], strict=True)))
    highs, _, lows = band.get_data()
    bounds = [bound for bound in zip(middles, lows, highs, strict=True) if bound[2]]
    np.testing.assert_allclose(bounds, table[["rounds", "low", "high"]])
    assert "The last bar stands for 255 and more." in drawing.caption
    assert "255" not in figures(run("exact-sides"))["lengths"].caption


def test_counts_are_drawn_with_those_that_score_marked() -> None:
    material = run("exact-rounds")
    axes = axes_of(counts(material, WORDS))
    frame = material.tables["counts"]
    found = bars(axes)
    kept = frame.head(len(found))
    assert [round(bar.get_x() + bar.get_width() / 2) for bar in found] == list(kept["count"])
    np.testing.assert_allclose([bar.get_height() for bar in found], kept["share"])
    for bar, count in zip(found, kept["count"], strict=True):
        group = int(count in range(5, 256, 5))
        assert (to_hex(bar.get_facecolor()), bar.get_hatch() or "") == (SERIES[group], HATCHES[group])


def test_no_count_scores_where_plays_score_nothing() -> None:
    drawing = counts(run("no-points"), WORDS)
    axes = axes_of(drawing)
    assert {to_hex(bar.get_facecolor()) for bar in bars(axes)} == {SERIES[0]}
    assert axes.get_legend() is None
    assert drawing is not None
    assert drawing.title.startswith("No play scores; the commonest count is ")


@pytest.mark.parametrize("name", ["no-points", "exact-sides", "threes", "threes-raw"])
def test_points_of_a_count_are_those_of_the_plain_engine(name: str) -> None:
    rules = RUNS[name][0]
    expected = [points_of_play(rules, count) for count in range(256)]
    assert [points_of(count, rules.as_dict()) for count in range(256)] == expected


@pytest.mark.parametrize("name", ["exact-sides", "half-points", "reach-nine", "every-count-scores", "threes"])
def test_points_of_plays_come_to_the_mean_that_the_run_reports(name: str) -> None:
    material = run(name)
    frame = points_table(material.tables["counts"], material.rules)
    mean = material.metric("points_per_play")
    assert mean is not None
    assert (frame["points"] * frame["share"]).sum() == pytest.approx(mean.estimate)
    assert frame["plays"].sum() == material.tables["counts"]["plays"].sum()
    rate = material.metric("scoring_play_rate")
    assert rate is not None
    assert frame.loc[frame["points"] > 0, "share"].sum() == pytest.approx(rate.estimate)
    axes = axes_of(points(material, WORDS))
    np.testing.assert_allclose([bar.get_height() for bar in bars(axes)], frame["share"].head(len(bars(axes))))


def forest_points(axes: Axes) -> list[tuple[float, float, float]]:
    """Return estimate, low and high of each row of a forest plot, all with intervals, from the top."""
    segments = [lines.get_segments()[0] for lines in axes.collections if isinstance(lines, LineCollection)]
    marks = [line for line in axes.lines if line.get_marker() in "os^Dv" and line.get_marker()]
    estimates = {float(mark.get_ydata()[0]): float(mark.get_xdata()[0]) for mark in marks}
    found = [(estimates[float(a[1])], float(a[0]), float(b[0]), float(a[1])) for a, b in segments]
    return [row[:3] for row in sorted(found, key=lambda row: -row[3])]


def summary_rows(material: Material, *metrics: str) -> list[tuple[float, float, float]]:
    found = [row for metric in metrics for row in material.scopes(metric).values()]
    return [(row.estimate, row.low, row.high) for row in found]


def test_forests_draw_the_summary() -> None:
    material = run("exact-single")
    drawings = figures(material)
    for key, metrics in {
        "advantage": ["opener_win_rate", "first_mover_win_rate"],
        "blocked": ["blocked_rate"],
        "refused": ["overshoot_rate"],
        "points-by-policy": ["points_per_play"],
    }.items():
        np.testing.assert_allclose(forest_points(axes_of(drawings[key])), summary_rows(material, *metrics))
    sides = [row for scope, row in material.scopes("win_rate").items() if scope.startswith("side=")]
    won = [(row.estimate, row.low, row.high) for row in sides]
    np.testing.assert_allclose(forest_points(axes_of(drawings["winners"])), won)
    table = material.tables["seats"][["round_win_rate", "low", "high"]]
    np.testing.assert_allclose(forest_points(axes_of(drawings["seats"])), table)


def test_policies_are_drawn_among_winners_where_sides_share_them() -> None:
    drawing = winners(run("exact-mixed"), WORDS)
    np.testing.assert_allclose(forest_points(axes_of(drawing)), summary_rows(run("exact-mixed"), "win_rate"))
    names = [label.get_text() for label in axes_of(drawing).get_yticklabels()]
    assert names == ["side 0: careful, greedy", "side 1: greedy, random", "careful", "greedy", "random"]


def test_ends_are_drawn_with_intervals() -> None:
    material = run("exact-sides")
    blocked, cut = material.metric("blocked_rate"), material.metric("target_cut_rate")
    assert blocked is not None
    assert cut is not None
    drawing = ends(material, WORDS)
    assert drawing is not None
    axes = axes_of(drawing)
    expected = [
        (1 - blocked.estimate, 1 - blocked.high, 1 - blocked.low),
        (blocked.estimate, blocked.low, blocked.high),
        (cut.estimate, cut.low, cut.high),
    ]
    np.testing.assert_allclose(drawing.table[["share", "low", "high"]], expected)
    assert [bar.get_width() for bar in bars(axes)] == pytest.approx([share for share, _, _ in expected])
    segments = [lines.get_segments()[0] for lines in axes.collections if isinstance(lines, LineCollection)]
    np.testing.assert_allclose([(a[0], b[0]) for a, b in segments], [row[1:] for row in expected])
    rounds = material.tables["ends"].set_index("end")["rounds"]
    assert blocked.estimate == pytest.approx(rounds["blocked"] / (rounds["blocked"] + rounds["out"]))


def test_refusals_are_drawn_against_the_need() -> None:
    material = run("exact-sides")
    axes = axes_of(refused_by_need(material, WORDS))
    frame = material.tables["needs"].head(20)
    ((marks, _, (intervals,)),) = axes.containers
    np.testing.assert_allclose(list(marks.get_xdata()), frame["need"])
    np.testing.assert_allclose(list(marks.get_ydata()), frame["rejected_share"])
    bounds = [(float(a[1]), float(b[1])) for a, b in intervals.get_segments()]
    np.testing.assert_allclose(bounds, frame[["low", "high"]], atol=1e-12)


def cells_of(axes: Axes) -> dict[str, tuple[str, str, bool]]:
    """Return text, face and boldness of the cells of a triangle, by tile."""
    boxes = {
        (round(box.get_x() + box.get_width() / 2), round(box.get_y() + box.get_height() / 2)): box
        for box in axes.patches
        if isinstance(box, Rectangle)
    }
    found = {}
    for text in axes.texts:
        low, high = (round(float(place)) for place in text.get_position())
        face = boxes[low, high].get_facecolor()
        colour = "none" if face[3] == 0 else to_hex(face)
        found[f"{high}-{low}"] = text.get_text(), colour, text.get_weight() == "bold"
    return found


@pytest.mark.parametrize("name", ["exact-rounds", "rounds-nine", "few-games"])
def test_the_triangle_of_leads_is_the_table(name: str) -> None:
    material = run(name)
    frame = material.tables["openings"].dropna(subset="opener_win_rate")
    found = cells_of(axes_of(led(material, WORDS)))
    assert len(found) == len(frame)
    mean = material.metric("opener_win_rate")
    assert mean is not None
    for _, row in frame.iterrows():
        told, colour, is_bold = found[row["tile"]]
        assert told == f"{100 * row['opener_win_rate']:.0f}"
        assert (colour == "none") == (row["n"] < FEW)
        assert is_bold == (row["n"] >= FEW and not row["low"] <= mean.estimate <= row["high"])
        if colour not in ("none", HEAT[5]):
            assert (HEAT.index(colour) > 5) == (row["opener_win_rate"] > mean.estimate)


@pytest.mark.parametrize("name", ["leads", "leads-nine"])
def test_gains_of_leads_are_the_table(name: str) -> None:
    material = run(name)
    frame = material.tables["leads"]
    found = cells_of(axes_of(gains_map(material, WORDS)))
    assert set(found) == set(frame["tile"])
    for _, row in frame.iterrows():
        told = found[row["tile"]][0].replace("\N{MINUS SIGN}", "-")
        assert float(told) == pytest.approx(100 * row["gap"], abs=0.51)
    for figure, column in ((gains, "gap"), (margins, "margin_gap")):
        ranked = frame.sort_values(column, ascending=False, kind="stable")
        ranked = pandas.concat([ranked.head(14), ranked.tail(14)]) if len(ranked) > 28 else ranked
        expected = ranked[[column, f"{column}_low", f"{column}_high"]]
        np.testing.assert_allclose(forest_points(axes_of(figure(material, WORDS))), expected)


def test_steps_of_colours() -> None:
    cells = [Cell("6-3", 62.0, "62", True, FEW), Cell("6-4", 10.0, "10", True, FEW - 1)]
    assert step_of_colours(cells, 50.0) == 3.0  # 2.0 reaches 11 from the middle; the rare cell does not count
    assert [heat_step(value, 50.0, 5.0) for value in (10, 24, 47.4, 50, 52.6, 62, 100)] == [
        0,
        0,
        4,
        5,
        6,
        7,
        10,
    ]
    assert step_of_colours([], 50.0) == 0.1


def test_distributions_leave_out_the_far_end() -> None:
    table = pandas.DataFrame({"rounds": [9, 1, 2], "share": [0.001, 0.5, 0.499]})
    shown = distribution(table, "rounds")
    assert (shown.numbers, shown.rest, shown.step) == ((1, 2), 0.001, 1)
    assert quantile(table, "rounds", 0.5) == 1
    assert quantile(table, "rounds", 0.9) == 2
    assert quantile(table, "rounds", 1.0) == 9


# --- what is claimed ----------------------------------------------------------------------------


def with_metric(
    material: Material, metric: str, scope: str, estimate: float, low: float, high: float
) -> Material:
    """Return a run whose row of the summary is another."""
    summary = material.summary.copy()
    where = (summary["metric"] == metric) & (summary["scope"] == scope)
    assert where.sum() == 1
    summary.loc[where, ["estimate", "low", "high"]] = [estimate, low, high]
    return dataclasses.replace(material, summary=summary)


def title(drawing: Drawing | None) -> str:
    assert drawing is not None
    return drawing.title


NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.51, 0.55, "Opening pays in the round: 53.0% (51.0% to 55.0%) against an even 50.0%"),
        (0.50, 0.56, "Opening a round is no advantage that can be told: 53.0% (50.0% to 56.0%)"),
        (0.45, 0.49, "Opening costs in the round"),
        (NAN, NAN, "Opening a round is no advantage that can be told: 53.0% (no interval)"),
    ],
)
def test_what_opening_a_round_is_said_to_be_worth(low: float, high: float, told: str) -> None:
    middle = 0.53 if np.isnan(low) else (low + high) / 2
    material = with_metric(run("exact-rounds"), "opener_win_rate", "all", middle, low, high)
    assert told in title(advantage(material, WORDS))


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.51, 0.55, "; it pays in the game: "),
        (0.49, 0.57, "; in the game no difference can be told: "),
        (0.45, 0.49, "; it costs in the game: "),
    ],
)
def test_what_opening_a_game_is_said_to_be_worth(low: float, high: float, told: str) -> None:
    material = with_metric(run("exact-sides"), "first_mover_win_rate", "all", (low + high) / 2, low, high)
    assert told in title(advantage(material, WORDS))


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ([(0.4, 0.5), (0.3, 0.4), (0.2, 0.3)], "rounds: the opener; less: the second after it"),
        ([(0.4, 0.5), (0.3, 0.4), (0.3, 0.4)], "More than an even 33.3% of the rounds: the opener"),
        (
            [(0.3, 0.4), (0.2, 0.3), (0.2, 0.3)],
            "Less than an even 33.3% of the rounds: the next seat and the second",
        ),
        ([(0.3, 0.4)] * 3, "No seat's share of the rounds can be told from an even 33.3%"),
    ],
)
def test_what_is_said_of_seats(bounds: list[tuple[float, float]], told: str) -> None:
    table = run("half-points").tables["seats"].copy()
    table[["low", "high"]] = bounds
    table["round_win_rate"] = [(low + high) / 2 for low, high in bounds]
    tables = {**run("half-points").tables, "seats": table}
    assert told in title(seats(dataclasses.replace(run("half-points"), tables=tables), WORDS))


def with_leads(rows: list[tuple[str, int, float, float, float]]) -> Material:
    columns = ["tile", "n", "opener_win_rate", "low", "high"]
    tables = {**run("exact-rounds").tables, "openings": pandas.DataFrame(rows, columns=columns)}
    return dataclasses.replace(run("exact-rounds"), tables=tables)


def test_what_is_said_of_leads_that_were_led() -> None:
    apart = with_leads([("6-6", 900, 0.7, 0.66, 0.74), ("6-5", 900, 0.5, 0.46, 0.54)])
    assert "wins more rounds led with 6-6 (70.0%) than with 6-5 (50.0%)" in title(led(apart, WORDS))
    near = with_leads([("6-6", 900, 0.56, 0.52, 0.60), ("6-5", 900, 0.5, 0.46, 0.54)])
    assert title(led(near, WORDS)).startswith("No two leads can be told apart")
    rare = with_leads([("6-6", 900, 0.7, 0.66, 0.74), ("6-5", FEW - 1, 0.5, 0.46, 0.54)])
    assert title(led(rare, WORDS)) == "Too few rounds to tell the leads apart"


def with_gains(rows: list[tuple[str, int, float, float, float]]) -> Material:
    frame = pandas.DataFrame(rows, columns=["tile", "n", "gap", "gap_low", "gap_high"])
    for stem in ("", "_low", "_high"):
        frame[f"margin_gap{stem}"] = 10 * frame[f"gap{stem}"]
    return dataclasses.replace(run("leads"), tables={"leads": frame})


def test_what_is_said_of_the_gains_of_leads() -> None:
    better = with_gains([("6-6", 900, 0.1, 0.08, 0.12), ("6-5", 900, -0.1, -0.12, -0.08)])
    assert title(gains_map(better, WORDS)).startswith(
        "Leading 6-6 wins more rounds than the policy's own lead: +10.0"
    )
    assert title(gains(better, WORDS)) == "1 lead wins more rounds than the policy's own, allowing for all 2"
    assert title(margins(better, WORDS)).startswith("Leading 6-6 earns more points")
    no_better = with_gains(
        [("6-6", 900, 0.1, 0.005, 0.195), ("6-5", 900, -0.1, -0.12, -0.08)]
    )  # 0 once both count
    assert title(gains_map(no_better, WORDS)).startswith(
        "No lead can be told from the policy's own; at best 6-6"
    )
    assert title(gains(no_better, WORDS)) == "No lead can be told to win more rounds than the policy's own"
    assert title(margins(no_better, WORDS)).startswith("By points no lead can be told")
    rare = with_gains([("6-6", 2, 0.1, 0.1, 0.1)])
    for figure in (gains_map, gains, margins):
        assert title(figure(rare, WORDS)).startswith("Too few deals")


def test_what_is_said_of_policies() -> None:
    material = run("exact-sides")
    for figure, metric, told, hedged in (
        (
            blocked_by_policy,
            "blocked_rate",
            "Rounds opened by greedy block more often",
            "cannot be told apart",
        ),
        (points_by_policy, "points_per_play", "A play of greedy earns more", "cannot be told apart"),
    ):
        low = with_metric(material, metric, "policy=careful", 0.010, 0.008, 0.012)
        apart = with_metric(low, metric, "policy=greedy", 0.020, 0.018, 0.022)
        near = with_metric(low, metric, "policy=greedy", 0.013, 0.011, 0.015)
        assert told in title(figure(apart, WORDS))
        assert hedged in title(figure(near, WORDS))
        assert figure(run("exact-rounds"), WORDS) is None  # one policy has no figure of policies


def test_what_is_said_of_winners() -> None:
    material = run("exact-sides")
    clear = with_metric(material, "win_rate", "policy=greedy", 0.6, 0.55, 0.65)
    unclear = with_metric(material, "win_rate", "policy=greedy", 0.6, 0.49, 0.71)
    assert title(winners(clear, WORDS)).startswith("greedy wins more than an even 50.0%: 60.0%")
    assert title(winners(unclear, WORDS)) == "No policy can be told to win more than an even 50.0%"
    assert title(winners(run("few-games"), WORDS)) == "No side can be told to win more than an even 50.0%"


def test_what_is_said_of_kinds_of_events() -> None:
    material = with_metric(run("exact-sides"), "overshoot_rate", "kind=play", 0.02, 0.01, 0.03)
    more = with_metric(material, "overshoot_rate", "kind=out", 0.05, 0.04, 0.06)
    less = with_metric(material, "overshoot_rate", "kind=out", 0.005, 0.004, 0.006)
    same = with_metric(material, "overshoot_rate", "kind=out", 0.035, 0.02, 0.05)
    assert "going out more often (5.00%) than plays (2.00%)" in title(refused_by_kind(more, WORDS))
    assert "plays more often" in title(refused_by_kind(less, WORDS))
    assert "cannot be told apart" in title(refused_by_kind(same, WORDS))


def with_needs(rows: list[tuple[int, float, float, float]]) -> Material:
    table = pandas.DataFrame(rows, columns=["need", "rejected_share", "low", "high"])
    return dataclasses.replace(run("exact-sides"), tables={**run("exact-sides").tables, "needs": table})


def test_what_is_said_of_needs() -> None:
    falling = with_needs([(1, 0.6, 0.5, 0.7), (5, 0.1, 0.05, 0.15), (6, 0.0, 0.0, 0.1)])
    assert title(refused_by_need(falling, WORDS)) == (
        "Nearer the target more is refused: 60.0% of the events at 1 to go, 10.0% at 5"
    )
    level = with_needs([(1, 0.6, 0.1, 0.9), (5, 0.1, 0.05, 0.15)])
    assert title(refused_by_need(level, WORDS)).startswith("Too few events to tell")
    rising = with_needs([(1, 0.1, 0.05, 0.15), (5, 0.6, 0.5, 0.7)])
    assert title(refused_by_need(rising, WORDS)).startswith(
        "10.0% of the events are refused at 1 to go, but 60.0%"
    )
    assert title(refused_by_need(with_needs([(2, 0.1, 0.05, 0.15)]), WORDS)).startswith("10.0% of the events")
    assert refused_by_need(with_needs([(40, 0.1, 0.05, 0.15)]), WORDS) is None


def test_what_is_said_of_lengths_and_of_what_is_past_the_target() -> None:
    assert "; nine in ten take " in title(lengths(run("exact-sides"), WORDS))
    table = run("long-games").tables["lengths"].copy()
    table["share"] = 0.8 / (len(table) - 1)
    table.loc[table.index[-1], "share"] = 0.2
    tables = {**run("long-games").tables, "lengths": table}
    longer = dataclasses.replace(run("long-games"), tables=tables)
    assert "more than one in ten take 255 or more" in title(lengths(longer, WORDS))
    assert "of the games won end above the target" in title(excess(run("half-points"), WORDS))
    assert title(after(run("exact-sides"), WORDS)).startswith("Something is refused in ")
    assert after(run("half-points"), WORDS) is None
    assert excess(run("exact-sides"), WORDS) is None


def test_claims() -> None:
    low, high = Measured(0.2, 0.1, 0.3, 9), Measured(0.5, 0.4, 0.6, 9)
    blind = Measured(0.5, NAN, NAN, 1)
    assert is_above(high, 0.39)
    assert not is_above(high, 0.4)
    assert is_below(low, 0.31)
    assert not is_below(low, 0.3)
    assert are_apart(low, high)
    assert are_apart(high, low)
    assert not any((is_above(blind, 0.0), is_below(blind, 1.0), are_apart(blind, low), are_apart(low, blind)))


def test_the_best_of_many_has_a_wider_interval() -> None:
    point = Point("6-6", 0.2, 0.1, 0.3)
    assert as_one_of(point, 1, 0.95).low == pytest.approx(0.1)
    wider = as_one_of(point, 20, 0.95)
    assert (wider.low, wider.high) == pytest.approx(
        (0.2 - 0.1 * 3.0233414 / 1.9599640, 0.2 + 0.1 * 3.0233414 / 1.9599640)
    )
    assert as_one_of(Point("6-6", 0.2, None, None), 20, 0.95).low is None
