"""What is measured: the table of metrics, each a quotient of tallied quantities, with its unit.

docs/metrics.md says the same in words. The table is data: `analyzer.tallies` derives from it the products
that a run must sum, `analyzer.metrics` the rows that a run reports.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import Literal

from analyzer.errors import FivesError
from analyzer.policies import Policy
from analyzer.rulesets import RuleSet
from kernels.tallies import CONTROLS, HALF, KINDS, MAX_POLICIES, MAX_SEATS, SHARE

GAMES = "games"  # the denominator that is 1 in every game

Unit = Literal["game", "round", "play", "event"]
Step = Literal["one", "share", "points", "margin"]
Division = Literal["", "kind", "side", "policy", "offset"]
Condition = Literal["rounds", "games", "exact", "reach"]


def distinct_policies(policies: Sequence[Policy]) -> tuple[Policy, ...]:
    """Return the policies that differ in name or weights, in the order of their first seat.

    Raises
    ------
    FivesError
        Where two that differ have one name, so that results could not tell them apart.
    """
    found: dict[tuple[str, tuple[int, ...]], Policy] = {}
    for policy in policies:
        found.setdefault(_identity(policy), policy)
    names = [policy.name for policy in found.values()]
    for name in names:
        if names.count(name) > 1:
            raise FivesError(f"two different policies are both named {name!r}: rename one of them.")
    return tuple(found.values())


def policy_indices(policies: Sequence[Policy]) -> tuple[int, ...]:
    """Return each seat's index into `distinct_policies`."""
    order = [_identity(policy) for policy in distinct_policies(policies)]
    return tuple(order.index(_identity(policy)) for policy in policies)


def _identity(policy: Policy) -> tuple[str, tuple[int, ...]]:
    return policy.name, tuple(policy.row())


@dataclass(frozen=True)
class Experiment:
    """What was played: a rule set, each seat's policy, and whether games to the target or single rounds.

    With `control`, the controls were counted too.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    by_games: bool
    control: bool = False

    @cached_property
    def distinct(self) -> tuple[Policy, ...]:
        """The policies that differ; their order is the index of the policy quantities."""
        return distinct_policies(self.policies)

    def sides_holding(self, index: int) -> int:
        """Return the number of sides of which at least one seat has the policy of this index."""
        held = zip(self.rules.sides, policy_indices(self.policies), strict=True)
        return len({side for side, policy in held if policy == index})

    def is_about(self, condition: Condition) -> bool:
        """Return whether metrics of this condition apply."""
        if condition == "rounds":
            return True
        if condition == "games":
            return self.by_games
        return self.by_games and self.rules.target is not None and self.rules.target_kind == condition


@dataclass(frozen=True)
class Metric:
    """A metric: the sum of `over` divided by the sum of `per`.

    Attributes
    ----------
    name, unit : as they are reported.
    over, per : quantities of `kernels.tallies`; "{}" stands for the index of the scope; `per` may be "games".
    each : what one unit of `per` is.
    step : unit of `over`: "one", "share" (twelfths), "points" (half points) or "margin" (half points times
        (sides - 1)).
    is_rate : a proportion, with an interval inside [0, 1].
    by : the scopes: "" ("all"), "kind" ("all" and every kind of event), "side", "policy" or "offset".
    when : reported for "rounds" (always), "games", or games to an "exact" or a "reach" target.
    less_even : less 1 / sides, the share of equal chances.
    per_holder : the mean over the sides that hold the policy of the scope; `over` is their sum.
    by_opener : about the side that opened: the controls are for its luck in the deal.
    """

    name: str
    over: str
    per: str
    each: Unit
    _: KW_ONLY
    unit: str
    step: Step = "one"
    is_rate: bool = False
    by: Division = ""
    when: Condition = "rounds"
    less_even: bool = False
    per_holder: bool = False
    by_opener: bool = False

    def is_clustered(self, by_games: bool) -> bool:
        """Return whether several units of `per` may sit in one cluster.

        The cluster is what is independent: a game, or where rounds are played a round.
        """
        return self.each not in (("game",) if by_games else ("game", "round"))

    def units_in_one(self, sides: int) -> int:
        """Return how many of the tallied units are one unit of the metric."""
        return {"one": 1, "share": SHARE, "points": HALF, "margin": HALF * (sides - 1)}[self.step]

    def quantities(self, indices: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the quantities that are summed above and below, for a scope of these indices."""
        above = dict.fromkeys(self.over.format(index) for index in indices)
        below = dict.fromkeys(self.per.format(index) for index in indices)
        return tuple(above), tuple(below)

    def products(self, indices: Sequence[str], clustered: bool) -> Iterator[tuple[str, str]]:
        """Yield the pairs of quantities whose products its standard error needs."""
        above, below = self.quantities(indices)
        yield from itertools.combinations_with_replacement(above, 2)
        if clustered:
            yield from itertools.product(above, below)
            yield from itertools.combinations_with_replacement(below, 2)

    def control_products(self, clustered: bool) -> Iterator[tuple[str, str]]:
        """Yield the pairs of quantities whose products its controlled estimate needs beside these."""
        if self.by_opener:
            yield from itertools.product(CONTROLS, (self.over, self.per) if clustered else (self.over,))
            yield from itertools.combinations_with_replacement(CONTROLS, 2)


@dataclass(frozen=True)
class Scope:
    """A part of the events: its label, and the indices of the quantities that are summed for it."""

    label: str
    indices: tuple[str, ...]


