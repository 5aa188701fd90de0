"""Rule sets, runs and the values of rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.labels import field_label
from reports.words import Words

_TOLD_APART = ("house", "players", "sides", "set")


def rules_told(rules: Mapping[str, Any], changed: Mapping[str, Any], words: Words) -> str:
    """Return a rule set in a few words: name, players, partners, and every field that was changed.

    Parameters
    ----------
    rules : every field of the rule set, by its name.
    changed : those that differ from the named set's own.
    """
    players = words.either("{count} player", "{count} players", rules["players"], count=rules["players"])
    house = changed.get("house")
    told = [
        str(rules["name"]) if house is None else words("{house} ({base})", house=house, base=rules["name"])
    ]
    if "set" in changed:
        told.append(str(rules["set"]))
    told.append(words("{players} in partners", players=players) if _has_partners(rules) else players)
    others = [
        words("{field} {value}", field=field_label(field, words), value=value)
        for field, value in changed.items()
        if field not in _TOLD_APART and value is not None
    ]
    return ", ".join(told + others)


def _has_partners(rules: Mapping[str, Any]) -> bool:
    return len(set(rules["sides"])) < len(rules["sides"])


def given_told(given: Mapping[str, Any], words: Words) -> str:
    """Return what is given of the first round and the scores at the start, from the manifest's `given`."""
    told = [
        words("seat {seat} is dealt {tiles}", seat=seat, tiles=" ".join(hand))
        for seat, hand in enumerate(given["hands"])
        if hand
    ]
    if given["boneyard"]:
        told.append(words("the boneyard starts with {tiles}", tiles=" ".join(given["boneyard"])))
    if given["opener"] is not None:
        told.append(words("seat {seat} opens", seat=given["opener"]))
    if given["condition"] is not None:
        told.append(str(given["condition"]))
    if given["scores"] is not None:
        told.append(words("from {scores} raw points", scores="-".join(map(str, given["scores"]))))
    return "; ".join(told)


def kind_told(command: str, words: Words) -> str:
    """Return what kind of run it was."""
    known = {
        "simulate": words("Simulation"),
        "compare": words("Comparison of policies"),
        "sweep": words("Sweep over rules and policies"),
        "openings": words("Comparison of leads"),
        "race": words("Race to the target"),
        "tune": words("Tuning of a policy"),
    }
    return known.get(command, command)


def value_told(field: str, value: str, words: Words) -> str | None:
    """Return the value of a rule in words; None where it speaks for itself."""
    return _values_of(words).get((field, value)) or _values(words).get(value)


def _values_of(words: Words) -> dict[tuple[str, str], str]:
    """Return the values that mean something else in one field than in others."""
    return {
        ("settlement_out", "one"): words("one point"),
        ("rounding_of", "hand"): words("each hand, or difference, on its own"),
        ("ties", "none"): words("nobody gains"),
        ("ties", "lot"): words("one of those tied, drawn by lot, wins"),
        ("points", "raw"): words("a multiple scores the count"),
        ("points", "divided"): words("a multiple scores how often it is in the count"),
    }


def _values(words: Words) -> dict[str, str]:
    return {
        "double-six": words("28 tiles, 0-0 to 6-6"),
        "double-nine": words("55 tiles, 0-0 to 9-9"),
        "first": words("the first double of the round"),
        "all": words("every double"),
        "exact": words("to be hit exactly: what would pass it is refused"),
        "reach": words("to be reached or passed"),
        "opponents": words("all opponents' pips"),
        "less_own": words("all opponents' pips less the winner's own"),
        "differences": words("what each other side has more"),
        "hand_differences": words("each hand's differences to heavier opposing hands"),
        "nearest": words("to the nearest multiple of five"),
        "down": words("down to a multiple of five"),
        "sum": words("the sum, once"),
        "ignored": words("left out"),
        "debited": words("taken off"),
        "before": words("counted before the settlement"),
        "with": words("one event with the settlement"),
        "split": words("shared by those tied"),
        "lot": words("drawn by lot"),
        "out": words("who went out"),
        "last_tile": words("who placed the last tile"),
        "highest_double": words("who is dealt the highest double"),
        "seat_in_turn": words("the next seat clockwise"),
        "any": words("any tile"),
        "forced": words("who opens by the highest double leads it"),
        "one": words("one tile"),
        "until_playable": words("tile by tile until one can be played"),
        "none": words("none"),
    }


def unit_told(unit: str, words: Words) -> str:
    """Return the unit of a row of a summary in words."""
    known = {
        "rate": words("share"),
        "raw points": words("raw points"),
        "plays": words("plays"),
        "draws": words("draws"),
        "passes": words("passes"),
        "rounds": words("rounds"),
        "events": words("gains"),
        "probability": words("probability"),
    }
    return known.get(unit, unit)


def end_told(end: str, words: Words) -> str:
    """Return how a round ends in words."""
    known = {"out": words("out"), "blocked": words("blocked"), "target": words("at the target")}
    return known.get(end, end)


def table_told(name: str, words: Words) -> str:
    """Return what a table of a run holds."""
    known = {
        "summary": words("Every metric with its interval"),
        "openings": words("Rounds by the tile that was led"),
        "seats": words("Rounds by the seat after the opener"),
        "counts": words("Counts after a play"),
        "needs": words("Gains by the points still needed"),
        "ends": words("Rounds by their end"),
        "lengths": words("Games by their rounds"),
        "after": words("Games by the rounds after the first refused gain"),
        "excess": words("Games by the points above the target"),
        "pairs": words("Deals by their result, pair by pair"),
        "policies": words("Wins and ratings of each policy"),
        "matrix": words("Wins of each policy against each other"),
        "margins": words("Games by how many points apart they end"),
        "cells": words("The metric in every cell, and its difference from the base cell"),
        "leads": words("What each tile gains as the lead"),
        "scores": words("The chance to win from every pair of scores, by who opens"),
        "stands": words("The chance at one own score less that at another"),
        "weights": words("Every feature that may weigh, and how much it counts"),
        "generations": words("Wins against the rival, generation by generation"),
        "near": words("The chance to win from the last scores before the target"),
    }
    return known.get(name, name)
