"""C01, C16, C17, C23 and C27: the task as the logs show it, the learning rule, and the optimum."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.beyond.learners.optimum import solve
from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.reinforcement.design import design as make_design
from fuzzybounds.scorecard.claims.claim import (
    ANYONE,
    ARITHMETIC,
    AS_PRINTED,
    DESIGN,
    READING,
    Found,
    Numbers,
    Tables,
    by_intervals,
    claim,
    supported,
    verdict,
)

WINDOW_AFTER = 4000
"""The moving window of 1000 trials that starts after 3000 trials ends here."""


@claim(
    "C01",
    "the task: 26 one-session subjects, 40 one-minute blocks, easy and hard trials, a penalty "
    "on easy errors only",
    where="Experiment",
    group=DESIGN,
    paper="26 subjects; 40 blocks of one minute; P0 0.65 and 0.51; 20 coins and 1; 3 s",
    rule="P0 within its 95 % confidence interval; penalties (none on hard errors) within "
    "{penalty_s:g} s; a block ends with the trial that runs at its minute, so it may be "
    "longer, and none is more than {block_s:g} s shorter; everything else exact. In direction, "
    "P0 alone",
    control="another P0, other coins or another penalty, whatever the number of subjects",
    tables=("design_check",),
    printed={
        "subjects": 26,
        "blocks": 40,
        "block_s": 60,
        "p0_easy": 0.65,
        "p0_hard": 0.51,
        "coins_easy": 20,
        "coins_hard": 1,
        "penalty_s": 3,
    },
    tolerance={"penalty_s": 0.01, "block_s": 5},
)
def design(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C01 by the design check."""
    check = tables["design_check"]
    check = check[check["subject"].fillna("") == ""]

    def row(quantity: str, condition: str = ""):
        chosen = (check["quantity"] == quantity) & (check["condition"].fillna("") == condition)
        found = check[chosen].dropna(subset="value")
        if found.empty:
            raise TooFew(f"these logs do not tell {quantity} {condition}".rstrip())
        return found.iloc[0]

    p0 = {name: row("p0", name) for name in ("easy", "hard")}
    p0_fits = [own["low"] <= printed[f"p0_{name}"] <= own["high"] for name, own in p0.items()]
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
    intervals = [f"{name} [{own['low']:.3f}, {own['high']:.3f}]" for name, own in p0.items()]
    note = f"Blocks per subject range from {blocks['low']:.0f} to {blocks['high']:.0f}."
    easy = _of_subjects(tables["design_check"], "p0_of_subject", "easy")
    if len(easy):
        outside = (easy["low"] > printed["p0_easy"]) | (easy["high"] < printed["p0_easy"])
        largest = easy["value"].idxmax()
        note += (
            f" {outside.sum()} of {len(easy)} subjects have an own P0 on easy trials whose 95 % "
            f"interval excludes {printed['p0_easy']:g}; the largest is "
            f"{_interval(easy.loc[largest], 3)} (subject {largest})."
        )
    return Found(
        f"{subjects:.0f} subjects; {blocks['value']:.0f} blocks of {duration['value']:.0f} s; "
        f"P0 {p0['easy']['value']:.3f} / {p0['hard']['value']:.3f}; "
        f"penalty {penalty['easy']:.2f} s",
        verdict(all(task) and all(counts), all(p0_fits)),
        note,
        conclusion=supported(all(task)),
        interval=f"95 % intervals of P0: {', '.join(intervals)}",
    )


