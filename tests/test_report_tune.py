"""Pages of tunings: their numbers, figures and lines, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.folders import content_digest
from analyzer.policies import POLICIES
from analyzer.report import found_in, page_of, pictures
from analyzer.report_lines import tuning_line
from analyzer.report_tune import material_of_tuning, weight_rows
from analyzer.rulesets import rule_set
from analyzer.tune import Tuning
from reports.drawing import Drawing
from reports.figures.tune import tune_figures
from reports.images import svg
from reports.material import Material
from reports.words import Words
from tests.figure_checks import LongWords, check_texts, drawn
from tests.shell import fives, lines_of, refusal

WORDS = Words()
TUNE = ["tune", "allfives", "--against", "greedy", "--features", "accepted,pips,threat,live,double"]
SIZE = ["--deals", "60", "--generations", "3", "--check", "150", "--quiet"]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small tuning."""
    folder = tmp_path_factory.mktemp("tunings") / "tuned"
    assert fives(*TUNE, *SIZE, "--out", folder).code == 0
    return folder


def of_tuning(tuned: Path, words: Words = WORDS) -> Material:
    saved: Any = found_in(tuned)
    return material_of_tuning(saved, words)


def figures_of(material: Material, words: Words = WORDS) -> dict[str, Drawing]:
    return {drawing.key: drawing for _, drawings in tune_figures(material, words) for drawing in drawings}


def test_the_page_of_a_tuning_tells_its_edge(tuned: Path) -> None:
    outcome = fives("report", tuned)
    assert outcome.code == 0, outcome.err
    html = (tuned / "report.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r"win_rate_difference = (.*)", (tuned / "policy.toml").read_text(encoding="utf-8"))
    edge = of_tuning(tuned).metric("win_rate_difference", "pair=tuned/greedy")
    assert edge is not None
    assert edge.estimate == float(policy)
    assert f"{100 * edge.estimate:+.1f}" in html
    assert "Started" not in html
    (tuned / "report.html").unlink()


def test_the_lines_of_a_tuning_repeat_it_and_check_a_game(
    tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    html = page_of(found_in(tuned))
    check, again, page = lines_of(html)
    assert again.split("\n")[1] == page
    for line in again.split("\n"):
        words = shlex.split(line)[1:]
        assert fives(*words, *(["--quiet"] if words[0] == "tune" else [])).code == 0
    for file in ("tuning.json", "policy.toml", "generations.csv"):
        assert (tmp_path / "DIR" / file).read_bytes() == (tuned / file).read_bytes()
    assert Path("report.html").read_text(encoding="utf-8") == html
    for line in check.split("\n"):
        outcome = fives(*shlex.split(line)[1:])
        assert outcome.code == 0, outcome.err


def test_rules_and_policies_that_no_option_names_are_left_to_fill_in() -> None:
    rules = rule_set("allfives", spinner="none")
    mine = dataclasses.replace(POLICIES["greedy"], name="mine")
    tuning = Tuning(rules, mine, POLICIES["careful"], ("pips", "live"), 1, 10, 2, 20, "better")
    line = tuning_line(tuning, {"language": "fr"})
    assert line.startswith("fives tune RULES --players 2 --policy-file FILE --against mine --start careful")
    assert line.endswith("\nfives report DIR --out report.html --lang fr")


def test_an_incomplete_tuning_says_how_to_go_on(tuned: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    shutil.copytree(tuned, folder)
    content = json.loads((folder / "tuning.json").read_text(encoding="utf-8"))
    content.pop("digest")
    content["generations"] = content["generations"][:2]
    text = json.dumps({**content, "digest": content_digest(content)})
    (folder / "tuning.json").write_text(text, encoding="utf-8")
    told = f"{folder} is not complete, 2 of its 3 generations are kept: go on with fives resume {folder}."
    assert refusal("report", folder) == told
    (folder / "tuning.json").write_text(text.replace("60", "61"), encoding="utf-8")
    assert "is not as it was written" in refusal("report", folder)


def test_what_counts_is_the_point_of_the_search() -> None:
    tuning = Tuning(
        rule_set("allfives"), POLICIES["greedy"], POLICIES["careful"], ("accepted", "wins", "pips"),
        1, 10, 2, 20, "mine",
    )  # fmt: skip
    rows = weight_rows(tuning, {"accepted": 10, "pips": -20})
    assert [row["feature"] for row in rows] == ["accepted", "pips", "wins"]
    assert sum(row["counts"] ** 2 for row in rows) == pytest.approx(1)
    assert rows[0]["counts"] / rows[1]["counts"] == pytest.approx(10 * 8 / (-20 * 3))
    assert sum(row["counts_at_start"] ** 2 for row in rows) == pytest.approx(1)


def test_the_figures_of_a_tuning_draw_its_tables(tuned: Path) -> None:
    material = of_tuning(tuned)
    found = figures_of(material)
    assert list(found) == [
        "win-differences",
        "margin-differences",
        "tune-weights",
        "tune-course",
        "tune-step",
    ]
    axes = drawn(found["tune-course"]).axes[0]
    table = material.tables["generations"]
    lines = [line for line in axes.lines if len(line.get_xdata()) == 3]
    for line, name in zip(lines, ("mean", "best"), strict=True):
        np.testing.assert_allclose(line.get_ydata(), table[name])
    assert (table["mean_low"] < table["mean"]).all()
    assert (table["mean"] <= table["best"]).all()
    bars = [bar.get_width() for bar in drawn(found["tune-weights"]).axes[0].patches]
    weights = material.tables["weights"]["counts"]
    assert sum(bars) == pytest.approx(weights.sum())
    np.testing.assert_allclose(
        sorted(bar for bar in bars if bar), sorted(value for value in weights if value)
    )


@pytest.mark.parametrize(
    ("last", "title"),
    [
        (0.7, "The mean candidate rose from 40.0% to 70.0% of the wins"),
        (0.1, "The mean candidate fell from 40.0% to 10.0% of the wins"),
        (0.43, "No progress of the mean candidate can be told: 40.0%, then 43.0%"),
    ],
)
def test_the_course_is_hedged(tuned: Path, last: float, title: str) -> None:
    material = of_tuning(tuned)
    table = material.tables["generations"].copy()
    table["mean"] = [0.4, 0.4, last]
    table["mean_low"], table["mean_high"] = table["mean"] - 0.05, table["mean"] + 0.05
    changed = dataclasses.replace(material, tables={**material.tables, "generations": table})
    assert figures_of(changed)["tune-course"].title == title


@pytest.mark.parametrize("words", [WORDS, LongWords()])
def test_no_text_of_a_tuning_meets_another(tuned: Path, words: Words) -> None:
    for drawing in figures_of(of_tuning(tuned, words), words).values():
        check_texts(drawing)
        assert len(svg(drawing)) < 60_000


def test_pages_of_tunings_are_the_same_bytes(tuned: Path, tmp_path: Path) -> None:
    assert page_of(found_in(tuned), "fr") == page_of(found_in(tuned), "fr")
    names = [path.name for path in pictures(tuned, tmp_path, dpi=50, language="pt")]
    assert "tune-weights.png" in names
