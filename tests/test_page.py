"""The page itself: its structure, that it fetches nothing, its colours, and that hostile text stays text."""

from __future__ import annotations

import dataclasses
import itertools
import re
from html.parser import HTMLParser
from typing import Any

import pandas
import pytest

from reports.dialects import DIALECTS
from reports.languages import LANGUAGES, PAGE_MARK
from reports.material import Material
from reports.page import page
from reports.record import Record, Rule
from reports.style import DARK, LIGHT
from reports.tables import csv_of, shown
from reports.words import Words

VOID = {"meta", "br", "link", "img", "hr", "input"}
AA_TEXT, AA_GRAPHICS = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11


class Outline(HTMLParser):
    """Every element of a page with its attributes, and whether all of them are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


RULES = {
    "name": "draw",
    "set": "double-six",
    "players": 2,
    "sides": [0, 1],
    "score_multiple": 0,
    "second_multiple": 0,
    "points": "raw",
    "target": None,
    "target_kind": "reach",
}


def material(**changes: Any) -> Material:
    rates = [("blocked_rate", "all", 0.06, 0.05, 0.07), ("plays_per_round", "all", 12.5, 12.0, 13.0)]
    summary = pandas.DataFrame(rates, columns=["metric", "scope", "estimate", "low", "high"])
    summary["n"], summary["unit"] = 1000, ["rate", "plays"]
    shares = {"end": ["out", "blocked", "target"], "rounds": [940, 60, 0], "share": [0.94, 0.06, 0.0]}
    whole = Material(
        command="simulate",
        rules=RULES,
        rules_told="draw, 2 players",
        policies=("greedy", "random"),
        unit="rounds",
        done=1000,
        seed=7,
        confidence=0.95,
        summary=summary,
        tables={"ends": pandas.DataFrame(shares), "empty": pandas.DataFrame()},
    )
    return dataclasses.replace(whole, **changes)


RECORD = Record(
    rules=(
        Rule("target", "none", "raw points", "Pagat", None, "250"),
        Rule("spinner", "all", "", "the page", "A choice <b>of</b> ours."),
    ),
    run_line="fives simulate draw --rounds 1000",
    page_line="fives report DIR",
    check_line="fives trace draw --out game.jsonl\nfives verify game.jsonl",
    signature="0123456789abcdef",
    versions={"fives": "0.1.0", "numpy": "2.0"},
    streams=1,
    kernels="ff",
    started="2026-01-02T03:04:05+00:00",
    finished="2026-01-02T03:04:06+00:00",
    seconds=1.25,
)


@pytest.fixture(scope="module", params=LANGUAGES)
def outline(request: pytest.FixtureRequest) -> Outline:
    html = page(material(), RECORD, Words(request.param))
    found = Outline(html)
    assert found.open == []
    assert found.all("html") == [{"lang": request.param}]
    return found


# --- structure ----------------------------------------------------------------------------------


def test_headings_go_down_one_step_at_a_time(outline: Outline) -> None:
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_landmarks_and_the_skip_link(outline: Outline) -> None:
    for tag in ("header", "nav", "main", "footer"):
        assert len(outline.all(tag)) == 1, tag
    links = [element["href"] for element in outline.all("a")]
    assert links[0] == "#answer"
    ids = {element.get("id") for _, element in outline.elements}
    assert {str(link)[1:] for link in links if str(link).startswith("#")} <= ids


def test_ids_are_there_once_and_names_lead_to_them(outline: Outline) -> None:
    ids = [element["id"] for _, element in outline.elements if "id" in element]
    assert len(ids) == len(set(ids))
    for _, element in outline.elements:
        assert set((element.get("aria-labelledby") or "").split()) <= set(ids)


def test_tables_have_captions_and_scopes(outline: Outline) -> None:
    assert len(outline.all("caption")) == len(outline.all("table")) >= 4
    assert {element["scope"] for element in outline.all("th")} == {"col", "row"}


def test_what_scrolls_can_be_reached_and_is_named(outline: Outline) -> None:
    for _, element in outline.elements:
        if "scroll" in (element.get("class") or "").split():
            assert element["tabindex"] == "0"
            assert element["role"] == "region"
            assert element["aria-label"]


def test_nothing_is_fetched_and_no_script_runs(outline: Outline) -> None:
    assert outline.all("script", "link", "img", "iframe") == []
    for tag, element in outline.elements:
        assert not any(name.startswith("on") for name in element), tag
        for name in ("src", "href", "xlink:href"):
            assert re.match(r"#|data:text/csv", element.get(name) or "#"), (tag, element)
    html = page(material(), RECORD, Words())
    assert re.findall(r"""https?://(?!www\.w3\.org)[^\s"']*""", html) == []
    assert re.findall(r"@import|url\((?!#)", html) == []


