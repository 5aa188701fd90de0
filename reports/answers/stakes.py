"""What a section on stakes tells first: the money of a game, break-even, and what playing brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.answers import telling
from reports.material import Measured

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words


def stakes_answer(material: Material, words: Words) -> list[str]:
    """Return the sentences on the stakes of `material.facts`."""
    stakes = material.facts["stakes"]
    told = [
        _money(stakes, words),
        _rate(stakes, words),
        _value(stakes, words),
        _ruin(stakes, words),
        _source(stakes, words),
    ]
    return [sentence for sentence in told if sentence is not None]


def _measured(bounds: list[float | None]) -> Measured | None:
    estimate, low, high = bounds
    return None if estimate is None or low is None or high is None else Measured(estimate, low, high, 0)


def _amount(value: float, words: Words) -> str:
    return words.number(value, 2)


def _money(stakes: Mapping[str, Any], words: Words) -> str:
    facts = {
        "stake": _amount(stakes["stake"], words),
        "commission": _amount(stakes["commission"], words),
        "receives": _amount(stakes["winner_receives"], words),
    }
    if stakes["price"]:
        return words(
            "For a stake of {stake} and {price} for each raw point between the two, each player pays a "
            "commission of {commission} on the mean over the run's games, and the winner receives "
            "{receives}. The figures below are for the stake alone.",
            price=_amount(stakes["price"], words),
            **facts,
        )
    percent = stakes["percent"]
    return words(
        "For a stake of {stake} each player pays a commission of {commission} ({percent}), and the winner "
        "receives {receives}.",
        percent=words.percent(percent / 100, 0 if float(percent).is_integer() else 1),
        **facts,
    )


def _rate(stakes: Mapping[str, Any], words: Words) -> str | None:
    rate = _measured(stakes["win_rate"])
    if rate is None:
        return None
    facts = {
        "first": stakes["names"][0],
        "second": stakes["names"][1],
        "rate": telling.rate(rate, words),
        "even": words.percent(stakes["break_even"], 2),
    }
    if rate.holds(stakes["break_even"]):
        return words(
            "Whether {first} covers it against {second} cannot be told: it wins {rate} of the games, and the "
            "interval holds the break-even rate of {even}.",
            **facts,
        )
    if rate.estimate > stakes["break_even"]:
        return words(
            "{first} more than covers it against {second}: it wins {rate} of the games, and {even} would "
            "break even.",
            **facts,
        )
    return words(
        "{first} does not cover it against {second}: it wins {rate} of the games, and {even} would break "
        "even.",
        **facts,
    )


def _value(stakes: Mapping[str, Any], words: Words) -> str | None:
    value = _measured(stakes["expected"])
    if value is None:
        return None
    estimate, low, high = (
        words.number(each, 2, signed=True) for each in (value.estimate, value.low, value.high)
    )
    told = words("{estimate} ({interval})", estimate=estimate, interval=words.interval(low, high))
    if value.holds(0):
        return words("A game may gain or lose: {value} on the mean, in the money of the stake.", value=told)
    if value.estimate > 0:
        return words("A game gains {value} on the mean, in the money of the stake.", value=told)
    return words("A game loses on the mean: {value}, in the money of the stake.", value=told)


def _ruin(stakes: Mapping[str, Any], words: Words) -> str:
    facts = {
        "games": words.whole(stakes["games"]),
        "needed": _amount(stakes["needed"], words),
        "paths": words.whole(stakes["paths"]),
        "five": words.percent(0.05, 0),
    }
    risk = None if stakes["risk"] is None else _measured(stakes["risk"])
    if risk is None:
        return words(
            "Who wants to stake {games} games in a row with a risk of {five} of not being able to needs "
            "{needed} (from {paths} simulated rows of games).",
            **facts,
        )
    return words(
        "With {bankroll} at hand the risk of not being able to stake {games} games in a row is {risk}; for a "
        "risk of {five} it takes {needed} (from {paths} simulated rows of games).",
        bankroll=_amount(stakes["bankroll"], words),
        risk=telling.rate(risk, words),
        **facts,
    )


def _source(stakes: Mapping[str, Any], words: Words) -> str | None:
    if not stakes["is_own_table"]:
        return None
    return words(
        "The source contradicts its table in one example: for a stake of {stake} it names commissions of "
        "{commission} and {receives} for the winner, which is {percent}; its table says {table}, and the "
        "table stands.",
        stake=words.whole(110),
        commission=_amount(6.49, words),
        receives=_amount(207.02, words),
        percent=words.percent(0.059),
        table=words.percent(0.05, 0),
    )
