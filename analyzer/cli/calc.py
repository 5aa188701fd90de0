"""`fives calc`: the statistics of the other commands, from counts typed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from analyzer import limits, paired, stats
from analyzer.cli import options
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.errors import FivesError
from analyzer.sequential import DEFAULT_RISK, Sprt
from analyzer.stats import Estimate

Answer = dict[str, Any]

_ERROR = ("std_error", "low", "high")


def calc(
    pairs: Annotated[
        str | None,
        typer.Option(
            "--pairs",
            metavar="N0,...,N4",
            help="Deals played twice, seats swapped, that scored 0, 1/2, 1, 3/2 and 2.",
        ),
    ] = None,
    wins: Annotated[int | None, typer.Option("--wins", metavar="N", help="Independent games won.")] = None,
    losses: Annotated[int | None, typer.Option("--losses", metavar="N", help="Games lost.")] = None,
    ties: Annotated[int | None, typer.Option("--ties", metavar="N", help="Games tied. [default: 0]")] = None,
    successes: Annotated[
        int | None, typer.Option("--successes", metavar="K", help="Independent trials that succeeded.")
    ] = None,
    trials: Annotated[int | None, typer.Option("--trials", metavar="N", help="All of these trials.")] = None,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="C", help="The confidence of the intervals.")
    ] = options.DEFAULT_CONFIDENCE,
    elo0: Annotated[
        float | None, typer.Option("--elo0", metavar="ELO", help="The lower Elo of a test on the pairs.")
    ] = None,
    elo1: Annotated[float | None, typer.Option("--elo1", metavar="ELO", help="Its higher Elo.")] = None,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", metavar="A", help="The risk of accepting elo1 wrongly. [default: 0.05]"),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option("--beta", metavar="B", help="The risk of accepting elo0 wrongly. [default: 0.05]"),
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Turn counts into estimates with their intervals.

    Give --pairs, or --wins with --losses, or --successes with --trials.
    """
    limits.check_confidence(confidence)
    test = _test(elo0, elo1, alpha, beta)
    kind = _kind(
        {
            "pairs": {"--pairs": pairs},
            "games": {"--wins": wins, "--losses": losses, "--ties": ties},
            "trials": {"--successes": successes, "--trials": trials},
        }
    )
    if test is not None and kind != "pairs":
        raise FivesError("a sequential test is for pairs: give --pairs, or leave --elo0 and --elo1 out.")
    if kind == "pairs":
        answer = _of_pairs(_counts(pairs or ""), confidence, test)
    elif kind == "games":
        answer = _of_games(wins, ties or 0, losses, confidence)
    else:
        answer = _of_trials(successes, trials, confidence)
    if json:
        emit_json(answer)
    else:
        _show(answer)


# --- what is asked ------------------------------------------------------------------------------


def _kind(given: dict[str, dict[str, object]]) -> str:
    """Return the one kind of counts of which something is given."""
    kinds = [kind for kind, values in given.items() if any(value is not None for value in values.values())]
    if len(kinds) != 1:
        problem = "no counts are given" if not kinds else "counts of several kinds are given"
        raise FivesError(f"{problem}: give --pairs, or --wins with --losses, or --successes with --trials.")
    return kinds[0]


def _test(elo0: float | None, elo1: float | None, alpha: float | None, beta: float | None) -> Sprt | None:
    if elo0 is None and elo1 is None:
        if alpha is not None or beta is not None:
            raise FivesError("--alpha and --beta are for a sequential test: give --elo0 and --elo1 too.")
        return None
    if elo0 is None or elo1 is None:
        raise FivesError("a sequential test needs two Elos: give both --elo0 and --elo1.")
    risks = [DEFAULT_RISK if risk is None else risk for risk in (alpha, beta)]
    return Sprt(elo0, elo1, *risks)


def _counts(text: str) -> list[int]:
    """Return the five counts of a text such as 1,3,4,7,2."""
    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        raise FivesError(
            f"pairs is {text!r}: give five whole numbers with commas between, as in 1,3,4,7,2."
        ) from None
    paired.check_counts(counts)
    _check_any(sum(counts), "pairs")
    return counts


