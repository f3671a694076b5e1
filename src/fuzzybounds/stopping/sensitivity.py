"""The comparison with other bins, priors and motor delays, which all models share.

Some models are fitted to some subjects again, with one choice changed at a time, and the questions
are answered by these fits alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.answers import DIRECTION, KIND, KIND_DIRECTED
from fuzzybounds.stopping.comparison import compare
from fuzzybounds.stopping.fits import fit_stopping

CHOICES = {
    "bins": "bin_width",
    "priors": "prior_width",
    "delays": "delays",
    "variable delay": "delay_sd",
}
"""What is changed, and the argument of :func:`~fuzzybounds.stopping.fits.fit_stopping`."""
DEFAULT = "default"


def vary_choices(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    choices: Mapping[str, Sequence[float]],
    subjects: int,
    **options: Any,
) -> pd.DataFrame:
    """Answer the questions by some models and subjects, with one choice changed at a time.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    choices : mapping
        Values of every choice of :data:`CHOICES`: widths of bins in s, factors of the width of
        every prior, distances of the delays in s, standard deviations of a delay that varies
        from trial to trial in s.
    subjects : int
        How many subjects are fitted.
    **options
        See :func:`fuzzybounds.stopping.fits.fit_stopping`.

    Returns
    -------
    DataFrame
        The table ``stopping_sensitivity``.
    """
    some = trials["subject"].unique()
    some = some[:: max(len(some) // subjects, 1)][:subjects]
    trials, samples = (table[table["subject"].isin(some)] for table in (trials, samples))
    changes = [(DEFAULT, 0.0, options)]
    for choice, values in choices.items():
        for value in values:
            given = _grid(options["delays"], value) if choice == "delays" else value
            changes.append((choice, value, {**options, CHOICES[choice]: given}))
    parts = []
    for choice, value, changed in changes:
        questions = compare(fit_stopping(trials, samples, design, **changed)).questions
        asked = questions[questions["question"].isin([KIND, KIND_DIRECTED, DIRECTION])]
        parts.append(asked.assign(choice=choice, value=value))
    table = TABLES["stopping_sensitivity"]
    return pd.concat(parts, ignore_index=True)[table.names]


def _grid(delays: Sequence[float], distance: float) -> list[float]:
    """Return delays up to the largest one, so far apart."""
    return [number * distance for number in range(round(max(delays) / distance) + 1)]
