"""Penalty and bridges: what the tables of fits without them say."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.checks.multiverse import fit_choices
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs import recordings
from fuzzybounds.paper.fuzzy.fits import fit_fuzzy

OPTIONS = {"blocks": 2, "condition": "easy", "normalisation": "subject", "penalty": 2.0}


@pytest.fixture(scope="module")
def cohort():
    """Four subjects, two of whom wait longer."""
    rng = generator(3, "fit choices")
    rows = []
    for number in range(4):
        for block in range(1, 5):
            for _ in range(12):
                steps = int(rng.integers(2, 4 + number))
                right = int(rng.integers(0, steps + 1))
                rows.append((f"s{number}", block, "easy", steps * 0.5, 45.0 * (2 * right - steps)))
    trials = pd.DataFrame(rows, columns=["subject", "block", "condition", "rt", "position"])
    trials["trial"] = trials.groupby("subject").cumcount() + 1
    trials = trials.assign(session=1, responded=True)
    samples = draw_points(trials, recordings.empty(), 2, 1, "fit choices")
    fits = fit_fuzzy(trials, samples, labels={"one_session": [3]}, **OPTIONS)
    groups = pd.DataFrame({"subject": ["s0", "s1", "s2", "s3"]})
    groups = groups.assign(group=["fast", "middle", "middle", "slow"])
    return trials, samples, fits, groups


def check(trials, samples, fits, groups):
    named = {"seed": 1, "dataset": "fit choices"}
    return fit_choices.check_fit_choices(
        trials, samples, groups, *fits, labels=3, **OPTIONS, **named
    )


@pytest.fixture(scope="module")
def found(cohort):
    return check(*cohort)


def test_both_penalties_are_there_for_each_group_and_window(cohort, found):
    fits, table = cohort[2], found.penalty
    assert list(table) == TABLES["penalty_check"].names
    keys = table[["penalty", "group", "window"]].to_numpy().tolist()
    assert keys == [
        [p, g, w] for p in (2.0, 0.0) for g in ("fast", "slow") for w in ("first", "last")
    ]
    assert (table["n_fits"] == 2).all()
    own = fits.fits[(fits.fits["subject"] == "s0") & (fits.fits["window"] == "first")]
    crossed = own["flags"].str.contains("crossed").mean()
    assert table.loc[0, "crossed"] == pytest.approx(crossed)
    # Without a penalty nothing keeps the widths.
    by_penalty = table.groupby("penalty")["extreme_width"].mean()
    assert by_penalty[0.0] > by_penalty[2.0]


def test_means_are_over_earlier_points_alone():
    points = pd.DataFrame(
        {
            "subject": ["a"] * 4,
            "position": [0.1, 0.9, 0.3, 0.9],
            "position_range": 200.0,
            "responded": [False, True, False, True],
        }
    )
    closer = points.assign(position=[0.1, 0.9, 0.2, 0.9])
    (row,) = fit_choices.compare_bridges(points, closer).itertuples()
    assert (row.uniform, row.survival) == pytest.approx((40.0, 30.0))
    assert row.difference == pytest.approx(10.0)


@pytest.mark.parametrize(("trials", "kept"), [(9, False), (10, True)])
def test_subjects_with_few_responses_have_no_weighted_paths(trials, kept):
    points = pd.DataFrame(
        {
            "subject": "a",
            "draw": np.repeat([1, 2], 2 * trials),
            "responded": np.tile([False, True], 2 * trials),
        }
    )
    assert fit_choices._enough(points).tolist() == [kept] * 4 * trials
