"""Every model of the catalogue: slopes, quadrature, search, and what nests in what."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.fitting import search_scale
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import Recipe, controllers, fit_tables
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED, design
from fuzzybounds.stopping import rules
from fuzzybounds.stopping.catalogue import (
    CATALOGUE,
    IGNORED,
    INFERRED,
    RULES_INFERRED,
    rebuild,
)
from fuzzybounds.stopping.data import ALL, beliefs, context_of, prepare
from fuzzybounds.stopping.fits import fit_data, fit_models
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.model import Counted
from fuzzybounds.stopping.predictions import simulate

FITTED = (
    *("within_constant", "within_exponential", "within_weibull", "between_exponential"),
    *("both_exponential", "graded_tuned_3", "graded_tuned_both_3", "pipeline_3", "quadratic"),
)


@pytest.fixture(scope="module")
def everything(data):
    return np.ones(len(data.trials), dtype=bool)


@pytest.fixture(scope="module")
def counts(data, everything):
    return data.likelihoods[0.0].outcomes.counts(everything)


@pytest.fixture(scope="module")
def context(data, everything):
    return data.context(everything)


@pytest.fixture(scope="module")
def uncued(data, context):
    """The same trials, of a subject who has to infer their condition."""
    return replace(context, beliefs=beliefs(data.states, PAPER_UNCUED, ALL))


@pytest.fixture(scope="module")
def built(context, uncued):
    """A model by its name, in a context in which it makes sense."""
    return lambda name: CATALOGUE[name].build(context) or CATALOGUE[name].build(uncued)


@pytest.fixture(scope="module")
def fitted(data, everything):
    """Fits of some models to all trials, by name."""
    found = fit_models(data, FITTED, data.context(everything), everything)
    return {own.name: own.by_delay[0.0] for own in found}


@pytest.mark.parametrize("name", CATALOGUE)
def test_gradients_are_those_of_finite_differences(name, data, counts, built):
    model = built(name)
    rng = np.random.default_rng(2)
    low, high = np.array([(own.low, own.high) for own in model.parameters]).T
    theta = np.clip(model.starts[0] + 0.2 * rng.normal(size=len(low)), low + 0.1, high - 0.1)
    given = Counted(data.likelihoods[0.0], counts, 37 if model.mixed else 1)
    gradient = model.log_likelihood(theta, given)[1]
    for number, step in enumerate(1e-5 * np.eye(len(theta))):
        ends = [model.log_likelihood(theta + sign * step, given)[0] for sign in (1, -1)]
        assert gradient[number] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=2e-5, abs=2e-4)


@pytest.mark.parametrize("name", ["between_exponential", "both_exponential", "graded_tuned_both_3"])
def test_quadrature_is_exact_to_a_thousandth(name, data, counts, fitted):
    own = fitted[name]
    for factor in (0.7, 1.0, 3.0):
        theta = np.append(own.theta[:-1], own.theta[-1] + np.log(factor))
        coarse = counts @ own.model.log_likelihoods(theta, data.likelihoods[0.0])
        hazard, weights = own.model.at(theta, data.states, 3001)
        fine = counts @ data.likelihoods[0.0].log_likelihoods(hazard.value, weights)
        assert coarse == pytest.approx(fine, abs=1e-3)


@pytest.mark.parametrize("name", [name for name in FITTED if not name.startswith("pipeline")])
def test_searches_converge_and_rebuild(name, data, context, fitted):
    own = fitted[name]
    assert own.converged
    model, theta = rebuild(name, {**own.model.natural(own.theta), **own.model.notes}, context)
    expected = own.model.log_likelihoods(own.theta, data.likelihoods[0.0])
    assert model.log_likelihoods(theta, data.likelihoods[0.0]) == pytest.approx(expected, rel=1e-9)


def test_a_condition_is_inferred_only_where_there_is_no_cue(data, everything, context, uncued):
    families = (INFERRED, IGNORED, RULES_INFERRED)
    two = [name for name, entry in CATALOGUE.items() if entry.family in families]
    assert len(two) == 6
    assert list(fit_models(data, two, context, everything)) == []
    assert [own.name for own in fit_models(data, two, uncued, everything)] == two


def test_the_canoe_says_which_of_two_boundaries_counts(data, built, uncued):
    """Each counts by the belief in its condition; two that are the same are one."""
    where, still, believed = data.states, np.zeros(1), uncued.beliefs["easy"]
    alone, two = built("within_exponential"), built("inferred_exponential")
    easy, hard, noise = np.array([1.0, 0.8, 1.0]), np.array([5.0, 3.0, 1.0]), [-6.0, 0.0, 0.0]
    one, other = (
        alone.hazard(np.append(curve, noise), where, still).value for curve in (easy, hard)
    )
    both = np.concatenate([easy, hard, noise])
    value = two.hazard(both, where, still).value
    assert value == pytest.approx(believed * one + (1 - believed) * other, rel=1e-12)
    ignoring = built("ignored_exponential").hazard(both, where, still).value
    assert ignoring == pytest.approx((one + other) / 2, rel=1e-12)
    same = two.hazard(np.concatenate([easy, easy, noise]), where, still).value
    assert same == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize("number", [3, 5])
def test_rules_give_the_controller_s_output(number):
    rng = np.random.default_rng(number)
    where = states(Bins(), 12)
    start, moved = rules.starting_labels(number, 6.0, 300.0), rng.normal(0, 0.3, 4 * number)
    odds, names, own = rng.normal(-1, 2, number**2), labels(number), rules.move(start, moved)
    value = rules.graded(number, start)(np.append(odds, moved), where, np.array([25.0])).value[0]
    controller = Controller(
        Memberships(names, own[0], own[1], "width"),
        Memberships(names, own[2] + 25.0, own[3], "width"),
        RuleBase(names, names, expit(odds).reshape(number, number)),
    )
    assert value == pytest.approx(controller.output(where.time, where.position), abs=1e-12)


def test_the_pipeline_is_that_of_the_paper(data, context):
    """As :func:`fuzzybounds.paper.fuzzy.fits` fits the points of the first draw."""
    time, position, responded = (own[0] for own in context.points)
    longest, farthest = context.points.ranges
    points = pd.DataFrame(
        {"time": time / longest, "position": position / farthest, "responded": responded}
    ).assign(subject="s", window="first", draw=1)
    (fitted,) = controllers(fit_tables(points, Recipe(3))).values()
    where = data.states
    expected = fitted.output(where.time / longest, where.position / farthest)
    assert rules.pipeline(context.points, 3, where) == pytest.approx(expected, abs=1e-3)


def test_a_known_delay_is_found():
    where, task = states(Bins()), design("logs", easy=0.65, hard=0.51)
    model = CATALOGUE["within_exponential"].build(context_of(where, task, "easy"))
    truth = {"level": 170.0, "asymptote": 70.0, "time_scale": 6.0}
    truth |= {"lapse": 0.003, "gain": 0.5, "tau": 8.0}
    theta, number = search_scale(model.parameters, truth), np.arange(300)
    made = simulate(model, theta, where, np.full(300, 0.65), np.random.default_rng(3), delay=0.3)
    trials = made.assign(subject="S01", block=1 + number // 15, trial=1 + number, condition="easy")
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    samples = draw_points(trials.assign(session=1), none, 1, 1, "tests")
    delays = (0.0, 0.1, 0.2, 0.3, 0.4)
    (own,) = prepare(trials, samples, Bins(), task, ["easy"], delays)
    rows = pd.DataFrame(fit_data(own, ["within_exponential"], ["contiguous"], 3))
    fitted = rows[rows["delay"] == "fitted"]
    assert set(fitted["motor_delay"]) == {0.3}
    assert (fitted["k"] == 7).all()
    density = rows.groupby("delay")["log_density_left_out"].sum()
    assert density["fitted"] > density["none"] + 5
