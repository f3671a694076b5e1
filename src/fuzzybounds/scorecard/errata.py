"""Where the paper contradicts itself or is silent, what was chosen, and the evidence.

An entry is a function that computes its evidence, a sentence, from result tables or from the worked
example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import DEADLINE, EASY, EDGE, OVERHEAD, SPEED, STEP, STEP_PIXELS
from fuzzybounds.checks.learning.sweep import TRIALS, matches
from fuzzybounds.checks.multiverse.fit_choices import changes_of_output
from fuzzybounds.core.dictionary import file_of
from fuzzybounds.core.errors import TooFew, listed
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.groups.fast_and_slow import members
from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.findings import find
from fuzzybounds.scorecard.judges.judge import Tables
from fuzzybounds.scorecard.judges.learning import by_control
from fuzzybounds.scorecard.words.learning import compared

FAR = 7.0
"""Differences (px) beyond this are counted (A26): about a tenth of a typical distance."""

REQUESTED = {"A24": ("penalty_check",), "A26": ("bridge_check",)}
"""Tables that are made on request only, by the erratum whose evidence they are."""
Evidence = Callable[[Tables], str]


class Erratum(NamedTuple):
    """What is contradictory, silent or wrong; what this project does; and the evidence."""

    what: str
    choice: str
    evidence: Evidence


ERRATA: dict[str, Erratum] = {}


def erratum(id_: str, what: str, choice: str) -> Callable[[Evidence], Evidence]:
    """Define an entry by the function that computes its evidence."""

    def define(evidence: Evidence) -> Evidence:
        ERRATA[id_] = Erratum(what, choice, evidence)
        return evidence

    return define


def table(tables: Tables) -> pd.DataFrame:
    """Return the errata with their evidence: the table ``errata``."""
    rows = [(name, own.what, own.choice, evidence(name, tables)) for name, own in ERRATA.items()]
    return pd.DataFrame(rows, columns=["id", "what", "choice", "evidence"])


def evidence(name: str, tables: Tables) -> str:
    """Return the evidence of an erratum, or why there is none."""
    missing = [file_of(needed) for needed in REQUESTED.get(name, ()) if needed not in tables]
    if missing:
        return f"in {listed(missing)}, which `fuzzybounds run DATASET --only supplement` makes"
    try:
        return ERRATA[name].evidence(tables)
    except TooFew as reason:
        return f"none from these data: {reason}"


@erratum(
    "A01",
    "Eq. 2 and A1 have exp(-d²/σ²), yet σ is called the standard deviation, which needs "
    "exp(-d²/2σ²)",
    "width, as the equations have it (fuzzy.convention); in the worked example as well",
)
def gaussian(tables: Tables) -> str:
    """A01: the worked degrees in both forms of the Gaussian."""
    by_eq2, other = (worked_example.readings(form) for form in ("width", "deviation"))
    return (
        f"the printed degrees of 1.5 s do not decide: of {by_eq2.tried} settings of short and "
        f"long (widths in steps of 0.1 s), {by_eq2.agree} give them by Eq. 2 and {other.agree} "
        "with 2σ², both normalised"
    )


@erratum(
    "A02",
    "Memberships are said to be normalised, yet Eqs. 2 and A1 divide by no sum",
    "normalised in the worked example and in structure learning (fuzzy.normalised), where it can "
    "decide which rule wins; the output does not depend on it, since it scales every premise of a "
    "point alike",
)
def normalisation_of_degrees(tables: Tables) -> str:
    """A02: the worked degrees and those of Fig. 9, normalised and not."""
    free, other = (worked_example.readings(form, False) for form in ("width", "deviation"))
    degrees = equidistant(3, convention="width").degrees(0.2, normalised=False)
    fig9 = printed("C07")
    return (
        f"without normalisation {free.agree} of {free.tried} settings of short and long give the "
        f"printed degrees of 1.5 s by Eq. 2, {other.agree} with 2σ²; those of 0.2 in Fig. 9 would "
        f"be {degrees[0]:.2f} and {degrees[1]:.2f}, not {fig9['s_of_02']} and {fig9['m_of_02']}"
    )


@erratum(
    "A03",
    "The width of structure learning is not given, nor how it changes with five labels",
    "3/7 of the distance between centres, for any number of labels",
)
def structure_width(tables: Tables) -> str:
    """A03: the widths that print as the worked degrees."""
    squares, fig9 = np.linspace(0.03, 0.07, 4001), printed("C07")
    fits = []
    for square in squares:
        own = equidistant(3, width=float(np.sqrt(square)), convention="width")
        (s2, m2, _), (s4, m4, _) = own.degrees(np.array([0.2, 0.4]), normalised=True)
        ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4}
        fits.append(all(round(value, 2) == fig9[name] for name, value in ours.items()))
    inside = squares[fits]
    chosen = equidistant(3, convention="width").widths[0] ** 2
    return (
        f"σ² from {inside.min():.4f} to {inside.max():.4f} gives the printed degrees of Fig. 9; "
        f"3/7 of the distance between centres is {chosen:.4f}"
    )


@erratum(
    "A04",
    "At 1.5 s and 200 px, 0.22 is said to be T long",
    "it is T medium",
)
def swapped_labels(tables: Tables) -> str:
    """A04: which label 0.22 belongs to."""
    degrees = worked_example.TIME.degrees(worked_example.WORKED_TIME, normalised=True)
    return f"1.5 s is medium to {degrees[1]:.3f} and long to {degrees[2]:.3f}"


def _swept(tables: Tables) -> str:
    """Say in how many readings of the learning rule the rate rises, by the sign of the update."""
    counts = tables["learning_sweep_summary"].groupby("rule").sum(numeric_only=True).astype(int)
    return ", ".join(
        f"{rule} in {own['rises']} of {own['simulated']} readings"
        for rule, own in counts.iterrows()
    )


@erratum(
    "A05",
    "The centre of stop is 0 in the text on defuzzification, 1 everywhere else",
    "stop is 1, continue 0",
)
def coding_of_stop(tables: Tables) -> str:
    """A05: where stop is 0 the printed update is the one with its sign reversed."""
    return (
        "the caption of Fig. 14 states that stop is mapped to 1; to code it as 0 would reverse the "
        f"sign of the printed update (A15); the reward rate rises {_swept(tables)}"
    )


@erratum(
    "A06",
    "L is called a loss and is a log-likelihood",
    "descend on -L",
)
def gradient_sign(tables: Tables) -> str:
    """A06: the formulas against finite differences."""
    return find("C08", tables).ours + " between the appendix and finite differences of L"


@erratum(
    "A07",
    "p = O / o, and o is never given",
    "o = 1 for two-class points; explicit, with the step dt, for paths",
)
def unknown_rate(tables: Tables) -> str:
    """A07: what depends on o."""
    sweep = tables["learning_sweep"]
    matching = sorted(sweep.loc[matches(sweep["after_3000"]), "o"].unique())
    return (
        "two-class fits do not depend on o, but the initial reward rate and the curve of Fig. 17 "
        f"do: of o {', '.join(f'{o:g}' for o in sorted(sweep['o'].unique()))}, readings with "
        f"{', '.join(f'{o:g}' for o in matching) or 'none'} give both"
    )


@erratum(
    "A08",
    "The treatment of premises that no point supports is not described",
    "no rule (fuzzy.empty: omit, or neighbours)",
)
def empty_cells(tables: Tables) -> str:
    """A08: how many premises have no points."""
    fits = tables["fuzzy_fits"]
    five = fits[fits["labels"] == 5]["empty_cells"]
    if five.empty:
        raise TooFew("there are no fits with five labels")
    return f"of 25 premises {five.mean():.1f} are without a point in a fit on average"


@erratum(
    "A09",
    "Which ranges are mapped to [0, 1] is not stated",
    "each subject's own (fuzzy.normalisation: subject, or design)",
)
def ranges(tables: Tables) -> str:
    """A09: how the subjects' ranges differ from the design's."""
    scales = tables["fuzzy_fits"].groupby("subject")[["time_range", "position_range"]].first()
    if scales.empty:
        raise TooFew("there are no fits")
    time, position = scales["time_range"], scales["position_range"]
    return (
        f"subjects' largest values range from {time.min():.1f} to {time.max():.1f} s and from "
        f"{position.min():.0f} to {position.max():.0f} px"
    )


@erratum(
    "A10",
    "The procedure for subjects without recorded paths is announced but not given",
    "uniform random-walk bridges, many draws (samples.draws)",
)
def reconstructed(tables: Tables) -> str:
    """A10: how much results depend on the points that were drawn."""
    spread = tables["consequents"]["sd_over_draws"].dropna()
    if spread.empty:
        raise TooFew("there are no averaged consequents")
    return (
        f"the averaged consequents of Fig. 14 have a median standard deviation of "
        f"{spread.median():.2f} over draws, at most {spread.max():.2f}"
    )


def _strict_sizes(tables: Tables) -> str:
    """Describe the groups under the stated inequalities, and why they have these sizes."""
    medians = tables["groups"]["median_boundary"].to_numpy(dtype=float)
    known = medians[~np.isnan(medians)]
    if not known.size:
        raise TooFew("no subject has a boundary")
    fast, slow = members(medians, quantile="hazen", fast="<", slow=">")
    low = np.quantile(known, 0.25, method="hazen")
    tied = int((known == low).sum())
    return (
        f"with < and > as stated, and MATLAB's quantiles, {fast.sum()} subjects are fast and "
        f"{slow.sum()} slow ({tied} lie at the 0.25 quantile of {low:g} px)"
    )


@erratum(
    "A11-A14",
    "Trials, quantile, summary and test behind groups and p-values are not named; the stated "
    "inequalities (less than, larger than) do not give the printed group sizes, nor do "
    "boundaries when the subject responded, without missed deadlines, give the p-values",
    "those that give the printed digits (groups)",
)
def specifications(tables: Tables) -> str:
    """A11 to A14: which specifications print as the paper, and what the stated ones give."""
    summary = tables["specification_summary"].set_index("key")
    counts, choices, sizes = summary["number"], summary["value"], printed("C09")
    groups = (
        f"{_strict_sizes(tables)}; of the {counts['sizes']:.0f} specifications with "
        f"{sizes['n_fast']} and {sizes['n_slow']}, "
        f"{counts['sizes_stated']:.0f} have both inequalities as stated"
    )
    if counts["matching"] == 0:
        return f"{groups}; none of {counts['groups']:.0f} combinations prints all numbers"
    missed = {"True": "included", "False": "left out"}.get(choices["missed"], "either way")
    return (
        f"{groups}; {counts['matching']:.0f} of {counts['groups']:.0f} combinations print every "
        f"number, all with {choices['condition']} trials, missed deadlines {missed}, "
        f"{choices['fast']} for the fast group, subjects' {choices['summary']}s and "
        f"{choices['test']}"
    )


@erratum(
    "A15",
    "The update lowers the consequents of rules that were active before a good outcome, and so "
    "makes stopping less likely",
    "as printed in the default, both signs are run (learning): most decisions of a trial are to "
    "continue, so with a memory of the whole trial the printed sign is right",
)
def sign_of_update(tables: Tables) -> str:
    """A15: where each sign of the update learns."""
    said = [
        f"{rule}: {compared(by_control(tables['learning_sweep_summary'], rule))}"
        for rule in ("as printed", "sign reversed")
    ]
    return f"against a control that learns from the outcome of the trial before, {'. '.join(said)}"


@erratum(
    "A16",
    "The simulation is said to have 1000 trials, yet the rate is 0.6 after about 3000, and the "
    "moving window has 1000",
    "6000 trials (learning.trials); until 1000, the window has all trials so far",
)
def length_of_simulation(tables: Tables) -> str:
    """A16: the reward rate after as many trials as the text says, and as the figure shows."""
    own = tables["learning_curves"].query("rule == 'as printed'")
    rates = own.groupby("trial")["reward_rate"].median()
    return (
        f"1000 trials give one whole window, of {rates[1000]:.2f} coins/s by the default; the "
        f"window after 3000 trials, which has {rates[TRIALS]:.2f}, ends at trial {TRIALS}"
    )


@erratum(
    "A17",
    "α, γ, ρ, the step between decisions, the initial rules and the range of the consequents are "
    "not given",
    "options (learning); ρ is the reward rate of the trials so far; nobody responds before the "
    "canoe moves",
)
def open_choices(tables: Tables) -> str:
    """A17: how many readings rise and match."""
    sweep = tables["learning_sweep"]
    learning = find("C16", tables)
    tried = ", ".join(
        f"{name} {', '.join(f'{value:g}' for value in sorted(sweep[column].unique()))}"
        for name, column in (("o", "o"), ("α", "learning_rate"), ("γ", "leak"))
    )
    return (
        f"{len(sweep)} readings were tried ({tried}; {sweep['rule_base'].nunique()} initial rules; "
        "consequents within [0, 1] or not; both signs). Of those that start near the printed rate, "
        f"it rises {_swept(tables)}; {learning.note}"
    )


@erratum(
    "A18",
    "The Weibull boundary's collapse is [ψ/2 - ψ'], in Hawkins et al. (2015) a fraction of ψ",
    "as printed: the same curves by other parameters",
)
def collapse(tables: Tables) -> str:
    """A18: the two forms are the same curves."""
    return "both forms are ψ plus a constant times 1 - exp(-(t/λ)^φ)"


@erratum(
    "A19",
    "The authors' code reads the boundary at the total time of a trial",
    "both times are fitted (weibull.boundary_times)",
)
def boundary_time(tables: Tables) -> str:
    """A19: what depends on the boundary's time axis."""
    return "C02: " + find("C02", tables).ours


