"""Conditions on a deal, such as `doubles(opener) >= 4`: a small language, never evaluated as code.

    doubles(SEAT)       the doubles that a seat is dealt
    pips(SEAT)          the pips of its hand
    leads(SEAT)         its tiles that score as the lead
    tiles(SEAT, V)      its tiles with a half of value V
    holds(SEAT, A, B)   1 where it is dealt the tile A-B, else 0
    opener, players     the seat that opens; the number of seats

A SEAT is a number or any sum, such as `opener + 1`: seats go on counting clockwise, modulo the players. There
are whole numbers, + - *, comparisons (also chained), `and`, `or`, `not` and brackets. What is read becomes a
program of `kernels.given`, with bounds of every part, so that a condition that no deal can meet is refused
before any is dealt.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analyzer.errors import FivesError, shown, unknown
from analyzer.notation import tile_of, tile_set
from analyzer.rulesets import RuleSet

LONGEST = 500  # characters
LARGEST = 1_000_000  # the largest number in a condition
ROOM = 1 << 62
QUANTITIES = ("doubles", "pips", "leads", "tiles", "holds")
NAMES = ("opener", "players")
_WITH_VALUES = {"tiles": 1, "holds": 2}  # values after the seat
_ARITHMETIC = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
_COMPARED = {
    ast.Eq: "equal", ast.NotEq: "unequal", ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "less",
    ast.GtE: "less_equal",
}  # fmt: skip
_SWAPPED = (ast.Gt, ast.GtE)  # a > b is b < a

Step = tuple[str, int]


@dataclass(frozen=True)
class Code:
    """A part of a condition: its steps in postfix order, and between what bounds its value lies."""

    steps: tuple[Step, ...]
    low: int
    high: int


def compiled(text: str, rules: RuleSet, most_steps: int) -> Code:
    """Return the program of a condition.

    Parameters
    ----------
    text : the condition.
    rules : the rule set whose deals it is about.
    most_steps : the room that there is for it.

    Raises
    ------
    FivesError
        Where it cannot be read, is too long, or no deal can meet it.
    """
    if len(text) > LONGEST:
        raise FivesError(f"the condition has {len(text)} characters: it may have {LONGEST}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)  # what Python only warns of, such as 1or 2
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(text) from None
    code = _Compiler(text, rules).of(tree.body)
    if len(code.steps) > most_steps:
        raise FivesError(f"the condition has {len(code.steps)} steps: it may have {most_steps}.")
    if code.low == code.high == 0:
        raise FivesError(f"no deal can meet the condition {shown(text)} under these rules.")
    return code


def _unreadable(text: str) -> FivesError:
    return FivesError(
        f"the condition {shown(text)} cannot be read: write it as in doubles(opener) >= 4 and pips(0) < 20."
    )


def _incomplete(name: str) -> FivesError:
    form = {"tiles": "tiles(SEAT, VALUE)", "holds": "holds(SEAT, 6, 5)"}.get(name, f"{name}(SEAT)")
    return FivesError(f"{name} in the condition is not complete: write it as {form}.")


class _Compiler:
    """Turns the parts of one condition into programs."""

    def __init__(self, text: str, rules: RuleSet) -> None:
        self.text = text
        self.rules = rules

    def of(self, node: ast.expr) -> Code:
        """Return the program of one part."""
        if isinstance(node, ast.Constant):
            return self._number(node.value)
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Call):
            return self._quantity(node)
        if isinstance(node, ast.BoolOp):
            name = "and" if isinstance(node.op, ast.And) else "or"
            return self._joined(name, [self.of(part) for part in node.values])
        if isinstance(node, ast.UnaryOp):
            return self._of_one(node)
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            return self._computed(_ARITHMETIC[type(node.op)], self.of(node.left), self.of(node.right))
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        raise _unreadable(self.text)

    def _number(self, value: object) -> Code:
        if not isinstance(value, int) or isinstance(value, bool) or value > LARGEST:
            raise FivesError(f"{shown(value)} in the condition must be a whole number up to {LARGEST:,}.")
        return Code((("value", value),), value, value)

    def _name(self, name: str) -> Code:
        if name == "players":
            return self._number(self.rules.players)
        if name == "opener":
            return Code((("opener_seat", 0),), 0, self.rules.players - 1)
        if name in QUANTITIES:
            raise _incomplete(name)
        raise unknown("word of a condition", name, [*NAMES, *QUANTITIES])

    def _quantity(self, node: ast.Call) -> Code:
        if not isinstance(node.func, ast.Name):
            raise _unreadable(self.text)
        name = node.func.id
        if name in NAMES:
            raise FivesError(f"{name} in the condition stands for a number: write it without brackets.")
        if name not in QUANTITIES:
            raise unknown("word of a condition", name, [*NAMES, *QUANTITIES])
        values = [self._value_in(part) for part in node.args[1:]]
        if node.keywords or not node.args or len(values) != _WITH_VALUES.get(name, 0):
            raise _incomplete(name)
        seat = self.of(node.args[0])
        if seat.low < 0:
            raise FivesError(
                f"a seat in the condition {shown(self.text)} may be below 0: count seats from 0."
            )
        argument = tile_of(*values).number if name == "holds" else sum(values)
        return Code((*seat.steps, (f"hand_{name}", argument)), 0, self._most(name))

    def _value_in(self, node: ast.expr) -> int:
        value = node.value if isinstance(node, ast.Constant) else None
        highest = self.rules.highest_pip
        if not isinstance(value, int) or isinstance(value, bool) or value > highest:
            raise FivesError(f"a value of a tile in the condition must be a number from 0 to {highest}.")
        return value

    def _most(self, name: str) -> int:
        """Return an upper bound of a quantity of one hand."""
        hand = self.rules.hand
        if name == "pips":
            heaviest = sorted((tile.pips for tile in tile_set(self.rules.set)), reverse=True)
            return sum(heaviest[:hand])
        of_value = self.rules.highest_pip + 1  # doubles, and tiles of a value
        return {"holds": 1, "leads": hand}.get(name, min(hand, of_value))

    def _of_one(self, node: ast.UnaryOp) -> Code:
        part = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            always, never = _is_always(part), part.low == part.high == 0
            return Code((*part.steps, ("not", 0)), int(never), int(not always))
        if isinstance(node.op, ast.USub):
            return Code((*part.steps, ("negate", 0)), -part.high, -part.low)
        raise _unreadable(self.text)

    def _joined(self, name: str, parts: Sequence[Code]) -> Code:
        steps = parts[0].steps
        for part in parts[1:]:
            steps = (*steps, *part.steps, (name, 0))
        every, some = (all, any) if name == "and" else (any, all)
        low = every(_is_always(part) for part in parts)
        never = some(part.low == part.high == 0 for part in parts)
        return Code(steps, int(low), int(not never))

    def _computed(self, name: str, left: Code, right: Code) -> Code:
        operation: Callable[[int, int], int] = {
            "add": lambda a, b: a + b,
            "subtract": lambda a, b: a - b,
            "multiply": lambda a, b: a * b,
        }[name]
        corners = [operation(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
        if max(map(abs, corners)) >= ROOM:
            raise FivesError(f"the numbers in the condition {shown(self.text)} become too large.")
        return Code((*left.steps, *right.steps, (name, 0)), min(corners), max(corners))

    def _comparison(self, node: ast.Compare) -> Code:
        parts = [self.of(part) for part in (node.left, *node.comparators)]
        found = []
        for left, operator, right in zip(parts, node.ops, parts[1:], strict=False):
            if type(operator) not in _COMPARED:
                raise _unreadable(self.text)
            pair = (right, left) if isinstance(operator, _SWAPPED) else (left, right)
            found.append(_compared(_COMPARED[type(operator)], *pair))
        return found[0] if len(found) == 1 else self._joined("and", found)


def _is_always(part: Code) -> bool:
    """Whether a part is never 0."""
    return part.low > 0 or part.high < 0


def _compared(name: str, left: Code, right: Code) -> Code:
    """Return a comparison; its bounds are equal where the bounds of its sides decide it."""
    apart = left.high < right.low or right.high < left.low
    same = left.low == left.high == right.low == right.high
    always, never = {
        "equal": (same, apart),
        "unequal": (apart, same),
        "less": (left.high < right.low, left.low >= right.high),
        "less_equal": (left.high <= right.low, left.low > right.high),
    }[name]
    return Code((*left.steps, *right.steps, (name, 0)), int(always), int(not never))
