"""Optimal reward rates and boundaries of the paper's design, and of the logs' own (C17)."""

from __future__ import annotations

from typing import NamedTuple, get_args

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.learning.design import PAPER_CUED, PAPER_UNCUED
from fuzzybounds.learning.design import design as make_design
from fuzzybounds.learning.optimum import RespondAt, solve


class Optima(NamedTuple):
    """What :func:`solve_optimum` returns: one table per output of the stage."""

    optimum: pd.DataFrame
    boundary: pd.DataFrame


def solve_optimum(design: pd.DataFrame, *, cued: bool) -> Optima:
    """Find the largest reward rate of any observer in the paper's designs, and its boundary.

    Logs without cues add their own design: Experiment B, the only published one, has its own P0.

    Parameters
    ----------
    design : DataFrame
        Result table ``design_check`` of the logs.
    cued : bool
        Whether the subjects knew the condition of a trial.
    """
    designs = [PAPER_UNCUED, PAPER_CUED]
    if not cued:
        estimated = design[design["quantity"] == "p0"].set_index("condition")["value"]
        easy, hard = float(estimated["easy"]), float(estimated["hard"])
        designs.append(make_design("logs_b_uncued", easy=easy, hard=hard))
    rows, curves = [], []
    for own in designs:
        cues = [condition.name for condition in own.conditions] if own.cued else ["all"]
        for respond_at in get_args(RespondAt):
            best = solve(own, respond_at)
            named = {"design": own.name, "respond_at": respond_at}
            earned = {"reward_rate": best.reward_rate, "reward": best.reward, "time": best.time}
            p0 = {f"p0_{condition.name}": condition.p0 for condition in own.conditions}
            rows.append({**named, **earned, **p0})
            for cue, net in zip(cues, best.boundary(), strict=True):
                shown = np.isfinite(best.times) & np.isfinite(net)
                curve = {"time": best.times[shown], "boundary": STEP_PIXELS * net[shown]}
                curves.append(pd.DataFrame({**named, "condition": cue, **curve}))
    return Optima(pd.DataFrame(rows), pd.concat(curves, ignore_index=True))
