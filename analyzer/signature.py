"""The signature of a rule set: one number from a fixed seed that a pure refactor must leave alone.

It covers dealing, choices, placements, counts, events and settlements. When it changes on purpose, results
change, and the changelog names it.
"""

from __future__ import annotations

import hashlib
import json

from analyzer.policies import POLICIES
from analyzer.rulesets import PLAYERS, rule_set, sets_of
from analyzer.traces import traces

SEED = 61
GAMES = 12
# named, so that a new policy leaves the signatures alone
COVERED = ("random", "greedy", "careful", "heavy", "doubles", "mobile", "lowcount", "defend")
FEW = 2  # games of a policy that weighs `reply`, which takes longer


def signature(name: str) -> str:
    """Return the signature of a named rule set: 16 hex digits.

    It digests the rounds and scores of games under the policies of `COVERED` with 2, 3 and 4 players and
    every tile set that the rule set is played with.
    """
    digest = hashlib.sha256()
    for set_ in sets_of(name):
        for players in PLAYERS:
            rules = rule_set(name, set=set_, players=players)
            for policy in map(POLICIES.__getitem__, COVERED):
                games = FEW if policy.weights.get("reply") else GAMES
                for trace in traces(rules, [policy], seed=SEED, count=games):
                    played = {key: trace[key] for key in ("game", "rounds", "scores", "winner")}
                    digest.update(json.dumps(played, sort_keys=True).encode())
    return digest.hexdigest()[:16]
