import dataclasses

import numpy as np
import pytest
from scipy.optimize import differential_evolution

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.fit import Fit, fit_models, fit_subject
from fuzzybounds.weibull.models import UNCUED, Model
from fuzzybounds.weibull.recursion import course_of, nll
from fuzzybounds.weibull.search import Budget, Search
from fuzzybounds.weibull.trials import trials_of

from .conftest import made_up_table

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
    found = fit(model, trials, 1, "test")
    expected = differential_evolution(
        lambda x: nll(model, x.T, trials),
        np.column_stack([model.lower, model.upper]),
        vectorized=True,
        updating="deferred",
        popsize=10,
        maxiter=300,
        rng=1,
    )
    assert found.nll == pytest.approx(expected.fun, abs=1e-4)
    assert found.restarts_agree == 1


def test_recovers_parameters_that_are_identified():
    model = Model("weibull", "utility", UNCUED)
    # psi, psi_prime, lam, phi, sigma, alpha_s, then alpha and beta of gains and of losses.
    theta = np.array([180, -20, 4, 3, 20, 0, 0.2, 0.02, 0.3, 0.01])
    table = with_responses_of(model, theta, made_up_table(400, seed=3), seed=4)
    trials = trials_of(table, UNCUED)
    found = fit(model, trials, 1, "test")
    assert found.nll <= nll(model, theta, trials)
    course, true_course = (course_of(model, x, trials) for x in (found.parameters, theta))
    assert np.abs(course.boundary - true_course.boundary).mean() < 6
    estimate = dict(zip(model.names, found.parameters, strict=True))
    assert estimate["lam"] == pytest.approx(4, abs=0.5)
    assert estimate["sigma"] == pytest.approx(20, abs=3)


def test_same_names_same_restarts_whatever_else_is_fitted(table):
    models = [Model("constant", "utility"), Model("weibull", "window")]
    both = list(fit_subject(table, models, 5, "data", "s1", budget=SHORT))
    alone = list(fit_subject(table, models[1:], 5, "data", "s1", budget=SHORT))
    np.testing.assert_array_equal(both[1][1].restart_nll, alone[0][1].restart_nll)
    assert both[1][1].nll <= alone[0][1].nll
    other = list(fit_subject(table, models[1:], 5, "data", "s2", budget=SHORT))
    assert not np.array_equal(other[0][1].restart_nll, alone[0][1].restart_nll)


def test_no_restart_beats_the_fit_and_more_search_is_no_worse(table):
    trials = trials_of(table)
    model = Model("weibull", "utility")
    short = fit(model, trials, 2, budget=SHORT)
    assert (short.restart_nll >= short.nll).all()
    longer = fit(model, trials, 2, budget=dataclasses.replace(SHORT, restarts=6))
    assert longer.nll <= short.nll


def test_boundary_time_changes_the_fit(table):
    model = Model("weibull", "none")
    times = ("decision", "total")
    found = dict(fit_subject(table, [model], 1, boundary_times=times, budget=SHORT))
    assert found["decision"].nll != found["total"].nll


def test_criteria_and_counts(table):
    found = fit(Model("constant", "none"), trials_of(table), 1, budget=SHORT)
    assert found.n == table["responded"].sum()
    assert found.aic == pytest.approx(2 * found.nll + 8)
    assert found.bic == pytest.approx(2 * found.nll + 4 * np.log(found.n))


def test_a_fit_that_ends_on_a_bound_says_so(table):
    # Responses at the edge of the screen: the mean cannot go beyond 300.
    far = {**table, "position": np.full(90, 400.0)}
    found = fit(Model("constant", "none"), trials_of(far), 1, budget=SHORT)
    assert {"m_easy", "m_hard"} <= set(found.on_bound)
    assert found.level_limit == 1
    inside = fit(Model("constant", "none"), trials_of(table), 1, budget=SHORT)
    assert inside.on_bound == ()
    assert inside.level_limit == 0


