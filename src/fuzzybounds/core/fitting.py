"""Models that are fitted to the trials of one subject, and the search that fits them.

A model has parameters, each with a normal prior and bounds, and a log-likelihood with its gradient
and information (:class:`Fittable`).  Parameters are searched on scales on which a unit is about as
much as subjects differ: positions in 100 px, rates and shares as log-odds, widths and times as
logs.  The priors are wide; they keep parameters finite that the data do not determine.

:func:`fit` maximises the posterior from several starts.  Steps are damped as by Levenberg and
Marquardt (:func:`damped_step`).  The curvature B starts as the information, or
as the curvature of an earlier fit, and takes in the change y of the gradient over every step s
(Broyden, Fletcher, Goldfarb and Shanno),

    B <- B - B s (B s)' / s'B s + y y' / s'y,

with y mixed with B s as by Powell where s'y is small, so that B stays positive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import expit, logit

from fuzzybounds.core.compilation import njit

AGREE = 0.01
"""Nats within which two searches count as having found the same optimum."""
FLAT = 0.02
"""A search has converged when no free parameter changes the objective by more nats per unit."""
MOST_RESTARTS = 3
"""How often a search that ended on a slope is taken up with a new curvature."""
LEAST_GAIN = 1e-7
"""A search ends when its next step promises less, in nats."""
LONGEST = 1.0
"""A parameter moves by so many standard deviations of its prior at most in one step."""
FIRST_DAMPING = 1e-3
MOST_DAMPING = 1e8
MOST_STEPS = 500
CURVED = 0.2
"""Least share of s'B s that s'y has after Powell's correction."""

SCALES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "identity": (lambda value: value, lambda value: value),
    "hundred": (lambda value: 100.0 * value, lambda value: value / 100.0),
    "ten": (lambda value: 10.0 * value, lambda value: value / 10.0),
    "log": (np.exp, np.log),
    "logit": (expit, logit),
}
"""From the search scale to the unit in which a parameter is reported, and back."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: its column, one of :data:`SCALES`, and prior and bounds on that scale."""

    name: str
    scale: str
    mean: float
    sd: float
    low: float
    high: float


class Fittable(Protocol):
    """What :func:`fit` can fit."""

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters, in the order of their values."""

    @property
    def starts(self) -> Sequence[np.ndarray]:
        """Values on the search scales from which the search starts."""

    def log_likelihood(self, theta: np.ndarray, data: Any) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of a subject's data and its gradient."""

    def information(self, theta: np.ndarray, data: Any) -> np.ndarray:
        """Return about how curved minus the log-likelihood is: a matrix that is not negative."""


class Start(NamedTuple):
    """Where a search starts, and the curvature there, where it is known."""

    theta: np.ndarray
    curvature: np.ndarray | None = None


class Fit(NamedTuple):
    """A fitted model."""

    model: Any
    theta: np.ndarray
    """Parameters on their search scales."""
    log_likelihood: float
    log_posterior: float
    """With the log prior density, up to a constant."""
    starts: int
    agree: int
    """How many of the searches ended within :data:`AGREE` of the best."""
    converged: bool
    """Whether the slope of the best one vanishes, or points out of a bound."""
    curvature: np.ndarray
    """Second derivatives of minus the log posterior, as far as the search learned them."""


def natural(parameters: Sequence[Parameter], theta: np.ndarray) -> dict[str, float]:
    """Return the parameters by name, in the units of their columns."""
    return {
        p.name: float(SCALES[p.scale][0](float(value)))
        for p, value in zip(parameters, theta, strict=True)
    }


