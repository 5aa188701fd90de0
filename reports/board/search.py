"""Tiles of a layout placed compactly, by a beam search over turns.

From the lead outwards each tile is put where one of its ways out of the tile that it joins allows; a double's
arms come right after the double. Tiles that do not join keep a distance of one unit. A line goes straight as
long as there is room, turns at the edge, and where no way is free, a connector stretches to the next free
place ahead. Of the many half-done placements the best few are kept (the beam search of Lowerre 1976): few
turns, short connectors, a small frame, and room ahead for what is still to come.

What lies is a bit mask of the cells of a grid, so that a whole rectangle is tested in one step.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reports.board.spots import ARMS, Box, Joint, Spot, Way, lead_spot, ways

MARGIN = 1  # units between tiles that do not join
REACH = 60  # units that a tile may lie away from the lead, in each direction
LONGEST_BAR = 24  # units

TURN_COST = 3.0  # against 1 for a unit of the frame's width
BAR_COST = 8.0
BAR_LENGTH_COST = 1.0
SHUT_COST = 40.0  # a next tile that finds no place beside what it joins
TRAPPED_COST = 5.0  # a tile to come that may find itself walled in
MOST_TRAPPED = 6  # tiles counted behind one wall
SHAPE = 1.6  # width to height, as screens have it

_STRIDE = 2 * REACH + 8  # cells of a row; those beyond REACH are for the margins
_CACHED = 20_000  # options kept: layouts share most of them


class Effort(NamedTuple):
    """How the search weighs and how long it looks.

    Attributes
    ----------
    width : the widest that the whole may be, in units.
    breadth : how many half-done placements are kept at each step.
    height_cost : the cost of a unit of height, against 1 of width.
    upright_cost : the cost of a unit by which the frame is higher than SHAPE allows.
    """

    width: int
    breadth: int
    height_cost: float
    upright_cost: float = 0.0


class _Cells(NamedTuple):
    """The cells of a rectangle: its block in the corner of the grid, and how far to shift it."""

    block: int
    shift: int

    @property
    def mask(self) -> int:
        return self.block << self.shift


class _Option(NamedTuple):
    """One place for one tile: its rectangle, the cells that it and its connector take, those kept free."""

    spot: Spot
    box: Box
    is_on_grid: bool
    taken: tuple[_Cells, ...]
    free: tuple[_Cells, ...]
    cost: float

    def is_free(self, others: int) -> bool:
        """Whether nothing lies there; `others` are the cells of all tiles but the one joined."""
        return self.is_on_grid and not any(others & cells.mask for cells in self.free)


class _Draft(NamedTuple):
    """A half-done placement: the spots by tile number, the cells taken, the frame, turns and connectors."""

    spots: dict[int, Spot]
    taken: int
    frame: Box
    cost: float


class _Step(NamedTuple):
    """A draft and the place of its next tile."""

    draft: _Draft
    option: _Option
    frame: Box


def search(joints: Sequence[Joint], effort: Effort) -> list[Spot] | None:
    """Return where each tile lies, or None where no placement was found.

    Parameters
    ----------
    joints : what each tile joins, in the order of play; at least the lead.
    """
    return _Search(joints, effort).run()


class _Search:
    """One search: the layout's tree, and what is still to be placed."""

    def __init__(self, joints: Sequence[Joint], effort: Effort) -> None:
        self.joints = joints
        self.effort = effort
        self.children: list[list[int]] = [[] for _ in joints]
        self.sizes = [1] * len(joints)  # tiles of each part, the one that it starts with included
        for number in range(len(joints) - 1, 0, -1):
            parent = _parent(joints[number])
            self.children[parent].append(number)
            self.sizes[parent] += self.sizes[number]
        self.arms = Counter(_parent(joint) for joint in joints if joint.exit in ARMS)
        self.waiting = set(self.children[0])  # tiles whose parent lies

    def run(self) -> list[Spot] | None:
        """Place all tiles."""
        lead = lead_spot(self.joints[0])
        drafts = [_Draft({0: lead}, _cells(lead.box).mask, lead.box, 0.0)]
        for number in _outwards(self.joints):
            self.waiting.remove(number)
            self.waiting.update(self.children[number])
            drafts = self._best(number, [step for draft in drafts for step in self._steps(draft, number)])
        return [drafts[0].spots[number] for number in range(len(self.joints))] if drafts else None

    def _best(self, number: int, steps: Sequence[_Step]) -> list[_Draft]:
        """Return the drafts that are worth going on with, the best first."""
        drafts = [_after(step, number) for step in steps]
        return sorted(drafts, key=self._cost)[: self.effort.breadth]

    def _cost(self, draft: _Draft) -> float:
        frame, effort = draft.frame, self.effort
        size = frame.width + effort.height_cost * frame.height
        size += effort.upright_cost * max(0.0, SHAPE * frame.height - frame.width)
        return draft.cost + size + sum(self._outlook(draft, number) for number in self.waiting)

    def _outlook(self, draft: _Draft, number: int) -> float:
        """Return the cost of what lies in the way of a tile to come and of all that hangs on it."""
        joint = self.joints[number]
        parent = draft.spots[_parent(joint)]
        others = draft.taken & ~_tile_cells(parent).mask
        options = ways(parent, joint.exit)
        if not any(_option(way, joint.is_double, 0).is_free(others) for way in options):
            return SHUT_COST
        if self.sizes[number] == 1 or any(self._leads_out(way, draft.frame, others) for way in options):
            return 0.0
        return TRAPPED_COST * min(self.sizes[number], MOST_TRAPPED)

    def _leads_out(self, way: Way, frame: Box, others: int) -> bool:
        """Whether a lane as wide as a double lies free from a way's start to the edge of the frame."""
        if way.way.x and frame.width + 8 > self.effort.width:  # there is nothing beyond that edge
            return False
        lane = way.lane_to_edge(frame)
        return not others & _cells(lane).mask

    def _steps(self, draft: _Draft, number: int) -> Iterator[_Step]:
        """Yield the places of a tile: touching what it joins where that is possible, else with a connector.

        A double with arms goes straight on, to where its arms have room, if there is such a place.
        """
        joint, arms = self.joints[number], self.arms[number]
        parent = draft.spots[_parent(joint)]
        others = draft.taken & ~_tile_cells(parent).mask
        options = [way for way in ways(parent, joint.exit) if not (way.is_turn and arms)]
        for needed in (arms, 0) if arms else (0,):
            for gap in range(LONGEST_BAR + 1):
                found = [_option(way, joint.is_double, gap) for way in options]
                steps = [_Step(draft, option, draft.frame.joined(option.box)) for option in found]
                steps = [step for step in steps if self._fits(step, others, needed)]
                if steps:
                    yield from steps
                    return

    def _fits(self, step: _Step, others: int, arms: int) -> bool:
        """Whether a tile can lie there, with room for the first tiles of so many arms."""
        if step.frame.width > self.effort.width or not step.option.is_free(others):
            return False
        if not arms:
            return True
        free = 0
        for way in ways(step.option.spot, ARMS[0]):
            arm = _option(way, False, 0)
            fits = step.frame.joined(arm.box).width <= self.effort.width
            free += fits and arm.is_free(step.draft.taken)
        return free >= arms


