"""Every model of the catalogue: slopes, quadrature, search, and what nests in what."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.stopping import boundaries, rules
from fuzzybounds.beyond.stopping.catalogue import CATALOGUE, INFERRED, RULES_INFERRED, TWO, rebuild
from fuzzybounds.beyond.stopping.data import ALL, beliefs_of, context_of, prepare
from fuzzybounds.beyond.stopping.fits import fit_data, fit_models
from fuzzybounds.beyond.stopping.lattice import Bins, states
from fuzzybounds.beyond.stopping.model import Counted, fit
from fuzzybounds.beyond.stopping.predictions import simulate
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.canoe.task import DEADLINE_STEPS
from fuzzybounds.core.fitting import search_scale
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED, design

MIXED = [name for name, entry in CATALOGUE.items() if name.startswith(("between", "both"))]


@pytest.fixture(scope="module")
def context(data):
    return data.context(np.ones(len(data.trials), dtype=bool), 2.0)


@pytest.fixture(scope="module")
def uncued(data, context):
    """The same trials, of a subject who has to infer their condition."""
    return replace(context, beliefs=partial(beliefs_of, data.states, PAPER_UNCUED, ALL))


@pytest.fixture(scope="module")
def built(context, uncued):
    """A model by its name, in a context in which it makes sense."""
    return lambda name: (CATALOGUE[name].build(context) or CATALOGUE[name].build(uncued))[0]


@pytest.fixture(scope="module")
def fitted(data):
    """Fits of some models to all trials, by name."""
    everything = np.ones(len(data.trials), dtype=bool)
    names = ["within_constant", "within_linear", "within_exponential", "within_weibull"]
    names += ["between_linear", "both_linear", "wang_mendel_3", "wang_mendel_tuned_3"]
    names += ["graded_3", "graded_both_3", "pipeline_3", "logistic", "quadratic", "optimal"]
    found = fit_models(data, names, data.context(everything, 2.0), everything)
    return {own.name: own.by_delay[0.0] for own in found}


@pytest.mark.parametrize("name", CATALOGUE)
def test_gradients_are_those_of_finite_differences(name, data, built):
    model = built(name)
    rng = np.random.default_rng(2)
    low, high = np.array([(own.low, own.high) for own in model.parameters]).T
    theta = np.clip(model.starts[0] + 0.2 * rng.normal(size=len(low)), low + 0.1, high - 0.1)
    counts = data.likelihoods[0.0].outcomes.counts(np.ones(len(data.trials), dtype=bool))
    given = Counted(data.likelihoods[0.0], counts, 37 if model.mixed else 1)
    gradient = model.log_likelihood(theta, given)[1]
    for number, step in enumerate(1e-5 * np.eye(len(theta))):
        ends = [model.log_likelihood(theta + sign * step, given)[0] for sign in (1, -1)]
        assert gradient[number] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=2e-5, abs=2e-4)


@pytest.mark.parametrize("name", ["between_linear", "both_linear", "graded_both_3"])
def test_quadrature_is_exact_to_a_thousandth(name, data, fitted):
    own = fitted[name]
    counts = data.likelihoods[0.0].outcomes.counts(np.ones(len(data.trials), dtype=bool))
    for factor in (0.7, 1.0, 3.0):
        theta = np.append(own.theta[:-1], own.theta[-1] + np.log(factor))
        coarse = counts @ own.model.log_likelihoods(theta, data.likelihoods[0.0])
        hazard, weights = own.model.at(theta, data.states, 3001)
        fine = counts @ data.likelihoods[0.0].log_likelihoods(hazard.value, weights)
        assert coarse == pytest.approx(fine, abs=1e-3)


def test_a_draw_per_trial_is_a_mean_over_draws(data, fitted):
    """The mixture against plain Monte Carlo over boundaries drawn once per trial."""
    own = fitted["between_linear"]
    rng = np.random.default_rng(3)
    z = rng.normal(size=4000)
    hazard = own.model.hazard(own.theta[:-1], data.states, np.exp(own.theta[-1]) * z)
    drawn = data.likelihoods[0.0].log_likelihoods(hazard.value, np.full(z.size, 1 / z.size))
    exact = own.model.log_likelihoods(own.theta, data.likelihoods[0.0])
    likely = exact > -8
    assert likely.sum() > 20
    assert np.exp(drawn[likely]) == pytest.approx(np.exp(exact[likely]), rel=0.25)


def test_all_searches_converge_and_rebuild(data, context, fitted):
    for name, own in fitted.items():
        assert own.converged, name
        row = {**own.model.natural(own.theta), **own.model.notes}
        model, theta = rebuild(name, row, context)
        expected = own.model.log_likelihoods(own.theta, data.likelihoods[0.0])
        found = model.log_likelihoods(theta, data.likelihoods[0.0])
        assert found == pytest.approx(expected, rel=1e-9), name


def test_larger_models_fit_no_worse(fitted):
    def likelihood(name):
        return fitted[name].log_likelihood

    # Up to what priors take.
    assert likelihood("within_linear") > likelihood("within_constant") - 1
    assert likelihood("within_weibull") > likelihood("within_exponential") - 1
    assert likelihood("both_linear") > likelihood("within_linear") - 1
    assert likelihood("quadratic") > likelihood("logistic") - 1
    assert likelihood("wang_mendel_tuned_3") > likelihood("wang_mendel_3")


def test_the_truth_of_a_simulated_subject_is_found(fitted):
    """The subject's boundary falls from 160 px by 12 px/s."""
    found = fitted["within_linear"].model.natural(fitted["within_linear"].theta)
    assert found["level"] == pytest.approx(160, abs=35)
    assert found["slope"] == pytest.approx(-12, abs=8)


