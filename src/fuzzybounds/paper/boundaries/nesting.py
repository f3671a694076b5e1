"""Which boundary models contain which, and where in the larger one the smaller one lies.

A model cannot fit worse than a model that it contains; a search that ends there has not ended at an
optimum.  So every search also starts from the optima of the contained models.

- Every learning class contains class none: all rates are zero.  Free class rl contains stable rl.
- The Weibull form contains the constant form: ψ = m, ψ' = m/2.  In classes window and rl the level
  itself moves and ψ' does not, so there the change must come later than every response (λ and φ at
  their upper bounds, 20 s and 20: at 15 s exp(-(t/λ)^φ) is 0.997, off by at most 0.24 px), or
  earlier than every response: λ at its lower bound, 0.1 s, b = ψ/2 + ψ', and rates twice as large,
  which reaches boundaries within a range of 150 px.
- *Not* nested are the two forms of free class rl: neither place is exact for all times and levels,
  and errors in the level grow without limit.

Bounds forbid some of it: ψ lies within 10 and 300, but the constant mean may be smaller than 10, in
classes utility and accuracy larger than 300, and there not smaller than 20.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzybounds.canoe.task import OVERHEAD
from fuzzybounds.paper.boundaries.models import LEARNING_CLASSES, LEVEL_RANGE, Model

MIDDLE = sum(LEVEL_RANGE) / 2


def contained(model: Model) -> tuple[Model, ...]:
    """Return the models that a model contains, in one step each."""
    inner = []
    if model.free:
        inner.append(replace(model, stable=True))
    if model.learning != "none":
        inner.append(replace(model, learning="none", stable=False))
    if model.shape == "weibull":
        inner.append(replace(model, shape="constant"))
    return tuple(inner)


def siblings(model: Model) -> tuple[Model, ...]:
    """Return the models of the same shape with another learning class.

    Neither contains the other, but shape and noise of one are a good start for the other.
    """
    others = [name for name in LEARNING_CLASSES if name not in ("none", model.learning)]
    if model.learning == "none":
        return ()
    return tuple(replace(model, learning=name, stable=name == "rl") for name in others)


def embed(inner: Model, theta: np.ndarray, model: Model, *, early: bool = False) -> np.ndarray:
    """Return the parameters with which a model does what a contained one does with `theta`.

    They lie within the bounds of `model`, which may forbid the exact place.  Of one of
    :func:`siblings` only shape and noise are taken, and of the Weibull form of a constant model
    learning and noise.  With `early`, in classes window and rl, the change of a Weibull boundary
    comes before every response instead of after it.
    """
    given = dict(zip(inner.names, theta, strict=True))
    values = np.where(model.rates, 0.0, (model.lower + model.upper) / 2)
    moves = not (model.shifts or model.learning == "none")
    becomes_weibull = model.shape == "weibull" and inner.shape == "constant"
    for j, (name, part) in enumerate(zip(model.names, model.part_names, strict=True)):
        if name in given:
            # With g = 2 in place of 1 half the rate does the same.
            halved = part == "alpha_m" and becomes_weibull
            values[j] = given[name] / 2 if halved else given[name]
        elif part == "m":
            # The boundary halfway through its change.
            values[j] = 0.75 * given[name.replace("m", "psi", 1)]
            values[j] += 0.5 * given[name.replace("m", "psi_prime", 1)]
        elif part in ("psi", "psi_prime"):
            mean = given[name.replace(part, "m")]
            values[j] = mean if part == "psi" else mean / 2
        elif part in ("lam", "phi"):
            values[j] = model.upper[j] if moves else 2.0
    if early and moves and becomes_weibull:
        psi, psi_prime = model.part_names == "psi", model.part_names == "psi_prime"
        values[psi_prime] = values[psi] - MIDDLE / 2
        values[psi] = MIDDLE
        values[model.part_names == "lam"] = model.lower[model.part_names == "lam"]
        # The level moves by half; alpha_m was halved above.
        moving = model.rates & (model.part_names != "alpha_s")
        values[moving] *= 4 if model.learning == "rl" else 2
    return np.clip(values, model.lower, model.upper)


def at_other_time(model: Model, theta: np.ndarray, boundary_time: str) -> np.ndarray:
    """Return about the same boundary on the other time axis.

    Total time runs :data:`~fuzzybounds.canoe.task.OVERHEAD` ahead of decision time: λ is moved by
    as much, and φ is changed so that the boundary is as steep there as before.
    """
    values = theta.copy()
    later = OVERHEAD if boundary_time == "total" else -OVERHEAD
    lam, phi = model.part_names == "lam", model.part_names == "phi"
    values[lam] = np.clip(theta[lam] + later, model.lower[lam], model.upper[lam])
    values[phi] = theta[phi] * values[lam] / theta[lam]
    return np.clip(values, model.lower, model.upper)
