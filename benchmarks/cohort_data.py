"""Trials for the other benchmarks.

By default those of 26 simulated subjects; with the path of a published log as the first argument
of the script, those of its subjects.
"""

import sys

import pandas as pd

from fuzzybounds.cohort.sessions import draw_cohort, simulate_logs
from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate

SEED = 1


def trials() -> tuple[str, pd.DataFrame]:
    """Return the data set's name, and its trials."""
    if len(sys.argv) > 1:
        return "published", validate(read_published(sys.argv[1])).trials
    cohort = draw_cohort(SEED, "simulated", 26, 0)
    logs = [simulate_logs(subject, SEED, "simulated")[0] for subject in cohort]
    simulated = pd.concat(logs, ignore_index=True)
    return "simulated", simulated.assign(responded=simulated["rt"] > 0)
