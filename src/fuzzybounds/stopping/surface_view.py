"""The stopping surface of people: how often they respond where they could have.

For every trial the likelihood gives the decisions that the subject is expected to have made, and to
have answered with a response, at every state (:mod:`kernel`): paths that nobody recorded are
weighted by their probability under a reference model.  Summed over cells of time, distance and
direction, responses over decisions are the chance to respond there, to be set beside what models
say of the same decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from fuzzybounds.stopping.likelihood import Likelihood

TIMES = np.array([0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 11.0, 15.0])
"""Ends of the cells of time in s."""
DISTANCES = np.array([0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 420.0])
"""Ends of the cells of distance in px: multiples of a step."""
IGNORING = ", paths weighted without direction"
"""What the source is called with the other weights of paths."""
SHAPE = (TIMES.size - 1, DISTANCES.size - 1, 2)


class Counts(NamedTuple):
    """Of one subject, in cells of time, distance and direction (inward, outward)."""

    decisions: np.ndarray
    responses: np.ndarray
    predicted: dict[str, np.ndarray]
    """Responses that each model expects of these decisions."""


def count_cells(
    likelihood: Likelihood, reference: np.ndarray, hazards: Mapping[str, np.ndarray]
) -> Counts:
    """Return decisions and responses of one subject's trials.

    Parameters
    ----------
    likelihood : Likelihood
    reference : array, shape (nodes, states)
        The hazard by which unrecorded paths are weighted.
    hazards : mapping
        Hazards of models at every state, by name.
    """
    everything = likelihood.counts(np.ones(likelihood.of_trial.size, dtype=bool))
    went_on, responded = likelihood.decisions(reference, everything)
    where = likelihood.states
    cell = np.ravel_multi_index(
        (
            np.clip(np.searchsorted(TIMES, where.time) - 1, 0, SHAPE[0] - 1),
            np.clip(np.searchsorted(DISTANCES, where.position) - 1, 0, SHAPE[1] - 1),
            where.outward.astype(int),
        ),
        SHAPE,
    )

    def summed(values: np.ndarray) -> np.ndarray:
        return np.bincount(cell, values, np.prod(SHAPE)).reshape(SHAPE)

    decisions = went_on + responded
    return Counts(
        summed(decisions),
        summed(responded),
        {name: summed(decisions * hazard) for name, hazard in hazards.items()},
    )


def tabulate_cells(subjects: Mapping[str, tuple[Counts, Counts]]) -> pd.DataFrame:
    """Return the chance to respond in every cell: pooled, with intervals, and of each subject.

    `subjects` are the counts with unrecorded paths weighted by a model that knows the direction,
    and by one that does not.
    """
    first, second = zip(*subjects.values(), strict=True)
    # Decisions and responses, by subject.
    counted = np.array([counts[:2] for counts in first]).swapaxes(0, 1)
    ignoring = np.array([counts[:2] for counts in second]).swapaxes(0, 1)
    parts = [_rows("", "data", *counted), _rows("", f"data{IGNORING}", *ignoring)]
    decisions, responses = counted
    for name in first[0].predicted:
        predicted = np.array([counts.predicted[name] for counts in first])
        residual = _in_errors(responses - predicted).ravel()
        parts.append(_rows("", name, decisions, predicted).assign(residual=residual))
    for subject, (counts, _) in subjects.items():
        parts.append(_rows(subject, "data", counts.decisions[None], counts.responses[None]))
    return pd.concat(parts, ignore_index=True)


def _in_errors(differences: np.ndarray) -> np.ndarray:
    """Return sums over subjects (first axis) in standard errors that treat subjects as drawn."""
    n = len(differences)
    if n < 2:
        return np.full(SHAPE, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        return differences.sum(axis=0) / (np.sqrt(n) * differences.std(axis=0, ddof=1))


def _rows(subject: str, source: str, decisions: np.ndarray, responses: np.ndarray) -> pd.DataFrame:
    n, total = len(decisions), decisions.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        hazard = responses.sum(axis=0) / total
        residual = ((responses - hazard * decisions) ** 2).sum(axis=0)
        half = (
            np.sqrt(n / (n - 1) * residual) / total * student.ppf(0.975, n - 1) if n > 1 else np.nan
        )
    time, distance, outward = np.indices(SHAPE)
    return pd.DataFrame(
        {
            "subject": subject,
            "source": source,
            "outward": outward.ravel().astype(bool),
            "time_low": TIMES[time].ravel(),
            "time_high": TIMES[time + 1].ravel(),
            "position_low": DISTANCES[distance].ravel(),
            "position_high": DISTANCES[distance + 1].ravel(),
            "decisions": total.ravel(),
            "responses": responses.sum(axis=0).ravel(),
            "hazard": hazard.ravel(),
            "low": np.maximum(hazard - half, 0.0).ravel(),
            "high": np.minimum(hazard + half, 1.0).ravel(),
            "residual": np.nan,
        }
    )
