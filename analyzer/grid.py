"""What a sweep varies, read from text: `hand=5,6,7`, `target=50..500:50`, `policy.0=greedy,random`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from analyzer.errors import FivesError, unknown
from analyzer.rulesets import CHOICES_OF_FIELD, NAMING, RuleSet

POLICY = "policy"  # of all seats; policy.0 is side 0's
SINGLE, PARTNERS = "none", "partners"  # words for the values of `sides`
MAX_CELLS = 500
_PARTNERS_AS_SEATS = "0,1,0,1"  # as other commands have it; a list of values cannot hold it

RULE_FIELDS: tuple[str, ...] = tuple(
    field.name for field in dataclasses.fields(RuleSet) if field.name not in NAMING
)
Axis = tuple[str, list[Any]]  # a field and its values, the base value first


def parse_axis(text: str) -> Axis:
    """Return the field and the values of `FIELD=VALUE,VALUE,…`, where a..b:step stands for several.

    A range holds a, a + step, … up to b, and b itself where a step hits it; without `:step` the step is 1.

    Raises
    ------
    FivesError
        For an unknown field, or a value that the field cannot have in any rule set.
    """
    field, values = _split(text)
    return field, [value for word in values.split(",") for value in _values(field, word.strip())]


def parse_setting(text: str) -> tuple[str, Any]:
    """Return the field of a rule set and the value of `FIELD=VALUE`; FivesError as for `parse_axis`."""
    field, word = _split(text)
    if _is_policy(field):
        raise FivesError(f"{field} is no field of a rule set: give policies with --policy.")
    return field, _value(field, word.strip())


def check_field(field: str) -> None:
    """Raise FivesError unless the field can be varied: a rule's, `policy`, or `policy.SIDE`."""
    if field not in RULE_FIELDS and not _is_policy(field):
        raise unknown("field", field, [*RULE_FIELDS, POLICY, f"{POLICY}.0", f"{POLICY}.1"])


def policy_side(field: str) -> int | None:
    """Return the side whose policy the field is; None for the policy of all seats."""
    _, dot, side = field.partition(".")
    return int(side) if dot else None


def check_size(axes: Sequence[Axis]) -> None:
    """Raise FivesError where nothing is varied, a field or value comes twice, or the cells are too many."""
    fields = [field for field, _ in axes]
    if not fields:
        raise FivesError("nothing is varied: give at least one field with its values, such as hand=5,6,7.")
    cells = 1
    for field, values in axes:
        if fields.count(field) > 1:
            raise FivesError(f"{field} is varied twice: give all of its values at once.")
        _check_values(field, values)
        cells *= len(values)
    if cells > MAX_CELLS:
        raise FivesError(f"{cells:,} cells are too many: vary over at most {MAX_CELLS} in all.")


def _check_values(field: str, values: Sequence[Any]) -> None:
    if not values:
        raise FivesError(f"{field} is varied over no values: give at least one.")
    if len(values) > MAX_CELLS:
        return  # told as too many cells
    for value in values:
        if values.count(value) > 1:
            raise FivesError(f"{field} is varied over {value} twice: give each value once.")


def _split(text: str) -> tuple[str, str]:
    field, equals, values = (part.strip() for part in text.partition("="))
    if not (field and equals and values):
        raise FivesError(f"{text!r} names no field and value: write it as hand=7.")
    check_field(field)
    return field, values


def _is_policy(field: str) -> bool:
    stem, dot, side = field.partition(".")
    return stem == POLICY and (not dot or (side.isascii() and side.isdigit()))


def _is_number(field: str) -> bool:
    return field in RULE_FIELDS and field not in CHOICES_OF_FIELD and field != "sides"


def _values(field: str, word: str) -> list[Any]:
    if not _is_number(field) or ".." not in word:
        return [_value(field, word)]
    ends, colon, stride = word.partition(":")
    first, _, last = ends.partition("..")
    step = _number(field, stride) if colon else 1
    start, stop = _number(field, first), _number(field, last)
    if step < 1 or stop < start:
        raise FivesError(f"the range {word} of {field} is empty: write it as 50..500:50, upwards.")
    if (stop - start) // step >= MAX_CELLS:
        raise FivesError(f"the range {word} of {field} is too long: vary over at most {MAX_CELLS} in all.")
    return list(range(start, stop + 1, step))


def _value(field: str, word: str) -> Any:
    if _is_number(field):
        return _number(field, word)
    if field == "sides" and word == _PARTNERS_AS_SEATS:
        return PARTNERS
    if field == "sides" and word not in (SINGLE, PARTNERS):
        raise FivesError(f"sides is {word!r}: it must be {SINGLE} (each for themselves) or {PARTNERS}.")
    if field in CHOICES_OF_FIELD and word not in CHOICES_OF_FIELD[field]:
        raise FivesError(f"{field} is {word!r}: it must be one of {', '.join(CHOICES_OF_FIELD[field])}.")
    return word


def _number(field: str, word: str) -> int:
    digits = word.strip()
    if not (digits.isascii() and digits.isdigit()):
        raise FivesError(f"{field} is {word!r}: it must be a whole number.")
    return int(digits)
