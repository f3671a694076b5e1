"""Penalty and bridges: what the tables of fits without them say."""

import pandas as pd
import pytest

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.checks.controls.bridges import mean_distances
from fuzzybounds.checks.multiverse import fit_choices
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs import recordings
from fuzzybounds.paper.fuzzy.fits import controllers, fit_fuzzy

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
def tables(cohort):
    return check(*cohort)


def test_both_penalties_are_there_for_each_group_and_window(cohort, tables):
    fits, table = cohort[2], tables.penalty
    assert list(table) == TABLES["penalty_check"].names
    keys = table[["penalty", "group", "window"]].to_numpy().tolist()
    assert keys == [
        [p, g, w] for p in (2.0, 0.0) for g in ("fast", "slow") for w in ("first", "last")
    ]
    assert (table["n_fits"] == 2).all()
    part = fits.fits[(fits.fits["subject"] == "s0") & (fits.fits["window"] == "first")]
    crossed = part["flags"].str.contains("crossed").mean()
    assert table.loc[0, "crossed"] == pytest.approx(crossed)
    # Without a penalty nothing keeps the widths.
    by_penalty = table.groupby("penalty")["extreme_width"].mean()
    assert by_penalty[0.0] > by_penalty[2.0]


def test_bridges_are_those_of_subjects_with_enough_responses(cohort, tables, monkeypatch):
    table = tables.bridges.set_index("subject")
    assert list(table.index) == ["s0", "s1", "s2", "s3"]
    assert table["group"].tolist() == ["fast", "middle", "middle", "slow"]
    assert (table["uniform"] - table["survival"]).equals(table["difference"])
    # Distances are in px: those who wait longer are seen farther out.
    assert 20 < table.loc["s0", "uniform"] < table.loc["s3", "uniform"] < 200
    # Weights are by the subject's fit, in s and px.
    _, samples, fits, _ = cohort
    fit = fits.fits.query("subject == 's3' and window == 'first' and draw == 1").iloc[0]
    units = {"time": fit["time_range"], "position": fit["position_range"]}
    controller = controllers(fits)["s3", "first", 3, 1].scaled(**units)
    points = samples.query("subject == 's3' and draw == 1 and block <= 2 and responded")
    rng = generator(1, "fit choices", "s3", "first", "survival")
    responded = (points["time"].to_numpy(), points["position"].to_numpy())
    expected = mean_distances(controller, *responded, rng)
    assert tuple(table.loc["s3", ["uniform", "survival"]]) == pytest.approx(expected)
    # 2 blocks of 12 trials are a window.
    for fewest, kept in ((24, 4), (25, 0)):
        monkeypatch.setattr(fit_choices, "FEWEST", fewest)
        assert len(check(*cohort).bridges) == kept
