"""Why one placement is better than another, in words: what differs between them in the features of policies.

The features are those of docs/policies.md, as the kernels compute them. They do not decide anything: the
worlds do. They are what a player can see of the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.notation import Move
from analyzer.policies import FEATURES
from analyzer.positions import Position
from analyzer.referee.record import number
from kernels.features import CENTS, MILLE, Seen, utility
from kernels.rules import HALF

if TYPE_CHECKING:
    from analyzer.search import Searcher

PERCENT = 100
NEAR = 50  # raw points, as in the feature `near`
_SHOWN = ("points", "accepted", "wins", "pips", "double", "mobility", "playable", "lacked", "stuck", "threat")


@dataclass(frozen=True)
class Features:
    """What a placement does, in the terms of docs/policies.md.

    Attributes
    ----------
    points, accepted : raw points of the play, and those that the target accepts.
    wins : whether they win the game.
    pips : that the hand sheds.
    playable, mobility : tiles of the remaining hand that could be played next, and values they match.
    lacked : open values that the next opponent is known to lack.
    stuck : the chance that the next opponent cannot play without drawing.
    reply : expected points of the next opponent's best reply.
    needs : raw points that the side then needs; None without a target.
    waits : whether the points come with the settlement, and are tested there.
    """

    points: int
    accepted: int
    wins: bool
    pips: int
    playable: int
    mobility: int
    lacked: int
    stuck: float
    reply: float
    needs: Fraction | None
    waits: bool


@dataclass(frozen=True)
class Reason:
    """One reason in words: whether it speaks for the best placement; None: worth knowing, no more."""

    text: str
    speaks_for: bool | None

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"text": self.text, "for": self.speaks_for}


def features_of(searcher: Searcher, move: Move) -> Features:
    """Return the features of one of a position's placements."""
    from analyzer.search import number_of

    position, rules = searcher.position, searcher.position.rules
    seen = _seen(searcher)
    raw = {}
    for name in _SHOWN:
        weights = np.array([feature == name for feature in FEATURES], np.int64)
        value = utility(
            number_of(move), searcher.layout, searcher.turn.hand, seen, searcher.rules, weights, True
        )
        raw[name] = int(value) // HALF if name not in ("points", "accepted") else int(value)
    waits = rules.last_play == "with" and len(position.hand) == 1 and raw["points"] > 0
    gained = 0 if waits else raw["accepted"]
    needs = None
    if rules.target is not None:
        needs = rules.target - position.scores[position.side] - Fraction(gained, HALF)
    return Features(
        points=raw["points"] // HALF,
        accepted=raw["accepted"] // HALF,
        wins=bool(raw["wins"]),
        pips=raw["pips"],
        playable=raw["playable"],
        mobility=raw["mobility"],
        lacked=raw["lacked"],
        stuck=raw["stuck"] / MILLE,
        reply=raw["threat"] / CENTS,
        needs=needs,
        waits=waits,
    )


def _seen(searcher: Searcher) -> Seen:
    """Return what the seat knows beyond its hand, as the kernels tell a policy."""
    searcher.values(0)  # sets what is known to be lacked, plays nothing
    position, turn = searcher.position, searcher.turn
    opponent = int(searcher.rules["next_opponent"][position.seat])
    sizes = position.hand_sizes
    return Seen(
        seat=position.seat,
        played=int(turn.played),
        score=int(HALF * position.scores[position.side]),
        next_size=sizes[opponent],
        next_lacks=int(searcher.state.deal["lacks"][opponent]),
        fewest=min(size for seat, size in enumerate(sizes) if seat != position.seat),
        is_lead=not position.turns,
    )


def reasons(searcher: Searcher, best: Move, second: Move) -> tuple[Reason, ...]:
    """Return what speaks for the best placement against the second, and what against it."""
    one, two = features_of(searcher, best), features_of(searcher, second)
    position = searcher.position
    told = [
        _points(one, two, second),
        _reply(position, one, two, second),
        _lacks(position, one, two),
        _playable(one, two, second),
        _pips(one, two, second),
        _needs(position, one),
    ]
    return tuple(reason for reason in told if reason is not None)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _points(one: Features, two: Features, second: Move) -> Reason | None:
    if one.wins:
        return Reason(f"its {_plural(one.points, 'point')} win the game at once", True)
    if one.points == two.points == 0:
        return None
    same = (one.points, one.accepted) == (two.points, two.accepted)
    compared = f"as many as {second}" if same else f"{second}: {_gain(two)}"
    return Reason(f"{_gain(one)}; {compared}", one.accepted >= two.accepted)


def _gain(features: Features) -> str:
    if features.waits:
        return f"{_plural(features.points, 'point')} that come with the settlement and are tested there"
    if features.points and not features.accepted:
        return f"{_plural(features.points, 'point')} that the target refuses"
    return f"{_plural(features.points, 'point')} now"


def _reply(position: Position, one: Features, two: Features, second: Move) -> Reason | None:
    if len(position.hand) == 1 or round(one.reply, 1) == round(two.reply, 1):
        return None
    return Reason(
        f"the next opponent's best reply is worth {one.reply:.1f} points on average, "
        f"{two.reply:.1f} after {second}",
        one.reply < two.reply,
    )


def _lacks(position: Position, one: Features, two: Features) -> Reason | None:
    if len(position.hand) == 1:
        return None
    if one.lacked != two.lacked:
        return Reason(
            f"it leaves open {_plural(one.lacked, 'value')} that the next opponent is known to lack, "
            f"instead of {two.lacked}",
            one.lacked > two.lacked,
        )
    if round(PERCENT * one.stuck) == round(PERCENT * two.stuck):
        return None
    return Reason(
        f"the next opponent cannot play at once in {one.stuck:.0%} of the hands that it may hold, "
        f"instead of {two.stuck:.0%}",
        one.stuck > two.stuck,
    )


def _playable(one: Features, two: Features, second: Move) -> Reason | None:
    if one.playable == two.playable:
        return None
    return Reason(
        f"{_plural(one.playable, 'tile')} of the hand could be played next, {two.playable} after {second}",
        one.playable > two.playable,
    )


def _pips(one: Features, two: Features, second: Move) -> Reason | None:
    if one.pips == two.pips:
        return None
    return Reason(f"it sheds {_plural(one.pips, 'pip')}, {second} {two.pips}", one.pips > two.pips)


def _needs(position: Position, one: Features) -> Reason | None:
    """Tell how near an exact target is, where larger gains begin to be refused."""
    rules = position.rules
    if one.needs is None or rules.target_kind != "exact" or one.wins:
        return None
    assert rules.target is not None
    if one.needs > NEAR:
        return None
    return Reason(
        f"its side then needs {number(one.needs)} points exactly, so larger gains are refused", None
    )
