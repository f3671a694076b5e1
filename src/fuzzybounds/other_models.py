"""Boundary models and stopping models of one subject, for library users.

A boundary model (the paper's section on boundaries) says where a subject responds, given when: its
likelihood is that of the distance at the response.  A stopping model says when and where: its
likelihood is that of the whole trial.  The criteria of two fits can be compared if both are of the
same kind and of the same trials.  The workflow fits a motor delay as well, and compares models by
trials that were left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.statistics import InformationCriteria
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.datasets import Dataset
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.paper.boundaries.fit import fit_models as fit_models_of_boundaries
from fuzzybounds.paper.boundaries.models import CUED, SHAPES, UNCUED, Model
from fuzzybounds.paper.boundaries.simulate import boundary_after
from fuzzybounds.paper.boundaries.trials import Trials, trials_of
from fuzzybounds.stopping.catalogue import CATALOGUE, Context
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
    motor_delay : float
        In s.
    """

    subject: str
    condition: str
    model: str
    family: str
    parameters: dict[str, float]
    n: int
    k: int
    nll: float
    motor_delay: float
    _theta: np.ndarray
    _context: Context
    _form: int

    def __repr__(self) -> str:
        return f"StoppingFit({self.model}, subject {self.subject}: bic {self.bic:.1f})"

    def hazard(self) -> pd.DataFrame:
        """Return the chance to respond in a bin, where the canoe can be, and where it is heading.

        It is averaged over what is drawn once per trial.
        """
        # Built again, because a hazard is a function, and a fit can be pickled without it.
        model, where = CATALOGUE[self.model].build(self._context)[self._form], self._context.states
        hazard, weights = model.at(self._theta, where, model.nodes(self._theta))
        columns = {"time": where.time, "position": where.position, "outward": where.outward > 0}
        return pd.DataFrame({**columns, "hazard": weights @ hazard})


def fit_stopping(
    data: Dataset,
    subject: str | None = None,
    model: str = "within_exponential",
    *,
    condition: str = "easy",
    delays: Sequence[float] = (0.0, 0.1, 0.2, 0.3, 0.4),
) -> StoppingFit:
    """Fit a stopping model: a hazard of responding, by rules or by a boundary with noise.

    The likelihood of a trial is summed over all paths that lead to its response; where its path was
    recorded, it is that of the decisions on this path.

    Parameters
    ----------
    data : Dataset
    subject : str, optional
        May be omitted if the data set has only one.
    model : str
        Such as within_exponential (a falling boundary with noise within trials) or graded_3
        (fuzzy rules with three labels).
    condition : {"easy", "hard", "all"}
        "all" is for subjects who are not told the condition of a trial.
    delays : sequence of float
        Motor delays in s to choose from.

    Examples
    --------
    >>> data = simulate_cohort(one_session=1)  # doctest: +SKIP
    >>> fits = [fit_stopping(data, "S01", name) for name in (
    ...     "within_exponential", "graded_3")]  # doctest: +SKIP
    >>> min(fits, key=lambda fit: fit.bic).model  # doctest: +SKIP
    'within_exponential'
    """
    if model not in CATALOGUE:
        raise InputError(f"unknown model {model!r}", [suggestion(model, CATALOGUE)])
    own = data.of(subject)
    task = design_of(check_design(own.trials), cued=condition != ALL)
    ready = prepare(own.trials, own.samples(), Bins(), task, [condition], list(delays), own.paths)
    trials = next(iter(ready), None)
    who = f"{own.name}, subject {own.subjects[0]}"
    if trials is None:
        raise InputError(f"{who}: too few responses", [f"requested condition {condition}"])
    everything = np.ones(len(trials.trials), dtype=bool)
    context = trials.context(everything)
    found = dict(fit_models(trials, [*CATALOGUE[model].before, model], context, everything))
    best = found[model].by_delay[found[model].delay]
    return StoppingFit(
        trials.subject,
        condition,
        model,
        best.model.family,
        best.model.natural(best.theta),
        len(trials.trials),
        len(best.theta) + (len(delays) > 1),
        -best.log_likelihood,
        found[model].delay,
        best.theta,
        context,
        int(best.model.notes.get("base", 0)),
    )
