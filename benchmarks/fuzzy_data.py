"""Two-class points for the other benchmarks of the fuzzy model.

By default those of 26 simulated subjects; with the path of a published log as the first argument
of the script, those of its subjects.
"""

import sys

import pandas as pd

from fuzzybounds.cohort import draw_cohort, simulate_logs
from fuzzybounds.halves import block_ranges, split
from fuzzybounds.logs import read_published
from fuzzybounds.recordings import empty
from fuzzybounds.samples import draw_points, normalise
from fuzzybounds.validation import validate

SEED = 1


def trials() -> tuple[str, pd.DataFrame]:
    """Return the data set's name, and its trials."""
    if len(sys.argv) > 1:
        return "published", validate(read_published(sys.argv[1])).trials
    logs = [
        simulate_logs(own, SEED, "simulated")[0] for own in draw_cohort(SEED, "simulated", 26, 0)
    ]
    simulated = pd.concat(logs, ignore_index=True)
    return "simulated", simulated.assign(responded=simulated["rt"] > 0)


def easy_points(draws: int, normalisation: str) -> tuple[str, pd.DataFrame]:
    """Return the data set's name, and points of both halves on easy trials, on [0, 1]."""
    name, table = trials()
    points = draw_points(table, empty(), draws, SEED, name)
    points = split(points[points["condition"] == "easy"], block_ranges(table))
    return name, normalise(points, normalisation)
