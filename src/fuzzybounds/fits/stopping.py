"""Stopping models of one subject: when and where a subject responds, on one likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.fitting import SCALES
from fuzzybounds.core.seeds import generator
from fuzzybounds.datasets import ALL, Dataset, whole_number
from fuzzybounds.fits.subject import SubjectFit, known, simulated, wald
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.paper.figures import style
from fuzzybounds.stopping.catalogue import BOTH, CATALOGUE, MET, Entry
from fuzzybounds.stopping.data import (
    Data,
    design_of,
    likelihoods,
    of_condition,
    prepare,
    with_path,
)
from fuzzybounds.stopping.fits import Fitted, fit_models
from fuzzybounds.stopping.lattice import Bins, LatticeStates, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import Counted, Model
from fuzzybounds.stopping.predictions import simulate
from fuzzybounds.stopping.sequences import Decisions, HazardModel

DELAYS = (0.0, 0.1, 0.2, 0.3, 0.4)
AS_LIKELY = 1.92
"""Nats by which a motor delay may be behind the best and still be in its 95 % interval."""


class StoppingFit(SubjectFit):
    """A stopping model that was fitted to one subject.

    Its likelihood is that of the whole trial: of going on at every moment, and of the response.
    It is summed over all paths that lead there, where the path was not recorded.

    Attributes
    ----------
    condition, family : str
    motor_delay : float
        In s.
    converged : bool
    theta : array
        Parameters on the scales of the search.
    """

    def __init__(
        self,
        data: Dataset | Decisions,
        ready: Data,
        asked: str | HazardModel,
        fitted: Fitted,
        options: dict[str, Any],
    ):
        best = fitted.by_delay[fitted.delay]
        self.subject, self.model, self.data = ready.subject, best.model.name, data
        self.condition, self.family, self.options = ready.condition, best.model.family, options
        self.request, self.motor_delay = asked, fitted.delay
        self.theta, self.converged = best.theta, best.converged
        self.n, self.nll = len(ready.trials), -best.log_likelihood
        self.k = len(best.theta) + (len(fitted.by_delay) > 1)
        self._context = ready.context(np.ones(self.n, dtype=bool))
        self._form = int(best.model.notes.get("base", 0))
        self._p0 = {kind.name: kind.p0 for kind in ready.task.conditions}
        worth = {delay: fit.log_posterior for delay, fit in fitted.by_delay.items()}
        likely = [d for d, value in worth.items() if value >= max(worth.values()) - AS_LIKELY]
        self._delays = (min(likely), max(likely)) if len(worth) > 1 else None

    def _model(self, where: LatticeStates) -> Model:
        """Build the model for some states: a hazard is a function, and a fit holds none."""
        context = replace(self._context, states=where)
        return entry_of(self.request).build(context)[self._form]

    def _cases(self, data: Dataset | Decisions) -> tuple[np.ndarray, Likelihood]:
        """Return the numbers of one subject's trials, and their likelihood."""
        if isinstance(data, Decisions):
            ready = data.ready()
            return ready.trials["trial"].to_numpy(), ready.likelihoods[0.0]
        trials = of_condition(data.trials, self.condition)
        trials = trials[with_path(trials, data.paths)].reset_index(drop=True)
        if trials.empty:
            what = f"requested condition {self.condition}, with a path that is recorded or inferred"
            raise InputError(f"{data.name}: no trials", [what])
        by_delay = likelihoods(trials, Bins(), [self.motor_delay], data.paths)
        return trials["trial"].to_numpy(), by_delay[self.motor_delay]

    def log_likelihood(self, trials: Any = None) -> pd.Series:
        """Return the log-likelihood of every trial, by its number.

        Parameters
        ----------
        trials : Dataset, Decisions or DataFrame, optional
            By default those of the fit.  A table of trials has no recorded paths.
        """
        numbers, likelihood = self._cases(self._given(trials))
        logs = self._model(likelihood.states).log_likelihoods(self.theta, likelihood)
        index = pd.Index(numbers, name="trial")
        return pd.Series(logs[likelihood.of_trial], index, name="log_likelihood")

    def _estimates(self) -> pd.DataFrame:
        numbers, likelihood = self._cases(self.data)
        model = self._model(likelihood.states)
        low, high, mean, sd = np.array(
            [(each.low, each.high, each.mean, each.sd) for each in model.parameters]
        ).T
        counts = likelihood.counts(np.ones(numbers.size, dtype=bool))
        cases = Counted(likelihood, counts, model.nodes(self.theta))

        def gradient(theta: np.ndarray) -> np.ndarray:
            return (theta - mean) / sd**2 - model.log_likelihood(theta, cases)[1]

        free = (self.theta > low) & (self.theta < high)
        names = [each.name for each in model.parameters]
        step = np.full(self.theta.size, 1e-3)
        table = wald(names, self.theta, gradient, _natural(model), free, step)
        if self._delays is not None:
            table.loc["motor_delay"] = [self.motor_delay, np.nan, *self._delays]
        return table

    @cached_property
    def _hazard(self) -> pd.DataFrame:
        where = self._context.states
        model = self._model(where)
        hazard, weights = model.at(self.theta, where, model.nodes(self.theta))
        columns = {"time": where.time, "position": where.position, "outward": where.outward > 0}
        return pd.DataFrame({**columns, "hazard": weights @ hazard})

    def hazard(self) -> pd.DataFrame:
        """Return the chance to respond at a moment, for every time, evidence and direction.

        It is averaged over what is drawn once per trial.
        """
        return self._hazard.copy()

    def simulate(self, n: int = 100, *, seed: int = 1) -> Dataset | Decisions:
        """Let the model do the task, in the conditions, or on the evidence, of the fit's trials."""
        whole_number("n", n, 1)
        if isinstance(self.data, Decisions):
            table = self.data.table
            columns = ["time", "position", "outward"]
            where = self._hazard.astype({"outward": float}).set_index(columns)["hazard"]
            rows = pd.MultiIndex.from_frame(table[["t", "x", "outward"]].astype(float))
            return self.data.simulate(where.reindex(rows).to_numpy(), n, seed)
        seen = of_condition(self.data.trials, self.condition)["condition"].to_numpy(str)
        conditions, where = np.resize(seen, n), states(Bins())
        p0 = np.array([self._p0[name] for name in conditions])
        rng = generator(seed, "model", self.model)
        made = simulate(self._model(where), self.theta, where, p0, rng, self.motor_delay)
        return simulated(made, conditions, seed)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the hazard over time and evidence, where the evidence grows."""
        if ax is None:
            _, ax = style.subplots(width=style.COLUMN, height=2.6)
        shown = self._hazard[self._hazard["outward"]]
        look = {"cmap": style.OUTPUT_MAP, "marker": "s", "s": 4, "lw": 0}
        dots = ax.scatter(shown["time"], shown["position"], c=shown["hazard"], **look)
        ax.figure.colorbar(dots, ax=ax, label="Chance to respond", pad=0.02)
        canoe = isinstance(self.data, Dataset)
        ax.set(xlabel=style.TIME if canoe else "t", ylabel=style.POSITION if canoe else "x")
        return ax


def _natural(model: Model) -> Any:
    scales = [SCALES[parameter.scale][0] for parameter in model.parameters]
    return lambda theta: np.array([to(value) for to, value in zip(scales, theta, strict=True)])


def entry_of(model: str | HazardModel) -> Entry:
    """Return a model of the catalogue, or the user's."""
    return model.entry if isinstance(model, HazardModel) else CATALOGUE[model]


