"""Perft: how many distinct sequences of d turns a stated deal allows, counted by the plain engine.

A turn is a play or a pass; draws are forced and belong to the turn. Two placements are distinct by their
tile and the class of places that it joins, so two equal ends are one. A sequence that ends the round
before d turns is not counted at depth d. There is no target and nothing is chosen.

`python -m tests.plain.perft` writes the counts of the deals below to tests/perft/*.txt, one file a deal:

    # comment
    rules: exact61
    players: 2
    set: double-six
    FIELD: value            any field of the rule set that differs from the named set's own
    opener: 0
    hands: 6-3 5-5 / 4-4 4-1
    boneyard: 3-3 2-2 ...   in the order in which it is drawn
    depth 1: 2
    depth 2: 4
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyzer.notation import Tile, format_tile, parse_tile
from analyzer.referee.rounds import deal_table
from analyzer.referee.table import Table
from analyzer.rulesets import RuleSet, rule_set

from .deals import dealt
from .streams import shuffled

FOLDER = Path(__file__).resolve().parent.parent / "perft"


@dataclass(frozen=True)
class PerftCase:
    """A deal and its counts: `counts[d - 1]` sequences of d turns."""

    rules: RuleSet
    opener: int
    tiles: tuple[Tile, ...]  # the whole set, as `deal_table` deals it
    counts: tuple[int, ...]


def perft(rules: RuleSet, opener: int, tiles: Sequence[Tile], depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, .. `depth` turns."""
    counts = [0] * depth
    _count(deal_table(rules, tiles), opener, 0, counts)
    return counts


def _count(table: Table, seat: int, turns: int, counts: list[int]) -> None:
    """Add every sequence that goes on from here; leave the table as it was."""
    if turns == len(counts):
        return
    hand, boneyard = list(table.hands[seat]), list(table.boneyard)
    table.draw(seat, len(table.due_draws(seat)))
    moves = table.placements(seat)
    for move in moves or [None]:
        counts[turns] += 1
        drawn_hand = list(table.hands[seat])
        if move is not None:
            table.place(seat, move)
        if not table.is_out(seat) and not table.is_blocked():
            _count(table, table.next_seat(seat), turns + 1, counts)
        if move is not None:
            table.layout.take_back()
            table.hands[seat] = drawn_hand
    table.hands[seat], table.boneyard = hand, boneyard


def read_case(path: Path) -> PerftCase:
    """Read a perft file."""
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = dict(line.split(":", 1) for line in lines if line)
    text = {key: value.strip() for key, value in pairs.items()}
    counts = [int(text.pop(key)) for key in list(text) if key.startswith("depth ")]
    hands = [[parse_tile(tile) for tile in hand.split()] for hand in text.pop("hands").split("/")]
    boneyard = [parse_tile(tile) for tile in text.pop("boneyard").split()]
    name, players = text.pop("rules"), int(text.pop("players"))
    opener, set_ = int(text.pop("opener")), text.pop("set")
    changes = {key: int(value) if value.isdigit() else value for key, value in text.items()}
    rules = rule_set(name, players=players, set=set_, **changes).replace(target=None)
    tiles = [tile for hand in (*hands, boneyard) for tile in hand]
    return PerftCase(rules, opener, tuple(tiles), tuple(counts))


@dataclass(frozen=True)
class _Deal:
    """A deal to be counted: the hands by hand, or else the tiles shuffled from `seed`."""

    file: str
    comment: str
    name: str
    depth: int
    players: int = 2
    set: str = "double-six"
    hands: str = ""
    seed: int = 0
    first_drawn: str = ""  # the boneyard starts with these tiles
    changes: dict[str, Any] = field(default_factory=dict)


