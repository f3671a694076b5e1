"""Predictive checks: what the subjects did, and what each fitted model predicts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from fuzzybounds.beyond.stopping.catalogue import PIPELINE, rebuild
from fuzzybounds.beyond.stopping.data import context_of, design_of, of_condition
from fuzzybounds.beyond.stopping.fits import WHOLE
from fuzzybounds.beyond.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.beyond.stopping.predictions import Prediction, predict
from fuzzybounds.core.dictionary import TABLES

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
TIME_RANGES = ((0, 2), (2, 4), (4, 8), (8, 15))
"""Ranges of response time in s in which accuracy is measured."""
FEWEST = 5
"""Responses below which accuracy in a range is not measured."""


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
    whole = fits[(fits["scheme"] == WHOLE) & (fits["family"] != PIPELINE)]
    for (subject, condition), own in whole.groupby(["subject", "condition"], sort=False):
        seen = of_condition(trials[trials["subject"] == subject], condition)
        seen = seen[on_lattice(seen)]
        shares = seen["condition"].value_counts(normalize=True)
        observed = dict(_of_data(seen))
        context = context_of(where, task, condition)
        for row in own.to_dict("records"):
            model, theta = rebuild(row["model"], row, context)
            parts = [
                (predict(model, theta, where, p0[name], row["motor_delay"]), share)
                for name, share in shares.items()
            ]
            for statistic, value in _of_prediction(parts):
                rows.append(
                    {
                        "condition": condition,
                        "model": row["model"],
                        "family": row["family"],
                        "delay": row["delay"],
                        "statistic": statistic,
                        "data": observed[statistic],
                        "predicted": value,
                    }
                )
    return _summary(pd.DataFrame(rows)) if rows else TABLES["stopping_checks"].empty()


def _summary(values: pd.DataFrame) -> pd.DataFrame:
    """Average over the subjects for whom a statistic is known in the data and in the prediction."""
    values = values.dropna(subset=["data", "predicted"])
    difference = values["predicted"] - values["data"]
    values = values.assign(difference=difference, square=difference**2)
    keys = ["condition", "model", "family", "delay", "statistic"]
    grouped = values.groupby(keys, sort=False)
    table = grouped[["data", "predicted"]].mean()
    table["se"] = grouped["difference"].std(ddof=1) / np.sqrt(grouped.size())
    table["rmse"] = np.sqrt(grouped["square"].mean())
    table["subjects"] = grouped.size()
    return table.reset_index()[TABLES["stopping_checks"].names]


def _of_data(trials: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Yield the statistics of one subject's trials."""
    done = trials[trials["responded"]]
    rt, distance = done["rt"].to_numpy(), done["position"].abs().to_numpy()
    for name, values in (("rt", rt), ("distance", distance)):
        for quantile in QUANTILES:
            yield f"{name} {quantile:.0%}", float(np.quantile(values, quantile))
    yield "sd of distance", float(distance.std())
    yield "correlation of rt and distance", _correlation(rt, distance)
    for low, high in TIME_RANGES:
        inside = done[(rt > low) & (rt <= high)]
        enough = len(inside) >= FEWEST
        yield f"accuracy {low}-{high} s", float(inside["correct"].mean()) if enough else np.nan
    yield "share missed", float(1 - trials["responded"].mean())
    yield "lag-1 correlation of rt", _correlation(rt[:-1], rt[1:])
    yield "lag-1 correlation of distance", _correlation(distance[:-1], distance[1:])


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    if a.size < 3 or a.std() == 0 or b.std() == 0:
        return np.nan
    return float(np.corrcoef(a, b)[0, 1])


def _of_prediction(parts: list[tuple[Prediction, float]]) -> Iterator[tuple[str, float]]:
    """Yield the same statistics of a predicted distribution: a mixture over conditions."""
    time = np.concatenate([own.time for own, _ in parts])
    position = np.concatenate([own.position for own, _ in parts])
    weight = np.concatenate([share * own.probability for own, share in parts])
    missed = sum(share * own.missed for own, share in parts)
    weight = weight / weight.sum()
    distance = np.abs(position)
    for name, values in (("rt", time), ("distance", distance)):
        for quantile, value in zip(QUANTILES, _quantiles(values, weight), strict=True):
            yield f"{name} {quantile:.0%}", value
    mean_time, mean = weight @ time, weight @ distance
    sd_time = np.sqrt(weight @ (time - mean_time) ** 2)
    sd = np.sqrt(weight @ (distance - mean) ** 2)
    yield "sd of distance", float(sd)
    together = weight @ ((time - mean_time) * (distance - mean))
    yield "correlation of rt and distance", float(together / (sd_time * sd))
    right = np.where(position > 0, 1.0, np.where(position < 0, 0.0, 0.5))
    for low, high in TIME_RANGES:
        inside = weight * ((time > low) & (time <= high))
        known = inside.sum() > 1e-9
        yield f"accuracy {low}-{high} s", float(inside @ right / inside.sum()) if known else np.nan
    yield "share missed", float(missed)
    # Trials are independent in every model.
    yield "lag-1 correlation of rt", 0.0
    yield "lag-1 correlation of distance", 0.0


def _quantiles(values: np.ndarray, weight: np.ndarray) -> list[float]:
    """Return quantiles of a discrete distribution, interpolated between its values."""
    unique, place = np.unique(values, return_inverse=True)
    share = np.bincount(place, weight)
    middle = np.cumsum(share) - share / 2
    return [float(np.interp(quantile, middle, unique)) for quantile in QUANTILES]
