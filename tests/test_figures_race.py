"""The figures of races and stakes: their numbers are the tables', their claims the intervals', readable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from reports.drawing import Drawing
from reports.figures.commission import commission_figures
from reports.figures.race import race_figures
from reports.images import svg
from reports.material import Material
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, drawn

WORDS = Words()
LAST = 60


def chance(own: int, other: int) -> float:
    """Return a chance that rises with the own score and falls with the other's."""
    return 1 / (1 + float(np.exp((other - own) / 8)))


def made(
    half: float = 0.002, stand: tuple[float, float, float] = (0.01, 0.005, 0.015), **changes: Any
) -> Material:
    """Return a race whose chances are `chance`, but for those of `at`, and one comparison of stands."""
    at = changes.get("at", {})
    last = changes.get("last", LAST)
    scores = []
    for own in range(-5, last + 1):
        for other in range(-5, last + 1):
            rate = at.get((own, other), chance(own, other))
            for opener in ("own", "other"):
                won = rate if opener == "own" else 1 - rate
                scores.append(
                    {"own": own, "other": other, "opener": opener, "win_rate": won,
                     "low": won - half, "high": won + half}
                )  # fmt: skip
    stands = [
        {"stand": 59, "instead": 60, "other": other, "opener": opener, "difference": 0.001 * other * sign,
         "low": 0.001 * other * sign - half, "high": 0.001 * other * sign + half}
        for opener, sign in (("own", 1), ("other", -1)) for other in range(last + 1)
    ]  # fmt: skip
    mean = dict(zip(("estimate", "low", "high"), stand, strict=True))
    return Material(
        command="race",
        rules={"sides": [0, 1], "target": 305, "target_kind": "exact"},
        rules_told="exact61",
        policies=changes.get("policies", ("greedy", "greedy")),
        unit="rounds",
        done=1000,
        seed=5,
        confidence=0.95,
        summary=pandas.DataFrame(
            [{"metric": "stand_difference", "scope": "own=59 less 60", "n": 1000, **mean}]
        ),
        tables={"scores": pandas.DataFrame(scores), "stands": pandas.DataFrame(stands)},
    )


def by_key(material: Material, words: Words = WORDS) -> dict[str, Drawing]:
    """Return the figures of a race by their keys."""
    return {drawing.key: drawing for _, drawings in race_figures(material, words) for drawing in drawings}


def axes_of(drawing: Drawing) -> Axes:
    """Return the axes on which a drawing is drawn."""
    axes: Axes = drawn(drawing).axes[0]
    return axes


@pytest.fixture(scope="module")
def race() -> Material:
    """Return a race of 61 scores."""
    return made()


def test_chances_near_the_target_stand_in_their_cells(race: Material) -> None:
    axes = axes_of(by_key(race)["race-near"])
    across = [int(label.get_text()) for label in axes.get_xticklabels()]
    down = [int(label.get_text()) for label in axes.get_yticklabels()]
    assert across == list(range(50, 61)) == down[::-1]
    for text in axes.texts:
        j, i = (int(place) for place in text.get_position())
        assert text.get_text() == f"{100 * chance(across[j], down[i]):.0f}"


def test_lines_draw_the_chances_over_the_other_score(race: Material) -> None:
    axes = axes_of(by_key(race)["race-lines"])
    assert [line.get_label() for line in axes.lines] == [str(own) for own in range(55, 61)]
    for line in axes.lines:
        own = int(str(line.get_label()))
        expected = [[other, chance(own, other)] for other in range(30, 61)]
        np.testing.assert_allclose(line.get_xydata(), expected)


def test_differences_of_stands_have_bands(race: Material) -> None:
    axes = axes_of(by_key(race)["race-stands"])
    own, other = (line for line in axes.lines if len(line.get_xdata()) == LAST + 1)
    np.testing.assert_allclose(own.get_ydata(), 0.001 * np.arange(LAST + 1))
    np.testing.assert_allclose(other.get_ydata(), -0.001 * np.arange(LAST + 1))
    assert len([each for each in axes.collections if isinstance(each, PolyCollection)]) == 2


def test_a_drop_near_the_target_is_told_where_the_intervals_tell_it() -> None:
    for half, told in (
        (0.002, "A higher score is not always better: against 60, 59 wins 60"),
        (0.2, "Near the target no higher"),
    ):
        drawing = by_key(made(half, at={(59, 60): 0.6}))["race-near"]
        assert drawing.title.startswith(told)
    assert by_key(made())["race-near"].title == "Near the target, no higher score wins less by the estimates"


