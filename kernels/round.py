"""One round: deal, turns, end and settlement.

A round ends *out*, *blocked* or at the *target*. Whether it is blocked is asked only when a seat is stuck
and nothing more can be drawn; since nothing changes between the play that blocks and that question, no lap
of passes is played or counted.
"""

from __future__ import annotations

from kernels.bits import popcount
from kernels.control import count_controls
from kernels.deal import can_draw, draw, finish_shuffle
from kernels.given import deal_round
from kernels.history import forget, note_placed, note_stuck
from kernels.jit import inlined, kernel
from kernels.layout import TILE, empty_layout, place
from kernels.policies import Groups, placements
from kernels.record import NO_PLACEMENT, UNTESTED, log_end, log_round, log_turn
from kernels.rng import CHOICE, child
from kernels.rollout import Turn, search_placement
from kernels.state import END_BLOCKED, END_OUT, END_TARGET
from kernels.steps import choose_for, note_lacks, score_play, settle_round
from kernels.tallies import ROW, SHARES
from kernels.tiles import PLAYABLE

_PLAYING = -1
_ROUNDS, _DECIDED, _BLOCKED, _TIED, _CUT = (ROW[n] for n in ("rounds", "decided", "blocked", "tied", "cut"))
_OPENER_SHARE, _OPENER_MARGIN = ROW["opener_share"], ROW["opener_margin"]
_PLAYS, _DRAWS, _PASSES = ROW["plays"], ROW["draws"], ROW["passes"]
_POINTS, _SCORING = ROW["points"], ROW["scoring"]
_OFFSET_SHARE, _OFFSET_MARGIN = ROW["offset_share_0"], ROW["offset_margin_0"]
_POLICY_PLAYS, _POLICY_POINTS = ROW["policy_plays_0"], ROW["policy_points_0"]
_POLICY_OPENED, _POLICY_BLOCKED = ROW["policy_opened_0"], ROW["policy_blocked_0"]


@inlined
def _end_if_blocked(table, rules, seat, drawn, playable_held, log):
    """Record the turn of a seat that cannot play; return how the round ends by it, or _PLAYING."""
    is_blocked = playable_held == 0 and not can_draw(table, rules)
    if log is not None and (drawn > 0 or not is_blocked):
        log_turn(log, table, seat, drawn, NO_PLACEMENT, 0, 0, UNTESTED)
    return END_BLOCKED if is_blocked else _PLAYING


@inlined
def _count_play(table, policies, seat, count, points, tally):
    """Count a play by the layout's count and, where policies differ, by policy."""
    tally.counts[count] += table.weight
    if policies.count > 1:
        tally.rows[_POLICY_PLAYS + policies.index[seat], table.slot] += 1
        tally.rows[_POLICY_POINTS + policies.index[seat], table.slot] += points


@kernel
def _play_turns(table, rules, policies, search, round_key, tally, log):
    """Play the turns of a round; set `table.end` and `table.last`.

    Returns
    -------
    int : half points of a last play that enter the settlement, else 0.
    """
    choice_key = child(round_key, CHOICE)
    held = deal_round(table, rules, round_key)
    if log is not None:
        log_round(log, table, table.by_lot)
    if search is not None:
        forget(search.history)
    layout = empty_layout(rules.spinner)
    played, plays, draws, passes, total, scoring, pending = 0, 0, 0, 0, 0, 0, 0
    end = _PLAYING
    seat = table.opener
    while end == _PLAYING:
        hand = table.hands[seat]
        following = seat + 1 if seat + 1 < rules.players else 0
        drawn = 0
        if plays == 0:
            leads = table.forced_lead | table.due_lead
            groups = Groups(leads if leads else hand, 0, 0, 0)
        else:
            open_values = layout.open_ends | layout.open_sides
            playable = PLAYABLE[open_values]
            if hand & playable == 0:
                fresh = draw(table, rules, playable)
                drawn = popcount(fresh)
                draws += drawn
                hand |= fresh
                held |= fresh
                table.hands[seat] = hand
                note_lacks(table, seat, open_values, fresh & ~playable)
                if search is not None:
                    note_stuck(search.history, seat, open_values, drawn, hand & playable != 0)
            if hand & playable == 0:
                end = _end_if_blocked(table, rules, seat, drawn, held & playable, log)
                passes += 1 if held & playable else 0
                seat = following
                continue
            groups = placements(hand, layout)
        if search is not None and search.worlds[seat] > 0:
            at = Turn(seat, hand, played, plays, table.drawn, table.opener, table.game_round)
            placement = search_placement(search, rules, at, groups, layout, table.scores, round_key)
        else:
            placement = choose_for(
                table, rules, policies, seat, groups, layout, hand, played, choice_key, plays
            )
        if search is not None:
            note_placed(search.history, seat, placement & TILE, drawn > 0)
        layout = place(layout, placement, rules.spinner)
        tile = 1 << (placement & TILE)
        if plays == 0:
            table.lead = placement & TILE
        hand ^= tile
        held ^= tile
        played |= tile
        table.hands[seat] = hand
        points = rules.score[layout.count]
        plays += 1
        total += points
        scoring += 1 if points > 0 else 0
        _count_play(table, policies, seat, layout.count, points, tally)
        accepted = score_play(table, rules, policies, seat, points, hand == 0, tally)
        if log is not None:
            log_turn(log, table, seat, drawn, placement, layout.count, points, accepted)
        table.last = seat
        if table.over:
            end = END_TARGET
        elif hand == 0:
            end = END_OUT
            pending = points if rules.last_with else 0
        seat = following
    table.end = end
    tally.rows[_PLAYS, table.slot] += plays
    tally.rows[_DRAWS, table.slot] += draws
    tally.rows[_PASSES, table.slot] += passes
    tally.rows[_POINTS, table.slot] += total
    tally.rows[_SCORING, table.slot] += scoring
    return pending


