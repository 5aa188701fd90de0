"""The message catalogues of reports: extracted from the sources, carried over to each language, compiled.

`python -m tests.catalogues` brings the `.po` files up to date and compiles them; new messages wait in them
with an empty translation. The words of the rules live in `analyzer/provenance.py` as plain sentences and are
extracted from the notes themselves.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from analyzer import rulesets
from analyzer.provenance import field_notes
from reports.languages import LANGUAGES
from reports.words import DOMAIN, LOCALES

ROOT = Path(__file__).parents[1]
TRANSLATED = [language for language in LANGUAGES if language != "en"]
METHODS = [("reports/**.py", "python"), ("reports/templates/**.j2", "jinja2.ext.babel_extract")]
KEYWORDS = {"words": None, "self": None, "either": (1, 2)}
PLURALS = {"fr": "nplurals=2; plural=(n > 1);", "pt": "nplurals=2; plural=(n != 1);"}
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)  # no date of the day: the files change with their words alone


def messages() -> Catalog:
    """Return every message of the reports, the words of the rules among them."""
    catalog = Catalog(domain=DOMAIN, charset="utf-8")
    found = extract_from_dir(ROOT, METHODS, keywords=KEYWORDS)
    for file, _, message, comments, _ in found:
        if file.startswith("reports/"):
            catalog.add(message, locations=[(file, 0)], auto_comments=comments)
    for message in rule_texts():
        catalog.add(message, locations=[("analyzer/provenance.py", 0)])
    return catalog


def rule_texts() -> Iterator[str]:
    """Yield every unit, source and choice of the rules that a page shows."""
    for name in rulesets.NAMES:
        for players in rulesets.PLAYERS:
            for note in field_notes(rulesets.rule_set(name, players=players)):
                unit = None if note.name in rulesets.CHOICES_OF_FIELD else note.unit
                yield from (text for text in (unit, note.source, note.choice) if text)


def po_file(language: str) -> Path:
    """Return the path of a language's catalogue."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """Return a language's catalogue as it is written; an empty one where there is none."""
    path = po_file(language)
    if not path.exists():
        return _blank(language)
    with open(path, "rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def _blank(language: str) -> Catalog:
    catalog = Catalog(
        locale=language,
        domain=DOMAIN,
        charset="utf-8",
        project="fives",
        version=" ",
        header_comment=f"# The words of reports: {LANGUAGES[language]}.",
        msgid_bugs_address="",
        last_translator="",
        language_team="",
        fuzzy=False,
    )
    catalog.mime_headers = [("Plural-Forms", PLURALS[language])]
    return catalog


def updated(language: str) -> Catalog:
    """Return a language's catalogue with exactly the messages of the sources."""
    catalog = read(language)
    catalog.update(messages(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.creation_date = catalog.revision_date = WRITTEN
    return catalog


def po_bytes(catalog: Catalog) -> bytes:
    """Return a catalogue as a `.po` file."""
    text = io.BytesIO()
    write_po(text, catalog, width=100, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return text.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """Return a catalogue compiled."""
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    return compiled.getvalue()


def main() -> None:
    """Bring all catalogues up to date and say how many messages still lack a translation."""
    for language in TRANSLATED:
        catalog = updated(language)
        path = po_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(catalog))
        path.with_suffix(".mo").write_bytes(mo_bytes(read(language)))
        missing = sum(not all(strings_of(message)) for message in catalog if message.id)
        print(f"{path.relative_to(ROOT)}: {len(catalog)} messages, {missing} without a translation")


def strings_of(message: Message) -> list[str]:
    """Return the translations of a message, one a plural form; empty where one is missing."""
    string = message.string
    return [string] if isinstance(string, str) else [form or "" for form in string or [""]]


if __name__ == "__main__":
    main()
