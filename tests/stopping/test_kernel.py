"""The compiled sums over paths against their reference in NumPy."""

import numpy as np
import pytest

from fuzzybounds.stopping import kernel, reference
from fuzzybounds.stopping.lattice import Bins, outcomes, states
from fuzzybounds.stopping.likelihood import SURE, Likelihood

from .conftest import table

TRIALS = [(0.25, -22.5), (1.75, 22.5), (2.3, -63.0), (7.4, -126.0), (9.1, 81.0), (np.nan, 43.5)]
HAZARDS = {
    "mild": lambda t, x: 0.02 + 0.3 / (1 + np.exp(-(x - 60 + 8 * t) / 20)),
    "hopeless": lambda t, x: np.where(x > 30, 1.0 - SURE, SURE),
    "certain": lambda t, x: np.full(t.shape, 1.0 - SURE),
}


@pytest.mark.parametrize("bins", [Bins(), Bins(0.05), Bins(0.1, delay=0.3)], ids=str)
@pytest.mark.parametrize("kind", HAZARDS)
def test_outcomes_have_the_logs_of_the_reference(kind, bins):
    found, where = outcomes(table(TRIALS), bins), states(bins)
    hazard = HAZARDS[kind](where.time, where.position)
    logs = Likelihood(found, where).log_likelihoods(hazard[None], np.ones(1))
    expected = reference.log_likelihoods(hazard, where.of_edge, where.steps, found)
    assert logs == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("kind", HAZARDS)
def test_cells_have_the_logs_of_the_reference(kind):
    where = states(Bins())
    go_on = 1.0 - HAZARDS[kind](where.time, where.position)
    cells, powers, ways = kernel.forward(go_on[None], where.of_edge, where.steps)
    logs = np.log(cells[0]) + powers[0] * kernel.LOG_SMALL
    expected = reference.log_cells(go_on, where.of_edge, where.steps)
    assert logs == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert powers.max() > 0 or kind == "mild"
    # The share that came from the left: F(m, r - 1) Q(m, r - 1, right) / F(m + 1, r).
    m, r = 12, 8
    edge = m * (m + 1) + 2 * (r - 1) + 1
    passed = np.log(go_on)[where.of_edge[edge]].sum()
    share = np.exp(
        expected[m * (m + 1) // 2 + r - 1] + passed - expected[(m + 1) * (m + 2) // 2 + r]
    )
    assert ways[0, (m + 1) * (m + 2) // 2 + r] == pytest.approx(share, abs=1e-12)


def test_every_decision_of_a_trial_is_counted_once():
    """A response after i decisions: i - 1 of them went on, one responded."""
    found, where = outcomes(table(TRIALS[:1]), Bins()), states(Bins(), 3)
    go_on = 1.0 - HAZARDS["mild"](where.time, where.position)[None]
    cells, powers, ways = kernel.forward(go_on, where.of_edge, where.steps)
    ends = (found.edges, found.decision, found.responded)
    _, shares = kernel.outcome_logs(go_on, where.of_edge, cells, powers, *ends, found.log_paths)
    gone, stopped = kernel.backward(
        go_on, where.of_edge, where.steps, ways, *ends, np.full((1, 1), 2.0), shares
    )
    assert gone.sum() == pytest.approx(2.0 * 2)
    assert stopped.sum() == pytest.approx(2.0)
