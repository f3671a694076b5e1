"""How much of the optimum the fuzzy model can reach, by number of labels (Fig. S5)."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.optimum import RespondAt, solve
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.reach import Reach, best_consequents, best_controller, padded

FRAMES: dict[RespondAt, int] = {"steps": 30, "frames": 1}
STARTS = 2
"""Ascents in the consequents alone, from the best rule bases: they end at the same rate."""


def measure_reach(*, labels: Collection[int], tuned: Collection[str]) -> pd.DataFrame:
    """Find the largest reward rate of the model, with memberships fixed and tuned.

    The optimal observer earns at least as much.  At steps tuned memberships earn the same, to four
    digits: so that is the largest rate, not only the largest found.

    Parameters
    ----------
    labels : collection of int
        Numbers of labels.
    tuned : collection of {"steps", "frames"}
        When responses are made where memberships are tuned too.

    Returns
    -------
    DataFrame
        The table ``learning_reach``.
    """
    rows = []
    for respond_at, frames in FRAMES.items():
        decisions = Decisions(frames=frames)
        best: Reach | None = None
        bound = solve(PAPER_UNCUED, respond_at).reward_rate
        for count in sorted(labels):
            memberships = paper_memberships(count)
            found = {"fixed": best_consequents(memberships, decisions, PAPER_UNCUED, starts=STARTS)}
            if respond_at in tuned:
                first = [] if best is None else [padded(best.controller, count)]
                best = best_controller(count, decisions, PAPER_UNCUED, first=first, bound=bound)
                found["tuned"] = best
            rows += [
                {
                    "labels": count,
                    "memberships": kind,
                    "respond_at": respond_at,
                    "reward_rate": reach.reward_rate,
                    "share_of_optimum": reach.reward_rate / bound,
                }
                for kind, reach in found.items()
            ]
    return pd.DataFrame(rows)
