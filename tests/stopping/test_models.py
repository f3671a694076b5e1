"""Every model of the catalogue: slopes, quadrature, search, and what nests in what."""

import re
import sys
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.fitting import Parameter, search_scale
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.fitted import controllers
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_CUED, design
from fuzzybounds.stopping import catalogue, rules, smooth
from fuzzybounds.stopping.catalogue import CATALOGUE, rebuild
from fuzzybounds.stopping.data import context_of, prepare
from fuzzybounds.stopping.fits import fit_data, fit_models
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.model import Counted, Model, fit
from fuzzybounds.stopping.predictions import simulate

FITTED = (
    *("within_constant", "within_exponential", "within_weibull", "met_exponential"),
    *("both_exponential", "graded_3", "pipeline_3", "quadratic"),
)


@pytest.fixture(scope="module")
def everything(data):
    return np.ones(len(data.trials), dtype=bool)


@pytest.fixture(scope="module")
def counts(data, everything):
    return data.likelihoods[0.0].counts(everything)


@pytest.fixture(scope="module")
def context(data, everything):
    return data.context(everything)


@pytest.fixture(scope="module")
def fitted(data, everything):
    """Fits of some models to all trials, by name."""
    fits = fit_models(data, FITTED, data.context(everything), everything)
    return {name: fitted.by_delay[0.0] for name, fitted in fits}


@pytest.mark.parametrize("name", CATALOGUE)
def test_gradients_are_those_of_finite_differences(name, data, counts, context):
    assert_gradients(CATALOGUE[name].build(context)[-1], data, counts)


def test_a_hazard_is_added_as_the_page_says(project_root, monkeypatch, data, counts, context):
    page = (project_root / "docs/how-to/add-a-model.md").read_text()
    function, line = re.findall(r"(?s)   ```python\n(.*?)   ```", page)[-2:]
    text = Path(catalogue.__file__).read_text()
    for old, new in (
        ("def _catalogue()", f"{dedent(function)}\n\n"),
        ("    return entries\n", indent(dedent(line), "    ")),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new + old)
    changed = ModuleType("changed_catalogue")
    monkeypatch.setitem(sys.modules, changed.__name__, changed)
    exec(text, vars(changed))
    assert set(changed.CATALOGUE) == {*CATALOGUE, "of_time"}
    assert_gradients(*changed.CATALOGUE["of_time"].build(context), data, counts)


def assert_gradients(model, data, counts):
    """Compare the gradient of a model with finite differences."""
    rng = np.random.default_rng(2)
    low, high = np.array([(parameter.low, parameter.high) for parameter in model.parameters]).T
    theta = np.clip(model.starts[0] + 0.2 * rng.normal(size=len(low)), low + 0.1, high - 0.1)
    given = Counted(data.likelihoods[0.0], counts, 37 if model.mixed else 1)
    gradient = model.log_likelihood(theta, given)[1]
    for number, step in enumerate(1e-5 * np.eye(len(theta))):
        ends = [model.log_likelihood(theta + sign * step, given)[0] for sign in (1, -1)]
        assert gradient[number] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=2e-5, abs=5e-4)


@pytest.mark.parametrize("name", ["met_exponential", "both_exponential"])
def test_quadrature_is_exact(name, data, counts, fitted):
    best = fitted[name]
    for factor in (0.7, 1.0, 3.0):
        theta = np.append(best.theta[:-1], best.theta[-1] + np.log(factor))
        coarse = counts @ best.model.log_likelihoods(theta, data.likelihoods[0.0])
        hazard, weights = best.model.at(theta, data.states, 3001)
        fine = counts @ data.likelihoods[0.0].log_likelihoods(hazard, weights)
        assert coarse == pytest.approx(fine, abs=5e-3)


