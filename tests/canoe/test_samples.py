from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.samples import RECONSTRUCTED, RECORDED, draw_points, normalise
from fuzzybounds.cohort.sessions import draw_cohort, simulate_logs
from fuzzybounds.logs import recordings
from fuzzybounds.logs.validation import validate

SEED, DATASET, DRAWS = 11, "test", 4


@pytest.fixture(scope="module")
def data():
    """Trials of two subjects without and one with recorded paths."""
    raws, recorded = [], []
    for subject in draw_cohort(SEED, DATASET, one_session=2, three_session=1):
        logs, paths = simulate_logs(dataclasses.replace(subject, blocks=4), SEED, DATASET)
        raws.append(logs.astype(str).assign(file=subject.name, row=np.arange(len(logs)) + 2))
        if paths is not None:
            recorded.append(paths.assign(subject=subject.name, file=subject.name))
    trials = validate(pd.concat(raws, ignore_index=True)).trials
    return trials, recordings.validate(pd.concat(recorded), trials)


@pytest.fixture(scope="module")
def points(data):
    return draw_points(*data, DRAWS, SEED, DATASET)


def test_each_trial_and_draw_has_one_point_of_each_class(data, points):
    trials, _ = data
    responded = trials[trials["responded"]]
    counts = points.groupby(["subject", "trial", "draw", "responded"]).size()
    assert (counts == 1).all()
    assert len(counts) == 2 * DRAWS * len(responded)
    assert set(points["draw"]) == {1, 2, 3, 4}
    assert set(points["subject"]) == {"S01", "S02", "T1"}


def test_points_at_which_the_subject_stopped_are_the_responses(data, points):
    responded = points[points["responded"]].merge(
        data[0], on=["subject", "trial"], suffixes=("", "_logged"), validate="many_to_one"
    )
    assert len(responded) == len(points) // 2
    np.testing.assert_array_equal(responded["time"], responded["rt"])
    np.testing.assert_array_equal(responded["position"], responded["position_logged"].abs())
    np.testing.assert_array_equal(responded["block"], responded["block_logged"])
    np.testing.assert_array_equal(responded["condition"], responded["condition_logged"])


def test_reconstructed_points_lie_where_the_canoe_can_have_been(data, points):
    drawn = points[(points["path"] == RECONSTRUCTED) & ~points["responded"]]
    assert set(drawn["subject"]) == {"S01", "S02"}
    lattice = locate(drawn["time"], drawn["position"])
    np.testing.assert_allclose(lattice.residual, 0, atol=1e-6)
    # From there, the response can be reached in the time that was left.
    ends = drawn.merge(data[0], on=["subject", "trial"], suffixes=("", "_logged"))
    assert ((ends["time"] >= 0) & (ends["time"] < ends["rt"])).all()
    distance = ends["position_logged"].abs() - ends["position"]
    assert (distance.abs() <= 90 * (ends["rt"] - ends["time"]) + 1e-3).all()


def test_reconstructed_times_are_spread_evenly_over_the_frames_before(data):
    trials, paths = data
    trials = trials[trials["subject"] == "S01"]
    points = draw_points(trials, paths.iloc[:0], 60, SEED, DATASET)
    went_on = points[~points["responded"]].merge(trials, on=["subject", "trial"])
    frames = (went_on["rt"] * 60).round()
    rank = ((went_on["time"] * 60).round() + 0.5) / frames
    # Uniform on (0, 1): mean 1/2, variance 1/12 (1 - 1 / frames²).
    assert abs(rank.mean() - 0.5) < 4.5 * np.sqrt(1 / 12 / rank.size)
    assert abs(rank.var() / ((1 - frames**-2.0).mean() / 12) - 1) < 4.5 * np.sqrt(0.8 / rank.size)


