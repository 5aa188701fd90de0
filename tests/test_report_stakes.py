"""Sections on stakes: the numbers of `fives commission`, their figures and lines, and what is refused."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from analyzer.compare import compare
from analyzer.report import found_in
from analyzer.report_material import material_of
from analyzer.report_stakes import Stakes, stakes_told
from analyzer.rulesets import rule_set
from reports.drawing import Drawing
from reports.figures.compare import compare_figures
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, drawn
from tests.shell import fives, lines_of, refusal

WORDS = Words()
NEVER = "At no stake is lowcount sure to win more than breaks even: "


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a comparison of two policies."""
    folder = tmp_path_factory.mktemp("runs") / "partout"
    words = ["compare", "partout5", "--policy", "lowcount", "--policy", "greedy", "--deals", 200, "--quiet"]
    assert fives(*words, "--out", folder).code == 0
    return folder


@pytest.mark.parametrize("options", [[], ["--point-price", "0.50"], ["--bankroll", "300", "--target", "100"]])
def test_the_section_has_the_numbers_of_commission(run: Path, options: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert fives("report", run, "--stake", 20, *options, "--out", page).code == 0
    html = page.read_text(encoding="utf-8")
    section = html[html.index('id="section-stakes"') :]
    section = section[: section.index("</section>")]
    answer = fives("commission", "--stake", 20, *options, "--run", run, "--json").json
    assert answer["commission"] in section
    assert answer["winner_receives"] in section
    assert f"{100 * answer['break_even']:.2f}%" in section
    assert f"{abs(answer['expected_per_game']):.2f} (" in section
    assert f"{float(answer['bankroll_for_5_percent']):,.2f}" in section
    assert ("at hand the risk" in section) is ("--bankroll" in options)
    assert section.count("<svg") == 2
    again, alone = lines_of(html)[-2:]
    assert again.split("\n")[1] == alone
    assert shlex.split(alone)[3:-2] == ["--stake", "20", *stakes_in_order(options)]


def stakes_in_order(options: list[str]) -> list[str]:
    """Return options in the order in which a page tells them."""
    given = dict(zip(options[::2], options[1::2], strict=True))
    return [word for name in sorted(given, reverse=True) for word in (name, given[name])]


def test_another_table_is_told(run: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[[bracket]]\nfrom = 0\npercent = 2\n", encoding="utf-8")
    result: Any = found_in(run)
    found = stakes_told(result, Stakes("50", table=str(table)))
    assert found["commission"] == 1.0
    assert found["winner_receives"] == 98.0
    assert not found["is_own_table"]
    assert stakes_told(result, Stakes("50"))["is_own_table"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--stake", "x"], "stake is 'x': give an amount such as 12.50, with at most two decimals."),
        (["--stake", "5", "--target", "250"],
         "target is 250 and the run's games go to 100: leave --target out."),
        (["--target", "100"], "--target is for games for stakes: give --stake S too."),
        (["--bankroll", "1"], "--bankroll is for games for stakes: give --stake S too."),
    ],
)  # fmt: skip
def test_mistakes_about_stakes(run: Path, options: list[str], sentence: str, tmp_path: Path) -> None:
    assert refusal("report", run, *options, "--out", tmp_path / "p.html") == sentence
    assert list(tmp_path.iterdir()) == []


def test_stakes_are_for_games_of_two(run: Path, tmp_path: Path) -> None:
    tuned, few = tmp_path / "tuned", ["--deals", 20, "--generations", 1, "--check", 20, "--quiet"]
    words = ["tune", "draw", "--against", "greedy", "--features", "pips,live", "--start", "heavy"]
    assert fives(*words, *few, "--out", tuned).code == 0
    rounds = tmp_path / "rounds"
    assert fives("simulate", "draw", "--rounds", 20, "--quiet", "--out", rounds).code == 0
    why = "stakes are for games of two policies and this is a {}: leave --stake out."
    assert refusal("report", rounds, "--stake", 5) == why.format("run of simulate")
    assert refusal("report", tuned, "--stake", 5) == why.format("tuning")
    three: Any = compare(rule_set("draw"), ["greedy", "random", "heavy"], deals=5)
    with pytest.raises(ValueError, match="the run is no match of two"):
        stakes_told(three, Stakes("5"))
    by_round: Any = compare(rule_set("draw"), ["greedy", "random"], deals=5, per="round")
    with pytest.raises(ValueError, match="the run holds single rounds"):
        stakes_told(by_round, Stakes("5"))


def of_stakes(rate: list[float], words: Words = WORDS) -> dict[str, Drawing]:
    """Return the figures of stakes for a win rate with its interval."""
    result = compare(rule_set("partout5"), ["lowcount", "greedy"], deals=20)
    material = material_of(result, words, Stakes("20"))
    stakes = {**material.facts["stakes"], "win_rate": rate}
    rows = pandas.DataFrame(stakes["stakes"])
    stakes["stakes"] = rows.assign(
        expected_per_game=rate[0] * rows["winner_receives"] - rows["stake"]
    ).to_dict("records")
    changed = dataclasses.replace(material, facts={**material.facts, "stakes": stakes})
    sections = dict(compare_figures(changed, words))
    return {drawing.key: drawing for drawing in sections["stakes"]}


@pytest.mark.parametrize(
    ("rate", "even", "gain"),
    [
        ([0.60, 0.58, 0.62], "lowcount wins more than breaks even at any stake: ", "Every stake gains, "),
        ([0.51, 0.50, 0.52], "lowcount wins less than breaks even at any stake: ", "Every stake loses, "),
        (
            [0.55, 0.54, 0.56],
            "lowcount wins more than breaks even for stakes from 50: ",
            "Stakes from 50.00 ",
        ),
        (
            [0.54, 0.52, 0.56],
            NEVER,
            "No stake is sure to gain; the most would be ",
        ),
        ([0.52, 0.51, 0.54], NEVER, "No stake is sure to gain; by the estimate each loses"),
    ],
)
def test_the_edge_against_the_break_even_line(rate: list[float], even: str, gain: str) -> None:
    found = of_stakes(rate)
    assert found["break-even"].title.startswith(even)
    assert found["expected"].title.startswith(gain)
    axes = drawn(found["break-even"]).axes[0]
    assert any(np.allclose(line.get_ydata(), rate[0]) for line in axes.lines)
    table = found["expected"].table
    np.testing.assert_allclose(table["expected_low"], rate[1] * table["winner_receives"] - table["stake"])


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_of_a_section_on_stakes_meets_another(words: Words) -> None:
    for drawing in of_stakes([0.55, 0.54, 0.56], words).values():
        check_texts(drawing)