@pytest.mark.parametrize("name", [name for name in FITTED if not name.startswith("pipeline")])
def test_searches_converge_and_rebuild(name, data, context, fitted):
    best = fitted[name]
    assert best.converged
    model, theta = rebuild(name, {**best.model.natural(best.theta), **best.model.notes}, context)
    expected = best.model.log_likelihoods(best.theta, data.likelihoods[0.0])
    assert model.log_likelihoods(theta, data.likelihoods[0.0]) == pytest.approx(expected, rel=1e-9)


def test_a_ratio_of_one_leaves_the_direction_out(data, context):
    plain, directed = (
        CATALOGUE[f"within_exponential{end}"].build(context)[0] for end in ("", "_directed")
    )
    theta, where = plain.starts[0], data.states
    value = plain.at(theta, where)[0]
    # The largest log-odds of the ratio are 8.
    assert directed.at(np.append(theta, 40.0), where)[0] == pytest.approx(value, rel=1e-9)
    halved = directed.at(np.append(theta, 0.0), where)[0]
    assert halved == pytest.approx(value * np.where(where.outward, 1.0, 0.5), rel=1e-12)


def test_a_third_input_has_consequents_for_either_direction(data, context):
    (one,), (both,) = (
        CATALOGUE[name].build(context) for name in ("graded_3", "graded_three_inputs_3")
    )
    rng, where = np.random.default_rng(3), data.states
    away, toward, moved = rng.normal(-2, 1, 9), rng.normal(-2, 1, 9), rng.normal(0, 0.2, 12)
    value = both.at(np.concatenate([away, toward, moved]), where)[0]
    sides = [one.at(np.append(side, moved), where)[0] for side in (toward, away)]
    assert value == pytest.approx(np.where(where.outward, sides[1], sides[0]), rel=1e-12)


def test_a_surface_of_zero_is_the_boundary_below_it(data, context):
    for end, size in (("", 30), ("_directed", 60)):
        (under,) = CATALOGUE[f"within_exponential{end}"].build(context)
        (model,) = CATALOGUE[f"surface{end}"].build(context)
        value = model.at(np.append(under.starts[0], np.zeros(size)), data.states)[0]
        assert value == pytest.approx(under.at(under.starts[0], data.states)[0], rel=1e-9)


def test_the_surface_has_the_covariance_of_its_kernel():
    """All components together: a product of exp(-d^2 / 2) of time and of distance."""
    t, x = np.array([0.5, 2.0, 7.0]), np.array([30.0, 90.0, 110.0])
    columns = smooth.basis(t, x)
    d = np.subtract.outer(np.sqrt(t), np.sqrt(t)) / smooth.TIME_LENGTH
    e = np.subtract.outer(x, x) / smooth.POSITION_LENGTH
    assert columns.T @ columns == pytest.approx(np.exp(-(d**2 + e**2) / 2), abs=0.1)


def test_monotone_bases_never_take_back_stop():
    bases = rules.monotone_bases(3)
    assert len(bases) == 18
    for base in bases:
        assert (np.diff(base, axis=0) >= 0).all()
        assert (np.diff(base, axis=1) >= 0).all()


def test_of_several_forms_the_best_is_taken(data, everything):
    ((_, fitted),) = fit_models(data, ["paper_rules_3"], data.context(everything), everything)
    assert len(fitted.forms) == 18
    best = fitted.by_delay[0.0]
    assert best.log_posterior == max(form[0.0].log_posterior for form in fitted.forms)


def test_the_best_delay_of_a_rough_search_is_that_of_whole_fits(subject):
    delays = (0.0, 0.1, 0.2, 0.3, 0.4)
    (data,) = prepare(*subject, Bins(), PAPER_CUED, ["easy"], delays)
    everything = np.ones(len(data.trials), dtype=bool)
    context = data.context(everything)
    names = ("within_exponential", "met_exponential")
    brief = dict(fit_models(data, names, context, everything, without_delay=False))[names[1]]
    (model,) = CATALOGUE[names[1]].build(context)
    whole = {
        delay: fit(model, likelihood, likelihood.counts(everything)).log_posterior
        for delay, likelihood in data.likelihoods.items()
    }
    best = max(whole, key=lambda delay: whole[delay])
    assert brief.delay == best
    assert abs(brief.by_delay[best].log_posterior - whole[best]) < 1e-3


