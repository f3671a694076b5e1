"""Two-class points from survival-weighted bridges, a refinement of uniform ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.samples import RECONSTRUCTED
from fuzzybounds.fuzzy.bridges import draw_candidates, resample, reweight
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.storage.seeds import generator

CANDIDATES = 60
"""Uniform bridges of each trial, among which paths are drawn by their weights."""


def redraw(points: pd.DataFrame, start: Memberships, seed: int, dataset: str) -> pd.DataFrame:
    """Redraw the earlier points from bridges that a subject's own model would have survived.

    Parameters
    ----------
    points : DataFrame
        Two-class points of windows, normalised (:func:`fuzzybounds.canoe.samples.normalise`).
        Those of recorded paths stay as they are.
    start : Memberships
        Of structure learning, for both variables.
    seed, dataset
        Name the random numbers, together with subject and window.
    """
    parts = [
        _redraw_window(own, start, generator(seed, dataset, subject, window, "survival"))
        if (own["path"] == RECONSTRUCTED).all()
        else own
        for (subject, window), own in points.groupby(["subject", "window"], sort=False)
    ]
    return pd.concat(parts, ignore_index=True)


def _redraw_window(own: pd.DataFrame, start: Memberships, rng: np.random.Generator) -> pd.DataFrame:
    reach = (float(own["time_range"].iloc[0]), float(own["position_range"].iloc[0]))
    responses = own[own["responded"] & (own["draw"] == own["draw"].min())]
    time, position = responses["time"] * reach[0], responses["position"] * reach[1]
    candidates = draw_candidates(
        locate(time, position), time, position, CANDIDATES, rng, ranges=reach
    )
    weights = reweight(candidates, (start, start)).weights
    drawn = resample(candidates, weights, own["draw"].nunique(), rng)
    # Points are ordered by draw, and within a draw by trial, as the responses are.
    earlier = ~own["responded"].to_numpy()
    redrawn = own.copy()
    for name, values in zip(("time", "position"), drawn, strict=True):
        redrawn.loc[earlier, name] = values.ravel()
    return redrawn
