"""Units of position: each is told by where the canoe can be."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.canoe.paths import TOLERANCE
from fuzzybounds.logs import units


@pytest.fixture(scope="module")
def responses(lab_trials):
    responses = lab_trials[lab_trials["rt"] > 0]
    return responses["rt"].to_numpy(), responses["position"].to_numpy()


@pytest.mark.parametrize(
    ("scale", "centre", "text"),
    [
        (1.0, 0.0, "px from the centre"),
        (420.0, 0.0, "shares of half the screen's width (1 is 420 px)"),
        (840.0, 0.5, "shares of the screen's width, 0 at the left edge"),
        (1.0, 512.0, "screen coordinates in px (the centre is at 512)"),
    ],
)
def test_named_units_are_found(responses, scale, centre, text):
    times, positions = responses
    unit, share = units.find_unit(times, positions / scale + centre)
    assert unit.text == text
    assert share > 0.97
    np.testing.assert_allclose(unit.to_px(positions / scale + centre), positions, atol=1e-9)


@pytest.mark.parametrize("scale", [37.795, 0.5, 31.7, 2000.0])
@pytest.mark.parametrize("centre", [0.0, 15.0])
def test_any_factor_and_centre_are_found(responses, scale, centre):
    times, positions = responses
    unit, share = units.find_unit(times, positions / scale + centre / scale)
    assert share > 0.97
    # To within the tolerance of the lattice at the furthest positions.
    np.testing.assert_allclose(
        unit.to_px(positions / scale + centre / scale), positions, atol=TOLERANCE
    )


def test_what_is_not_the_canoe_has_no_unit(responses):
    times, positions = responses
    rng = np.random.default_rng(2)
    assert units.find_unit(times, rng.normal(0, 80, times.size)) is None
    assert units.find_unit(times, rng.permutation(positions)) is None


def test_a_few_responses_tell_nothing(responses):
    times, positions = responses
    late = units.telling(times, positions)
    times, positions = times[late], positions[late]
    assert units.find_unit(times[:9], positions[:9]) is None
    # Nor do early ones, which are near the centre in any unit.
    early, near = (
        np.append(times[:9], np.full(20, 0.05)),
        np.append(positions[:9], np.full(20, 4.5)),
    )
    assert units.find_unit(early, near) is None
    assert units.find_unit(times[:10], positions[:10])[0] == units.PX


@pytest.mark.parametrize(
    ("times", "unit"),
    [
        ([0.5, 3.0, 14.9], "s"),
        ([500, 3000, 14900], "ms"),
        ([0.0, np.nan], "s"),
        ([1e9, 2e9], "s"),
        ([1, 20], "ms"),
    ],
)
def test_milliseconds_are_told_by_the_deadline(times, unit):
    assert units.time_unit(np.array(times)) == unit
