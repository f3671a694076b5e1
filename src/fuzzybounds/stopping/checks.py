"""Predictive checks: what the subjects did, and what each fitted model predicts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.catalogue import PIPELINE, rebuild
from fuzzybounds.stopping.data import context_of, design_of, of_condition
from fuzzybounds.stopping.fits import ALL_TRIALS
from fuzzybounds.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.stopping.predictions import Prediction, predict

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
TIME_RANGES = ((0, 2), (2, 4), (4, 8), (8, 15))
"""Ranges of response time in s in which accuracy is measured."""
FEWEST = 5
"""Responses below which accuracy in a range is not measured."""
STATISTICS = (
    *(f"{name} {quantile:.0%}" for name in ("rt", "distance") for quantile in QUANTILES),
    *("sd of distance", "correlation of rt and distance"),
    *(f"accuracy {low}-{high} s" for low, high in TIME_RANGES),
    *("share missed", "lag-1 correlation of rt", "lag-1 correlation of distance"),
)
"""What is compared, in this order."""


def check_predictions(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    bin_width: float = 0.1,
) -> pd.DataFrame:
    """Compare summary statistics of the data with what each model predicts.

    Parameters
    ----------
    trials, fits, design : DataFrame
        Result tables; of the fits, those to all trials.  The paper's pipeline is left out, as its
        rules are not stored.
    cued, bin_width
        As the fits were made.

    Returns
    -------
    DataFrame
        The table ``stopping_checks``.
    """
    where, task = states(Bins(bin_width)), design_of(design, cued=cued)
    p0 = {condition.name: condition.p0 for condition in task.conditions}
    rows = []
    whole = fits[(fits["scheme"] == ALL_TRIALS) & (fits["family"] != PIPELINE)]
    for (subject, condition), subject_fits in whole.groupby(["subject", "condition"], sort=False):
        seen = of_condition(trials[trials["subject"] == subject], condition)
        seen = seen[on_lattice(seen)]
        shares = seen["condition"].value_counts(normalize=True)
        observed = _of_data(seen)
        context = context_of(where)
        for row in subject_fits.to_dict("records"):
            model, theta = rebuild(row["model"], row, context)
            parts = [
                (predict(model, theta, where, p0[name], row["motor_delay"]), share)
                for name, share in shares.items()
            ]
            key = (condition, row["model"], row["family"], row["delay"])
            predicted = _of_prediction(parts)
            rows += [
                (*key, *triple) for triple in zip(STATISTICS, observed, predicted, strict=True)
            ]
    if not rows:
        return TABLES["stopping_checks"].empty()
    keys = ["condition", "model", "family", "delay", "statistic"]
    # Over the subjects for whom a statistic is known in the data and in the prediction.
    values = pd.DataFrame(rows, columns=[*keys, "data", "predicted"]).dropna()
    difference = values["predicted"] - values["data"]
    values = values.assign(difference=difference, square=difference**2)
    grouped = values.groupby(keys, sort=False)
    table = grouped[["data", "predicted"]].mean()
    table["se"] = grouped["difference"].std(ddof=1) / np.sqrt(grouped.size())
    table["rmse"] = np.sqrt(grouped["square"].mean())
    table["subjects"] = grouped.size()
    return table.reset_index()[TABLES["stopping_checks"].names]


def _of_data(trials: pd.DataFrame) -> list[float]:
    """Return the statistics of one subject's trials."""
    done = trials[trials["responded"]]
    rt, distance = done["rt"].to_numpy(), done["position"].abs().to_numpy()
    within = [done.loc[(rt > low) & (rt <= high), "correct"] for low, high in TIME_RANGES]
    return [
        *np.quantile(rt, QUANTILES),
        *np.quantile(distance, QUANTILES),
        distance.std(),
        _correlation(rt, distance),
        *(in_range.mean() if len(in_range) >= FEWEST else np.nan for in_range in within),
        1 - trials["responded"].mean(),
        _correlation(rt[:-1], rt[1:]),
        _correlation(distance[:-1], distance[1:]),
    ]


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    if a.size < 3 or a.std() == 0 or b.std() == 0:
        return np.nan
    return float(np.corrcoef(a, b)[0, 1])


def _of_prediction(parts: list[tuple[Prediction, float]]) -> list[float]:
    """Return the same statistics of a predicted distribution: a mixture over conditions."""
    time = np.concatenate([prediction.time for prediction, _ in parts])
    position = np.concatenate([prediction.position for prediction, _ in parts])
    weight = np.concatenate([share * prediction.probability for prediction, share in parts])
    missed = sum(share * prediction.missed for prediction, share in parts)
    weight = weight / weight.sum()
    distance = np.abs(position)
    mean_time, mean = weight @ time, weight @ distance
    sd_time = np.sqrt(weight @ (time - mean_time) ** 2)
    sd = np.sqrt(weight @ (distance - mean) ** 2)
    together = weight @ ((time - mean_time) * (distance - mean))
    right = np.where(position > 0, 1.0, np.where(position < 0, 0.0, 0.5))
    within = [weight * ((time > low) & (time <= high)) for low, high in TIME_RANGES]
    return [
        *_quantiles(time, weight),
        *_quantiles(distance, weight),
        sd,
        together / (sd_time * sd),
        *(
            in_range @ right / in_range.sum() if in_range.sum() > 1e-9 else np.nan
            for in_range in within
        ),
        missed,
        # Trials are independent in every model.
        0.0,
        0.0,
    ]


def _quantiles(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return quantiles of a discrete distribution, interpolated between its values."""
    unique, place = np.unique(values, return_inverse=True)
    share = np.bincount(place, weight)
    middle = np.cumsum(share) - share / 2
    return np.interp(QUANTILES, middle, unique)
