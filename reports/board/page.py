"""A page that steps through one round: one file of HTML that needs neither network nor script.

Without script all steps stand below one another, and so they print; with script one is shown at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from reports.board import svg, words
from reports.board.placing import place
from reports.board.story import Face, Story, Table

TEMPLATE = "board.html.j2"
START = "<!doctype html>"  # of every such page, which tells it from other files


@dataclass(frozen=True)
class _Step:
    """One step as the template shows it; `new` tells which tile was laid last, and which were drawn."""

    heading: str
    sentences: list[list[words.Part]]
    table: Table
    new_tile: int | None = None
    drawn: tuple[Face, ...] = ()


def board_page(story: Story) -> str:
    """Return the page of a round as HTML."""
    environment = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=select_autoescape(default_for_string=True, default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(TEMPLATE).render(_context(story))


def _context(story: Story) -> dict[str, Any]:
    placing = place([tile.joint for tile in story.laid])
    return {
        "label": words.LABELS,
        "title": words.title(story),
        "subtitle": words.subtitle(story),
        "scores_label": words.scores_label(story),
        "halves": [svg.half_symbol(value) for value in range(_highest(story) + 1)],
        "faces": [(face, svg.upright_tile(face)) for face in _faces(story)],
        "drawing": svg.draw(story.laid, placing),
        "seats": [words.seat_name(story, seat) for seat in range(len(story.sides))],
        "sides": [words.side_name(story, side) for side in sorted(set(story.sides))],
        "steps": _steps(story),
        "layouts": [words.layout_lines(story.laid[:number]) for number in range(len(story.laid) + 1)],
        "number_text": words.number,
        "places": words.places,
    }


def _steps(story: Story) -> Sequence[_Step]:
    turns = [
        _Step(
            words.turn_heading(turn),
            words.turn_sentences(story, turn),
            turn.table,
            None if turn.move is None else turn.table.laid - 1,
            turn.drawn,
        )
        for turn in story.turns
    ]
    ending = story.ending
    return [
        _Step(words.deal_heading(), words.deal_sentences(story), story.dealt),
        *turns,
        _Step(words.end_heading(ending), words.end_sentences(story), ending.table),
    ]


def _faces(story: Story) -> list[Face]:
    return sorted({*story.dealt.boneyard, *(face for hand in story.dealt.hands for face in hand)})


def _highest(story: Story) -> int:
    return max(face.high for face in _faces(story))
