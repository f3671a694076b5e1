import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import differential_evolution

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.fit import fit_boundary_models, fit_models
from fuzzybounds.paper.boundaries.models import UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import course_of, nll
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.trials import trials_of

SHORT = Budget(restarts=2, members=6, generations=3)


def fit(model, trials, seed, *names, **options):
    """Fit one model."""
    return next(fit_models([model], {"decision": trials}, seed, *names, **options))[1]


def with_responses_of(model, theta, table, seed):
    """A table whose |position| are Normal(b_k, σ_k²) at the given times: the likelihood's model."""
    positions = table["position"].copy()
    rng = generator(seed, "responses")
    for k in range(len(positions)):
        # Later boundaries depend on this response, so one after the other.
        course = course_of(
            model, theta, trials_of({**table, "position": positions}, model.conditions)
        )
        positions[k] = abs(course.boundary[k] + course.sigma[k] * rng.standard_normal())
    return {**table, "position": positions}


def test_finds_what_scipy_finds(table):
    model = Model("weibull", "none", UNCUED)
    theta = np.array([180.0, -20.0, 4.0, 3.0, 20.0])
    trials = trials_of(with_responses_of(model, theta, table, seed=2), UNCUED)
    result = fit(model, trials, 1, "test")
    expected = differential_evolution(
        lambda x: nll(model, x.T, trials),
        np.column_stack([model.lower, model.upper]),
        vectorized=True,
        updating="deferred",
        popsize=10,
        maxiter=300,
        rng=1,
    )
    assert result.nll == pytest.approx(expected.fun, abs=1e-4)
    assert result.agreed


def test_same_names_same_restarts_whatever_else_is_fitted(table):
    models, by_time = (
        [Model("constant", "utility"), Model("weibull", "window")],
        {"decision": trials_of(table)},
    )
    (_, _), (_, both) = fit_models(models, by_time, 5, "data", "s1", budget=SHORT)
    alone, other = (
        fit(models[1], trials_of(table), 5, "data", subject, budget=SHORT)
        for subject in ("s1", "s2")
    )
    np.testing.assert_array_equal(both.restart_nll, alone.restart_nll)
    assert both.nll <= alone.nll
    assert not np.array_equal(other.restart_nll, alone.restart_nll)


def test_stable_fits_are_stable_and_cost_likelihood(table):
    trials = trials_of(table)
    free = fit(Model("constant", "rl"), trials, 1)
    stable = fit(Model("constant", "rl", stable=True), trials, 1)
    assert not stable.unstable
    assert stable.gain > 9.99  # the limit is used to the end
    assert free.unstable
    assert free.nll < stable.nll


def test_criteria_and_flags(table):
    result = fit(Model("constant", "none"), trials_of(table), 1, budget=SHORT)
    assert result.n == table["responded"].sum()
    assert result.aic == pytest.approx(2 * result.nll + 8)
    assert result.bic == pytest.approx(2 * result.nll + 4 * np.log(result.n))
    assert result.on_bound == ()
    # Responses at the edge of the screen: the mean cannot go beyond 300.
    far = trials_of({**table, "position": np.full(90, 400.0)})
    beyond = fit(Model("constant", "none"), far, 1, budget=SHORT)
    assert {"m_easy", "m_hard"} <= set(beyond.on_bound)
    some = dataclasses.replace(result, nll=100.0, restart_nll=np.array([100.0, 100.05, 103.0]))
    assert some.agreed
    assert not dataclasses.replace(some, restart_nll=np.array([100.0, 100.2])).agreed
    assert dataclasses.replace(some, gain=11.0).unstable
    assert not dataclasses.replace(some, gain=9.0).unstable


def test_free_rl_is_fitted_on_the_authors_time_axis_only(table):
    trials = pd.DataFrame(table).assign(subject="s1", session=1, block=1)
    silent = trials.assign(subject="s2", responded=False, correct=False)
    options = {"cued": True, "seed": 1, "dataset": "test"}
    both = pd.concat([trials, silent])
    fits = fit_boundary_models(both, boundary_times=["decision", "total"], **options)
    assert set(fits["subject"]) == {"s1"}
    free = fits[(fits["learning"] == "rl") & ~fits["stable"]]
    assert free["boundary_time"].tolist() == ["total"] * 2
    assert len(fits) == 2 * len(all_models()) + 2
    # Nothing in a constant boundary depends on the time axis; a Weibull boundary does.
    one = fits[fits["stable"] | (fits["learning"] != "rl")].set_index(["shape", "learning"])
    wide = one.pivot_table("nll", ["shape", "learning"], "boundary_time")
    assert (wide["decision"] == wide["total"])["constant"].all()
    assert not (wide["decision"] == wide["total"])["weibull"].any()
