"""What every model has that was fitted to one subject."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from fuzzybounds.canoe.task import CONDITIONS
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.statistics import InformationCriteria
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.datasets import Dataset

WALD = 1.959963984540054
"""Standard errors in half of a 95 % interval."""
FLAT = 1e-6
"""Curvature of scaled parameters below which a direction counts as not determined."""
SMALL_LOAD = 1e-3
"""Share of a parameter in such directions below which it counts as determined."""
COLUMNS = ["estimate", "standard_error", "low", "high"]


class Summary(NamedTuple):
    """A fit in short, which prints as a table.

    `estimates` has a row for every parameter; `criteria` has n, k, log-likelihood, AIC and BIC.
    """

    title: str
    estimates: pd.DataFrame
    criteria: pd.Series

    def __repr__(self) -> str:
        values = "  ".join(f"{name} {value:.6g}" for name, value in self.criteria.items())
        return f"{self.title}\n{values}\n{self.estimates.to_string(float_format='{:.4g}'.format)}"

    def _repr_html_(self) -> str:
        tables = (self.criteria.to_frame().T, self.estimates)
        return f"<p>{self.title}</p>" + "".join(table.to_html() for table in tables)


class SubjectFit(InformationCriteria, ABC):
    """A model that was fitted to one subject: the base of the three kinds.

    A fit can be pickled.  It holds the trials to which it was fitted.

    Attributes
    ----------
    subject, model : str
    parameters : dict
        By name, in their units.
    n, k : int
        Trials in the likelihood, and free parameters.
    nll, aic, bic : float
        Negative log-likelihood and criteria.  Those of two fits can be compared if both are of one
        kind and of the same trials.
    data : Dataset or Decisions
        The trials of the fit.
    options : dict
        What :func:`fuzzybounds.fit` was given.
    """

    subject: str
    model: str
    data: Any
    options: dict[str, Any]
    n: int
    k: int
    nll: float

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model}, subject {self.subject})"

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters by name, in their units."""
        return self.estimates["estimate"].to_dict()

    @cached_property
    def estimates(self) -> pd.DataFrame:
        """Estimate, standard error and 95 % interval of every parameter.

        Standard errors are those of Laplace's approximation: the second derivatives of the
        function that the fit minimised, at its minimum.  They are missing for parameters that lie
        on a bound, have no slope, or are not determined by the trials.
        """
        return self._estimates().rename_axis("parameter")

    def summary(self) -> Summary:
        """Return estimates with standard errors and intervals, and AIC and BIC."""
        values = {
            "n": self.n,
            "k": self.k,
            "log-likelihood": -self.nll,
            "AIC": self.aic,
            "BIC": self.bic,
        }
        return Summary(repr(self), self.estimates, pd.Series(values, name=self.model))

    def to_frame(self) -> pd.DataFrame:
        """Return the estimates of the fit, one row per parameter; fits can be concatenated."""
        frame = self.estimates.reset_index()
        frame.insert(0, "model", self.model)
        frame.insert(0, "subject", self.subject)
        return frame

    @abstractmethod
    def _estimates(self) -> pd.DataFrame: ...

    @abstractmethod
    def simulate(self, n: int = 100, *, seed: int = 1) -> Any:
        """Let the model do the task: `n` trials of a subject "model", which can be fitted again."""

    @abstractmethod
    def log_likelihood(self, trials: Any = None) -> pd.Series:
        """Return the log-likelihood of every trial, by its number.

        Parameters
        ----------
        trials : Dataset, Decisions or DataFrame, optional
            By default those of the fit.  A table of trials has no recorded paths.  Trials that
            cannot lie on a path of the canoe are left out.
        """

    @abstractmethod
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the model over time and distance, into `ax` or a new figure; return the axes."""

    def _given(self, trials: Any) -> Any:
        """Return the data of one subject, from what :meth:`log_likelihood` accepts."""
        if trials is None:
            return self.data
        if isinstance(trials, pd.DataFrame) and isinstance(self.data, Dataset):
            if missing := [name for name in self.data.trials if name not in trials]:
                raise InputError("trials", [f"no column {name!r}" for name in missing])
            trials = Dataset("trials", trials)
        if not isinstance(trials, type(self.data)):
            kind = type(self.data).__name__
            raise InputError(f"trials are a {type(trials).__name__}", [f"expected a {kind}"])
        return trials.of(self.subject if self.subject in trials.subjects else None)


def wald(
    names: Sequence[str],
    theta: np.ndarray,
    gradient: Callable[[np.ndarray], np.ndarray],
    natural: Callable[[np.ndarray], np.ndarray],
    free: np.ndarray,
    step: np.ndarray,
) -> pd.DataFrame:
    """Return estimates with standard errors by Laplace's approximation and the delta method.

    Parameters
    ----------
    names : sequence of str
    theta : array
        The optimum on the scales of the search.
    gradient : callable
        Of the function that was minimised; it is differenced by `step`.
    natural : callable
        Takes parameters from the scales of the search to their units, each for itself.
    free : array of bool
        Parameters with a slope that vanishes; the others are taken as known.
    step : array
    """
    error = np.full(theta.size, np.nan)
    places = np.flatnonzero(free)
    rows = [
        (gradient(theta + by) - gradient(theta - by))[places] / (2 * by.max())
        for by in np.diag(step)[places]
    ]
    if rows and np.isfinite(rows).all() and (np.diag(rows) > 0).all():
        unit = np.sqrt(np.diag(rows))
        scaled = np.array(rows) / unit / unit[:, None]
        values, vectors = np.linalg.eigh((scaled + scaled.T) / 2)
        known_ways, loads = values > FLAT, vectors**2
        variance = (loads[:, known_ways] / values[known_ways]).sum(axis=1)
        undetermined = loads[:, ~known_ways].sum(axis=1) > SMALL_LOAD
        error[places] = np.where(undetermined, np.nan, np.sqrt(variance) / unit)
    slope = (natural(theta + step) - natural(theta - step)) / (2 * step)
    ends = [natural(theta + side * WALD * error) for side in (-1, 1)]
    columns = [natural(theta), np.abs(slope) * error, *ends]
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)), index=list(names))


def simulated(columns: Mapping[str, Any], conditions: Any, seed: int, paths: Any = None) -> Dataset:
    """Return a data set of one simulated subject, from rt, position, responded and correct."""
    kinds = [CONDITIONS[name] for name in conditions]
    correct, responded = (np.asarray(columns[name], bool) for name in ("correct", "responded"))
    time = np.where(responded, columns["rt"], 0.0)
    rows = zip(kinds, time, correct, strict=True)
    paid = [(kind.total_time(t, c), float(kind.reward(c))) for kind, t, c in rows]
    total, reward = np.array(paid).reshape(-1, 2).T
    one = np.ones(len(kinds), np.int32)
    log = {
        "subject": "model",
        "session": one,
        "block": one,
        "trial": np.cumsum(one, dtype=np.int32),
        "rt": np.where(responded, time, np.nan),
        "total": total,
        "reward": reward,
        "condition": list(conditions),
        "correct": correct,
        "position": columns["position"],
        "responded": responded,
    }
    frames = {} if paths is None else {"paths": paths}
    return Dataset("model", pd.DataFrame(log), seed=seed, **frames)


def known(word: Any, names: Sequence[str], what: str) -> str:
    """Return a name if it is known; otherwise say which one may have been meant."""
    if word not in names:
        hint = suggestion(word, names) if isinstance(word, str) else f"known: {', '.join(names)}"
        raise InputError(f"unknown {what} {word!r}", [hint])
    return word
