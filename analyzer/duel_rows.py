"""The rows that a comparison prints: the summary, and the tables of pairs, policies and the matrix."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from analyzer import paired
from analyzer.duel_findings import Findings
from analyzer.duel_pairs import DIFFERENCE, ELO, MARGIN, Pair
from analyzer.duel_totals import MOST_MARGIN
from analyzer.stats import Estimate

Row = dict[str, Any]
SUPERIORITY = "likelihood_of_superiority"


def summary_rows(findings: Findings) -> list[Row]:
    """Return the summary: four rows a pair under `pair=A/B`, then each policy's win rate."""
    rows = [row for pair in findings.pairs for row in _pair_rows(pair)]
    names = [policy.name for policy in findings.policies]
    by_name = dict(zip(names, findings.win_rates, strict=True))  # a policy against itself: one row
    return rows + [found.row("win_rate", f"policy={name}", "rate") for name, found in by_name.items()]


def _pair_rows(pair: Pair) -> Iterator[Row]:
    scope = f"pair={pair.name}"
    superiority = paired.likelihood_of_superiority(pair.difference.estimate, pair.difference.std_error)
    for metric, found, unpaired, unit in (
        (DIFFERENCE, pair.difference, pair.unpaired_difference, "rate"),
        (MARGIN, pair.margin, pair.unpaired_margin, "raw points"),
        (ELO, dataclasses.replace(pair.elo, n=pair.difference.n), pair.unpaired_elo, "Elo"),
        (SUPERIORITY, Estimate(superiority, None, None, None, pair.difference.n), None, "probability"),
    ):
        saved = paired.games_saved(found.std_error, unpaired)
        yield {**found.row(metric, scope, unit), "unpaired_std_error": unpaired, "games_saved": saved}


def pair_rows(findings: Findings) -> list[Row]:
    """Return the table of pairs: deals by A's score of two games, null with more than two sides."""
    rows = []
    for pair in findings.pairs:
        counts = pair.pentanomial
        named = {f"n{score}": counts and counts[score] for score in range(paired.PAIR_RESULTS)}
        rows.append({"a": pair.a.name, "b": pair.b.name, "deals": findings.totals.deals, **named})
    return rows


def margin_rows(findings: Findings) -> list[Row]:
    """Return each pair's games by A's raw points less B's, those differences that occurred, ascending."""
    return [
        {"a": pair.a.name, "b": pair.b.name, "margin": place - MOST_MARGIN, "games": games}
        for number, pair in enumerate(findings.pairs)
        for place, games in enumerate(findings.totals.margin_counts[number].tolist())
        if games
    ]


def policy_rows(findings: Findings) -> list[Row]:
    """Return the table of policies: wins per side held in all games, and the rating in Elo."""
    games = findings.games * (len(findings.policies) - 1)
    rows = []
    for policy, rate, rating in zip(findings.policies, findings.win_rates, findings.ratings, strict=True):
        rows.append(
            {
                "policy": policy.name,
                "games": games,
                "win_rate": rate.estimate,
                "low": rate.low,
                "high": rate.high,
                "rating": rating.estimate.estimate,
                "rating_low": rating.estimate.low,
                "rating_high": rating.estimate.high,
            }
        )
    return rows


def matrix_rows(findings: Findings) -> list[Row]:
    """Return each policy's win rate against each other, a row a policy and a column an opponent."""
    names = [policy.name for policy in findings.policies]
    return [
        {"policy": name, **{other: findings.against(i, j) for j, other in enumerate(names)}}
        for i, name in enumerate(names)
    ]