def write_case(deal: _Deal, folder: Path = FOLDER) -> None:
    """Count a deal and write its file."""
    rules = rule_set(deal.name, players=deal.players, set=deal.set, **deal.changes).replace(target=None)
    tiles = dealt(rules, deal.hands, deal.first_drawn) if deal.hands else shuffled(rules, deal.seed, 0, 0)
    table = deal_table(rules, tiles)
    texts = [" ".join(map(format_tile, hand)) for hand in table.hands]
    lines = [f"# {line}" for line in deal.comment.strip().splitlines()]
    lines += [f"rules: {deal.name}", f"players: {deal.players}", f"set: {deal.set}"]
    lines += [f"{key}: {value}" for key, value in deal.changes.items()]
    lines += ["opener: 0", f"hands: {' / '.join(texts)}"]
    lines += [f"boneyard: {' '.join(map(format_tile, table.boneyard))}"]
    counts = perft(rules, 0, tiles, deal.depth)
    lines += [f"depth {turns}: {count}" for turns, count in enumerate(counts, start=1)]
    (folder / f"{deal.file}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


_BLOCK_GAME = {"draw": "none"}
_DEALS = (
    _Deal(
        "hand_no_draw",
        """Counted by hand, no spinner and no drawing. Seat 0 leads one of 2 tiles.
6-3 leads: ends 6, 3. Seat 1 has 6-1@6 and 3-2@3.
  6-1@6: ends 3, 1. Seat 0 has 5-5 and passes; seat 1 has 3-2@3 and is out.
  3-2@3: ends 6, 2. Seat 0 passes; seat 1 has 6-1@6 and is out.
5-5 leads: two sides of 5. Seat 1 cannot go on, nor can seat 0 with 6-3: blocked at once.
So 2, then 2, then 2 passes, then 2, then nothing.""",
        "draw", 5, hands="6-3 5-5 / 6-1 3-2", changes={"hand": 2, **_BLOCK_GAME},
    ),
    _Deal(
        "hand_draw",
        """Counted by hand, with forced draws and the first double a spinner.
Seat 0 has 4-4 and 0-0, seat 1 has 2-1 and 1-0. The boneyard goes 3-3, 5-4, 1-1, 2-0, 2-2, 3-0, 3-1, 3-2,
4-0, 4-1 and on.
0-0 leads: seat 1 has 1-0@0-0. Seat 0 with 4-4 draws 3-3, 5-4 and 1-1, and places 1-1@1. Seat 1 has
  2-1@1-1 and is out: 1, 1, 1, 1 ways, none after four turns.
4-4 leads: seat 1 draws 3-3, then 5-4, and places it on either side, which is one way.
  Seat 0 with 0-0 draws 1-1, 2-0, 2-2, 3-0, 3-1, 3-2 and 4-0, and places 4-0@4-4: 1 way.
  Open: 5, 0 and both arms. Seat 1 with 2-1, 1-0, 3-3 has 1-0@0: 1 way.
  Open: 5, 1 and the arms. Seat 0 has 1-1@1 or 3-1@1: 2 ways.
  A. 1-1@1: seat 1 with 2-1, 3-3 has 2-1@1-1: 1 way. Open: 5, 2 and the arms.
     Seat 0 has 2-0@2, 2-2@2 or 3-2@2: 3 ways. After the first two, seat 1 with 3-3 draws 4-1 and places
     it on an arm; after 3-2 it has 3-3@3: 1 way each.
  B. 3-1@1: seat 1 with 2-1, 3-3 has 3-3@3: 1 way. Open: 5, the other side of 3-3, and the arms.
     Seat 0 has 3-0@3-3 or 3-2@3-3: 2 ways. After 3-0, seat 1 with 2-1 draws 4-1 and places it on an
     arm; after 3-2 it has 2-1@2: 1 way each.
So 2, 1 + 1, 1 + 1, 1 + 1, 0 + 2, then 1 + 1, 3 + 2, 3 + 2.""",
        "partout5", 8, hands="4-4 0-0 / 2-1 1-0", first_drawn="3-3 5-4", changes={"hand": 2},
    ),
    _Deal(
        "hand_spinner",
        """Counted by hand, all doubles are spinners, no drawing, three seats with two tiles each.
Seat 0 has 6-6 and 6-5, seat 1 has 6-4 and 5-4, seat 2 has 6-3 and 6-2.
6-6 leads: seat 1 has 6-4@6-6, 1 way. Open: 4 and the other side of 6-6.
  Seat 2 has 6-3@6-6 or 6-2@6-6, 2 ways. Open: 4, 3 or 2, and both arms of 6-6.
  Seat 0 has 6-5@6-6 on an arm: 1 way each, and is out.
6-5 leads: ends 6, 5. Seat 1 has 6-4@6 or 5-4@5.
  6-4@6: ends 5, 4. Seat 2 passes; seat 0 with 6-6 passes; seat 1 has 5-4@5 or 5-4@4 and is out.
  5-4@5: ends 6, 4. Seat 2 has 6-3@6 or 6-2@6: no 6 is open then, so seat 0 passes;
    seat 1 has 6-4@4 and is out.
So 2, then 1 + 2, then 2 + 1 pass + 2, then 2 + 1 pass + 2 passes, then 2 + 2.""",
        "exact61", 6, players=3, hands="6-6 6-5 / 6-4 5-4 / 6-3 6-2", changes={"hand": 2, **_BLOCK_GAME},
    ),
    _Deal("exact61_2", "Two players, a shuffled deal.", "exact61", 18, seed=11),
    _Deal("exact61_3", "Three players, a shuffled deal.", "exact61", 11, players=3, seed=12),
    _Deal("exact61_4", "Four players in two sides, a shuffled deal.", "exact61", 11, players=4, seed=13),
    _Deal("allfives_2", "Two players, a shuffled deal.", "allfives", 7, seed=14),
    _Deal("allfives_3", "Three players, a shuffled deal.", "allfives", 9, players=3, seed=15),
    _Deal("allfives_4", "Four players in two sides, a shuffled deal.", "allfives", 11, players=4, seed=16),
    _Deal("partout5_2", "Two players with the double-nine, a shuffled deal.", "partout5", 8,
          set="double-nine", seed=17),
    _Deal("draw_3", "Three players, a shuffled deal.", "draw", 10, players=3, seed=18),
    _Deal("draw_one", "Small hands, one tile drawn a turn, eight never drawn.", "allfives", 24,
          seed=19, changes={"hand": 4, "draw": "one", "reserve": 8}),
    _Deal("draw_to_the_end", "Small hands, 15 tiles never drawn: until every round has ended.", "exact61", 15,
          seed=20, changes={"hand": 3, "reserve": 15}),
)  # fmt: skip


if __name__ == "__main__":
    for deal in _DEALS:
        write_case(deal)
