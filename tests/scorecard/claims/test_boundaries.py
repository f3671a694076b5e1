"""C02 to C04: every threshold has a case on either side."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.claims.boundaries import count_best, count_classes, count_varying
from fuzzybounds.scorecard.claims.claim import (
    DEPENDS,
    DIRECTION,
    NOT,
    REPRODUCED,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
)


@pytest.mark.parametrize(
    ("n", "verdict"),
    [(18, REPRODUCED), (17, UNDECIDED), (13, UNDECIDED), (9, UNDECIDED), (8, NOT)],
)
def test_variation_is_judged_by_an_interval(n, verdict):
    # Wilson's interval of 18 of 26 is [0.5001, 0.83], of 17 [0.46, 0.81], of 8 [0.17, 0.4999].
    table = {"condition": "easy", "unit": "noise", "threshold": [0.5, 1.0], "n_varying": [n, 3]}
    found = count_varying(pd.DataFrame({**table, "n_subjects": 26}))
    assert found == {"value": n, "out_of": 26, "compared": 3, "verdict": verdict}
    assert count_varying(pd.DataFrame({**table, "n_subjects": 26, "condition": "hard"})) is None


@pytest.mark.parametrize(
    ("strong", "most", "verdict"),
    [(5, 5, REPRODUCED), (4, 5, DIRECTION), (4, 4, NOT), (0, 5, DIRECTION), (5, 4, REPRODUCED)],
)
def test_classes_are_judged_by_all_five(strong, most, verdict):
    table = {"protected_exceedance": [0.951] * strong + [0.95] * (5 - strong)}
    table |= {"n_weibull": [14] * most + [13] * (5 - most), "n_subjects": 26}
    assert count_classes(pd.DataFrame(table))["verdict"] == verdict


@pytest.mark.parametrize(
    ("ours", "other", "verdict"),
    [(14, 12, REPRODUCED), (13, 12, DIRECTION), (13, 13, NOT), (6, 5, DIRECTION), (5, 6, NOT)],
)
def test_the_best_model_needs_more_than_half(ours, other, verdict):
    models = [("weibull", "rl"), ("weibull", "none"), *(("constant", str(i)) for i in range(26))]
    best = [0] * ours + [1] * other + list(range(2, 28 - ours - other))
    scores = pd.DataFrame(1.0, range(26), pd.MultiIndex.from_tuples(models))
    for subject, model in enumerate(best):
        scores.iloc[subject, model] = 0.0
    assert count_best(scores)["verdict"] == verdict


def test_subjects_on_the_edge_are_counted():
    # Reinforcement learning behind by 4.9 and by 5.0, ahead by 4.9 and by 5.0, and far ahead.
    scores = pd.DataFrame({("weibull", "rl"): [4.9, 5.0, 0.0, 0.0, 0.0]})
    scores["weibull", "none"] = [0.0, 0.0, 4.9, 5.0, 90.0]
    scores["constant", "none"] = 99.0
    assert count_best(scores)["edge"] == 2


def row(claim, value, out_of, compared, default=True, bounds="stable", verdict=NOT, by="bic"):
    choices = (claim, by, "decision", bounds)
    return (*choices, value, out_of, compared, 0.0, verdict, default)


def multiverse(*rows):
    columns = TABLES["boundary_multiverse"].names
    others = ("shape_evidence", "boundary_direction", "boundary_controls")
    tables = {name: TABLES[name].empty() for name in others}
    return {**tables, "boundary_multiverse": pd.DataFrame(rows, columns=columns)}


def controls(claim, judge, *right, expected=False):
    """A table of controls in which a judge is right or wrong."""
    rows = [
        (claim, judge, f"truth {i}", expected, own == expected, own, 7, 12, 12)
        for i, own in enumerate(right)
    ]
    return pd.DataFrame(rows, columns=TABLES["boundary_controls"].names)


def test_early_variation_says_its_interval_and_what_other_choices_give(judge):
    authors = row("C02", 9, 26, 5, default=False, bounds="authors")
    found = judge("C02", multiverse(row("C02", 19, 26, 11, verdict=REPRODUCED), authors))
    assert found.verdict == REPRODUCED
    assert found.ours == "19 of 26 [0.54, 0.86]"
    assert judge("C02", multiverse(row("C02", 17, 26, 11, verdict=UNDECIDED))).verdict == UNDECIDED
    other = [row("C02", 9, 26, 5, default=False)] * 2
    default = row("C02", 19, 26, 11, verdict=REPRODUCED)
    assert judge("C02", multiverse(default, other[0])).verdict == REPRODUCED
    depends = judge("C02", multiverse(default, *other))
    assert (depends.verdict, depends.conclusion) == (DEPENDS, UNDECIDED)


@pytest.mark.parametrize(
    ("right", "conclusion"),
    [((True, True), SUPPORTED), ((True, False), UNIDENTIFIED), ((), UNDECIDED)],
)
def test_a_conclusion_needs_a_judge_who_calls_the_truth(judge, right, conclusion):
    tables = multiverse(row("C02", 19, 26, 11, verdict=REPRODUCED))
    tables["boundary_controls"] = controls("C02", "printed", *right)
    found = judge("C02", tables)
    assert found.conclusion == conclusion
    assert ("truth 1 7 of 12 (wrong)" in found.note) == (conclusion == UNIDENTIFIED)


@pytest.mark.parametrize(
    ("varying", "expected", "conclusion"),
    [
        *((19, False, UNIDENTIFIED), (19, True, SUPPORTED)),
        *((7, False, UNSUPPORTED), (7, True, UNIDENTIFIED)),
        *((13, False, UNIDENTIFIED), (13, True, UNIDENTIFIED)),
    ],
)
def test_only_the_mistake_that_could_have_been_made_counts(judge, varying, expected, conclusion):
    # A judge who affirms what is false may still be believed when it denies, and vice versa.
    verdict = {19: REPRODUCED, 7: NOT, 13: UNDECIDED}[varying]
    tables = multiverse(row("C02", varying, 26, 11, verdict=verdict))
    tables["boundary_controls"] = controls("C02", "printed", False, expected=expected)
    assert judge("C02", tables).conclusion == conclusion


def test_time_varying_is_judged_by_the_default_row(judge):
    better = row("C03", 5, 5, 5, default=False, bounds="authors")
    tables = multiverse(better, row("C03", 4, 5, 4))
    direction = {"subject": "1", "condition": "easy", "n": 90, "mean": 100.0, "sd": 20.0}
    direction |= {"correlation": -0.1, "simulated": 0.52, "simulated_sd": 0.1}
    rows = [{**direction, "z": z} for z in (-2.01, -1.99)]
    tables["boundary_direction"] = pd.DataFrame(rows)
    found = judge("C03", tables)
    assert (found.ours, found.verdict) == ("4 of 5 classes", NOT)
    # Concluded by the direction, whatever the printed comparison finds.
    tables["boundary_direction"] = pd.DataFrame([{**direction, "z": -2.01}] * 9)
    by_direction = controls("C03", "direction", True)
    by_direction = pd.concat([by_direction, controls("C03", "direction", True, expected=True)])
    tables["boundary_controls"] = pd.concat([by_direction, controls("C03", "printed", False)])
    assert judge("C03", tables).conclusion == SUPPORTED
    tables["boundary_direction"] = pd.DataFrame([{**direction, "z": -1.99}] * 9)
    assert judge("C03", tables).conclusion == UNSUPPORTED
    assert judge("C03", multiverse(row("C03", 4, 5, 5, verdict=DIRECTION))).verdict == DIRECTION


def test_best_model_names_the_model_that_is_best(judge):
    selection = pd.DataFrame(
        {
            "default": True,
            "stable": [False, True, True],
            "boundary_time": "decision",
            "shape": "weibull",
            "learning": ["rl", "rl", "utility"],
            "n_unstable": [24, 0, 0],
            "n_best": [11, 3, 13],
        }
    )
    tables = {**multiverse(row("C04", 3, 26, 13)), "model_selection": selection}
    found = judge("C04", tables)
    assert (found.ours, found.verdict) == ("3 of 26", NOT)
    assert "the weibull boundary with class utility is for 13" in found.note
    assert "24 of its fits are unstable" in found.note


@pytest.mark.parametrize("name", ["C02", "C03", "C04"])
def test_without_fits_there_is_nothing_to_judge(judge, name):
    with pytest.raises(TooFew):
        judge(name, multiverse())
