"""The kinds of run: which answer, figures, headings and method the page of each has, by its command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.answers.compare import compare_answer
from reports.answers.openings import openings_answer
from reports.answers.race import race_answer
from reports.answers.simulate import simulate_answer
from reports.answers.stakes import stakes_answer
from reports.answers.sweep import sweep_answer
from reports.answers.tune import tune_answer
from reports.drawing import Drawing
from reports.figures.compare import compare_figures
from reports.figures.race import race_figures
from reports.figures.simulate import openings_figures, section_title, simulate_figures
from reports.figures.sweep import sweep_figures
from reports.figures.tune import tune_figures
from reports.material import Material
from reports.methods import (
    compare_method,
    openings_method,
    race_method,
    simulate_method,
    sweep_method,
    tune_method,
)
from reports.words import Words

Figures = list[tuple[str, list[Drawing]]]


@dataclass(frozen=True)
class Kind:
    """How runs of one command are reported.

    Attributes
    ----------
    answer : the sentences that the page opens with.
    figures : the drawings by the key of their section, in reading order.
    heading : the heading over a section.
    method : how the numbers were got, a paragraph each.
    opening : sentences that a section opens with; None: none does.
    """

    answer: Callable[[Material, Words], list[str]]
    figures: Callable[[Material, Words], Figures]
    heading: Callable[[str, Material, Words], str]
    method: Callable[[Material, Words], list[str]]
    opening: Callable[[str, Material, Words], list[str]] | None = None


def _heading_of_compare(key: str, material: Material, words: Words) -> str:
    return {
        "difference": words("Who is better, and by how much"),
        "pairs": words("Pair by pair"),
        "ratings": words("Ratings"),
        "stakes": words("For stakes"),
    }[key]


def _opening_of_compare(key: str, material: Material, words: Words) -> list[str]:
    return stakes_answer(material, words) if key == "stakes" else []


def _heading_of_sweep(key: str, material: Material, words: Words) -> str:
    return {
        "metric": words("The metric over the grid"),
        "base": words("Differences from the base cell"),
    }[key]


def _heading_of_race(key: str, material: Material, words: Words) -> str:
    return {
        "scores": words("What a pair of scores is worth"),
        "stands": words("At which score it is better to stand"),
    }[key]


def _heading_of_tune(key: str, material: Material, words: Words) -> str:
    return {
        "edge": words("What the policy is worth on fresh deals"),
        "weights": words("What weighs"),
        "course": words("How the search went"),
    }[key]


KINDS: dict[str, Kind] = {
    "simulate": Kind(simulate_answer, simulate_figures, section_title, simulate_method),
    "compare": Kind(
        compare_answer, compare_figures, _heading_of_compare, compare_method, _opening_of_compare
    ),
    "sweep": Kind(sweep_answer, sweep_figures, _heading_of_sweep, sweep_method),
    "openings": Kind(openings_answer, openings_figures, section_title, openings_method),
    "race": Kind(race_answer, race_figures, _heading_of_race, race_method),
    "tune": Kind(tune_answer, tune_figures, _heading_of_tune, tune_method),
}
