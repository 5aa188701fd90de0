"""The exact end of a round between two players, once every tile is known.

With the boneyard empty the other hand is what is neither in the own hand nor on the layout, so the rest of
the round is a game of perfect information. It is searched to its end: alpha-beta with a transposition
table, each gain tested against the target, each end settled, as in every round. Values are those of the
seat to play and the other's are their opposite: margins without a target, twice the chance to win less one
with it.

A position is its two hands, the layout, the seat and, with a target, the scores. Without one the table keeps
what is still to be gained, so that orders of play with other scores meet. The search gives up after NODES
positions; since the table starts empty each time, whether it does depends on the position alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kernels.bits import lowest, popcount
from kernels.jit import kernel
from kernels.layout import GROUP, TILE, Layout, place
from kernels.policies import placements
from kernels.rng import mixed
from kernels.rules import TIES_LOT
from kernels.standing import WHOLE, two_sided_worth
from kernels.state import END_BLOCKED, END_OUT, END_TARGET
from kernels.steps import score_play, settle_round
from kernels.tiles import PLAYABLE

SOLVED, UNSOLVED = 1, 0
NODES = 50_000  # positions searched at most
TILES_LEFT = 18  # in both hands, at most
SLOTS = 1 << 14  # positions kept
NO_KEY = np.uint64(0)  # nothing goes by lot
FAR = 1 << 40  # beyond all values
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what a kept value says


FRAME = np.dtype(
    [
        ("seat", np.int64),  # that is to play
        ("own", np.int64),  # mask of its tiles
        ("other", np.int64),
        ("own_score", np.int64),
        ("other_score", np.int64),
        ("base", np.int64),  # what the kept value is added to
        ("key", np.int64),
        ("alpha", np.int64),  # the window when the search began
        ("beta", np.int64),
        ("floor", np.int64),  # the window's lower end now
        ("best", np.int64),
        ("left", np.int64, 4),  # placements still to be tried, by group
        *((name, np.int64) for name in Layout._fields),
    ]
)  # one position on the way from the root


class Solver(NamedTuple):
    """What the search of one position needs."""

    world: Any  # TABLE, its scores and hands are set for each end
    policies: Any  # POLICIES; events ask for its indices only
    standing: Any
    chances: Any
    keys: Any  # int64 (SLOTS,)
    values: Any  # int64 (SLOTS,)
    kinds: Any  # int64 (SLOTS,): EXACT, AT_LEAST, AT_MOST, or 0: empty
    nodes: Any  # int64 (1,): positions searched
    frames: Any  # FRAME (TILES_LEFT + 1,)


@kernel
def _set_world(solver, seat, own, other, own_score, other_score):
    """Lay hands and scores, of the seat and of the other, on the table; sides are seats."""
    world = solver.world
    world.hands[seat], world.hands[1 - seat] = own, other
    world.scores[seat], world.scores[1 - seat] = own_score, other_score
    world.over = 0


@kernel
def _end_value(solver, rules, seat):
    """Return what the world's end is worth to a seat, less what it is worth to the other."""
    value = two_sided_worth(solver.standing, solver.chances, solver.world, rules, seat)
    return value if rules.target == 0 else 2 * value - WHOLE


@kernel
def _blocked(solver, rules, seat, own, other, own_score, other_score):
    """Return the value of a blocked round for a seat."""
    _set_world(solver, seat, own, other, own_score, other_score)
    solver.world.end = END_BLOCKED
    settle_round(solver.world, rules, solver.policies, 0, NO_KEY, None, None)
    return _end_value(solver, rules, seat)


@kernel
def _step(solver, rules, layout, seat, own, other, own_score, other_score, placement):
    """Make a placement; return (whether the round ends, its value then, layout, own hand, own score)."""
    world = solver.world
    left = own ^ 1 << (placement & TILE)
    after = place(layout, placement, rules.spinner)
    _set_world(solver, seat, left, other, own_score, other_score)
    points = rules.score[after.count]
    score_play(world, rules, solver.policies, seat, points, left == 0, None)
    world.last = seat
    if world.over == 0 and left:
        return False, 0, after, left, world.scores[seat]
    world.end = END_TARGET if world.over else END_OUT
    pending = points if rules.last_with and world.over == 0 else 0
    settle_round(world, rules, solver.policies, pending, NO_KEY, None, None)
    return True, _end_value(solver, rules, seat), after, left, own_score


@kernel
def _key(rules, layout, seat, own, other, own_score, other_score):
    key = mixed(mixed(own, other), layout.ends)
    key = mixed(mixed(key, layout.sides), layout.four_sided << 1 | seat)
    if rules.target:
        key = mixed(mixed(key, own_score), other_score)
    return key


@kernel
def _kept(solver, rules, frame):
    """Look a position up; return (whether it needs no search, its value for the seat to play)."""
    slot = frame.key & (SLOTS - 1)
    kind = solver.kinds[slot]
    if kind == 0 or solver.keys[slot] != frame.key:
        return False, 0
    value = solver.values[slot] + frame.base
    if kind == EXACT or (kind == AT_LEAST and value >= frame.beta):
        return True, value
    return kind == AT_MOST and value <= frame.floor, value


@kernel
def _keep(solver, frame):
    """Keep what the search of a position found."""
    slot = frame.key & (SLOTS - 1)
    solver.keys[slot], solver.values[slot] = frame.key, frame.best - frame.base
    solver.kinds[slot] = (
        AT_MOST if frame.best <= frame.alpha else AT_LEAST if frame.best >= frame.beta else EXACT
    )


