"""What a run may ask for: how many games or rounds, which seed, how many threads, what confidence.

The library and the command line both check with these functions, so that a mistake is told
before anything is compiled or played.
"""

from __future__ import annotations

from analyzer.errors import FivesError, shown

MAX_NUMBER = 2**62  # seeds and game numbers stay below this (docs/randomness.md)
MAX_THREADS = 256
MAX_COUNT = 10**13  # more would take months on any one machine


def check_whole(name: str, value: object) -> None:
    """Raise FivesError unless value is a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise FivesError(f"{name} is {shown(value)}: it must be a whole number.")


def check_flag(name: str, value: object) -> None:
    """Raise FivesError unless value is True or False."""
    if not isinstance(value, bool):
        raise FivesError(f"{name} is {shown(value)}: it must be true or false.")


def run_size(rounds: int | None, games: int | None) -> int:
    """Return how many rounds or games are asked for.

    Raises
    ------
    FivesError
        Unless exactly one of the two is given and it is at least 1.
    """
    if (rounds is None) == (games is None):
        problem = "neither" if rounds is None else "both"
        raise FivesError(f"{problem} of rounds and games given: give one of the two.")
    name, number = ("games", games) if rounds is None else ("rounds", rounds)
    assert number is not None
    check_count(name, number)
    return number


def check_count(name: str, number: int) -> None:
    """Raise FivesError unless number is whole and from 1 to MAX_COUNT."""
    check_whole(name, number)
    if number < 1:
        raise FivesError(f"{name} is {number}: it must be at least 1.")
    if number > MAX_COUNT:
        raise FivesError(f"{name} is {number}: it must be at most {MAX_COUNT:,}.")


def check_seed(seed: int) -> None:
    """Raise FivesError unless 0 <= seed < 2^62."""
    check_whole("seed", seed)
    if not 0 <= seed < MAX_NUMBER:
        raise FivesError(f"seed out of range: {seed} is not from 0 to {MAX_NUMBER - 1}.")


def check_first_game(first_game: int, count: int) -> None:
    """Raise FivesError unless games first_game to first_game + count - 1 all have a number below 2^62."""
    check_whole("first game", first_game)
    if first_game < 0:
        raise FivesError(f"first game is {first_game}: it must be 0 or more.")
    if first_game + count > MAX_NUMBER:
        raise FivesError(f"first game {first_game} is too high: game numbers stay below {MAX_NUMBER}.")


def check_threads(threads: int | None) -> None:
    """Raise FivesError unless threads is None (all cores) or from 1 to 256."""
    if threads is None:
        return
    check_whole("threads", threads)
    if not 1 <= threads <= MAX_THREADS:
        raise FivesError(f"threads is {threads}: it must be from 1 to {MAX_THREADS}.")


def check_confidence(confidence: float) -> None:
    """Raise FivesError unless confidence lies strictly between 0 and 1."""
    if not isinstance(confidence, int | float):
        raise FivesError(f"confidence is {confidence!r}: it must be a number, such as 0.95.")
    if not (confidence > 0 and 0.5 + confidence / 2 < 1):  # also where rounding would reach 1
        raise FivesError(f"confidence is {confidence:g}: it must lie between 0 and 1, such as 0.95.")


def no_target() -> FivesError:
    """Return the error for games of a rule set without a target."""
    return FivesError(
        "games are played to a target and the rule set has none: give a target, or play rounds."
    )