def scopes(metric: Metric, experiment: Experiment) -> list[Scope]:
    """Return the scopes that a metric is reported for, in order."""
    if metric.by == "kind":
        return [Scope("all", KINDS)] + [Scope(f"kind={kind}", (kind,)) for kind in KINDS]
    if metric.by == "side":
        return [Scope(f"side={side}", (str(side),)) for side in range(experiment.rules.side_count)]
    if metric.by == "offset":
        return [Scope(f"offset={offset}", (str(offset),)) for offset in range(experiment.rules.players)]
    if metric.by == "policy":
        differ = experiment.distinct if len(experiment.distinct) > 1 else ()
        return [Scope(f"policy={policy.name}", (str(i),)) for i, policy in enumerate(differ)]
    return [Scope("all", ("",))]


_EVERY_SCOPE: dict[str, list[tuple[str, ...]]] = {
    "": [("",)],
    "kind": [KINDS],  # of which single kinds are a part
    "side": [(str(i),) for i in range(MAX_SEATS)],
    "offset": [(str(i),) for i in range(MAX_SEATS)],
    "policy": [(str(i),) for i in range(MAX_POLICIES)],
}


_rate = partial(Metric, unit="rate", is_rate=True)
_points = partial(Metric, unit="raw points", step="points")

METRICS: tuple[Metric, ...] = (
    _rate("blocked_rate", "blocked", "decided", "round"),
    _rate("blocked_rate", "policy_blocked_{}", "policy_opened_{}", "round", by="policy"),
    _rate("blocked_tie_rate", "tied", "blocked", "round"),
    _rate("opener_win_rate", "opener_share", "decided", "round", step="share", by_opener=True),
    _rate("opener_advantage", "opener_share", "decided", "round", step="share", less_even=True,
          by_opener=True),
    _points("opener_margin", "opener_margin", "rounds", "round", step="margin", by_opener=True),
    Metric("plays_per_round", "plays", "rounds", "round", unit="plays"),
    Metric("draws_per_round", "draws", "rounds", "round", unit="draws"),
    Metric("passes_per_round", "passes", "rounds", "round", unit="passes"),
    _points("points_per_round", "points", "rounds", "round"),
    _rate("scoring_play_rate", "scoring", "plays", "play"),
    _points("points_per_play", "points", "plays", "play"),
    _points("points_per_play", "policy_points_{}", "policy_plays_{}", "play", by="policy"),
    _points("settlement_per_round", "settlement", "rounds", "round"),
    _rate("win_rate", "side_share_{}", GAMES, "game", step="share", by="side", when="games"),
    _rate("win_rate", "policy_share_{}", GAMES, "game", step="share", by="policy", when="games",
          per_holder=True),
    _rate("first_mover_win_rate", "first_share", GAMES, "game", step="share", when="games", by_opener=True),
    _rate("first_mover_advantage", "first_share", GAMES, "game", step="share", when="games", less_even=True,
          by_opener=True),
    Metric("rounds_per_game", "rounds", GAMES, "game", when="games", unit="rounds"),
    Metric("plays_per_game", "plays", GAMES, "game", when="games", unit="plays"),
    _rate("target_cut_rate", "cut", "rounds", "round", when="games"),
    _rate("overshoot_rate", "rejected_{}", "events_{}", "event", by="kind", when="exact"),
    _rate("overshoot_rate", "policy_rejected_{}", "policy_events_{}", "event", by="policy", when="exact"),
    Metric("overshoots_per_game", "rejected_{}", GAMES, "game", by="kind", when="exact", unit="events"),
    _rate("overshoot_game_rate", "overshot", GAMES, "game", when="exact"),
    _points("points_rejected_per_game", "points_rejected", GAMES, "game", when="exact"),
    Metric("rounds_after_first_overshoot", "rounds_after", "overshot", "game", when="exact", unit="rounds"),
    _rate("excess_rate", "over", "won", "game", when="reach"),
    _points("excess_points", "excess", "won", "game", when="reach"),
    _rate("drawn_rate", "drawn", GAMES, "game", when="games"),
)  # fmt: skip
GUARD_RATE = "guard_rate"  # the last metric, and the only one about the games that were stopped

ROUND_WIN_RATE = _rate("round_win_rate", "offset_share_{}", "decided", "round", step="share", by="offset")


def every_product() -> list[tuple[str, str]]:
    """Return the pairs of quantities whose products any run may need, each once and without "games"."""
    found = [
        pair
        for metric in (*METRICS, ROUND_WIN_RATE)
        for indices in _EVERY_SCOPE[metric.by]
        for pair in metric.products(indices, metric.is_clustered(by_games=True))
    ]
    found += [pair for metric in METRICS for pair in metric.control_products(metric.is_clustered(True))]
    return _once(found)


def products_of(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the pairs of quantities whose products one run needs, each once."""
    found = [
        pair
        for metric in (*METRICS, ROUND_WIN_RATE)
        if experiment.is_about(metric.when)
        for scope in scopes(metric, experiment)
        for pair in metric.products(scope.indices, metric.is_clustered(experiment.by_games))
    ]
    if experiment.control:
        found += [
            pair
            for metric in METRICS
            if experiment.is_about(metric.when)
            for pair in metric.control_products(metric.is_clustered(experiment.by_games))
        ]
    return _once(found)


def _once(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Drop pairs with "games" (their products are the sums themselves) and repetitions in either order."""
    return list(dict.fromkeys((min(a, b), max(a, b)) for a, b in pairs if GAMES not in (a, b)))
