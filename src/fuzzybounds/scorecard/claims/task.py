"""C01, C16, C17, C23 and C27: the task as the logs show it, the learning rule, and the optimum."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.checks.learning.optimum import solve
from fuzzybounds.checks.learning.sweep import RISE, TOLERANCE, TRIALS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.printed import printed as numbers_of
from fuzzybounds.paper.reinforcement.design import design as make_design
from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL
from fuzzybounds.scorecard.claims.claim import (
    ANYONE,
    ARITHMETIC,
    AS_PRINTED,
    CHANGED,
    DEPENDS,
    DESIGN,
    NOT,
    READING,
    SUPPORTED,
    UNIDENTIFIED,
    UNSUPPORTED,
    Found,
    Numbers,
    Tables,
    by_intervals,
    claim,
    supported,
    verdict,
)


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
    rule="of the readings with the update as printed that start at the printed rate, all rise by "
    "more than {learnt:g}; it depends on the reading if only some do",
    control="the same readings with the outcome of the trial before: for some leak γ of the memory "
    "the rate does not end above the control's by more than {learnt:g} more often than below it",
    tables=("learning_sweep_summary", "learning_curves", "learning_initial"),
    printed=numbers_of("C16"),
    tolerance={"rate": TOLERANCE, "learnt": RISE},
)
def reward_rates(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C16 by all readings of the learning rule, each beside its control."""
    counts = tables["learning_sweep_summary"].groupby("rule").sum(numeric_only=True).astype(int)
    rule, reverse = counts.loc["as printed"], counts.loc["sign reversed"]
    curves, initial = tables["learning_curves"], tables["learning_initial"]["exact"].iloc[0]
    after = curves[curves["trial"] == TRIALS].groupby("rule")["reward_rate"].median()
    by_leak = by_control(tables["learning_sweep_summary"], "as printed")
    learns = by_leak["better"] > by_leak["worse"]
    return Found(
        f"rises in {rule['rises']} of {rule['simulated']} readings as printed, and with the sign "
        f"reversed in {reverse['rises']} of {reverse['simulated']}; gives the printed numbers in "
        f"{rule['matches']} and {reverse['matches']}; default {initial:.2f} to "
        f"{after['as printed']:.2f}, its control to {after[CONTROL]:.2f}",
        depends_on_reading(rule, reverse),
        f"The printed numbers, to within {tolerance['rate']:g}, are two that can be tuned: "
        f"{rule['control_matches']} readings as printed give them without learning, "
        f"from outcomes of the trial before, after which {rule['control_rises']} rise. "
        f"The default as printed is one of {rule['readings'] + reverse['readings']} readings; "
        f"with the sign reversed it ends at {after['sign reversed']:.2f}. Stop is 1 in this "
        "section, 0 in another (A05).",
        conclusion=(SUPPORTED if learns.all() else UNIDENTIFIED if learns.any() else UNSUPPORTED),
        interval=f"as printed against its control: {compared(by_leak)}",
        reason="the paper gives neither o, α and γ nor the initial rules and the range of the "
        "consequents, and which of them are taken decides",
    )


def depends_on_reading(rule: pd.Series, reverse: pd.Series) -> str:
    """Return the verdict on a rate that should rise, by how many readings it rises in."""
    if not rule["rises"]:
        return CHANGED if reverse["rises"] else NOT
    return AS_PRINTED if rule["rises"] == rule["simulated"] else DEPENDS


def by_control(summary: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Count by leak the readings with a sign of the update that end better or worse than theirs."""
    own = summary[summary["rule"] == rule]
    return own.groupby("leak", sort=True)[["better", "worse", "simulated"]].sum()


def compared(by_leak: pd.DataFrame) -> str:
    """Say how many readings end above and below their control, for every leak."""
    return "; ".join(
        f"γ = {leak:g}, {own['better']:.0f} of {own['simulated']:.0f} readings end above and "
        f"{own['worse']:.0f} below"
        for leak, own in by_leak.iterrows()
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
    printed=numbers_of("C17"),
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
