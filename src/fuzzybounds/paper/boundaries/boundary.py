"""The Weibull decision boundary of Eq. 1.

:func:`remaining` and :func:`at_remaining` are Eq. 1 in two steps.  They work on numbers and on
arrays.  The compiled fits use the second as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def remaining(t, lam, phi):
    """Return e = exp(-(t/λ)^φ), the part of the boundary's change that is still to come at t."""
    return np.exp(-((t / lam) ** phi))


def at_remaining(psi, psi_prime, e):
    """Return the boundary b = ψ - (1 - e)(ψ/2 - ψ') when the part e of its change remains."""
    return psi - (1 - e) * (psi / 2 - psi_prime)


def weibull(
    t: ArrayLike, psi: ArrayLike, psi_prime: ArrayLike, lam: ArrayLike, phi: ArrayLike
) -> np.ndarray:
    """Return the decision boundary b(t) of Eq. 1 in px; that for "left" is its negative.

    b(t) = ψ - [1 - exp(-(t/λ)^φ)] · [ψ/2 - ψ'], with t in s, starts at ψ and ends at ψ/2 + ψ'; λ
    is the scale of the change in s and φ its shape, both positive.  Hawkins et al. (2015) write
    the same curve as a collapse to a fraction of ψ.
    """
    t, psi, psi_prime, lam, phi = (np.asarray(x, float) for x in (t, psi, psi_prime, lam, phi))
    for name, value, wrong in (("t", t, t < 0), ("lam", lam, lam <= 0), ("phi", phi, phi <= 0)):
        if np.any(wrong):
            expected = "zero or more" if name == "t" else "a positive number"
            raise ValueError(f"{name} is {np.min(value[wrong])}, expected {expected}")
    return at_remaining(psi, psi_prime, remaining(t, lam, phi))