def test_a_fit_without_scatter_says_that_its_noise_is_at_the_floor(table):
    same = {**table, "position": np.full(90, 150.0)}
    found = fit(Model("constant", "none"), trials_of(same), 1, budget=SHORT)
    assert found.sigma_floor == 1
    assert fit(Model("constant", "none"), trials_of(table), 1, budget=SHORT).sigma_floor == 0


def test_agreement_is_the_share_of_restarts_within_a_tenth():
    some = Fit(
        model=Model("constant", "none"),
        parameters=np.zeros(4),
        nll=100.0,
        n=50,
        restart_nll=np.array([100.0, 100.05, 100.2, 103.0]),
        on_bound=(),
        sigma_floor=0.0,
        level_limit=0.0,
        gain=11.0,
    )
    assert some.restarts_agree == 0.5
    assert some.agreed
    assert not dataclasses.replace(some, restart_nll=np.array([100.0, 100.2])).agreed
    assert some.unstable
    assert not dataclasses.replace(some, gain=9.0).unstable


def test_stable_fits_are_stable_and_cost_likelihood(table):
    trials = trials_of(table)
    free = fit(Model("constant", "rl"), trials, 1)
    stable = fit(Model("constant", "rl", stable=True), trials, 1)
    assert not stable.unstable
    assert free.unstable
    assert free.nll < stable.nll


def test_search_coordinates_are_inverse_to_parameters(table):
    model = Model("weibull", "rl")
    search = Search(model, trials_of(table), SHORT, (1,))
    theta = model.lower + generator(1).random((50, model.k)) * (model.upper - model.lower)
    np.testing.assert_allclose(search.parameters(search.root(theta)), theta, rtol=1e-12)
    for made in (search.offspring(theta, generator(2)), search.starts(generator(3))):
        assert (made >= model.lower).all()
        assert (made <= model.upper).all()


class Scripted(Search):
    """A search whose restarts reach given values, one after the other."""

    def restart(self, rng):
        return np.zeros(1), self.script.pop(0)


@pytest.fixture
def scripted(table):
    def make(values, shape="weibull"):
        search = Scripted(Model(shape, "rl", stable=True), trials_of(table), Budget(), (1,))
        search.script = list(values)
        search.run()
        return search

    return make


@pytest.mark.parametrize(("shape", "times"), [("weibull", 1), ("constant", 2)])
def test_restarts_end_when_enough_agree(scripted, shape, times):
    search = scripted([10.0, *[9.0, 9.05] * 10], shape)
    # The first one ended elsewhere.
    assert len(search.reached) == times * Budget().agreeing + 1
    assert search.value == 9.0


def test_restarts_that_never_agree_are_spent(scripted):
    search = scripted(range(100, 0, -1))
    assert len(search.reached) == Budget().restarts
    assert search.value == min(search.reached)


def test_restarts_go_on_when_another_start_is_better(scripted):
    search = scripted([9.0] * 10 + [8.0] * 10)
    before = len(search.reached)
    search.script = [8.0] * 10
    assert search.offer(np.ones(1), 8.0)
    search.run()
    assert search.reached == [9.0] * before + [8.0] * before


def test_a_given_start_is_used(table):
    model, trials = Model("weibull", "rl", stable=True), trials_of(table)
    few = Budget(restarts=1, members=4, generations=1)
    best = fit(model, trials, 1)
    assert fit(model, trials, 2, budget=few).nll > best.nll + 0.1
    near = {(model, "decision"): best.parameters}
    assert fit(model, trials, 2, budget=few, near=near).nll <= best.nll + 1e-3


def test_every_length_of_a_window_is_tried(table):
    model = Model("constant", "window")
    search = Search(model, trials_of(table), SHORT, (1,))
    others = search.other_lengths((model.lower + model.upper) / 2)
    for j in np.flatnonzero(model.whole):
        assert set(range(1, 51)) <= set(others[:, j])
