import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.cohort.sessions import simulate_logs
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.fuzzy.survival import redraw
from fuzzybounds.intake.recordings import empty

START = equidistant(3, convention="width")


@pytest.fixture(scope="module")
def points():
    logs, _ = simulate_logs(one_session_subject(1, "survival", "S01"), 1, "survival")
    trials = logs.assign(responded=logs["rt"] > 0)
    trials = trials[trials["condition"] == "easy"]
    drawn = split(draw_points(trials, empty(), 2, 1, "survival"), block_ranges(trials))
    return normalise(drawn, "subject")


def test_responses_stay_and_earlier_points_are_drawn_anew(points):
    redrawn = redraw(points, START, 1, "survival")
    key = ["subject", "window", "draw", "trial", "responded"]
    old, new = (table.set_index(key).sort_index() for table in (points, redrawn))
    assert old.index.equals(new.index)
    responded = old.index.get_level_values("responded")
    columns = ["time", "position"]
    pd.testing.assert_frame_equal(old[responded], new[responded])
    assert (old.loc[~responded, "time"] != new.loc[~responded, "time"]).mean() > 0.8
    response = new[responded].droplevel("responded")
    earlier = new[~responded].droplevel("responded")
    assert (earlier["time"] < response["time"]).all()
    # No point is further from the response than the canoe can go in between.
    gap = (response["time"] - earlier["time"]) * earlier["time_range"] * 90 + 3
    apart = (response["position"] - earlier["position"]).abs() * earlier["position_range"]
    assert (apart <= gap).all()
    assert new[columns].to_numpy().min() >= 0


def test_the_points_lie_nearer_the_centre_than_uniform_ones(points):
    """Who would have stopped far out cannot have been there."""
    redrawn = redraw(points, START, 1, "survival")
    uniform, weighted = (t.loc[~t["responded"], "position"].mean() for t in (points, redrawn))
    assert weighted < uniform


def test_same_seed_same_points_and_recorded_paths_are_left_alone(points):
    one, other = (redraw(points, START, 1, "survival") for _ in range(2))
    pd.testing.assert_frame_equal(one, other)
    recorded = points.assign(path="recorded")
    np.testing.assert_array_equal(redraw(recorded, START, 1, "survival")["time"], recorded["time"])
