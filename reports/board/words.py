"""What a round says, in English: the headings and sentences of its steps. All words stand here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.board.spots import ARMS
from reports.board.story import Ending, Face, Gain, Laid, Number, Story, Turn

OPENED_BY = {
    "lot": "drawn by lot",
    "out": "who went out",
    "last_tile": "who placed the last tile",
    "highest_double": "who holds the highest double",
    "seat_in_turn": "whose turn it is to open",
    "given": "as given",
}
ENDS = {
    "out": "The round ends out: seat {seat} has no tile left.",
    "blocked": "The round is blocked: no hand can be placed and nothing can be drawn.",
    "target": "The round ends at the target.",
}

LABELS = {
    "lang": "en",
    "steps": "Steps",
    "layout": "Layout",
    "boneyard": "Boneyard",
    "open_places": "Open places",
    "nothing": "none",
    "nothing_lies": "no tile lies",
    "empty": "empty",
    "first": "First",
    "back": "Back",
    "forward": "Forward",
    "last": "Last",
    "keys": "Arrow keys step forward and back; Home and End go to the first and the last step.",
    "no_script": "Without script all steps stand below one another.",
    "of": "of",
    "step": "Step",
}


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; struck through where its points were rejected."""

    text: str
    is_struck: bool = False


def plain(parts: Iterable[Part]) -> str:
    """Return the text of a sentence alone."""
    return "".join(part.text for part in parts)


# --- names --------------------------------------------------------------------------------------


def number(value: Number) -> str:
    """Return points as text, thousands parted."""
    return f"{value:,}"


def points(value: Number) -> str:
    """Return points with their unit."""
    return f"{number(value)} {'point' if value == 1 else 'points'}"


def listed(words: Sequence[str]) -> str:
    """Return words as "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def faces(tiles: Iterable[Face]) -> str:
    """Return tiles as text, "6-3 5-1"."""
    return " ".join(map(str, tiles))


def has_partners(story: Story) -> bool:
    """Whether two seats share a side."""
    return len(set(story.sides)) < len(story.sides)


def side_name(story: Story, side: int) -> str:
    """Return who a side is: "side 1 (seats 1 and 3)", or "seat 1" where each plays for itself."""
    seats = [str(seat) for seat, of in enumerate(story.sides) if of == side]
    return f"side {side} (seats {listed(seats)})" if has_partners(story) else f"seat {seats[0]}"


def seat_name(story: Story, seat: int) -> str:
    """Return a seat with its policy, where it is known."""
    return f"Seat {seat}, {story.policies[seat]}" if story.policies else f"Seat {seat}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- steps --------------------------------------------------------------------------------------


def title(story: Story) -> str:
    """Return the title of a round."""
    return f"Game {story.game}, round {story.round}"


def subtitle(story: Story) -> str:
    """Return the rule set with its target, told once, and how many rounds the game has."""
    rounds = "1 round" if story.rounds == 1 else f"{story.rounds:,} rounds"
    target = "no target" if story.target is None else f"target {number(story.target)}"
    rules = story.rules if target in story.rules else f"{story.rules}; {target}"
    return f"{rules}; the game has {rounds}"


def deal_heading() -> str:
    """Return the heading of the deal."""
    return "The deal"


def deal_sentences(story: Story) -> list[list[Part]]:
    """Return what the deal says."""
    return [[Part(f"Seat {story.opener} opens ({OPENED_BY[story.opener_by]}).")]]


def turn_heading(turn: Turn) -> str:
    """Return the heading of a turn."""
    return f"Turn {turn.number}: seat {turn.seat}"


def turn_sentences(story: Story, turn: Turn) -> list[list[Part]]:
    """Return what a turn says: what was drawn and played, the count, the points."""
    deeds = [f"draws {listed([str(tile) for tile in turn.drawn])}"] if turn.drawn else []
    deeds.append(
        "passes" if turn.move is None else f"plays {turn.move}" if "@" in turn.move else f"leads {turn.move}"
    )
    sentences = [[Part(f"Seat {turn.seat} {listed(deeds)}.")]]
    if turn.count is not None:
        sentences.append(_worth(story, turn))
    return sentences


def _worth(story: Story, turn: Turn) -> list[Part]:
    count = f"The count is {turn.count}"
    if not turn.points:
        return [Part(f"{count}: no points.")]
    if turn.waits:
        return [Part(f"{count}: {points(turn.points)}, which come with the settlement.")]
    whose = f"{points(turn.points)} for {side_name(story, story.sides[turn.seat])}"
    if turn.accepted is False:
        return [Part(f"{count}: "), Part(whose, True), *_refusal(story, turn.before, turn.points)]
    return [Part(f"{count}: {whose}.")]


def _refusal(story: Story, before: Number, gain: Number) -> list[Part]:
    assert story.target is not None
    over = f"{number(before)} + {number(gain)} is above {number(story.target)}"
    return [Part(f" rejected, since {over}.")]


def end_heading(ending: Ending) -> str:
    """Return the heading of the round's end."""
    return f"The end: {ending.end}"