def test_a_page_is_known_by_its_mark() -> None:
    assert PAGE_MARK in page(material(), RECORD, Words())[:2000]


# --- content ------------------------------------------------------------------------------------


def test_text_from_outside_stays_text() -> None:
    hostile = "<script>alert('x')</script>\"&"
    summary = material().summary.assign(scope=f"policy={hostile}")
    html = page(material(rules_told=hostile, policies=(hostile,), summary=summary), RECORD, Words())
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 4
    assert "A choice &lt;b&gt;of&lt;/b&gt; ours." in html
    assert Outline(html).open == []


def test_lines_to_type_break_where_they_end() -> None:
    html = page(material(), RECORD, Words())
    (block,) = (
        block for block in re.findall(r'<pre class="line">(.*?)</pre>', html, re.DOTALL) if "verify" in block
    )
    words = re.findall("<span>([^<]*)</span>", block)
    assert words == ["fives", "trace", "draw", "--out", "game.jsonl", "fives", "verify", "game.jsonl"]
    assert re.sub("<[^>]*>", "", block) == RECORD.check_line


def test_a_changed_rule_is_told_with_the_sets_own() -> None:
    html = page(material(), RECORD, Words())
    assert "The rule set&#39;s own is 250." in html


def test_what_is_given_comes_first() -> None:
    given = {
        "hands": [["6-6"], []],
        "boneyard": ["1-1"],
        "opener": 1,
        "scores": [5, 0],
        "condition": "pips(0) > 3",
    }
    html = page(material(facts={"given": given}), RECORD, Words())
    answer = html[html.index('id="answer-heading"') : html.index("</section>")]
    told = (
        "seat 0 is dealt 6-6; the boneyard starts with 1-1; seat 1 opens; pips(0) &gt; 3; from 5-0 raw points"
    )
    assert answer.count('<span class="tile">') == 3  # no line breaks within 6-6, 1-1 and 5-0
    answer = re.sub('<span class="tile">([^<]*)</span>', r"\1", answer)
    assert f"<p>This holds where games start so: {told}.</p>" in answer


def test_times_are_written_for_their_reader() -> None:
    assert "2 January 2026, 03:04:05 UTC" in page(material(), RECORD, Words())
    assert "2 janvier 2026, 03:04:05 UTC" in page(material(), RECORD, Words("fr"))


def test_numbers_and_names_in_tables() -> None:
    table = pandas.DataFrame(
        {
            "metric": ["blocked_rate", "no_such_metric"],
            "estimate": [0.5, 1234.5],
            "n": [1234, 5],
            "paired": [True, False],
            "low": [0.25, None],
        }
    )
    rows = shown("key", "title", table, DIALECTS["plain"], Words()).rows
    assert rows == [
        ["blocked rounds", "0.5000", "1,234", "yes", "0.2500"],
        ["no_such_metric", "1,234.50", "5", "no", "\N{EN DASH}"],
    ]


def test_csv_in_both_dialects() -> None:
    table = pandas.DataFrame({"tile": ["6-3", "a;b"], "low": [0.5, None], "n": [1000, 2]})
    assert csv_of(table, DIALECTS["plain"]) == "tile,low,n\n6-3,0.5,1000\na;b,,2\n"
    assert (
        csv_of(table, DIALECTS["excel-fr"])
        == '\N{ZERO WIDTH NO-BREAK SPACE}tile;low;n\n6-3;0,5;1000\n"a;b";;2\n'
    )
    assert csv_of(pandas.DataFrame(), DIALECTS["plain"]) == ""


# --- colours ------------------------------------------------------------------------------------


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2, relative luminance)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def schemes() -> list[dict[str, str]]:
    """Return the light and the dark palette, with the page's own colours from its style sheet."""
    html = page(material(), RECORD, Words())
    blocks = re.findall(r":root \{(.*?)\}", html, flags=re.DOTALL)
    found = [dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block)) for block in blocks]
    assert len(found) == 3, "light, dark, print"
    return found


def test_the_style_sheet_has_the_palette_of_the_figures() -> None:
    light, dark, printed = schemes()
    assert light.items() >= LIGHT.items()
    assert dark.items() >= DARK.items()
    assert printed.items() >= LIGHT.items()


def test_text_and_graphics_stand_out() -> None:
    for scheme in schemes():
        for ground in ("page", "raised", "paper"):
            for text in ("ink", "muted", "link"):
                assert contrast(scheme[text], scheme[ground]) >= AA_TEXT, (text, ground)
        for series in (name for name in scheme if name.startswith("series")):
            assert contrast(scheme[series], scheme["paper"]) >= AA_GRAPHICS, series
