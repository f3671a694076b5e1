"""Where is the canoe heading when people respond?  The direct view of what makes them stop.

Someone who meets a boundary does so while the canoe moves outward.  A desire to stop that depends
on time and distance alone does not ask where the canoe is heading: then the share of outward
responses follows from where the canoe spends its time.  The share is taken by the time since the
last draw of the direction (the *phase* of a step), as a motor delay mixes both directions after it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t as student

from fuzzybounds.canoe.paths import TOLERANCE, frames_before, locate
from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS, SPEED, STEP
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.catalogue import PIPELINE, rebuild
from fuzzybounds.stopping.data import context_of, design_of, of_condition
from fuzzybounds.stopping.fits import ALL_TRIALS, FITTED_DELAY, NO_DELAY
from fuzzybounds.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.stopping.predictions import Prediction, predict, simulate

PHASES = np.linspace(0.0, STEP, 6)
"""Ends of the ranges of phases in s."""
DATA = "data"
"""The source of shares that are not predicted."""
SIMULATED = "simulated "
"""The beginning of the source of simulated subjects; the name of their model follows."""

Share = tuple[np.ndarray, np.ndarray]
"""Outward responses, and all that count, by phase."""


def count_outward(trials: pd.DataFrame) -> Share:
    """Return outward responses and all responses by phase.

    Responses in the first step have no other step before them, those at the edge of the screen are
    while the canoe waits, and right after a draw of the direction both directions give the same
    position: these do not count.
    """
    done = trials[trials["responded"]]
    # As in the likelihood, times are those of frames; logs have a part of a frame more.
    time = frames_before(done["rt"].to_numpy(dtype=float)) * FRAME
    position = done["position"].to_numpy(dtype=float)
    place = locate(time, position)
    net, phase = 2 * place.right - place.completed, np.maximum(time - STEP * place.completed, 0.0)
    known = place.fits & (place.completed > 0) & (np.abs(position) < EDGE - FRAME_PIXELS)
    known &= 2 * SPEED * phase > TOLERANCE
    # As bins of time, ranges include their upper ends.
    tenth = np.clip(np.searchsorted(PHASES, phase - 1e-6) - 1, 0, PHASES.size - 2)
    outward = known & (net * place.started >= 0)
    size = PHASES.size - 1
    return np.bincount(tenth, outward, size), np.bincount(tenth, known, size)


def expect_outward(parts: Sequence[tuple[Prediction, float]], number: int) -> Share:
    """Return the same as expected of so many trials, from predictions and their weights."""
    size = PHASES.size - 1
    total = np.zeros((2, size))
    for prediction, weight in parts:
        known = (prediction.step > 0) & (np.abs(prediction.position) < EDGE - FRAME_PIXELS)
        tenth = np.clip(np.searchsorted(PHASES, prediction.phase) - 1, 0, size - 1)
        chance = number * weight * prediction.probability * known
        total[0] += np.bincount(tenth, chance * prediction.outward, size)
        total[1] += np.bincount(tenth, chance, size)
    return total[0], total[1]


def shares(subjects: Sequence[Share], observed: Sequence[Share] = ()) -> pd.DataFrame:
    """Return shares over all subjects by phase, with intervals that treat subjects as drawn.

    Where those `observed` of the same subjects are given, the differences to them come with errors.
    """
    share, total, deviations = _pooled(subjects)
    half = student.ppf(0.975, max(len(subjects) - 1, 1)) * _error(deviations)
    residual = se = np.full(total.size, np.nan)
    if len(observed):
        people, _, deviations_of_people = _pooled(observed)
        residual, se = people - share, _error(deviations_of_people - deviations)
    return pd.DataFrame(
        {
            "phase_low": PHASES[:-1],
            "phase_high": PHASES[1:],
            "outward": share,
            "low": np.maximum(share - half, 0.0),
            "high": np.minimum(share + half, 1.0),
            "n": total,
            "residual": residual,
            "residual_se": se,
        }
    )


def _pooled(subjects: Sequence[Share]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return shares, all responses, and by how much each subject (row) moves the shares."""
    outward, responses = (np.array(part) for part in zip(*subjects, strict=True))
    total = responses.sum(axis=0)
    with np.errstate(invalid="ignore"):  # Nobody responded in some phase.
        share = outward.sum(axis=0) / total
    return share, total, (outward - share * responses) / np.maximum(total, 1e-9)


def _error(deviations: np.ndarray) -> np.ndarray:
    n = len(deviations)
    return np.sqrt(n / max(n - 1, 1) * (deviations**2).sum(axis=0))


def measure_outward(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    seed: int | None = None,
    dataset: str = "",
    bin_width: float = 0.1,
) -> pd.DataFrame:
    """Compare the share of outward responses with what every fitted model predicts.

    As a control, with a seed, the subjects of every model are simulated once, as many trials as
    there are, and their share is taken as that of people is.

    Parameters
    ----------
    trials, fits, design : DataFrame
        Result tables; of the fits, those to all trials.  The paper's pipeline is left out, as its
        rules are not stored.
    cued, bin_width
        As the fits were made.
    seed, dataset
        Name the random numbers of the control; without a seed there is none.

    Returns
    -------
    DataFrame
        The table ``outward``, or ``stopping_outward`` without the control.
    """
    where, task = states(Bins(bin_width)), design_of(design, cued=cued)
    p0 = {condition.name: condition.p0 for condition in task.conditions}
    whole = fits[(fits["scheme"] == ALL_TRIALS) & (fits["family"] != PIPELINE)]
    tables = []
    for condition, of_this in whole.groupby("condition", sort=False):
        seen = {
            name: _on_lattice(trials[trials["subject"] == name], str(condition))
            for name in of_this["subject"].unique()
        }
        counted = {name: count_outward(part) for name, part in seen.items()}
        people = shares(list(counted.values()))
        tables.append(people.assign(condition=condition, source=DATA, delay=NO_DELAY))
        for (model, delay), rows in of_this.groupby(["model", "delay"], sort=False):
            expected, simulated = [], []
            for row in rows.to_dict("records"):
                fitted, theta = rebuild(model, row, context_of(where))
                conditions = seen[row["subject"]]["condition"]
                parts = [
                    (predict(fitted, theta, where, p0[name], row["motor_delay"]), share)
                    for name, share in conditions.value_counts(normalize=True).items()
                ]
                expected.append(expect_outward(parts, len(conditions)))
                if seed is None or delay != FITTED_DELAY:
                    continue
                rng = generator(seed, dataset, row["subject"], "outward", condition, model, delay)
                chances = conditions.map(p0).to_numpy(dtype=float)
                made = simulate(fitted, theta, where, chances, rng, row["motor_delay"])
                simulated.append(count_outward(made))
            named = {"condition": condition, "delay": delay}
            people = [counted[name] for name in rows["subject"]]
            tables.append(shares(expected, people).assign(source=model, **named))
            if simulated:
                tables.append(shares(simulated).assign(source=f"{SIMULATED}{model}", **named))
    table = TABLES["outward"]
    return pd.concat(tables, ignore_index=True)[table.names] if tables else table.empty()


def _on_lattice(trials: pd.DataFrame, condition: str) -> pd.DataFrame:
    trials = of_condition(trials, condition)
    return trials[on_lattice(trials)]
