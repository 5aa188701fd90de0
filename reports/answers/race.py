"""The answer of a race: what opening is worth along the way, and at which score it is better to stand."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import pandas

from reports.answers import telling
from reports.labels import pair_of_scores
from reports.material import Measured

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words

_EVEN = 0.5
_TOLD_STANDS = 2  # pairs of scores to stand at that have a sentence
_SELDOM = 1e-6  # held so many times a game, a score is as good as never held


def race_answer(material: Material, words: Words) -> list[str]:
    """Return two to six sentences; those whose numbers the run lacks are left out."""
    told = [
        _start(material, words),
        _along(material, words),
        *_stands(material, words),
        _held(material, words),
    ]
    return [sentence for sentence in told if sentence is not None]


# --- from a pair of scores ----------------------------------------------------------------------


def _start(material: Material, words: Words) -> str | None:
    """Tell the chance from the first pair of scores that was asked for."""
    scopes = [str(scope) for scope in material.scopes("win_rate")]
    pair = next((found for scope in scopes if (found := pair_of_scores(scope)) is not None), None)
    if pair is None:
        return None
    own, other, _ = pair
    rates = {
        opener: material.metric("win_rate", f"own={own} other={other} opener={opener}")
        for opener in ("own", "other", "lot")
    }
    opens, follows, lot = (rates[opener] for opener in ("own", "other", "lot"))
    if opens is None or follows is None or lot is None:
        return None
    told = {
        "own": own,
        "other": other,
        "opens": telling.rate(opens, words),
        "follows": telling.rate(follows, words),
    }
    policies = list(dict.fromkeys(material.policies))
    if len(policies) > 1:
        return words(
            "From {own} to {other}, {first} wins against {second} {opens} of the games where it opens the "
            "next round, {follows} where {second} does, and {lot} by lot.",
            first=policies[0],
            second=policies[1],
            lot=telling.rate(lot, words),
            **told,
        )
    if own != other:
        return words(
            "From {own} to {other} the own side wins {opens} of the games where it opens the next round, and "
            "{follows} where the other side does.",
            **told,
        )
    return _even_start(opens, told, words)


def _even_start(opens: Measured, told: dict[str, str], words: Words) -> str:
    if opens.holds(_EVEN):
        return words(
            "From {own} to {other}, whether opening the next round helps cannot be told: the side that opens "
            "wins {opens} of the games.",
            **told,
        )
    if opens.estimate > _EVEN:
        return words(
            "From {own} to {other} the side that opens the next round has the better chance: it wins {opens} "
            "of the games.",
            **told,
        )
    return words(
        "From {own} to {other} the side that opens the next round has the worse chance: it wins {opens} of "
        "the games.",
        **told,
    )


# --- what opening is worth ----------------------------------------------------------------------


def _along(material: Material, words: Words) -> str | None:
    """Tell what opening is worth at equal scores: at the start, half way and just before the target."""
    worths = opening_worths(material)
    if len(worths) < 3:
        return None
    scores = sorted(score for score in worths if score >= 0)
    chosen = dict.fromkeys((scores[0], scores[len(scores) // 2], scores[-1]))
    each = [
        words(
            "{worth} at {score} each",
            worth=telling.percentage_points(worths[score], words),
            score=words.whole(score),
        )
        for score in chosen
    ]
    return words(
        "What opening the next round is worth, in percentage points of the games: {each}.",
        each=words.joined(each),
    )


def opening_worths(material: Material) -> dict[int, Measured]:
    """Return by equal scores the chance of the own side where it opens less that where the other side does.

    The two chances rest on the same rounds and how they vary together is not in the table, so the interval
    takes the sum of their standard errors, the most that their difference can have. Between equal policies
    it is exact, since the one chance is the other's complement.
    """
    table = material.tables.get("scores")
    if table is None or table.empty or "std_error" not in table:
        return {}
    equal = table[table["own"] == table["other"]]
    chances = equal.pivot(index="own", columns="opener", values=["win_rate", "std_error"])
    reach = NormalDist().inv_cdf((1 + material.confidence) / 2)
    found = {}
    for score, row in chances.iterrows():
        gap = row["win_rate", "own"] - row["win_rate", "other"]
        width = reach * (row["std_error", "own"] + row["std_error", "other"])
        if not pandas.isna(width):
            found[int(str(score))] = Measured(gap, gap - width, gap + width, material.done)
    return found


# --- where to stand -----------------------------------------------------------------------------


def _stands(material: Material, words: Words) -> list[str]:
    table = material.tables.get("stands")
    if table is None or table.empty:
        return []
    pairs = dict.fromkeys(table[["stand", "instead"]].itertuples(index=False, name=None))
    return [_stand(int(one), int(two), material, words) for one, two in list(pairs)[:_TOLD_STANDS]]


def _stand(stand: int, instead: int, material: Material, words: Words) -> str:
    table = material.tables["stands"]
    cases = table[(table["stand"] == stand) & (table["instead"] == instead)]
    facts = {
        "stand": stand,
        "instead": instead,
        "better": words.whole(int((cases["low"] > 0).sum())),
        "worse": words.whole(int((cases["high"] < 0).sum())),
        "cases": words.whole(len(cases)),
    }
    mean = material.metric("stand_difference", f"own={stand} less {instead}")
    if mean is None:
        return words(
            "At {stand} the chance is better in {better} of {cases} cases than at {instead}.", **facts
        )
    facts["gap"] = telling.percentage_points(mean, words)
    if mean.holds(0):
        return words(
            "Whether it is better to stand at {stand} or at {instead} cannot be told: {gap} percentage "
            "points on the mean over all other scores and both openers; of these {cases} cases {stand} is "
            "better in {better} and {instead} in {worse}, each by its own interval.",
            **facts,
        )
    if mean.estimate > 0:
        return words(
            "It is better to stand at {stand} than at {instead}: {gap} percentage points on the mean over "
            "all other scores and both openers; of these {cases} cases {stand} is better in {better} and "
            "{instead} in {worse}, each by its own interval.",
            **facts,
        )
    return words(
        "It is worse to stand at {stand} than at {instead}: {gap} percentage points on the mean over all "
        "other scores and both openers; of these {cases} cases {stand} is better in {better} and {instead} "
        "in {worse}, each by its own interval.",
        **facts,
    )


# --- the lowest score ---------------------------------------------------------------------------


def _held(material: Material, words: Words) -> str | None:
    """Tell how often a score would fall below the lowest of the table."""
    table, held = material.tables.get("scores"), material.facts.get("held_per_game")
    if held is None or table is None or table.empty or int(table["own"].min()) >= 0:
        return None
    lowest = words.number(int(table["own"].min()), 0)
    if held < _SELDOM:
        return words(
            "Scores below {lowest} are held there; that happens less than once in a million games from 0 to "
            "0 and changes nothing above.",
            lowest=lowest,
        )
    return words(
        "Scores below {lowest} are held there, {times} times a game from 0 to 0.",
        lowest=lowest,
        times=words.number(float(held), 6),
    )
