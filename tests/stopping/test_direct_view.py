"""Directions at responses and the stopping surface: by hand, by simulation, by brute force."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import EASY, draw_directions, free_walk
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.data import context_of
from fuzzybounds.stopping.direct_view import view_directly
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.lattice import Bins, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.outward import count_outward, expect_outward, measure_outward, shares
from fuzzybounds.stopping.predictions import predict, simulate
from fuzzybounds.stopping.surface_view import (
    DISTANCES,
    SHAPE,
    TIMES,
    Counts,
    count_cells,
    tabulate_cells,
)

from .conftest import table
from .test_likelihood import hazard

WHERE = states(Bins())
THETA = {
    "within_exponential": [1.8, 0.8, np.log(4.0), -5.0, -1.5, np.log(15.0)],
    "met_exponential": [2.2, 0.8, np.log(4.0), -5.0, np.log(40.0)],
}
DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})


def test_directions_are_read_off_time_and_position():
    # Two steps out and 0.15 s further out, or back; the first step; at the edge; just after a draw.
    rows = [(1.15, 103.5), (1.15, 76.5), (0.4, 36.0), (6.2, 420.0), (1.0, 90.0), (np.nan, 43.5)]
    outward, responses = count_outward(table(rows))
    assert outward.tolist() == [0, 1, 0, 0, 0]
    assert responses.tolist() == [0, 2, 0, 0, 0]


def test_times_between_frames_count_as_those_of_frames():
    # At the last frame of a range, logged a third of a frame later.
    outward, responses = count_outward(table([(1.3 + 0.33 / 60, 117.0), (1.4 + 0.33 / 60, 126.0)]))
    assert (outward.tolist(), responses.tolist()) == ([0, 0, 1, 1, 0], [0, 0, 1, 1, 0])


def test_a_step_from_the_centre_leads_outward_either_way():
    # Out, back to the centre, and 0.25 s to either side.
    for position in (22.5, -22.5):
        outward, responses = count_outward(table([(1.25, position)]))
        assert (outward[2], responses[2]) == (1, 1)


@pytest.mark.parametrize("name", THETA)
@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_expected_shares_are_those_of_many_simulated_trials(name, delay):
    (model,) = CATALOGUE[name].build(context_of(WHERE))
    theta = np.array(THETA[name])
    expected = expect_outward([(predict(model, theta, WHERE, EASY.p0, delay), 1.0)], 40_000)
    rng = np.random.default_rng(5)
    made = simulate(model, theta, WHERE, np.full(40_000, EASY.p0), rng, delay)
    outward, responses = count_outward(made)
    # Responses right after a draw, and in the last frame before it, do not count.
    assert responses[1:4] == pytest.approx(expected[1][1:4], rel=0.05)
    assert outward / responses == pytest.approx(expected[0] / expected[1], abs=0.015)


def test_a_boundary_that_is_met_is_met_outward():
    """The positive control of claim B02, and its opposite: late in a step, with a delay."""
    late = {}
    for name, theta in THETA.items():
        (model,) = CATALOGUE[name].build(context_of(WHERE))
        prediction = predict(model, np.array(theta), WHERE, EASY.p0, 0.2)
        outward, responses = expect_outward([(prediction, 1.0)], 1)
        late[name] = (outward / responses)[3]
    assert late["met_exponential"] > 0.9
    assert late["within_exponential"] < 0.85


def test_shares_have_intervals_over_subjects():
    first, second = (np.full(5, 8.0), np.full(5, 10.0)), (np.full(5, 12.0), np.full(5, 20.0))
    row = shares([first, second]).iloc[0]
    assert row["outward"] == pytest.approx(20 / 30)
    # Residuals are 8 - 10 * 2 / 3 and 12 - 20 * 2 / 3; t with one degree of freedom.
    se = np.sqrt(2 * ((4 / 3) ** 2 + (4 / 3) ** 2)) / 30
    assert row["high"] == pytest.approx(min(20 / 30 + 12.7062047 * se, 1.0))
    # A model says 7 of 10 and 11 of 20 of the same subjects: the deviations of both differ by ...
    model = shares([(first[0] - 1, first[1]), (second[0] - 1, second[1])], [first, second]).iloc[0]
    assert (model["outward"], model["residual"]) == pytest.approx((18 / 30, 2 / 30))
    # ... 8 - 20 / 3 less 7 - 6, over 30 responses, and the same with the other sign.
    assert model["residual_se"] == pytest.approx(np.sqrt(2 * 2) * (4 / 3 - 1) / 30)
    assert np.isnan(row["residual"])


def test_decisions_are_those_of_every_path_by_brute_force():
    """One response at 1.9 s and 81 px: three paths, weighted by the hazard of all before it."""
    likelihood = Likelihood(outcomes(table([(1.9, 81.0)]), Bins()), WHERE)
    value = hazard(WHERE.time, WHERE.position, WHERE.outward)
    counts = count_cells(likelihood, value[None], {"same": value})
    weights, paths = [], []
    for ways in product((-1, 1), repeat=4):
        walk = np.append(0, np.cumsum(np.repeat(ways, 30))) * 1.5
        if walk[114] != 81.0:
            continue
        frames = 6 * np.arange(1, 20)
        away = (np.abs(walk[frames]) > np.abs(walk[frames - 1])).astype(float)
        seen = (frames / 60, np.abs(walk[frames]), away)
        h = hazard(*seen)
        weights.append(np.prod(1 - h[:-1]) * h[-1])
        paths.append(seen)
    expected, total = np.zeros(SHAPE), sum(weights)
    for weight, (time, far, away) in zip(weights, paths, strict=True):
        cell = (
            np.searchsorted(TIMES, time) - 1,
            np.clip(np.searchsorted(DISTANCES, far) - 1, 0, None),
            away.astype(int),
        )
        np.add.at(expected, cell, weight / total)
    assert counts.decisions == pytest.approx(expected, abs=1e-9)
    assert counts.responses.sum() == pytest.approx(1.0)
    assert counts.predicted["same"].sum() == pytest.approx(
        sum(w / total * hazard(*seen).sum() for w, seen in zip(weights, paths, strict=True))
    )


def test_residuals_are_in_errors_over_subjects():
    """Two subjects with 3 and 5 responses of 10 decisions, of whom a model expects 1 and 2."""
    cell, zero = np.zeros(SHAPE), np.zeros(SHAPE)
    cell[2, 3, 1] = 1.0
    subjects = {
        name: (Counts(10 * cell, seen * cell, {"model": by * cell}), Counts(zero, zero, {}))
        for name, seen, by in (("S1", 3.0, 1.0), ("S2", 5.0, 2.0))
    }
    rows = tabulate_cells(subjects).query("decisions > 0").set_index(["subject", "source"])
    model = rows.loc[("", "model")]
    assert (model["time_low"], model["position_low"], model["outward"]) == (2.0, 135.0, True)
    assert model["hazard"] == pytest.approx(3 / 20)
    # Differences of 2 and 3: their standard deviation is 1 / sqrt(2), the error of their sum 1.
    assert model["residual"] == pytest.approx(5.0)
    assert rows.loc[("", "data"), "hazard"] == pytest.approx(8 / 20)
    assert rows.drop(("", "model"))["residual"].isna().all()
    assert rows.loc[("S2", "data"), "hazard"] == pytest.approx(0.5)


def test_everything_is_viewed_from_the_tables_alone(subject):
    trials, samples = subject
    names = ["within_exponential", "within_exponential_directed", "met_exponential"]
    views = view_directly(
        trials, samples, DESIGN, cued=True, models=names, conditions=["easy", "hard"],
        delays=(0.0, 0.2), bin_width=0.1, seed=1, dataset="tests",
    )  # fmt: skip
    assert TABLES["outward"].problems(views.outward) == []
    assert set(views.outward["source"]) == {"data", *names, *(f"simulated {n}" for n in names)}
    assert TABLES["stopping_surface"].problems(views.surface) == []
    people = views.surface.query("source == 'data' and subject == 'S01'")
    assert people["responses"].sum() == pytest.approx(trials["responded"].sum())
    # A model that is fitted expects about as many responses as there were.
    model = views.surface.query("source == 'within_exponential_directed'")
    assert model["responses"].sum() == pytest.approx(trials["responded"].sum(), rel=0.1)


def test_all_fitted_models_predict_what_the_direct_view_shows(subject):
    """From the fits of `verdict`, without controls; the models of both tables agree."""
    trials, samples = subject
    names = ["within_exponential", "within_exponential_directed"]
    options = {"cued": True, "conditions": ["easy"], "delays": (0.0, 0.2)}
    others = ["hazard_time", "pipeline_3"]
    fits = fit_stopping(trials, samples, DESIGN, models=names + others, schemes=[], **options)
    predicted = measure_outward(trials, fits, DESIGN, cued=True)
    assert TABLES["stopping_outward"].problems(predicted) == []
    assert set(predicted["source"]) == {"data", *names, "hazard_time"}
    view = view_directly(
        trials, samples, DESIGN, models=names, bin_width=0.1, seed=1, dataset="tests", **options
    )
    keys = ["source", "phase_low"]
    shown = view.outward[view.outward["source"].isin(["data", *names])].set_index(keys)
    both = predicted.query("delay == 'fitted' or source == 'data'").set_index(keys)
    columns = ["outward", "n"]
    assert both.loc[shown.index, columns].to_numpy() == pytest.approx(shown[columns].to_numpy())
    # Whoever ignores the distance responds outward as often as the canoe goes there.
    late = predicted[predicted["phase_low"].between(0.29, 0.31)].set_index(["source", "delay"])
    ignorant, bound = (late.loc[(name, "fitted"), "outward"] for name in ("hazard_time", names[0]))
    assert ignorant < bound


def test_the_simulated_walk_is_as_often_outward_as_the_lattice_says():
    """Without stopping, at 0.35 s after a draw: the share of outward steps from many walks."""
    rng = np.random.default_rng(2)
    heading = rng.choice((-1, 1), 50_000)
    path = free_walk(draw_directions(EASY.p0, heading, rng))
    frame = 30 * 4 + 21
    away = np.abs(path[:, frame]) > np.abs(path[:, frame - 1])
    rows = table([(frame / 60, position) for position in path[:2000, frame]])
    outward, responses = count_outward(rows)
    assert outward[3] / responses[3] == pytest.approx(away.mean(), abs=0.03)
