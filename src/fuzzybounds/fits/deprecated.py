"""Functions of version 0.1 that are methods of a fit now; they go with the next release."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd

from fuzzybounds.core.errors import InputError
from fuzzybounds.datasets import ALL, Dataset
from fuzzybounds.fits.boundary import BoundaryFit
from fuzzybounds.fits.dispatch import fit
from fuzzybounds.fits.fuzzy import FuzzyFit
from fuzzybounds.fits.stopping import StoppingFit
from fuzzybounds.fits.subject import SubjectFit


def _moved(model: Any, kind: type, old: str, new: str) -> None:
    if not isinstance(model, kind):
        what = f"expected a {kind.__name__}, which fit(data, subject, model=...) returns"
        raise InputError(f"{old} of a {type(model).__name__}", [what])
    message = f"fuzzybounds.{old} is now {new}; it goes with the next release"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def draw(model: SubjectFit, points: Any = None, *, title: str = "") -> Any:
    """Draw a fit: use ``fit.plot(ax)``, which draws the points of the fit."""
    _moved(model, SubjectFit, "draw", "fit.plot(ax)")
    if isinstance(points, Dataset):
        raise InputError("draw of a Dataset", ["fit.plot() draws the points of the fit"])
    axes = model.plot()
    axes.set_title(title)
    return axes.figure


def simulate(
    model: FuzzyFit,
    *,
    scale: float | None = None,
    trials: int = 100,
    condition: str = "easy",
    seed: int = 1,
) -> Dataset:
    """Let a model do the task: use ``fit.simulate(n)``."""
    _moved(model, FuzzyFit, "simulate", "fit.simulate(n)")
    return model.simulate(trials, seed=seed, condition=condition, scale=scale)


def log_likelihood(
    model: FuzzyFit,
    data: Dataset,
    subject: str | None = None,
    window: str = ALL,
    *,
    scale: float | None = None,
    bridges: int = 100,
) -> pd.Series:
    """Return the log-likelihood of every trial: use ``fit.log_likelihood(trials)``."""
    _moved(model, FuzzyFit, "log_likelihood", "fit.log_likelihood(trials)")
    return model.log_likelihood(data.of(subject, window), scale=scale, bridges=bridges)


def response_scale(model: FuzzyFit, *_: Any, **__: Any) -> float:
    """Return the mean time (s) to a response where every rule says stop: use ``fit.scale``."""
    _moved(model, FuzzyFit, "response_scale", "fit.scale, of the trials of the fit")
    return model.scale


def fit_boundary(
    data: Dataset,
    subject: str | None = None,
    *,
    shape: str = "weibull",
    learning: str = "none",
    cued: bool = True,
) -> BoundaryFit:
    """Fit a boundary model: use ``fit(data, subject, model="weibull-none")``."""
    _moved(data, Dataset, "fit_boundary", "fit(data, subject, model='weibull-none')")
    return fit(data, subject, model=f"{shape}-{learning}", cued=cued)


def fit_stopping(
    data: Dataset, subject: str | None = None, model: str = "within_exponential", **options: Any
) -> StoppingFit:
    """Fit a stopping model: use ``fit(data, subject, model="within_exponential")``."""
    _moved(data, Dataset, "fit_stopping", "fit(data, subject, model='within_exponential')")
    return fit(data, subject, model=model, **options)