def search_scale(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> np.ndarray:
    """Return the parameters on their search scales, from what :func:`natural` returned."""
    return np.array([SCALES[p.scale][1](float(values[p.name])) for p in parameters])


def log_prior(parameters: Sequence[Parameter], theta: np.ndarray) -> float:
    """Return the log prior density of parameters, up to a constant."""
    deviation = [(p.mean - value) / p.sd for p, value in zip(parameters, theta, strict=True)]
    return -float(np.square(deviation).sum()) / 2


def fit(
    model: Fittable, data: Any, starts: Sequence[Start] = (), least_gain: float = LEAST_GAIN
) -> Fit:
    """Fit a model to the data of one subject, by maximum a posteriori.

    `data` is what the model's log-likelihood takes; `starts` replace the model's own.  With a
    larger `least_gain` searches end early, also on a slope.
    """
    fields = ((p.mean, p.sd, p.low, p.high) for p in model.parameters)
    mean, sd, low, high = np.array(list(fields)).T.copy()

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, slopes = model.log_likelihood(theta, data)
        deviation = (theta - mean) / sd
        return deviation @ deviation / 2 - value, deviation / sd - slopes

    def search(theta: np.ndarray, curvature: np.ndarray | None = None) -> Minimum:
        theta = np.clip(theta, low, high)
        if curvature is None:
            curvature = model.information(theta, data) + np.diag(sd**-2)
        return descend(objective, theta, low, high, sd, curvature, least_gain)

    minima = [search(*start) for start in starts or [Start(theta) for theta in model.starts]]
    best = min(minima, key=lambda minimum: minimum.value)
    agree = sum(minimum.value <= best.value + AGREE for minimum in minima)
    for _ in range(MOST_RESTARTS if least_gain <= LEAST_GAIN else 0):
        if best.flat(low, high):
            break
        best = search(best.theta)
    return Fit(
        model,
        best.theta,
        float(-best.value) - log_prior(model.parameters, best.theta),
        float(-best.value),
        len(minima),
        agree,
        best.flat(low, high),
        best.curvature,
    )


class Minimum(NamedTuple):
    """Where a search ended, and what it learned of the second derivatives."""

    theta: np.ndarray
    value: float
    gradient: np.ndarray
    curvature: np.ndarray

    def flat(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Return whether the slope vanishes, or points out of a bound."""
        theta, slope = self.theta, self.gradient
        pressed = ((theta <= low) & (slope > 0)) | ((theta >= high) & (slope < 0))
        return bool(np.abs(np.where(pressed, 0.0, slope)).max() <= FLAT)


def descend(
    objective: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    scale: np.ndarray,
    curvature: np.ndarray,
    least_gain: float = LEAST_GAIN,
) -> Minimum:
    """Return the minimum near a start of an objective that gives a value and its gradient.

    A parameter moves by at most :data:`LONGEST` times its `scale` in one step; `curvature` is
    positive definite, and is not changed.
    """
    theta, curvature, damping = start, curvature.copy(), FIRST_DAMPING
    value, gradient = objective(theta)
    new, ridge = np.empty(theta.size), np.zeros(theta.size)
    for _ in range(MOST_STEPS):
        if damping > MOST_DAMPING or not damped_step(
            theta, low, high, curvature, gradient, damping, ridge, new
        ):
            break
        step, promised = _shorten(theta, new, scale, curvature, gradient)
        if promised < 0.0:  # A bound has bent the step uphill.
            damping = max(4.0 * damping, 0.01)
            continue
        if promised < least_gain * min(1.0, 1.0 / damping**2):
            break
        tried = theta + step
        new_value, new_gradient = objective(tried)
        gain = value - new_value
        learn_curvature(curvature, step, new_gradient - gradient)
        if gain < 0.25 * promised:
            damping = max(4.0 * damping, 0.01)
        elif gain > 0.75 * promised:
            damping = max(damping / 5.0, 1e-6)
        if gain > 0.0:
            theta, value, gradient = tried, new_value, new_gradient
    return Minimum(theta, value, gradient, curvature)


@njit(nogil=True)
def _shorten(theta, new, scale, curvature, gradient):
    """Return the step to `new`, shortened, and by how much it should lower the function."""
    step = new - theta
    step /= max(1.0, np.abs(step / scale).max() / LONGEST)
    return step, -(gradient + curvature @ step / 2) @ step


@njit(nogil=True)
def learn_curvature(curvature, step, change):
    """Update the curvature in place by the change of the gradient over a step."""
    bent = curvature @ step
    by_step, curved = bent @ step, change @ step
    if not by_step > 0.0:
        return
    if curved < CURVED * by_step:
        share = (1.0 - CURVED) * by_step / (by_step - curved)
        change = share * change + (1.0 - share) * bent
        curved = change @ step
    curvature += np.outer(change, change) / curved - np.outer(bent, bent) / by_step


@njit
def solve(matrix, right, size, solution):
    """Solve a symmetric positive system in place by Cholesky; False if it is not positive."""
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i, j]
            for q in range(j):
                rest -= matrix[i, q] * matrix[j, q]
            if i > j:
                matrix[i, j] = rest / matrix[j, j]
            elif rest > 0:
                matrix[i, i] = np.sqrt(rest)
            else:
                return False
    for i in range(size):
        rest = right[i]
        for q in range(i):
            rest -= matrix[i, q] * solution[q]
        solution[i] = rest / matrix[i, i]
    for i in range(size - 1, -1, -1):
        rest = solution[i]
        for q in range(i + 1, size):
            rest -= matrix[q, i] * solution[q]
        solution[i] = rest / matrix[i, i]
    return True


@njit
def damped_step(theta, lower, upper, information, gradient, damping, ridge, new):
    """Fill `new` with a damped step within bounds; False if there is none.

    A parameter that the step would take over a bound goes to the bound, and the step of the others
    is solved for again.  `gradient` is that of the function to be minimised; of `information` the
    lower triangle is read.  To its diagonal are added `damping`, as a share of it, and `ridge`.
    """
    size = 0
    free = np.empty(len(theta), np.int64)
    for j in range(len(theta)):
        new[j] = theta[j]
        outward = (theta[j] <= lower[j] and gradient[j] > 0) or (
            theta[j] >= upper[j] and gradient[j] < 0
        )
        if not outward and information[j, j] * (upper[j] - lower[j]) ** 2 > 1e-12:
            free[size] = j
            size += 1
    if size == 0:
        return False
    matrix, right, solution = np.empty((size, size)), np.empty(size), np.empty(size)
    downhill, bound = -gradient[: len(theta)], np.full(len(theta), False)
    while size > 0:
        for i in range(size):
            for j in range(i + 1):
                matrix[i, j] = information[free[i], free[j]]
            matrix[i, i] += damping * matrix[i, i] + ridge[free[i]]
            right[i] = downhill[free[i]]
        if not solve(matrix, right, size, solution):
            return False
        left = 0
        for i in range(size):
            j = free[i]
            new[j] = min(max(theta[j] + solution[i], lower[j]), upper[j])
            if lower[j] <= theta[j] + solution[i] <= upper[j]:
                free[left] = j
                left += 1
            else:
                bound[j] = True
        if left == size:
            break
        size = left
        for i in range(size):
            j = free[i]
            downhill[j] = -gradient[j]
            for q in range(len(theta)):
                if bound[q]:
                    downhill[j] -= information[max(j, q), min(j, q)] * (new[q] - theta[q])
    return True
