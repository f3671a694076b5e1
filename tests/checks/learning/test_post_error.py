"""What follows an error: known effects are found, and their controls find nothing."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.learning.post_error import (
    EXPERIMENTS,
    holm,
    measure_post_error,
    regression,
    successive,
)
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.shuffled_errors import shuffle_outcomes, strata


def cohort(slowing=0.0, pace=0.0, subjects=12, trials=240):
    """Subjects whose responses come later after an error, or who are slower where errors are."""
    rng = np.random.default_rng(8)
    parts = []
    for subject in range(subjects):
        condition = rng.choice(["easy", "hard"], trials)
        slow = pace * np.sin(np.arange(trials) / 15)
        chance = np.where(condition == "easy", 0.8, 0.5) - 0.15 * (slow > 0) * (pace > 0)
        correct = rng.random(trials) < chance
        after = np.append(False, ~correct[:-1])
        rt = 3 + (condition == "hard") + slow + slowing * after + rng.gamma(4, 0.2, trials)
        parts.append(
            pd.DataFrame(
                {
                    "subject": f"S{subject}",
                    "session": 1,
                    "trial": np.arange(1, trials + 1),
                    "condition": condition,
                    "rt": rt,
                    "position": rng.normal(0, 120, trials),
                    "correct": correct,
                    "responded": True,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def measured(trials):
    table = measure_post_error(trials, permutations=200, seed=1, dataset="tests")
    assert TABLES["post_error"].problems(table) == []
    return table.set_index(["quantity", "previous", "measure"])


def test_slowing_after_errors_is_found():
    table = measured(cohort(slowing=0.4))
    for measure in ("regression", "difference"):
        row = table.loc[("rt", "any", measure)]
        assert row["change"] == pytest.approx(0.4, abs=0.12)
        assert row["p_permuted"] < 0.01
    assert table.loc[("distance", "any", "regression"), "p_holm"] > 0.05


def test_a_change_of_pace_is_not_an_effect_of_errors():
    """Errors are frequent where the subject is slow: the difference around an error sees none."""
    row = measured(cohort(pace=1.0)).loc[("rt", "any", "difference")]
    assert row["low"] < 0 < row["high"]
    assert abs(row["change"]) < 0.15


def test_neighbours_are_those_of_the_same_session():
    trials = cohort(subjects=1, trials=6).assign(session=[1, 1, 1, 2, 2, 2])
    trials.loc[1, "responded"] = False
    part = successive(trials)
    # The first trial is followed by a miss, the third and the sixth by nothing.
    assert part["trial"].tolist() == [4, 5]
    assert part["rt_before"].isna().tolist() == [True, False]


def test_regression_is_that_of_least_squares():
    part = successive(cohort(slowing=0.3, subjects=1))
    wrong = part["wrong"].to_numpy(dtype=float)[:, None]
    rt, distance = (((part[c] - part[c].mean()) / part[c].std(ddof=0)) for c in ("rt", "distance"))
    easy, then = part["condition"] == "easy", part["condition_after"] == "easy"
    columns = [np.ones(len(part)), wrong[:, 0], easy, then, part["order"], part["order"] ** 2]
    columns += [rt, distance, easy * rt, easy * distance, distance**2]
    design = np.column_stack(columns).astype(float)
    expected = np.linalg.lstsq(design, part["rt_after"].to_numpy(), rcond=None)[0][1]
    assert regression(part, "rt", wrong) == pytest.approx([expected])


def test_shuffled_outcomes_stay_within_strata():
    trials = cohort(subjects=1)
    trials.loc[::10, ["responded", "correct"]] = False
    codes = strata(trials)
    assert len(np.unique(codes)) == 18 + 1  # and those without a response
    shuffled = shuffle_outcomes(trials, np.random.default_rng(1))
    others = trials.columns.drop("correct")
    pd.testing.assert_frame_equal(shuffled[others], trials[others])
    assert (shuffled["correct"] != trials["correct"]).sum() > 20
    by_stratum = (part["correct"].groupby(codes).sum() for part in (shuffled, trials))
    pd.testing.assert_series_equal(*by_stratum)


def test_holm_corrects_as_by_hand():
    p = np.array([0.01, 0.04, 0.03, 0.5])
    assert holm(p, 4) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm(p, 8) == pytest.approx([0.08, 0.24, 0.21, 1.0])


def test_every_row_is_corrected_for_both_experiments():
    table = measured(cohort(slowing=0.4))
    least = table["p_permuted"].min()
    expected = min(1, EXPERIMENTS * len(table) * least)
    assert table.loc[table["p_permuted"] == least, "p_holm"].min() == pytest.approx(expected)


def test_permuted_errors_have_an_interval_around_no_change():
    row = measured(cohort(slowing=0.4)).loc[("rt", "any", "regression")]
    assert row["permuted_low"] < 0 < row["permuted_high"] < row["change"]
