"""What a constant boundary would look like: the control of the shape of fitted boundaries.

The likelihood of the boundary models takes the time of a response as given.  But a canoe takes
longer to meet a boundary that lies farther out.  So with a constant boundary whose height differs
from trial to trial, late responses lie farther out than early ones, and a fitted boundary rises
with time although the mean boundary does not.  Here each subject is compared with two constant
boundaries.  One has noise between trials, with the mean and the spread of the subject's responses.
The other has noise within trials and lapses, fitted to the subject; it predicts a smaller
correlation of time and distance and is harder to reject.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.canoe.block_windows import compared
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import BETWEEN, WITHIN
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.data import context_of, design_of, likelihoods
from fuzzybounds.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.stopping.model import Model, fit
from fuzzybounds.stopping.predictions import Prediction, predict

LEAST_RESPONSES = 20
REPLICATES = 60
BINS = Bins(0.1)
"""Time bins of the boundary with noise within trials."""


def measure_direction(
    trials: pd.DataFrame, design: pd.DataFrame, *, seed: int, dataset: str
) -> pd.DataFrame:
    """Compare each subject's correlation of time and |position| with those of constant boundaries.

    Parameters
    ----------
    trials, design : DataFrame
        Result tables; the design check contains P0.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``boundary_direction``.  Subjects with few responses in a condition, or with
        responses that are all alike, have no row.
    """
    p0 = {condition.name: condition.p0 for condition in design_of(design, cued=True).conditions}
    return compare_direction(trials, p0, seed=seed, dataset=dataset)


def compare_direction(
    trials: pd.DataFrame, p0: Mapping[str, float], *, seed: int, dataset: str
) -> pd.DataFrame:
    """Return the table ``boundary_direction`` for trials with these P0."""
    rows = []
    for (subject, condition), chosen in compared(trials).groupby(
        ["subject", "condition"], sort=False
    ):
        responses = chosen[chosen["responded"]]
        time = responses["rt"].to_numpy(float)
        distance = responses["position"].abs().to_numpy(float)
        if len(time) < LEAST_RESPONSES or distance.std() == 0 or time.std() == 0:
            continue
        rng = generator(seed, dataset, subject, condition, "direction")
        kind = replace(task.CONDITIONS[condition], p0=p0[condition])
        moments = distance.mean(), distance.std()
        between = [
            correlation(*constant_boundary(*moments, len(time), kind, rng))
            for _ in range(REPLICATES)
        ]
        predicted = predict(*fit_constant(chosen, kind), states(BINS), kind.p0)
        within = [correlation(*draw(predicted, len(time), rng)) for _ in range(REPLICATES)]
        observed = correlation(time, distance)
        for noise, simulated in ((BETWEEN, between), (WITHIN, within)):
            middle, sd = float(np.mean(simulated)), float(np.std(simulated, ddof=1))
            rows.append(
                {
                    "subject": subject,
                    "condition": condition,
                    "noise": noise,
                    "n": len(time),
                    "mean": moments[0],
                    "sd": moments[1],
                    "correlation": observed,
                    "simulated": middle,
                    "simulated_sd": sd,
                    "z": (observed - middle) / sd,
                }
            )
    return pd.DataFrame(rows, columns=TABLES["boundary_direction"].names)


def constant_boundary(
    mean: float, sd: float, n: int, condition: task.Condition, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate n trials in which a canoe meets a constant boundary with noise from trial to trial.

    Returns decision times and |position| of the responses before the deadline.
    """
    height = mean + sd * rng.standard_normal((n, 1))
    met = task.simulate_trials(lambda _, far: far >= height, condition, n, rng)
    return met.decision_time[met.responded], np.abs(met.position[met.responded])


def fit_constant(trials: pd.DataFrame, condition: task.Condition) -> tuple[Model, np.ndarray]:
    """Fit a constant boundary with noise within trials and lapses to trials of one condition."""
    used = trials[on_lattice(trials)].reset_index(drop=True)
    likelihood = likelihoods(used, BINS, (0.0,))[0.0]
    level = used.loc[used["responded"], "position"].abs().median() / 100
    (model,) = CATALOGUE["within_constant"].build(
        replace(context_of(likelihood.states), level=level)
    )
    counts = likelihood.counts(np.ones(len(used), dtype=bool))
    return model, fit(model, likelihood, counts).theta


def draw(predicted: Prediction, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw decision times and |position| of n responses from their predicted distribution."""
    chances = predicted.probability / predicted.probability.sum()
    chosen = rng.choice(chances.size, size=n, p=chances)
    return predicted.time[chosen], np.abs(predicted.position[chosen])


def correlation(time: np.ndarray, distance: np.ndarray) -> float:
    """Return the correlation of time and |position|."""
    return float(np.corrcoef(time, distance)[0, 1])
