"""What a race table shows, as rows and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.plans import Row
from analyzer.race_table import OPENS, RaceTable

Scores = tuple[int, int]
DIFFERENCE = "stand_difference"
NEAR = 11  # own scores of the table `near`, the last before the target
ACROSS = 9  # at most so many other scores
ROUND_STEPS = (5, 10, 20, 25, 50, 100, 200)  # between them, as scores are shown


def score_rows(table: RaceTable, confidence: float) -> list[Row]:
    """Return a row for each pair of scores and opener."""
    size = table.grid.size
    rows = []
    for own in range(size):
        for other in range(size):
            for opener, name in enumerate(OPENS):
                found = table.combined([((opener, own, other), 1.0)], confidence, bounds=(0.0, 1.0))
                rows.append(
                    {
                        "own": table.grid.shown_score(own),
                        "other": table.grid.shown_score(other),
                        "opener": name,
                        "win_rate": found.estimate,
                        "std_error": found.std_error,
                        "low": found.low,
                        "high": found.high,
                    }
                )
    return rows


def near_rows(table: RaceTable) -> list[Row]:
    """Return the chances from the last own scores, a column a score of the other side."""
    grid = table.grid
    others = table.others()
    by = next(
        step
        for step in ROUND_STEPS
        if step * grid.shown % grid.step == 0 and grid.target <= (ACROSS - 1) * step * grid.shown
    )
    columns = sorted({*others[:: by * grid.shown // grid.step], grid.size - 1})
    rows = []
    for own in range(max(grid.size - NEAR, others[0]), grid.size):
        for opener, name in enumerate(OPENS):
            row: Row = {"own": grid.shown_score(own), "opener": name}
            for other in columns:
                row[f"other {grid.shown_score(other)}"] = float(table.values[opener, own, other])
            rows.append(row)
    return rows


def summary_of(
    table: RaceTable, pairs: Sequence[Scores], stands: Sequence[Scores], confidence: float
) -> list[Row]:
    """Return the chances from pairs of raw scores, and the mean differences between own scores."""
    return [*_pair_rows(table, pairs, confidence), *_stand_rows(table, stands, confidence)]


def _pair_rows(table: RaceTable, pairs: Sequence[Scores], confidence: float) -> Iterator[Row]:
    for own, other in pairs:
        place = table.grid.place(own), table.grid.place(other)
        shown = f"own={table.grid.text(own)} other={table.grid.text(other)}"
        for opener, name in enumerate(OPENS):
            found = table.combined([((opener, *place), 1.0)], confidence, bounds=(0.0, 1.0))
            yield found.row("win_rate", f"{shown} opener={name}", "rate")
        lot = [((opener, *place), 0.5) for opener in range(len(OPENS))]
        found = table.combined(lot, confidence, bounds=(0.0, 1.0))
        yield found.row("win_rate", f"{shown} opener=lot", "rate")


def _stand_rows(table: RaceTable, stands: Sequence[Scores], confidence: float) -> Iterator[Row]:
    """Yield the difference between two own scores, the mean over all other scores that are not negative."""
    others = table.others()
    for stand, instead in stands:
        one, two = table.grid.place(stand), table.grid.place(instead)
        shown = f"own={table.grid.text(stand)} less {table.grid.text(instead)}"
        for openers, name in ((range(2), ""), *(((i,), f" opener={OPENS[i]}") for i in range(2))):
            weight = 1 / (len(others) * len(openers))
            terms = [
                ((opener, place, other), sign * weight)
                for opener in openers
                for other in others
                for place, sign in ((one, 1), (two, -1))
            ]
            yield table.combined(terms, confidence).row(DIFFERENCE, shown + name, "rate")


def sentences_of(
    table: RaceTable, summary: Sequence[Row], stands: Sequence[Row], is_played: bool, rounds: int
) -> list[str]:
    """Return what the tables mean, in words."""
    grid = table.grid
    points = f"points of {grid.shown} raw points" if grid.shown > 1 else "the rule set's own points"
    how = (
        "played from each pair of scores, since a policy looks at them"
        if is_played
        else "played once and replayed at each pair of scores"
    )
    sentences = [f"Scores are in {points}; {rounds:,} rounds of each opener were {how}."]
    if grid.lowest < 0:
        sentences.append(
            f"Scores below {grid.text(grid.lowest)} are held there: "
            f"{table.held_per_game():.2g} times a game from 0-0."
        )
    return [*sentences, *_stand_sentences(summary, stands)]


def _stand_sentences(summary: Sequence[Row], stands: Sequence[Row]) -> list[str]:
    """Return for each pair of own scores which is better, on the whole and against how many other scores."""
    asked = list(dict.fromkeys((row["stand"], row["instead"]) for row in stands))
    means = [row for row in summary if row["metric"] == DIFFERENCE and "opener" not in row["scope"]]
    sentences = []
    for (stand, instead), mean in zip(asked, means, strict=True):
        rows = [row for row in stands if (row["stand"], row["instead"]) == (stand, instead)]
        better = sum(row["low"] > 0 for row in rows)
        worse = sum(row["high"] < 0 for row in rows)
        sentences.append(
            f"{_verdict(stand, instead, mean)} In {better} of {len(rows)} cases (other score, opener) "
            f"{stand} is better and in {worse} {instead}, each by its own interval."
        )
    return sentences


def _verdict(stand: int, instead: int, mean: dict[str, Any]) -> str:
    interval = f"[{mean['low']:+.4f}, {mean['high']:+.4f}]"
    if mean["low"] > 0 or mean["high"] < 0:
        better, worse = (stand, instead) if mean["low"] > 0 else (instead, stand)
        told = f"It is better to stand at {better} than at {worse}"
    else:
        told = f"Standing at {stand} and at {instead} are not distinguishable"
    difference = f"{stand} less {instead} is {mean['estimate']:+.4f} {interval} of a game"
    return f"{told}: {difference}, the mean over all cases."
