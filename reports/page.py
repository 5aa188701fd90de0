"""One HTML page of a run: the answer, figures with their tables, rules, method, evidence, how to repeat it.

The page needs no script and fetches nothing: style, pictures and tables are in it. The same material, record
and language give the same bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reports.dialects import DIALECTS, PLAIN, Dialect
from reports.images import svg
from reports.kinds import KINDS
from reports.labels import field_label
from reports.languages import GENERATOR
from reports.style import DARK, LIGHT
from reports.tables import Shown, shown
from reports.told import given_told, kind_told, table_told, value_told

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.record import Record
    from reports.words import Words

_TEMPLATES = Path(__file__).parent / "templates"
_SUMMARY = "summary"
_MOST_SENTENCES = 6
_TILE = re.compile(r"(?<![\w-])[0-9]-[0-9](?![\w-])")


@dataclass(frozen=True)
class _Figure:
    """A figure as the page shows it."""

    drawing: Drawing
    svg: Markup
    table: Shown


@dataclass(frozen=True)
class _Section:
    """Figures under one heading, with the sentences that come before them."""

    key: str
    heading: str
    opening: list[str]
    figures: list[_Figure]


def page(material: Material, record: Record, words: Words, dialect: Dialect = DIALECTS[PLAIN]) -> str:
    """Return the page of a run as HTML.

    Parameters
    ----------
    material : what was found; the command is a key of `reports.kinds.KINDS`.
    record : the rest that is told of the run.
    dialect : of the tables as CSV.
    """
    kind = KINDS[material.command]
    sources = list(dict.fromkeys(rule.source for rule in record.rules))
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            words=words,
            either=words.either,
            style=_style(),
            generator=GENERATOR,
            kind=kind_told(material.command, words),
            material=material,
            facts=_facts(material, words),
            answer=_answer(material, words),
            sections=_sections(material, dialect, words),
            tables=_tables(material, dialect, words),
            record=record,
            sources=sources,
            value_of=lambda rule: value_told(rule.name, rule.value, words),
            field_of=lambda name: field_label(name, words),
            method=kind.method(material, words),
            time_of=lambda stamp: _time(stamp, words),
        )
    )


def drawings_of(material: Material, words: Words) -> list[Drawing]:
    """Return every figure of a run's page, in its order."""
    sections = KINDS[material.command].figures(material, words)
    return [drawing for _, drawings in sections for drawing in drawings]


def _answer(material: Material, words: Words) -> list[str]:
    """Return the sentences that the page opens with, what is given of the deals first."""
    told = KINDS[material.command].answer(material, words)
    given = material.facts.get("given")
    if given is None:
        return told
    start = words("This holds where games start so: {given}.", given=given_told(given, words))
    return [start, *told][:_MOST_SENTENCES]


def _sections(material: Material, dialect: Dialect, words: Words) -> list[_Section]:
    kind = KINDS[material.command]
    return [
        _Section(
            key,
            kind.heading(key, material, words),
            kind.opening(key, material, words) if kind.opening else [],
            [_figure(drawing, dialect, words) for drawing in drawings],
        )
        for key, drawings in kind.figures(material, words)
        if drawings
    ]


def _figure(drawing: Drawing, dialect: Dialect, words: Words) -> _Figure:
    title = words("The numbers of this figure")
    table = shown(drawing.key, title, drawing.table, dialect, words, is_part=True)
    return _Figure(drawing, Markup(svg(drawing)), table)


def _tables(material: Material, dialect: Dialect, words: Words) -> list[Shown]:
    """Return the run's own tables, the summary first."""
    tables = {_SUMMARY: material.summary, **material.tables}
    return [shown(name, table_told(name, words), table, dialect, words) for name, table in tables.items()]


def _facts(material: Material, words: Words) -> list[tuple[str, str]]:
    """Return what was run, as pairs of a word and a value."""
    units = {"games": words("Games"), "rounds": words("Rounds"), "deals": words("Deals")}
    return [
        (words("Rule set"), material.rules_told),
        (words("Policies"), ", ".join(dict.fromkeys(material.policies))),
        (units[material.unit], words.whole(material.done)),
        (words("Seed"), str(material.seed)),
        (
            words("Intervals"),
            words.percent(material.confidence, 0 if material.confidence * 100 % 1 == 0 else 1),
        ),
    ]


def _time(stamp: str, words: Words) -> str:
    """Return a time in UTC as its reader writes it."""
    told = str(format_datetime(datetime.fromisoformat(stamp), "d MMMM y, HH:mm:ss", locale=words.language))
    return f"{told} UTC"


def _unbroken(text: str) -> Markup:
    """Return a text as HTML in which no line breaks within the name of a tile."""
    return Markup(_TILE.sub(r'<span class="tile">\g<0></span>', str(escape(text))))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["unbroken"] = _unbroken
    return environment


@cache
def _style() -> Markup:
    """Return the style sheet with the palette of the figures in it."""
    text = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    text = text.replace("/* light */", _variables(LIGHT)).replace("/* dark */", _variables(DARK))
    return Markup(re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip())


def _variables(colours: dict[str, Any]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in colours.items())
