"""The words of reports: complete in every language, and numbers as their readers write them."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from reports.languages import LANGUAGES
from reports.words import Words
from tests import catalogues
from tests.catalogues import TRANSLATED, messages, po_bytes, po_file, read, strings_of, updated

NARROW = "\N{NARROW NO-BREAK SPACE}"


def ids_of(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def places_in(text: str) -> list[str]:
    """Return the names in braces of a message, sorted."""
    return sorted(re.findall(r"\{([^}]*)\}", text))


# --- the catalogues -----------------------------------------------------------------------------


def test_the_extraction_sees_python_templates_and_rules() -> None:
    found = {text for message in messages() for text in ids_of(message)}
    assert {"raw points", "{first} and {last}", "The answer", "{count} player", "{count} rows"} <= found
    assert set(catalogues.rule_texts()) <= found


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language: str) -> None:
    missing = [m.id for m in updated(language) if m.id and not all(strings_of(m))]
    assert missing == [], "run `make words` and translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalogues_are_those_of_the_sources(language: str) -> None:
    assert po_file(language).read_bytes() == po_bytes(updated(language)), "run `make words`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_places_to_fill_in_are_equal(language: str) -> None:
    for message in read(language):
        if message.id:
            wanted = places_in(ids_of(message)[-1])
            for string in strings_of(message):
                assert set(places_in(string)) <= set(wanted), message.id
            assert places_in(strings_of(message)[-1]) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_says_the_same(language: str) -> None:
    with open(po_file(language).with_suffix(".mo"), "rb") as file:
        compiled = {tuple(ids_of(message)): strings_of(message) for message in read_mo(file) if message.id}
    assert compiled == {
        tuple(ids_of(message)): strings_of(message) for message in read(language) if message.id
    }


def test_french_spaces_and_apostrophes() -> None:
    for message in read("fr"):
        for string in strings_of(message) if message.id else []:
            assert not re.search(r" [:;!?»]|« |\w'", string), string


# --- words and numbers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "percent", "thousands", "decimal"),
    [
        ("en", "12.5%", "1,234", "0.50"),
        ("fr", f"12,5{NARROW}%", f"1{NARROW}234", "0,50"),
        ("pt", "12,5%", "1.234", "0,50"),
    ],
)
def test_numbers(language: str, percent: str, thousands: str, decimal: str) -> None:
    words = Words(language)
    assert words.percent(0.125) == percent
    assert words.whole(1234) == thousands
    assert words.number(0.5) == decimal


def test_signs() -> None:
    words = Words()
    assert words.number(0.5, 1, signed=True) == "+0.5"
    assert words.number(-0.5, 1) == "\N{MINUS SIGN}0.5"
    assert words.number(-0.04, 1, signed=True) == "0.0"  # no sign where nothing is left to sign
    assert words.points(-0.0123, signed=True) == "\N{MINUS SIGN}1.2"


def test_plural_forms() -> None:
    told = {
        language: [Words(language).either("{count} player", "{count} players", n, count=n) for n in (0, 1, 2)]
        for language in LANGUAGES
    }
    assert told["en"] == ["0 players", "1 player", "2 players"]
    assert told["fr"] == ["0 joueur", "1 joueur", "2 joueurs"]
    assert told["pt"] == ["0 jogadores", "1 jogador", "2 jogadores"]


def test_lists() -> None:
    assert Words().joined([]) == ""
    assert Words().joined(["a"]) == "a"
    assert Words("fr").joined(["a", "b", "c"]) == "a, b et c"


def test_what_is_not_in_a_catalogue_stays_as_it_is() -> None:
    assert Words("fr")("no such {thing}", thing="tile") == "no such tile"
