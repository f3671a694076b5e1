"""Predictions: exact against simulated, and whether simulated trials give back their parameters."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.checks import _of_data, _of_prediction, check_predictions
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.lattice import Bins, on_lattice, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import fit
from fuzzybounds.stopping.predictions import predict, simulate
from fuzzybounds.stopping.recovery import recover_stopping, tabulate_stopping_recovery

THETA = {
    "within_linear": [1.6, -1.2, -5.0, -1.5, np.log(15.0)],
    "between_linear": [1.8, -1.0, -5.0, np.log(40.0)],
}
DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})


@pytest.fixture(scope="module")
def models(data):
    context = data.context(np.ones(len(data.trials), dtype=bool), 2.0)
    return {name: CATALOGUE[name].build(context)[0] for name in THETA}


@pytest.mark.parametrize("bins", [Bins(), Bins(0.2, delay=0.1)], ids=str)
@pytest.mark.parametrize("name", THETA)
def test_exact_predictions_are_those_of_many_simulated_trials(name, bins, models):
    where, theta = states(bins), np.array(THETA[name])
    exact = predict(models[name], theta, where, 0.65)
    assert exact.probability.sum() + exact.missed == pytest.approx(1.0)
    rng = np.random.default_rng(4)
    trials = simulate(models[name], theta, where, np.full(6000, 0.65), rng)
    trials["condition"] = "easy"
    assert on_lattice(trials).all()
    found, expected = dict(_of_data(trials)), dict(_of_prediction([(exact, 1.0)]))
    # Simulated responses come at the end of their bin, half a bin after its middle.
    half = bins.width / 2
    for quantile in ("10%", "50%", "90%"):
        time, distance = f"rt {quantile}", f"distance {quantile}"
        assert found[time] == pytest.approx(expected[time] + half, abs=0.1 + bins.width)
        assert found[distance] == pytest.approx(expected[distance], abs=10 + 50 * bins.width)
    assert found["accuracy 2-4 s"] == pytest.approx(expected["accuracy 2-4 s"], abs=0.04)
    assert found["share missed"] == pytest.approx(expected["share missed"], abs=0.01)
    assert found["correlation of rt and distance"] == pytest.approx(
        expected["correlation of rt and distance"], abs=0.06
    )
    assert abs(found["lag-1 correlation of distance"]) < 0.05


@pytest.mark.parametrize("name", THETA)
def test_simulated_trials_give_back_their_parameters(name, models):
    bins, theta = Bins(), np.array(THETA[name])
    rng = np.random.default_rng(6)
    trials = simulate(models[name], theta, states(bins), np.full(1500, 0.65), rng)
    found = outcomes(trials, bins)
    own = Likelihood(found, states(bins, found.steps))
    (best,) = fit([models[name]], own, found.counts(np.ones(1500, dtype=bool)))
    assert best.theta == pytest.approx(theta, abs=0.45)
    assert best.theta[:2] == pytest.approx(theta[:2], abs=0.25)


def test_checks_and_recovery_run_from_the_tables_alone(subject):
    trials, samples = subject
    names = ["within_linear", "graded_3", "logistic"]
    fits = fit_stopping(
        trials, samples, DESIGN, cued=True, models=names, schemes=["interleaved"], fold_number=3
    )
    assert (fits.groupby("model").size() == 4).all()
    left_out = fits[fits["fold"] > 0].groupby("model")["n_left_out"].sum()
    assert (left_out == len(trials)).all()
    checks = check_predictions(trials, fits, DESIGN, cued=True)
    own = checks[checks["model"] == "within_linear"].set_index("statistic")
    assert own["predicted"]["rt 50%"] == pytest.approx(own["data"]["rt 50%"], rel=0.2)
    comparison = pd.DataFrame(
        {
            "condition": "easy",
            "scheme": "interleaved",
            "model": names,
            "family": ["boundary_within", "rules", "control"],
            "elpd": [-1.0, -2.0, -3.0],
        }
    )
    recovered = recover_stopping(
        trials,
        fits,
        comparison,
        DESIGN,
        cued=True,
        scheme="interleaved",
        conditions=["easy"],
        bin_width=0.1,
        delay=0.0,
        fold_number=3,
        draws=2,
        penalty=2.0,
        seed=1,
        dataset="tests",
    )
    table = tabulate_stopping_recovery([recovered])
    assert len(table) == 9
    assert (table.groupby("true_model")["share"].sum() == 1.0).all()
    true = table[table["model"] == table["true_model"]]
    assert (true["elpd_difference"] == 0.0).all()
