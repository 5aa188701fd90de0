"""One row a game or a round: the very games that `simulate` counts, as Arrow tables in game order.

Games are played in blocks on threads, each block into a table of its own; the tables come out in the order of
the games, and only a few are in memory at a time. `docs/runs.md` lists the columns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow

from analyzer.dealing import check_dealt, new_table
from analyzer.notation import format_tile, tile_set
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet
from analyzer.searching import search_state
from analyzer.workers import available_cores, started
from kernels.rows import KEPT, ROWS, play_kept
from kernels.rules import HALF
from kernels.state import blank
from kernels.tallies import ENDS, TALLY

if TYPE_CHECKING:
    from analyzer.simulate import Simulation

ROUNDS = "rounds"
BLOCK = 4096  # games
ROOM = 1 << 15  # rows that a block's buffer has room for, or one game of the longest if that is more
IN_POINTS = ("points", "settlement", "points_rejected")
NOT_OF_A_ROUND = ("decided", "blocked", "tied")

Column = Any  # a NumPy or Arrow array


def tables(plan: Simulation, kind: str, threads: int | None = None) -> Iterator[pyarrow.Table]:
    """Yield the rows of a plan's games, in game order, as tables of some thousand rows.

    Parameters
    ----------
    plan : of `analyzer.simulate.simulation`.
    kind : "games" or "rounds": what has a row.
    threads : None: one a core. The rows do not depend on it.
    """
    play = _Block(plan, kind).table
    first_game, last = plan.span
    pending: deque[Future[pyarrow.Table]] = deque()
    for first in range(first_game, last, BLOCK):
        pending.append(started(partial(play, first, min(BLOCK, last - first))))
        if len(pending) >= (threads or available_cores()):
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


class _Block:
    """Plays blocks of games; one object serves all threads."""

    def __init__(self, plan: Simulation, kind: str) -> None:
        self.rules, self.seed, self.given, self.kind = plan.rules, plan.seed, plan.given, kind
        self.policies = plan.policies
        self.records = rules_record(plan.rules), policies_record(plan.policies, plan.rules)
        self.room = max(ROOM, plan.rules.round_guard)

    def table(self, first: int, games: int) -> pyarrow.Table:
        """Return the rows of some games."""
        rows = np.zeros(min(self.room, games * self.rules.round_guard), np.dtype((np.record, ROWS)))
        table, tally = new_table(self.rules, self.given), blank(TALLY)
        search = search_state(self.policies, self.rules, table)
        by_rounds = int(self.kind == ROUNDS)
        parts = []
        stop = first + games
        while first < stop:
            done, used = play_kept(
                table, *self.records, search, self.seed, first, stop - first, tally, by_rounds, rows
            )
            check_dealt(table, self.given)
            first += done
            parts.append(_table(rows[:used], self.rules, self.kind))
        return pyarrow.concat_tables(parts)


def _table(rows: Any, rules: RuleSet, kind: str) -> pyarrow.Table:
    columns = _of_round(rows, rules) if kind == ROUNDS else _of_game(rows, rules)
    return pyarrow.table(columns)


def _of_game(rows: Any, rules: RuleSet) -> dict[str, Column]:
    """Return the columns of a row a game."""
    best = rows["scores"][:, : rules.side_count]
    leads = best == best.max(axis=1, keepdims=True)
    is_won = (leads.sum(axis=1) == 1) & (rows["finished"] == 1)
    return {
        "game": rows["game"],
        "finished": rows["finished"].astype(bool),
        "opener": _small(rows["opener"]),
        "rounds": _whole(rows["round"]),
        "winner": _where(is_won, _small(leads.argmax(axis=1))),
        **_kept(rows, KEPT),
        "overshot_round": _where(rows["overshot_round"] >= 0, _whole(rows["overshot_round"])),
        **_by_side("score", rows["scores"], rules),
    }


def _of_round(rows: Any, rules: RuleSet) -> dict[str, Column]:
    """Return the columns of a row a round."""
    winners = rows["winners"]
    sides = np.zeros(len(rows), np.int8)
    for side in range(rules.side_count):
        sides[winners == 1 << side] = side
    pips = {f"pips_{seat}": _whole(rows["pips"][:, seat]) for seat in range(rules.players)}
    return {
        "game": rows["game"],
        "round": _whole(rows["round"]),
        "finished": rows["finished"].astype(bool),
        "opener": _small(rows["opener"]),
        "lead": _words(rows["lead"], [format_tile(tile) for tile in tile_set(rules.set)]),
        "end": _words(rows["end"], ENDS),
        "last": _small(rows["last"]),
        "winner": _where(winners & (winners - 1) == 0, sides),
        **_kept(rows, [name for name in KEPT if name not in NOT_OF_A_ROUND]),
        **pips,
        **_by_side("gain", rows["gains"], rules),
        **_by_side("score", rows["scores"], rules),
    }


def _kept(rows: Any, names: Sequence[str]) -> dict[str, Column]:
    kept = {name: rows["kept"][:, KEPT.index(name)] for name in names}
    return {name: _points(column) if name in IN_POINTS else _whole(column) for name, column in kept.items()}


def _by_side(stem: str, half_points: Any, rules: RuleSet) -> dict[str, Column]:
    return {f"{stem}_{side}": _points(half_points[:, side]) for side in range(rules.side_count)}


def _small(numbers: Any) -> Column:
    """Return seats or sides."""
    return numbers.astype(np.int8)


def _whole(numbers: Any) -> Column:
    return numbers.astype(np.int32)


def _points(half_points: Any) -> Column:
    """Return raw points; the halves of All Fives with three players are exact."""
    return half_points / HALF


def _where(given: Any, values: Any) -> Column:
    """Return values that are null where they are not given."""
    return pyarrow.array(values, mask=~given)


def _words(numbers: Any, words: Sequence[str]) -> Column:
    indices = pyarrow.array(numbers.astype(np.int8))
    return pyarrow.DictionaryArray.from_arrays(indices, list(words)).cast(pyarrow.string())
