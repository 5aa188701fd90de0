"""Rule sets and policies as the records that kernels take."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from analyzer.errors import FivesError
from analyzer.policies import FEATURES, Policy
from analyzer.rulesets import FIVE, RuleSet
from kernels import policies as kernel_policies
from kernels import rules as kernel_rules
from kernels.bounds import COUNTS, count_bound
from kernels.features import CENTS, MILLE, PLAIN_FEATURES
from kernels.rules import HALF
from kernels.state import blank

_SPINNER = {
    "none": kernel_rules.SPINNER_NONE,
    "first": kernel_rules.SPINNER_FIRST,
    "all": kernel_rules.SPINNER_ALL,
}
_SETTLEMENT = {
    "none": kernel_rules.SETTLE_NONE,
    "opponents": kernel_rules.SETTLE_OPPONENTS,
    "hand_differences": kernel_rules.SETTLE_HAND_DIFFERENCES,
    "less_own": kernel_rules.SETTLE_LESS_OWN,
    "differences": kernel_rules.SETTLE_DIFFERENCES,
    "one": kernel_rules.SETTLE_ONE,
}
_ROUNDING = {
    "none": kernel_rules.ROUND_NONE,
    "nearest": kernel_rules.ROUND_NEAREST,
    "down": kernel_rules.ROUND_DOWN,
}
_TIES = {
    "none": kernel_rules.TIES_NONE,
    "split": kernel_rules.TIES_SPLIT,
    "lot": kernel_rules.TIES_LOT,
}
_OPENER = {
    "lot": kernel_rules.OPENER_LOT,
    "out": kernel_rules.OPENER_LAST,
    "last_tile": kernel_rules.OPENER_LAST,
    "highest_double": kernel_rules.OPENER_HIGHEST,
    "seat_in_turn": kernel_rules.OPENER_IN_TURN,
}
_DRAWS = {"none": 0, "one": 1, "until_playable": kernel_rules.UNLIMITED_DRAWS}
_INT64_ROOM = 1 << 62


def rules_record(rules: RuleSet, *, control: bool = False) -> Any:
    """Return the rule set as a `kernels.rules.RULES` record; with `control`, controls are counted."""
    record = blank(kernel_rules.RULES)
    seats = range(rules.players)
    record["tiles"], record["players"], record["sides"] = rules.tiles, rules.players, rules.side_count
    for seat in seats:
        record["side"][seat] = rules.sides[seat]
        mates = [other for other in seats if other != seat and rules.sides[other] == rules.sides[seat]]
        record["mate"][seat] = mates[0] if mates else -1
        clockwise = [(seat + step) % rules.players for step in range(1, rules.players)]
        record["next_opponent"][seat] = next(
            other for other in clockwise if rules.sides[other] != rules.sides[seat]
        )
    record["hand"], record["spinner"] = rules.hand, _SPINNER[rules.spinner]
    record["score"] = [HALF * points for points in points_by_count(rules)]
    record["most"] = record["score"].max()
    record["by_fives"] = rules.score_multiple == FIVE and not rules.second_multiple
    record["five"] = HALF * (1 if rules.points == "divided" else FIVE)
    record["target"] = HALF * (rules.target or 0)
    record["exact"] = rules.target_kind == "exact"
    record["settle_out"] = _SETTLEMENT[rules.settlement_out]
    record["settle_block"] = _SETTLEMENT[rules.settlement_block]
    record["rounding"] = _ROUNDING[rules.rounding]
    record["by_hand"] = rules.rounding_of == "hand"
    record["debit_partner"] = rules.partner == "debited"
    record["last_with"] = rules.last_play == "with"
    record["ties"] = _TIES[rules.ties]
    record["first"] = _OPENER[rules.opener_first]
    record["after_out"] = _OPENER[rules.opener_after_out]
    record["after_block"] = _OPENER[rules.opener_after_block]
    record["lead_forced"] = rules.lead == "forced"
    record["draws"], record["reserve"] = _DRAWS[rules.draw], rules.reserve
    record["guard"] = rules.round_guard
    record["control"] = control
    return record


def points_by_count(rules: RuleSet) -> list[int]:
    """Return the raw points that a play earns, by the count after it."""
    multiples = [multiple for multiple in (rules.score_multiple, rules.second_multiple) if multiple]
    divided = rules.points == "divided"
    return [
        sum(count // multiple if divided else count for multiple in multiples if count % multiple == 0)
        for count in range(COUNTS)
    ]


def distinct_policies(policies: Sequence[Policy]) -> list[Policy]:
    """Return the distinct policies in the order of their first seats."""
    return [policy for seat, policy in enumerate(policies) if policy not in policies[:seat]]


def policies_record(policies: Sequence[Policy], rules: RuleSet) -> Any:
    """Return the policies, one a seat, as a `kernels.policies.POLICIES` record.

    Raises
    ------
    FivesError
        Where the values of a policy's placements would not fit into 64 bits.
    """
    record = blank(kernel_policies.POLICIES)
    distinct = distinct_policies(policies)
    record["count"] = len(distinct)
    for seat, policy in enumerate(policies):
        _check_room(policy, rules)
        row = policy.row()
        record["index"][seat] = distinct.index(policy)
        record["kind"][seat] = _kind(policy, rules)
        record["weights"][seat] = row
    return record


def _kind(policy: Policy, rules: RuleSet) -> int:
    weights = {feature: weight for feature, weight in policy.weights.items() if weight}
    if not weights:
        return kernel_policies.UNIFORM
    if set(weights) == {"points"} and weights["points"] > 0:
        return kernel_policies.POINTS
    if set(weights) <= {"accepted", "wins"} and weights.get("accepted", 0) > 0 and weights.get("wins", 1) > 0:
        refuses = rules.target is not None and rules.target_kind == "exact"
        return kernel_policies.ACCEPTED if refuses else kernel_policies.POINTS  # more points, more value
    if set(weights) <= set(PLAIN_FEATURES):
        return kernel_policies.PLAIN
    return kernel_policies.WEIGHED


def _largest(rules: RuleSet) -> dict[str, int]:
    """Return the largest size of each feature."""
    count = count_bound(rules.spinner, rules.highest_pip)
    points = max(points_by_count(rules)[: count + 1])
    values, pips = rules.highest_pip + 1, 2 * rules.highest_pip
    return {
        "points": points,
        "accepted": points,
        "wins": 1,
        "pips": pips,
        "double": 1,
        "count": count,
        "mobility": values,
        "reply": points,
        "scores": 1,
        "near": points,
        "companions": rules.tiles,
        "variety": values,
        "playable": rules.tiles,
        "follow": points,
        "bare_spinner": 1,
        "rush": pips,
        "lacked": values,
        "stuck": MILLE,
        "threat": CENTS * points,
        "live": rules.tiles,
        "closing": rules.tiles,
    }


def _check_room(policy: Policy, rules: RuleSet) -> None:
    """Refuse weights whose sums, scaled by the number of hands for `reply`, pass 64 bits."""
    largest = _largest(rules)
    total = sum(abs(policy.weights.get(feature, 0)) * largest[feature] for feature in FEATURES)
    scale = comb(rules.tiles - 1, rules.tiles // 2) if policy.weights.get("reply") else 1
    if HALF * total * scale >= _INT64_ROOM:
        raise FivesError(
            f"the weights of policy {policy.name!r} are too large together with reply for the "
            f"{rules.set} set: divide them all by a common factor."
        )
