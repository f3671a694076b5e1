import numpy as np
import pytest
from scipy.special import betainc, gammaln, logsumexp

from fuzzybounds.core.model_selection import (
    exceedance_probabilities,
    select,
    variational_bound,
)
from fuzzybounds.core.seeds import generator

CERTAIN = 1000.0
"""A log evidence that leaves no doubt which model a subject follows."""


def certain_subjects(counts):
    """Evidence of subjects of whom it is certain which model they follow."""
    followed = np.repeat(np.arange(len(counts)), counts)
    return CERTAIN * np.eye(len(counts))[followed]


def test_certain_subjects_are_counted():
    # With known assignments the posterior is Dirichlet(1 + counts): a closed form.
    result = select(certain_subjects([6, 3, 1]))
    np.testing.assert_allclose(result.alpha, [7, 4, 2])
    np.testing.assert_allclose(result.frequency, np.array([7, 4, 2]) / 13)
    np.testing.assert_allclose(result.responsibility.sum(axis=0), [6, 3, 1])


def test_two_models_exceed_by_the_incomplete_beta_function():
    # P(r_1 > 1/2) under Beta(a, b).
    for a, b in ((7.0, 2.0), (1.0, 1.0), (12.5, 15.5), (1.01, 25.0)):
        expected = 1 - betainc(a, b, 0.5)
        np.testing.assert_allclose(
            exceedance_probabilities([a, b]), [expected, 1 - expected], atol=1e-9
        )


def test_many_models_exceed_as_in_dirichlet_draws():
    alpha = np.array([1.0, 3.0, 8.5, 6.0, 1.2])
    draws = generator(1, "dirichlet").dirichlet(alpha, size=200_000)
    simulated = np.bincount(draws.argmax(axis=1), minlength=5) / len(draws)
    exact = exceedance_probabilities(alpha)
    np.testing.assert_allclose(exact, simulated, atol=4e-3)
    assert exact.sum() == pytest.approx(1, abs=1e-8)


def test_bound_is_exact_for_certain_subjects():
    # log of the integral of r_1^4 r_2^2 over the flat prior: a Beta function.
    evidence = certain_subjects([4, 2])
    result = select(evidence)
    exact = 6 * CERTAIN + gammaln(5) + gammaln(3) - gammaln(8) + gammaln(2)
    bound = variational_bound(evidence, result.alpha, result.responsibility)
    assert bound == pytest.approx(exact, abs=1e-9)
    # All six certain, three models of which one is followed: risk from the two closed forms.
    evidence = certain_subjects([6, 0, 0])
    result = select(evidence)
    unequal = gammaln(7) + gammaln(3) - gammaln(9)
    equal = -6 * np.log(3)
    risk = 1 / (1 + np.exp(unequal - equal))
    assert result.omnibus_risk == pytest.approx(risk, rel=1e-9)
    # Where all frequencies may be equal, every model is as likely to be the most frequent.
    protected = (1 - risk) * exceedance_probabilities([7, 1, 1]) + risk / 3
    np.testing.assert_allclose(result.protected_exceedance, protected, rtol=1e-9)


def test_iteration_has_found_the_highest_bound():
    evidence = generator(3, "evidence").normal(0, 1, size=(8, 3))
    result = select(evidence)
    best = variational_bound(evidence, result.alpha, result.responsibility)
    rng = generator(3, "perturb")
    for _ in range(50):
        alpha = result.alpha * np.exp(0.1 * rng.normal(size=3))
        log_q = np.log(result.responsibility) + 0.1 * rng.normal(size=(8, 3))
        responsibility = np.exp(log_q - logsumexp(log_q, axis=1, keepdims=True))
        assert variational_bound(evidence, alpha, responsibility) < best
