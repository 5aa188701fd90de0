"""The largest count that a layout can show, for each spinner rule and set: an upper bound by counting halves.

Claim: in any layout, let value v have n(v) non-double tiles on the table, p(v) joins of half v to half v,
and, if the double v-v is on the table, s(v) of its sides taken. Then

1. the ordinary ends of value v are the free halves of non-doubles: e(v) = n(v) - 2 p(v) - s(v) >= 0, and n(v)
   is at most the number of other values;
2. the layout is a tree, so it has one join fewer than tiles. With N = sum n(v) / 2 non-doubles (each has two
   halves) and k doubles: sum p(v) + sum s(v) = N + k - 1;
3. the count is the sum of v e(v), plus 2v for each double with fewer than two in-line sides taken;
4. s(v) is at most 2, or 4 for a spinner; a double in a layout of two tiles or more has s(v) >= 1.

Maximising 3 under 1, 2 and 4 alone, value by value, is a small dynamic program over the running sum of
2 p + 2 s - n - 2 [double], which must end at -2, and over whether the one spinner of `first` is spent. It
forgets that two values share at most one tile, so it bounds the count from above. The tests hold a layout
beside each bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

COUNTS = 256  # room of every table over counts: the next power of two above all bounds


def _value_states(v: int, others: int, most_sides: int) -> Iterator[tuple[int, int]]:
    """Yield (change of the running sum, share of the count) for every state of value v."""
    doubles = [(0, 0, 0)] + [(1, s, 2 * v if s < 2 else 0) for s in range(1, most_sides + 1)]
    for present, sides, shown in doubles:
        for halves in range(others + 1):
            for joins in range((halves - sides) // 2 + 1):
                ends = halves - 2 * joins - sides
                if ends >= 0:
                    yield 2 * joins + 2 * sides - halves - 2 * present, v * ends + shown


@cache
def count_bound(spinner: str, highest_pip: int) -> int:
    """Return an upper bound of the count.

    Parameters
    ----------
    spinner : "none", "first" or "all".
    highest_pip : 6 for the double-six, 9 for the double-nine set.
    """
    best: dict[tuple[int, bool], int] = {(0, False): 0}
    for v in range(highest_pip + 1):
        after: dict[tuple[int, bool], int] = {}
        for (total, spent), count in best.items():
            for crossed in (False, True) if spinner == "first" and not spent else (False,):
                sides = 4 if spinner == "all" or crossed else 2
                for change, share in _value_states(v, highest_pip, sides):
                    key = (total + change, spent or crossed)
                    after[key] = max(after.get(key, -1), count + share)
        best = after
    in_tree = (count for (total, _), count in best.items() if total == -2)
    return max(*in_tree, 2 * highest_pip)  # a lone double shows 2v