def _checked(name: str, count: int | None) -> int:
    """Return a count that must be given and not be negative."""
    if count is None:
        raise FivesError(f"{name} is missing: give --{name} too.")
    if count < 0:
        raise FivesError(f"{name} is {count}: it must be 0 or more.")
    return count


def _check_any(count: int, what: str) -> None:
    if count == 0:
        raise FivesError(f"there are no {what}: at least one must be counted.")


# --- what the counts show -----------------------------------------------------------------------


def _of_pairs(counts: Sequence[int], confidence: float, test: Sprt | None) -> Answer:
    answer = {"unit": "pairs", **_of_score(paired.pentanomial(counts, confidence), confidence)}
    return answer if test is None else answer | {"sprt": test.as_dict(counts)}


def _of_games(wins: int | None, ties: int, losses: int | None, confidence: float) -> Answer:
    counts = _checked("wins", wins), _checked("ties", ties), _checked("losses", losses)
    _check_any(sum(counts), "games")
    return {"unit": "games", **_of_score(paired.trinomial(*counts, confidence), confidence)}


def _of_score(score: Estimate, confidence: float) -> Answer:
    difference = paired.win_rate_difference(score)
    superior = paired.likelihood_of_superiority(difference.estimate, difference.std_error)
    return {
        "n": score.n,
        "confidence": confidence,
        "score": score.estimate,
        **_error(score),
        **_named("win_rate_difference", difference),
        **_named("elo_difference", paired.elo_difference(score)),
        "likelihood_of_superiority": superior,
    }


def _named(name: str, found: Estimate) -> Answer:
    return {name: found.estimate} | {f"{name}_{key}": value for key, value in _error(found).items()}


def _error(found: Estimate) -> Answer:
    return {"std_error": found.std_error, "low": found.low, "high": found.high}


def _of_trials(successes: int | None, trials: int | None, confidence: float) -> Answer:
    succeeded, all_of_them = _checked("successes", successes), _checked("trials", trials)
    _check_any(all_of_them, "trials")
    if succeeded > all_of_them:
        raise FivesError(
            f"{succeeded} successes are more than {all_of_them} trials: trials count all of them."
        )
    rate = stats.wilson(succeeded, all_of_them, confidence)
    return {
        "unit": "trials",
        "n": rate.n,
        "confidence": confidence,
        "estimate": rate.estimate,
        **_error(rate),
    }


# --- showing it ---------------------------------------------------------------------------------


def _show(answer: Answer) -> None:
    title = f"{answer['n']:,} {answer['unit']}, confidence {answer['confidence']:g}"
    emit_table(title, _rows(answer), words=("metric",))
    if "sprt" in answer:
        emit(_test_sentence(answer["sprt"]))
        emit(f"Where the test decided when to stop, these are no {answer['confidence']:g} intervals.")


def _rows(answer: Answer) -> list[Answer]:
    if answer["unit"] == "trials":
        return [{"metric": "rate", **{key: answer[key] for key in ("estimate", *_ERROR)}}]
    rows = [{"metric": "score", "estimate": answer["score"], **{key: answer[key] for key in _ERROR}}]
    for name in ("win_rate_difference", "elo_difference"):
        error = {key: answer[f"{name}_{key}"] for key in _ERROR}
        rows.append({"metric": name, "estimate": answer[name], **error})
    name = "likelihood_of_superiority"
    return [*rows, {"metric": name, "estimate": answer[name]}]


def _test_sentence(test: Answer) -> str:
    verdict = "go on" if test["verdict"] == "go on" else f"accept {test['verdict']}"
    return (
        f"Sequential test of Elo {test['elo0']:g} against {test['elo1']:g} "
        f"(alpha {test['alpha']:g}, beta {test['beta']:g}): LLR {test['llr']:.3f}, "
        f"bounds {test['lower']:.3f} and {test['upper']:.3f}: {verdict}."
    )
