"""Reads the TOML files that users write: house rules, tables of commissions, policies."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError
from analyzer.runs import cannot_read

LARGEST = 1_000_000  # bytes; such a file has a few hundred


def read_toml(path: Path, kind: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return what a TOML file says; a byte order mark is skipped.

    Parameters
    ----------
    kind : what the file should be, such as "file of house rules"; for the errors.
    parse_float : what to make of a number with a point or an exponent.

    Raises
    ------
    FivesError
        Where it cannot be read or is no TOML; the sentence names the file and, where it can, line and column.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise cannot_read(path, error) from error
    if len(content) > LARGEST:
        raise FivesError(f"{path} has more than {LARGEST:,} bytes: it is no {kind}.")
    try:
        return tomllib.loads(content.decode("utf-8-sig"), parse_float=parse_float)
    except UnicodeDecodeError as error:
        raise FivesError(f"{path} is no TOML file: it is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:  # its text ends in the line and column
        why = str(error).rstrip(".")
        raise FivesError(f"{path} is no TOML file: {why[:1].lower()}{why[1:]}.") from error
    except RecursionError as error:
        raise FivesError(f"{path} is no {kind}: its values are nested too deep.") from error
    except (ValueError, ArithmeticError) as error:  # more digits or a larger exponent than Python reads
        raise FivesError(f"{path} is no {kind}: a number in it is out of all bounds.") from error
