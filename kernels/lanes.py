"""Rounds of the double-six set in lanes, one step of all of them at a time.

Each step is a loop over the lanes without a branch. Most loops are vector code: eight lanes an instruction
where the machine has 512-bit words. Those that look something up in a table are not, but no lane waits for
another there, nor for a branch that was guessed wrong. So steps are cut where one kind of loop ends and the
other begins, and values go from step to step through the record below. A lane that cannot play takes part
in every step and changes nothing: its `playing` is 0, and masks do the rest.

Only policies without weights or with points alone play here (`kernels.policies`: UNIFORM, POINTS, ACCEPTED).
"""

from __future__ import annotations

import numpy as np

from kernels.bits import nth_bit, popcount
from kernels.halves import BY_LEVEL, COUNT_MASK, HALVES, LEVEL_COUNTS, LEVELS, SCORING, halves_of
from kernels.jit import JIT_DISABLED, inlined, kernel
from kernels.layout_word import (
    EFFECTS,
    EFFECTS_MASK,
    completing,
    count_change,
    joining_doubles,
    joining_ends,
    page_after,
    tile_of,
)
from kernels.rng import below, later
from kernels.tallies import MAX_SEATS, ROW

# Lanes: one for each bit of a mask. In plain Python a mask of 64 bits would grow beyond an int64.
COUNT = 32 if JIT_DISABLED else 64
SEAT_MASK = MAX_SEATS - 1
DECK = 32  # room for the tiles of the set
_POLICY_PLAYS = ROW["policy_plays_0"]
_NOTHING = -1 << 63  # a bit above all halves, so that there always is one to find

LANES = np.dtype(
    [
        ("layout", np.int64, COUNT),  # `kernels.layout_word`
        ("page", np.int64, COUNT),  # first page of the book that is open
        ("count", np.int64, COUNT),
        ("seat", np.int64, COUNT),  # whose turn it is
        ("hand", np.int64, COUNT),  # its tiles; 0 in a lane that is free
        ("hands", np.int64, (MAX_SEATS, COUNT)),  # of all others
        ("allowed", np.int64, COUNT),  # halves that may be played: before the lead not all
        ("last", np.int64, COUNT),  # seat that placed the last tile
        ("choices", np.uint64, COUNT),  # key of the words that choose among placements, from the next one on
        ("plays", np.int64, COUNT),  # of this round
        ("points", np.int64, COUNT),  # half points of them
        ("scoring", np.int64, COUNT),  # those that earn points
        ("weight", np.int64, COUNT),  # as in `kernels.state`
        ("drawn", np.int64, COUNT),  # next position to draw from
        ("order", np.uint8, (COUNT, DECK)),  # the shuffle, as in `kernels.state`
        ("partner", np.uint8, (COUNT, DECK)),
        # from one step to the next
        ("joining_ends", np.int64, COUNT),  # halves that join an end, whoever holds them
        ("joining_doubles", np.int64, COUNT),
        ("completing", np.int64, COUNT),
        ("ends", np.int64, COUNT),  # placements: halves at ends
        ("doubles", np.int64, COUNT),  # and at standing doubles
        ("scoring_ends", np.int64, COUNT),  # rows of SCORING
        ("scoring_lines", np.int64, COUNT),
        ("scoring_sides", np.int64, COUNT),
        ("playing", np.int64, COUNT),  # -1 where a tile is placed, else 0
        ("halves", np.int64, COUNT),  # the class of placements that is chosen from
        ("nth", np.int64, COUNT),  # and which of them
        ("pages", np.int64, COUNT),  # first page of the class
        ("change", np.int64, COUNT),  # EFFECTS
        ("rest", np.int64, COUNT),
        ("next_seat", np.int64, COUNT),
        ("earned", np.int64, COUNT),  # half points of this play
    ]
)


@inlined
def _chosen(old, new, mask):
    """Return `new` where the mask is -1, `old` where it is 0."""
    return old ^ (old ^ new) & mask


@kernel
def list_placements(lanes):
    """List the placements of each lane's hand; return the mask of the lanes that have one."""
    for lane in range(COUNT):
        layout = lanes.layout[lane]
        at_ends, at_doubles = joining_ends(layout), joining_doubles(layout)
        halves = halves_of(lanes.hand[lane]) & lanes.allowed[lane]
        lanes.joining_ends[lane], lanes.joining_doubles[lane] = at_ends, at_doubles
        lanes.ends[lane], lanes.doubles[lane] = halves & at_ends, halves & at_doubles
    able = 0
    for lane in range(COUNT):
        able |= (1 if lanes.ends[lane] | lanes.doubles[lane] else 0) << lane
    return able


@kernel
def _look_up_scoring(lanes):
    for lane in range(COUNT):
        row = SCORING[lanes.count[lane] & COUNT_MASK]
        lanes.scoring_ends[lane] = row.end
        lanes.scoring_lines[lane] = row.line
        lanes.scoring_sides[lane] = row.side


@kernel
def _keep_scoring(lanes, by_points, wary):
    """Keep the placements that score, where there are any; return the mask of lanes that must look closer."""
    closer = 0
    for lane in range(COUNT):
        lines = completing(lanes.layout[lane])
        ends, doubles = lanes.ends[lane], lanes.doubles[lane]
        scoring_ends = ends & lanes.scoring_ends[lane]
        scoring_doubles = doubles & _chosen(lanes.scoring_sides[lane], lanes.scoring_lines[lane], lines)
        n = (popcount(scoring_ends) + popcount(scoring_doubles)) & -(by_points >> lanes.seat[lane] & 1)
        scores = -n >> 63
        lanes.completing[lane] = lines
        lanes.ends[lane] = _chosen(ends, scoring_ends, scores)
        lanes.doubles[lane] = _chosen(doubles, scoring_doubles, scores)
        fewest = 1 - (wary >> lanes.seat[lane] & 1)
        closer |= (1 if n > fewest else 0) << lane
    return closer


