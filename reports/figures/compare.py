"""The figures of a comparison, and their order on a page."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pandas

from reports.figures.commission import commission_figures
from reports.figures.differences import margin_differences, win_differences
from reports.figures.matrix import matrix
from reports.figures.pentanomial import pentanomial
from reports.figures.ratings import ratings, win_rates
from reports.figures.sections import Sections, drawn
from reports.figures.sequential import sequential

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words

_SECTIONS: Sections = (
    ("difference", (win_differences, sequential, margin_differences)),
    ("pairs", (pentanomial, matrix)),
    ("ratings", (ratings, win_rates)),
)


def compare_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of a comparison under "difference", "pairs", "ratings" and "stakes"."""
    return [*drawn(_SECTIONS, material, words), *_of_stakes(material, words)]


def _of_stakes(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    stakes = material.facts.get("stakes")
    if stakes is None:
        return []
    tables = {name: pandas.DataFrame(stakes[name]) for name in ("brackets", "stakes")}
    return commission_figures(dataclasses.replace(material, tables=tables), words)