@claim(
    "C16",
    "the learning rule raises the average reward rate",
    where="A reinforcement learning algorithm, Fig. 17",
    group=ARITHMETIC,
    about=ANYONE,
    paper="from about -0.2 to about 0.6 after about 3000 trials",
    rule="{rate:g} of values read off a figure, with the update as printed; in direction, with "
    "its sign reversed",
    control="with the update as printed the rate in the end is not above the initial one by "
    "more than {learnt:g}",
    tables=("learning_curves", "learning_initial"),
    printed={"initial": -0.2, "after": 0.6},
    tolerance={"rate": 0.1, "learnt": 0.2},
)
def reward_rates(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C16 by the simulated learning curves."""
    curves, initial = tables["learning_curves"], tables["learning_initial"].iloc[0]
    after = curves[curves["trial"] == WINDOW_AFTER].groupby("rule")["reward_rate"].median()
    last = curves[curves["trial"] == curves["trial"].max()].groupby("rule")["reward_rate"].median()
    starts = abs(initial["exact"] - printed["initial"]) <= tolerance["rate"]
    reaches = (after - printed["after"]).abs() <= tolerance["rate"]
    noise = abs(initial["exact"]) / initial["sd_of_a_window"]
    return Found(
        f"initial {initial['exact']:.2f}; "
        + "; ".join(
            f"{rule}: {after[rule]:.2f}, in the end {last[rule]:.2f}" for rule in after.index
        ),
        verdict(bool(starts and reaches["as printed"]), bool(starts and reaches.any())),
        "Medians over replicates of the window after 3000 trials. Reversing a printed sign changes "
        "an equation, not an open choice (A15); stop is 1 in this section, 0 in another (A05). "
        f"The initial rate is {noise:.1f} standard deviations of a window from zero; "
        "the paper gives neither o nor the initial rules, which were chosen such that it is about "
        "-0.2.",
        conclusion=supported(bool(last["as printed"] > initial["exact"] + tolerance["learnt"])),
    )


@claim(
    "C17",
    "the optimal reward rate without cues is that of a single boundary that falls with time",
    where="A reinforcement learning algorithm",
    group=DESIGN,
    about=ANYONE,
    paper="about 0.9",
    rule="{rate:g}, with responses at steps; the boundary never rises",
    control="a boundary that rises, in the paper's design or in that of uncued logs",
    tables=("optimum", "optimal_boundary", "design_check"),
    printed={"rate": 0.9},
    tolerance={"rate": 0.05},
)
def optimum(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C17 by dynamic programming, for the paper's design and for that of the logs."""
    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    boundary = tables["optimal_boundary"].set_index(["design", "respond_at"])
    own_design = "logs_b_uncued" if ("logs_b_uncued", "steps") in rates else "paper_cued"
    rate = rates["paper_uncued", "steps"]

    def falls(design: str) -> bool:
        """Whether the boundary falls, in every condition that is cued."""
        curves = boundary.loc[(design, "steps")].groupby("condition", dropna=False)["boundary"]
        # Only every second position is possible at a time, so a rise of one step does not count.
        return all(
            (own.diff().dropna() <= STEP_PIXELS).all() and own.iloc[-1] < own.iloc[0]
            for _, own in curves
        )

    near, near_at_frames = (
        abs(rates["paper_uncued", respond_at] - printed["rate"]) <= tolerance["rate"]
        for respond_at in ("steps", "frames")
    )
    earned, more = efficiency(tables, own_design)
    shown = boundary.loc[("paper_uncued", "steps")]
    return Found(
        f"{rate:.4f} at steps, {rates['paper_uncued', 'frames']:.4f} at any frame; {earned}",
        verdict(
            near and falls("paper_uncued"),
            near,
            printed=AS_PRINTED if near_at_frames else READING,
        ),
        f"Boundary from {shown['boundary'].iloc[0]:.0f} px at {shown['time'].iloc[0]:.1f} s to "
        f"{shown['boundary'].iloc[-1]:.0f} px at {shown['time'].iloc[-1]:.1f} s; with cues "
        f"{rates['paper_cued', 'steps']:.4f}. Efficiency is what subjects earned over the optimum "
        f"of their own design ({own_design.replace('_', ' ')}), with responses at any frame. "
        f"{more}".rstrip(),
        conclusion=supported(
            near
            and all(
                falls(name)
                for name in {*rates.index.get_level_values(0)}
                if name.endswith("uncued")
            )
        ),
        reason="Left open, and chosen: responses at the end of a step; at any frame the rate is "
        f"{rates['paper_uncued', 'frames']:.2f}.",
    )


@claim(
    "C23",
    "a rational subject spends much less time on hard trials",
    where="Experiment",
    group=DESIGN,
    about=ANYONE,
    paper="much less",
    rule="at most a {share:g}th of the decision time of easy trials, at steps and at frames",
    control="the optimal observer of the paper's design spends as much time on hard trials",
    tables=("optimum", "trials"),
    tolerance={"share": 0.25},
)
def time_on_hard_trials(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C23 by the optimal policy with cues."""
    best = tables["optimum"].set_index(["design", "respond_at"]).loc["paper_cued"]
    shares = best["decision_time_hard"] / best["decision_time_easy"]
    trials = tables["trials"]
    responses = trials[trials["responded"]]
    medians = responses.pivot_table("rt", "subject", "condition", aggfunc="median")
    if not {"easy", "hard"} <= set(medians):
        raise TooFew("there are no responses in one of the conditions")
    return Found(
        "; ".join(
            f"at {name}: {row['decision_time_easy']:.2f} s on easy and "
            f"{row['decision_time_hard']:.2f} s on hard trials"
            for name, row in best.iterrows()
        ),
        verdict(bool((shares <= tolerance["share"]).all()), bool((shares < 1).all())),
        "Mean decision time of the observer who earns most in the paper's design with cues. "
        f"Median decision time was shorter on hard trials for "
        f"{(medians['hard'] < medians['easy']).sum()} of {len(medians.dropna())} of these subjects "
        f"(median over subjects {medians['easy'].median():.1f} s easy, "
        f"{medians['hard'].median():.1f} s hard).",
        conclusion=supported(bool((shares < 1).all())),
    )


@claim(
    "C27",
    "the farther out the canoe is, the more likely a response is correct",
    where="Experiment",
    group=DESIGN,
    paper="the probability increases",
    rule="on easy trials more of a subject's farther than of the nearer half of responses are "
    "correct, on average over subjects",
    control="the interval over subjects of the difference contains zero",
    tables=("trials",),
    tolerance={"subjects": 4},
)
def accuracy_by_distance(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
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
    return Found(
        f"{share['near'].mean():.0%} of nearer and {share['far'].mean():.0%} of farther responses",
        verdict(bool(change.mean() > 0)),
        "Responses nearer and farther than the subject's median distance. With k more steps to one "
        "side than to the other the odds of that side are (P0 / (1 - P0))^k, whatever the time.",
        conclusion=by_intervals([(float(low), float(high))]),
        interval=f"95 % interval of the difference over subjects [{low:+.2f}, {high:+.2f}]",
    )


def _of_subjects(check: pd.DataFrame, quantity: str, condition: str = "") -> pd.DataFrame:
    """Return the value and its interval of each subject."""
    own = check[(check["quantity"] == quantity) & (check["condition"].fillna("") == condition)]
    own = own[own["subject"].fillna("") != ""].astype({"subject": str})
    return own.set_index("subject")[["value", "low", "high"]].dropna()


def efficiency(tables: Tables, design: str) -> tuple[str, str]:
    """Describe what subjects earned over the optimum of their design, and who earned more."""
    check = tables["design_check"]
    earned = _of_subjects(check, "reward_rate_coins_per_s")
    if earned.empty:
        return "efficiency not known", ""
    best = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"][design, "frames"]
    shares, p0 = earned / best, _of_subjects(check, "p0_of_subject", "easy")
    said = "Nobody earns more than that."
    if more := [name for name in shares.index[shares["value"] > 1] if name in p0.index]:
        said = "More than that is earned by"
    for name in more:
        own = solve(make_design(name, cued=design == "paper_cued", easy=p0["value"][name]))
        said += (
            f" subject {name} ({_interval(shares.loc[name], 2)}), whose canoe went to the correct "
            f"side of easy trials with probability {_interval(p0.loc[name], 3)}: of the optimum of "
            f"such a task, {own.reward_rate:.2f}, it is "
            f"{earned['value'][name] / own.reward_rate:.2f}{',' if name != more[-1] else '.'}"
        )
    middle, low, high = (shares["value"].agg(how) for how in ("median", "min", "max"))
    return (
        f"subjects earn {middle * best:.2f} of {best:.2f} coins/s, an efficiency of {middle:.2f} "
        f"({low:.2f} to {high:.2f})",
        said,
    )


def _interval(row: pd.Series, digits: int) -> str:
    value, low, high = (f"{row[name]:.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
