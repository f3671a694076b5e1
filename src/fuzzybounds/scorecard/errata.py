"""Where the paper contradicts itself or is silent, what was chosen, and the evidence.

An entry is a function that computes its evidence, a sentence, from result tables or from the worked
example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.beyond.learners.sweep import TRIALS, matches
from fuzzybounds.beyond.multiverse.fit_choices import changes_of_output
from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import DEADLINE, EASY, EDGE, OVERHEAD, STEP, STEP_PIXELS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.paper.groups.fast_and_slow import members
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.claims.claim import Tables
from fuzzybounds.scorecard.claims.task import by_control, compared

FAR = 7.0
"""Differences (px) beyond this are counted (A26): about a tenth of a typical distance."""

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
    try:
        return ERRATA[name].evidence(tables)
    except TooFew as reason:
        return f"none from these data: {reason}"


@erratum(
    "A01",
    "Eq. 2 and A1 have exp(-d²/σ²); the worked values need exp(-d²/2σ²)",
    "width (as printed) in fits; deviation in the worked example (fuzzy.convention)",
)
def gaussian(tables: Tables) -> str:
    """A01: the two conventions at 1.5 s."""
    printed = Memberships(
        labels(3), worked_example.TIME.centers, worked_example.TIME.widths, "width"
    )
    as_printed, as_worked = (
        own.degrees(1.5, normalised=False)[:2] for own in (printed, worked_example.TIME)
    )
    return (
        f"1.5 s is short to {as_printed[0]:.2f} and medium to {as_printed[1]:.2f} by Eq. 2, to "
        f"{as_worked[0]:.2f} and {as_worked[1]:.2f} with 2σ²; the text has 0.76 and 0.22"
    )


@erratum(
    "A02",
    "Memberships are said to be normalised, yet 0.76 and 0.22 are not",
    "normalised in structure learning (fuzzy.normalised), where it can decide which rule wins; "
    "the output does not depend on it, since it scales every premise of a point alike",
)
def normalisation_of_degrees(tables: Tables) -> str:
    """A02: sums of the worked degrees."""
    total = worked_example.TIME.degrees(1.5, normalised=False).sum()
    free = equidistant(3, convention="width").degrees(0.2, normalised=False)
    return (
        f"the degrees of 1.5 s sum to {total:.2f}; those of 0.2 in Fig. 9 would be "
        f"{free[0]:.2f} and {free[1]:.2f} without normalisation, not 0.75 and 0.25"
    )


@erratum(
    "A03",
    "The width of structure learning is not given, nor how it changes with five labels",
    "3/7 of the distance between centres, for any number of labels",
)
def structure_width(tables: Tables) -> str:
    """A03: the widths that print as the worked degrees."""
    squares = np.linspace(0.03, 0.07, 4001)
    fits = []
    for square in squares:
        own = equidistant(3, width=float(np.sqrt(square)), convention="width")
        (s2, m2, _), (s4, m4, _) = own.degrees(np.array([0.2, 0.4]), normalised=True)
        digits = [round(value, 2) for value in (s2, m2, s4, m4)]
        fits.append(digits == [0.75, 0.25, 0.04, 0.96])
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
    medium, long = worked_example.TIME.degrees(1.5, normalised=False)[1:]
    return f"1.5 s is medium to {medium:.2f} and long to {long:.5f}"


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
    return CLAIMS["C08"].find(tables).ours + " between the appendix and finite differences of L"


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
    said = tables["specification_summary"].set_index("key")["value"]
    groups = (
        f"{_strict_sizes(tables)}; of the {said['sizes']} specifications with 7 and 6, "
        f"{said['sizes_stated']} have both inequalities as stated"
    )
    if int(said["matching"]) == 0:
        return f"{groups}; none of {said['groups']} combinations prints all numbers"
    missed = "included" if said["missed"] == "True" else "left out"
    return (
        f"{groups}; {said['matching']} of {said['groups']} combinations print every number, all "
        f"with {said['condition']} trials, missed deadlines {missed}, {said['fast']} for the fast "
        f"group, subjects' {said['summary']}s and {said['test']}"
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
    tried = ", ".join(
        f"{name} {', '.join(f'{value:g}' for value in sorted(sweep[column].unique()))}"
        for name, column in (("o", "o"), ("α", "learning_rate"), ("γ", "leak"))
    )
    return (
        f"{len(sweep)} readings were tried ({tried}; {sweep['rule_base'].nunique()} initial rules; "
        "consequents within [0, 1] or not; both signs). Of those that start near the printed rate, "
        f"it rises {_swept(tables)}; {CLAIMS['C16'].find(tables).note}"
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
    return "C02: " + CLAIMS["C02"].find(tables).ours


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
    return (
        f"{short:.4f} is printed 0.75 and {small:.4f} 0.04 (C07), which are rounded; "
        f"1/6 = {1 / 6:.4f} is printed 0.16, and p = {values['fast_last_vs_first']:.4f} and "
        f"{values['slow_last_vs_first']:.4f} 0.18 and 0.29, which are cut"
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
    "If the weights of Gaussian basis functions decrease, so is the boundary said to do; that "
    "of Fig. 3 rises at first",
    "basis functions and weights as in the figure",
)
def rising_boundary(tables: Tables) -> str:
    """A27: where the sum of basis functions is largest."""
    times = np.linspace(0, worked_example.BASIS_CENTERS[-1], 1201)
    distance = (times[:, None] - worked_example.BASIS_CENTERS) / worked_example.BASIS_WIDTH
    boundary = np.exp(-(distance**2)) @ worked_example.BASIS_WEIGHTS
    top = int(boundary.argmax())
    return (
        f"with weights that fall from {worked_example.BASIS_WEIGHTS[0]:.0f} to "
        f"{worked_example.BASIS_WEIGHTS[-1]:.0f} px, b(t) rises from {boundary[0]:.0f} px at 0 s "
        f"to {boundary[top]:.0f} px at {times[top]:.1f} s, because the first function has no "
        "neighbour to its left"
    )


@erratum(
    "A28",
    "Membership functions are said to be Gaussian, those of stop and continue (Fig. 4) as "
    "well; after normalisation they are logistic, and the output uses their centres alone",
    "centres 0 and 1",
)
def output_memberships(tables: Tables) -> str:
    """A28: two Gaussians of equal width, normalised."""
    own = Memberships(("continue", "stop"), np.array([0.0, 1.0]), np.full(2, 0.5), "deviation")
    odds = own.degrees(np.array([0.25, 0.5, 0.75]), normalised=True)
    slopes = np.diff(np.log(odds[:, 1] / odds[:, 0])) / 0.25
    return (
        f"the log odds of two normalised Gaussians of width 0.5 rise by {slopes[0]:.0f} and "
        f"{slopes[1]:.0f} per unit of the output, which is a logistic curve"
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
    point = CLAIMS["C21"].printed
    time, position = point["time"] * DEADLINE, point["position"] * EDGE
    residual = locate(np.array([time]), np.array([position])).residual[0]
    end = tables["example_trial"].iloc[-1]
    return (
        f"after {round(time / STEP)} steps the canoe is {abs(residual):.0f} px from "
        f"{point['position']:g} of the screen; the trial that is drawn ends at "
        f"({end['time'] / DEADLINE:.2f}, {end['position'] / EDGE:.2f})"
    )
