"""Fuzzy IF-THEN rules behind time-varying decision boundaries.

The public interface of the library is small: :func:`load`, :func:`fetch` or
:func:`simulate_cohort` a :class:`Dataset`, :func:`fit` the fuzzy model to a subject, which gives a
:class:`FuzzyClassifier`, :func:`draw` it, estimate its :func:`response_scale`, :func:`simulate` it,
and compute the :func:`log_likelihood` of trials; :func:`fit_boundary` and :func:`fit_stopping` fit
other models; :func:`find_results` reads the workflow's results. These names are stable. Everything
else may change from one version to the next.

The packages: :mod:`core` (tables, random numbers, fits, errors), :mod:`canoe` (the task),
:mod:`logs` (raw logs to validated trials), :mod:`paper` (what the paper has, section by section),
:mod:`cohort` (simulated subjects), :mod:`stopping` (rules against boundaries on one likelihood),
:mod:`checks` (what supports or limits the paper's conclusions), :mod:`scorecard` (claims and
errata), :mod:`report`, and :mod:`collect` (the task in the browser). Importing the package imports
none of them, so every job loads only what it uses.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "BoundaryFit": "other_models",
    "Dataset": "datasets",
    "FuzzyClassifier": "classifier",
    "Results": "core.results",
    "StoppingFit": "other_models",
    "draw": "subject_model",
    "fetch": "datasets",
    "find_results": "core.results",
    "fit": "subject_model",
    "fit_boundary": "other_models",
    "fit_stopping": "other_models",
    "load": "datasets",
    "log_likelihood": "subject_model",
    "response_scale": "subject_model",
    "simulate": "subject_model",
    "simulate_cohort": "datasets",
}
"""Every public name and the module that defines it, which is imported on first use."""

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
