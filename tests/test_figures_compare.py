"""The figures of a comparison: their numbers are the tables', their claims the intervals', all readable."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure

import fives
from reports.drawing import Drawing
from reports.figures.compare import compare_figures
from reports.figures.differences import margin_differences, win_differences
from reports.figures.heat import diverging, rising
from reports.figures.matrix import matrix
from reports.figures.pentanomial import pentanomial
from reports.figures.ratings import ratings, win_rates
from reports.figures.sequential import sequential
from reports.images import png, svg
from reports.material import Material
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, drawn, material_of, texts_of, told_elsewhere

WORDS = Words()
NAMES = ["greedy", "defend", "random"]


@pytest.fixture(scope="module")
def three() -> Material:
    """Return a round robin of three policies."""
    return material_of(fives.compare(fives.rule_set("exact61"), NAMES, deals=60, seed=3))


@pytest.fixture(scope="module")
def three_sides() -> Material:
    """Return policies that meet with three sides."""
    return material_of(fives.compare(fives.rule_set("allfives", players=3), NAMES, deals=20, per="round"))


def made(
    pairs: dict[tuple[str, str], tuple[float, float, float]], *, sides: int = 2, **more: Any
) -> Material:
    """Return a comparison whose differences, in wins and in points, are these (estimate, low, high)."""
    rows = [
        {
            "metric": metric,
            "scope": f"pair={a}/{b}",
            "estimate": found[0] * unit,
            "low": found[1] * unit,
            "high": found[2] * unit,
            "n": 100,
        }
        for (a, b), found in pairs.items()
        for metric, unit in (("win_rate_difference", 1), ("margin_difference", 100))
    ]
    table = pandas.DataFrame(
        [{"a": a, "b": b, "deals": 100, "n0": 10, "n1": 5, "n2": 40, "n3": 5, "n4": 40} for a, b in pairs]
    )
    facts = {"test": more.pop("test")} if "test" in more else {}
    return Material(
        command="compare",
        rules={"sides": list(range(sides)), "target": 305, "target_kind": "exact"},
        rules_told="exact61",
        policies=tuple(dict.fromkeys(name for pair in pairs for name in pair)),
        unit="deals",
        done=100,
        seed=1,
        confidence=0.95,
        summary=pandas.DataFrame(rows),
        tables={"pairs": table, **more},
        facts=facts,
    )


def only(found: Drawing | None) -> Drawing:
    assert found is not None
    return found


def axes_of(drawing: Drawing) -> Axes:
    """Return the axes on which a drawing is drawn."""
    axes: Axes = drawn(drawing).axes[0]
    return axes


def bars_of(axes: Axes) -> list[tuple[float, float]]:
    """Return the ends of all horizontal error bars, from the top."""
    found = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    return [tuple(each.lines[2][0].get_segments()[0][:, 0]) for each in found]


# --- the numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figure", "metric", "factor"),
    [(win_differences, "win_rate_difference", 1), (margin_differences, "margin_difference", 1)],
)
def test_a_forest_draws_the_summary(three: Material, figure: Any, metric: str, factor: int) -> None:
    drawing = only(figure(three, WORDS))
    axes = axes_of(drawing)
    rows = three.summary[three.summary["metric"] == metric].sort_values("estimate", ascending=False)
    np.testing.assert_allclose(bars_of(axes), rows[["low", "high"]])
    markers = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(markers, rows["estimate"])
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [scope.removeprefix("pair=").replace("/", " less ") for scope in rows["scope"]]


def test_a_forest_writes_its_numbers(three: Material) -> None:
    figure = drawn(only(win_differences(three, WORDS)))
    rows = three.summary[three.summary["metric"] == "win_rate_difference"].sort_values(
        "estimate", ascending=False
    )
    told = [text.get_text() for text in texts_of(figure) if "to" in text.get_text().split()]
    for text, row in zip(told, rows.itertuples(), strict=True):
        assert text == f"{100 * row.estimate:+.1f} ({100 * row.low:+.1f} to {100 * row.high:+.1f})".replace(
            "-", "\N{MINUS SIGN}"
        )


def test_bars_of_results_draw_the_pairs(three: Material) -> None:
    axes = axes_of(only(pentanomial(three, WORDS)))
    table = three.tables["pairs"]
    shares = table[["n0", "n1", "n2", "n3", "n4"]].div(table["deals"], axis=0)
    scores = shares @ np.arange(5)
    bars = np.array(
        [[bar.get_width() for bar in each] for each in axes.containers if isinstance(each, BarContainer)]
    ).T
    np.testing.assert_allclose(bars, shares.iloc[np.argsort(-scores, kind="stable")])
    np.testing.assert_allclose(bars.sum(axis=1), 1)


def test_the_matrix_writes_the_win_rates(three: Material) -> None:
    drawing = only(matrix(three, WORDS))
    axes = axes_of(drawing)
    names = [label.get_text() for label in axes.get_yticklabels()]
    rates = three.tables["policies"].set_index("policy")["win_rate"]
    assert names == sorted(names, key=lambda name: -rates[name])
    table = three.tables["matrix"].set_index("policy")
    for text in axes.texts:
        j, i = (int(place) for place in text.get_position())
        value = table.at[names[i], names[j]]
        assert text.get_text().strip("()") == ("" if i == j else f"{100 * value:.0f}")


def test_the_matrix_of_two_sides_has_intervals(three: Material) -> None:
    table = only(matrix(three, WORDS)).table
    for row in table.itertuples():
        assert row.low <= row.win_rate <= row.high
        turned = table[(table["policy"] == row.opponent) & (table["opponent"] == row.policy)].iloc[0]
        assert turned["low"] == pytest.approx(1 - row.high)


def test_ratings_are_drawn_best_first(three: Material) -> None:
    axes = axes_of(only(ratings(three, WORDS)))
    table = three.tables["policies"].sort_values("rating", ascending=False)
    np.testing.assert_allclose(bars_of(axes), table[["rating_low", "rating_high"]])
    assert [label.get_text() for label in axes.get_yticklabels()] == list(table["policy"])
    assert win_rates(three, WORDS) is None


def test_with_three_sides_wins_stand_for_ratings(three_sides: Material) -> None:
    keys = [drawing.key for _, drawings in compare_figures(three_sides, WORDS) for drawing in drawings]
    assert keys == ["win-differences", "margin-differences", "matrix", "win-rates"]
    axes = axes_of(only(win_rates(three_sides, WORDS)))
    table = three_sides.tables["policies"].sort_values("win_rate", ascending=False)
    np.testing.assert_allclose(bars_of(axes), table[["low", "high"]])
    assert any(line.get_xdata()[0] == pytest.approx(1 / 3) for line in axes.lines)
    assert only(matrix(three_sides, WORDS)).table["low"].isna().all()


# --- the claims ---------------------------------------------------------------------------------


def test_one_pair_is_claimed_only_beyond_the_interval() -> None:
    sure = made({("a", "b"): (-0.2, -0.3, -0.1)})
    unsure = made({("a", "b"): (-0.2, -0.41, 0.01)})
    assert (
        only(win_differences(sure, WORDS)).title
        == "b wins more often than a, by 20.0 (10.0 to 30.0) percentage points"
    )
    assert only(margin_differences(sure, WORDS)).title.startswith(
        "b makes more points than a, by 20 (10 to 30)"
    )
    for figure in (win_differences, margin_differences):
        assert only(figure(unsure, WORDS)).title.startswith("No difference")


def test_a_policy_against_itself_is_not_told_apart() -> None:
    itself = made({("a", "a"): (0.0, 0.0, 0.0)})
    assert only(win_differences(itself, WORDS)).title.startswith("No difference")
    check_texts(only(win_differences(itself, WORDS)))


def test_a_best_policy_must_beat_each_other() -> None:
    sure, unsure = (0.2, 0.1, 0.3), (0.1, -0.1, 0.3)
    title = only(win_differences(made({("a", "b"): sure, ("a", "c"): sure, ("b", "c"): unsure}), WORDS)).title
    assert title == "a wins more often than each other policy; 2 of 3 pairs are told apart"
    title = only(win_differences(made({("a", "b"): sure, ("a", "c"): unsure, ("b", "c"): sure}), WORDS)).title
    assert title.startswith("No policy is sure to win more often than each other; 2 of 3")


def test_hollow_markers_hold_the_null() -> None:
    axes = axes_of(
        only(win_differences(made({("a", "b"): (0.2, 0.1, 0.3), ("a", "c"): (0.1, -0.1, 0.3)}), WORDS))
    )
    first, second = (line for line in axes.lines if line.get_marker() == "o")
    assert first.get_markerfacecolor() == first.get_color()
    assert second.get_markerfacecolor() == "#ffffff"


TEST = {
    "elo0": 0,
    "elo1": 10,
    "alpha": 0.05,
    "beta": 0.05,
    "llr": 3.0,
    "lower": -2.94,
    "upper": 2.94,
    "verdict": "elo1",
}


def test_where_a_test_decides_no_interval_does() -> None:
    material = made({("a", "b"): (0.2, 0.1, 0.3)}, test=TEST)
    drawing = only(win_differences(material, WORDS))
    assert "wins more often" not in drawing.title
    assert "do not keep their confidence" in drawing.caption
    test = only(sequential(material, WORDS))
    assert test.title == "The sequential test accepts a difference of 10 Elo"
    axes = axes_of(test)
    assert axes.patches[0].get_width() == 3.0  # type: ignore[attr-defined]
    assert {line.get_xdata()[0] for line in axes.lines} >= {-2.94, 2.94, 3.0}
    undecided = dataclasses.replace(material, facts={"test": {**TEST, "llr": 1.0, "verdict": "go on"}})
    assert only(sequential(undecided, WORDS)).title.startswith("The sequential test is not decided")
    assert sequential(dataclasses.replace(material, facts={}), WORDS) is None


def test_a_run_with_a_test_shows_it() -> None:
    found = fives.compare(fives.rule_set("exact61"), ["greedy", "random"], deals=200, sprt=fives.Sprt(0, 50))
    material = material_of(found)
    keys = [drawing.key for _, drawings in compare_figures(material, WORDS) for drawing in drawings]
    assert keys == ["win-differences", "sequential-test", "margin-differences", "pentanomial"]


def ratings_material(second: tuple[float, float, float]) -> Material:
    policies = pandas.DataFrame(
        {"policy": ["b", "a", "c"], "games": 100, "win_rate": [0.5, 0.6, 0.4], "low": 0.3, "high": 0.7,
         "rating": [0.0, 40.0, -40.0], "rating_low": [-15.0, 30.0, -50.0], "rating_high": [15.0, 50.0, -30.0]}
    )  # fmt: skip
    return made(
        {("b", "a"): second, ("a", "c"): (0.1, 0.0, 0.2), ("b", "c"): (0.1, 0.0, 0.2)}, policies=policies
    )


def test_the_highest_rating_is_hedged_by_the_games_against_the_second() -> None:
    assert (
        only(ratings(ratings_material((-0.1, -0.2, -0.01)), WORDS)).title
        == "a is rated highest, +40 (+30 to +50)"
    )
    hedged = only(ratings(ratings_material((-0.1, -0.2, 0.01)), WORDS)).title
    assert hedged.endswith("but cannot be told from b")


def test_policies_without_a_rating_are_named() -> None:
    material = ratings_material((-0.1, -0.2, -0.01))
    policies = material.tables["policies"]
    policies.loc[policies["policy"] == "c", ["rating", "rating_low", "rating_high"]] = None
    drawing = only(ratings(material, WORDS))
    assert "Without a rating, having won or lost all: c." in drawing.caption
    assert len(bars_of(axes_of(drawing))) == 2


def matrix_material(
    rates: list[list[float | None]], pairs: dict[tuple[str, str], tuple[float, float, float]]
) -> Material:
    names = ["a", "b", "c"]
    table = pandas.DataFrame(
        {"policy": names, **{name: [row[j] for row in rates] for j, name in enumerate(names)}}
    )
    policies = pandas.DataFrame({"policy": names, "win_rate": [0.6, 0.5, 0.4]})
    return made(pairs, matrix=table, policies=policies)


def test_the_matrix_tells_an_upset_only_where_the_interval_does() -> None:
    rates: list[list[float | None]] = [[None, 0.9, 0.4], [0.1, None, 0.6], [0.6, 0.4, None]]
    up, down = (0.2, 0.1, 0.3), (-0.2, -0.3, -0.1)
    told = matrix_material(rates, {("a", "b"): (0.8, 0.7, 0.9), ("a", "c"): down, ("b", "c"): up})
    assert only(matrix(told, WORDS)).title.startswith("c beats a, which wins more in all")
    hedged = matrix_material(
        rates, {("a", "b"): (0.8, 0.7, 0.9), ("a", "c"): (-0.2, -0.5, 0.1), ("b", "c"): up}
    )
    drawing = only(matrix(hedged, WORDS))
    assert drawing.title.endswith("1 of 3 pairs cannot be told apart")
    texts = [text.get_text() for text in axes_of(drawing).texts]
    assert texts == ["", "90", "(40)", "10", "", "60", "(60)", "40", ""]


# --- without data, and with too much ------------------------------------------------------------


def test_without_results_nothing_is_drawn(three: Material) -> None:
    tables = {
        "pairs": three.tables["pairs"].assign(deals=0),
        "policies": three.tables["policies"].assign(rating=None, win_rate=None),
        "matrix": pandas.DataFrame({"policy": NAMES, **{name: [None] * 3 for name in NAMES}}),
    }
    empty = dataclasses.replace(three, summary=three.summary.assign(estimate=np.nan), tables=tables)
    assert compare_figures(empty, WORDS) == []


def test_of_very_many_pairs_the_closest_are_drawn() -> None:
    names = [f"policy{i}" for i in range(12)]
    pairs = {
        (a, b): (0.01 * (i - j), 0.01 * (i - j) - 0.005, 0.01 * (i - j) + 0.005)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    }
    material = made(pairs)
    drawing = only(win_differences(material, WORDS))
    assert len(drawing.table) == 66
    assert "Only the 30 closest of 66 pairs" in drawing.caption
    assert len(bars_of(axes_of(drawing))) == 30
    for each in (drawing, only(pentanomial(material, WORDS))):
        check_texts(each)
        assert len(svg(each)) < 64_000


def test_twelve_policies_are_readable_in_the_matrix() -> None:
    names = [f"policy-{i}" for i in range(12)]
    table = pandas.DataFrame(
        {
            "policy": names,
            **{
                name: [None if i == j else 0.5 + 0.04 * (j - i) for i in range(12)]
                for j, name in enumerate(names)
            },
        }
    )
    policies = pandas.DataFrame({"policy": names, "win_rate": np.linspace(0.9, 0.1, 12)})
    drawing = only(
        matrix(made({("policy-0", "policy-1"): (0.1, 0.0, 0.2)}, matrix=table, policies=policies), WORDS)
    )
    check_texts(drawing)
    assert len(svg(drawing)) < 60_000


# --- the pictures -------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_meets_another(three: Material, three_sides: Material, words: Words) -> None:
    for material in (three, three_sides):
        for _, drawings in compare_figures(material, words):
            for drawing in drawings:
                check_texts(drawing)


def test_every_figure_has_its_words(three: Material) -> None:
    for section, drawings in compare_figures(three, WORDS):
        assert section in {"difference", "pairs", "ratings"}
        for drawing in drawings:
            for text in ("exact61", "60 deals", "seed 3", "95%"):
                assert text in drawing.caption
            assert len(drawing.alt) > 40
            assert len(drawing.table) > 0


def picture_digest() -> str:
    """Return a digest of every picture of a comparison that is made up."""
    pairs = {("a", "b"): (0.2, 0.1, 0.3), ("a", "c"): (0.1, -0.1, 0.3), ("b", "c"): (-0.1, -0.2, -0.05)}
    rates: list[list[float | None]] = [[None, 0.6, 0.55], [0.4, None, 0.45], [0.45, 0.55, None]]
    material = matrix_material(rates, pairs)
    policies = ratings_material((0.0, -0.1, 0.1)).tables["policies"]
    material = dataclasses.replace(
        material, facts={"test": TEST}, tables={**material.tables, "policies": policies}
    )
    found = hashlib.sha256()
    drawn = [drawing for _, drawings in compare_figures(material, WORDS) for drawing in drawings]
    assert len(drawn) == 6
    for drawing in drawn:
        found.update(svg(drawing).encode() + png(drawing, 60))
    return found.hexdigest()


def test_the_same_bytes_in_another_process() -> None:
    assert told_elsewhere(__name__, "picture_digest") == picture_digest()


def test_steps_of_heat() -> None:
    assert [diverging(value, 0.0, 0.5, 1.0) for value in (-1.0, 0.0, 0.5, 0.75, 1.0, 2.0)] == [
        0,
        0,
        5,
        8,
        10,
        10,
    ]
    assert [diverging(value, 0.0, 0.25, 1.0) for value in (0.0, 0.25, 1.0)] == [0, 5, 10]
    assert [rising(value, 2.0, 4.0) for value in (2.0, 3.0, 4.0)] == [5, 7, 10]
    assert rising(2.0, 2.0, 2.0) == 5


def test_the_checker_sees_texts_that_meet() -> None:
    def crowded(figure: Figure) -> None:
        axes = figure.subplots()
        axes.text(0.5, 0.5, "one")
        axes.text(0.5, 0.5, "two")

    def cut(figure: Figure) -> None:
        figure.subplots().text(0.9, 0.5, "far too long to stay inside of the figure").set_in_layout(False)

    for draw in (crowded, cut):
        drawing = Drawing("key", "title", "caption", "alt", draw, pandas.DataFrame())  # type: ignore[arg-type]
        with pytest.raises(AssertionError, match=r"meets|leaves"):
            check_texts(drawing)


@pytest.mark.parametrize("count", [3, 12])
def test_long_names_are_broken_into_lines(count: int) -> None:
    names = [f"a-policy-of-a-file-with-a-long-name-{i}" for i in range(count)]
    step = {(i, j): 0.01 * (j - i) for i in range(count) for j in range(count)}
    pairs = {(names[i], names[j]): (by, by - 0.02, by + 0.02) for (i, j), by in step.items() if i < j}
    columns = {
        name: [None if i == j else 0.5 + step[i, j] for i in range(count)] for j, name in enumerate(names)
    }
    ratings_of = {"rating": np.linspace(50, -50, count), "rating_low": -70.0, "rating_high": 70.0}
    policies = pandas.DataFrame(
        {"policy": names, "games": 9, "win_rate": np.linspace(0.6, 0.4, count), **ratings_of}
    )
    material = made(pairs, matrix=pandas.DataFrame({"policy": names, **columns}), policies=policies)
    for _, drawings in compare_figures(material, WORDS):
        for drawing in drawings:
            check_texts(drawing)
