"""`fives report` and `--report`: from a run to its page, the same bytes each time, and only what is fit."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from analyzer.cli import compare as cli_compare
from analyzer.cli import openings as cli_openings
from analyzer.cli import race as cli_race
from analyzer.cli import simulate as cli_simulate
from analyzer.cli import sweep as cli_sweep
from analyzer.policies import Policy
from analyzer.report import page_of, pictures, repeat, report, saved_result
from analyzer.report_lines import run_line
from analyzer.rulesets import rule_set
from analyzer.runs import csv_text
from analyzer.simulate import simulate
from reports.kinds import KINDS
from reports.tables import MOST_SHOWN
from tests.shell import fives, lines_of, refusal

ROOT = Path(__file__).parents[1]
MOST_BYTES = 3_000_000
NO_PAGE = shutil.ignore_patterns("report.html")
RUNS = {
    "simulate": ["simulate", "exact61", "--players", "4", "--policy", "careful", "--policy", "greedy",
                 "--games", "40"],
    "rounds": ["simulate", "draw", "--hand-size", "8", "--rounds", "60", "--seed", "3"],
    "compare": ["compare", "allfives", "--policy", "greedy", "--policy", "random", "--policy", "heavy",
                "--deals", "30", "--per", "round"],
    "sweep": ["sweep", "allfives", "--rounds", "50", "--vary", "hand=5,7", "--vary", "policy.0=greedy,random",
              "--base", "spinner=all", "--policy", "heavy"],
    "openings": ["openings", "partout5", "--rounds", "40", "--policy", "greedy"],
    "race": ["race", "exact61", "--target", "75", "--rounds", "64", "--from", "5,10", "--stand", "13,14"],
}  # fmt: skip
MORE_LINES = [
    ["simulate", "partout5", "--players", "3", "--policy", "random", "--policy", "heavy",
     "--policy", "random", "--games", "20", "--target", "250", "--first-game", "5"],
    ["simulate", "exact61", "--players", "4", "--policy", "careful", "--policy", "greedy",
     "--policy", "greedy", "--policy", "random", "--games", "7", "--control"],
    ["simulate", "allfives", "--players", "4", "--sides", "none", "--rounds", "40", "--confidence", "0.9"],
    ["simulate", "draw", "--set", "double-nine", "--hand-size", "8", "--rounds", "60"],
    ["simulate", "exact61", "--games", "5", "--hand", "0=6-6 6-5", "--hand", "1=0-0", "--boneyard", "1-1 2-1",
     "--opener", "1", "--scores=10,300"],
    ["compare", "allfives", "--policy", "greedy", "--policy", "random", "--deals", "5",
     "--given", "doubles(opener) >= 4"],
    ["compare", "allfives", "--policy", "greedy", "--policy", "random", "--deals", "300", "--sprt=-10,10.5",
     "--alpha", "0.1"],
    ["compare", "draw", "--policy", "heavy", "--policy", "random", "--deals", "150", "--until-width", "1.5",
     "--metric", "margin_difference", "--target", "50"],
    ["sweep", "draw", "--games", "20", "--vary", "players=2,3", "--vary", "sides=none", "--base", "hand=6",
     "--metric", "blocked_rate", "--first-game", "9"],
    ["sweep", "allfives", "--rounds", "20", "--vary", "policy=greedy,random", "--base", "players=4",
     "--base", "sides=none", "--metric", "blocked_rate"],
    ["sweep", "exact61", "--games", "20", "--vary", "sides=partners,none", "--base", "players=4",
     "--policy", "careful", "--metric", "overshoot_rate:kind=out"],
    ["race", "allfives", "--policy", "greedy", "--policy", "random", "--rounds", "70", "--from", "0,0",
     "--from", "100,5", "--stand", "240,245", "--stand", "200,205"],
    ["race", "exact61", "--players", "4", "--rounds", "64", "--from=-3,8", "--confidence", "0.9"],
    ["race", "draw", "--target", "60", "--rounds", "64"],
    ["openings", "partout5", "--players", "3", "--rounds", "40", "--policy", "greedy",
     "--set", "double-nine"],
]  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of all runs, by name."""
    place = tmp_path_factory.mktemp("runs")
    for name, words in RUNS.items():
        outcome = fives(*words, "--out", place / name, "--report", place / f"{name}.html", "--quiet")
        assert outcome.code == 0, outcome.err
    return place


def page_at(folders: Path, name: str) -> str:
    """Return the page that a run wrote."""
    return (folders / f"{name}.html").read_text(encoding="utf-8")


