"""`fives calc`: the statistics of typed counts."""

from __future__ import annotations

import pytest

from tests.shell import fives, refusal

PAIRS = ("calc", "--pairs", "1,3,4,7,2")


def test_pairs() -> None:
    found = fives(*PAIRS, "--json").json
    assert (found["unit"], found["n"], found["confidence"]) == ("pairs", 17, 0.95)
    assert found["score"] == pytest.approx(0.588235, abs=5e-7)
    assert found["std_error"] == pytest.approx(0.065573, abs=5e-7)
    assert found["win_rate_difference"] == pytest.approx(0.176471, abs=5e-7)
    assert found["elo_difference"] == pytest.approx(61.9608, abs=5e-5)
    assert found["likelihood_of_superiority"] == pytest.approx(0.910785, abs=5e-7)
    assert "sprt" not in found


def test_pairs_as_a_table() -> None:
    out = fives(*PAIRS).out
    assert out.startswith("17 pairs, confidence 0.95\n")
    assert "0.58824" in out
    assert "likelihood_of_superiority" in out
    assert "Sequential" not in out


def test_a_higher_confidence_is_wider() -> None:
    usual, wider = (fives(*PAIRS, "--confidence", c, "--json").json for c in (0.95, 0.99))
    assert wider["low"] < usual["low"] < usual["high"] < wider["high"]


def test_where_all_is_won_there_is_no_elo() -> None:
    found = fives("calc", "--pairs", "0,0,0,0,9", "--json").json
    assert (found["score"], found["elo_difference"], found["elo_difference_low"]) == (1.0, None, None)
    assert found["low"] < found["high"] == 1.0
    assert found["likelihood_of_superiority"] == 1.0


def test_wins_losses_and_ties() -> None:
    found = fives("calc", "--wins", 50, "--losses", 30, "--ties", 20, "--json").json
    assert (found["unit"], found["n"], found["score"]) == ("games", 100, 0.6)
    assert found["std_error"] == pytest.approx(((0.55 - 0.36) / 100) ** 0.5)


def test_wins_and_losses_without_ties_are_trials() -> None:
    games = fives("calc", "--wins", 3, "--losses", 97, "--json").json
    trials = fives("calc", "--successes", 3, "--trials", 100, "--json").json
    assert [games[key] for key in ("score", "std_error", "low", "high")] == pytest.approx(
        [trials[key] for key in ("estimate", "std_error", "low", "high")]
    )


def test_none_in_a_hundred() -> None:
    found = fives("calc", "--successes", 0, "--trials", 100, "--json").json
    assert (found["unit"], found["estimate"], found["low"]) == ("trials", 0.0, 0.0)
    assert found["high"] == pytest.approx(0.0370, abs=5e-5)
    assert "rate" in fives("calc", "--successes", 0, "--trials", 100).out


def test_a_sequential_test() -> None:
    found = fives(*PAIRS, "--elo0", 0, "--elo1", 50, "--beta", 0.1, "--json").json["sprt"]
    assert (found["elo0"], found["elo1"], found["alpha"], found["beta"]) == (0, 50, 0.05, 0.1)
    assert found["llr"] == pytest.approx(0.7858, abs=5e-5)
    assert (found["lower"], found["upper"]) == pytest.approx((-2.2513, 2.8904), abs=5e-5)
    assert found["verdict"] == "go on"


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ("100,300,400,700,200", "LLR 78.584, bounds -2.944 and 2.944: accept elo1."),
        ("200,700,400,300,100", ": accept elo0."),
        ("1,3,4,7,2", ": go on."),
    ],
)
def test_a_sequential_test_in_words(pairs: str, verdict: str) -> None:
    out = fives("calc", "--pairs", pairs, "--elo0", 0, "--elo1", 50).out
    assert verdict in out
    assert "these are no 0.95 intervals" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "no counts are given"),
        ("--pairs 1,3,4,7", "five numbers"),
        ("--pairs 1,3,4,7,-2", "five numbers"),
        ("--pairs 1,3,4,7,x", "'1,3,4,7,x'"),
        ("--pairs 0,0,0,0,0", "there are no pairs"),
        ("--wins 3", "losses is missing"),
        ("--ties 3", "wins is missing"),
        ("--wins 3 --losses -1", "losses is -1"),
        ("--wins 0 --losses 0", "there are no games"),
        ("--successes 3", "trials is missing"),
        ("--trials 3", "successes is missing"),
        ("--successes 0 --trials 0", "there are no trials"),
        ("--successes 4 --trials 3", "4 successes are more than 3 trials"),
        ("--wins 3 --losses 2 --trials 3", "several kinds"),
        ("--pairs 1,3,4,7,2 --confidence 95", "confidence"),
        ("--pairs 1,3,4,7,2 --elo0 0", "both --elo0 and --elo1"),
        ("--pairs 1,3,4,7,2 --elo0 5 --elo1 0", "elo0 must be the lower"),
        ("--pairs 1,3,4,7,2 --elo0 0 --elo1 5 --alpha 0", "alpha is 0"),
        ("--pairs 1,3,4,7,2 --alpha 0.1", "--alpha and --beta are for a sequential test"),
        ("--wins 3 --losses 2 --elo0 0 --elo1 5", "a sequential test is for pairs"),
        ("--wins three --losses 2", "--wins does not fit"),
    ],
)
def test_bad_input_is_one_sentence(words: str, sentence: str) -> None:
    assert sentence in refusal("calc", *words.split())
