"""C01, C17, C23 and C27: parts of the design, the optimum and decisions, at their thresholds."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.verdicts import AS_PRINTED, DIRECTION, NOT, SUPPORTED, UNSUPPORTED

EXACT = {
    ("one_session_subjects", ""): (26, 26, 26),
    ("blocks_per_subject", ""): (40, 36, 40),
    ("block_duration_s", ""): (63, 58, 70),
    ("p0", "easy"): (0.654, 0.64, 0.66),
    ("p0", "hard"): (0.512, 0.50, 0.52),
    ("reward_correct", "easy"): (20, 20, 20),
    ("reward_correct", "hard"): (1, 1, 1),
    ("reward_incorrect", "easy"): (-20, -20, -20),
    ("reward_incorrect", "hard"): (-1, -1, -1),
    ("time_besides_decision_correct_s", "easy"): (4.05, 4.05, 4.05),
    ("time_besides_decision_incorrect_s", "easy"): (7.05, 7.05, 7.05),
    ("time_besides_decision_correct_s", "hard"): (4.05, 4.05, 4.05),
    ("time_besides_decision_incorrect_s", "hard"): (4.05, 4.05, 4.05),
}


CHECK = ["quantity", "condition", "subject", "value", "low", "high"]


def check(**changes):
    """The table of a design that holds, but for what is changed: quantity_condition=(v, l, h)."""
    rows = []
    for (quantity, condition), values in EXACT.items():
        key = f"{quantity}_{condition}" if condition else quantity
        rows.append((quantity, condition, "", *changes.get(key, values)))
    return {"design_check": pd.DataFrame(rows, columns=CHECK)}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, AS_PRINTED),
        ({"one_session_subjects": (25, 25, 25)}, DIRECTION),
        ({"blocks_per_subject": (39, 36, 40)}, DIRECTION),
        ({"block_duration_s": (60, 55.0, 70)}, AS_PRINTED),
        ({"block_duration_s": (66, 54.9, 70)}, DIRECTION),
        ({"time_besides_decision_incorrect_s_easy": (7.0599, 7, 7.1)}, AS_PRINTED),
        ({"time_besides_decision_incorrect_s_hard": (4.0399, 4, 4.1)}, DIRECTION),
        ({"reward_incorrect_easy": (-19, -20, -19)}, DIRECTION),
        ({"p0_easy": (0.66, 0.651, 0.67)}, NOT),
        ({"p0_hard": (0.50, 0.49, 0.509)}, NOT),
    ],
)
def test_each_part_has_its_threshold(judge, changes, verdict):
    assert judge("C01", check(**changes)).verdict == verdict


def test_the_design_is_told(judge):
    result = judge("C01", check())
    assert result.ours == "26 subjects; 40 blocks of 63 s; P0 0.654 / 0.512; penalty 3.00 s"
    assert result.interval == "95 % intervals of P0: easy [0.640, 0.660], hard [0.500, 0.520]"


def test_subjects_with_a_chance_of_their_own_are_counted(judge):
    tables = check()
    rows = [(0.70, 0.66, 0.74), (0.60, 0.56, 0.64), (0.66, 0.62, 0.70), (0.65, 0.60, 0.69)]
    chances = [("p0_of_subject", "easy", f"s{n}", *row) for n, row in enumerate(rows)]
    table = pd.concat([tables["design_check"], pd.DataFrame(chances, columns=CHECK)])
    note = judge("C01", {"design_check": table}).note
    assert "2 of 4 subjects have an own P0" in note
    assert "(subject s0)" in note


def test_logs_that_do_not_tell_are_insufficient(judge):
    tables = check(p0_hard=(float("nan"), 0, 1))
    with pytest.raises(TooFew, match="these logs do not tell p0 hard"):
        judge("C01", tables)


EARNED = {"s1": (0.35, 0.2, 0.5), "s2": (0.7, 0.6, 0.8), "s3": (1.05, 0.9, 1.2)}
"""What subjects earn, with its interval."""


def optimum(rate=0.8942, boundary=(180, 180, 135, 90), logs=()):
    rows = [("paper_uncued", "steps", rate), ("paper_uncued", "frames", 0.95)]
    rows += [("paper_cued", "steps", 1.16), ("paper_cued", "frames", 1.25)]
    points = [("paper_uncued", "steps", "all", 1.0 + n, part) for n, part in enumerate(boundary)]
    columns = ["design", "respond_at", "condition", "time", "boundary"]
    if logs:
        rows += [("logs_b_uncued", "steps", 1.3), ("logs_b_uncued", "frames", 1.4)]
        points += [("logs_b_uncued", "steps", "all", 1.0 + n, part) for n, part in enumerate(logs)]
    earned = [("reward_rate_coins_per_s", "", name, *part) for name, part in EARNED.items()]
    earned += [("p0_of_subject", "easy", name, 0.744, 0.715, 0.772) for name in EARNED]
    return {
        "design_check": pd.DataFrame(earned, columns=CHECK),
        "optimum": pd.DataFrame(rows, columns=["design", "respond_at", "reward_rate"]),
        "optimal_boundary": pd.DataFrame(points, columns=columns),
    }


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, AS_PRINTED),
        ({"rate": 0.849}, NOT),
        ({"rate": 0.949}, AS_PRINTED),
        ({"rate": 0.951}, NOT),
        ({"boundary": (180, 225, 135, 90)}, AS_PRINTED),
        ({"boundary": (180, 226, 135, 90)}, DIRECTION),
        ({"boundary": (180, 135, 135, 180)}, DIRECTION),
        ({"boundary": (180, 135, 135, 179)}, AS_PRINTED),
    ],
)
def test_the_optimum_is_near_and_its_boundary_falls(judge, values, verdict):
    assert judge("C17", optimum(**values)).verdict == verdict


def test_efficiency_is_over_the_optimum_of_the_own_design(judge):
    assert "0.70 of 1.25 coins/s, an efficiency of 0.56" in judge("C17", optimum()).ours
    part = judge("C17", optimum(logs=(135, 90, 45)))
    assert "0.70 of 1.40 coins/s, an efficiency of 0.50 (0.25 to 0.75)" in part.ours
    assert part.conclusion == SUPPORTED
    rising = judge("C17", optimum(logs=(45, 90, 135)))
    assert (rising.verdict, rising.conclusion) == (AS_PRINTED, UNSUPPORTED)


def test_who_earns_more_than_the_optimum_is_named_with_the_own_p0(judge, monkeypatch):
    """Subjects of another P0 had another optimum: 1.74 coins/s at 0.744 with cues."""
    assert judge("C17", optimum()).note.endswith("Nobody earns more than that.")
    monkeypatch.setitem(EARNED, "s3", (1.45, 1.26, 1.64))
    note = judge("C17", optimum()).note
    assert "earned by subject s3 (1.16 [1.01, 1.31]), whose canoe went to the correct" in note
    assert "with probability 0.744 [0.715, 0.772]: of the optimum" in note
    assert note.endswith("such a task, 1.74, it is 0.83.")


def test_subjects_of_another_p0_are_counted(judge):
    tables = check()
    of_subjects = [("s1", 0.65, 0.64, 0.66), ("s2", 0.744, 0.715, 0.772), ("s3", 0.6, 0.55, 0.649)]
    part = pd.DataFrame([("p0_of_subject", "easy", *row) for row in of_subjects], columns=CHECK)
    tables["design_check"] = pd.concat([part, tables["design_check"]])
    assert judge("C01", tables).verdict == AS_PRINTED
    note = judge("C01", tables).note
    assert "2 of 3 subjects have an own P0 on easy trials whose 95 % interval excludes 0.65" in note
    assert "the largest is 0.744 [0.715, 0.772] (subject s2)" in note


def decision_times(easy, hard):
    rows = [("paper_cued", at, easy, hard) for at in ("steps", "frames")]
    columns = ["design", "respond_at", "decision_time_easy", "decision_time_hard"]
    responses = [("a", name, rt) for name, rt in (("easy", 4.0), ("hard", 1.0))]
    trials = pd.DataFrame(responses, columns=["subject", "condition", "rt"])
    trials = trials.assign(responded=True)
    return {"optimum": pd.DataFrame(rows, columns=columns), "trials": trials}


@pytest.mark.parametrize(
    ("hard", "verdict", "conclusion"),
    [(0.99, AS_PRINTED, SUPPORTED), (1.01, DIRECTION, SUPPORTED), (4.0, NOT, UNSUPPORTED)],
)
def test_the_optimal_observer_spends_less_time_on_hard_trials(judge, hard, verdict, conclusion):
    result = judge("C23", decision_times(4.0, hard))
    assert (result.verdict, result.conclusion) == (verdict, conclusion)
    assert "shorter on hard trials for 1 of 1" in result.note


def responses(*correct, subjects=4):
    """Trials of subjects with far and near responses; the shares of correct ones are given."""
    near, far = correct
    rows = [
        (f"s{subject}", place, i < 100 * share + subject * (1 if place > 0 else 2))
        for subject in range(subjects)
        for place, share in ((45.0, near), (-90.0, far))
        for i in range(100)
    ]
    table = pd.DataFrame(rows, columns=["subject", "position", "correct"])
    return {"trials": table.assign(condition="easy", responded=True)}


@pytest.mark.parametrize(
    ("near", "far", "verdict", "conclusion"),
    [(0.6, 0.7, AS_PRINTED, SUPPORTED), (0.7, 0.6, NOT, UNSUPPORTED)],
)
def test_farther_responses_are_more_often_correct(judge, near, far, verdict, conclusion):
    tables = responses(near, far)
    result = judge("C27", tables)
    assert (result.verdict, result.conclusion) == (verdict, conclusion)
    with pytest.raises(TooFew):
        judge("C27", responses(near, far, subjects=3))