def end_sentences(story: Story) -> list[list[Part]]:
    """Return what the end of a round says: why it ended, the pips left, the settlement, who won."""
    ending = story.ending
    pips = listed([f"{left} in seat {seat}'s hand" for seat, left in enumerate(ending.pips)])
    return [
        [Part(ENDS[ending.end].format(seat=story.turns[-1].seat))],
        [Part(f"Pips left: {pips}.")],
        *[_gain(story, gain) for gain in ending.gains],
        *([] if ending.gains or ending.end == "target" else [[Part("There is nothing to settle.")]]),
        [Part(_outcome(story))],
    ]


def _gain(story: Story, gain: Gain) -> list[Part]:
    terms = [("last play", gain.play), ("opponents' hands", gain.credit), ("partner's hand", -gain.debit)]
    told = [(name, value) for name, value in terms if value]
    sum_ = " ".join(
        f"{'-' if value < 0 else '+' if index else ''} {number(abs(value))} ({name})".strip()
        for index, (name, value) in enumerate(told)
    )
    whose = (
        f"{side_name(story, gain.side)}, hand of seat {gain.seat}"
        if has_partners(story)
        else f"seat {gain.seat}"
    )
    text = f"{_capital(whose)}: {sum_ or '0'} = {points(gain.net)}"
    if gain.accepted:
        return [Part(f"{text}.")]
    return [Part(text, True), *_refusal(story, gain.before, gain.net)]


def _outcome(story: Story) -> str:
    ending = story.ending
    won = "Nobody" if ending.winner is None else _capital(side_name(story, ending.winner))
    round_ = f"{won} wins the round."
    if not ending.is_last or story.target is None:
        return round_
    if ending.game_winner is None:
        return f"{round_} The game has no winner."
    return f"{round_} {_capital(side_name(story, ending.game_winner))} wins the game."


def scores_label(story: Story) -> str:
    """Return what stands before or above the scores."""
    return f"Scores, in {story.unit}"


def scores(story: Story, values: Sequence[Number]) -> str:
    """Return the scores as one line: "seat 0: 15, seat 1: 20"."""
    return ", ".join(f"{side_name(story, side)}: {number(value)}" for side, value in enumerate(values))


def places(texts: Sequence[str]) -> str:
    """Return open places as one line."""
    return ", ".join(texts) or LABELS["nothing"]


# --- the layout in words ------------------------------------------------------------------------


def layout_lines(laid: Sequence[Laid]) -> list[str]:
    """Return the lines of a layout as text, the line of the lead first, then each arm.

    The tiles of a line are written as they lie, so that equal values meet: "4-6 6-6 6-3".
    """
    if not laid:
        return []
    children: dict[tuple[int, int], int] = {}
    for index, tile in enumerate(laid):
        if tile.joint.parent is not None:
            children[tile.joint.parent, tile.joint.exit] = index
    before = [f"{laid[index].far}-{laid[index].near}" for index in _chain(children, 0, 0)]
    after = [f"{laid[index].near}-{laid[index].far}" for index in _chain(children, 0, 1)]
    lines = [" ".join([*reversed(before), f"{laid[0].near}-{laid[0].far}", *after])]
    for (parent, exit_), index in sorted(children.items()):
        if exit_ in ARMS:
            arm = [f"{laid[each].near}-{laid[each].far}" for each in [index, *_chain(children, index, 1)]]
            lines.append(f"arm of {laid[parent].face}: {' '.join(arm)}")
    return lines


def _chain(children: dict[tuple[int, int], int], start: int, exit_: int) -> list[int]:
    """Return the tiles that follow one another in line from an exit on."""
    chain = []
    following = children.get((start, exit_))
    while following is not None:
        chain.append(following)
        following = children.get((following, 1))
    return chain
