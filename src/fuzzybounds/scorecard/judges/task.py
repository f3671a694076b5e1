"""C01, C17, C23 and C27: the task as the logs show it, and the optimum."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.checks.learning.optimum import solve
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.reinforcement.design import design as make_design
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    by_intervals,
    judge,
    supported,
    verdict,
)
from fuzzybounds.scorecard.verdicts import AS_PRINTED, READING


@judge("C01", penalty_s=0.01, block_s=5)
def design(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C01 by the design check."""
    check = tables["design_check"]
    check = check[check["subject"].fillna("") == ""]

    def row(quantity: str, condition: str = ""):
        chosen = (check["quantity"] == quantity) & (check["condition"].fillna("") == condition)
        chosen_rows = check[chosen].dropna(subset="value")
        if chosen_rows.empty:
            raise TooFew(f"these logs do not tell {quantity} {condition}".rstrip())
        return chosen_rows.iloc[0]

    p0 = {name: row("p0", name) for name in ("easy", "hard")}
    p0_fits = [ci["low"] <= printed[f"p0_{name}"] <= ci["high"] for name, ci in p0.items()]
    penalty = {
        name: row("time_besides_decision_incorrect_s", name)["value"]
        - row("time_besides_decision_correct_s", name)["value"]
        for name in p0
    }
    task = [
        *p0_fits,
        *(
            row(f"reward_{outcome}", name)["value"] == sign * printed[f"coins_{name}"]
            for outcome, sign in (("correct", 1), ("incorrect", -1))
            for name in p0
        ),
        abs(penalty["easy"] - printed["penalty_s"]) < tolerance["penalty_s"],
        abs(penalty["hard"]) < tolerance["penalty_s"],
    ]
    subjects = row("one_session_subjects")["value"]
    blocks, duration = row("blocks_per_subject"), row("block_duration_s")
    counts = [
        subjects == printed["subjects"],
        blocks["value"] == printed["blocks"],
        duration["value"] >= printed["block_s"],
        duration["low"] >= printed["block_s"] - tolerance["block_s"],
    ]
    easy = _of_subjects(tables["design_check"], "p0_of_subject", "easy")
    outside = (easy["low"] > printed["p0_easy"]) | (easy["high"] < printed["p0_easy"])
    return Judged(
        verdict(all(task) and all(counts), all(p0_fits)),
        supported(all(task)),
        subjects=subjects,
        blocks=blocks,
        duration=duration["value"],
        p0=p0,
        penalty=penalty["easy"],
        easy=easy,
        outside=outside.sum(),
        printed=printed,
    )


@judge("C17", rate=0.05)
def optimum(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C17 by dynamic programming, for the paper's design and for that of the logs."""
    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    boundary = tables["optimal_boundary"].set_index(["design", "respond_at"])
    logged_design = "logs_b_uncued" if ("logs_b_uncued", "steps") in rates else "paper_cued"

    def is_falling(design: str) -> bool:
        """Whether the boundary falls, in every condition that is cued."""
        curves = boundary.loc[(design, "steps")].groupby("condition", dropna=False)["boundary"]
        # Only every second position is possible at a time, so a rise of one step does not count.
        return all(
            (curve.diff().dropna() <= STEP_PIXELS).all() and curve.iloc[-1] < curve.iloc[0]
            for _, curve in curves
        )

    near, near_at_frames = (
        abs(rates["paper_uncued", respond_at] - printed["rate"]) <= tolerance["rate"]
        for respond_at in ("steps", "frames")
    )
    uncued = {name for name in rates.index.get_level_values(0) if name.endswith("uncued")}
    return Judged(
        verdict(
            near and is_falling("paper_uncued"),
            near,
            printed=AS_PRINTED if near_at_frames else READING,
        ),
        supported(near and all(is_falling(name) for name in uncued)),
        rates=rates,
        boundary=boundary.loc[("paper_uncued", "steps")],
        design=logged_design,
        **_efficiency(tables, logged_design, rates[logged_design, "frames"]),
    )


def _efficiency(tables: Tables, design: str, best: float) -> dict[str, pd.DataFrame]:
    """Return what subjects earned over the optimum of their design, and who earned more.

    For those who earned more there are their P0, and their shares of the optimum that it allows.
    """
    check = tables["design_check"]
    earned = _of_subjects(check, "reward_rate_coins_per_s")
    shares, p0 = earned / best, _of_subjects(check, "p0_of_subject", "easy")
    more = shares[(shares["value"] > 1) & shares.index.isin(p0.index)]
    more = more.join(p0.add_suffix("_of_p0"))
    optima = [
        solve(make_design(name, cued=design == "paper_cued", easy=value)).reward_rate
        for name, value in more["value_of_p0"].items()
    ]
    more = more.assign(optimum=optima, share=earned["value"].reindex(more.index) / np.array(optima))
    return {"shares": shares["value"], "more": more}


@judge("C23", share=0.25)
def time_on_hard_trials(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C23 by the optimal policy with cues."""
    best = tables["optimum"].set_index(["design", "respond_at"]).loc["paper_cued"]
    shares = best["decision_time_hard"] / best["decision_time_easy"]
    trials = tables["trials"]
    responses = trials[trials["responded"]]
    medians = responses.pivot_table("rt", "subject", "condition", aggfunc="median")
    if not {"easy", "hard"} <= set(medians):
        raise TooFew("there are no responses in one of the conditions")
    return Judged(
        verdict(bool((shares <= tolerance["share"]).all()), bool((shares < 1).all())),
        supported(bool((shares < 1).all())),
        best=best,
        shorter=(medians["hard"] < medians["easy"]).sum(),
        subjects=len(medians.dropna()),
        medians=medians.median(),
    )


@judge("C27", subjects=4)
def accuracy_by_distance(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C27 by the accuracy of each subject's farther and nearer responses."""
    trials = tables["trials"]
    easy = trials[trials["responded"] & (trials["condition"] == "easy")]
    distance = easy["position"].abs()
    middle = distance.groupby(easy["subject"]).transform("median")
    place = np.where(distance > middle, "far", np.where(distance < middle, "near", "middle"))
    easy = easy.assign(place=place, correct=easy["correct"].astype(float))
    share = easy.pivot_table("correct", "subject", "place").reindex(columns=["near", "far"])
    share = share.dropna()
    if len(share) < tolerance["subjects"]:
        raise TooFew(f"{len(share)} subjects have near and far responses to easy trials")
    change = share["far"] - share["near"]
    low, high = stats.ttest_1samp(change, 0).confidence_interval()
    return Judged(
        verdict(bool(change.mean() > 0)),
        by_intervals([(float(low), float(high))]),
        share=share.mean(),
        low=low,
        high=high,
    )


def _of_subjects(check: pd.DataFrame, quantity: str, condition: str = "") -> pd.DataFrame:
    """Return the value and its interval of each subject."""
    rows = check[(check["quantity"] == quantity) & (check["condition"].fillna("") == condition)]
    rows = rows[rows["subject"].fillna("") != ""].astype({"subject": str})
    return rows.set_index("subject")[["value", "low", "high"]].dropna()
