"""The answer of a simulation: who profits from opening, how often a round blocks, what the target does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.answers import telling
from reports.figures.counts import plays_score

if TYPE_CHECKING:
    from reports.material import Material, Measured
    from reports.words import Words


def simulate_answer(material: Material, words: Words) -> list[str]:
    """Return three to six sentences; those whose numbers the run lacks are left out."""
    told = [
        _opening(material, words),
        _first_mover(material, words),
        _blocking(material, words),
        _refusals(material, words) if material.has_exact_target else _excess(material, words),
        _policies(material, words),
        _pace(material, words),
    ]
    return [sentence for sentence in told if sentence is not None]


def _opening(material: Material, words: Words) -> str | None:
    rate, gain = material.metric("opener_win_rate"), material.metric("opener_advantage")
    if rate is None or gain is None:
        return None
    facts = _facts(rate, gain, material, words)
    if gain.holds(0):
        return words(
            "Whether opening a round helps cannot be told: the opener's side wins {rate} of the rounds that "
            "are played out, and the interval holds its even share of {even}.",
            **facts,
        )
    if gain.estimate > 0:
        return words(
            "Opening a round helps: the opener's side wins {rate} of the rounds that are played out, "
            "{gap} percentage points above its even share of {even}.",
            **facts,
        )
    return words(
        "Opening a round hurts: the opener's side wins {rate} of the rounds that are played out, "
        "{gap} percentage points below its even share of {even}.",
        **facts,
    )


def _first_mover(material: Material, words: Words) -> str | None:
    rate, gain = material.metric("first_mover_win_rate"), material.metric("first_mover_advantage")
    if rate is None or gain is None:
        return None
    facts = _facts(rate, gain, material, words)
    if gain.holds(0):
        return words(
            "Over a whole game no advantage of the side that opens first can be told: it wins {rate}, and "
            "the interval holds the even share of {even}.",
            **facts,
        )
    if gain.estimate > 0:
        return words(
            "Over a whole game the side that opens first keeps an advantage: it wins {rate}, "
            "{gap} percentage points above the even share.",
            **facts,
        )
    return words(
        "Over a whole game the side that opens first is worse off: it wins {rate}, "
        "{gap} percentage points below the even share.",
        **facts,
    )


def _facts(rate: Measured, gain: Measured, material: Material, words: Words) -> dict[str, str]:
    return {
        "rate": telling.rate(rate, words),
        "gap": words.points(abs(gain.estimate), telling.digits_of(100 * (gain.high - gain.low))),
        "even": words.percent(1 / material.sides, 0 if 100 % material.sides == 0 else 1),
    }


def _blocking(material: Material, words: Words) -> str | None:
    blocked = material.metric("blocked_rate")
    if blocked is None:
        return None
    if blocked.estimate == 0:
        return words(
            "None of the {count} rounds that were played out is blocked; a rate of up to {high} would fit "
            "that.",
            count=words.whole(blocked.n),
            high=words.percent(blocked.high, telling.digits_of(100 * blocked.high)),
        )
    if blocked.estimate > 0.5:
        return words(
            "Most rounds block: {rate} of those that are played out.", rate=telling.rate(blocked, words)
        )
    return words(
        "A round blocks in {rate} of those that are played out, about one in {times}.",
        rate=telling.rate(blocked, words),
        times=words.whole(round(1 / blocked.estimate)),
    )


def _refusals(material: Material, words: Words) -> str | None:
    refused, games = material.metric("overshoot_rate"), material.metric("overshoot_game_rate")
    if refused is None or games is None:
        return None
    if refused.estimate == 0:
        return words(
            "The exact target refused none of the {count} gains that were tested; a rate of up to {high} "
            "would fit that.",
            count=words.whole(refused.n),
            high=words.percent(refused.high, telling.digits_of(100 * refused.high)),
        )
    return words(
        "The exact target refuses {rate} of all gains; {games} of the games meet at least one refusal.",
        rate=telling.rate(refused, words),
        games=telling.rate(games, words),
    )


def _excess(material: Material, words: Words) -> str | None:
    rate, points = material.metric("excess_rate"), material.metric("excess_points")
    if rate is None or points is None:
        return None
    return words(
        "The winner ends above the target in {rate} of the games, and over all games by {points} raw "
        "points on average.",
        rate=telling.rate(rate, words),
        points=telling.number(points, words),
    )


def _policies(material: Material, words: Words) -> str | None:
    if len(set(material.policies)) < 2:
        return None
    metric = "win_rate" if material.by_games else "points_per_play"
    found = {
        scope.removeprefix("policy="): row
        for scope, row in material.scopes(metric).items()
        if scope.startswith("policy=")
    }
    if len(found) < 2:
        return None
    if not material.by_games:
        each = [f"{policy} {telling.number(row, words)}" for policy, row in found.items()]
        return words("A play earns, in raw points by policy: {each}.", each=words.joined(each))
    best = max(found, key=lambda policy: found[policy].estimate)
    each = [f"{policy} {telling.rate(row, words)}" for policy, row in found.items()]
    if found[best].holds(1 / material.sides):
        return words(
            "No policy does better than an even share for sure in these seats: a side wins with {each}.",
            each=words.joined(each),
        )
    return words(
        "In these seats {best} does better than an even share: a side wins with {each}.",
        best=best,
        each=words.joined(each),
    )


def _pace(material: Material, words: Words) -> str | None:
    plays, points = material.metric("plays_per_round"), material.metric("points_per_round")
    settled, rounds = material.metric("settlement_per_round"), material.metric("rounds_per_game")
    if plays is None or points is None or settled is None:
        return None
    facts = {
        "plays": words.number(plays.estimate, 1),
        "points": words.number(points.estimate, 1),
        "settled": words.number(settled.estimate, 1),
    }
    if not plays_score(material.rules):
        return _pace_without_points(facts, rounds, words)
    if rounds is None:
        return words(
            "A round takes {plays} plays on average, which earn {points} raw points together; its "
            "settlement is worth {settled}.",
            **facts,
        )
    return words(
        "A round takes {plays} plays on average, which earn {points} raw points together; its settlement "
        "is worth {settled}, and a game takes {rounds} rounds.",
        **facts,
        rounds=words.number(rounds.estimate, 1),
    )


def _pace_without_points(facts: dict[str, str], rounds: Measured | None, words: Words) -> str:
    if rounds is None:
        return words(
            "A round takes {plays} plays on average, which score nothing; its settlement is worth {settled} "
            "raw points.",
            **facts,
        )
    return words(
        "A round takes {plays} plays on average, which score nothing; its settlement is worth {settled} raw "
        "points, and a game takes {rounds} rounds.",
        **facts,
        rounds=words.number(rounds.estimate, 1),
    )
