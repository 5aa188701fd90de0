"""Layouts for tests of their drawing: laid at random by the rules, or given as moves."""

from __future__ import annotations

import random

from analyzer.notation import parse_move, tile_set
from analyzer.referee.layout import Layout

SPINNERS = ("none", "first", "all")
SETS = ("double-six", "double-nine")

# The largest there are: every tile where all doubles are spinners, and the longest lines and arms.
LARGEST = {
    ("none", "double-six"): """
        5-1 6-5@5 6-2@6 5-2@2 2-1@1 4-2@2 5-0@5 6-4@4 6-1@6 1-0@1 6-0@0 6-6@6 0-0@0 4-0@0-0 5-4@4 5-5@5
        6-3@6-6 3-0@3 5-3@5-5 2-0@0 4-3@3 4-4@4 2-2@2 3-2@2-2 3-3@3 4-1@4-4 3-1@3-3 1-1@1""",
    ("first", "double-six"): """
        0-0 2-0@0-0 6-0@0-0 6-6@6 4-0@0-0 6-4@6-6 4-2@2 5-0@0-0 5-4@4 4-3@4 3-3@3 3-1@3-3 2-1@1 3-2@2
        4-4@4 5-3@5 5-5@5 6-5@5-5 3-0@3 6-1@6 1-0@0 4-1@4-4 1-1@1 6-3@3 6-2@6 2-2@2 5-1@1 5-2@5""",
    ("all", "double-six"): """
        5-5 5-1@5-5 1-1@1 2-1@1-1 2-2@2 5-3@5-5 4-2@2-2 5-4@5-5 2-0@2-2 6-4@4 6-5@5-5 3-1@3 1-0@1 6-2@6
        3-2@2 3-3@3 6-0@6 4-3@3-3 4-1@1-1 3-0@0 6-3@3 5-0@0 6-1@1-1 5-2@2-2 6-6@6 4-4@4 4-0@4 0-0@0""",
    ("none", "double-nine"): """
        6-1 6-6@6 6-2@6-6 2-2@2 3-1@1 3-0@3 8-0@0 9-8@8 9-5@9 5-4@5 9-4@4 9-6@9 2-0@2-2 6-0@6 1-0@0
        9-0@0 9-3@9 1-1@1 2-1@1-1 4-3@3 9-2@2 6-4@4 8-6@6 8-8@8 8-7@8-8 7-5@7 5-0@5 0-0@0 9-9@9 9-7@9-9
        7-7@7 7-4@7-7 4-4@4 4-2@4-4 8-2@2 8-5@8 5-2@5 4-0@0-0 4-1@4 7-1@1 7-6@7 6-3@6 7-2@2 7-3@7 8-3@3
        8-4@8 3-3@3 5-3@3-3 5-5@5 5-1@5-5 8-1@1""",
    ("first", "double-nine"): """
        7-3 6-3@3 9-7@7 8-6@6 9-8@8 9-9@9 9-5@9-9 5-5@5 9-1@9-9 9-2@9 9-4@9-9 4-1@4 7-5@5-5 6-2@2 7-1@1
        6-0@6 3-0@0 4-3@3 1-1@1 4-4@4 7-4@4-4 7-0@7 1-0@0 2-1@1-1 6-1@1 8-2@2 8-8@8 7-6@6 8-5@8-8 5-1@5
        3-1@1 3-3@3 8-3@3-3 7-7@7 8-0@8 0-0@0 5-0@0-0 8-7@7 8-4@8 6-4@4 5-2@5 2-2@2 2-0@2-2 7-2@7 4-0@0
        4-2@4 9-6@6 9-3@9 3-2@2 5-3@3 5-4@5""",
    ("all", "double-nine"): """
        3-2 4-2@2 7-4@4 6-3@3 7-3@7 6-4@6 9-3@3 9-5@9 8-5@5 8-8@8 9-8@8-8 4-4@4 4-3@4-4 8-4@4-4 9-4@4-4
        3-3@3 3-0@3-3 9-0@0 9-1@9 9-7@9 7-1@1 8-3@8 5-3@3 5-5@5 7-7@7 8-0@8-8 8-7@7-7 0-0@0 8-2@8-8
        3-1@3-3 2-0@2 7-5@5-5 1-1@1 2-1@1-1 1-0@1-1 7-2@7-7 5-0@0-0 9-2@2 7-0@7 5-1@5 7-6@7-7 6-6@6
        6-2@6-6 6-1@1-1 6-0@6 2-2@2 5-2@5-5 6-5@5-5 8-6@6-6 4-1@1 9-6@6 4-0@0-0 8-1@8 9-9@9 5-4@4""",
}  # fmt: skip


def layout_of(moves: str, spinner: str) -> Layout:
    """Return the layout that these moves lay."""
    layout = Layout(spinner)
    for move in moves.split():
        layout.place(parse_move(move))
    return layout


def random_layout(rng: random.Random, spinner: str, set_name: str) -> Layout:
    """Lay tiles at random, whoever may hold them, up to a random number or until none fits."""
    layout = Layout(spinner)
    left = list(tile_set(set_name))
    for _ in range(rng.randint(1, len(left))):
        placements = layout.placements(left)
        if not placements:
            break
        move = rng.choice(placements)
        layout.place(move)
        left.remove(move.tile)
    return layout
