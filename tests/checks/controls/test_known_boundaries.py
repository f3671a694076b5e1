"""Simulated subjects of known boundaries, and whether they are what they are called."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.controls.boundary_direction import compare_direction
from fuzzybounds.checks.controls.known_boundaries import (
    falling_around,
    fit_known_boundaries,
    simulate,
)
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.boundaries.models import UNCUED, Model
from fuzzybounds.scorecard.boundary_controls import control_claims
from fuzzybounds.scorecard.boundary_counts import count_below

N = 160


def subject(name="s1"):
    """A subject's trials, and fits whose parameters are set by hand."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {"subject": name, "session": 1, "block": np.arange(N) // 8 + 1}, range(7, N + 7)
    )
    table = table.assign(condition="easy", responded=True, rt=rng.gamma(4, 1, N))
    values = {"m": 120.0, "sigma": 25.0, "psi": 200.0, "psi_prime": -20.0, "lam": 4.0, "phi": 2.0}
    values |= {"alpha_s": 0.0, "alpha_m": 1e-4, "kappa": 1.0}
    key = {"subject": name, "boundary_time": "decision", "cued": False}
    shapes = (("constant", "none", False), ("weibull", "rl", True))
    rows = [dict(zip(("shape", "learning", "stable"), part, strict=True)) for part in shapes]
    return table, pd.DataFrame([{**key, **part, **values} for part in rows])


def test_a_falling_boundary_crosses_the_constant_one():
    table, _ = subject()
    model = Model("constant", "none", UNCUED)
    psi, psi_prime, lam, phi, sigma = falling_around(model, np.array([120.0, 25.0]), table)
    assert (psi, sigma) == (180.0, 25.0)
    assert lam == table["rt"].median()
    assert weibull(1e3, psi, psi_prime, lam, phi) == pytest.approx(60.0)
    # Bounds hold: a level beyond 300 px is cut, and the boundary still ends at half the mean.
    psi, psi_prime, *_ = falling_around(model, np.array([280.0, 25.0]), table)
    assert psi == 300.0
    assert psi / 2 + psi_prime == pytest.approx(140.0)


@pytest.mark.parametrize(
    ("truth", "below"), [("constant", (0, 1)), ("falling", (5, 6)), ("reinforced", (5, 6))]
)
def test_the_direction_tells_falling_from_constant_boundaries(truth, below):
    cohort = pd.concat([simulate(truth, *subject(f"s{i}"), 1, "test") for i in range(6)])
    assert list(cohort.groupby("subject").size()) == [N] * 6
    assert below_of(cohort) in below


def below_of(cohort):
    return count_below(compare_direction(cohort, {"easy": 0.65}, seed=1, dataset="test"))["value"]


def test_a_constant_boundary_with_noise_within_trials_is_not_called_falling():
    falling = pd.concat([simulate("falling", *subject(f"s{i}"), 1, "test") for i in range(4)])
    within = [
        simulate("constant within", chosen, chosen, 1, "test")
        for _, chosen in falling.groupby("subject")
    ]
    assert below_of(falling) == 4
    assert below_of(pd.concat(within)) <= 1


def test_late_falling_boundaries_are_constant_in_the_first_half():
    result = simulate("falling late", *subject(), 1, "test")
    constant = simulate("constant", *subject(), 1, "test")
    early = result["block"] <= 10
    size = result["position"].abs()
    late = result[~early & result["responded"] & (result["rt"] > 7)]
    assert size[late.index].mean() < 90
    assert size[early & result["responded"]].mean() == pytest.approx(
        constant["position"].abs()[early & constant["responded"]].mean(), abs=8
    )


def test_every_claim_and_truth_has_a_row():
    table, fits = subject()
    # A boundary with noise within trials is fitted to responses that the canoe can give.
    table = simulate("constant", table, fits, 1, "test")
    known = fit_known_boundaries(table, fits, subjects=1, seed=1, dataset="test")
    for name, made in known._asdict().items():
        assert not TABLES[f"control_{name}"].problems(made)
    result = control_claims(*known, criterion="bic")
    assert list(result) == TABLES["boundary_controls"].names
    assert len(result) == 15
    direction = result[result["judge"] == "direction"].set_index("truth")
    assert not direction["found"]["constant"]
    assert direction["right"]["constant"]
    nobody = fit_known_boundaries(table, fits, subjects=0, seed=1, dataset="test")
    assert control_claims(*nobody, criterion="bic").empty
