"""Rounds of policies that look at the scores, each played from all pairs of scores at once.

A policy sees the score of its own side alone, and that through what the target does to the points of its
placements. So a round takes the same course from many scores. A *branch* is one course, with the scores of
side 0 and those of side 1 from which it is taken: from each of these with each of those. The first branch
starts from all. Where scores of the side to play choose different placements, those that differ from the
lowest score leave for branches of their own, which are played from the deal on, their first placements known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kernels.features import gain_features, near_points
from kernels.given import deal_round
from kernels.jit import kernel
from kernels.layout import TILE, count_after, empty_layout, place
from kernels.playout import next_to_play
from kernels.policies import Groups, placements
from kernels.race import BY_HIGHEST, MOST_STEPS, follower_of, set_out, write_steps
from kernels.rng import CHOICE, child, game_key
from kernels.rollout import list_placements
from kernels.state import END_BLOCKED, END_OUT
from kernels.steps import choose_for, settle_round


class Work(NamedTuple):
    """Scratch for one round; places are those of both sides, side 1's after side 0's."""

    placed: Any  # int64 (branches, MAX_TILES): placements in their order
    known: Any  # int64 (branches,): how many of them are known before the branch is played
    members: Any  # int8 (branches, 2 * size): whether a score is the branch's
    scores: Any  # int64 (2 * size,): by place the score now, in units above the lowest
    chosen: Any  # int64 (size,): by place the placement
    seen: Any  # int64 (size,): half points of scores that chose on their own
    choices: Any  # int64 (size,): what these chose
    listed: Any  # int64 (PLACES,)
    points: Any  # int64 (PLACES,)


class _Moment(NamedTuple):
    """A turn with a placement."""

    seat: int
    side: int  # as the branches count sides
    hand: int
    played: int
    plays: int


@kernel
def _list_points(layout, rules, listed, n, points):
    """Write the distinct points, above 0, that placements earn; return their number."""
    found = 0
    for i in range(n):
        earned = rules.score[count_after(layout, listed[i])]
        known = earned == 0
        for j in range(found):
            known = known or points[j] == earned
        if not known:
            points[found] = earned
            found += 1
    return found


@kernel
def _are_alike(points, n, score, other, rules):
    """Whether two scores look the same to every policy that has these points to choose from."""
    ends_hand = n < 0  # a last play that comes with the settlement would look more alike still
    for i in range(n):
        accepted, wins = gain_features(points[i], score, ends_hand, rules)
        also_accepted, also_wins = gain_features(points[i], other, ends_hand, rules)
        if accepted != also_accepted or wins != also_wins:
            return False
        near = near_points(accepted, score, ends_hand, rules)
        if near != near_points(accepted, other, ends_hand, rules):
            return False
    return True


@kernel
def _choose_by_score(table, rules, policies, moment, groups, layout, choice_key, grid, work, branch, points):
    """Fill in what each score of the side to play chooses; return how many chose on their own."""
    found = 0
    first = moment.side * grid.size
    for place_ in range(grid.size):
        units = work.scores[first + place_]
        if work.members[branch, first + place_] == 0 or units >= grid.goal:
            continue
        score = (units + grid.lowest) * grid.unit
        like = -1
        for i in range(found):
            if _are_alike(work.points, points, score, work.seen[i], rules):
                like = i
                break
        if like < 0:
            like = found
            table.scores[rules.side[moment.seat]] = score
            work.seen[like] = score
            work.choices[like] = choose_for(
                table, rules, policies, moment.seat, groups, layout, moment.hand, moment.played, choice_key,
                moment.plays,
            )  # fmt: skip
            found += 1
        work.chosen[place_] = work.choices[like]
    return found


@kernel
def _part(moment, grid, work, branch, branches, choice):
    """Let the scores that chose otherwise leave for a new branch, if there is room for it."""
    if branches >= work.known.shape[0]:
        return
    first, other = moment.side * grid.size, (1 - moment.side) * grid.size
    for place_ in range(grid.size):
        work.members[branches, other + place_] = work.members[branch, other + place_]
        leaves = (
            work.members[branch, first + place_] == 1
            and work.scores[first + place_] < grid.goal
            and work.chosen[place_] == choice
        )
        work.members[branches, first + place_] = 1 if leaves else 0
    for place_ in range(grid.size):
        if work.members[branches, first + place_]:
            work.members[branch, first + place_] = 0
    for i in range(moment.plays):
        work.placed[branches, i] = work.placed[branch, i]
    work.placed[branches, moment.plays] = choice
    work.known[branches] = moment.plays + 1


@kernel
def _decide(table, rules, policies, moment, groups, layout, choice_key, grid, work, branch, branches):
    """Return (the placement of a branch, the branches that there are now)."""
    n = list_placements(groups, moment.plays == 0, work.listed)
    if n == 1:
        return work.listed[0], branches
    points = _list_points(layout, rules, work.listed, n, work.points)
    found = _choose_by_score(
        table, rules, policies, moment, groups, layout, choice_key, grid, work, branch, points
    )
    main = work.choices[0]
    for i in range(1, found):
        choice = work.choices[i]
        is_new = choice != main
        for j in range(1, i):
            is_new = is_new and work.choices[j] != choice
        if is_new:
            _part(moment, grid, work, branch, branches, choice)
            branches += 1
    return main, branches


@kernel
def _gain(rules, grid, work, branch, side, net):
    """Let a side gain so many units at each score of a branch; return whether all of them have won."""
    all_won = True
    first = side * grid.size
    for place_ in range(grid.size):
        units = work.scores[first + place_]
        if work.members[branch, first + place_] == 0 or units >= grid.goal:
            continue
        if not (rules.exact and units + net > grid.goal):
            units += net
            work.scores[first + place_] = units
        all_won = all_won and units >= grid.goal
    return all_won


@kernel
def _play_branch(
    table, rules, free, policies, round_key, opener, grid, work, branch, branches, tally, log, steps, start
):
    """Play one branch; return (the branches that there are now, the place after its steps, the follower).

    Parameters are as for `play_branched_rounds`.
    """
    set_out(table, opener)
    held = deal_round(table, rules, round_key)
    turned = rules.side[table.opener] if opener == BY_HIGHEST else 0
    choice_key = child(round_key, CHOICE)
    for place_ in range(grid.size):
        work.scores[place_] = place_ * grid.coarse
        work.scores[grid.size + place_] = place_ * grid.coarse
    layout = empty_layout(rules.spinner)
    seat, played, plays, stop, pending = table.opener, 0, 0, start, 0
    while True:
        hand = table.hands[seat]
        groups = Groups(table.due_lead if table.due_lead else hand, 0, 0, 0)
        if plays > 0:
            groups = placements(hand, layout)
        side = rules.side[seat] ^ turned
        if plays < work.known[branch]:
            placement = work.placed[branch, plays]
        else:
            moment = _Moment(seat, side, hand, played, plays)
            placement, branches = _decide(
                table, rules, policies, moment, groups, layout, choice_key, grid, work, branch, branches
            )
            work.placed[branch, plays] = placement
        layout = place(layout, placement, rules.spinner)
        tile = 1 << (placement & TILE)
        table.hands[seat] = hand ^ tile
        held ^= tile
        played |= tile
        plays += 1
        table.last = seat
        points = free.score[layout.count]
        waits = hand == tile and rules.last_with
        if points > 0 and not waits:
            steps[stop] = 2 * (points // grid.unit) + side
            stop += 1
            if _gain(rules, grid, work, branch, side, points // grid.unit):
                return branches, stop, 0  # every game is over, so nobody opens a next round
        if hand == tile:
            table.end, pending = END_OUT, points if waits else 0
            break
        seat, held = next_to_play(table, rules, seat, layout.open_ends | layout.open_sides, held)
        if seat < 0:
            table.end = END_BLOCKED
            break
    log[0, 0] = 1
    settle_round(table, free, policies, pending, round_key, tally, log)
    return (
        branches,
        write_steps(log, rules, grid.unit, steps, stop, turned),
        follower_of(table, rules, turned),
    )


@kernel
def play_branched_rounds(
    table, rules, free, policies, seed, first, rounds, opener, grid, tally, log, work, out
):
    """Play round 0 of games `first` ... from every pair of scores, as far as there is room.

    Parameters
    ----------
    rules, free : with the target and without.
    opener : seat, or BY_HIGHEST.
    grid : kernels.race.Grid.
    work : Work; its length is the most branches of a round.
    out : (counts, steps, sizes, followers, members): int64 (rounds,), the branches of each round; int64, the
        steps of the branches in their order; int64 (branches,), how many each has, and who opens next; int8
        (branches, 2 * size), the scores from which it is taken. Filled from their starts.

    Returns
    -------
    (int, int, int) : rounds, branches and steps written.
    """
    counts, steps, sizes, followers, members = out
    room = work.known.shape[0]
    used, stop = 0, 0
    for game in range(rounds):
        if used + room > sizes.shape[0] or stop + room * MOST_STEPS > steps.shape[0]:
            return game, used, stop
        round_key = child(game_key(seed, first + game), 0)
        work.known[0] = 0
        for place_ in range(2 * grid.size):
            work.members[0, place_] = 1
        branch, branches, end = 0, 1, stop
        while branch < branches and branches <= room:
            start = end
            branches, end, followers[used + branch] = _play_branch(
                table, rules, free, policies, round_key, opener, grid, work, branch, branches, tally, log,
                steps, start,
            )  # fmt: skip
            sizes[used + branch] = end - start
            branch += 1
        if branches > room:
            return game, used, stop
        for branch in range(branches):  # no slices: they would bring in code for messages
            for place_ in range(2 * grid.size):
                members[used + branch, place_] = work.members[branch, place_]
        counts[game] = branches
        used, stop = used + branches, end
    return rounds, used, stop