@erratum(
    "A20",
    "The caption of Fig. 15 says slow for both groups; that of Fig. 16 misreads 'M,S'",
    "corrected captions",
)
def captions(tables: Tables) -> str:
    """A20: the captions are corrected."""
    return "see the captions"


@erratum(
    "A21",
    "Fig. 6 has a response at 9.5 s and 270 px, which the canoe cannot reach",
    "a path to 270 px at 9.0 s, with the printed point marked as well",
)
def unreachable_response(tables: Tables) -> str:
    """A21: the response of Fig. 6 against the canoe's lattice."""
    time, position = worked_example.OUTPUT_RESPONSE
    lattice = locate(np.array([time]), np.array([position]))
    steps = round(time / STEP)
    near = STEP_PIXELS * np.array([position // STEP_PIXELS - 1, position // STEP_PIXELS + 1])
    return (
        f"after {steps} steps the canoe is at an odd multiple of {STEP_PIXELS:g} px, such as "
        f"{near[0]:.0f} or {near[1]:.0f} px; {position:g} px is "
        f"{abs(lattice.residual[0]):.0f} px off"
    )


@erratum(
    "A22",
    "Some digits are rounded, others cut",
    "a value agrees if it prints the same, either rounded or cut",
)
def cut_digits(tables: Tables) -> str:
    """A22: digits are rounded in the worked example, and cut in the results."""
    tests = tables["group_tests"]
    rows = tests[(tests["test"] == "student_t") & tests["comparison"].str.endswith("last_vs_first")]
    values = rows.set_index("comparison")["p"]
    if values.isna().any():
        raise TooFew("a test needs at least two different subjects per group")
    memberships = equidistant(3, convention="width")
    (short, *_), (small, *_) = memberships.degrees(np.array([0.2, 0.4]), normalised=True)
    said = printed("C07", "C11", "C14")
    return (
        f"{short:.4f} is printed {said['s_of_02']} and {small:.4f} {said['s_of_04']} (C07), which "
        f"are rounded; 1/6 = {1 / 6:.4f} is printed {said['slow_S_M']}, and p = "
        f"{values['fast_last_vs_first']:.4f} and {values['slow_last_vs_first']:.4f} "
        f"{said['p_fast']} and {said['p_slow']}, which are cut"
    )


@erratum(
    "A23",
    "Not every subject has 40 blocks, so first and last 20 may overlap",
    "the last 20 of each subject's own blocks",
)
def overlap(tables: Tables) -> str:
    """A23: subjects whose windows overlap."""
    check = tables["design_check"]
    blocks = check[check["quantity"] == "blocks_per_subject"].iloc[0]
    return f"blocks per subject range from {blocks['low']:.0f} to {blocks['high']:.0f}"


@erratum(
    "A24",
    "The paper tunes without a penalty, which leaves the fits of separable points without a "
    "minimum",
    "a penalty of 2, best on left-out trials (fuzzy.penalty; 0 is the paper's way)",
)
def penalty(tables: Tables) -> str:
    """A24: fits with and without the penalty of tuning."""
    table = tables["penalty_check"]
    if table.empty:
        raise TooFew("there are no fits of fast or slow subjects")
    changes = changes_of_output(table)
    said = []
    for weight, own in table.groupby("penalty", sort=False):
        crossed, extreme = (
            np.average(own[name], weights=own["n_fits"]) for name in ("crossed", "extreme_width")
        )
        change = ", ".join(f"{group} {value:+.3f}" for group, value in changes[weight].items())
        said.append(
            f"with a penalty of {weight:g}, {crossed:.0%} of the fits of fast and slow subjects "
            f"have crossed centres and {extreme:.0%} an extreme width, and the mean output changes "
            f"from the first to the last window by {change}"
        )
    return "; ".join(said)


@erratum(
    "A25",
    "The output O of two-class fits is said to be proportional to the probability of stopping; "
    "it is the share of responses among points of which one per trial is an earlier one, and "
    "a frame of a long trial is less likely to be drawn than one of a short trial",
    "O is fitted and drawn as in the paper; hazards are those of the stopping and learning "
    "models, which use whole paths",
)
def not_a_hazard(tables: Tables) -> str:
    """A25: shares of responses in two-class points and in time."""
    check = tables["design_check"]
    hazards = check[check["quantity"] == "responses_per_step"].set_index("condition")["value"]
    fits = tables["fuzzy_fits"]
    if fits.empty or hazards.isna().any():
        raise TooFew("there are no fits, or no trials of a condition")
    share = fits["n_stop"].sum() / fits["n_points"].sum()
    return (
        f"{share:.0%} of the two-class points are responses, because every trial gives one point "
        f"of either class; subjects responded in {hazards['easy']:.0%} of the steps of 0.5 s that "
        f"they saw on easy and in {hazards['hard']:.0%} on hard trials"
    )


@erratum(
    "A26",
    "A path to a response is not uniform among all that end there, because the subject had "
    "not responded earlier on it",
    "uniform bridges, the plain reading",
)
def bridges(tables: Tables) -> str:
    """A26: where earlier points lie on uniform bridges, and on bridges weighted by survival."""
    difference = tables["bridge_check"]["difference"]
    if difference.empty:
        raise TooFew("there are no reconstructed paths")
    far = difference[difference > FAR]
    return (
        f"uniform bridges put earlier points farther out than bridges weighted by survival for "
        f"{(difference > 0).sum()} of {len(difference)} subjects, by {difference.median():.0f} px "
        f"in the median and by {far.min():.0f} to {far.max():.0f} px for {len(far)} of them"
        if len(far)
        else f"earlier points on uniform bridges and on bridges weighted by survival differ by at "
        f"most {difference.abs().max():.0f} px"
    )


@erratum(
    "A27",
    "If the weights of Gaussian basis functions decrease, so is the boundary said to do; where "
    "weights are positive and every function is centred within the trial, it rises at first",
    "the boundary of Fig. 3 falls: one of its functions is centred before the trial",
)
def rising_boundary(tables: Tables) -> str:
    """A27: the basis functions of Fig. 3, and those alone that are centred within the trial."""
    times = np.linspace(0, worked_example.BASIS_CENTERS[-1], 1201)
    parts = worked_example.weighted_basis(times)
    inside = worked_example.BASIS_CENTERS >= 0
    every, within, weights = (
        parts.sum(0),
        parts[inside].sum(0),
        worked_example.BASIS_WEIGHTS[inside],
    )
    top = int(within.argmax())
    return (
        f"with the {inside.sum()} functions of Fig. 3 that are centred within the trial, whose "
        f"weights fall from {weights[0]:.0f} to {weights[-1]:.0f} px, b(t) rises from "
        f"{within[0]:.0f} px at 0 s to {within[top]:.0f} px at {times[top]:.1f} s; with all "
        f"{len(parts)} it {'falls throughout' if (np.diff(every) < 0).all() else 'rises as well'}, "
        f"from {every[0]:.0f} to {every[-1]:.0f} px"
    )


@erratum(
    "A28",
    "Membership functions are said to be Gaussian, those of stop and continue (Fig. 4) as "
    "well; after normalisation they are logistic, and the output uses their centres alone",
    "centres 0 and 1",
)
def output_memberships(tables: Tables) -> str:
    """A28: two Gaussians of equal width, normalised."""
    odds = worked_example.OUTPUT.degrees(np.array([0.25, 0.5, 0.75]), normalised=True)
    slopes = np.diff(np.log(odds[:, 1] / odds[:, 0])) / 0.25
    return (
        f"the log odds of the normalised Gaussians of Fig. 4 (width 0.5) rise by {slopes[0]:.0f} "
        f"and {slopes[1]:.0f} per unit of the output, which is a logistic curve"
    )


@erratum(
    "A29",
    "Fig. 17 is said to show learning; the consequents that are learnt are not discussed",
    "consequents are shown for both signs",
)
def learnt_consequents(tables: Tables) -> str:
    """A29: what the rules say in the end."""
    table = tables["learning_consequents"]
    last = table[(table["trial"] == table["trial"].max()) & (table["median"] > 0.5)]
    said = [
        f"{rule}: "
        + ", ".join(
            f"{row.time_label},{row.position_label} {row.median:.2f}" for row in own.itertuples()
        )
        for rule, own in last.groupby("rule", sort=False)
    ]
    return (
        "rules (time, position) whose median consequent in the end is above 0.5, and so says stop "
        f"rather than continue: {'; '.join(said)}"
    )


@erratum(
    "A30",
    "Eq. update_theta subtracts α (v - Q) ∇Q; the book that it cites adds it",
    "the final rule as printed (A15)",
)
def sign_of_reference(tables: Tables) -> str:
    """A30: a step of either sign at the response of Fig. 16, where Q is the output O."""
    end = tables["example_trial"].iloc[-1]
    slope = float((end[[name for name in end.index if "," in name]].astype(float) ** 2).sum())
    return (
        "where Q is the output at the response of Fig. 16 and v is 1 above it, a step with α = 0.1 "
        f"leaves v - Q = {1 + 0.1 * slope:.2f} as printed and {1 - 0.1 * slope:.2f} with a plus. "
        "The final rule has the sign of the book if the action is to continue, as the section "
        "assumes at (0, 0), and its value falls as O grows"
    )


@erratum(
    "A31",
    "The value Q is defined in coins, and its gradient is then that of the output O, a desire "
    "within [0, 1]",
    "as printed; α takes the unit 1/coin",
)
def value_and_output(tables: Tables) -> str:
    """A31: the output along the trial of Fig. 16, and what the trial pays."""
    output = tables["example_trial"]["output"]
    return (
        f"in the trial of Fig. 16 O runs from {output.min():.2f} to {output.max():.2f}, while its "
        f"reward is {EASY.payoff} coins"
    )


@erratum(
    "A32",
    "The caption of Fig. 16 calls two panels the right one; the output is in the middle",
    "panels have letters",
)
def panels(tables: Tables) -> str:
    """A32: the text names the panels as they are drawn."""
    return "the text has the rules left, the output in the middle and the activations right"


@erratum(
    "A33",
    "d is said to be the reaction time, about 0.9, in one place, and the total time of a trial in "
    "all others",
    "d is the total time, in s",
)
def duration(tables: Tables) -> str:
    """A33: reaction time and total time of the trial of Fig. 16."""
    time = tables["example_trial"]["time"].iloc[-1]
    return (
        f"in the trial of Fig. 16 the response comes at {time / DEADLINE:.2f} of the deadline, "
        f"which is {time:.1f} s; the trial takes {time + OVERHEAD:.2f} s"
    )


@erratum(
    "A34",
    "Fig. 16 has a response at about (0.9, 0.4), where the canoe cannot be at the end of a step",
    "a trial that ends at the nearest point that the canoe can reach",
)
def response_of_fig_16(tables: Tables) -> str:
    """A34: the response of Fig. 16 against the canoe's lattice."""
    point = printed("C21")
    time, position = point["time"] * DEADLINE, point["position"] * EDGE
    residual = locate(np.array([time]), np.array([position])).residual[0]
    end = tables["example_trial"].iloc[-1]
    return (
        f"after {round(time / STEP)} steps the canoe is {abs(residual):.0f} px from "
        f"{point['position']:g} of the screen; the trial that is drawn ends at "
        f"({end['time'] / DEADLINE:.2f}, {end['position'] / EDGE:.2f})"
    )


@erratum(
    "A40",
    "The boundary is said to be observed directly, as the position at the response; the key is "
    "pressed some time after the decision, and meanwhile the canoe moves on",
    "positions at the response, as in the paper; stopping models fit a motor delay",
)
def moved_boundary(tables: Tables) -> str:
    """A40: how far the canoe moves during a motor delay."""
    return (
        f"in a motor delay of 0.15 s the canoe moves {0.15 * SPEED:.1f} px, outward after most "
        "decisions"
    )


@erratum(
    "A41",
    "To take all points of a path is said to bias the estimated probability toward zero; in the "
    "product likelihood (Eq. Fuzzy_likelihood) it does not, and one point of each trial biases it "
    "away from zero",
    "one earlier point of each trial, as in the paper; likelihoods of stopping models use all",
)
def share_of_points(tables: Tables) -> str:
    """A41: what maximises the expected likelihood of a constant probability to respond."""
    true, tried = 0.1, np.linspace(0.001, 0.999, 999)
    by_all, by_one = (
        tried[(np.log(tried) + earlier * np.log(1 - tried)).argmax()]
        # Steps before the response of a trial, and trials that have an earlier point.
        for earlier in (1 / true - 1, 1 - true)
    )
    return (
        f"if a subject responds in each step with probability {true:g}, all points estimate "
        f"{by_all:.2f}, one earlier point of each trial {by_one:.2f}"
    )


@erratum(
    "A42",
    "The rule base of subject 1 is said to have the premise C only if time and position are S",
    "C is a consequent",
)
def premise(tables: Tables) -> str:
    """A42: a slip of words."""
    return "C (continue) is a label of the output; premises are labels of time and position"


@erratum(
    "A43",
    "The canoe is said to jump to one side after each 500 ms",
    "it moves at a constant speed and draws a new direction every 500 ms",
)
def motion(tables: Tables) -> str:
    """A43: how many responses lie where a moving canoe can be."""
    check = tables["design_check"]
    share = check.loc[check["quantity"] == "share_on_lattice", "value"]
    if share.isna().all():
        raise TooFew("nobody responded")
    return (
        f"{share.iloc[0]:.1%} of the responses lie within a frame of where a canoe is that moves "
        f"at {SPEED:g} px/s; one that jumps is at multiples of {STEP_PIXELS:g} px only"
    )


@erratum(
    "A44",
    "The deadline is not mentioned, nor what became of trials without a response",
    f"{DEADLINE:g} s; such trials count as missed (validation.missed_deadline)",
)
def deadline(tables: Tables) -> str:
    """A44: trials without a response."""
    check = tables["design_check"]
    counts = check[check["quantity"].isin(["missed_deadlines", "trials"])]
    counts = counts.drop_duplicates("quantity").set_index("quantity")["value"]
    return f"{counts['missed_deadlines']:.0f} of {counts['trials']:.0f} trials have no response"


@erratum(
    "A45",
    "The text tunes the variance σ², the appendix (A3) differentiates by σ",
    "σ is tuned",
)
def variance(tables: Tables) -> str:
    """A45: the slopes by σ and by σ² differ by a factor."""
    sigma, step = 0.2, 1e-6

    def degree(width: float) -> float:
        return float(np.exp(-(0.15**2) / width**2))

    by_sigma = (degree(sigma + step) - degree(sigma - step)) / (2 * step)
    by_square = (degree((sigma**2 + step) ** 0.5) - degree((sigma**2 - step) ** 0.5)) / (2 * step)
    return (
        f"the slope by σ is that by σ² times {by_sigma / by_square:.2f} at σ = {sigma:g}, which is "
        "2σ: the same minimum, by other steps"
    )
