"""First rounds that are fixed in part: tiles that lie where they are told, an opener, a condition.

The table says what is fixed (`kernels.state`): `fixed` by position, `given_opener`, and `code`, a condition
as a program for a stack machine. Everything else is dealt at random, and the first deal of the round's own
stream that meets the condition is taken; docs/randomness.md says from which words each try is dealt.

    code   pairs (operation, argument) in postfix order; VALUE pushes its argument, every other operation
           takes its operands from the stack and pushes what they come to, comparisons and logic as 1 or 0
"""

from __future__ import annotations

from kernels.bits import popcount
from kernels.control import scoring_leads
from kernels.deal import deal, open_by_highest_double
from kernels.jit import kernel
from kernels.rng import DEAL, OPENER, RETRY, below, child
from kernels.settlement import pips_of
from kernels.tiles import DOUBLES, PLAYABLE

(
    VALUE, ADD, SUBTRACT, MULTIPLY, NEGATE,
    EQUAL, UNEQUAL, LESS, LESS_EQUAL, AND, OR, NOT,
    OPENER_SEAT, HAND_DOUBLES, HAND_PIPS, HAND_LEADS, HAND_TILES, HAND_HOLDS,
) = range(18)  # fmt: skip


@kernel
def _deal_rest(table, rules, key):
    """Deal with the fixed tiles in their places and all others shuffled over the free ones."""
    free, fixed = 0, 0
    for position in range(rules.tiles):
        if table.fixed[position]:
            fixed |= 1 << (table.fixed[position] - 1)
    for tile in range(rules.tiles):
        if fixed >> tile & 1 == 0:
            table.partner[free] = tile
            free += 1
    step = 0
    for position in range(rules.tiles):
        if table.fixed[position]:
            table.order[position] = table.fixed[position] - 1
        else:
            other = step + below(key, step, free - step)
            tile = table.partner[other]
            table.partner[other] = table.partner[step]
            table.partner[step] = tile
            table.order[position] = tile
            step += 1
    for position in range(rules.tiles):
        table.partner[position] = position  # nothing is left to be shuffled
    dealt = 0
    for seat in range(rules.players):
        hand = 0
        for position in range(seat * rules.hand, (seat + 1) * rules.hand):
            hand |= 1 << table.order[position]
        table.hands[seat] = hand
        table.dealt[seat] = hand
        table.lacks[seat] = 0
        dealt |= hand
    table.drawn = rules.players * rules.hand
    return dealt


@kernel
def _of_hand(operation, table, rules, seat, argument):
    """Return a quantity of a seat's hand; seats go on counting clockwise, so opener + 1 is always one."""
    hand = table.hands[seat % rules.players]
    if operation == HAND_DOUBLES:
        return popcount(hand & DOUBLES)
    if operation == HAND_PIPS:
        return pips_of(hand)
    if operation == HAND_LEADS:
        return scoring_leads(hand, rules)
    if operation == HAND_TILES:
        return popcount(hand & PLAYABLE[1 << argument])
    return hand >> argument & 1


@kernel
def _of_two(operation, first, second):
    """Return what an operation of two operands comes to."""
    if operation == ADD:
        return first + second
    if operation == SUBTRACT:
        return first - second
    if operation == MULTIPLY:
        return first * second
    if operation == EQUAL:
        return 1 if first == second else 0
    if operation == UNEQUAL:
        return 1 if first != second else 0
    if operation == LESS:
        return 1 if first < second else 0
    if operation == LESS_EQUAL:
        return 1 if first <= second else 0
    if operation == AND:
        return 1 if first != 0 and second != 0 else 0
    return 1 if first != 0 or second != 0 else 0


@kernel
def holds(table, rules):
    """Whether the deal on the table meets the condition."""
    stack = table.stack
    top = -1
    for place in range(table.code_length):
        operation, argument = table.code[2 * place], table.code[2 * place + 1]
        if operation == VALUE:
            top += 1
            stack[top] = argument
        elif operation == OPENER_SEAT:
            top += 1
            stack[top] = table.opener
        elif operation == NEGATE:
            stack[top] = -stack[top]
        elif operation == NOT:
            stack[top] = 1 if stack[top] == 0 else 0
        elif operation >= HAND_DOUBLES:
            stack[top] = _of_hand(operation, table, rules, stack[top], argument)
        else:
            top -= 1
            stack[top] = _of_two(operation, stack[top], stack[top + 1])
    return stack[0] != 0


@kernel
def _open_try(table, rules, round_key, tried):
    """Name the opener of a try: the one given, by lot from the try's own word, or by the hands dealt."""
    if table.given_opener:
        table.opener = table.given_opener - 1
        table.by_lot, table.by_highest, table.due_lead = 0, 0, 0
    elif table.by_lot:
        table.opener = below(child(round_key, OPENER), tried, rules.players)
    elif table.by_highest:
        open_by_highest_double(table, rules)


@kernel
def deal_given(table, rules, round_key):
    """Deal the first round as given; return the mask of all tiles dealt.

    `table.tries` is then how many deals were tried, `table.hopeless` 1 where none of `most_tries` was taken.
    """
    dealt = 0
    for tried in range(table.most_tries):
        key = child(round_key, DEAL) if tried == 0 else child(child(round_key, RETRY), tried)
        dealt = _deal_rest(table, rules, key)
        _open_try(table, rules, round_key, tried)
        if table.code_length == 0 or holds(table, rules):
            table.tries = tried + 1
            return dealt
    table.tries, table.hopeless = table.most_tries, 1
    return dealt


@kernel
def deal_round(table, rules, round_key):
    """Deal a round, as given or at random, and let the hands name its opener where the rules say so.

    Returns
    -------
    int : mask of all tiles dealt.
    """
    if table.has_given and table.game_round == 0:
        return deal_given(table, rules, round_key)
    dealt = deal(table, rules, child(round_key, DEAL))
    if table.by_highest:
        open_by_highest_double(table, rules)
    return dealt
