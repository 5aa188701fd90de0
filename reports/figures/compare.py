"""The figures of a comparison, and their order on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.figures.differences import margin_differences, win_differences
from reports.figures.matrix import matrix
from reports.figures.pentanomial import pentanomial
from reports.figures.ratings import ratings, win_rates
from reports.figures.sequential import sequential

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words


def compare_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of a comparison that its data allow, by section in the order of reading."""
    sections = {
        "difference": [win_differences, sequential, margin_differences],
        "pairs": [pentanomial, matrix],
        "ratings": [ratings, win_rates],
    }
    drawn = {
        section: [drawing for figure in figures if (drawing := figure(material, words)) is not None]
        for section, figures in sections.items()
    }
    return [(section, drawings) for section, drawings in drawn.items() if drawings]
