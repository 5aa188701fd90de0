"""The words and numbers of a report in its reader's language, from the gettext catalogues of `locales`.

The sources speak English; `Words` is called with a sentence and returns it in the language, its names in
braces filled in: ``words("{n} games", n=words.whole(1000))``. Numbers go through `whole`, `number`, `percent`
and their like, so that 0.5 is "0,5" in French. The catalogues are read by Babel.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel.numbers import format_decimal, format_percent
from babel.support import NullTranslations, Translations

LOCALES = Path(__file__).parent / "locales"
DOMAIN = "fives"
_MINUS = "\N{MINUS SIGN}"


@cache
def _catalogue(language: str) -> NullTranslations:
    return Translations.load(LOCALES, [language], DOMAIN)


class Words:
    """The words of one language.

    Parameters
    ----------
    language : a key of `reports.languages.LANGUAGES`.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = NullTranslations() if language == "en" else _catalogue(language)

    def __call__(self, message: str, /, **values: object) -> str:
        """Return a message in the language, with `{name}` filled in by the values."""
        told = str(self._catalogue.ugettext(message))
        return told.format(**values) if values else told

    def either(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return the form of a message that goes with a count, filled in like any other."""
        return str(self._catalogue.ungettext(one, many, count)).format(**values)

    def whole(self, value: float) -> str:
        """Return a whole number, grouped by thousands."""
        return str(format_decimal(value, format="#,##0", locale=self.language))

    def number(self, value: float, digits: int = 2, *, signed: bool = False) -> str:
        """Return a number with so many decimals."""
        places = "#,##0" + ("." + "0" * digits if digits else "")
        return self._signed(str(format_decimal(value, format=places, locale=self.language)), signed)

    def percent(self, share: float, digits: int = 1, *, signed: bool = False) -> str:
        """Return a share as a percentage with so many decimals: 0.5 is "50.0 %" or as the language has it."""
        places = "#,##0" + ("." + "0" * digits if digits else "") + "%"
        if self.language == "fr":
            places = places.replace("%", "\N{NARROW NO-BREAK SPACE}%")
        return self._signed(str(format_percent(share, format=places, locale=self.language)), signed)

    def points(self, share: float, digits: int = 1, *, signed: bool = False) -> str:
        """Return a difference of shares in percentage points, without their name: 0.012 is "1.2"."""
        return self.number(100 * share, digits, signed=signed)

    def interval(self, low: str, high: str) -> str:
        """Return an interval of two numbers that are words already."""
        return self("{low} to {high}", low=low, high=high)

    def joined(self, parts: list[str]) -> str:
        """Return a list in words: "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])

    def _signed(self, told: str, signed: bool) -> str:
        plain = told.replace("-", _MINUS)
        is_zero = not any(digit in plain for digit in "123456789")
        if is_zero:
            return plain.replace(_MINUS, "")
        return plain if not signed or plain.startswith(_MINUS) else "+" + plain
