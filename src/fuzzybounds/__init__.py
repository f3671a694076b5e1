"""Fuzzy IF-THEN rules behind time-varying decision boundaries.

The public interface of the library is small: :func:`load` or :func:`simulate_cohort` a
:class:`Dataset`, :func:`fit` the fuzzy model to a subject, which gives a
:class:`FuzzyClassifier`, :func:`draw` it, estimate its :func:`response_scale`, :func:`simulate` it,
and compute the :func:`log_likelihood` of trials; :func:`find_results` reads the workflow's results.
These names are stable.  Everything else may change from one version to the next.

The packages follow the data: :mod:`canoe` (the task), :mod:`intake` (raw logs to validated trials),
:mod:`fuzzy` and :mod:`weibull` (the two models), :mod:`learning` (reinforcement), :mod:`cohort`
(simulated subjects), :mod:`analysis` (comparisons over subjects), :mod:`paper` (claims and errata),
:mod:`figures` and :mod:`report`; :mod:`storage` reads and writes their tables.  Importing the
package imports none of them, so every job loads only what it uses.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Dataset": "datasets",
    "FuzzyClassifier": "fuzzy.estimator",
    "Results": "storage.results",
    "draw": "figures.single_model",
    "find_results": "storage.results",
    "fit": "subject_model",
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
    return sorted({*globals(), *__all__})
