"""Boundary models of one subject: where a subject responds, given when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy.stats import norm

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.seeds import generator
from fuzzybounds.datasets import Dataset, whole_number
from fuzzybounds.fits.subject import SubjectFit, simulated, wald
from fuzzybounds.paper.boundaries.fit import ON_BOUND, fit_models
from fuzzybounds.paper.boundaries.models import CUED, SHAPES, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import course_of, follow, form_of, new_course
from fuzzybounds.paper.boundaries.simulate import boundary_after, generate
from fuzzybounds.paper.boundaries.trials import trials_of
from fuzzybounds.paper.figures import style

BOUNDARIES = {model.name: model for model in all_models(CUED, stable=(True,))}
"""The ten boundary models; class rl has stable parameters."""


class BoundaryFit(SubjectFit):
    """A boundary model that was fitted to one subject.

    Its likelihood is that of the distance at each response, given its time.

    Attributes
    ----------
    form : Model
        Shape, learning class and conditions.
    theta : array
        Parameters in the order of ``form.names``; those of a condition end with its name.
    agreed : bool
        Whether restarts of the search reached the same optimum.
    """

    def __init__(
        self, data: Dataset, form: Model, theta: np.ndarray, agreed: bool, options: dict[str, Any]
    ):
        self.subject, self.model, self.data = data.subjects[0], form.name, data
        self.form, self.theta, self.agreed, self.options = form, theta, agreed, options
        logs = self.log_likelihood()
        self.n, self.k, self.nll = len(logs), form.k, -float(logs.sum())

    def _estimates(self) -> pd.DataFrame:
        form, trials = self.form, trials_of(self.data.trials, self.form.conditions)
        reach = form.upper - form.lower
        on_bound = np.minimum(self.theta - form.lower, form.upper - self.theta) <= ON_BOUND * reach

        def gradient(theta: np.ndarray) -> np.ndarray:
            sums = np.zeros((form.k + 2, form.k + 1))
            follow(theta, form_of(form), trials, 0.0, new_course(len(trials.time)), sums)
            return sums[-1, : form.k]

        free = ~on_bound & ~form.whole
        return wald(form.names, self.theta, gradient, np.asarray, free, 1e-6 * reach)

    def boundary(
        self, t: ArrayLike, condition: str = "easy", *, after: int | None = None
    ) -> np.ndarray:
        """Return the boundary b(t) in px at times in s.

        Parameters
        ----------
        t : array_like
        condition : {"easy", "hard"}
            Without cues all trials have the same boundary.
        after : int, optional
            After how many trials, for models that learn; by default after all.
        """
        trials = trials_of(self.data.trials, self.form.conditions)
        number = len(trials.time) if after is None else after
        code = self.form.conditions.index(condition) if self.form.cued else 0
        curve, _ = boundary_after(self.form, self.theta, trials, number, code)
        return np.asarray(curve(np.asarray(t, dtype=float)))

    def log_likelihood(self, trials: Any = None) -> pd.Series:
        """Return the log-density of the distance at every response, by trial number.

        Parameters
        ----------
        trials : Dataset or DataFrame, optional
            By default those of the fit.  A model that learns goes through them in their order.
        """
        table = self._given(trials).trials
        arrays = trials_of(table, self.form.conditions)
        course = course_of(self.form, self.theta, arrays)
        logs = norm.logpdf(arrays.size, course.boundary, course.sigma)
        values = pd.Series(logs, table["trial"].to_numpy(), name="log_likelihood")
        return values[arrays.responded].rename_axis("trial")

    def simulate(self, n: int = 100, *, seed: int = 1) -> Dataset:
        """Let the model do the task, in the conditions of the subject's trials, from the first."""
        whole_number("n", n, 1)
        conditions = np.resize(self.data.trials["condition"].to_numpy(str), n).tolist()
        rng = generator(seed, "model", self.model)
        return simulated(generate(self.form, self.theta, conditions, rng), conditions, seed)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the boundary of each condition after all trials, over the subject's responses."""
        if ax is None:
            _, ax = style.subplots(width=style.COLUMN, height=2.6)
        trials = trials_of(self.data.trials, self.form.conditions)
        times = np.linspace(0, trials.time[trials.responded].max(), 201)
        colours = dict(zip(self.form.conditions, (style.BLUE, style.VERMILLION), strict=False))
        for code, (condition, colour) in enumerate(colours.items()):
            chosen = trials.responded & (trials.condition == code)
            look = {"color": colour, "alpha": 0.4, "ms": 2.5, "lw": 0, "mec": "none"}
            ax.plot(trials.time[chosen], trials.size[chosen], "o", **look)
            ax.plot(times, self.boundary(times, condition), color=colour, label=condition)
        ax.set(xlim=(0, times[-1]), ylim=(0, None), xlabel=style.TIME, ylabel=style.POSITION)
        ax.legend(title="boundary")
        return ax


def fit_boundary(data: Dataset, window: str, *, model: str, cued: bool = True) -> BoundaryFit:
    """Fit a boundary model of the paper to one subject; see :func:`fuzzybounds.fit`."""
    subject_data = data.of(None, window)
    conditions, asked = CUED if cued else UNCUED, BOUNDARIES[model]
    form = Model(asked.shape, asked.learning, conditions, asked.stable)
    if not subject_data.trials["responded"].any():
        who = f"{data.name}, subject {data.subjects[0]}"
        raise InputError(f"{who}: no response", ["nothing to fit"])
    # The plain model and the constant one are contained, and good starts.
    plain = [Model(shape, "none", conditions) for shape in SHAPES]
    models = [*(other for other in plain if other != form), form]
    trials = trials_of(subject_data.trials, conditions)
    names = (data.seed, data.name, data.subjects[0])
    fits = fit_models(models, {"decision": trials}, *names)
    fitted = next(fit for _, fit in fits if fit.model == form)
    return BoundaryFit(subject_data, form, fitted.parameters, fitted.agreed, {"cued": cued})