def catalogue_with(models: Sequence[str | HazardModel]) -> dict[str, Entry]:
    """Return models by name, in the order in which they are fitted, with those they start from."""
    asked = {model if isinstance(model, str) else model.name: entry_of(model) for model in models}
    before = {name: CATALOGUE[name] for entry in asked.values() for name in entry.before}
    every = {**before, **asked}
    order = [name for name in CATALOGUE if name in every]
    return {name: every[name] for name in [*order, *(name for name in every if name not in order)]}


def ready_data(
    data: Dataset | Decisions,
    condition: str,
    delays: Sequence[float],
    models: Sequence[str | HazardModel],
) -> Data:
    """Return the trials of one subject, ready for stopping models."""
    numbers = not isinstance(delays, str | float | int) and len(delays)
    if not numbers or not all(isinstance(delay, float | int) for delay in delays):
        raise InputError(f"delays = {delays!r}", ["expected a list of motor delays in s"])
    if isinstance(data, Decisions):
        needs = [model for model in models if entry_of(model).family.startswith((MET, BOTH))]
        if needs or tuple(delays) != (0.0,):
            what = "boundaries that are met and motor delays need the lattice of the canoe"
            raise InputError(f"{data.name} is no canoe", [what])
        return data.ready()
    known(condition, ["easy", "hard", ALL], "condition")
    task = design_of(check_design(data.trials), cued=condition != ALL)
    samples = data.samples()
    ready = prepare(data.trials, samples, Bins(), task, [condition], list(delays), data.paths)
    for one in ready:
        return one
    who = f"{data.name}, subject {data.subjects[0]}: too few responses"
    raise InputError(who, [f"requested condition {condition}"])


def fit_stopping(
    data: Dataset | Decisions,
    window: str,
    *,
    model: str | HazardModel,
    condition: str = "easy",
    delays: Sequence[float] | None = None,
) -> StoppingFit:
    """Fit a stopping model to one subject; see :func:`fuzzybounds.fit`."""
    subject_data = data.of(None, window)
    if delays is None:
        delays = DELAYS if isinstance(data, Dataset) else (0.0,)
    ready = ready_data(subject_data, condition, delays, [model])
    everything = np.ones(len(ready.trials), dtype=bool)
    models = catalogue_with([model])
    fits = fit_models(ready, list(models), ready.context(everything), everything, catalogue=models)
    *_, (_, fitted) = fits
    options = {"delays": tuple(delays)}
    if isinstance(data, Dataset):
        options["condition"] = condition  # type: ignore[assignment]
    return StoppingFit(subject_data, ready, model, fitted, options)