def test_shapes_contain_the_simpler_ones():
    t = np.linspace(0.1, 10, 40)
    flat = {
        name: shape.curve(np.array(boundaries.flat(name, 1.4)), t)[0]
        for name, shape in boundaries.SHAPES.items()
    }
    for curve in flat.values():
        assert curve == pytest.approx(np.full(40, 140.0))
    curve = np.array([2.0, 0.5, 1.2])
    as_weibull = boundaries.weibull(np.array(boundaries.as_weibull(curve)), t)[0]
    assert as_weibull == pytest.approx(boundaries.exponential(curve, t)[0])


def test_a_condition_is_inferred_only_where_there_is_no_cue(data, context, uncued):
    everything = np.ones(len(data.trials), dtype=bool)
    two = [
        name for name, entry in CATALOGUE.items() if entry.family in (TWO, INFERRED, RULES_INFERRED)
    ]
    assert len(two) == 2 * len(boundaries.SHAPES) + 4
    assert list(fit_models(data, two, context, everything)) == []
    assert [own.name for own in fit_models(data, two, uncued, everything)] == two


@pytest.mark.parametrize("shape", boundaries.SHAPES)
@pytest.mark.parametrize("kind", ["two", "inferred"])
def test_two_boundaries_contain_one(kind, shape, data, built):
    where, still = data.states, np.zeros(1)
    one, two = built(f"within_{shape}"), built(f"{kind}_{shape}")
    size = len(boundaries.SHAPES[shape].parameters)
    theta = one.starts[0]
    both = np.concatenate([theta[:size], theta])
    expected = one.hazard(theta, where, still).value
    assert np.ptp(expected) > 0.01
    assert two.hazard(both, where, still).value == pytest.approx(expected, rel=1e-12)
    ends = ("first", "second") if kind == "two" else ("easy", "hard")
    names = [f"{own.name}_{end}" for end in ends for own in one.parameters[:size]]
    assert [own.name for own in two.parameters] == [*names, "lapse", "gain", "tau"]


def test_the_canoe_says_which_of_two_boundaries_counts(data, built, uncued):
    """Where it is surely easy, that boundary decides alone; without inference, both always do."""
    where = data.states
    believed = uncued.beliefs()["easy"]
    theta, still = np.array([1.0, 5.0, -6.0, 0.0, 0.0]), np.zeros(1)
    alone = built("within_constant").hazard
    one, other = (alone(np.append(level, theta[2:]), where, still).value for level in theta[:2])
    for name, share in (("inferred_constant", believed), ("two_constant", 0.5)):
        value = built(name).hazard(theta, where, still).value
        assert value == pytest.approx(share * one + (1 - share) * other, rel=1e-12)


def test_two_boundaries_of_a_simulated_subject_are_found():
    """Its boundary on hard trials lies at less than half of that on easy ones."""
    task = design("logs", easy=0.75, hard=0.51)
    where = states(Bins(), DEADLINE_STEPS)
    (model,) = CATALOGUE["inferred_constant"].build(context_of(where, task, ALL))
    truth = {"level_easy": 200.0, "level_hard": 80.0, "lapse": 0.005, "gain": 0.4, "tau": 12.0}
    number = np.arange(1200)
    condition = np.where(number % 2, "easy", "hard")
    chances = np.where(number % 2, 0.75, 0.51)
    rng = np.random.default_rng(8)
    trials = simulate(model, search_scale(model.parameters, truth), where, chances, rng).assign(
        subject="S01", session=1, block=1 + number // 30, trial=1 + number, condition=condition
    )
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    (data,) = prepare(trials, draw_points(trials, none, 1, 1, "tests"), Bins(), task, draws=1)
    everything = np.ones(len(data.trials), dtype=bool)
    names = ("within_constant", "inferred_constant")
    fits = fit_models(data, names, data.context(everything, 2.0), everything)
    one, two = (own.by_delay[0.0] for own in fits)
    found = two.model.natural(two.theta)
    assert found["level_easy"] == pytest.approx(200, abs=40)
    assert found["level_hard"] == pytest.approx(80, abs=10)
    assert two.log_likelihood > one.log_likelihood + 10


