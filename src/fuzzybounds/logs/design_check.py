"""Check of the logs against the experiment's design (claim C01), and a summary of the subjects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import BLOCK, CONDITIONS, DEADLINE, FRAME, OVERHEAD, STEP

NORMAL_95 = 1.959963984540054
FIXED_POINT_ITERATIONS = 50


def drawn_steps(trials: pd.DataFrame) -> pd.DataFrame:
    """Count the steps that each trial's canoe drew, and how many of them, net, went right.

    One row for each trial on the lattice: `completed` and `net_completed` without the current step
    at the end of the trial; `drawn` and `net_drawn` with it, unless it had not been shown yet;
    `heading`, the side to which the canoe was bound, or 0 where the log does not tell.  A response
    is taken to be on the side on which the canoe was; a missed deadline is none.
    """
    missed = ~trials["responded"].to_numpy()
    # A missed trial ends with the last frame before the deadline.
    time = trials["rt"].where(~missed, DEADLINE - FRAME).to_numpy()
    lattice = locate(time, trials["position"])
    # In its first half frame a step has no direction that anyone could see.
    shown = time - STEP * lattice.completed > FRAME / 2
    side = np.sign(trials["position"].to_numpy()) * np.where(trials["correct"], 1, -1)
    net = 2 * lattice.right - lattice.completed
    steps = pd.DataFrame(
        {
            "condition": trials["condition"],
            "completed": lattice.completed,
            "net_completed": net,
            "drawn": lattice.completed + shown,
            "net_drawn": net + lattice.started * shown,
            "heading": np.where(missed, 0, side).astype(int),
        }
    )
    return steps[lattice.fits]


def wald_p0(steps: np.ndarray, net: np.ndarray, heading: np.ndarray) -> tuple[float, float, float]:
    """Estimate P0 from stopped walks, with its 95 % confidence interval.

    By Wald's identity E[S] = (2 P0 - 1) E[N], for N the number of steps drawn when the walk was
    stopped and S how many of them, net, went toward the heading; the variance of
    S - (2 P0 - 1) N is 4 P0 (1 - P0) E[N].  Where the heading is unknown, S is replaced by its
    expectation |S| tanh(|S| logit(P0) / 2): leaving those walks out would select the others.

    Every step must count from the moment it is drawn.  Whether a step is *completed* depends on
    its direction (a canoe that turns toward the boundary is stopped sooner), so a count of
    completed steps is not a stopping time, and its estimate is biased toward 0.5.
    """
    steps, net, heading = (np.asarray(values, dtype=float) for values in (steps, net, heading))
    total = steps.sum()
    if total == 0:
        return np.nan, np.nan, np.nan
    toward = (net * heading).sum()
    unknown = np.abs(net[(heading == 0) & (net != 0)])
    p0 = 0.5
    for _ in range(FIXED_POINT_ITERATIONS):
        with np.errstate(divide="ignore"):
            logit = np.log(p0) - np.log1p(-p0)
        expected = (unknown * np.tanh(unknown * logit / 2)).sum()
        p0 = (1 + (toward + expected) / total) / 2
    error = NORMAL_95 * np.sqrt(p0 * (1 - p0) / total)
    return float(p0), float(p0 - error), float(p0 + error)


class DesignTables(NamedTuple):
    """What :func:`describe_design` returns: one table per output of the stage."""

    design: pd.DataFrame
    cohort: pd.DataFrame


def describe_design(trials: pd.DataFrame) -> DesignTables:
    """Compare the logs with the design that the paper describes, and summarise the cohort."""
    return DesignTables(check_design(trials), summarise_cohort(trials))


def check_design(trials: pd.DataFrame) -> pd.DataFrame:
    """Compare the logs with the design that the paper describes (C01).

    `low` and `high` are a 95 % confidence interval for P0 and shares, otherwise the range over
    subjects or blocks.
    """
    rows = [*_counts(trials), *_kinematics(trials), *_payoffs(trials), *_rates(trials)]
    columns = ["quantity", "condition", "subject", "value", "low", "high", "expected"]
    return pd.DataFrame(rows, columns=columns)


def _row(quantity, value, low=np.nan, high=np.nan, expected=np.nan, condition="", subject=""):
    return (quantity, condition, subject, float(value), float(low), float(high), expected)


def _spread(quantity: str, values: pd.Series, expected: float = np.nan) -> tuple:
    return _row(quantity, values.median(), values.min(), values.max(), expected)


def _counts(trials: pd.DataFrame) -> list[tuple]:
    by_subject = trials.groupby("subject", sort=False)
    by_block = trials.groupby(["subject", "block"], sort=False)
    one_session = by_subject["session"].max() == by_subject["session"].min()
    return [
        _row("subjects", by_subject.ngroups),
        _row("one_session_subjects", one_session.sum(), expected=26.0),
        _row("trials", len(trials)),
        _spread("blocks_per_subject", by_subject["block"].nunique(), 40.0),
        _spread("trials_per_block", by_block.size()),
        _spread("block_duration_s", by_block["total"].sum(), BLOCK),
        _row("missed_deadlines", (~trials["responded"]).sum()),
    ]


def _kinematics(trials: pd.DataFrame) -> list[tuple]:
    responses = trials[trials["responded"]]
    fits = locate(responses["rt"], responses["position"]).fits
    rows = [_row("share_on_lattice", *_share(fits.sum(), fits.size))]
    steps = drawn_steps(trials)
    for condition, design in CONDITIONS.items():
        of = steps[steps["condition"] == condition]
        for quantity, count in (("p0", "drawn"), ("p0_completed_steps", "completed")):
            estimate = wald_p0(of[count], of[f"net_{count}"], of["heading"])
            rows.append(_row(quantity, *estimate, design.p0, condition))
        responded = trials.loc[of.index, "responded"].sum()
        hazard = _share(responded, of["drawn"].sum())
        rows.append(_row("responses_per_step", *hazard, condition=condition))
        for name, walks in of.groupby(trials.loc[of.index, "subject"], sort=False):
            estimate = wald_p0(walks["drawn"], walks["net_drawn"], walks["heading"])
            rows.append(_row("p0_of_subject", *estimate, design.p0, condition, name))
    return rows


def _share(count: float, total: float) -> tuple[float, float, float]:
    """Return a share with its 95 % confidence interval, within [0, 1]."""
    share = count / total if total else np.nan
    error = NORMAL_95 * np.sqrt(share * (1 - share) / max(total, 1))
    return share, max(share - error, 0.0), min(share + error, 1.0)


def _payoffs(trials: pd.DataFrame) -> list[tuple]:
    extra = trials["total"] - trials["rt"].where(trials["responded"], DEADLINE)
    rows = []
    for (condition, wrong), outcome_trials in trials.groupby(["condition", ~trials["correct"]]):
        design, name = CONDITIONS[condition], "incorrect" if wrong else "correct"
        reward, wait = outcome_trials["reward"], extra[outcome_trials.index]
        payoff = float(-design.payoff if wrong else design.payoff)
        expected = OVERHEAD + (design.penalty if wrong else 0.0)
        for quantity, value, values, printed in (
            (f"reward_{name}", reward.mean(), reward, payoff),
            (f"time_besides_decision_{name}_s", wait.median(), wait, expected),
        ):
            rows.append(_row(quantity, value, values.min(), values.max(), printed, condition))
    return rows


def _rates(trials: pd.DataFrame) -> list[tuple]:
    """Return subjects' reward rates, with the 95 % interval of a ratio of sums over trials."""
    sums = trials.groupby("subject", sort=False)[["reward", "total"]].sum()
    rates = sums["reward"] / sums["total"]
    rest = trials["reward"] - trials["subject"].map(rates) * trials["total"]
    error = NORMAL_95 * np.sqrt((rest**2).groupby(trials["subject"]).sum()) / sums["total"]
    quantity = "reward_rate_coins_per_s"
    rows = [_spread(quantity, rates)]
    for name, rate in rates.items():
        rows.append(_row(quantity, rate, rate - error[name], rate + error[name], subject=name))
    return rows


QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
QUICK = 0.5
"""A response before the canoe's first turn can only be a guess (s)."""


def summarise_cohort(trials: pd.DataFrame) -> pd.DataFrame:
    """Return quantiles over one-session subjects of what a subject does, to compare cohorts."""
    sessions = trials.groupby("subject")["session"].transform("nunique")
    trials = trials[sessions == 1].sort_values(["subject", "trial"])
    trials = trials.assign(
        distance=trials["position"].abs(),
        missed=~trials["responded"],
        quick=trials["rt"] < QUICK,
    )
    every = trials.groupby("subject")
    responses = trials[trials["responded"]]
    easy, hard = (responses[responses["condition"] == name] for name in CONDITIONS)
    first, later = (
        easy[half].groupby("subject") for half in (easy["block"] <= 20, easy["block"] > 20)
    )
    easy, hard = easy.groupby("subject"), hard.groupby("subject")
    per_subject = (
        ("easy: median boundary, first 20 blocks", "px", first["distance"].median()),
        ("easy: median boundary, later blocks", "px", later["distance"].median()),
        ("easy: SD of boundary", "px", easy["distance"].std()),
        ("easy: median reaction time", "s", easy["rt"].median()),
        ("easy: accuracy", "", easy["correct"].mean()),
        ("hard: SD of boundary", "px", hard["distance"].std()),
        ("hard: median boundary", "px", hard["distance"].median()),
        ("hard: median reaction time", "s", hard["rt"].median()),
        ("hard: share of responses before 0.5 s", "", hard["quick"].mean()),
        ("trials per block", "", every.size() / every["block"].nunique()),
        ("share of missed deadlines", "", every["missed"].mean()),
        ("correlation of time and boundary, easy", "", _correlation(easy, "rt", "distance")),
        *(
            (f"{name}: correlation of {what} with the one before", "", _correlation(of, column))
            for what, column in (("boundary", "distance"), ("reaction time", "rt"))
            for name, of in (("easy", easy), ("hard", hard))
        ),
    )
    rows = [
        {
            "quantity": quantity,
            "unit": unit,
            "subjects": values.size,
            "mean": values.mean(),
            **{f"q{round(100 * q):02d}": values.quantile(q) for q in QUANTILES},
        }
        for quantity, unit, values in per_subject
    ]
    return pd.DataFrame(rows)


def _correlation(subjects: Any, column: str, other: str = "") -> pd.Series:
    """Correlate two columns of each subject, or one with its value of the trial before."""
    values = {
        name: table[column].corr(table[other] if other else table[column].shift())
        for name, table in subjects
    }
    return pd.Series(values, dtype=float)
