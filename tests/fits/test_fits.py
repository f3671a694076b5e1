"""Fits of one subject: likelihoods written out, standard errors by other means, and pickles."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.differentiate import hessian
from scipy.stats import norm

import fuzzybounds as fb
from fuzzybounds.core.fitting import log_prior
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.stopping.design_power import listed_designs
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.planning import MET, simulate_subject

KINDS = ("fuzzy", "weibull-none", "constant-rl", "within_exponential", "graded_3", "pipeline_3")


@pytest.fixture(scope="module")
def data():
    return fb.simulate_cohort(one_session=1, three_session=1)


@pytest.fixture(scope="module")
def fits(data):
    return {name: fb.fit(data, "S01", model=name) for name in KINDS}


@pytest.mark.parametrize("name", KINDS)
def test_every_fit_has_the_same_methods_and_can_be_pickled(fits, data, name):
    fit = fits[name]
    again = pickle.loads(pickle.dumps(fit))
    pd.testing.assert_frame_equal(again.estimates, fit.estimates)
    assert -again.log_likelihood(data).sum() == pytest.approx(fit.nll)
    assert fit.bic == pytest.approx(2 * fit.nll + fit.k * np.log(fit.n))
    assert f"BIC {fit.bic:.6g}" in str(fit.summary())
    assert "<table" in fit._repr_html_()
    assert list(fit.to_frame()["parameter"]) == list(fit.parameters)
    done = again.simulate(30, seed=2)
    assert done.trials.equals(fit.simulate(30, seed=2).trials)
    assert len(again.log_likelihood(done)) == done.trials["responded"].sum() or "-" not in name
    axes = Figure().add_subplot()
    assert fit.plot(axes) is axes
    assert axes.has_data()


def test_the_boundary_s_likelihood_and_errors_in_closed_form(data):
    """Of a constant boundary: the mean and standard deviation of distances."""
    fit = fb.fit(data, "S01", model="constant-none")
    part = data.of("S01").trials.query("responded")
    logs = []
    for condition, rows in part.groupby("condition"):
        distance = rows["position"].abs().to_numpy()
        mean, sd = distance.mean(), distance.std()
        of_mean, of_sd = (fit.estimates.loc[f"{name}_{condition}"] for name in ("m", "sigma"))
        assert of_mean["estimate"] == pytest.approx(mean, rel=1e-4)
        assert of_mean["standard_error"] == pytest.approx(sd / np.sqrt(len(rows)), rel=1e-3)
        assert of_sd["standard_error"] == pytest.approx(sd / np.sqrt(2 * len(rows)), rel=1e-3)
        assert of_mean["high"] - of_mean["low"] == pytest.approx(3.92 * of_mean.iloc[1], rel=1e-3)
        logs.append(norm.logpdf(distance, mean, sd).sum())
    assert -fit.nll == pytest.approx(sum(logs))


def test_errors_of_a_stopping_model_are_those_of_scipy_s_second_derivatives(fits):
    """Of values alone, without our gradient."""
    fit = fits["within_exponential"]
    numbers, likelihood = fit._cases(fit.data)
    model = fit._model(likelihood.states)

    def objective(theta):
        flat = theta.reshape(len(theta), -1)
        logs = [
            model.log_likelihoods(one, likelihood)[likelihood.of_trial].sum()
            + log_prior(model.parameters, one)
            for one in flat.T
        ]
        return -np.reshape(logs, theta.shape[1:])

    second = hessian(objective, fit.theta, initial_step=0.1, maxiter=4).ddf
    errors = np.sqrt(np.diag(np.linalg.inv(second)))
    theta = np.array([np.log(fit.parameters["tau"])])
    ends = fit.estimates.loc["tau", ["low", "high"]].to_numpy(float)
    names = [parameter.name for parameter in model.parameters]
    place = names.index("tau")
    assert np.log(ends) - theta == pytest.approx(1.96 * errors[place] * np.array([-1, 1]), rel=2e-3)
    level = fit.estimates.loc["level", "standard_error"]
    assert level == pytest.approx(100 * errors[names.index("level")], rel=2e-3)
    assert numbers.size == fit.n


def test_a_stopping_fit_is_that_of_the_workflow(data):
    fit = fb.fit(data, "S01", model="within_exponential", delays=[0.0, 0.2])
    part = data.of("S01")
    table = fit_stopping(
        part.trials,
        part.samples(),
        check_design(part.trials),
        cued=True,
        models=["within_constant", "within_exponential"],
        schemes=[],
        conditions=["easy"],
        delays=[0.0, 0.2],
    ).query("model == 'within_exponential' and delay == 'fitted'")
    assert fit.motor_delay == table["motor_delay"].iloc[0]
    assert -fit.nll == pytest.approx(table["log_likelihood"].iloc[0], abs=0.01)
    hazard = fit.hazard()
    one_time = hazard[hazard["time"] == hazard["time"].iloc[-1]].sort_values("position")
    assert one_time["hazard"].is_monotonic_increasing


def test_trials_with_a_gate_and_another_start_are_those_of_the_fit():
    """They lie on no lattice from the centre: their recorded paths count."""
    design = listed_designs()["start_and_gate"][0]
    subject = simulate_subject(design, MET, 1, 1)
    trials = subject.trials.head(60).assign(session=1, reward=0.0)
    frame = np.arange(subject.positions.shape[1]) * 0.1
    paths = pd.concat(
        pd.DataFrame({"subject": "1", "trial": trial, "time": frame, "position": path})
        for trial, path in zip(trials["trial"], subject.positions[:60], strict=True)
    )
    data = fb.Dataset("gated", trials, paths)
    fit = fb.fit(data, model="within_exponential", delays=[0.0])
    logs = fit.log_likelihood()
    assert fit.n == len(logs) == len(trials)
    assert -logs.sum() == pytest.approx(fit.nll)
    with pytest.raises(fb.InputError, match="a path that is recorded"):
        fit.log_likelihood(trials)


def test_a_rule_can_be_changed(fits):
    fit = fits["fuzzy"]
    rules = fit.rules_frame()
    used = len(fit.points[0])
    assert rules["support"].sum() == used
    first = rules.iloc[0]
    other = fit.with_rule(first["time"], first["position"], 1 - first["stop"])
    changed = other.rules_frame()
    assert (changed["stop"] != rules["stop"]).sum() == 1
    assert fit.rules_frame().equals(rules)
    assert other.nll > fit.nll
    words = other.sentences()
    assert sum(one != two for one, two in zip(words, fit.sentences(), strict=True)) == 1


def test_models_are_listed_and_recovered(fits, data):
    listed = fb.models()
    for name, fit in fits.items():
        kind, parameters = listed.loc[name, ["kind", "parameters"]]
        assert kind == type(fit).__name__
        assert set(parameters) == set(fit.parameters) - {"motor_delay"}
    table = fb.recover("hazard_position", data, "S01", replicates=6, delays=[0.0])
    assert set(table["parameter"]) == {"intercept", "by_x", "by_xx"}
    assert table["covered"].mean() > 0.7


def test_the_population_needs_two_subjects(data):
    with pytest.raises(fb.InputError, match="needs two"):
        fb.fit_population(data.of("S01"))
    with pytest.raises(fb.InputError, match="did you mean 'rules'"):
        fb.fit_population(data, "rule")
