"""What one lane does apart from the others: it begins a round, is stuck, takes points, ends its round."""

from __future__ import annotations

from kernels.bits import lowest
from kernels.deal import deal_hand, draw_from, open_by_highest_double, shuffle
from kernels.game import begin_game, end_game
from kernels.halves import LEADS_FROM, TILE_MASK, TILES, halves_of, tiles_of
from kernels.jit import inlined, kernel
from kernels.lanes import SEAT_MASK
from kernels.layout_word import START, leads_page
from kernels.opener import name_opener
from kernels.rng import CHOICE, DEAL, child, game_key
from kernels.round import end_round, note_scores
from kernels.state import END_BLOCKED, END_OUT, END_TARGET
from kernels.steps import score_play
from kernels.tallies import ROW

_PLAYS, _DRAWS, _PASSES = ROW["plays"], ROW["draws"], ROW["passes"]
_POINTS, _SCORING, _POLICY_POINTS = ROW["points"], ROW["scoring"], ROW["policy_points_0"]


@kernel
def _deal(table, lanes, lane, rules, key):
    order, partner = lanes.order[lane], lanes.partner[lane]
    shuffle(order, partner, TILES, key)
    for seat in range(rules.players):
        hand = deal_hand(order, partner, seat * rules.hand, rules.hand)
        table.dealt[seat] = hand
        lanes.hands[seat, lane] = hand
    lanes.drawn[lane] = rules.players * rules.hand


@kernel
def begin_round(table, lanes, lane, rules):
    """Deal the round `table.game_round` of the table's game and let its opener be the next to play."""
    key = child(table.key, table.game_round)
    name_opener(table, rules, key)
    note_scores(table, rules)
    _deal(table, lanes, lane, rules, child(key, DEAL))
    if table.by_highest:
        open_by_highest_double(table, rules)
    lanes.layout[lane], lanes.count[lane], lanes.page[lane] = START, LEADS_FROM, leads_page(rules.spinner)
    lanes.seat[lane], lanes.hand[lane] = table.opener, table.dealt[table.opener]
    leads = table.forced_lead | table.due_lead
    lanes.allowed[lane] = leads if leads else TILE_MASK
    lanes.choices[lane] = child(key, CHOICE)
    lanes.plays[lane], lanes.points[lane], lanes.scoring[lane] = 0, 0, 0


@kernel
def begin(table, lanes, lane, rules, seed, game, weight, lead):
    """Begin a game in a lane; `table.slot` must be set.

    Parameters
    ----------
    weight, lead : of `kernels.state`: `weight` and `forced_lead`.
    """
    table.game, table.key = game, game_key(seed, game)
    table.weight, table.forced_lead = weight, lead
    lanes.weight[lane] = weight
    begin_game(table, rules)
    begin_round(table, lanes, lane, rules)
    table.first_opener = table.opener


@inlined
def draw_or_pass(table, lanes, lane, rules, tally):
    """Let a seat that has no placement draw, and list what it can place then, or pass.

    Returns
    -------
    int : 1 where the round is blocked, else 0.
    """
    ends, doubles = lanes.joining_ends[lane], lanes.joining_doubles[lane]
    playable = tiles_of(ends | doubles)
    boneyard_end = TILES - rules.reserve
    stop = min(boneyard_end, lanes.drawn[lane] + rules.draws)
    fresh, lanes.drawn[lane] = draw_from(
        lanes.order[lane], lanes.partner[lane], lanes.drawn[lane], stop, playable
    )
    hand = lanes.hand[lane] | fresh
    lanes.hand[lane] = hand
    if fresh & playable:
        halves = halves_of(hand)
        lanes.ends[lane], lanes.doubles[lane] = halves & ends, halves & doubles
        return 0
    seat = lanes.seat[lane]
    lanes.hands[seat & SEAT_MASK, lane] = hand
    held = 0
    for other in range(rules.players):
        held |= lanes.hands[other & SEAT_MASK, lane]
    if held & playable:
        tally.rows[_PASSES, table.slot] += 1
    elif rules.draws == 0 or lanes.drawn[lane] >= boneyard_end:
        table.end = END_BLOCKED
        return 1
    following = seat + 1 if seat + 1 < rules.players else 0
    lanes.seat[lane], lanes.hand[lane] = following, lanes.hands[following & SEAT_MASK, lane]
    return 0


@inlined
def note_lead(table, lanes, lane):
    """Keep which tile the opener led: the one that its hand lacks now."""
    table.lead = lowest(table.dealt[table.opener] ^ lanes.hands[table.opener & SEAT_MASK, lane])


@inlined
def take_points(table, lanes, lane, rules, policies, is_last, tally):
    """Apply the points of the lane's play."""
    seat, earned = lanes.last[lane] & SEAT_MASK, lanes.earned[lane]
    if policies.count > 1:
        tally.rows[_POLICY_POINTS + policies.index[seat], table.slot] += earned
    score_play(table, rules, policies, seat, earned, is_last, tally)


@inlined
def end(table, lanes, lane, rules, policies, tally):
    """Settle and count a round that is out, blocked or at the target, and begin the game's next one.

    `table.end` is END_BLOCKED where it is blocked, and END_OUT where not.

    Returns
    -------
    bool : the game goes on.
    """
    for seat in range(rules.players):
        table.hands[seat] = lanes.hands[seat, lane]
    table.last = lanes.last[lane]
    tally.rows[_PLAYS, table.slot] += lanes.plays[lane]
    tally.rows[_POINTS, table.slot] += lanes.points[lane]
    tally.rows[_SCORING, table.slot] += lanes.scoring[lane]
    tally.rows[_DRAWS, table.slot] += lanes.drawn[lane] - rules.players * rules.hand
    pending = 0
    if table.over:
        table.end = END_TARGET
    elif table.end == END_OUT and rules.last_with:
        pending = lanes.earned[lane]
    end_round(table, rules, policies, pending, child(table.key, table.game_round), tally, None)
    if table.over == 0 and table.game_round + 1 < rules.guard and rules.target > 0:
        table.game_round += 1
        begin_round(table, lanes, lane, rules)
        return True
    end_game(table, rules, policies, tally)
    lanes.hand[lane] = 0
    return False