def _after(step: _Step, number: int) -> _Draft:
    """Return the draft with one more tile."""
    draft, option, frame = step
    taken = draft.taken
    for cells in option.taken:
        taken |= cells.mask
    return _Draft({**draft.spots, number: option.spot}, taken, frame, draft.cost + option.cost)


def _parent(joint: Joint) -> int:
    assert joint.parent is not None
    return joint.parent


def _outwards(joints: Sequence[Joint]) -> list[int]:
    """Return the numbers of all tiles but the lead, the nearest to it first, arms after their double."""
    keys: list[tuple[int, int, int]] = [(0, 0, 0)]
    for number, joint in enumerate(joints[1:], start=1):
        depth, double, _ = keys[_parent(joint)]
        keys.append((depth, double, joint.exit) if joint.exit in ARMS else (depth + 1, number, 0))
    return sorted(range(1, len(joints)), key=keys.__getitem__)


@functools.lru_cache(_CACHED)
def _option(way: Way, is_double: bool, gap: int) -> _Option:
    """Return the place of a tile at one way out of the tile that it joins, `gap` units away."""
    spot = way.spot(is_double, gap)
    box = spot.box
    cost = TURN_COST * way.is_turn
    if max(-box.x, -box.y, box.right, box.bottom) > REACH:
        return _Option(spot, box, False, (), (), cost)
    around = _cells(box.around(MARGIN))
    if spot.bar is None:
        return _Option(spot, box, True, (_cells(box),), (around,), cost)
    lane = _cells(spot.bar.box)
    cost += BAR_COST + BAR_LENGTH_COST * gap
    return _Option(spot, box, True, (_cells(box), lane), (around, lane), cost)


@functools.lru_cache(_CACHED)
def _tile_cells(spot: Spot) -> _Cells:
    return _cells(spot.box)


def _cells(box: Box) -> _Cells:
    shift = (box.y + _STRIDE // 2) * _STRIDE + box.x + _STRIDE // 2
    return _Cells(_block(box.width, box.height), shift)


@functools.lru_cache(_CACHED)
def _block(width: int, height: int) -> int:
    """Return the cells of a rectangle in the corner of the grid, as bits."""
    row = (1 << width) - 1
    return sum(row << (line * _STRIDE) for line in range(height))