@kernel
def _open(solver, rules, frame, layout, seat, own, other, own_score, other_score, alpha, beta):
    """Begin the search of a position in which a seat can play.

    Parameters
    ----------
    frame : FRAME record, filled.
    alpha, beta : values between which the result must be exact.

    Returns
    -------
    bool, int : whether there is nothing to search, and then the value for the seat.
    """
    frame.seat, frame.own, frame.other = seat, own, other
    frame.own_score, frame.other_score = own_score, other_score
    frame.alpha, frame.beta, frame.floor, frame.best = alpha, beta, alpha, -FAR
    frame.base = own_score - other_score if rules.target == 0 else 0
    frame.key = _key(rules, layout, seat, own, other, own_score, other_score)
    known, value = _kept(solver, rules, frame)
    if known:
        return True, value
    solver.nodes[0] += 1
    groups = placements(own, layout)
    for group in range(4):
        frame.left[group] = groups[group]
    frame.ends, frame.sides, frame.count = layout.ends, layout.sides, layout.count
    frame.open_ends, frame.open_sides = layout.open_ends, layout.open_sides
    frame.one_taken, frame.four_sided = layout.one_taken, layout.four_sided
    return False, 0


@kernel
def _visit(solver, rules, frame, layout, seat, own, other, own_score, other_score, alpha, beta):
    """Begin the search of a position, passing where its seat is stuck; returns what `_open` does."""
    playable = PLAYABLE[layout.open_ends | layout.open_sides]
    if own & playable:
        return _open(solver, rules, frame, layout, seat, own, other, own_score, other_score, alpha, beta)
    if other & playable == 0:
        return True, _blocked(solver, rules, seat, own, other, own_score, other_score)
    known, value = _open(
        solver, rules, frame, layout, 1 - seat, other, own, other_score, own_score, -beta, -alpha
    )
    return known, -value


@kernel
def _next_placement(frame):
    """Return the next placement of a position, or -1."""
    for group in range(4):
        mask = frame.left[group]
        if mask:
            frame.left[group] = mask & (mask - 1)
            return lowest(mask) + GROUP * group
    return -1


@kernel
def _raise(frame, value):
    """Take in the value of a placement."""
    frame.best = max(frame.best, value)
    frame.floor = max(frame.floor, value)


@kernel
def _search(solver, rules, layout, seat, own, other, own_score, other_score):
    """Return the exact value of a position for a seat whose turn it is; not to be used beyond NODES."""
    frames = solver.frames
    known, value = _visit(
        solver, rules, frames[0], layout, seat, own, other, own_score, other_score, -FAR, FAR
    )
    if known:
        return value
    depth = 0
    while solver.nodes[0] <= NODES:
        frame = frames[depth]
        placement = _next_placement(frame) if frame.best < frame.beta else -1
        if placement < 0:
            _keep(solver, frame)
            value, of = frame.best, frame.seat
            if depth == 0:
                return value if of == seat else -value
            depth -= 1
            _raise(frames[depth], value if frames[depth].seat == of else -value)
            continue
        before = Layout(
            frame.ends, frame.sides, frame.open_ends, frame.open_sides, frame.one_taken, frame.four_sided,
            frame.count,
        )  # fmt: skip
        ended, value, after, left, score = _step(
            solver, rules, before, frame.seat, frame.own, frame.other, frame.own_score, frame.other_score,
            placement,
        )  # fmt: skip
        if ended:
            _raise(frame, value)
            continue
        known, value = _visit(
            solver, rules, frames[depth + 1], after, 1 - frame.seat, frame.other, left, frame.other_score,
            score, -frame.beta, -frame.floor,
        )  # fmt: skip
        if known:
            _raise(frame, -value)
        else:
            depth += 1
    return 0


@kernel
def solve_placements(solver, rules, layout, seat, own, other, scores, listed, n, values):
    """Fill the exact value of each placement; return SOLVED, or UNSOLVED where NODES did not suffice.

    Parameters
    ----------
    own, other : masks of both hands; nothing can be drawn.
    scores : half points of each side; with two players sides are seats.
    listed, n : the placements.
    values : int64 (n,), filled: the margin, or with a target twice the chance to win less one, in millionths.
    """
    own_score, other_score = scores[seat], scores[1 - seat]
    for i in range(n):
        ends, value, after, left, score = _step(
            solver, rules, layout, seat, own, other, own_score, other_score, listed[i]
        )
        if not ends:
            value = -_search(solver, rules, after, 1 - seat, other, left, other_score, score)
        values[i] = value
    return UNSOLVED if solver.nodes[0] > NODES else SOLVED


@kernel
def solve(search, rules, turn, layout, scores, listed, n, values):
    """Solve a turn at which every tile is known; UNSOLVED where a lot may follow, or there is too much."""
    other = ((1 << rules.tiles) - 1) & ~(turn.hand | turn.played)
    if rules.players != 2 or rules.ties == TIES_LOT or turn.drawn < rules.tiles:
        return UNSOLVED
    if popcount(turn.hand | other) > TILES_LEFT:
        return UNSOLVED
    search.world.opener = turn.opener
    solver = Solver(
        search.world, search.bases[turn.seat], search.standing, search.chances[turn.seat],
        np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64),
        np.zeros(1, np.int64), np.zeros(TILES_LEFT + 1, FRAME),
    )  # fmt: skip
    return solve_placements(solver, rules, layout, turn.seat, turn.hand, other, scores, listed, n, values)
