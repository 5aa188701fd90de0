"""The formats that can be read, each by a function from a text to written games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from analyzer.errors import FivesError, unknown
from analyzer.imports.movelist import read_movelist
from analyzer.imports.replaying import Imported, imported
from analyzer.imports.written import Reader
from analyzer.notation import CannotParse

READERS: dict[str, Reader] = {"movelist": read_movelist}
DEFAULT = "movelist"


def import_text(text: str, format_: str = DEFAULT, seed: int = 1) -> Iterator[Imported]:
    """Yield the traces of the games in a text.

    Parameters
    ----------
    format_ : a key of `READERS`.
    seed : of what is filled in where hands are not written.

    Raises
    ------
    CannotParse
        With line and column, where the text is not in the format or the rules do not allow what it tells.
    """
    if format_ not in READERS:
        raise unknown("format", format_, READERS)
    number = 0
    for game in READERS[format_](text):
        for trace in imported(game, number, seed):
            yield trace
            number += 1


def import_file(path: Path, format_: str = DEFAULT, seed: int = 1) -> list[Imported]:
    """Return the traces of the games in a file, as `import_text` reads them; the errors name the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FivesError(f"cannot read {path}: {(error.strerror or str(error)).lower()}.") from error
    except UnicodeDecodeError as error:
        raise FivesError(f"cannot read {path}: it is not UTF-8 text.") from error
    try:
        return list(import_text(text, format_, seed))
    except CannotParse as error:
        raise CannotParse(f"{path}, {error}") from error
