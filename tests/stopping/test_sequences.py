"""Hazards that users write, on a canoe and on tokens."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import fuzzybounds as fb

START = {"base": -4.0, "rise": 0.1, "weight": 0.5}
PARAMETERS = [fb.parameter(name, start, prior=(0.0, 50.0)) for name, start in START.items()]


def urgency(t, x, outward, theta):
    base, rise, weight = theta
    return expit(base + rise * t + weight * x)


def evidence(t, x, outward, theta):
    return expit(theta[0] + theta[1] * x + 0.0 * t)


MODELS = [
    fb.HazardModel("urgency", urgency, PARAMETERS),
    fb.HazardModel("evidence", evidence, PARAMETERS[::2]),
]


@pytest.fixture(scope="module")
def tokens():
    """Fifteen tokens, one every 0.2 s, and the rows after a response."""
    rng, parts = np.random.default_rng(1), []
    for subject in "AB":
        for trial in range(120):
            x = np.abs(np.cumsum(rng.choice([-1, 1], size=15)))
            t = 0.2 * np.arange(1, 16)
            stop = rng.random(15) < urgency(t, x, 1.0, (-5.0, 1.0, 0.6))
            stop &= np.cumsum(stop) == 1
            columns = {"t": t, "x": x, "outward": np.diff(x, prepend=0) > 0, "stop": stop}
            parts.append(pd.DataFrame({"subject": subject, "trial": trial, **columns}))
    return fb.Decisions(pd.concat(parts).astype({"outward": float}))


def test_a_hazard_is_fitted_as_a_logistic_regression_is(tokens):
    """With a flat prior it is one, of the decisions up to the response."""
    fit = fb.fit(tokens, "A", model=MODELS[0])
    table = tokens.of("A").table
    seen = table.groupby("trial")["stop"].cumsum() - table["stop"] == 0
    t, x, stop = (table.loc[seen, name].to_numpy() for name in ("t", "x", "stop"))

    def loss(theta):
        p = urgency(t, x, 1.0, theta)
        return -np.log(np.where(stop, p, 1 - p)).sum()

    best = minimize(loss, list(START.values()))
    assert fit.nll == pytest.approx(best.fun, abs=1e-3)
    assert list(fit.parameters.values()) == pytest.approx(best.x, abs=0.02)
    design = np.stack([np.ones(t.size), t, x])
    p = urgency(t, x, 1.0, best.x)
    errors = np.sqrt(np.diag(np.linalg.inv((design * p * (1 - p)) @ design.T)))
    assert fit.estimates["standard_error"].to_numpy() == pytest.approx(errors, rel=0.02)


def test_it_is_compared_recovered_and_pickled(tokens):
    table = fb.compare(tokens, [*MODELS, "graded_3"], folds=3)
    assert list(table.index[:1]) == ["urgency"]
    assert set(table.index) == {"urgency", "evidence", "graded_3"}
    fit = fb.fit(tokens, "A", model=MODELS[0])
    done = pickle.loads(pickle.dumps(fit)).simulate(400, seed=3)
    assert set(done.table.groupby("trial").size()) == {15}
    assert -fb.fit(done, model=MODELS[0]).nll > fit.log_likelihood(done).sum()
    rows = fb.recover(fit, replicates=6, n=300)
    assert rows["covered"].mean() > 0.7


def test_a_canoe_takes_it_too():
    data = fb.simulate_cohort(one_session=1)
    fit = fb.fit(data, model=MODELS[0], delays=[0.0])
    assert fit.converged
    assert -fit.log_likelihood(fit.simulate(50)).sum() > 0


def test_an_error_of_the_user_s_function_is_shown_as_it_is():
    def broken(t, x, outward, theta):
        raise ValueError("a mistake of its author")

    with pytest.raises(ValueError, match="a mistake of its author"):
        fb.HazardModel("broken", broken, PARAMETERS)


def test_what_cannot_be_is_said(tokens):
    table = tokens.table
    twice = table.assign(stop=True)
    for call, words in (
        (lambda: fb.Decisions(table.drop(columns="x")), "no column 'x'"),
        (lambda: fb.Decisions(twice), "more than one response"),
        (lambda: fb.Decisions(table.assign(x="a")), "expected numbers"),
        (lambda: fb.fit(tokens, "A"), "decisions take stopping models"),
        (lambda: fb.fit(tokens, "A", model="met_exponential"), "the lattice of the canoe"),
        (lambda: fb.fit(tokens, model="quadratic"), "one of A, B"),
        (lambda: fb.parameter("rate", 0.1, scale="logt"), "did you mean"),
        (lambda: fb.parameter("rate", 2.0, scale="logit"), "a start within bounds"),
    ):
        with pytest.raises(fb.InputError, match=words):
            call()
