"""Names in words: of metrics, of the columns of tables, of the fields of a rule set, of the parts of a run.

What is unknown here is shown under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reports.words import Words

SHARE, DIFFERENCE, POINTS, NUMBER = "share", "difference", "points", "number"
_OF_DIFFERENCE = "_difference"
_PAIR = re.compile(r"own=(\S+) other=(\S+) opener=(own|other|lot)")
_STANDS = re.compile(r"own=(\S+) less (\S+)(?: opener=(own|other))?")
_ONE_SCORE = re.compile(r"other (-?[0-9]+)")
_KINDS = {
    **dict.fromkeys(
        (
            "blocked_rate",
            "blocked_tie_rate",
            "opener_win_rate",
            "scoring_play_rate",
            "win_rate",
            "first_mover_win_rate",
            "target_cut_rate",
            "drawn_rate",
            "guard_rate",
            "overshoot_rate",
            "overshoot_game_rate",
            "excess_rate",
            "round_win_rate",
            "likelihood_of_superiority",
        ),
        SHARE,
    ),
    **dict.fromkeys(
        ("opener_advantage", "first_mover_advantage", "win_rate_difference", "stand_difference"), DIFFERENCE
    ),
    **dict.fromkeys(
        (
            "opener_margin",
            "points_per_round",
            "points_per_play",
            "settlement_per_round",
            "points_rejected_per_game",
            "excess_points",
            "margin_difference",
        ),
        POINTS,
    ),
}


def kind_of(metric: str) -> str:
    """Return what the values of a metric are: "share", "difference" (of shares), "points" or "number"."""
    if metric in _KINDS:
        return _KINDS[metric]
    stem = metric.removesuffix(_OF_DIFFERENCE)
    if stem != metric and stem in _KINDS:
        return {SHARE: DIFFERENCE}.get(_KINDS[stem], _KINDS[stem])
    return NUMBER


def metric_label(name: str, words: Words) -> str:
    """Return a metric, "name" or "name:scope", in words, without its unit."""
    stem, _, scope = name.partition(":")
    if scope and scope != "all":
        return words("{metric}, {scope}", metric=metric_label(stem, words), scope=scope_label(scope, words))
    known = _metrics(words)
    if stem in known:
        return known[stem]
    base = stem.removesuffix(_OF_DIFFERENCE)
    return words("{metric}, less the base cell's", metric=known[base]) if base in known else stem


def metric_unit(name: str, words: Words) -> str:
    """Return the unit of a metric in words, for an axis; empty where its name says it."""
    kind = kind_of(name.partition(":")[0])
    return {
        SHARE: words("percent"),
        DIFFERENCE: words("percentage points"),
        POINTS: words("raw points"),
        NUMBER: "",
    }[kind]


def with_unit(label: str, unit: str, words: Words) -> str:
    """Return a label with its unit in brackets."""
    return words("{label} ({unit})", label=label, unit=unit) if unit else label


def column_label(name: str, words: Words) -> str:
    """Return a column of a table in words; a metric's or a field's where it bears that name."""
    for known in (_columns(words), _metrics(words), _fields(words)):
        if name in known:
            return known[name]
    if (score := _ONE_SCORE.fullmatch(name)) is not None:
        return words("other score {score}", score=score[1])
    return field_label(name, words)


def field_label(name: str, words: Words) -> str:
    """Return a field that a sweep varies in words: of the rule set, "policy", or "policy.0" of a side."""
    stem, dot, side = name.partition(".")
    if stem == "policy" and dot:
        return words("policy of side {side}", side=side)
    return _fields(words).get(name, name)


def field_axis(name: str, words: Words) -> str:
    """Return a field that a sweep varies in words, with what its numbers count, for an axis."""
    units = {
        "hand": words("tiles a hand"),
        "target": words("target (raw points)"),
        "reserve": words("reserve (tiles)"),
    }
    return units.get(name, field_label(name, words))


def scope_label(name: str, words: Words) -> str:
    """Return the scope of a summary row in words: "all", "kind=out", "pair=A/B", or the cell of a sweep."""
    if name == "all":
        return words("all")
    if (pair := pair_of_scores(name)) is not None:
        own, other, opener = pair
        return words(
            "from {own} to {other}, opener: {opener}",
            own=own,
            other=other,
            opener=opener_label(opener, words),
        )
    if (stands := _STANDS.fullmatch(name)) is not None:
        told = words("{first} less {second}", first=stands[1], second=stands[2])
        if stands[3] is None:
            return told
        return words("{scores}, opener: {opener}", scores=told, opener=opener_label(stands[3], words))
    return ", ".join(_part_label(part, words) for part in name.split(","))


def pair_of_scores(scope: str) -> tuple[str, str, str] | None:
    """Return own score, other score and opener of a scope such as "own=0 other=0 opener=lot"."""
    found = _PAIR.fullmatch(scope)
    return None if found is None else (found[1], found[2], found[3])


def opener_label(opener: str, words: Words) -> str:
    """Return who opens the next round of a race in words."""
    known = {"own": words("the own side"), "other": words("the other side"), "lot": words("drawn by lot")}
    return known.get(opener, opener)


def _part_label(part: str, words: Words) -> str:
    key, equals, value = part.partition("=")
    if not equals:
        return part
    if key == "pair":
        a, slash, b = value.partition("/")
        return pair_label(a, b, words) if slash else value
    if key == "kind":
        return _event_kinds(words).get(value, value)
    if key == "side":
        return words("side {side}", side=value)
    if key == "offset":
        return words("{seats} seats after the opener", seats=value)
    return value if key == "policy" else cell_label({key: value}, words)


def pair_label(a: str, b: str, words: Words) -> str:
    """Return a pair of policies as their difference: the first less the second."""
    return words("{first} less {second}", first=a, second=b)


def cell_label(values: Mapping[str, object], words: Words) -> str:
    """Return the values of a cell in words: "players 2, spinner none"."""
    told = [
        words("{field} {value}", field=field_label(field, words), value=value)
        for field, value in values.items()
    ]
    return ", ".join(told)


# --- the words ----------------------------------------------------------------------------------


def _event_kinds(words: Words) -> dict[str, str]:
    return {"play": words("by a play"), "out": words("on going out"), "block": words("on a block")}


def _metrics(words: Words) -> dict[str, str]:
    return {
        **_metrics_of_rounds(words),
        **_metrics_of_games(words),
        **_metrics_of_events(words),
        **_metrics_of_pairs(words),
    }


def _metrics_of_rounds(words: Words) -> dict[str, str]:
    return {
        "blocked_rate": words("blocked rounds"),
        "blocked_tie_rate": words("blocked rounds that are tied"),
        "opener_win_rate": words("rounds won by the opener"),
        "opener_advantage": words("the opener's advantage in rounds"),
        "opener_margin": words("the opener's lead in points a round"),
        "plays_per_round": words("plays a round"),
        "draws_per_round": words("draws a round"),
        "passes_per_round": words("passes a round"),
        "points_per_round": words("points a round"),
        "scoring_play_rate": words("plays that score"),
        "points_per_play": words("points a play"),
        "settlement_per_round": words("settlement a round"),
        "round_win_rate": words("rounds won"),
    }


def _metrics_of_games(words: Words) -> dict[str, str]:
    return {
        "win_rate": words("games won"),
        "first_mover_win_rate": words("games won by the first opener"),
        "first_mover_advantage": words("the first opener's advantage in games"),
        "rounds_per_game": words("rounds a game"),
        "plays_per_game": words("plays a game"),
        "target_cut_rate": words("rounds cut short by the target"),
        "drawn_rate": words("drawn games"),
        "guard_rate": words("games stopped by the round guard"),
    }


def _metrics_of_events(words: Words) -> dict[str, str]:
    return {
        "overshoot_rate": words("gains that the target refuses"),
        "overshoots_per_game": words("refused gains a game"),
        "overshoot_game_rate": words("games with a refused gain"),
        "points_rejected_per_game": words("points refused a game"),
        "rounds_after_first_overshoot": words("rounds after the first refused gain"),
        "excess_rate": words("games won above the target"),
        "excess_points": words("points above the target"),
    }


def _metrics_of_pairs(words: Words) -> dict[str, str]:
    return {
        "win_rate_difference": words("difference in wins"),
        "margin_difference": words("difference in points"),
        "elo_difference": words("difference in Elo"),
        "stand_difference": words("difference in games won"),
        "likelihood_of_superiority": words("likelihood of superiority"),
    }


def _fields(words: Words) -> dict[str, str]:
    return {
        "set": words("set"),
        "players": words("players"),
        "sides": words("sides"),
        "hand": words("hand"),
        "spinner": words("spinner"),
        "score_multiple": words("multiple that scores"),
        "points": words("points of a play"),
        "target": words("target"),
        "target_kind": words("kind of target"),
        "settlement_out": words("settlement on going out"),
        "settlement_block": words("settlement on a block"),
        "second_multiple": words("second multiple that scores"),
        "rounding": words("rounding"),
        "rounding_of": words("what is rounded"),
        "partner": words("partner's pips"),
        "last_play": words("last play's points"),
        "ties": words("ties of a block"),
        "opener_first": words("first opener"),
        "opener_after_out": words("opener after out"),
        "opener_after_block": words("opener after a block"),
        "lead": words("lead"),
        "draw": words("drawing"),
        "reserve": words("reserve"),
        "round_guard": words("round guard"),
        "policy": words("policy"),
    }


def _columns(words: Words) -> dict[str, str]:
    return {
        **_columns_of_summary(words),
        **_columns_of_rounds(words),
        **_columns_of_scores(words),
        **_columns_of_races(words),
        **_columns_of_stakes(words),
        **_columns_of_pairs(words),
        **_columns_of_cells(words),
        **_columns_of_leads(words),
        **_columns_of_tunings(words),
    }


def _columns_of_summary(words: Words) -> dict[str, str]:
    return {
        "metric": words("metric"),
        "scope": words("scope"),
        "estimate": words("estimate"),
        "std_error": words("standard error"),
        "low": words("low"),
        "high": words("high"),
        "n": words("cases"),
        "unit": words("unit"),
        "clusters": words("clusters"),
        "plain_std_error": words("standard error without controls"),
        "reduction": words("variance left by the controls"),
        "unpaired_std_error": words("standard error unpaired"),
        "games_saved": words("independent games for one"),
    }


def _columns_of_rounds(words: Words) -> dict[str, str]:
    return {
        "tile": words("tile"),
        "count": words("count"),
        "offset": words("seats after the opener"),
        "margin": words("lead in points"),
        "plays": words("plays"),
        "share": words("share"),
        "end": words("end"),
        "rounds": words("rounds"),
        "games": words("games"),
        "rounds_after": words("rounds after the first refused gain"),
        "points": words("points"),
    }


def _columns_of_scores(words: Words) -> dict[str, str]:
    return {
        "need": words("points needed"),
        "events": words("gains"),
        "accepted": words("accepted"),
        "rejected": words("refused"),
        "rejected_share": words("share refused"),
        "wins": words("wins"),
    }


def _columns_of_races(words: Words) -> dict[str, str]:
    return {
        "own": words("own score"),
        "other": words("other score"),
        "opener": words("opener"),
        "stand": words("standing at"),
        "instead": words("less standing at"),
        "win_rate_instead": words("games won, standing there"),
    }


def _columns_of_stakes(words: Words) -> dict[str, str]:
    return {
        "from": words("stakes from"),
        "to": words("stakes below"),
        "percent": words("percent"),
        "break_even": words("break-even win rate"),
        "edge": words("edge needed"),
        "stake": words("stake"),
        "commission": words("commission of each"),
        "winner_receives": words("winner receives"),
        "expected_per_game": words("expected a game"),
        "expected_low": words("expected, low"),
        "expected_high": words("expected, high"),
    }


def _columns_of_pairs(words: Words) -> dict[str, str]:
    return {
        "a": words("first policy"),
        "b": words("second policy"),
        "deals": words("deals"),
        "n0": words("won 0"),
        "n1": words("won ½"),
        "n2": words("won 1"),
        "n3": words("won 1½"),
        "n4": words("won 2"),
        "opponent": words("opponent"),
        "rating": words("rating"),
        "rating_low": words("rating, low"),
        "rating_high": words("rating, high"),
    }


def _columns_of_cells(words: Words) -> dict[str, str]:
    return {
        "difference": words("difference"),
        "difference_low": words("difference, low"),
        "difference_high": words("difference, high"),
        "paired": words("paired"),
        "base": words("base"),
    }


def _columns_of_leads(words: Words) -> dict[str, str]:
    return {
        "led": words("led"),
        "gap": words("gain in rounds won"),
        "gap_low": words("gain in rounds won, low"),
        "gap_high": words("gain in rounds won, high"),
        "margin_low": words("lead in points, low"),
        "margin_high": words("lead in points, high"),
        "margin_gap": words("gain in points"),
        "margin_gap_low": words("gain in points, low"),
        "margin_gap_high": words("gain in points, high"),
    }


def _columns_of_tunings(words: Words) -> dict[str, str]:
    return {
        "feature": words("feature"),
        "weight": words("weight"),
        "counts": words("how much it counts"),
        "counts_at_start": words("how much it counted at the start"),
        "generation": words("generation"),
        "candidates": words("candidates"),
        "mean": words("mean share of the wins"),
        "mean_low": words("mean, low"),
        "mean_high": words("mean, high"),
        "best": words("best share of the wins"),
        "best_low": words("best, low"),
        "best_high": words("best, high"),
        "step": words("step"),
    }


def sentence(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