def without_times(html: str) -> str:
    """Return a page without what two runs of one experiment may differ in."""
    html = re.sub(r"<time[^>]*>[^<]*</time>", "", html)
    return re.sub(r"(Seconds at work</span>)[^<]*", r"\1", html)


# --- the page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNS)
def test_the_folder_has_the_page_that_the_run_wrote(folders: Path, name: str) -> None:
    outcome = fives("report", folders / name)
    assert outcome.code == 0, outcome.err
    path = folders / name / "report.html"
    assert outcome.out == f"{path}\n"
    html = path.read_text(encoding="utf-8")
    assert html == page_at(folders, name)
    assert len(html) < MOST_BYTES
    answer = html[html.index('id="answer-heading"') : html.index("</section>")]
    assert 1 <= answer.count("<p>") <= 6


@pytest.mark.parametrize("name", RUNS)
def test_the_line_on_the_page_repeats_the_run_and_the_page(folders: Path, name: str, tmp_path: Path) -> None:
    (line,) = (line for line in lines_of(page_at(folders, name)) if "--report report.html" in line)
    command, *words = shlex.split(line)
    assert command == "fives"
    words[words.index("report.html")] = str(tmp_path / "again.html")
    again = fives(*words, "--out", tmp_path / "again", "--quiet")
    assert again.code == 0, again.err
    for file in (folders / name).iterdir():
        if file.suffix in (".csv", ".parquet"):
            assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()
    written = (tmp_path / "again.html").read_text(encoding="utf-8")
    assert without_times(written) == without_times(page_at(folders, name))


