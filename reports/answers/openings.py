"""The answer of `openings`: which lead is best under the policy, and whether its own choice is as good."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

from reports.answers import telling
from reports.material import Measured

if TYPE_CHECKING:
    import pandas

    from reports.material import Material
    from reports.words import Words


def openings_answer(material: Material, words: Words) -> list[str]:
    """Return three or four sentences; those whose numbers the run lacks are left out."""
    leads = material.tables["leads"]
    told = [
        _own(material, words),
        _best_by_wins(leads, material, words),
        _best_by_points(leads, material, words),
        _worse(leads, words),
    ]
    return [sentence for sentence in told if sentence is not None]


def _own(material: Material, words: Words) -> str | None:
    rate = material.metric("opener_win_rate")
    if rate is None:
        return None
    return words(
        "With the leads that the policy itself chooses, the opener's side wins {rate} of the rounds; the "
        "even share is {even}.",
        rate=telling.rate(rate, words),
        even=words.percent(1 / material.sides, 0 if 100 % material.sides == 0 else 1),
    )


def _best(leads: pandas.DataFrame, stem: str, confidence: float) -> tuple[str, Measured] | None:
    """Return the lead of the largest gap; its interval is widened, since the best of all leads was picked."""
    told = leads[leads[stem].notna() & leads[f"{stem}_low"].notna()] if len(leads) else leads
    if told.empty:
        return None
    row = told.loc[told[stem].idxmax()]
    normal = NormalDist()
    plain = normal.inv_cdf((1 + confidence) / 2)
    wide = normal.inv_cdf(1 - (1 - confidence) / len(leads) / 2)  # Bonferroni
    estimate, reach = float(row[stem]), float(row[f"{stem}_high"]) - float(row[stem])
    reach *= wide / plain
    return str(row["tile"]), Measured(estimate, estimate - reach, estimate + reach, int(row["n"]))


def _best_by_wins(leads: pandas.DataFrame, material: Material, words: Words) -> str | None:
    found = _best(leads, "gap", material.confidence)
    if found is None:
        return None
    tile, gap = found
    facts = {"tile": tile, "gap": telling.percentage_points(gap, words), "deals": words.whole(gap.n)}
    if gap.low <= 0:
        return words(
            "By rounds won no lead is surely better than the policy's own; the largest gain has {tile}, "
            "{gap} percentage points in {deals} deals.",
            **facts,
        )
    return words(
        "By rounds won the best lead is {tile}: {gap} percentage points more than the policy's own leads "
        "win in the same {deals} deals.",
        **facts,
    )


def _best_by_points(leads: pandas.DataFrame, material: Material, words: Words) -> str | None:
    found = _best(leads, "margin_gap", material.confidence)
    if found is None:
        return None
    tile, gap = found
    facts = {"tile": tile, "gap": telling.number(gap, words, signed=True), "deals": words.whole(gap.n)}
    if gap.low <= 0:
        return words(
            "By points no lead is surely better than the policy's own; the largest gain has {tile}, {gap} "
            "raw points a round in {deals} deals.",
            **facts,
        )
    return words(
        "By points the best lead is {tile}: {gap} raw points a round more than the policy's own leads "
        "bring in the same {deals} deals.",
        **facts,
    )


def _worse(leads: pandas.DataFrame, words: Words) -> str | None:
    if leads.empty:
        return None
    worse = int((leads["gap_high"] < 0).sum())
    return words(
        "The intervals of these two allow for all {tiles} tiles; of the single tiles {worse} win surely "
        "fewer rounds than the policy's own leads.",
        tiles=words.whole(len(leads)),
        worse=words.whole(worse),
    )
