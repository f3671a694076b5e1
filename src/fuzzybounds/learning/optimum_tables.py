"""Optimal reward rates and boundaries of the paper's design, and of the logs' own (C17)."""

from __future__ import annotations

from typing import NamedTuple, get_args

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.learning.design import PAPER_CUED, PAPER_UNCUED, Design
from fuzzybounds.learning.design import design as make_design
from fuzzybounds.learning.optimum import Optimum, RespondAt, solve

RESPOND_AT = get_args(RespondAt)


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
    return _solve(designs)


def _solve(designs: list[Design]) -> Optima:
    solved = [(own, at, solve(own, at)) for own in designs for at in RESPOND_AT]
    rows = [
        {
            "design": own.name,
            "respond_at": at,
            "reward_rate": best.reward_rate,
            "reward": best.reward,
            "time": best.time,
            **{f"p0_{condition.name}": condition.p0 for condition in own.conditions},
        }
        for own, at, best in solved
    ]
    boundary = pd.concat([_boundary(*entry) for entry in solved], ignore_index=True)
    return Optima(pd.DataFrame(rows), boundary[np.isfinite(boundary["boundary"])])


def _boundary(design: Design, respond_at: str, best: Optimum) -> pd.DataFrame:
    cues = [condition.name for condition in design.conditions] if design.cued else ["all"]
    known = np.isfinite(best.times)
    curves = [
        pd.DataFrame(
            {
                "design": design.name,
                "respond_at": respond_at,
                "condition": cue,
                "time": best.times[known],
                "boundary": STEP_PIXELS * net[known],
            }
        )
        for cue, net in zip(cues, best.boundary(), strict=True)
    ]
    return pd.concat(curves, ignore_index=True)