@pytest.mark.parametrize("words", [*RUNS.values(), *MORE_LINES], ids=" ".join)
def test_lines_have_every_setting(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[Any] = []
    for module in (cli_compare, cli_openings, cli_race, cli_simulate, cli_sweep):
        monkeypatch.setattr(module, "run_and_print", lambda plan, **options: plans.append(plan))
    assert fives(*words).code == 0
    line = shlex.split(run_line(plans[0], {"csv_dialect": "excel-fr"}))
    assert fives(*line[1 : line.index("--report")]).code == 0
    assert plans[0] == plans[1]
    assert plans[0].settings() == plans[1].settings()


def test_lines_that_check_a_game_do(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("simulate", "rounds", "openings"):
        trace, verify = lines_of(page_at(folders, name))[0].split("\n")
        assert fives(*shlex.split(trace)[1:]).code == 0
        outcome = fives(*shlex.split(verify)[1:])
        assert outcome.code == 0, outcome.out
        game = json.loads(Path("game.jsonl").read_text(encoding="utf-8"))
        assert game["seed"] == (3 if name == "rounds" else 1)


def test_rules_that_no_option_names_are_repeated_from_python(tmp_path: Path) -> None:
    own = Policy("mine", "my own", {"points": 2, "double": 1})
    rules = rule_set("allfives", spinner="none", rounding="none")
    result = simulate(rules, [own, "greedy"], rounds=30, seed=5)
    line = run_line(result.plan, {"language": "fr"})
    assert line.startswith("import fives\n")
    done = subprocess.run(
        [sys.executable, "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "report.html").read_text(encoding="utf-8")
    times = r"<time[^>]*>[^<]*</time>|(?<=travail</span>)[^<]*"
    assert re.sub(times, "", written) == re.sub(times, "", page_of(result, "fr"))
    again = repeat({"command": "simulate", **result.plan.settings()})
    assert again.summary_rows == result.summary_rows


def test_tables_on_the_page_are_those_of_the_folder(folders: Path) -> None:
    for name in RUNS:
        html = page_at(folders, name)
        links = {
            file: unquote(unescape(link).partition(",")[2])
            for link, file in re.findall(r'<a href="(data:text/csv[^"]*)" download="([^"]*)"', html)
        }
        texts = {unescape(text) for text in re.findall(r"<pre[^>]*>([^<]*)</pre>", html)}
        tables = [file for file in (folders / name).iterdir() if file.suffix == ".csv"]
        assert len(tables) >= 2
        for file in tables:
            assert links[file.name] == file.read_text(encoding="utf-8"), (name, file.name)
            is_long = links[file.name].count("\n") > MOST_SHOWN + 1
            assert (links[file.name] in texts) is not is_long, (name, file.name)


def test_a_long_table_is_cut_and_its_csv_is_whole(folders: Path) -> None:
    html = page_at(folders, "race")
    table = html[html.index("<code>scores</code>, 450 rows") :]
    table = table[: table.index("</details>")]
    assert table.count("<tr>") == MOST_SHOWN + 1
    assert "The first 300 of 450 rows. The CSV has all." in table


@pytest.mark.parametrize("name", ["simulate", "rounds", "compare", "sweep", "openings"])
def test_one_game_has_a_page_too(name: str, tmp_path: Path) -> None:
    words = [*RUNS[name], "--quiet", "--out", tmp_path / "one", "--report", tmp_path / "one.html"]
    for count in ("--games", "--rounds", "--deals"):
        if count in words:
            words[words.index(count) + 1] = "1"
    assert fives(*words).code == 0
    html = (tmp_path / "one.html").read_text(encoding="utf-8")
    shown = re.sub(r"<[^>]*>|data:[^\"]*", "", html)
    assert re.findall(r"\b(?:nan|NaN|inf)\b", shown) == []


# --- the same bytes -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sweep"])
def test_the_page_and_pictures_are_the_same_bytes_anywhere(folders: Path, name: str, tmp_path: Path) -> None:
    here = page_of(saved_result(folders / name), "fr").encode()
    pictures(folders / name, tmp_path / "here", dpi=60, language="fr")
    strange = {
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Tokyo",
        "LANG": "fr_FR.UTF-8",
        "LC_ALL": "C",
        "MPLBACKEND": "svg",
    }
    words = [
        "report",
        folders / name,
        "--lang",
        "fr",
        "--out",
        tmp_path / "p.html",
        "--png",
        tmp_path / "there",
        "--dpi",
        60,
    ]
    subprocess.run(
        [sys.executable, "-m", "analyzer.cli", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **strange},
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "p.html").read_bytes() == here
    names = [sorted(path.name for path in (tmp_path / where).iterdir()) for where in ("here", "there")]
    assert names[0] == names[1]
    for file in names[0]:
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()


def test_pictures_have_the_dpi_asked_for(folders: Path, tmp_path: Path) -> None:
    outcome = fives(
        "report", folders / "rounds", "--out", tmp_path / "p.html", "--png", tmp_path / "png", "--dpi", "50"
    )
    page, *files = outcome.out.split()
    assert page == str(tmp_path / "p.html")
    assert len(files) >= 1
    for file in files:
        width = int.from_bytes(Path(file).read_bytes()[16:20], "big")  # of the PNG's header
        assert width == round(5.8 * 50)


# --- words and dialects -------------------------------------------------------------------------


def test_languages_and_dialects(folders: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.html"
    assert (
        fives("report", folders / "compare", "--out", out, "--lang", "pt", "--csv-dialect", "excel-fr").code
        == 0
    )
    html = out.read_text(encoding="utf-8")
    assert '<html lang="pt">' in html
    assert lines_of(html)[-1] == "fives report DIR --out report.html --lang pt --csv-dialect excel-fr"
    assert "%EF%BB%BFmetric;scope;" in html


def test_csv_for_french_spreadsheets() -> None:
    words = ["simulate", "draw", "--rounds", "50", "--quiet"]
    plain, french = (
        fives(*words, "--csv", "ends"),
        fives(*words, "--csv", "ends", "--csv-dialect", "excel-fr"),
    )
    assert french.out.startswith("\N{ZERO WIDTH NO-BREAK SPACE}end;rounds;share\n")
    assert french.out[1:] == plain.out.replace(",", ";").replace(".", ",")


def test_numbers_of_every_type_as_csv() -> None:
    import numpy as np

    from reports.dialects import DIALECTS

    rows = [{"a": np.float64(0.5), "b": None, "c": "x;y"}, {"a": 1e-7, "b": True}]
    assert csv_text(rows) == "a,b,c\n0.5,,x;y\n1e-07,True,\n"
    assert csv_text(rows, DIALECTS["excel-fr"])[1:] == 'a;b;c\n0,5;;"x;y"\n1e-07;True;\n'


# --- refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--lang", "klingon"], "unknown language 'klingon': choose from en, fr, pt."),
        (["--lang", "de"], "unknown language 'de': choose from en, fr, pt."),
        (["--csv-dialect", "excel"], "unknown CSV dialect 'excel': did you mean excel-fr?"),
        (["--dpi", "300"], "--dpi is for the PNG files: name their folder with --png."),
        (["--dpi", "5000", "--png", "x"], "dpi is 5000: it must be from 50 to 1200."),
        (
            ["--out", "nowhere/page.html"],
            "nowhere is no folder: make it, or choose another place for the page.",
        ),
        (["--out", "."], ". is a folder: name a file, such as report.html."),
    ],
)
def test_mistakes_of_report(
    folders: Path, words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("report", folders / "rounds", *words) == sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--lang", "fr"], "--lang is for a page: name its file with --report."),
        (["--csv-dialect", "excel-fr"], "--csv-dialect is for --csv and --report: give one of them."),
        (
            ["--report", "nowhere/page.html"],
            "nowhere is no folder: make it, or choose another place for the page.",
        ),
        (["--report", "p.html", "--lang", "xx"], "unknown language 'xx': choose from en, fr, pt."),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("simulate", "draw", "--rounds", str(10**12), *words) == sentence


def test_a_file_that_is_no_page_is_left_alone(folders: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine", encoding="utf-8")
    told = f"{mine} is no page of a report: choose another name, or overwrite it with --force."
    assert refusal("report", folders / "rounds", "--out", mine) == told
    assert refusal("simulate", "draw", "--rounds", str(10**12), "--report", mine) == told
    assert mine.read_text(encoding="utf-8") == "mine"
    assert fives("report", folders / "rounds", "--out", mine, "--force").code == 0
    assert fives("report", folders / "rounds", "--out", mine).code == 0  # a page may be written anew
    assert fives("simulate", "draw", "--rounds", "20", "--quiet", "--report", mine).code == 0


def test_the_files_of_a_run_are_never_replaced(folders: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(folders / "rounds", kept, ignore=NO_PAGE)
    for name in ("summary.csv", "manifest.json"):
        told = f"{kept / name} may be a file of the run itself: name the page otherwise, such as report.html."
        assert refusal("report", kept, "--out", kept / name, "--force") == told
    words = ["simulate", "draw", "--rounds", str(10**12), "--out", tmp_path / "new"]
    assert "may be a file of the run itself" in refusal(*words, "--report", tmp_path / "new" / "ends.csv")
    assert fives("report", kept).code == 0


def test_a_page_may_lie_in_the_folder_that_the_run_makes(tmp_path: Path) -> None:
    new = tmp_path / "new"
    words = ["simulate", "draw", "--rounds", "20", "--quiet", "--out", new]
    assert refusal(*words, "--report", new) == f"{new} is a folder: name a file, such as {new}/report.html."
    assert not new.exists()
    assert fives(*words, "--report", new / "report.html").code == 0
    html = (new / "report.html").read_text(encoding="utf-8")
    assert fives("report", new).code == 0
    assert (new / "report.html").read_text(encoding="utf-8") == html


def test_a_run_that_is_not_complete_says_how_to_go_on(folders: Path, tmp_path: Path) -> None:
    stopped = tmp_path / "stopped"
    shutil.copytree(folders / "rounds", stopped, ignore=NO_PAGE)
    manifest = json.loads((stopped / "manifest.json").read_text(encoding="utf-8"))
    (stopped / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped"}), encoding="utf-8")
    told = f"{stopped} is not complete, 60 of its 60 rounds are kept: go on with fives resume {stopped}."
    assert refusal("report", stopped) == told
    assert not (stopped / "report.html").exists()


def test_a_damaged_run_and_none_at_all(folders: Path, tmp_path: Path) -> None:
    assert refusal("report", tmp_path) == f"{tmp_path} holds no run: it has no manifest.json."
    damaged = tmp_path / "damaged"
    shutil.copytree(folders / "rounds", damaged, ignore=NO_PAGE)
    (damaged / "summary.csv").write_text("metric\n", encoding="utf-8")
    assert "summary.csv is not as it was written" in refusal("report", damaged)


def test_a_run_played_afresh_leaves_no_page_of_the_old_one(folders: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(folders / "rounds", kept, ignore=NO_PAGE)
    assert fives("report", kept).code == 0
    assert fives("simulate", "draw", "--rounds", "20", "--quiet", "--out", kept, "--force").code == 0
    assert not (kept / "report.html").exists()
    (kept / "report.html").write_text("mine", encoding="utf-8")
    assert fives("simulate", "draw", "--rounds", "20", "--quiet", "--out", kept, "--force").code == 0
    assert (kept / "report.html").read_text(encoding="utf-8") == "mine"


def test_a_kind_without_a_page_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result = simulate("draw", "greedy", rounds=5)
    monkeypatch.delitem(KINDS, "simulate")
    with pytest.raises(
        ValueError, match="runs of simulate have no page: report one of compare, sweep, openings, race, tune"
    ):
        report(result, tmp_path / "p.html")
    with pytest.raises(ValueError, match="runs of simulate have no page"):
        pictures(result, tmp_path / "png")
    assert list(tmp_path.iterdir()) == []


def test_a_result_needs_the_name_of_a_file() -> None:
    result: Any = simulate("draw", "greedy", rounds=5)
    with pytest.raises(ValueError, match="a result has no folder: name the file to write"):
        report(result)
