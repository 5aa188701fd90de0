"""The layout of the double-six set as one word of free places, and what each placement does to it.

For legality and count a layout is, per value v, the number of ordinary ends of value v and the free sides of
the standing double v-v (`kernels.layout`). Both are small, so all of them are fields of three bits:

    bit 0    ends of 0, 1, ... 6                          0 to 6
    bit 21   free sides of the spinners 0-0 ... 6-6       0 to 4
    bit 42   free sides of the other doubles              0 to 2

An open place is a field that is not 0, and a placement adds a constant to the word. Which constant, tells the
*book* that is open: there is one for each value whose double is the spinner, one where the next double will
be it, one where every double is a spinner and one where none is. A book has a page for each half at an
ordinary end, each half at a standing double, and each lead.

Before the lead every value is held to be open and the count to be LEADS_FROM; leads put both right. So a lead
is chosen and placed by the same steps as any other tile.
"""

from __future__ import annotations

import numpy as np

from kernels.halves import HALVES, JOINING, LEADS_FROM, TILES, VALUES, ways
from kernels.jit import inlined
from kernels.rules import SPINNER_ALL, SPINNER_FIRST
from kernels.tiles import HIGH, LOW

_FIELD = 3
_FIELD_MASK = 7
_SPINNERS_AT, _DOUBLES_AT = _FIELD * VALUES, 2 * _FIELD * VALUES

LEAD = 2 * HALVES  # the page of the first lead: before it the halves at ends and the halves at doubles
_PAGES = 2 * HALVES + TILES
_NEXT, _ALL, _NONE = VALUES, VALUES + 1, VALUES + 2  # books; those below are the value of the one spinner
_BOOKS = VALUES + 3
EFFECTS_MASK = 2047  # of a place in EFFECTS: book * _PAGES + page

# What a placement does: what it adds to the layout; and packed into one word, by the bit where each begins:
#   0 the tile, 8 the field of the double that it joins, 16 the low two bits of that with one side taken,
#   24 what the count loses where that line is completed, 32 the first page of the book that is open
#   afterwards, 48 what it adds to the count
EFFECT = np.dtype((np.record, [("layout", np.int64), ("rest", np.int64)]))
_FIELD_AT, _ONE_TAKEN_AT, _COMPLETED_AT, _BOOK_AT, _COUNT_AT = 8, 16, 24, 32, 48


def _one(group: int, value: int) -> int:
    return 1 << group + _FIELD * value


START = sum(_one(0, value) for value in range(VALUES))


def _is_spinner(book: int, value: int) -> bool:
    return book in (value, _NEXT, _ALL)


def _standing(book: int, value: int, taken: int) -> int:
    """Return the field of a double with so many of its sides taken."""
    if _is_spinner(book, value):
        return (4 - taken) * _one(_SPINNERS_AT, value)
    return (2 - taken) * _one(_DOUBLES_AT, value)


def _book_after(book: int, double: int) -> int:
    return double if book == _NEXT else book


def _packed(layout: int, count: int, tile: int, book: int) -> tuple[int, int]:
    return layout, tile | (book * _PAGES) << _BOOK_AT | count << _COUNT_AT


def _at_end(book: int, half: int) -> tuple[int, int]:
    joined, other = ways(half)
    if joined == other:
        change = _standing(book, joined, 1) - _one(0, joined)
        return _packed(change, joined, half % TILES, _book_after(book, joined))
    return _packed(_one(0, other) - _one(0, joined), other - joined, half % TILES, book)


def _at_double(book: int, half: int) -> tuple[int, int]:
    joined, other = ways(half)
    group, one_taken = (_SPINNERS_AT, 3) if _is_spinner(book, joined) else (_DOUBLES_AT, 1)
    layout, rest = _packed(_one(0, other) - _one(group, joined), other, half % TILES, book)
    field = group + _FIELD * joined
    return layout, rest | field << _FIELD_AT | one_taken << _ONE_TAKEN_AT | 2 * joined << _COMPLETED_AT


def _lead(book: int, tile: int) -> tuple[int, int]:
    high, low = int(HIGH[tile]), int(LOW[tile])
    if high == low:
        standing = _standing(book, high, 0)
        return _packed(standing - START, 2 * high - LEADS_FROM, tile, _book_after(book, high))
    return _packed(_one(0, high) + _one(0, low) - START, high + low - LEADS_FROM, tile, book)


EFFECTS = np.zeros(EFFECTS_MASK + 1, EFFECT)
for _book in range(_BOOKS):
    _pages = [_at_end(_book, half) for half in range(HALVES)]
    _pages += [_at_double(_book, half) for half in range(HALVES)]
    _pages += [_lead(_book, tile) for tile in range(TILES)]
    EFFECTS[_book * _PAGES : (_book + 1) * _PAGES] = _pages


@inlined
def leads_page(spinner):
    """Return the first page of the leads, by the rules' SPINNER_*."""
    book = _NEXT if spinner == SPINNER_FIRST else _NONE
    return _PAGES * (_ALL if spinner == SPINNER_ALL else book) + LEAD


@inlined
def joining_ends(layout):
    """Return the mask of halves that join an ordinary end."""
    halves = 0
    for value in range(VALUES):
        halves |= JOINING[value] if layout & _FIELD_MASK << _FIELD * value else 0
    return halves


@inlined
def joining_doubles(layout):
    """Return the mask of halves that join a free side of a standing double."""
    halves = 0
    for value in range(VALUES):
        sides = _FIELD_MASK << _SPINNERS_AT + _FIELD * value | _FIELD_MASK << _DOUBLES_AT + _FIELD * value
        halves |= JOINING[value] if layout & sides else 0
    return halves


_SPINNERS = sum(_one(_SPINNERS_AT, value) for value in range(VALUES))
_DOUBLES = sum(_one(_DOUBLES_AT, value) for value in range(VALUES))


@inlined
def completing(layout):
    """Return the mask of halves that complete a line where they join a standing double.

    One side of the double is taken then: a spinner has three left, another double one.
    """
    one_taken = layout & layout >> 1 & _SPINNERS | layout & _DOUBLES
    halves = 0
    for value in range(VALUES):
        sides = 1 << _SPINNERS_AT + _FIELD * value | 1 << _DOUBLES_AT + _FIELD * value
        halves |= JOINING[value] if one_taken & sides else 0
    return halves


@inlined
def count_change(layout, rest):
    """Return what a placement adds to the count; arithmetic, since a branch would be a guess."""
    completes = 1 if layout >> (rest >> _FIELD_AT & 63) & 3 == rest >> _ONE_TAKEN_AT & 3 else 0
    return (rest >> _COUNT_AT) - (rest >> _COMPLETED_AT & 255 & -completes)


@inlined
def page_after(rest):
    """Return the first page of the book that is open after a placement."""
    return rest >> _BOOK_AT & 0xFFFF


@inlined
def tile_of(rest):
    """Return the mask of the tile that is placed."""
    return 1 << (rest & 63)
