"""Fuzzy IF-THEN rules behind time-varying decision boundaries.

The public interface of the library is small.  :func:`load`, :func:`fetch` or
:func:`simulate_cohort` a :class:`Dataset`, or make :class:`Decisions` of a task of your own;
:func:`fit` one of the :func:`models`, or your own :class:`HazardModel` with :func:`parameter`, to a
subject.  A fit has ``summary``, ``to_frame``, ``plot``, ``simulate`` and ``log_likelihood``.
:func:`compare` models on trials that were left out, :func:`recover` them, :func:`fit_population`
all subjects together.  :func:`find_results` reads the workflow's results.  These names are stable.
Everything else may change from one version to the next.

The packages: :mod:`core` (tables, random numbers, fits, errors), :mod:`canoe` (the task),
:mod:`logs` (raw logs to validated trials), :mod:`paper` (what the paper has, section by section),
:mod:`cohort` (simulated subjects), :mod:`stopping` (rules against boundaries on one likelihood),
:mod:`checks` (what supports or limits the paper's conclusions), :mod:`scorecard` (claims and
errata), :mod:`report`, :mod:`collect` (the task in the browser), and :mod:`fits` (models of one
subject). Importing the package imports
none of them, so every job loads only what it uses.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "BoundaryFit": "fits.boundary",
    "Dataset": "datasets",
    "Decisions": "stopping.sequences",
    "FuzzyClassifier": "classifier",
    "FuzzyFit": "fits.fuzzy",
    "HazardModel": "stopping.sequences",
    "InputError": "core.errors",
    "Results": "core.results",
    "StoppingFit": "fits.stopping",
    "compare": "fits.comparison",
    "fetch": "datasets",
    "find_results": "core.results",
    "fit": "fits.dispatch",
    "fit_population": "fits.comparison",
    "load": "datasets",
    "models": "fits.dispatch",
    "parameter": "stopping.sequences",
    "recover": "fits.comparison",
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
