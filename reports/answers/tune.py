"""The answer of a tuning: what the policy is worth on fresh deals, what weighs in it, how the search went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from reports.answers import telling
from reports.figures.claims import are_apart
from reports.figures.tune import first_and_last, heaviest

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words


def tune_answer(material: Material, words: Words) -> list[str]:
    """Return two to four sentences; those whose numbers the run lacks are left out."""
    told = [
        _edge(material, words),
        _points(material, words),
        _weights(material, words),
        _course(material, words),
    ]
    return [sentence for sentence in told if sentence is not None]


def _edge(material: Material, words: Words) -> str | None:
    name, rival = material.policies
    facts = {"name": name, "rival": rival, "deals": words.whole(material.done)}
    rate = material.metric("win_rate", f"policy={name}")
    gap = material.metric("win_rate_difference", f"pair={name}/{rival}")
    if rate is None or gap is None:
        return None
    if pandas.isna(gap.low):
        return words(
            "On one fresh deal {name} and {rival} cannot be told apart: one deal has no interval.", **facts
        )
    facts |= {"gap": telling.percentage_points(gap, words), "rate": telling.rate(rate, words)}
    if gap.holds(0):
        return words(
            "On {deals} fresh deals {name} wins {rate} against {rival}; whether it is better cannot be told: "
            "the difference is {gap} percentage points.",
            **facts,
        )
    if gap.estimate > 0:
        return words(
            "{name} is better than {rival}: on {deals} deals that the search never saw it wins {rate}, a "
            "difference of {gap} percentage points.",
            **facts,
        )
    return words(
        "{name} is worse than {rival}: on {deals} deals that the search never saw it wins {rate}, a "
        "difference of {gap} percentage points.",
        **facts,
    )


def _points(material: Material, words: Words) -> str | None:
    name, rival = material.policies
    gap = material.metric("margin_difference", f"pair={name}/{rival}")
    if gap is None or pandas.isna(gap.low):
        return None
    facts = {"better": name, "worse": rival, "per": words("game")}
    points = telling.number(gap, words, signed=True)
    if gap.holds(0):
        return words(
            "In points no difference can be told: {better} less {worse} makes {points} raw points a {per}.",
            points=points,
            **facts,
        )
    return words("In points {better} less {worse} makes {points} raw points a {per}.", points=points, **facts)


def _weights(material: Material, words: Words) -> str:
    names = heaviest(material)
    return words(
        "Of the {count} features that may weigh, these count most, by how far they typically differ between "
        "placements: {names}.",
        count=words.whole(len(material.tables["weights"])),
        names=words.joined(names),
    )


def _course(material: Material, words: Words) -> str:
    first, last = first_and_last(material)
    facts = {
        "generations": words.whole(int(material.facts["generations"])),
        "first": words.percent(first.estimate),
        "last": words.percent(last.estimate),
        "rival": material.policies[1],
    }
    if len(material.tables["generations"]) == 1:
        return words("The one generation won {first} on the mean against {rival}.", **facts)
    if are_apart(first, last):
        return words(
            "Over {generations} generations the mean candidate went from {first} to {last} of the wins "
            "against {rival}.",
            **facts,
        )
    return words(
        "Over {generations} generations no progress of the mean candidate can be told: {first} and {last} of "
        "the wins against {rival}.",
        **facts,
    )
