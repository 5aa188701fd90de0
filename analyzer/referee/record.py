"""Trace objects: what a game is written as, one JSON object a line.

    {"format": "fives-trace", "version": 1, "rules": {...}, "policies": [...], "seed": 7, "game": 0,
     "rounds": [...], "scores": [250, 305], "winner": 1}

Scores are raw points of each side after the turn or the event. `accepted` is null where no points were
at stake. A pass has `move` and `count` null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from analyzer.notation import Move, Tile, format_move, format_tile
from analyzer.referee.events import Outcome, Scores
from analyzer.referee.settlement import Gain
from analyzer.rulesets import RuleSet, changes_of

FORMAT = "fives-trace"
VERSION = 1


def trace_line(trace: dict[str, Any]) -> str:
    """Return a trace object as a line of a trace file, without its end."""
    return json.dumps(trace, separators=(",", ":"))


def number(value: Fraction | int) -> int | float:
    """Return raw points as JSON writes them: a whole number, or one that ends in .5."""
    return int(value) if value == int(value) else float(value)


def numbers(values: Iterable[Fraction]) -> list[int | float]:
    """Return the scores of all sides as JSON writes them."""
    return [number(value) for value in values]


def tile_texts(tiles: Iterable[Tile]) -> list[str]:
    """Return tiles as text, in their order."""
    return [format_tile(tile) for tile in tiles]


def rules_object(rules: RuleSet) -> dict[str, Any]:
    """Return a rule set as a trace names it.

    It holds name, players and set, and each field that differs from the named set's own for them;
    `sides` is there whenever partners play, and `target` null where there is none.
    """
    told = {"name": rules.name, "players": rules.players, "set": rules.set, **changes_of(rules)}
    return told | {"sides": list(rules.sides)} if rules.has_partners else told


def turn_object(
    seat: int, drawn: Sequence[Tile], move: Move | None, count: int | None, points: int, outcome: Outcome
) -> dict[str, Any]:
    """Return one turn of a trace; a pass has neither move nor count."""
    return {
        "seat": seat,
        "drawn": tile_texts(drawn),
        "move": None if move is None else format_move(move),
        "count": count,
        "points": points,
        "accepted": outcome.accepted,
        "scores": numbers(outcome.scores),
    }


def event_object(gain: Gain, outcome: Outcome) -> dict[str, Any]:
    """Return one event of a trace's settlement."""
    return {
        "side": gain.side,
        "seat": gain.seat,
        "play": number(gain.play),
        "credit": number(gain.credit),
        "debit": number(gain.debit),
        "net": number(gain.net),
        "accepted": outcome.accepted,
        "scores": numbers(outcome.scores),
    }


def trace_object(
    rules: RuleSet,
    policies: Sequence[str],
    seed: int | None,
    game: int,
    rounds: Sequence[dict[str, Any]],
    scores: Scores,
    winner: int | None,
    guard: bool = False,
) -> dict[str, Any]:
    """Return the trace of a game, or of a single round; `guard` is told only where it stopped the game."""
    trace: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_object(rules),
        "policies": list(policies),
        "seed": seed,
        "game": game,
        "rounds": list(rounds),
        "scores": numbers(scores),
        "winner": winner,
    }
    return trace | {"guard": True} if guard else trace
