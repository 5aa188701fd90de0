"""What a table keeps at which policies search: `kernels.rollout.Search`, built from the policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.policies import Policy
from analyzer.records import policies_record
from analyzer.rulesets import RuleSet
from analyzer.standing import chances_of, scale
from kernels.belief import BELIEF
from kernels.history import HISTORY
from kernels.policies import POLICIES
from kernels.rollout import Search
from kernels.state import TABLE, blank
from kernels.tallies import MAX_SEATS


def search_state(policies: Sequence[Policy], rules: RuleSet, table: Any) -> Search | None:
    """Return what one thread needs for its searching policies; None where none searches.

    Parameters
    ----------
    policies : one a seat.
    table : TABLE record that they play at, of which a search looks at what its seat knows.
    """
    if not any(policy.worlds for policy in policies):
        return None
    worlds = np.zeros(MAX_SEATS, np.int64)
    worlds[: len(policies)] = [policy.worlds for policy in policies]
    rows = np.zeros(MAX_SEATS, POLICIES)
    for seat, policy in enumerate(policies):
        rows[seat] = policies_record([policy.base()] * rules.players, rules)
    searching = [policy.base() for policy in policies if policy.worlds]
    bases = [policy.base() if policy.worlds else searching[0] for policy in policies]  # others: not looked at
    return Search(
        table=table,
        worlds=worlds,
        bases=rows,
        history=blank(HISTORY),
        belief=blank(BELIEF),
        deal=blank(TABLE),
        world=blank(TABLE),
        standing=scale(rules),
        chances=np.stack([chances_of(rules, base) for base in bases]),
    )
