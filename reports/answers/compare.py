"""The answer of a comparison: which policy is better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.answers import telling
from reports.material import Measured

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words

_NAMED = 4  # pairs that cannot be told apart and are named one by one
_SURE = 0.9999  # a probability that is not told to the digit


@dataclass(frozen=True)
class _Pair:
    """Two policies in the order of their estimates, and by how much the first is ahead."""

    better: str
    worse: str
    lead: Measured
    scope: str

    @property
    def is_apart(self) -> bool:
        """Whether the interval tells the two apart."""
        return not self.lead.holds(0)


def compare_answer(material: Material, words: Words) -> list[str]:
    """Return two to six sentences; those whose numbers the run lacks are left out."""
    pairs = [_pair(scope, found) for scope, found in material.scopes("win_rate_difference").items()]
    if len(pairs) == 1:
        told = _of_one(pairs[0], material, words)
    else:
        told = _of_many(pairs, material, words)
    told += [_test(material, words), _narrow(material, words), _stopped(material, words)]
    return [sentence for sentence in told if sentence is not None]


def _pair(scope: str, found: Measured) -> _Pair:
    first, second = scope.removeprefix("pair=").split("/", 1)
    if found.estimate >= 0:
        return _Pair(first, second, found, scope)
    return _Pair(second, first, _turned(found), scope)


def _turned(found: Measured) -> Measured:
    return Measured(-found.estimate, -found.high, -found.low, found.n)


def _per(material: Material, words: Words) -> str:
    return words("game") if material.by_games else words("round")


# --- two policies -------------------------------------------------------------------------------


def _of_one(pair: _Pair, material: Material, words: Words) -> list[str | None]:
    if pair.better == pair.worse:
        return [words("{policy} was compared with itself: there is no difference.", policy=pair.better)]
    return [
        _verdict(pair, material, words),
        _margin(pair, material, words),
        _superiority(pair, material, words),
        _worth(pair, material, words),
    ]


def _verdict(pair: _Pair, material: Material, words: Words) -> str:
    rates = [material.metric("win_rate", f"policy={name}") for name in (pair.better, pair.worse)]
    digits = telling.digits_of(100 * (pair.lead.high - pair.lead.low))
    first, second = (words.percent(rate.estimate, digits) if rate else "" for rate in rates)
    facts = {
        "better": pair.better,
        "worse": pair.worse,
        "first": first,
        "second": second,
        "gap": telling.percentage_points(pair.lead, words),
    }
    if "test" in material.facts:
        return words(
            "{better} won {first} and {worse} {second} of what they played, a difference of {gap} percentage "
            "points; a test chose when to stop, so this interval does not keep its confidence.",
            **facts,
        )
    if pair.is_apart:
        return words(
            "{better} is better than {worse}: it wins {first} against {second}, a difference of {gap} "
            "percentage points.",
            **facts,
        )
    return words(
        "Which of {better} and {worse} is better cannot be told: they win {first} and {second}, and the "
        "difference of {gap} percentage points may be none.",
        **facts,
    )


def _margin(pair: _Pair, material: Material, words: Words) -> str | None:
    found = material.metric("margin_difference", pair.scope)
    if found is None:
        return None
    if pair.scope == f"pair={pair.worse}/{pair.better}":
        found = _turned(found)
    facts = {
        "better": pair.better,
        "worse": pair.worse,
        "points": telling.number(found, words, signed=True),
        "per": _per(material, words),
    }
    if found.holds(0):
        return words(
            "In points no difference can be told: {better} less {worse} makes {points} raw points a {per}.",
            **facts,
        )
    return words("In points {better} less {worse} makes {points} raw points a {per}.", **facts)


def _superiority(pair: _Pair, material: Material, words: Words) -> str | None:
    row = material.summary[
        (material.summary["metric"] == "likelihood_of_superiority")
        & (material.summary["scope"] == pair.scope)
    ]
    if row.empty or "test" in material.facts or row["estimate"].isna().all():
        return None
    likely = float(row["estimate"].iloc[0])
    if pair.scope == f"pair={pair.worse}/{pair.better}":
        likely = 1 - likely
    if likely > _SURE:
        return words(
            "The likelihood that {better} is the better one is above {likely}.",
            better=pair.better,
            likely=words.percent(_SURE, 2),
        )
    return words(
        "The likelihood that {better} is the better one is {likely}.",
        better=pair.better,
        likely=words.percent(likely, 1 if likely < 0.99 else 2),
    )


def _worth(pair: _Pair, material: Material, words: Words) -> str | None:
    if "games_saved" not in material.summary:
        return None
    row = material.summary[
        (material.summary["metric"] == "win_rate_difference") & (material.summary["scope"] == pair.scope)
    ]
    saved = row["games_saved"].iloc[0]
    if not saved > 0:  # none where nothing varies
        return None
    return words(
        "Each of the {deals} deals was played in every seating; to be as sure, independent deals would have "
        "taken {times} times as many.",
        deals=words.whole(material.done),
        times=words.number(float(saved), 1),
    )


# --- three and more -----------------------------------------------------------------------------


def _of_many(pairs: list[_Pair], material: Material, words: Words) -> list[str | None]:
    rates = {
        scope.removeprefix("policy="): row
        for scope, row in material.scopes("win_rate").items()
        if scope.startswith("policy=")
    }
    if not rates:
        return []
    order = sorted(rates, key=lambda policy: -rates[policy].estimate)
    each = [f"{policy} {telling.rate(rates[policy], words)}" for policy in order]
    return [
        _winner(order, pairs, words),
        words("Over all their games they win: {each}.", each=words.joined(each)),
        _apart(pairs, words),
        _circles(material, words),
    ]


def _winner(order: list[str], pairs: list[_Pair], words: Words) -> str:
    best = order[0]
    beaten = [pair.worse for pair in pairs if pair.better == best and pair.is_apart]
    if len(beaten) == len(order) - 1:
        return words("{best} is the best: it wins more often than each of the others.", best=best)
    if not beaten:
        return words(
            "{best} wins most, but of none of the others can it be told that it wins less often.", best=best
        )
    return words(
        "{best} wins most; of these it can be told that they win less often: {beaten}.",
        best=best,
        beaten=words.joined(beaten),
    )


def _apart(pairs: list[_Pair], words: Words) -> str:
    unsure = [f"{pair.better}/{pair.worse}" for pair in pairs if not pair.is_apart]
    facts = {"sure": words.whole(len(pairs) - len(unsure)), "pairs": words.whole(len(pairs))}
    if not unsure:
        return words("All {pairs} pairs are told apart by their intervals.", **facts)
    if len(unsure) > _NAMED:
        return words("{sure} of {pairs} pairs are told apart by their intervals.", **facts)
    return words(
        "{sure} of {pairs} pairs are told apart by their intervals; these are not: {unsure}.",
        **facts,
        unsure=words.joined(unsure),
    )


def _circles(material: Material, words: Words) -> str | None:
    circles = material.facts.get("non_transitive")
    if circles is None:
        return None
    if not circles:
        return words("No three of them beat each other in a circle.")
    sure = sum(bool(circle["certain"]) for circle in circles)
    first, second, third = circles[0]["policies"]
    return words.either(
        "One circle: {first} beats {second}, {second} beats {third} and {third} beats {first}; circles that "
        "the intervals confirm: {sure}.",
        "{count} circles, such as: {first} beats {second}, {second} beats {third} and {third} beats {first}; "
        "circles that the intervals confirm: {sure}.",
        len(circles),
        count=words.whole(len(circles)),
        first=first,
        second=second,
        third=third,
        sure=words.whole(sure),
    )


# --- what ended it ------------------------------------------------------------------------------


def _test(material: Material, words: Words) -> str | None:
    test: Mapping[str, object] | None = material.facts.get("test")
    if test is None:
        return None
    elo0, elo1 = (words.number(float(str(test[name])), 1) for name in ("elo0", "elo1"))
    if test["verdict"] == "elo1":
        return words(
            "The sequential test accepts a difference of {elo1} Elo over one of {elo0}.", elo0=elo0, elo1=elo1
        )
    if test["verdict"] == "elo0":
        return words(
            "The sequential test accepts a difference of {elo0} Elo over one of {elo1}.", elo0=elo0, elo1=elo1
        )
    return words("The sequential test of {elo1} Elo against {elo0} is not decided.", elo0=elo0, elo1=elo1)


def _narrow(material: Material, words: Words) -> str | None:
    asked = material.facts.get("deals", material.done)
    if material.facts.get("until_width") is None or material.done >= asked:
        return None
    return words(
        "After {done} of at most {asked} deals the intervals were as narrow as was asked for.",
        done=words.whole(material.done),
        asked=words.whole(asked),
    )


def _stopped(material: Material, words: Words) -> str | None:
    stopped = material.facts.get("games_stopped", 0)
    if not stopped:
        return None
    return words("Games that the round guard stopped and all shared: {count}.", count=words.whole(stopped))
