"""How much to hold back: cross-entropy on left-out trials, by the penalty of tuning.

Fits the even trials and predicts the odd ones, for every subject, window and five draws.  The
paper's way is a penalty of 0.  Usage: fuzzy_heldout.py [published log]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from cohort_data import SEED, trials

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.logs.recordings import empty
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.fitted import KEYS, controllers
from fuzzybounds.paper.fuzzy.likelihood import mean_loss

PENALTIES = (0.0, 0.05, 0.5, 1.0, 2.0, 5.0, 20.0)


def easy_points(draws: int, normalisation: str) -> tuple[str, pd.DataFrame]:
    """Return the data set's name, and points of both windows on easy trials, on [0, 1]."""
    name, table = trials()
    points = draw_points(table, empty(), draws, SEED, name)
    points = split(points[points["condition"] == "easy"], block_ranges(table))
    return name, normalise(points, normalisation)


def left_out(tables, points) -> np.ndarray:
    """Mean cross-entropy of each fit on other points."""
    groups = dict(tuple(points.groupby(KEYS, sort=False)))
    return np.array(
        [
            mean_loss(model, part["time"], part["position"], part["responded"])
            for (subject, window, _, draw), model in controllers(tables).items()
            for part in (groups[subject, window, draw],)
        ]
    )


def main():
    for normalisation in ("subject", "design"):
        name, points = easy_points(5, normalisation)
        even = points["trial"] % 2 == 0
        for labels in (3, 5):
            for resolution in ("largest", "vote"):
                print(f"\n{name}, ranges by {normalisation}, {labels} labels, {resolution}")
                print("penalty   fitted  left out (median)  crossed centres")
                for penalty in PENALTIES:
                    how = {"resolution": resolution, "penalty": penalty}
                    tables = fit_points(points[even], labels, **how)
                    loss = left_out(tables, points[~even])
                    usable = np.isfinite(loss)
                    print(
                        f"{penalty:7.2f} {tables.fits['loss_after'][usable].mean():8.3f} "
                        f"{loss[usable].mean():9.3g} ({np.median(loss):.3f}) "
                        f"{tables.fits['flags'].str.contains('crossed').mean():14.1%}"
                    )


if __name__ == "__main__":
    main()