@kernel
def share_of(winners, side):
    """Return a side's share of a round or game in twelfths."""
    return SHARES[popcount(winners)] if winners >> side & 1 else 0


@kernel
def _margin(table, rules, side):
    """Return (sides - 1) * the side's half points of this round - the other sides'."""
    others = 0
    for other in range(rules.sides):
        others += table.scores[other] - table.before[other]
    return rules.sides * (table.scores[side] - table.before[side]) - others


@kernel
def _count_opening(table, margin, decided, share, tally):
    """Count the round under its lead; the game's own sums by lead are folded in by `kernels.game`."""
    tally.openings[table.lead, 0] += table.weight
    tally.openings[table.lead, 3] += table.weight * margin
    if decided:
        table.touched |= 1 << table.lead
        table.lead_decided[table.lead] += 1
        table.lead_share[table.lead] += share


@kernel
def _count_round(table, rules, policies, tally):
    """Count how a round ended, for its opener and for each seat after it."""
    decided = table.end != END_TARGET
    blocked = table.end == END_BLOCKED
    tally.rows[_ROUNDS, table.slot] += 1
    if decided:
        policy = policies.index[table.opener]
        tally.rows[_DECIDED, table.slot] += 1
        tally.rows[_POLICY_OPENED + policy, table.slot] += 1
        if blocked:
            tally.rows[_BLOCKED, table.slot] += 1
            tally.rows[_POLICY_BLOCKED + policy, table.slot] += 1
            tally.rows[_TIED, table.slot] += 1 if popcount(table.winners) > 1 else 0
    else:
        tally.rows[_CUT, table.slot] += 1
    for offset in range(rules.players):
        seat = table.opener + offset
        side = rules.side[seat if seat < rules.players else seat - rules.players]
        margin = _margin(table, rules, side)
        share = share_of(table.winners, side) if decided else 0
        tally.rows[_OFFSET_SHARE + offset, table.slot] += share
        tally.rows[_OFFSET_MARGIN + offset, table.slot] += margin
        if offset == 0:
            tally.rows[_OPENER_SHARE, table.slot] += share
            tally.rows[_OPENER_MARGIN, table.slot] += margin
            _count_opening(table, margin, decided, share, tally)


@kernel
def note_scores(table, rules):
    """Keep the scores with which a round begins."""
    for side in range(rules.sides):
        table.before[side] = table.scores[side]


@kernel
def end_round(table, rules, policies, pending, round_key, tally, log):
    """Settle and count a round that ended as `table.end` says; its parameters are those of `play_round`.

    Parameters
    ----------
    pending : half points of a last play that enter the settlement.
    """
    settle_round(table, rules, policies, pending, round_key, tally, log)
    if log is not None:
        finish_shuffle(table, rules)
        log_end(log, table)
    _count_round(table, rules, policies, tally)
    if rules.control:
        count_controls(table, rules, tally)


@kernel
def play_round(table, rules, policies, search, round_key, tally, log):
    """Play, settle and count one round that `table.opener` opens.

    Parameters
    ----------
    table : what `kernels.game` sets: who opens, `game_round`, `slot`, `weight`, `scores`.
    search : see `kernels.rollout`, or None where no policy searches.
    round_key : the round's random key.
    tally : the tally record.
    log : see `kernels.record`, or None.
    """
    note_scores(table, rules)
    pending = _play_turns(table, rules, policies, search, round_key, tally, log)
    end_round(table, rules, policies, pending, round_key, tally, log)
