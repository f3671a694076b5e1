"""C02 to C04, C22 and C24: every threshold has a case on either side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import BETWEEN, WITHIN
from fuzzybounds.paper import worked_example
from fuzzybounds.scorecard.boundary_counts import (
    OF_PAPER,
    count_best,
    count_classes,
    count_learning,
    count_varying,
)
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    DEPENDS,
    DIRECTION,
    NOT,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
)


@pytest.mark.parametrize(("n", "verdict"), [(14, AS_PRINTED), (13, NOT)])
def test_variation_is_judged_by_the_majority(n, verdict):
    table = {"condition": "easy", "unit": "noise", "threshold": [0.5, 1.0], "n_varying": [n, 3]}
    result = count_varying(pd.DataFrame({**table, "n_subjects": 26}))
    assert result == {"value": n, "out_of": 26, "compared": 3, "verdict": verdict}
    assert count_varying(pd.DataFrame({**table, "n_subjects": 26, "condition": "hard"})) is None


@pytest.mark.parametrize(
    ("strong", "most", "verdict"),
    [(5, 5, AS_PRINTED), (4, 5, DIRECTION), (4, 4, NOT), (0, 5, DIRECTION), (5, 4, AS_PRINTED)],
)
def test_classes_are_judged_by_all_five(strong, most, verdict):
    table = {"protected_exceedance": [0.951] * strong + [0.95] * (5 - strong)}
    table |= {"n_weibull": [14] * most + [13] * (5 - most), "n_subjects": 26}
    evidence = pd.DataFrame({"learning": OF_PAPER, **table})
    result = count_classes(evidence)
    assert result["verdict"] == verdict
    # What the paper printed is not about a class that somebody adds.
    added = {"learning": "drift", "protected_exceedance": 0.0, "n_weibull": 0, "n_subjects": 26}
    assert count_classes(pd.concat([evidence, pd.DataFrame([added])])) == result


@pytest.mark.parametrize(
    ("ours", "other", "verdict"),
    [(14, 12, AS_PRINTED), (13, 12, DIRECTION), (13, 13, NOT), (6, 5, DIRECTION), (5, 6, NOT)],
)
def test_the_best_model_needs_more_than_half(ours, other, verdict):
    models = [("weibull", "rl"), ("weibull", "none"), *(("constant", name) for name in OF_PAPER)]
    best = [0] * ours + [1] * other + [2 + i % len(OF_PAPER) for i in range(26 - ours - other)]
    scores = pd.DataFrame(1.0, range(26), pd.MultiIndex.from_tuples(models))
    for subject, model in enumerate(best):
        scores.iloc[subject, model] = 0.0
    result = count_best(scores)
    assert result["verdict"] == verdict
    # What the paper printed is not about a class that somebody adds.
    scores["weibull", "drift"] = -100.0
    assert count_best(scores) == result


@pytest.mark.parametrize(
    ("better", "by", "verdict"),
    [(14, 50.0, AS_PRINTED), (13, 50.0, NOT), (14, 0.1, NOT), (26, 0.1, AS_PRINTED)],
)
def test_learning_needs_most_subjects_and_the_sum(better, by, verdict):
    """The others are described worse by 3."""
    scores = pd.DataFrame({("weibull", "none"): [0.0] * 26})
    scores["weibull", "rl"] = [-by] * better + [3.0] * (26 - better)
    assert count_learning(scores)["verdict"] == verdict


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
    tables = {name: TABLES[name].empty() for name in (*others, "design_check")}
    tables["boundary_variation"] = variation()
    return {**tables, "boundary_multiverse": pd.DataFrame(rows, columns=columns)}


def variation(*varying):
    """How many of 26 boundaries vary, by thresholds of 0.1, 0.2 and so on of the noise."""
    table = TABLES["boundary_variation"].empty()
    rows = [
        ("decision", True, "easy", "noise", 0.1 * (i + 1), n, 26) for i, n in enumerate(varying)
    ]
    columns = ["boundary_time", "stable", "condition", "unit", "threshold", "n_varying"]
    return pd.concat([table, pd.DataFrame(rows, columns=[*columns, "n_subjects"])])


def controls(claim, judge, *right, expected=False):
    """A table of controls in which a judge is right or wrong."""
    rows = [
        (claim, judge, f"truth {i}", expected, part == expected, part, 7, 12, 12)
        for i, part in enumerate(right)
    ]
    return pd.DataFrame(rows, columns=TABLES["boundary_controls"].names)


@pytest.mark.parametrize(
    ("varying", "verdict", "reason"),
    [
        ((26, 14), AS_PRINTED, "2 of 2 readings"),
        ((26, 13), DEPENDS, "1 of 2 readings"),
        ((13, 13), NOT, "0 of 2 readings"),
    ],
)
def test_early_variation_is_judged_over_what_counts_as_a_change(judge, varying, verdict, reason):
    tables = multiverse(row("C02", 19, 26, 11, verdict=AS_PRINTED))
    result = judge("C02", {**tables, "boundary_variation": variation(*varying)})
    assert (result.ours, result.verdict) == ("19 of 26 [0.54, 0.86]", verdict)
    assert reason in result.reason
    assert ("under none if only changes above 0.1 of the noise" in result.reason) == (
        verdict == DEPENDS
    )


@pytest.mark.parametrize(
    ("right", "conclusion"),
    [((True, True), SUPPORTED), ((True, False), UNIDENTIFIED), ((), UNDECIDED)],
)
def test_a_conclusion_needs_a_judge_who_calls_the_truth(judge, right, conclusion):
    tables = multiverse(row("C02", 19, 26, 11, verdict=AS_PRINTED))
    tables["boundary_controls"] = controls("C02", "printed", *right)
    result = judge("C02", tables)
    assert result.conclusion == conclusion
    assert ("truth 1 7 of 12 (wrong)" in result.note) == (conclusion == UNIDENTIFIED)


@pytest.mark.parametrize(
    ("varying", "expected", "conclusion"),
    [
        *((18, False, UNIDENTIFIED), (18, True, SUPPORTED)),
        *((8, False, UNSUPPORTED), (8, True, UNIDENTIFIED)),
        *((17, False, UNIDENTIFIED), (9, True, UNIDENTIFIED)),
    ],
)
def test_only_the_mistake_that_could_have_been_made_counts(judge, varying, expected, conclusion):
    # A judge who affirms what is false may still be believed when it denies, and vice versa.
    # Wilson's interval of 18 of 26 is [0.5001, 0.83], of 17 [0.46, 0.81], of 9 [0.19, 0.54], and
    # of 8 [0.17, 0.4999]; the verdict on one reading is by the majority.
    tables = multiverse(row("C02", varying, 26, 11))
    tables["boundary_controls"] = controls("C02", "printed", False, expected=expected)
    assert judge("C02", tables).conclusion == conclusion


def direction(*z):
    """Correlations of subjects who lie by z from the constant boundary with noise within trials."""
    rows = [
        {"subject": str(i), "condition": "easy", "noise": noise, "n": 90, "mean": 100.0, "sd": 20.0,
         "correlation": -0.1, "simulated": simulated, "simulated_sd": 0.1, "z": value + more}
        for i, value in enumerate(z)
        for noise, simulated, more in ((WITHIN, 0.26, 0.0), (BETWEEN, 0.52, -2.6))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_time_varying_is_valued_by_the_default_and_judged_by_all_readings(judge):
    better = row("C03", 5, 5, 5, default=False, bounds="authors", verdict=AS_PRINTED)
    tables = multiverse(better, row("C03", 4, 5, 4))
    result = judge("C03", tables)
    assert "fit better in 4 of 5 classes (verdict)" in result.ours
    assert result.verdict == DEPENDS
    assert "1 of 2 readings" in result.reason
    assert "stable fits give 4 in 1 specification (does not come out 1); the auth" in result.note
    both = multiverse(row("C03", 4, 5, 4), row("C03", 5, 5, 5, default=False, by="aic"))
    assert "stable fits give 4 to 5 in 2 specifications" in judge("C03", both).note
    assert judge("C03", multiverse(row("C03", 4, 5, 4))).verdict == NOT
    # Another learning class is one more that has to agree.
    assert judge("C03", multiverse(row("C03", 6, 6, 6, verdict=AS_PRINTED))).verdict == AS_PRINTED


def test_time_varying_is_concluded_by_the_boundary_that_is_harder_to_reject(judge):
    tables = multiverse(row("C03", 4, 5, 4))
    by_direction = controls("C03", "direction", True)
    by_direction = pd.concat([by_direction, controls("C03", "direction", True, expected=True)])
    tables["boundary_controls"] = pd.concat([by_direction, controls("C03", "printed", False)])
    tables["boundary_direction"] = direction(*[-2.01] * 9)
    assert judge("C03", tables).conclusion == SUPPORTED
    # All lie far below the boundary with noise between trials.
    tables["boundary_direction"] = direction(*[-1.99] * 9)
    result = judge("C03", tables)
    assert result.conclusion == UNSUPPORTED
    assert "0 and 9 of 9 subjects lie more than 2 standard deviations below" in result.note


def test_subjects_of_another_p0_are_left_out_beside(judge):
    tables = multiverse(row("C03", 4, 5, 4))
    tables["boundary_direction"] = direction(-3.0, -3.0, -1.0)
    rows = [("0", 0.744, 0.72, 0.768), ("1", 0.66, 0.63, 0.69), ("2", 0.7, 0.65, 0.75)]
    check = pd.DataFrame(rows, columns=["subject", "value", "low", "high"])
    tables["design_check"] = check.assign(quantity="p0_of_subject", condition="easy")
    assert (
        "Without subject 0, whose P0 on easy trials was another, 1 of 2 do."
        in judge("C03", tables).note
    )


@pytest.mark.parametrize(
    ("name", "verdicts", "expected"),
    [
        ("C22", (AS_PRINTED, AS_PRINTED), AS_PRINTED),
        ("C22", (AS_PRINTED, NOT), DEPENDS),
        ("C22", (NOT, NOT), NOT),
    ],
)
def test_learning_is_judged_over_all_readings(judge, name, verdicts, expected):
    rows = [row(name, 20, 26, 900, default=i == 0, verdict=part) for i, part in enumerate(verdicts)]
    result = judge(name, multiverse(*rows))
    assert (result.ours, result.verdict) == ("20 of 26; summed BIC lower by 900", expected)


@pytest.mark.parametrize(
    ("better", "verdict", "conclusion"),
    [(18, AS_PRINTED, SUPPORTED), (18, NOT, UNSUPPORTED), (15, AS_PRINTED, UNDECIDED)],
)
def test_learning_is_concluded_by_the_interval_of_the_share(judge, better, verdict, conclusion):
    """If the sum agrees; a judge who takes another change for learning concludes nothing."""
    tables = multiverse(row("C22", better, 26, 900, verdict=verdict))
    tables["boundary_controls"] = controls("C22", "printed", True)
    assert judge("C22", tables).conclusion == conclusion
    tables["boundary_controls"] = controls("C22", "printed", False)
    assert (judge("C22", tables).conclusion == UNIDENTIFIED) == (verdict == AS_PRINTED)


@pytest.mark.parametrize(
    ("away", "constant", "verdict", "conclusion"),
    [
        (9.0, False, READING, SUPPORTED),
        (11.0, False, NOT, UNSUPPORTED),
        (40.0, True, NOT, UNSUPPORTED),
    ],
)
def test_the_implied_boundary_is_compared_with_fitted_ones(
    judge, away, constant, verdict, conclusion
):
    """Of two subjects; one alone decides nothing."""
    times = np.linspace(1, 8, 50)
    implied = worked_example.CONTROLLER.boundary(times)
    boundary = implied * 0 + implied.mean() if constant else implied + away
    key = {"subject": "a", "boundary_time": "decision", "stable": True, "condition": "easy"}
    curve = pd.DataFrame({**key, "after": "first_block", "time": times, "boundary": boundary})
    curves = pd.concat([curve, curve.assign(subject="b")])
    change = pd.DataFrame([{**key, "earliest": 1.0, "latest": 8.0, "sigma": 10.0}])
    changes = pd.concat([change, change.assign(subject="b")])
    result = judge("C24", {"boundaries": curves, "boundary_changes": changes})
    assert (result.verdict, result.conclusion) == (verdict, conclusion)
    alone = judge("C24", {"boundaries": curve, "boundary_changes": change})
    assert alone.conclusion == (UNDECIDED if conclusion == SUPPORTED else UNSUPPORTED)


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
    result = judge("C04", tables)
    assert (result.ours, result.verdict) == ("3 of 26", NOT)
    assert "the weibull boundary with class utility is for 13" in result.note
    assert "24 of its fits are unstable" in result.note


@pytest.mark.parametrize("name", ["C02", "C03", "C04", "C22"])
def test_without_fits_there_is_nothing_to_judge(judge, name):
    with pytest.raises(TooFew):
        judge(name, multiverse())
