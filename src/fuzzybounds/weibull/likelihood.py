"""The likelihood of a subject's responses, compiled.

|position| of trial k is Normal(b_k, σ_k²): b_k the boundary at the trial's time, which learning has
moved after every earlier trial of the condition, and σ_k = clip(σ0 - α_s i, 5, 100), i counting the
trials of the condition so far.  :mod:`fuzzybounds.weibull.learning_classes` says the same in
plain Python, one trial at a time; a test compares the two.

A missed deadline has no response and is left out of the likelihood, but it counts as a trial:
boundaries learn from its loss and its time (with the deadline's 15 s).  Only the actor of
class rl does not learn from it, as there is no response to compare with the boundary.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from fuzzybounds.weibull.kernel import CLASSES, SLOTS, Course, Form, new_course, nll_population, run
from fuzzybounds.weibull.models import LARGEST_GAIN, LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.weibull.trials import Trials


def nll(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    """Return the negative log-likelihood of parameter vectors.

    Parameters
    ----------
    model : Model
    theta : array_like, (..., k)
        One or many parameter vectors, in the order of ``model.names``.
    trials : Trials
        Prepared with the same conditions as the model's.

    Returns
    -------
    numpy.ndarray, (...)
    """
    theta = _checked(model, theta, trials)
    population = np.ascontiguousarray(theta.reshape(-1, model.k))
    return nll_population(population, form_of(model), trials).reshape(theta.shape[:-1])


def course_of(model: Model, theta: np.ndarray, trials: Trials) -> Course:
    """Return the course of a model with the given parameters along a subject's trials."""
    course = new_course(len(trials.time))
    run(_checked(model, theta, trials), form_of(model), trials, course)
    return course


@cache
def form_of(model: Model, stiffness: float = 0.0) -> Form:
    """Return what the compiled code needs to know of a model."""
    layout = np.full((len(model.conditions), len(SLOTS)), model.k)
    for row, condition in zip(layout, model.conditions, strict=True):
        for part in model.parts:
            slot = "level" if part.name in ("m", "psi") else part.name
            own = part.name if part.name in model.names else f"{part.name}_{condition}"
            row[SLOTS.index(slot)] = model.names.index(own)
    return Form(
        model.shape == "weibull",
        CLASSES.index(model.learning),
        layout,
        *LEVEL_RANGE,
        *SIGMA_RANGE,
        LARGEST_GAIN if model.stable else np.inf,
        stiffness,
    )


def check_conditions(model: Model, trials: Trials) -> None:
    """Compiled code does not notice conditions that the model has no boundary for."""
    found = int(trials.condition.max(initial=0)) + 1
    if found > len(model.conditions):
        raise ValueError(f"trials of {found} conditions given, the model has {model.conditions}")


def _checked(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    check_conditions(model, trials)
    theta = np.asarray(theta, float)
    if theta.shape[-1] != model.k:
        raise ValueError(f"{theta.shape[-1]} parameters given, {model.name} has {model.k}")
    return theta
