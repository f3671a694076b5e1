"""Boundary models and stopping models of one subject, for library users.

A boundary model (the paper's section on boundaries) says where a subject responds, given when: its
likelihood is that of the distance at the response.  A stopping model says when and where: its
likelihood is that of the whole trial.  The criteria of two fits can be compared if both are of the
same kind and of the same trials.  The workflow fits a motor delay as well, and compares models by
trials that were left out.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from fuzzybounds.core.errors import InputError, suggestion
from fuzzybounds.core.statistics import InformationCriteria
from fuzzybounds.datasets import Dataset
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.paper.boundaries.fit import fit_models as fit_models_of_boundaries
from fuzzybounds.paper.boundaries.models import CUED, SHAPES, UNCUED, Model
from fuzzybounds.paper.boundaries.simulate import boundary_after
from fuzzybounds.paper.boundaries.trials import Trials, trials_of
from fuzzybounds.stopping.catalogue import BOTH, CATALOGUE, Context
from fuzzybounds.stopping.data import ALL, design_of, prepare
from fuzzybounds.stopping.fits import fit_models
from fuzzybounds.stopping.lattice import Bins


@dataclass(frozen=True, repr=False)
class BoundaryFit(InformationCriteria):
    """A boundary model that was fitted to one subject.

    Attributes
    ----------
    subject : str
    model : Model
        Shape, learning class and conditions.
    parameters : dict
        By name; those of a condition end with its name.
    n, k : int
        Responses and free parameters.
    nll, aic, bic : float
        Negative log-likelihood and criteria.
    agreed : bool
        Whether restarts of the search found the same optimum.
    """

    subject: str
    model: Model
    parameters: dict[str, float]
    n: int
    k: int
    nll: float
    agreed: bool
    _trials: Trials

    def __repr__(self) -> str:
        return f"BoundaryFit({self.model.name}, subject {self.subject}: bic {self.bic:.1f})"

    def responses(self) -> pd.DataFrame:
        """Return where the subject responded: condition, time (s), position (px from the centre).

        Without cues the condition is "all".
        """
        own = self._trials
        columns = {"time": own.time, "position": own.size}
        names = np.array(self.model.conditions)[own.condition]
        return pd.DataFrame({"condition": names, **columns})[own.responded]

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
        number = len(self._trials.time) if after is None else after
        code = self.model.conditions.index(condition) if self.model.cued else 0
        theta = np.array(list(self.parameters.values()))
        curve, _ = boundary_after(self.model, theta, self._trials, number, code)
        return np.asarray(curve(np.asarray(t, dtype=float)))


def fit_boundary(
    data: Dataset,
    subject: str | None = None,
    *,
    shape: str = "weibull",
    learning: str = "none",
    cued: bool = True,
) -> BoundaryFit:
    """Fit a boundary model of the paper to one subject, on decision time.

    Parameters
    ----------
    data : Dataset
    subject : str, optional
        May be omitted if the data set has only one.
    shape : {"weibull", "constant"}
        How the boundary runs within a trial (Eq. 1).
    learning : {"none", "utility", "accuracy", "window", "rl"}
        How its level moves from trial to trial; class rl with stable parameters.
    cued : bool
        Whether each condition has its own boundary; Experiment B had no cues.

    Examples
    --------
    >>> data = simulate_cohort(one_session=1)  # doctest: +SKIP
    >>> fit_boundary(data, "S01").boundary([1.0, 5.0])  # doctest: +SKIP
    """
    own = data.of(subject)
    conditions = CUED if cued else UNCUED
    model = Model(shape, learning, conditions, stable=learning == "rl")
    if not own.trials["responded"].any():
        raise InputError(f"{own.name}, subject {own.subjects[0]}: no response", ["nothing to fit"])
    # The plain model and the constant one are contained, and good starts.
    plain = [Model(each, "none", conditions) for each in SHAPES]
    models = [*(other for other in plain if other != model), model]
    trials = trials_of(own.trials, conditions)
    names = (data.seed, data.name, own.subjects[0])
    fits = fit_models_of_boundaries(models, {"decision": trials}, *names)
    found = next(fit for _, fit in fits if fit.model == model)
    return BoundaryFit(
        own.subjects[0],
        model,
        dict(zip(model.names, found.parameters.tolist(), strict=True)),
        found.n,
        found.k,
        found.nll,
        found.agreed,
        trials,
    )


@dataclass(frozen=True, repr=False)
class StoppingFit(InformationCriteria):
    """A stopping model that was fitted to one subject.

    Attributes
    ----------
    subject, condition, model, family : str
    parameters : dict
        By name, in their units.
    n, k : int
        Trials and free parameters.
    nll, aic, bic : float
        Negative log-likelihood of all trials, and criteria.
    """

    subject: str
    condition: str
    model: str
    family: str
    parameters: dict[str, float]
    n: int
    k: int
    nll: float
    _theta: np.ndarray
    _context: Context

    def __repr__(self) -> str:
        return f"StoppingFit({self.model}, subject {self.subject}: bic {self.bic:.1f})"

    def hazard(self) -> pd.DataFrame:
        """Return the chance to respond in a bin, where the canoe can be: time (s), position (px).

        It is averaged over what is drawn once per trial.
        """
        # Built again, because a hazard is a function, and a fit can be pickled without it.
        model, where = CATALOGUE[self.model].build(self._context), self._context.states
        assert model is not None
        hazard, weights = model.at(self._theta, where, model.nodes(self._theta))
        columns = {"time": where.time, "position": where.position}
        return pd.DataFrame({**columns, "hazard": weights @ hazard.value})


def fit_stopping(
    data: Dataset,
    subject: str | None = None,
    model: str = "within_exponential",
    *,
    condition: str = "easy",
) -> StoppingFit:
    """Fit a stopping model: a hazard of responding, by rules or by a boundary with noise.

    The likelihood of a trial is summed over all paths that lead to its response.  Where paths were
    recorded it ignores them, and warns; they serve for the two-class points alone, which rules are
    made from.

    Parameters
    ----------
    data : Dataset
    subject : str, optional
        May be omitted if the data set has only one.
    model : str
        Such as within_exponential (a falling boundary with noise within trials) or graded_tuned_3
        (fuzzy rules with three labels).
    condition : {"easy", "hard", "all"}
        "all" is for subjects who are not told the condition of a trial.

    Examples
    --------
    >>> data = simulate_cohort(one_session=1)  # doctest: +SKIP
    >>> fits = [fit_stopping(data, "S01", name) for name in (
    ...     "within_exponential", "graded_tuned_3")]  # doctest: +SKIP
    >>> min(fits, key=lambda fit: fit.bic).model  # doctest: +SKIP
    'within_exponential'
    """
    if model not in CATALOGUE:
        raise InputError(f"unknown model {model!r}", [suggestion(model, CATALOGUE)])
    own = data.of(subject)
    task = design_of(check_design(own.trials), cued=condition != ALL)
    ready = prepare(own.trials, own.samples(), Bins(), task, [condition])
    trials = next(iter(ready), None)
    who = f"{own.name}, subject {own.subjects[0]}"
    if trials is None:
        raise InputError(f"{who}: too few responses", [f"requested condition {condition}"])
    if recorded := own.paths["trial"].nunique():
        warnings.warn(
            f"{who}: the recorded paths of {recorded} trials are ignored; the likelihood of "
            "stopping models sums over all paths that lead to a response",
            stacklevel=2,
        )
    everything = np.ones(len(trials.trials), dtype=bool)
    context = trials.context(everything)
    found = fit_models(trials, _with_simpler(model), context, everything)
    whole = next((fit for fit in found if fit.name == model), None)
    if whole is None:
        raise InputError(f"model {model!r}", [f"makes no sense for condition {condition}"])
    best = whole.by_delay[0.0]
    return StoppingFit(
        trials.subject,
        condition,
        model,
        best.model.family,
        best.model.natural(best.theta),
        len(trials.trials),
        len(best.theta),
        -best.log_likelihood,
        best.theta,
        context,
    )


def _with_simpler(model: str) -> list[str]:
    """Return the model and those from whose fits it starts: simpler ones of its family."""
    own = CATALOGUE[model]
    before = list(CATALOGUE)[: list(CATALOGUE).index(model)]
    simpler = [
        name
        for name in before
        if (CATALOGUE[name].family == own.family and CATALOGUE[name].labels == own.labels)
        or (own.family == BOTH and CATALOGUE[name].shape == own.shape != "")
    ]
    return [*simpler, model]
