"""Delays that vary from trial to trial, wider priors, and the table of changed choices."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.stopping.data import design_of, likelihoods, prepare
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.sensitivity import vary_choices
from fuzzybounds.stopping.variable_delay import VariableDelay

DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})
DELAYS = (0.0, 0.1, 0.2)


@pytest.fixture(scope="module")
def by_delay(subject):
    trials, samples = subject
    (data,) = prepare(trials, samples, Bins(), design_of(DESIGN, cued=True), ["easy"])
    return likelihoods(data.trials, Bins(), DELAYS)


def hazard(likelihood, nodes=2):
    where = likelihood.states
    rise = 1 / (1 + np.exp(-(where.position - 120 - 20 * np.arange(nodes)[:, None]) / 25))
    return 0.02 + 0.3 * rise


def test_a_variable_delay_is_the_mean_over_delays(by_delay):
    varied = VariableDelay(by_delay, 0.1, 0.06)
    values, weights = hazard(varied), np.array([0.3, 0.7])
    shares = np.exp(-0.5 * ((np.array(DELAYS) - 0.1) / 0.06) ** 2)
    each = [
        np.exp(part.log_likelihoods(values, weights))[part.of_trial] for part in by_delay.values()
    ]
    expected = np.log(shares / shares.sum() @ each)
    found = varied.log_likelihoods(values, weights)[varied.of_trial]
    assert found == pytest.approx(expected, rel=1e-10)


def test_slopes_of_a_variable_delay_are_differences(by_delay):
    varied = VariableDelay(by_delay, 0.1, 0.06)
    values, weights = hazard(varied), np.array([0.3, 0.7])
    counts = varied.counts(np.ones(len(varied.of_trial), dtype=bool))
    value, slopes, information = varied.slopes(values, weights, counts)
    assert value == pytest.approx(varied.log_likelihoods(values, weights) @ counts)
    assert (information >= 0).all()
    places = np.argsort(np.abs(slopes), axis=None)[-5:]
    for place in zip(*np.unravel_index(places, slopes.shape), strict=True):
        moved = np.zeros_like(values)
        moved[place] = 1e-6
        up, down = (varied.log_likelihoods(values + s * moved, weights) @ counts for s in (1, -1))
        assert slopes[place] == pytest.approx((up - down) / 2e-6, rel=1e-5)


def test_narrow_priors_hold_parameters_back(subject):
    options = {"cued": True, "models": ["within_constant"], "conditions": ["easy"], "schemes": []}
    wide, narrow = (
        fit_stopping(*subject, DESIGN, prior_width=width, **options) for width in (100.0, 0.01)
    )
    assert wide["log_likelihood"].item() > narrow["log_likelihood"].item() + 3


def test_every_choice_is_varied_alone(subject):
    table = vary_choices(
        *subject,
        DESIGN,
        choices={"bins": [0.25], "delays": [0.05], "variable delay": [0.05]},
        subjects=1,
        cued=True,
        delays=[0.0, 0.1],
        schemes=["interleaved"],
        fold_number=2,
        models=["within_exponential", "within_exponential_directed"],
        conditions=["easy"],
        without_delay=False,
    )
    elpd = table[table["answer"] == "used"].set_index("choice")["elpd"]
    assert list(elpd.index) == ["default", "bins", "delays", "variable delay"]
    assert elpd.nunique() == 4
