"""The figures of a run of `simulate` or `openings`, by section, in the order in which a page shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.figures.counts import counts
from reports.figures.ends import blocked_by_policy, ends
from reports.figures.leads import gains, gains_map, led, margins
from reports.figures.lengths import lengths
from reports.figures.opening import advantage, seats
from reports.figures.overshoot import after, excess, refused_by_kind, refused_by_need
from reports.figures.points import points, points_by_policy
from reports.figures.sections import Sections, drawn
from reports.figures.winners import winners

if TYPE_CHECKING:
    from reports.drawing import Drawing
    from reports.material import Material
    from reports.words import Words

_OF_SIMULATE: Sections = (
    ("opening", (advantage, seats, led)),
    ("blocking", (ends, blocked_by_policy)),
    ("overshoot", (refused_by_kind, refused_by_need, after, excess)),
    ("scoring", (counts, points, points_by_policy)),
    ("length", (lengths, winners)),
)
_OF_OPENINGS: Sections = (("leads", (gains_map, gains, margins)),)


def simulate_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of `simulate` under "opening", "blocking", "overshoot", "scoring" and "length".

    A figure whose numbers the run lacks is left out, and so is a section without figures.
    """
    return drawn(_OF_SIMULATE, material, words)


def openings_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of `openings`, under "leads"; none where no deal was played."""
    return drawn(_OF_OPENINGS, material, words)


def section_title(key: str, material: Material, words: Words) -> str:
    """Return the heading of a section of these figures."""
    past = words("Past an exact target") if material.has_exact_target else words("Past the target")
    return {
        "opening": words("What opening is worth"),
        "blocking": words("How rounds end"),
        "overshoot": past,
        "scoring": words("What plays score"),
        "length": words("How long games take and who wins them"),
        "leads": words("Which lead is best"),
    }[key]
