"""The one function that fits a model to a subject, and the list of models."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.classifier import FuzzyClassifier
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.fitting import SCALES
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.datasets import ALL, Dataset
from fuzzybounds.fits.boundary import BOUNDARIES, BoundaryFit, fit_boundary
from fuzzybounds.fits.fuzzy import FUZZY, FuzzyFit, fit_fuzzy, label_names
from fuzzybounds.fits.stopping import StoppingFit, fit_stopping
from fuzzybounds.fits.subject import known
from fuzzybounds.stopping.catalogue import CATALOGUE, DIRECTED, Context
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.rules import Points
from fuzzybounds.stopping.sequences import Decisions, HazardModel

MEANINGS = {
    FUZZY: "Fuzzy rules from two-class points, tuned by back-propagation; the paper's model.",
    "boundary": "The distance at a response is normal about a boundary b(t).",
    "none": "It is the same in every trial.",
    "utility": "Its level moves with the utility of each reward.",
    "accuracy": "Its level moves with the running accuracy.",
    "window": "Its level moves with accuracy and time over the last trials.",
    "rl": "Its level moves with the prediction error of the reward rate.",
    "boundary_within": "A boundary with noise at every moment.",
    "boundary_met": "A boundary that shifts from trial to trial, and that is met.",
    "boundary_both": "A boundary with noise at every moment and from trial to trial.",
    "rules": "Fuzzy rules with graded consequents: their output is the hazard.",
    "rules_three_inputs": "Fuzzy rules with the direction of the evidence as a third input.",
    "paper_rules": "Fuzzy rules with consequents 0 and 1: the best of all monotone rule bases.",
    "pipeline": "The paper's rules from two-class points, with a lapse and a scale.",
    "control": "A regression on time and distance: neither a boundary nor rules.",
    "ceiling": "A smooth surface on a boundary: about what any hazard can reach.",
}
"""A sentence for every family of models."""
ON_DIRECTION = "The hazard is smaller where the canoe moves inward."


def fit(
    data: Any,
    subject: str | None = None,
    window: str = ALL,
    *,
    model: str | HazardModel = FUZZY,
    **options: Any,
) -> Any:
    """Fit a model to one subject.

    Parameters
    ----------
    data : Dataset or Decisions
    subject : str, optional
        May be omitted if the data set has only one.
    window : {"all", "first", "last"}
        All blocks, or the first or last 20 of them.
    model : str or HazardModel
        A name that :func:`fuzzybounds.models` lists, or a model of the user's.
    **options
        Of fuzzy rules and stopping models: `condition`, "easy" (the default), "hard" or "all"
        (ambiguity A11; for stopping models "all" means that subjects are not told).
        Of stopping models: `delays`, motor delays in s to choose from.
        Of boundary models: `cued`, whether each condition has a boundary of its own.
        Of fuzzy rules: `n_labels` (3 or 5 in the paper), `draw` (of the earlier points, from 1),
        `blocks` (of a window), `normalisation` ("subject" or "design", ambiguity A09), and what
        :class:`~fuzzybounds.classifier.FuzzyClassifier` takes.

    Returns
    -------
    FuzzyFit, BoundaryFit or StoppingFit
        Each a :class:`~fuzzybounds.fits.subject.SubjectFit`.

    Examples
    --------
    >>> data = simulate_cohort(one_session=1)  # doctest: +SKIP
    >>> fits = [fit(data, "S01", model=name) for name in (
    ...     "within_exponential", "graded_3")]  # doctest: +SKIP
    >>> min(fits, key=lambda fit: fit.bic).model  # doctest: +SKIP
    'within_exponential'
    """
    if not isinstance(data, Dataset | Decisions):
        what = "expected a Dataset (fb.load, fb.fetch, fb.simulate_cohort) or Decisions"
        raise InputError(f"data is a {type(data).__name__}", [what])
    written = isinstance(model, HazardModel)
    if not written:
        known(model, [FUZZY, *BOUNDARIES, *CATALOGUE], "model")
    name = str(model) if not written else FUZZY
    function: Any = fit_stopping
    if not written and name in (FUZZY, *BOUNDARIES):
        function = fit_fuzzy if name == FUZZY else fit_boundary
        if isinstance(data, Decisions):
            raise InputError(f"model {name!r}", ["decisions take stopping models"])
    accepted = set(inspect.signature(function).parameters) - {"data", "window", "model", "options"}
    if function is fit_fuzzy:
        accepted |= set(inspect.signature(FuzzyClassifier).parameters)
    else:
        options["model"] = model
    wrong = [each for each in options if each not in (*accepted, "model")]
    if wrong:
        hints = [f"{each}: {suggestion(each, sorted(accepted))}" for each in wrong]
        raise InputError(f"options that {name!r} does not have", hints)
    return function(data.of(subject), window, **options)


def models() -> pd.DataFrame:
    """List all models that :func:`fuzzybounds.fit` knows by name.

    Returns
    -------
    DataFrame
        By name: kind of fit, family, number of parameters, their names, their bounds in their
        units, and what the model says; of fuzzy rules with three labels.
    """
    bounds = {
        name: (-math.inf if "center" in name else 0.0, math.inf)
        for name in (*label_names(3), "scale")
    }
    rows = {FUZZY: _row(FuzzyFit, FUZZY, bounds, MEANINGS[FUZZY])}
    for name, form in BOUNDARIES.items():
        bounds = {each.name: (each.lower, each.upper) for each in form.parameters}
        meaning = f"{MEANINGS['boundary']} {MEANINGS[form.learning]}"
        rows[name] = _row(BoundaryFit, form.learning, bounds, meaning)
    two = np.array([[1.0, 2.0]])
    points = Points(two, two, two > 1)
    context = Context(states(Bins()), 1.0, points)
    for name, entry in CATALOGUE.items():
        bounds = {
            each.name: (float(to_unit(each.low)), float(to_unit(each.high)))
            for each in entry.build(context)[0].parameters
            for to_unit in [SCALES[each.scale][0]]
        }
        meaning = MEANINGS[entry.family.removesuffix(DIRECTED)]
        meaning += f" {ON_DIRECTION}" if entry.family.endswith(DIRECTED) else ""
        rows[name] = _row(StoppingFit, entry.family, bounds, meaning)
    return pd.DataFrame(rows).T.rename_axis("model")


def _row(kind: type, family: str, bounds: dict[str, Any], meaning: str) -> dict[str, Any]:
    return {
        "kind": kind.__name__,
        "family": family,
        "k": len(bounds),
        "parameters": list(bounds),
        "bounds": bounds,
        "meaning": meaning,
    }
