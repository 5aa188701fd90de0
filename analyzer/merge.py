"""Adding up runs of one experiment over disjoint ranges of games; the sum is the run over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Any

from analyzer import registry
from analyzer.errors import FivesError
from analyzer.folders import Folder, resume_command
from analyzer.ledger import Ledger, Span
from analyzer.manifest import Clock
from analyzer.plans import Plan, Result, all_played, result_of
from analyzer.resume import is_complete
from analyzer.saved import new_folder, opened

FIRST_GAME = "first_game"


@dataclass(frozen=True)
class _Part:
    """A complete run: its folder, plan and totals."""

    path: Path
    plan: Plan
    total: Any

    @property
    def span(self) -> Span:
        """The first game and the game after the last."""
        return self.plan.span


def merge(paths: Sequence[str | Path], out: str | Path, *, force: bool = False) -> Result:
    """Add up complete runs and write the folder that one run over all their games would have written.

    Parameters
    ----------
    paths : folders of runs that differ in their ranges of games alone, in any order.
    out : the folder to write.
    force : overwrite a run that `out` holds; it must not be one of `paths`.

    Raises
    ------
    FivesError
        Where a folder is damaged or not complete, the experiments differ, games are counted twice or are
        missing between two ranges, or `out` cannot be written.
    """
    folders = _distinct([Path(path) for path in paths], Path(out))
    parts = sorted((_part(path) for path in folders), key=lambda part: part.span)
    for part in parts[1:]:
        _check_same(parts[0], part)
    for one, next_ in pairwise(parts):
        _check_neighbours(one, next_)
    plan = _whole(parts)
    clock = Clock()
    ledger: Ledger[Any] = Ledger(reduce(add, [part.total for part in parts], plan.work().none()), [plan.span])
    with new_folder(Path(out), plan, force=force) as folder:
        folder.begin(ledger, clock)
        result = result_of(plan, ledger, all_played(plan), clock)
        folder.finish(result, ledger)
    return result


def _distinct(paths: Sequence[Path], out: Path) -> Sequence[Path]:
    """Return the folders, none of which is given twice or is the one to write."""
    if not paths:
        raise FivesError("no folders are given: name those to add up.")
    seen = set()
    for path in paths:
        if path.resolve() == out.resolve():
            raise FivesError(f"{out} is one of the folders to add up: choose another one to write.")
        if path.resolve() in seen:
            raise FivesError(f"{path} is given twice: its games would be counted twice.")
        seen.add(path.resolve())
    return paths


def _part(path: Path) -> _Part:
    with opened(path) as folder:
        _check_mergeable(folder)
        assert folder.saved is not None
        return _Part(path, folder.plan, folder.saved.total)


def _check_mergeable(folder: Folder) -> None:
    if folder.plan.checkpoints:
        raise FivesError(f"{folder.path} has a stopping rule: only runs of a fixed length can be added up.")
    if not is_complete(folder):
        raise FivesError(f"{folder.path} is not complete: first run {resume_command(folder.path)}.")


def _settings_but_span(plan: Plan) -> dict[str, Any]:
    settings = registry.plain({"command": plan.command, **plan.settings()})
    return {name: value for name, value in settings.items() if name not in (FIRST_GAME, plan.unit)}


def _check_same(one: _Part, other: _Part) -> None:
    first, second = _settings_but_span(one.plan), _settings_but_span(other.plan)
    names = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    if one.plan.unit != other.plan.unit:
        names = [f"{one.plan.unit} and {other.plan.unit}"]
    if names:
        raise FivesError(f"{one.path} and {other.path} are not of one experiment: they differ in {names[0]}.")


def _check_neighbours(one: _Part, next_: _Part) -> None:
    """Raise FivesError unless the second range begins where the first ends."""
    end, start = one.span[1], next_.span[0]
    if start < end:
        last = min(end, next_.span[1]) - 1
        raise FivesError(f"{_games(start, last)} in both {one.path} and {next_.path}: count each once.")
    if start > end:
        raise FivesError(
            f"{_games(end, start - 1)} missing between {one.path} and {next_.path}: "
            f"play them first, with --first-game {end}."
        )


def _games(first: int, last: int) -> str:
    return f"game {first} is" if first == last else f"games {first} to {last} are"


def _whole(parts: Sequence[_Part]) -> Plan:
    """Return the plan over the games of all parts."""
    plan = parts[0].plan
    first, last = parts[0].span[0], parts[-1].span[1]
    settings = {**plan.settings(), FIRST_GAME: first, plan.unit: last - first}
    return registry.plan_from(registry.plain({"command": plan.command, **settings}))