@pytest.mark.parametrize("number", [3, 5])
def test_rules_give_the_controller_s_output(number):
    rng = np.random.default_rng(number)
    where = states(Bins(), 12)
    own = rules.move(rules.starting_labels(number, 6.0, 300.0), rng.normal(0, 0.3, 4 * number))
    consequents = (rng.random((number, number)) > 0.5).astype(float)
    consequents[0, -1] = np.nan
    lapse, gain = 0.01, 0.3
    theta = np.log(np.array([lapse, gain]) / (1 - np.array([lapse, gain])))
    value = rules.binary(consequents, own, tuned=False)(theta, where, np.zeros(1)).value[0]
    names = labels(number)
    controller = Controller(
        Memberships(names, own[0], own[1], "width"),
        Memberships(names, own[2], own[3], "width"),
        RuleBase(names, names, consequents),
    )
    output = controller.output(where.time, where.position)
    assert value == pytest.approx(lapse + (gain - lapse) * output, abs=1e-12)


def test_the_best_of_several_draws_and_delays_is_kept(data, context):
    """A subject without a delay is fitted with none, and rules by their best draw."""
    everything = np.ones(len(data.trials), dtype=bool)
    names = ["within_linear", "wang_mendel_5"]
    boundary, rules_found = fit_models(data, names, replace(context, fitted={}), everything)
    assert set(boundary.by_delay) == {0.0, 0.2}
    assert boundary.delay == 0.0
    counts = data.likelihoods[0.0].outcomes.counts(everything)
    candidates = CATALOGUE["wang_mendel_5"].build(replace(context, fitted={}))
    assert len(candidates) > 1
    values = [fit(model, data.likelihoods[0.0], counts).log_posterior for model in candidates]
    assert rules_found.by_delay[0.0].log_posterior == pytest.approx(max(values))


def test_a_known_delay_is_found():
    where, task = states(Bins(), DEADLINE_STEPS), design("logs", easy=0.65, hard=0.51)
    (model,) = CATALOGUE["within_linear"].build(context_of(where, task, "easy"))
    truth = {"level": 160.0, "slope": -8.0, "lapse": 0.003, "gain": 0.5, "tau": 8.0}
    theta, number = search_scale(model.parameters, truth), np.arange(300)
    made = simulate(model, theta, where, np.full(300, 0.65), np.random.default_rng(3), delay=0.3)
    trials = made.assign(subject="S01", block=1 + number // 15, trial=1 + number, condition="easy")
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    samples = draw_points(trials.assign(session=1), none, 1, 1, "tests")
    delays = (0.0, 0.1, 0.2, 0.3, 0.4)
    (own,) = prepare(trials, samples, Bins(), task, 1, ["easy"], delays)
    rows = pd.DataFrame(fit_data(own, ["within_linear"], ["contiguous"], 3, 2.0))
    fitted = rows[rows["delay"] == "fitted"]
    assert set(fitted["motor_delay"]) == {0.3}
    assert (fitted["k"] == 6).all()
    density = rows.groupby("delay")["log_density_left_out"].sum()
    assert density["fitted"] > density["none"] + 5


@pytest.mark.parametrize("name", ["within_exponential", "graded_3", "quadratic"])
def test_information_is_near_the_second_derivatives(name, data, fitted):
    own = fitted[name]
    counts = data.likelihoods[0.0].outcomes.counts(np.ones(len(data.trials), dtype=bool))
    given, prior = Counted(data.likelihoods[0.0], counts), [p.sd**-2 for p in own.model.parameters]
    ends = [
        [own.model.log_likelihood(own.theta + sign * step, given)[1] for sign in (1, -1)]
        for step in 1e-4 * np.eye(own.theta.size)
    ]
    hessian = np.array([(less - more) / 2e-4 for more, less in ends]) + np.diag(prior)
    inverse = np.linalg.inv(own.model.information(own.theta, given) + np.diag(prior))
    root = np.linalg.cholesky(inverse)
    ratios = np.linalg.eigvalsh(root.T @ hessian @ root)
    assert 0.1 < ratios.min() <= ratios.max() < 5
    assert np.median(ratios) == pytest.approx(1, abs=0.35)
