"""The policies: named rows of whole-number weights over placement features.

A policy values each placement at the sum of weight times feature and takes the best; ties are
broken uniformly. docs/policies.md defines the features to the point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from analyzer.errors import FivesError, shown, unknown

FEATURES: dict[str, str] = {
    "points": "raw points of this play, blind to the target",
    "accepted": "raw points of this play, 0 where the exact target would refuse them",
    "wins": "1 where this play's gain wins the game at once",
    "pips": "pips of the tile",
    "double": "1 for a double",
    "count": "the layout's count after the play",
    "mobility": "distinct open values after the play that the remaining hand can match",
    "reply": "expected points of the next opponent's best reply",
    "scores": "1 where the target accepts points of this play",
    "near": "accepted points where they bring the side within 50 raw points of an exact target",
    "companions": "tiles of the remaining hand with a value that the play lays open",
    "variety": "distinct values in the remaining hand",
    "playable": "tiles of the remaining hand that could be played next",
    "follow": "most points of one play of the remaining hand, were it the next play",
    "bare_spinner": "1 for a new spinner whose value the remaining hand lacks",
    "rush": "pips of the tile where some hand has at most two tiles after the play",
    "lacked": "open values after the play that the next opponent is known to lack",
    "stuck": "chance, in thousandths, that the next opponent cannot play",
    "threat": "expected best reply in hundredths of points, with what the next opponent is known to lack",
    "live": "unseen tiles that could be played next",
    "closing": "the same where the remaining hand is lighter than the next opponent's on average",
}
MAX_WEIGHT = 1_000_000
ROLLOUT = "rollout"
DEFAULT_BASE = "careful"  # plays imagined worlds on, where no policy is named for it
MAX_WORLDS = 100_000


def _check_worlds(worlds: object, name: str) -> None:
    if not isinstance(worlds, int) or isinstance(worlds, bool) or not 0 <= worlds <= MAX_WORLDS:
        raise FivesError(
            f"worlds of policy {name} are {shown(worlds)}: give a whole number from 1 to {MAX_WORLDS}."
        )


@dataclass(frozen=True)
class Policy:
    """A named row of weights; features that are not named weigh 0.

    Attributes
    ----------
    worlds : 0, or in how many imagined worlds each placement is played out by the weights (docs/strategy.md).
    """

    name: str
    summary: str
    weights: Mapping[str, int]
    worlds: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise FivesError(f"a policy's name is {shown(self.name)}: it must be a word.")
        if not isinstance(self.weights, Mapping):
            raise FivesError(f"weights of {self.name} are {shown(self.weights)}: name features and weights.")
        for feature, weight in self.weights.items():
            if feature not in FEATURES:
                raise unknown("feature", feature, FEATURES)
            if (
                not isinstance(weight, int)
                or isinstance(weight, bool)
                or not -MAX_WEIGHT <= weight <= MAX_WEIGHT
            ):
                raise FivesError(
                    f"weight of {feature} is {weight!r}: it must be a whole number "
                    f"from {-MAX_WEIGHT} to {MAX_WEIGHT}."
                )

        _check_worlds(self.worlds, self.name)
        # a view of a copy: what a named policy does cannot be changed in passing
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.weights.items())), self.worlds))

    def __reduce__(self) -> tuple[type[Policy], tuple[str, str, dict[str, int], int]]:
        return Policy, (self.name, self.summary, dict(self.weights), self.worlds)  # views cannot be pickled

    def as_dict(self) -> dict[str, Any]:
        """Return name, weights and, where it searches, worlds as plain JSON values."""
        searching = {"worlds": self.worlds} if self.worlds else {}
        return {"name": self.name, "weights": dict(self.weights), **searching}

    def base(self) -> Policy:
        """Return the policy that plays its rollouts: the same weights, no search."""
        return Policy(self.name.split(":", 2)[-1], "", self.weights) if self.worlds else self

    def row(self) -> list[int]:
        """Return the weights of all features, in the order of `FEATURES`."""
        return [self.weights.get(feature, 0) for feature in FEATURES]


POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("random", "any placement, uniformly", {}),
        Policy("greedy", "most points now, blind to the target", {"points": 1}),
        Policy("careful", "most points that the target accepts, a winning play first",
               {"accepted": 1, "wins": 1000}),
        Policy("heavy", "most pips first", {"pips": 1}),
        Policy("doubles", "doubles first, then most pips", {"double": 100, "pips": 1}),
        Policy("mobile", "most open values that the remaining hand can match", {"mobility": 1}),
        Policy("lowcount", "most points now, then the smallest count left", {"points": 100, "count": -1}),
        Policy("defend", "points now less the next opponent's expected best reply",
               {"points": 1, "reply": -1}),
        Policy("companion", "most points, then lay open the value that the remaining hand holds most of",
               {"points": 100, "companions": 1}),
        Policy("variety", "most points, then keep as many different values as possible",
               {"points": 100, "variety": 1}),
        Policy("shut", "most points, then offer values on which the next opponent drew or passed",
               {"points": 100, "lacked": 1}),
        Policy("close", "most points, then shut what few unseen tiles fit while the own hand is lightest",
               {"points": 100, "closing": -1}),
        Policy("endrace", "most points, but shed pips once a hand is down to two tiles",
               {"points": 1, "rush": 5}),
        Policy("spinner-shy", "most points, but no new spinner without companions",
               {"points": 1, "bare_spinner": -10}),
        Policy("small-gain", "most points that the target accepts, but the least once an exact one is near",
               {"accepted": 1, "wins": 1000, "scores": 100, "near": -2}),
        Policy("tuned61", "tuned for exact61 with two players against greedy",
               {"accepted": 4871, "wins": 1000000, "pips": 985, "double": 39083, "count": 270, "mobility":
                22234, "scores": 8351, "near": 2674, "companions": 8982, "variety": -27563, "playable":
                -3840, "follow": 1119, "bare_spinner": 5414, "rush": -188, "lacked": 8544, "stuck": 95,
                "threat": -85, "live": -4914, "closing": 960}),
        Policy("tunedfives", "tuned for allfives with two players against greedy",
               {"accepted": 7148, "wins": 1000000, "pips": 2103, "double": 79314, "count": 1615,
                "mobility": 9787, "scores": 63504, "companions": 14910, "variety": -16621, "playable":
                7210, "follow": 1547, "bare_spinner": 17464, "rush": -503, "lacked": -7655, "stuck": 93,
                "threat": -169, "live": -8718, "closing": -1158}),
    )
}  # fmt: skip


def policy(name: str, more: Mapping[str, Policy] = MappingProxyType({})) -> Policy:
    """Return the policy of this name; FivesError with the nearest name where there is none.

    Parameters
    ----------
    more : policies by name beside the built-in ones, as those of a file.
    """
    if not isinstance(name, str):
        raise FivesError(f"a policy is {shown(name)}: it must be a name or a Policy.")
    if "," in name:
        raise FivesError(f"policy {name!r} has a comma: name one policy each time.")
    known = {**POLICIES, **more}
    if name.split(":")[0] == ROLLOUT:
        return _rollout(name, more)
    if name not in known:
        raise unknown("policy", name, known)
    return known[name]


def _rollout(name: str, more: Mapping[str, Policy]) -> Policy:
    """Return the policy that is named as `rollout:N:base`."""
    parts = name.split(":")
    if len(parts) != 3:
        raise FivesError(
            f"policy {name!r} has {len(parts)} parts: write rollout, worlds and base, as in "
            f"{ROLLOUT}:100:greedy."
        )
    worlds, base = parts[1], parts[2]
    if not (worlds.isascii() and worlds.isdigit() and len(worlds) <= 9 and int(worlds) > 0):
        _check_worlds(worlds, name)
    if base == ROLLOUT:
        raise FivesError(f"the base of policy {name!r} is a search: name a policy without one.")
    return searching(policy(base, more), int(worlds))


def searching(base: Policy, worlds: int) -> Policy:
    """Return the policy that plays each placement out in so many worlds by a base policy."""
    summary = f"the best of each placement's {worlds} rollouts by {base.name}"
    return Policy(f"{ROLLOUT}:{worlds}:{base.name}", summary, base.weights, worlds)


def seat_policies(names: str | Policy | Sequence[str | Policy], sides: Sequence[int]) -> tuple[Policy, ...]:
    """Return the policy of each seat.

    Parameters
    ----------
    names : one policy for all, one a side (partners share), or one a seat.
    sides : the side of each seat.

    Raises
    ------
    FivesError
        For any other number of policies; it names the numbers allowed.
    """
    if isinstance(names, str | Policy):
        names = [names]
    if not isinstance(names, Sequence):
        raise FivesError(f"the policies are {shown(names)}: give a name, or a list of names.")
    given = [name if isinstance(name, Policy) else policy(name) for name in names]
    seats, side_count = len(sides), len(set(sides))
    if len(given) == 1:
        return tuple(given * seats)
    if len(given) == seats:
        return tuple(given)
    if len(given) == side_count:
        return tuple(given[side] for side in sides)
    allowed = sorted({1, side_count, seats})
    text = ", ".join(map(str, allowed[:-1])) + f" or {allowed[-1]}"
    raise FivesError(f"{len(given)} policies for {seats} players in {side_count} sides: give {text}.")
