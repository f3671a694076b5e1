import numpy as np
import pytest

from fuzzybounds.paper.boundaries.boundary import weibull


def test_equals_hawkins_collapse_to_a_fraction_of_psi():
    # A18: Hawkins et al. (2015) write the same curve as a collapse to a fraction of ψ.
    t = np.linspace(0, 15, 61)
    psi, fraction, lam, phi = 180.0, 0.3, 3.0, 1.7
    survivor = np.exp(-((t / lam) ** phi))
    collapse_to_fraction = psi * (survivor + (1 - survivor) * (0.5 + fraction))
    np.testing.assert_allclose(
        weibull(t, psi, fraction * psi, lam, phi), collapse_to_fraction, rtol=1e-13
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-0.1, 200, 50, 5, 2), "t is -0.1"),
        ((1.0, 200, 50, 0.0, 2), "lam is 0.0"),
        ((1.0, 200, 50, 5, -2), "phi is -2"),
        ((1.0, 200, 50, 5, 0.0), "phi is 0.0"),
    ],
)
def test_impossible_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        weibull(*arguments)