def test_the_best_of_the_last_scores_is_hedged() -> None:
    assert by_key(made())["race-lines"].title == "Against 60, 60 wins most, 50.00%, then 59, 46.88%"
    assert "cannot be told from 59" in by_key(made(0.05))["race-lines"].title


@pytest.mark.parametrize(
    ("stand", "told"),
    [
        ((0.01, 0.005, 0.015), "It is better to stand at 59 than at 60: +1.0"),
        ((-0.01, -0.015, -0.005), "It is worse to stand at 59 than at 60: "),
        ((0.01, -0.005, 0.025), "No difference between standing at 59 and at 60 can be told: +1.0"),
    ],
)
def test_where_it_is_better_to_stand(stand: tuple[float, float, float], told: str) -> None:
    assert by_key(made(stand=stand))["race-stands"].title.startswith(told)


def test_opening_is_claimed_only_beyond_the_interval() -> None:
    for rate, told in ((0.52, "the side that opens wins more"), (0.48, "wins less"), (0.501, "no advantage")):
        assert told in by_key(made(at={(0, 0): rate}))["race-map"].title
    apart = by_key(made(policies=("greedy", "random")))["race-map"].title
    assert apart == "From 0 each, greedy against random wins 50.00% (49.80% to 50.20%) where it opens"


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_meets_another(race: Material, words: Words) -> None:
    found = by_key(race, words)
    assert list(found) == ["race-map", "race-near", "race-lines", "race-stands"]
    for drawing in found.values():
        check_texts(drawing)
        assert len(svg(drawing)) < 80_000


def test_a_map_of_very_many_scores_stays_small() -> None:
    drawing = by_key(made(last=150))["race-map"]
    check_texts(drawing)
    assert len(svg(drawing)) < 80_000


def test_without_rounds_nothing_is_drawn(race: Material) -> None:
    tables = {"scores": pandas.DataFrame(), "stands": pandas.DataFrame()}
    empty = Material(**{**vars(race), "tables": tables})
    assert race_figures(empty, WORDS) == []


# --- stakes -------------------------------------------------------------------------------------


def stakes(rate: float | None) -> Material:
    """Return a table of two brackets, and what a game brings at a win rate."""
    brackets = pandas.DataFrame(
        {"from": [0.0, 10.0], "to": [10.0, None], "percent": [11.0, 5.0], "break_even": [0.5618, 0.5263]}
    )
    rows = []
    for stake in range(1, 21):
        gain = stake * (1 - 2 * (0.11 if stake < 10 else 0.05))
        brings = None if rate is None else rate * gain - (1 - rate) * stake
        rows.append(
            {"stake": float(stake), "break_even": stake / (stake + gain), "expected_per_game": brings}
        )
    tables = {"brackets": brackets, "stakes": pandas.DataFrame(rows)}
    return Material("commission", {}, "", (), "games", 0, 1, 0.95, pandas.DataFrame(), tables)


def of_stakes(rate: float | None, words: Words = WORDS) -> dict[str, Drawing]:
    """Return the figures of stakes by their keys."""
    return {
        drawing.key: drawing
        for _, drawings in commission_figures(stakes(rate), words)
        for drawing in drawings
    }


def test_break_even_by_bracket() -> None:
    drawing = of_stakes(None)["break-even"]
    assert drawing.title == "From 52.63% to 56.18% of the games must be won to break even, by stake"
    thick = [line.get_xydata().tolist() for line in axes_of(drawing).lines if line.get_linewidth() == 2.6]
    assert thick == [[[0, 0.5618], [10, 0.5618]], [[10, 0.5263], [20, 0.5263]]]
    assert list(of_stakes(None)) == ["break-even"]


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        (0.5, "At this win rate every stake loses"),
        (0.54, "At this win rate stakes from 10.00 may gain, most at 20.00: +0.52 a game"),
        (0.6, "At this win rate every stake gains, most at 20.00: +2.80 a game"),
    ],
)
def test_what_a_game_brings(rate: float, told: str) -> None:
    drawing = of_stakes(rate)["expected"]
    assert drawing.title.startswith(told)
    line = next(line for line in axes_of(drawing).lines if len(line.get_xdata()) == 20)
    np.testing.assert_allclose(line.get_ydata(), drawing.table["expected_per_game"])


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_of_stakes_meets_another(words: Words) -> None:
    for drawing in of_stakes(0.54, words).values():
        check_texts(drawing)
        assert len(svg(drawing)) < 60_000
