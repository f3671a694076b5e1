"""Numbers beside verdicts, each by hand."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from fuzzybounds.paper import worked_example
from fuzzybounds.scorecard.boundary_counts import count_best
from fuzzybounds.scorecard.words.words import say


def test_the_lead_of_a_model_is_a_difference():
    """Scores far from zero: ahead by 1, behind by 1, and far ahead."""
    scores = pd.DataFrame({("weibull", "rl"): [400.0, 401.0, 300.0]})
    scores["weibull", "none"] = [401.0, 400.0, 400.0]
    assert count_best(scores)["edge"] == 2


def test_the_likelihood_of_the_path_stops_at_its_end(judge):
    times, path = worked_example.steps_to_path(worked_example.CROSSING_STEPS)
    likelihood = 1.0
    for time, place in list(zip(times, path, strict=True))[:-1]:
        likelihood *= 1 - worked_example.CONTROLLER.output(time, place)
    likelihood *= worked_example.CONTROLLER.output(times[-1], path[-1])
    assert f"fuzzy likelihood {float(likelihood):.1e}" in judge("C05").ours


def test_the_optimal_boundary_is_described_by_its_ends():
    boundary = pd.DataFrame({"time": [1.0, 2.0, 3.0], "boundary": [180.0, 135.0, 90.0]})
    designs = [("paper_uncued", "steps"), ("paper_uncued", "frames"), ("paper_cued", "steps")]
    rates = pd.Series(1.0, index=pd.MultiIndex.from_tuples(designs))
    shares = pd.Series(dtype=float)
    known = {"rates": rates, "boundary": boundary, "design": "paper_cued", "shares": shares}
    note = say("C17", SimpleNamespace(**known)).note
    assert note.startswith("Boundary from 180 px at 1.0 s to 90 px at 3.0 s")
