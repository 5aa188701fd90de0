"""A round played on from its middle, or a whole game from its scores, with nothing counted or recorded."""

from __future__ import annotations

from kernels.deal import can_draw, draw
from kernels.given import deal_round
from kernels.jit import kernel
from kernels.layout import TILE, empty_layout, place
from kernels.opener import name_opener
from kernels.policies import Groups, placements
from kernels.rng import CHOICE, child
from kernels.state import END_BLOCKED, END_OUT, END_TARGET
from kernels.steps import choose_for, note_lacks, score_play, settle_round
from kernels.tiles import PLAYABLE


@kernel
def next_to_play(table, rules, seat, open_values, held):
    """Pass and draw until a seat can play; return it and the mask of all tiles held, or -1 where none can."""
    playable = PLAYABLE[open_values]
    while True:
        seat = seat + 1 if seat + 1 < rules.players else 0
        if table.hands[seat] & playable == 0:
            fresh = draw(table, rules, playable)
            held |= fresh
            table.hands[seat] |= fresh
            note_lacks(table, seat, open_values, fresh & ~playable)
        if table.hands[seat] & playable:
            return seat, held
        if held & playable == 0 and not can_draw(table, rules):
            return -1, held


@kernel
def _play_out(table, rules, policies, choice_key, seat, placement, layout, played, plays):
    """Make a placement and play on; set `table.end` and `table.last`, return what is still to be settled."""
    held = 0
    for other in range(rules.players):
        held |= table.hands[other]
    while True:
        tile = 1 << (placement & TILE)
        layout = place(layout, placement, rules.spinner)
        hand = table.hands[seat] ^ tile
        table.hands[seat] = hand
        held ^= tile
        played |= tile
        plays += 1
        points = rules.score[layout.count]
        score_play(table, rules, policies, seat, points, hand == 0, None)
        table.last = seat
        if table.over:
            table.end = END_TARGET
            return 0
        if hand == 0:
            table.end = END_OUT
            return points if rules.last_with else 0
        seat, held = next_to_play(table, rules, seat, layout.open_ends | layout.open_sides, held)
        if seat < 0:
            table.end = END_BLOCKED
            return 0
        hand = table.hands[seat]
        groups = placements(hand, layout)
        placement = choose_for(table, rules, policies, seat, groups, layout, hand, played, choice_key, plays)


@kernel
def play_on(table, rules, policies, round_key, seat, placement, layout, played, plays):
    """Play a round on from a placement of a seat to its settlement.

    Parameters
    ----------
    table : TABLE record with hands, boneyard and scores of the moment; `over` must be 0.
    policies : of all seats.
    round_key : of the streams of ties, counted as in every round.
    layout, played, plays : the layout before the placement, the mask and the number of its tiles.
    """
    choice_key = child(round_key, CHOICE)
    pending = _play_out(table, rules, policies, choice_key, seat, placement, layout, played, plays)
    settle_round(table, rules, policies, pending, round_key, None, None)


@kernel
def play_from(table, rules, policies, round_key, seat, layout, played, plays):
    """Play a round on from the turn of a seat, which leads, or draws and passes where it has to.

    Parameters
    ----------
    table : as for `play_on`; `last` the seat that placed the last tile, `due_lead` a forced lead or 0.
    policies, round_key, layout, played, plays : as for `play_on`.
    """
    held = 0
    for other in range(rules.players):
        held |= table.hands[other]
    groups = Groups(table.due_lead if table.due_lead else table.hands[seat], 0, 0, 0)
    if plays:
        before = seat - 1 if seat else rules.players - 1
        seat, held = next_to_play(table, rules, before, layout.open_ends | layout.open_sides, held)
        if seat < 0:
            table.end = END_BLOCKED
            settle_round(table, rules, policies, 0, round_key, None, None)
            return
        groups = placements(table.hands[seat], layout)
    hand, choice_key = table.hands[seat], child(round_key, CHOICE)
    placement = choose_for(table, rules, policies, seat, groups, layout, hand, played, choice_key, plays)
    play_on(table, rules, policies, round_key, seat, placement, layout, played, plays)


@kernel
def finish_game(table, rules, policies, key):
    """Play rounds after one that has ended until the game is over or the guard stops it."""
    for game_round in range(table.game_round + 1, rules.guard):
        if table.over:
            return
        table.game_round = game_round
        round_key = child(key, game_round)
        name_opener(table, rules, round_key)
        deal_round(table, rules, round_key)
        seat = table.opener
        hand = table.hands[seat]
        layout = empty_layout(rules.spinner)
        groups = Groups(table.due_lead if table.due_lead else hand, 0, 0, 0)
        placement = choose_for(
            table, rules, policies, seat, groups, layout, hand, 0, child(round_key, CHOICE), 0
        )
        play_on(table, rules, policies, round_key, seat, placement, layout, 0, 0)
