"""How the numbers of a report were got: the unit, the intervals, what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.material import Material
    from reports.words import Words


def _intervals(material: Material, words: Words) -> str:
    return words(
        "Every interval has a confidence of {confidence}. Each stands for itself: of many, some miss the "
        "truth.",
        confidence=words.percent(material.confidence, 0 if material.confidence * 100 % 1 == 0 else 1),
    )


def _formulas(words: Words) -> str:
    return words(
        "The formulas and their sources are in docs/statistics.md, the definitions of the metrics in "
        "docs/metrics.md of fives."
    )


def simulate_method(material: Material, words: Words) -> list[str]:
    """Return how a simulation counts."""
    if material.by_games:
        played = words(
            "Each game was played from 0-0 to the target, its first opener drawn by lot. The game is the "
            "unit: the rounds, plays and gains of one game depend on each other, so their rates and means "
            "are ratios whose standard errors are taken over games (Cochran, Sampling Techniques, 1977, "
            "6.3)."
        )
    else:
        played = words(
            "Each round was dealt and played by itself from 0-0, its opener drawn by lot, without a "
            "target. The round is the unit: means of its plays are ratios whose standard errors are taken "
            "over rounds (Cochran, Sampling Techniques, 1977, 6.3)."
        )
    wilson = words(
        "Proportions of independent trials have Wilson's interval (1927), also where nothing or everything "
        "happened, so no interval has a width of 0. A tie of k sides counts 1/k for each."
    )
    rest = [_intervals(material, words), _formulas(words)]
    return [played, wilson, *_control(material, words), *_units(material, words), *rest]


def _units(material: Material, words: Words) -> list[str]:
    """Return what a raw point is where plays score divided points."""
    if material.rules.get("points") != "divided":
        return []
    return [
        words(
            "Points are divided here: a play scores how often a multiple is in the count, and what this page "
            "calls a raw point is one point so scored."
        )
    ]


def _control(material: Material, words: Words) -> list[str]:
    if not material.facts.get("control_coefficients"):
        return []
    return [
        words(
            "The luck of the opener's deal (pips, doubles, tiles that score as a lead) is taken out of "
            "what it moves, with coefficients from pilot games that are none of these; the estimates stay "
            "unbiased."
        )
    ]


def compare_method(material: Material, words: Words) -> list[str]:
    """Return how a comparison counts."""
    played = words(
        "Each deal was played by every pair of policies in all seatings, with the same hands and the same "
        "boneyard each time, so the luck of the deal cancels out. The deal is the unit of every interval; "
        "its value is the mean over its seatings of the wins per side held."
    )
    ratings = words(
        "Ratings are those of Bradley and Terry (1952) on the scale of Elo with mean 0; their intervals "
        "take the deal as the cluster."
    )
    return [played, ratings, *_units(material, words), _intervals(material, words), _formulas(words)]


def sweep_method(material: Material, words: Words) -> list[str]:
    """Return how a sweep counts."""
    played = words(
        "Every cell played the same games of the seed, so cells with the same tiles and the same number of "
        "players met the same deals; their differences are paired, game by game. Cells with another set of "
        "tiles or number of players share no deals and are compared as independent (Newcombe, 1998)."
    )
    return [played, *_units(material, words), _intervals(material, words), _formulas(words)]


def openings_method(material: Material, words: Words) -> list[str]:
    """Return how the leads were compared."""
    played = words(
        "Each deal was played once with every tile of the opener's hand as the lead; all later plays are "
        "the policies'. A lead's gain is the result with it less that of the policy's own lead in the same "
        "deal, averaged over the deals that hold the tile. The deal is the unit."
    )
    best = words(
        "The best of many leads looks better than it is: the intervals of the two best that are named "
        "above allow for all tiles (Bonferroni)."
    )
    return [played, best, *_units(material, words), _intervals(material, words), _formulas(words)]


def tune_method(material: Material, words: Words) -> list[str]:
    """Return how a policy was tuned and checked."""
    facts = material.facts
    search = words(
        "The search is CMA-ES (Hansen and Ostermeier, Evolutionary Computation 9, 2001) over {features} "
        "features, from {start}: {generations} generations of {population} candidates. All candidates of a "
        "generation met the rival on the same {deals} deals in every seating; no two generations share any, "
        "and the ranks alone went back into the search.",
        features=words.whole(len(facts["features"])),
        start=facts["start"],
        generations=words.whole(int(facts["generations"])),
        population=words.whole(int(facts["population"])),
        deals=words.whole(int(facts["deals"])),
    )
    check = words(
        "What came out, the middle of the last generation, was then compared with the rival on {check} deals "
        "that follow those of all generations, in every seating. Nothing was chosen by them, so the interval "
        "keeps its confidence; the deal is its unit.",
        check=words.whole(int(facts["check"])),
    )
    edge = words("An edge is one over this rival, under these rules and with this number of players.")
    return [search, check, edge, *_units(material, words), _intervals(material, words), _formulas(words)]


def race_method(material: Material, words: Words) -> list[str]:
    """Return how the chances of a race were found."""
    rounds = words.whole(material.done)
    if material.facts.get("rounds_are", "").startswith("played"):
        sample = words(
            "A policy looks at the scores, so each of the {rounds} rounds of each opener was played at every "
            "pair of scores, the same deals at each.",
            rounds=rounds,
        )
    else:
        sample = words(
            "No policy looks at the scores, so the {rounds} rounds of each opener were played once, and "
            "their gains replayed in order at every pair of scores: what an exact target refuses there is "
            "refused.",
            rounds=rounds,
        )
    chain = words(
        "The rounds of a game are an absorbing Markov chain (Kemeny and Snell, Finite Markov Chains, 1960): "
        "a state is both scores and who opens next, and the chance to win is solved from where the rounds "
        "lead. The round guard is left out."
    )
    errors = words(
        "Standard errors are the infinitesimal jackknife's over 64 batches of rounds (Efron and Tibshirani, "
        "An Introduction to the Bootstrap, 1993). All chances rest on the same rounds, so a difference of "
        "two is surer than their intervals suggest. docs/race.md of fives has the details."
    )
    return [sample, chain, errors, _intervals(material, words)]
