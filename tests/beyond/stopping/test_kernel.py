"""The compiled sums over paths against their reference in NumPy."""

import numpy as np
import pytest

from fuzzybounds.beyond.stopping.lattice import Bins, outcomes, states
from fuzzybounds.beyond.stopping.likelihood import SURE, Likelihood
from fuzzybounds.canoe.lattice import edge_row

from .conftest import table

TRIALS = [(0.25, -22.5), (1.75, 22.5), (2.3, -63.0), (7.4, -126.0), (9.1, 81.0), (np.nan, 43.5)]
HAZARDS = {
    "mild": lambda t, x: 0.02 + 0.3 / (1 + np.exp(-(x - 60 + 8 * t) / 20)),
    "hopeless": lambda t, x: np.where(x > 30, 1.0 - SURE, SURE),
    "certain": lambda t, x: np.full(t.shape, 1.0 - SURE),
}


def reference(hazard, of_edge, steps, found):
    """The log-likelihood of every outcome: the sums of the kernel in a few lines, as logs."""
    passed = np.log1p(-hazard)[of_edge].sum(axis=1)
    cells = [np.zeros(1)]
    for m in range(steps):
        right = np.arange(m + 1)
        to_left, to_right = (cells[-1] + passed[edge_row(m, right, way)] for way in (0, 1))
        cells.append(np.logaddexp(np.append(to_left, -np.inf), np.append(-np.inf, to_right)))
    cells, go_on, respond = np.concatenate(cells), np.log1p(-hazard), np.log(hazard)
    logs = []
    for edges, number, responded in zip(found.edges, found.decision, found.responded, strict=True):
        terms = []
        for edge in edges[edges >= 0]:
            ended = respond[of_edge[edge, number]] if responded else 0.0
            terms.append(cells[edge // 2] + go_on[of_edge[edge, :number]].sum() + ended)
        logs.append(np.logaddexp.reduce(terms))
    return np.array(logs) - found.log_paths


@pytest.mark.parametrize(("width", "delay"), [(0.1, 0.0), (0.05, 0.0), (0.1, 0.3)])
@pytest.mark.parametrize("kind", HAZARDS)
def test_outcomes_have_the_logs_of_the_reference(kind, width, delay):
    bins = Bins(width)
    found, where = outcomes(table(TRIALS), bins, delay), states(bins)
    hazard = HAZARDS[kind](where.time, where.position)
    logs = Likelihood(found, where).log_likelihoods(hazard[None], np.ones(1))
    expected = reference(hazard, where.of_edge, where.steps, found)
    assert logs == pytest.approx(expected, rel=1e-10)