class TestRecorded:
    def test_all_frames_before_the_response_are_drawn_and_no_other(self, data):
        trials, paths = data
        trials = trials[(trials["subject"] == "T1") & trials["responded"]]
        one = trials[trials["rt"] > 0.2].nsmallest(1, "rt")
        frames = round(one["rt"].item() * 60)
        assert frames > 10
        points = draw_points(one, paths, 40 * frames, SEED, DATASET)
        drawn = (points.loc[~points["responded"], "time"] * 60).round().astype(int)
        counts = np.bincount(drawn)
        assert counts.size == frames
        assert chisquare(counts).pvalue > 1e-5

    def test_frames_recorded_after_the_response_are_not_drawn(self, data):
        trials, _ = data
        trial = trials[trials["responded"]].iloc[[0]].assign(subject="X", trial=1, rt=0.05)
        time = np.array([0, 1, 2, 3, 4]) / 60 + np.array([0, 0, 0, 0.004, 0.004])
        path = pd.DataFrame({"subject": "X", "trial": 1, "time": time, "position": 1.5})
        points = draw_points(trial, path, 200, SEED, DATASET)
        drawn = points.loc[~points["responded"], "time"]
        assert set(drawn) == set(time[:3])

    def test_trials_that_were_not_recorded_are_reconstructed(self, data):
        trials, paths = data
        some = paths[paths["trial"] % 2 == 0]
        points = draw_points(trials[trials["subject"] == "T1"], some, 1, SEED, DATASET)
        even = points["trial"] % 2 == 0
        assert (points.loc[even, "path"] == RECORDED).all()
        assert (points.loc[~even, "path"] == RECONSTRUCTED).all()
        assert len(points) == 2 * ((trials["subject"] == "T1") & trials["responded"]).sum()


@pytest.mark.parametrize("left_out", ["S01", "S02", "T1"])
def test_a_new_subject_changes_no_other(data, points, left_out):
    fewer = (table[table["subject"] != left_out] for table in data)
    redrawn = draw_points(*fewer, DRAWS, SEED, DATASET)
    expected = points[points["subject"] != left_out].reset_index(drop=True)
    pd.testing.assert_frame_equal(redrawn.reset_index(drop=True), expected)


def test_off_the_lattice_and_missed_there_are_no_points(data):
    trials, paths = data
    trials = trials[(trials["subject"] == "S01") & trials["responded"]].reset_index(drop=True)
    trials.loc[1, "position"] += 9.0
    trials.loc[2, ["rt", "responded"]] = [np.nan, False]
    points = draw_points(trials, paths.iloc[:0], 1, SEED, DATASET)
    assert (
        sorted(set(trials["trial"]) - set(points["trial"])) == trials.loc[[1, 2], "trial"].tolist()
    )


class TestNormalise:
    def test_by_the_design(self, points):
        result = normalise(points, "design")
        np.testing.assert_allclose(result["time"] * 15, points["time"])
        np.testing.assert_allclose(result["position"] * 420, points["position"])
        assert set(result["time_range"]) == {15.0}
        assert set(result["position_range"]) == {420.0}

    def test_by_each_subject(self, points):
        result = normalise(points, "subject")
        for (subject, draw), drawn in points.groupby(["subject", "draw"]):
            ours = result[(result["subject"] == subject) & (result["draw"] == draw)]
            np.testing.assert_allclose(ours["time"], drawn["time"] / drawn["time"].max())
            np.testing.assert_allclose(
                ours["position"], drawn["position"] / drawn["position"].max()
            )
            assert set(ours["time_range"]) == {drawn["time"].max()}
        assert (result.groupby(["subject", "draw"])["time"].max() == 1).all()

    def test_a_draw_does_not_depend_on_the_others(self, points):
        first = points["draw"] == 1
        far = points.assign(position=points["position"].mask(~first, 2 * points["position"]))
        among = normalise(far, "subject")
        pd.testing.assert_frame_equal(normalise(points[first], "subject"), among[first])
        assert among.loc[~first, "position_range"].max() > among.loc[first, "position_range"].max()
