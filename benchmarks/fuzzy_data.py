"""Two-class points for the other benchmarks of the fuzzy model, from cohort_data.py."""

import pandas as pd
from cohort_data import SEED, trials

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.logs.recordings import empty


def easy_points(draws: int, normalisation: str) -> tuple[str, pd.DataFrame]:
    """Return the data set's name, and points of both windows on easy trials, on [0, 1]."""
    name, table = trials()
    points = draw_points(table, empty(), draws, SEED, name)
    points = split(points[points["condition"] == "easy"], block_ranges(table))
    return name, normalise(points, normalisation)
