"""Fixed deals and conditions: what is given of the first round of a game, and the scores at its start.

Everything that is not given is dealt at random, from the same streams as ever (docs/deals.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer import conditions
from analyzer.errors import FivesError, shown
from analyzer.notation import Tile, format_tile, parse_tile
from analyzer.rulesets import RuleSet, gain_step
from analyzer.scores import check_standing

MAX_STEPS = 256  # the room for a condition: `kernels.state.MAX_CODE`


@dataclass(frozen=True)
class Given:
    """What is given. Build one with `given`, which checks it against the rule set.

    Attributes
    ----------
    hands : by seat the tiles that it is dealt first; the others of its hand are dealt at random.
    boneyard : the tiles that are drawn first, in their order.
    opener : the seat that opens the first round; None: as the rules say.
    scores : raw points of each side at the start; None: zeros.
    condition : what the deal must meet; None: nothing.
    """

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    opener: int | None
    scores: tuple[int, ...] | None
    condition: str | None

    @property
    def changes_deal(self) -> bool:
        """Whether the first round is dealt otherwise than without it."""
        return any(self.hands) or bool(self.boneyard or self.condition) or self.opener is not None

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; tiles as texts."""
        return {
            "hands": [_texts(hand) for hand in self.hands],
            "boneyard": _texts(self.boneyard),
            "opener": self.opener,
            "scores": None if self.scores is None else list(self.scores),
            "condition": self.condition,
        }

    def in_words(self) -> str:
        """Return it in a few words."""
        told = [
            f"seat {seat} is dealt {' '.join(_texts(hand))}" for seat, hand in enumerate(self.hands) if hand
        ]
        if self.boneyard:
            told.append(f"the boneyard starts with {' '.join(_texts(self.boneyard))}")
        if self.opener is not None:
            told.append(f"seat {self.opener} opens")
        if self.condition is not None:
            told.append(self.condition)
        if self.scores is not None:
            told.append(f"from {'-'.join(map(str, self.scores))}")
        return "; ".join(told)


def _texts(tiles: Sequence[Tile]) -> list[str]:
    return [format_tile(tile) for tile in tiles]


def given(
    rules: RuleSet,
    *,
    hands: Mapping[int, str] | None = None,
    boneyard: str | None = None,
    opener: int | None = None,
    scores: Sequence[int] | None = None,
    condition: str | None = None,
) -> Given | None:
    """Return what is given of the games of a rule set; None where nothing is.

    Parameters
    ----------
    rules : the rule set; scores need one with a target.
    hands : tiles by seat, such as {0: "6-6 6-5"}: the whole hand or a part of it.
    boneyard : the tiles that are drawn first, in their order.
    opener : a seat.
    scores : raw points of each side at the start.
    condition : see `analyzer.conditions`.

    Raises
    ------
    FivesError
        For a tile twice, too many tiles, a seat that is none, a score that no game has, a condition that
        cannot be read or met; it names which.
    """
    dealt: list[tuple[Tile, ...]] = [()] * rules.players
    for seat, text in (hands or {}).items():
        _check_seat("hand", seat, rules)
        dealt[seat] = read_tiles(f"the hand of seat {seat}", text, rules)
        if len(dealt[seat]) > rules.hand:
            raise FivesError(f"the hand of seat {seat} has {len(dealt[seat])} tiles: {rules.hand} are dealt.")
    rest = read_tiles("the boneyard", boneyard, rules) if boneyard is not None else ()
    undealt = rules.tiles - rules.players * rules.hand
    if len(rest) > undealt:
        raise FivesError(f"the boneyard has {len(rest)} tiles: {undealt} are left undealt.")
    _check_once([*(tile for hand in dealt for tile in hand), *rest])
    if opener is not None:
        _check_seat("opener", opener, rules)
    starting = None if scores is None else _scores(scores, rules)
    if condition is not None:
        conditions.compiled(condition, rules, MAX_STEPS)
    if not any(dealt) and not rest and opener is None and starting is None and condition is None:
        return None
    return Given(tuple(dealt), rest, opener, starting, condition)


def from_dict(data: Mapping[str, Any] | None, rules: RuleSet) -> Given | None:
    """Return what `Given.as_dict` wrote; FivesError where it does not fit the rule set."""
    if data is None:
        return None
    return given(
        rules,
        hands={seat: " ".join(hand) for seat, hand in enumerate(data["hands"]) if hand},
        boneyard=" ".join(data["boneyard"]) or None,
        opener=data["opener"],
        scores=data["scores"],
        condition=data["condition"],
    )


def fitting(given: Given | None, rules: RuleSet) -> Given | None:
    """Return what is given, checked against the rule set that is played."""
    return None if given is None else from_dict(given.as_dict(), rules)


def read_tiles(what: str, text: str, rules: RuleSet) -> tuple[Tile, ...]:
    """Return tiles parted by blanks or commas; FivesError where there is none, which says of `what`."""
    words = text.replace(",", " ").split()
    if not words:
        raise FivesError(f"{what} names no tile: write tiles as in 6-6 6-5.")
    return tuple(parse_tile(word, rules.highest_pip) for word in words)


def _check_seat(what: str, seat: object, rules: RuleSet) -> None:
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < rules.players:
        raise FivesError(f"{what} names seat {shown(seat)}: the seats are 0 to {rules.players - 1}.")


def _check_once(tiles: Sequence[Tile]) -> None:
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise FivesError(f"{tile} is given more than once: each tile is in the set once.")


def _scores(scores: Sequence[int], rules: RuleSet) -> tuple[int, ...]:
    if rules.target is None:
        raise FivesError("scores are for games: single rounds are played from zero, so leave them out.")
    if len(scores) != rules.side_count:
        raise FivesError(f"{len(scores)} scores are given: there are {rules.side_count} sides.")
    for score in scores:
        _check_score(score, rules)
    return tuple(scores)


def _check_score(score: object, rules: RuleSet) -> None:
    """Refuse a score that no side can have while the game goes on."""
    assert rules.target is not None
    if not isinstance(score, int) or isinstance(score, bool):
        raise FivesError(f"a score is {shown(score)}: it must be a whole number of points.")
    check_standing("a score", score, rules, gain_step(rules))