def test_a_plain_function_is_fitted(data, counts):
    """A hazard of one's own: one chance wherever the canoe moves outward."""

    def steady(t, x, outward, theta):
        return theta[0] * outward

    rate = Parameter("rate", "logit", -3.0, 20.0, -12.0, 8.0)
    model = Model("steady", "control", (rate,), steady, [np.array([-3.0])])
    best = fit(model, data.likelihoods[0.0], counts)
    rates = np.linspace(-5.0, -1.0, 401)
    hazards = expit(rates)[:, None] * data.states.outward
    brute = data.likelihoods[0.0].forward(hazards).logs @ counts
    assert best.theta[0] == pytest.approx(rates[brute.argmax()], abs=0.02)


@pytest.mark.parametrize("number", [3, 5])
def test_rules_give_the_controller_s_output(number):
    rng = np.random.default_rng(number)
    where = states(Bins(), 12)
    start, moved = rules.starting_labels(number, 6.0, 300.0), 1 + rng.normal(0, 0.1, 4 * number)
    odds, names, tuned = rng.normal(-1, 2, number**2), labels(number), rules.move(start, moved)
    theta = np.concatenate([expit(odds), moved[: 4 * number]])
    hazard, _ = rules.graded(number, start)
    value = hazard(where.time, where.position - 25.0, where.outward, theta)
    controller = Controller(
        Memberships(names, tuned[0], tuned[1], "width"),
        Memberships(names, tuned[2] + 25.0, tuned[3], "width"),
        RuleBase(names, names, expit(odds).reshape(number, number)),
    )
    assert value == pytest.approx(controller.output(where.time, where.position), abs=1e-12)


def test_the_pipeline_is_that_of_the_paper(data, context):
    """As :func:`fuzzybounds.paper.fuzzy.fits` fits the points of the first draw."""
    time, position, responded = (draws[0] for draws in context.points)
    longest, farthest = context.points.ranges
    points = pd.DataFrame(
        {"time": time / longest, "position": position / farthest, "responded": responded}
    ).assign(subject="s", window="first", draw=1)
    (fitted,) = controllers(fit_points(points, 3)).values()
    where = data.states
    expected = fitted.output(where.time / longest, where.position / farthest)
    assert rules.pipeline(context.points, 3, where) == pytest.approx(expected, abs=1e-3)


def test_a_known_delay_is_found():
    where, task = states(Bins()), design("logs", easy=0.65, hard=0.51)
    (model,) = CATALOGUE["within_exponential"].build(context_of(where))
    truth = {"level": 170.0, "asymptote": 70.0, "time_scale": 6.0}
    truth |= {"lapse": 0.003, "gain": 0.5, "tau": 8.0}
    theta, number = search_scale(model.parameters, truth), np.arange(300)
    made = simulate(model, theta, where, np.full(300, 0.65), np.random.default_rng(3), delay=0.3)
    trials = made.assign(subject="S01", block=1 + number // 15, trial=1 + number, condition="easy")
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    samples = draw_points(trials.assign(session=1), none, 1, 1, "tests")
    delays = (0.0, 0.1, 0.2, 0.3, 0.4)
    (data,) = prepare(trials, samples, Bins(), task, ["easy"], delays)
    rows = pd.DataFrame(fit_data(data, ["within_exponential"], ["contiguous"], 3))
    fitted = rows[rows["delay"] == "fitted"]
    assert set(fitted["motor_delay"]) == {0.3}
    assert (fitted["k"] == 7).all()
    density = rows.groupby("delay")["log_density_left_out"].sum()
    assert density["fitted"] > density["none"] + 5
