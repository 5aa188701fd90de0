"""Tiles of a layout placed without a turn: every line goes straight, and connectors make room.

It always succeeds. Each part of the layout, a tile and all that hangs on it, is laid out so that nothing of
it reaches behind the edge that it joins:

- a tile moves away from what it joins as far as its arms reach back;
- an arm moves out past everything that the line of its double takes on that side.

So no two parts can meet. The whole grows with the number of tiles, not faster: each part adds its own length
and breadth once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reports.board.spots import ARMS, IN_LINE, Joint, Spot, lead_spot, straight_ways

GAP = 1  # units between two parts that do not join


class _Room(NamedTuple):
    """What a part of the layout takes, seen along its line from the edge that it joins, in units.

    Attributes
    ----------
    length : how far it reaches ahead.
    right, left : how far it reaches to each side of its line.
    """

    length: int
    right: int
    left: int


def stretched(joints: Sequence[Joint]) -> list[Spot]:
    """Return where each tile lies.

    Parameters
    ----------
    joints : what each tile joins, in the order of play; at least the lead.
    """
    gaps = _gaps(joints)
    spots = [lead_spot(joints[0])]
    for number, joint in enumerate(joints[1:], start=1):
        assert joint.parent is not None
        to_the_right, *to_the_left = straight_ways(spots[joint.parent], joint.exit)
        way = to_the_left[0] if joint.exit == ARMS[1] else to_the_right
        spots.append(way.spot(joint.is_double, gaps[number]))
    return spots


def _gaps(joints: Sequence[Joint]) -> list[int]:
    """Return the length of the connector before each tile, found from the last tile back to the lead."""
    gaps = [0] * len(joints)
    children: list[dict[int, int]] = [{} for _ in joints]
    rooms: list[_Room] = [_Room(0, 0, 0)] * len(joints)
    for number in range(len(joints) - 1, -1, -1):
        joint = joints[number]
        parts = {exit_: rooms[child] for exit_, child in children[number].items()}
        for exit_ in set(ARMS) & set(parts):
            gap = _gap_of_arm(exit_, parts)
            gaps[children[number][exit_]] += gap
            parts[exit_] = parts[exit_]._replace(length=parts[exit_].length + gap)
        gaps[number] = _gap_before(parts)
        rooms[number] = _room(joint, gaps[number], parts)
        if joint.parent is not None:
            children[joint.parent][joint.exit] = number
    return gaps


def _back(exit_: int, arm: _Room) -> int:
    """Return how far an arm reaches back along its double's line, from the middle of the double."""
    return arm.right if exit_ == ARMS[0] else arm.left


def _forth(exit_: int, arm: _Room) -> int:
    """Return how far an arm reaches forth along its double's line, from the middle of the double."""
    return arm.left if exit_ == ARMS[0] else arm.right


def _gap_of_arm(exit_: int, parts: Mapping[int, _Room]) -> int:
    """Return how far an arm moves out, so that it clears what lies in line on its side."""
    behind, ahead = (parts.get(in_line, _Room(0, 0, 0)) for in_line in IN_LINE)
    is_right = exit_ == ARMS[0]
    sides = []
    if _forth(exit_, parts[exit_]) > 1:  # the arm is wider than its double is thick
        sides.append(ahead.right if is_right else ahead.left)
    if _back(exit_, parts[exit_]) > 1:  # what lies behind a lead looks the other way
        sides.append(behind.left if is_right else behind.right)
    return max([0, *(side + GAP - 2 for side in sides)])


def _gap_before(parts: Mapping[int, _Room]) -> int:
    """Return how far a tile moves away from what it joins, so that its arms do not reach behind the edge."""
    return max([0, *(_back(exit_, parts[exit_]) - 1 for exit_ in ARMS if exit_ in parts)])


def _room(joint: Joint, gap: int, parts: Mapping[int, _Room]) -> _Room:
    """Return what a tile takes with all that hangs on it ahead and at its arms."""
    ahead = parts.get(IN_LINE[1], _Room(0, 0, 0))
    if not joint.is_double:
        return _Room(gap + 4 + ahead.length, max(1, ahead.right), max(1, ahead.left))
    right, left = (2 + parts[exit_].length if exit_ in parts else 2 for exit_ in ARMS)
    forth = max([0, *(_forth(exit_, parts[exit_]) for exit_ in ARMS if exit_ in parts)])
    return _Room(
        length=gap + max(2 + ahead.length, 1 + forth),
        right=max(right, ahead.right),
        left=max(left, ahead.left),
    )
