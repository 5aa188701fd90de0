"""Figures in sections: those that the data allow, in the order of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words

Figure = Callable[["Material", "Words"], "Drawing | None"]
Sections = tuple[tuple[str, tuple[Figure, ...]], ...]


def drawn(sections: Sections, material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the drawings of each section; a figure whose numbers the run lacks is left out."""
    return filled(
        (key, [drawing for figure in figures if (drawing := figure(material, words)) is not None])
        for key, figures in sections
    )


def filled(sections: Iterable[tuple[str, list[Drawing]]]) -> list[tuple[str, list[Drawing]]]:
    """Return the sections that have a drawing."""
    return [(key, drawings) for key, drawings in sections if drawings]
