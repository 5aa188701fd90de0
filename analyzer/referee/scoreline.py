"""The scores that a trace may stand on while it is replayed.

As long as a trace is right there is one: the scores by the rules. Where a recorded score differs, that is
one fault; from there on both the scores by the rules and the recorded ones may be the ground for what
follows, so that one slip is not told again at every later turn.
"""

from __future__ import annotations

from collections.abc import Callable

from analyzer.referee.events import GameState, Outcome, Scores, game_state
from analyzer.referee.record import numbers
from analyzer.rulesets import RuleSet

Step = Callable[[Scores], Outcome]


class Scoreline:
    """The scores by the rules, and after a fault the recorded ones as well.

    Parameters
    ----------
    rules : the rule set.
    scores : the scores to start from.
    """

    def __init__(self, rules: RuleSet, scores: Scores) -> None:
        self.rules = rules
        self._grounds = [scores]  # by the rules first

    @property
    def scores(self) -> Scores:
        """The scores by the rules, as far as the trace bears them out."""
        return self._grounds[0]

    def state(self) -> GameState:
        """Return whether these scores end the game."""
        return game_state(self.rules, self.scores)

    def states(self) -> list[GameState]:
        """Return the state of the game on each ground."""
        return [game_state(self.rules, scores) for scores in self._grounds]

    def step(self, apply: Step, accepted: bool | None, scores: Scores) -> list[str]:
        """Go one turn or event further; return the sentences about what is recorded wrongly.

        Parameters
        ----------
        apply : what the rules make of the turn or event, from given scores.
        accepted, scores : as recorded.
        """
        outcomes = [apply(ground) for ground in self._grounds]
        if Outcome(accepted, scores) in outcomes:
            self._grounds = [scores]
            return []
        right = outcomes[0]
        self._grounds = [right.scores] if scores == right.scores else [right.scores, scores]
        faults = []
        if accepted != right.accepted:
            faults.append(f"accepted is {_json(accepted)}, by the rules {_json(right.accepted)}")
        if scores not in [outcome.scores for outcome in outcomes]:
            faults.append(f"scores are {numbers(scores)}, by the rules {numbers(right.scores)}")
        return faults

    def miss(self, apply: Step) -> None:
        """Go past an event that is not recorded: later scores may or may not contain it."""
        before = self._grounds
        self._grounds = _distinct([apply(before[0]).scores, *before])

    def trust(self, scores: Scores) -> None:
        """Go on from recorded scores that cannot be judged."""
        self._grounds = [scores]

    def bears(self, scores: Scores) -> bool:
        """Whether the scores are one of the grounds."""
        return scores in self._grounds


def _distinct(grounds: list[Scores]) -> list[Scores]:
    return list(dict.fromkeys(grounds))


def _json(accepted: bool | None) -> str:
    return {None: "null", True: "true", False: "false"}[accepted]
