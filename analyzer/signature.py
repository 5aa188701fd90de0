"""The signature of a rule set: one number from fixed seeds that a pure refactor must leave alone.

It covers dealing, choices, placements, counts, events, settlements and every tally. When it changes on
purpose, results change, and the changelog names it.
"""

from __future__ import annotations

import hashlib
import json

from analyzer.policies import POLICIES
from analyzer.rulesets import PLAYERS, rule_set, sets_of
from analyzer.simulate import simulate

SEED = 61
GAMES = 100
FEW = 4  # games of a policy that weighs `reply`, which takes longer


def signature(name: str) -> str:
    """Return the signature of a named rule set: 16 hex digits.

    It digests the tallies of games under every policy with 2, 3 and 4 players and every tile set that the
    rule set is played with, from one seed.
    """
    digest = hashlib.sha256()
    for set_ in sets_of(name):
        for players in PLAYERS:
            rules = rule_set(name, set=set_, players=players)
            for policy in POLICIES.values():
                games = FEW if policy.weights.get("reply") else GAMES
                tallies = simulate(rules, [policy], games=games, seed=SEED, threads=1).tallies
                counted = json.dumps([set_, players, policy.name, tallies.as_dict()], sort_keys=True)
                digest.update(counted.encode())
    return digest.hexdigest()[:16]
