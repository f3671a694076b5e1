"""Boundary models on the real logs, against a closed form and against another optimiser."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import differential_evolution
from scipy.stats import norm

from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate

SIGMA_RANGE = (5.0, 100.0)
BOUNDS = [(10, 300), (-100, 200), (0.1, 20), (1, 20), SIGMA_RANGE]
"""The authors' bounds of psi, psi', lambda and phi, and of the noise."""


@pytest.fixture(scope="module", params=["a", "b"])
def experiment(request, shared_data):
    name = request.param
    trials = validate(read_published(shared_data / f"Canoe_{name.upper()}.csv")).trials
    responses = trials[trials["responded"]].assign(size=lambda table: table["position"].abs())
    # Subjects of Experiment B saw no cue, so one boundary serves both conditions.
    return name, responses.assign(cue=responses["condition"] if name == "a" else "")


@pytest.fixture(scope="module")
def reference(project_root):
    """The best NLL that was ever found, by subject."""
    table = pd.read_csv(project_root / "benchmarks/weibull_reference.csv", dtype={"subject": str})
    table = table[(table["learning"] == "none") & (table["boundary_time"] == "decision")]

    def of(name, shape):
        chosen = table[(table["dataset"] == f"experiment_{name}") & (table["shape"] == shape)]
        return chosen.groupby("subject")["nll"].min()

    return of


def test_a_constant_boundary_is_the_normal_distribution_of_responses(experiment, reference):
    name, responses = experiment
    by_cue = responses.groupby(["subject", "cue"])["size"]
    spread = by_cue.std(ddof=0).clip(*SIGMA_RANGE)
    squares = by_cue.count() * by_cue.var(ddof=0)
    nll = by_cue.count() * np.log(spread * np.sqrt(2 * np.pi)) + squares / (2 * spread**2)
    expected = nll.groupby("subject").sum()
    known = reference(name, "constant")
    assert len(known) == {"a": 26, "b": 20}[name]
    np.testing.assert_allclose(known, expected.loc[known.index], atol=1e-3)


@pytest.mark.parametrize("subject", ["1", "7", "15"])
def test_a_weibull_boundary_is_found_by_another_optimiser(experiment, reference, subject):
    """Eq. 1 written out, and SciPy's evolution: what is stored is as good, and no better."""
    name, responses = experiment
    of_subject = responses[responses["subject"] == subject]

    def nll(theta, time, size):
        psi, psi_prime, lam, phi, sigma = theta
        boundary = psi - (1 - np.exp(-((time / lam) ** phi))) * (psi / 2 - psi_prime)
        return -norm.logpdf(size, boundary, sigma).sum(axis=-1)

    total = 0.0
    for _, part in of_subject.groupby("cue"):
        time, size = part[["rt", "size"]].to_numpy().T
        optimum = differential_evolution(
            lambda theta, time, size: nll(theta[..., None], time, size),
            BOUNDS,
            args=(time, size),
            rng=1,
            popsize=30,
            maxiter=400,
            vectorized=True,
            updating="deferred",
        )
        total += optimum.fun
    assert total == pytest.approx(reference(name, "weibull")[subject], abs=0.1)