@inlined
def keep_highest(lanes, lane, rules, room):
    """Keep the placements of a lane that leave the highest count, of those that score.

    Parameters
    ----------
    room : half points that are accepted; where all placements earn more, every legal one is as good.
    """
    ends, doubles, lines = lanes.ends[lane], lanes.doubles[lane], lanes.completing[lane]
    count = lanes.count[lane] & COUNT_MASK
    best_ends, best_doubles = 0, 0
    for level in range(LEVELS):
        row = BY_LEVEL[count, level]
        none_yet = -1 if best_ends | best_doubles == 0 else 0
        fits = -1 if rules.score[LEVEL_COUNTS[count, level] & COUNT_MASK] <= room else 0
        best_ends |= ends & row.end & none_yet & fits
        best_doubles |= doubles & _chosen(row.side, row.line, lines) & none_yet & fits
    if best_ends | best_doubles == 0:
        legal = halves_of(lanes.hand[lane]) & lanes.allowed[lane]
        best_ends, best_doubles = legal & lanes.joining_ends[lane], legal & lanes.joining_doubles[lane]
    lanes.ends[lane], lanes.doubles[lane] = best_ends, best_doubles


@kernel
def keep_scoring(lanes, by_points, wary):
    """Keep the placements that score, for the seats of the mask `by_points` where they have any.

    Parameters
    ----------
    wary : mask of the seats among them that ask whether the points are accepted.

    Returns
    -------
    int : mask of the lanes of which `keep_highest` keeps the best: with several of them, or one that is wary.
    """
    _look_up_scoring(lanes)
    return _keep_scoring(lanes, by_points, wary)


@kernel
def _draw_lots(lanes):
    for lane in range(COUNT):
        ends, doubles, choices = lanes.ends[lane], lanes.doubles[lane], lanes.choices[lane]
        n_ends = popcount(ends)
        n = n_ends + popcount(doubles)
        i = below(choices, 0, n)
        playing = -n >> 63
        past = n_ends - 1 - i >> 63 & playing  # -1 where it is one of the doubles
        lanes.playing[lane] = playing
        lanes.halves[lane] = _chosen(ends, doubles, past) | _NOTHING
        lanes.nth[lane] = i - (n_ends & past)
        lanes.pages[lane] = lanes.page[lane] + (HALVES & past)
        lanes.choices[lane] = later(choices) if n else choices


@kernel
def _look_up_effects(lanes):
    for lane in range(COUNT):
        page = lanes.pages[lane] + nth_bit(lanes.halves[lane], lanes.nth[lane])
        effect = EFFECTS[page & EFFECTS_MASK]
        lanes.change[lane] = effect.layout
        lanes.rest[lane] = effect.rest


@kernel
def choose(lanes):
    """Choose one of each lane's placements, uniformly, by the next word of its stream."""
    _draw_lots(lanes)
    _look_up_effects(lanes)


@kernel
def count_by_policy(tables, lanes, policies, tally):
    """Count the plays by policy, where there are several."""
    for lane in range(COUNT):
        policy = policies.index[lanes.seat[lane] & SEAT_MASK]
        tally.rows[_POLICY_PLAYS + policy, tables[lane].slot] -= lanes.playing[lane]


@kernel
def place(lanes, players):
    """Place what was chosen; return the masks of the lanes whose hand is empty now, and of those that led."""
    emptied, led = 0, 0
    for lane in range(COUNT):
        playing, layout, rest = lanes.playing[lane], lanes.layout[lane], lanes.rest[lane]
        hand = lanes.hand[lane] ^ (tile_of(rest) & playing)
        seat = lanes.seat[lane]
        following = seat + 1 if seat + 1 < players else 0
        emptied |= ((1 if hand == 0 else 0) & playing) << lane
        led |= ((1 if lanes.allowed[lane] != -1 else 0) & playing) << lane
        lanes.hand[lane] = hand
        lanes.count[lane] += count_change(layout, rest) & playing
        lanes.layout[lane] = layout + (lanes.change[lane] & playing)
        lanes.page[lane] = _chosen(lanes.page[lane], page_after(rest), playing)
        lanes.allowed[lane] |= playing
        lanes.last[lane] = _chosen(lanes.last[lane], seat, playing)
        lanes.next_seat[lane] = _chosen(seat, following, playing)
        lanes.plays[lane] -= playing
    return emptied, led


@kernel
def _look_up_points(lanes, rules, tally):
    for lane in range(COUNT):
        playing, count = lanes.playing[lane], lanes.count[lane] & COUNT_MASK
        tally.counts[count] += lanes.weight[lane] & playing
        lanes.earned[lane] = rules.score[count] & playing
        lanes.hands[lanes.seat[lane] & SEAT_MASK, lane] = lanes.hand[lane]
        lanes.hand[lane] = lanes.hands[lanes.next_seat[lane] & SEAT_MASK, lane]


@kernel
def _count_points(lanes):
    scored = 0
    for lane in range(COUNT):
        earned = lanes.earned[lane]
        scores = 1 if earned > 0 else 0
        lanes.seat[lane] = lanes.next_seat[lane]
        lanes.points[lane] += earned
        lanes.scoring[lane] += scores
        scored |= scores << lane
    return scored


@kernel
def pass_turns(lanes, rules, tally):
    """Count the plays by what they left and pass the turn; return the mask of lanes that earned points."""
    _look_up_points(lanes, rules, tally)
    return _count_points(lanes)
