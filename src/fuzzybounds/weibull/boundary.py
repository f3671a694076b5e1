"""The Weibull decision boundary of Eq. 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def weibull(
    t: ArrayLike, psi: ArrayLike, psi_prime: ArrayLike, lam: ArrayLike, phi: ArrayLike
) -> np.ndarray:
    """Return the decision boundary b(t) of Eq. 1.

    b(t) = ψ - [1 - exp(-(t/λ)^φ)] · [ψ/2 - ψ'], which starts at ψ and ends at ψ/2 + ψ'.
    Hawkins et al. (2015) write the same curve as a collapse to a fraction of ψ.

    Parameters
    ----------
    t : array_like
        Elapsed time in a trial in s, zero or more (NaN stays NaN).
    psi : array_like
        ψ, the boundary at t = 0 in px.
    psi_prime : array_like
        ψ', in px: how far the boundary ends above (or below) half its start.
    lam : array_like
        λ, the scale of the change in s, positive.
    phi : array_like
        φ, the shape of the change, positive.

    Returns
    -------
    numpy.ndarray
        The boundary in px for the "right" response, of the broadcast shape of the arguments;
        the boundary for "left" is its negative.
    """
    t, psi, psi_prime, lam, phi = (np.asarray(x, float) for x in (t, psi, psi_prime, lam, phi))
    for name, value, wrong in (("t", t, t < 0), ("lam", lam, lam <= 0), ("phi", phi, phi <= 0)):
        if np.any(wrong):
            expected = "zero or more" if name == "t" else "a positive number"
            raise ValueError(f"{name} is {np.min(value[wrong])}, expected {expected}")
    # expm1 keeps early, tiny changes exact; at t = 0 it is exactly 0 and b is exactly ψ.
    return psi + np.expm1(-((t / lam) ** phi)) * (psi / 2 - psi_prime)
