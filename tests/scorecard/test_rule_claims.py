"""Claims about rules, asked of posteriors that are known."""

from itertools import product

import pandas as pd
import pytest

from fuzzybounds.core.tables import read_table, write_table
from fuzzybounds.scorecard.rule_claims import judge_by_posterior
from fuzzybounds.scorecard.words.posterior import by_posterior

FAST = ["F1", "F2", "F3"]
SLOW = ["L1", "L2", "L3"]
CHECK = pd.DataFrame(
    {"sure_low": [0.5, 0.95, 0.99], "right": [0.7, 0.8, 1.0], "n": [200, 100, 100]}
)
GROUPS = pd.DataFrame(
    {"subject": [*FAST, *SLOW, "M1"], "group": ["fast"] * 3 + ["slow"] * 3 + ["middle"]}
)


def posteriors(p_stop):
    """The table of posteriors, given a function of subject, window and premise."""
    subjects = [*FAST, *SLOW, "T1"]
    rows = [
        (subject, window, time, place, p_stop(subject, window, time, place), "independent")
        for subject, window, time, place in product(subjects, ("first", "last"), "SML", "SML")
    ]
    names = ["subject", "window", "time_label", "position_label", "p_stop", "prior"]
    return pd.DataFrame(rows, columns=names)


def as_the_paper_says(subject, window, time, place):
    """Fast subjects stop at S and M, slow ones do not; the slow rise, the fast fall."""
    jitter = {"1": 0.0, "2": 0.05, "3": -0.03}[subject[1]] * (1 if subject in FAST else 1.5)
    corner = {time, place} <= {"S", "M"}
    level = 0.9 if subject in FAST or not corner else 0.1
    change = 0.1 * (1 if subject in SLOW else -1) * (window == "last") * corner
    return level + change * (1 + jitter) - jitter * (1 if corner else 0.5)


def conclusions(table):
    return table[table["conclusion"] != ""].set_index("claim")["conclusion"]


def test_claims_that_hold_are_supported():
    table = judge_by_posterior(posteriors(as_the_paper_says), CHECK, GROUPS)
    concluded = conclusions(table)
    assert concluded["C11"] == concluded["C20"] == "supported"
    assert list(concluded["C12"]) == ["supported", "supported"]


def test_claims_that_fail_are_not_supported():
    def reversed_(subject, window, time, place):
        return 1 - as_the_paper_says(subject, window, time, place)

    concluded = conclusions(judge_by_posterior(posteriors(reversed_), CHECK, GROUPS))
    assert concluded["C11"] == concluded["C20"] == "not supported"
    assert list(concluded["C12"]) == ["not supported", "not supported"]


def test_rules_of_several_sessions_are_counted():
    def one_changes(subject, window, time, place):
        if (time, place) == ("S", "S"):
            return 0.01
        changed = subject == "T1" and (time, place) == ("M", "S") and window == "last"
        return 0.01 if changed else 0.99

    table = judge_by_posterior(posteriors(one_changes), CHECK, GROUPS)
    counted = table[table["claim"] == "C15"]
    assert list(counted["low"]) == [1, 2, 1]
    assert list(counted["high"]) == [1, 2, 1]
    assert list(counted["conclusion"]) == ["supported", "supported", "not supported"]


def test_certainty_is_judged_beside_how_often_it_is_right():
    table = judge_by_posterior(posteriors(lambda *_: 0.97), CHECK, GROUPS)
    right = table[(table["claim"] == "C18") & (table["n"] == 200)]
    assert right["value"].item() == pytest.approx(0.9)
    unsure = judge_by_posterior(posteriors(lambda *_: 0.6), CHECK, GROUPS)
    assert unsure[unsure["claim"] == "C18"]["value"].iloc[0] == 0


def test_the_note_has_what_there_is(tmp_path):
    write_table(
        judge_by_posterior(posteriors(as_the_paper_says), CHECK, GROUPS),
        tmp_path / "rule_claims.csv",
    )
    table = read_table(tmp_path / "rule_claims.csv")
    assert "fast less slow) 0.80" in by_posterior("C11", table)
    # Without a group, and without a conclusion.
    assert "(first blocks) " in by_posterior("C18", table)
    assert "(first blocks, fast) 0.89 [0.79, 0.99];" in by_posterior("C11", table)
    assert by_posterior("C01", table) == by_posterior("C11", None) == ""
