"""The scorecard: what the paper claims, what we find, and whether the two agree.

Each claim is a function of result tables (or of the worked example alone) that says what we found
and whether it holds.  The registry ``workflow/claims.yaml`` says what the paper prints and whom a
claim is about; a data set that cannot test a claim gets our value all the same, but no verdict, and
one that is too small even for that gets the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.analysis.comparisons import STUDENT
from fuzzybounds.analysis.groups import FAST, SLOW, need_both
from fuzzybounds.analysis.specification import prints_as
from fuzzybounds.canoe.block_windows import FIRST, LAST
from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.paper import worked_example
from fuzzybounds.storage.errors import TooFew

REPRODUCED, DIRECTION, NOT = "reproduced", "reproduced in direction only", "not reproduced"
UNTESTABLE = "not testable on this data set"

Tables = Mapping[str, pd.DataFrame]
Printed = Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """What we find about a claim.

    Attributes
    ----------
    ours : str
        Our values, in words short enough for a table.
    verdict : str
        One of the three verdicts, were the data set the right one.
    note : str
        A sentence for the reader.
    """

    ours: str
    verdict: str
    note: str


def _verdict(exact: bool, direction: bool = False) -> str:
    return REPRODUCED if exact else DIRECTION if direction else NOT


def design(tables: Tables, printed: Printed) -> Found:
    """C01, from the design check."""
    check = tables["design_check"]
    check = check[check["subject"].fillna("") == ""]

    def row(quantity: str, condition: str = "") -> pd.Series:
        chosen = (check["quantity"] == quantity) & (check["condition"].fillna("") == condition)
        found = check[chosen].dropna(subset="value")
        if found.empty:
            raise TooFew(f"these logs do not tell {quantity} {condition}".rstrip())
        return found.iloc[0]

    p0 = {name: row("p0", name) for name in ("easy", "hard")}
    p0_fits = [own["low"] <= printed[f"p0_{name}"] <= own["high"] for name, own in p0.items()]
    penalty = (
        row("time_besides_decision_incorrect_s", "easy")["value"]
        - row("time_besides_decision_correct_s", "easy")["value"]
    )
    subjects = row("one_session_subjects")["value"]
    blocks, duration = row("blocks_per_subject"), row("block_duration_s")
    holds = [
        subjects == printed["subjects"],
        blocks["value"] == printed["blocks"],
        duration["value"] >= printed["block_s"] > duration["low"] - 5,
        *p0_fits,
        row("reward_correct", "easy")["value"] == printed["coins_easy"],
        row("reward_correct", "hard")["value"] == printed["coins_hard"],
        abs(penalty - printed["penalty_s"]) < 0.01,
    ]
    return Found(
        f"{subjects:.0f} subjects; {blocks['value']:.0f} blocks of {duration['value']:.0f} s; "
        f"P0 {p0['easy']['value']:.3f} / {p0['hard']['value']:.3f}; penalty {penalty:.2f} s",
        _verdict(all(holds), all(p0_fits)),
        f"P0 lies in [{p0['easy']['low']:.3f}, {p0['easy']['high']:.3f}] and "
        f"[{p0['hard']['low']:.3f}, {p0['hard']['high']:.3f}]; blocks per subject range from "
        f"{blocks['low']:.0f} to {blocks['high']:.0f}.",
    )


def early_variation(tables: Tables, printed: Printed) -> Found:
    """C02, from the boundaries after the first block."""
    changes = tables["boundary_changes"]
    easy = changes[changes["condition"] == "easy"]
    if easy.empty:
        raise TooFew("nobody responded to an easy trial")
    free = easy[~easy["stable"]]
    by_time = free.groupby("boundary_time")["varies"].agg(["sum", "size"])
    share = by_time["sum"] / by_time["size"]
    stable = easy[easy["stable"]].groupby("boundary_time")["varies"].agg(["sum", "size"])
    return Found(
        "; ".join(_counts(by_time)),
        _verdict((share > printed["share"]).all(), (share > printed["share"]).any()),
        f"Subjects whose boundary for easy trials changes by more than its noise over the times "
        f"they used; the median change is {free['change'].median():.0f} px. With stable parameters "
        f"{'; '.join(_counts(stable))}.",
    )


def _counts(by_time: pd.DataFrame) -> list[str]:
    return [f"{row['sum']:.0f} of {row['size']:.0f} ({t} time)" for t, row in by_time.iterrows()]


def time_varying(tables: Tables, printed: Printed) -> Found:
    """C03, from the evidence for each shape within each class."""
    evidence = tables["shape_evidence"]
    if evidence.empty:
        raise TooFew("nobody responded, so there are no boundary models to compare")
    stable = evidence[evidence["stable"] & (evidence["learning"] == "rl")]
    evidence = evidence[~evidence["stable"]]
    bic = evidence[evidence["criterion"] == "bic"]
    strong = (bic["protected_exceedance"] > 0.95).groupby(bic["boundary_time"]).sum()
    most = (bic["n_weibull"] > bic["n_subjects"] / 2).groupby(bic["boundary_time"]).sum()
    classes = printed["classes"]
    aic = evidence[evidence["criterion"] == "aic"]
    favoured = (aic["n_weibull"] > aic["n_subjects"] / 2).groupby(aic["boundary_time"]).sum()
    said = [
        f"{strong[time]} of {classes:.0f} classes ({time} time)" for time in sorted(strong.index)
    ]
    return Found(
        "; ".join(said),
        _verdict((strong == classes).all(), (favoured == classes).all() or (most == classes).all()),
        f"Classes in which the Weibull form has a protected exceedance above 0.95 by BIC; it has "
        f"the lower BIC for most subjects in {most.max()} and the lower AIC in {favoured.max()} of "
        f"the {classes:.0f}. With stable parameters class rl has it at "
        f"{_each(stable[stable['criterion'] == 'bic'], 'protected_exceedance')}.",
    )


def best_model(tables: Tables, printed: Printed) -> Found:
    """C04, from model selection."""
    selection = tables["model_selection"]
    if selection.empty:
        raise TooFew("nobody responded, so there are no boundary models to compare")
    said, exact, direction = {False: [], True: []}, [], []
    by = selection.groupby(["stable", "boundary_time", "criterion"])
    for (stable, time, criterion), own in by:
        ours = own[(own["shape"] == "weibull") & (own["learning"] == "rl")].iloc[0]
        total = own["n_best"].sum()
        text = f"{ours['n_best']:.0f} of {total:.0f} ({criterion.upper()}, {time} time)"
        said[stable].append(text)
        if not stable:
            exact.append(ours["n_best"] > printed["share"] * total)
            direction.append(ours["n_best"] >= own["n_best"].max())
    free = selection[selection["default"] & ~selection["stable"]]
    best = free.sort_values("exceedance").iloc[-1]
    unstable = free.loc[(free["shape"] == "weibull") & (free["learning"] == "rl"), "n_unstable"]
    return Found(
        "; ".join(said[False]),
        _verdict(all(exact), any(direction)),
        f"Subjects for whom the Weibull boundary with reinforcement learning is best; the largest "
        f"exceedance probability ({best['exceedance']:.2f}) has the {best['shape']} boundary "
        f"with class {best['learning']}. Up to {unstable.max():.0f} of these fits are unstable; "
        f"with stable parameters {'; '.join(said[True])}.",
    )


def _each(table: pd.DataFrame, column: str) -> str:
    return "; ".join(
        f"{row[column]:.2f} ({row['boundary_time']} time)" for _, row in table.iterrows()
    )


def zero_likelihood(tables: Tables, printed: Printed) -> Found:
    """C05, from the worked example."""
    from fuzzybounds.weibull.boundary import weibull

    at, position = worked_example.RESPONSE
    distance = float(weibull(at, **worked_example.WEIBULL)) - position
    times, path = worked_example.steps_to_path(worked_example.CROSSING_STEPS)
    fine = np.linspace(0, at, 8001)
    above = np.interp(fine, times, path) >= weibull(fine, **worked_example.WEIBULL)
    crossing = fine[above.argmax()] if above.any() else np.nan
    output = worked_example.CONTROLLER.output(times, path)
    likelihood = output[-1] * np.prod(1 - output[:-1])
    return Found(
        f"d = {distance:.2f} px; crosses at {crossing:.2f} s; fuzzy likelihood {likelihood:.1e}",
        _verdict(bool(above.any() and crossing < at and likelihood > 0)),
        "A path that the canoe can take to 8 s and 90 px meets the mean boundary long before.",
    )


def worked_degrees(tables: Tables, printed: Printed) -> Found:
    """C06, from the worked example."""
    short, medium, _ = worked_example.TIME.degrees(1.5, normalised=False)
    ours = {"short": short, "medium": medium, "product": short * medium}
    near = [abs(ours[name] - value) <= 0.01 for name, value in printed.items()]
    return Found(
        ", ".join(f"{name} {value:.3f}" for name, value in ours.items()),
        _verdict(all(near)),
        "With exp(-d²/2σ²) and σ = 2; Eq. 2 as printed would give other values.",
    )


def structure_degrees(tables: Tables, printed: Printed) -> Found:
    """C07, from equidistant memberships."""
    memberships = equidistant(3, convention="width")
    (s2, m2, _), (s4, m4, _) = memberships.degrees(np.array([0.2, 0.4]), normalised=True)
    ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4, "certainty": s2 * m4}
    near = [abs(ours[name] - value) <= 0.005 + 1e-12 for name, value in printed.items()]
    return Found(
        f"0.2: S {s2:.3f}, M {m2:.3f}; 0.4: S {s4:.3f}, M {m4:.3f}; certainty {s2 * m4:.3f}",
        _verdict(all(near)),
        "With normalised degrees and a width of 3/7 of the distance between centres.",
    )


def gradients(tables: Tables, printed: Printed) -> Found:
    """C08, by finite differences on random networks."""
    from fuzzybounds.fuzzy.backpropagation import backward_pass
    from fuzzybounds.fuzzy.network import Network
    from fuzzybounds.storage.seeds import generator

    rng = generator(0, "claims", "gradients")
    worst = 0.0
    for _ in range(20):
        network = Network.grid((3, 3), "width")
        centers, widths = rng.uniform(0, 1, 6), rng.uniform(0.2, 0.6, 6)
        consequents = rng.integers(0, 2, 9).astype(float)
        consequents[:2] = 0.0, 1.0
        x, y = rng.uniform(0, 1, (30, 2)), rng.integers(0, 2, 30)

        def loss(parameters, network=network, consequents=consequents, x=x, y=y):
            return backward_pass(network, *np.split(parameters, 2), consequents, x, y)[0]

        start = np.concatenate([centers, widths])
        _, *parts = backward_pass(network, centers, widths, consequents, x, y)
        analytic = np.concatenate(parts)
        steps = 1e-6 * np.eye(12)
        numeric = np.array([(loss(start + h) - loss(start - h)) / 2e-6 for h in steps])
        worst = max(worst, float(np.abs(analytic - numeric).max() / np.abs(numeric).max()))
    return Found(
        f"largest relative difference {worst:.0e}",
        _verdict(worst < 1e-6),
        "A1 to A13 against central differences on 20 random networks; L is a log-likelihood, so "
        "descending means descending on -L.",
    )


def group_sizes(tables: Tables, printed: Printed) -> Found:
    """C09, from the groups."""
    counts = tables["groups"]["group"].value_counts()
    fast, slow = int(counts.get(FAST, 0)), int(counts.get(SLOW, 0))
    return Found(
        f"{fast} fast, {slow} slow",
        _verdict((fast, slow) == (printed["n_fast"], printed["n_slow"])),
        "By MATLAB's quantiles, with <= for the fast and > for the slow group.",
    )


def outputs(tables: Tables, printed: Printed) -> Found:
    """C10, from the averaged outputs."""
    need_both(tables["group_output"]["group"])
    summary = tables["group_output"].groupby(["group", "window"])["output"].agg(["mean", "min"])
    if len(summary) < 4:
        raise TooFew("a group has no fits in one of the windows")
    larger = [
        summary.loc[(FAST, h), "mean"] > summary.loc[(SLOW, h), "mean"] for h in (FIRST, LAST)
    ]
    first, last = (float(summary.loc[(SLOW, window), "min"]) for window in (FIRST, LAST))
    near = abs(first - printed["least_first"]) <= 0.05 and abs(last - printed["least_last"]) <= 0.05
    return Found(
        f"fast above slow in {sum(larger)} of 2 windows; least output {first:.2f}, then {last:.2f}",
        _verdict(all(larger) and near, all(larger)),
        "Means over the unit square of the fitted output with five labels.",
    )


def consequents(tables: Tables, printed: Printed) -> Found:
    """C11, from the averaged consequents."""
    need_both(tables["consequents"]["group"])
    cells = tables["consequents"].set_index(["group", "window", "time_label", "position_label"])
    keys = {
        "fast_S_M": (FAST, FIRST, "S", "M"),
        "slow_S_M": (SLOW, FIRST, "S", "M"),
        "slow_M_S": (SLOW, FIRST, "M", "S"),
    }
    ours = {name: cells.loc[key] for name, key in keys.items() if key in cells.index}
    near = [
        abs(ours[name]["mean"] - value) <= 2 * ours[name]["sd_over_draws"] + 0.005
        for name, value in printed.items()
        if name in ours
    ]
    both = {"fast_S_M", "slow_S_M"} <= set(ours)
    ordered = both and ours["fast_S_M"]["mean"] > ours["slow_S_M"]["mean"]
    return Found(
        "; ".join(
            f"{name.replace('_', ' ')} {own['mean']:.2f} ± {own['sd_over_draws']:.2f}"
            for name, own in ours.items()
        ),
        _verdict(len(near) == 3 and all(near), bool(ordered)),
        "Mean and standard deviation over draws of the earlier points; the first draw alone gives "
        + ", ".join(f"{own['first_draw']:.2f}" for own in ours.values())
        + ".",
    )


def corner_changes(tables: Tables, printed: Printed) -> Found:
    """C12, from the averaged consequents of the lower left nine cells."""
    table = tables["consequents"]
    small = ["VS", "S", "M"]
    corner = table[table["time_label"].isin(small) & table["position_label"].isin(small)]
    wide = corner.pivot_table("mean", ["group", "time_label", "position_label"], "window")
    change = wide.reindex(columns=[FIRST, LAST]).diff(axis="columns")[LAST].dropna()
    need_both(change.index.to_frame()["group"])
    slow, fast = change[SLOW], change[FAST]
    excepted = slow.drop(("M", "VS"), errors="ignore")
    exact = (excepted >= 0).all() and (fast <= 0).all()
    return Found(
        f"slow: {(slow > 0).sum()} of {len(slow)} cells rise, mean {slow.mean():+.2f}; "
        f"fast: {(fast < 0).sum()} of {len(fast)} fall, mean {fast.mean():+.2f}",
        _verdict(bool(exact), bool(slow.mean() > 0 and fast.mean() < 0)),
        "Lower left: time and position VS, S or M.",
    )


def _p(tests: pd.DataFrame, comparison: str) -> pd.Series:
    row = tests[(tests["comparison"] == comparison) & (tests["test"] == STUDENT)].iloc[0]
    if np.isnan(row["p"]):
        raise TooFew(f"{comparison}: a test needs two subjects in each group, who differ")
    return row


def between_groups(tables: Tables, printed: Printed) -> Found:
    """C13, from the group tests."""
    rows = {window: _p(tables["group_tests"], f"slow_vs_fast_{window}") for window in (FIRST, LAST)}
    below = [rows[window]["p"] < printed[f"p_{window}"] for window in (FIRST, LAST)]
    above = [row["mean_difference"] > 0 for row in rows.values()]
    permuted = tables["group_tests"].query("test == 'permutation'").set_index("comparison")["p"]
    return Found(
        "; ".join(
            f"{window}: {row['mean_difference']:.0f} px, p = {row['p']:.2g}"
            for window, row in rows.items()
        ),
        _verdict(all(below) and all(above), all(above)),
        "Student's t-test; permutations give "
        f"{permuted['slow_vs_fast_first']:.4f} and {permuted['slow_vs_fast_last']:.4f}. The groups "
        "were chosen by the first window, where they must differ.",
    )


def within_groups(tables: Tables, printed: Printed) -> Found:
    """C14, from the group tests."""
    rows = {group: _p(tables["group_tests"], f"{group}_last_vs_first") for group in (FAST, SLOW)}
    digits = [
        bool(prints_as(pd.Series([rows[group]["p"]]), printed[f"p_{group}"]).iloc[0])
        for group in rows
    ]
    signs = rows[FAST]["mean_difference"] > 0 > rows[SLOW]["mean_difference"]
    return Found(
        "; ".join(
            f"{group}: {row['mean_difference']:+.0f} px, p = {row['p']:.3f}"
            for group, row in rows.items()
        ),
        _verdict(all(digits) and signs, bool(signs)),
        "Student's two-sample t-test on subjects' medians, missed deadlines included; the paper "
        "cuts digits (1/6 is printed 0.16). The windows come from the same subjects, so a paired "
        "test would have been in place.",
    )


def three_sessions(tables: Tables, printed: Printed) -> Found:
    """C15, from the rules of subjects with recorded paths."""
    rules = tables["rules"]
    own = rules[rules["subject"].isin(tables["dataset"]["recorded_paths"]) & (rules["labels"] == 3)]
    if own.empty:
        return Found(
            "no recorded paths", NOT, "The paths of the paper's two subjects are unpublished."
        )
    cells = own.groupby(["subject", "window", "time_label", "position_label"])["consequent"].mean()
    count = (cells < 0.5).groupby(["subject", "window"]).sum()
    return Found(
        "; ".join(f"{subject} {window}: {n} continue" for (subject, window), n in count.items()),
        NOT,
        "Rules that most draws give; the paths of the paper's two subjects are unpublished.",
    )


def learning(tables: Tables, printed: Printed) -> Found:
    """C16, from the simulated learning curves."""
    curves, initial = tables["learning_curves"], tables["learning_initial"].iloc[0]
    # The window that starts after 3000 trials, and the last one.
    after = curves[curves["trial"] == 4000].groupby("rule")["reward_rate"].median()
    last = curves[curves["trial"] == curves["trial"].max()].groupby("rule")["reward_rate"].median()
    starts = abs(initial["exact"] - printed["initial"]) <= 0.1
    reaches = (after - printed["after"]).abs() <= 0.1
    noise = abs(initial["exact"]) / initial["sd_of_a_window"]
    return Found(
        f"initial {initial['exact']:.2f}; "
        + "; ".join(f"{rule}: {after[rule]:.2f}, at last {last[rule]:.2f}" for rule in after.index),
        _verdict(bool(starts and reaches["as printed"]), bool(starts and reaches.any())),
        f"Medians over replicates of the window after 3000 trials. The initial rate is {noise:.1f} "
        "standard deviations of a window from zero; the paper gives neither o nor the initial "
        "rules, which were chosen such that it is about -0.2.",
    )


def optimum(tables: Tables, printed: Printed) -> Found:
    """C17, from dynamic programming."""
    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    rate = rates["paper_uncued", "steps"]
    boundary = tables["optimal_boundary"]
    own = boundary[(boundary["design"] == "paper_uncued") & (boundary["respond_at"] == "steps")]
    # Only every second position is possible at a time, so a rise of one step is none.
    falls = bool((own["boundary"].diff().dropna() <= STEP_PIXELS).all())
    falls &= bool(own["boundary"].iloc[-1] < own["boundary"].iloc[0])
    return Found(
        f"{rate:.4f} at steps, {rates['paper_uncued', 'frames']:.4f} at any frame",
        _verdict(
            abs(rate - printed["rate"]) <= 0.05 and falls, abs(rate - printed["rate"]) <= 0.05
        ),
        f"Boundary from {own['boundary'].iloc[0]:.0f} px at {own['time'].iloc[0]:.1f} s to "
        f"{own['boundary'].iloc[-1]:.0f} px at {own['time'].iloc[-1]:.1f} s; with cues "
        f"{rates['paper_cued', 'steps']:.4f}.",
    )


CLAIMS: dict[str, Callable[[Tables, Printed], Found]] = {
    "C01": design,
    "C02": early_variation,
    "C03": time_varying,
    "C04": best_model,
    "C05": zero_likelihood,
    "C06": worked_degrees,
    "C07": structure_degrees,
    "C08": gradients,
    "C09": group_sizes,
    "C10": outputs,
    "C11": consequents,
    "C12": corner_changes,
    "C13": between_groups,
    "C14": within_groups,
    "C15": three_sessions,
    "C16": learning,
    "C17": optimum,
}


def score(registry: Mapping[str, Any], tables: Tables, dataset: str, kind: str) -> pd.DataFrame:
    """Score every claim of the registry.

    Parameters
    ----------
    registry : mapping
        Content of ``claims.yaml``.
    tables : mapping
        Result tables by name.
    dataset, kind : str
        Name and kind of the data set.

    Returns
    -------
    DataFrame
        Columns id, claim, where, paper, ours, verdict, note, tolerance, dataset, computed_by.
    """
    return pd.DataFrame(
        _score(name, entry, tables, dataset, kind) for name, entry in registry.items()
    )


def _score(
    name: str, entry: Mapping[str, Any], tables: Tables, dataset: str, kind: str
) -> dict[str, str]:
    compute = CLAIMS[name]
    try:
        found = compute(tables, entry["printed"])
    except TooFew as reason:
        found = Found("cannot be computed", UNTESTABLE, f"Too few data: {reason}.")
    verdict, note = found.verdict, found.note
    if entry["about"] == "unpublished":
        verdict = UNTESTABLE
    elif entry["about"] not in (dataset, "anyone"):
        whose = "simulated" if kind == "simulated" else "other"
        verdict, note = (
            UNTESTABLE,
            f"The claim is about Experiment A; these are {whose} subjects. {note}",
        )
    paper = ", ".join(f"{key} {value:g}" for key, value in entry["printed"].items())
    return {
        "id": name,
        "claim": entry["claim"],
        "where": entry["where"],
        "paper": paper or "holds",
        "ours": found.ours,
        "verdict": verdict,
        "note": note,
        "tolerance": entry["tolerance"],
        "dataset": dataset,
        "computed_by": f"fuzzybounds.paper.claims.{compute.__name__}",
    }


def as_text(scores: pd.DataFrame, remarks: Iterable[str] = (), width: int = 100) -> str:
    """The scorecard for a terminal; remarks say what the data set is too small for."""
    import textwrap

    lines = [f"Scorecard of {scores['dataset'].iloc[0]}", "=" * width]
    for row in scores.itertuples():
        lines.append(f"{row.id}  {row.verdict.upper()}")
        for name, text in (("paper", row.claim), ("ours", row.ours), ("", row.note)):
            head = f"     {name:6s}"
            lines += textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * 11)
    if remarks := list(remarks):
        lines += ["=" * width, "What these data are too few for:"]
        for remark in remarks:
            lines += textwrap.wrap(remark, width, initial_indent="  - ", subsequent_indent=" " * 4)
    counts = scores["verdict"].value_counts()
    lines += ["=" * width, "; ".join(f"{verdict}: {count}" for verdict, count in counts.items())]
    return "\n".join(lines) + "\n"
