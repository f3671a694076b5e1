"""What a constant boundary would look like: the control of the shape of fitted boundaries.

The likelihood of the boundary models takes the time of a response as given.  But a canoe takes
longer to meet a boundary that lies farther out.  So with a constant boundary whose height differs
from trial to trial, late responses lie farther out than early ones, and a fitted boundary rises
with time although the mean boundary does not.  Here each subject is compared with simulations of
such a boundary that has the subject's own mean and spread.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.canoe.block_windows import compared
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator

LEAST_RESPONSES = 20
REPLICATES = 60


def measure_direction(trials: pd.DataFrame, *, seed: int, dataset: str) -> pd.DataFrame:
    """Compare each subject's correlation of time and |position| with that of a constant boundary.

    Parameters
    ----------
    trials : DataFrame
        Result table ``trials``.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``boundary_direction``.  Subjects with few responses in a condition, or with
        responses that are all alike, have no row.
    """
    rows = []
    for (subject, condition), own in compared(trials).groupby(["subject", "condition"], sort=False):
        own = own[own["responded"]]
        size = own["position"].abs().to_numpy(float)
        if len(own) < LEAST_RESPONSES or size.std() == 0 or own["rt"].std() == 0:
            continue
        rng = generator(seed, dataset, subject, condition, "direction")
        design = task.CONDITIONS[condition]
        simulated = [
            correlation(*constant_boundary(size.mean(), size.std(), len(own), design, rng))
            for _ in range(REPLICATES)
        ]
        found = correlation(own["rt"].to_numpy(float), size)
        middle, sd = float(np.mean(simulated)), float(np.std(simulated, ddof=1))
        rows.append(
            {
                "subject": subject,
                "condition": condition,
                "n": len(own),
                "mean": size.mean(),
                "sd": size.std(),
                "correlation": found,
                "simulated": middle,
                "simulated_sd": sd,
                "z": (found - middle) / sd,
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
    met = task.simulate_trials(lambda _, far: (far >= height).astype(float), condition, n, rng)
    return met.decision_time[met.responded], np.abs(met.position[met.responded])


def correlation(time: np.ndarray, size: np.ndarray) -> float:
    """Return the correlation of time and |position|."""
    return float(np.corrcoef(time, size)[0, 1])
