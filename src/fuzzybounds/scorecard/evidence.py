"""Evidence for the errata: a sentence computed from result tables or the worked example."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import STEP, STEP_PIXELS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.scorecard.claims import CLAIMS, Tables


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


def normalisation_of_degrees(tables: Tables) -> str:
    """A02: sums of the worked degrees."""
    total = worked_example.TIME.degrees(1.5, normalised=False).sum()
    free = equidistant(3, convention="width").degrees(0.2, normalised=False)
    return (
        f"the degrees of 1.5 s sum to {total:.2f}; those of 0.2 in Fig. 9 would be "
        f"{free[0]:.2f} and {free[1]:.2f} without normalisation, not 0.75 and 0.25"
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


def swapped_labels(tables: Tables) -> str:
    """A04: which label 0.22 belongs to."""
    medium, long = worked_example.TIME.degrees(1.5, normalised=False)[1:]
    return f"1.5 s is medium to {medium:.2f} and long to {long:.5f}"


def gradient_sign(tables: Tables) -> str:
    """A06: the formulas against finite differences."""
    return CLAIMS["C08"].find(tables).ours + " between the appendix and finite differences of L"


def unknown_rate(tables: Tables) -> str:
    """A07: what depends on o."""
    swept = tables["learning_sweep_summary"].set_index("quantity")["value"]
    return (
        "two-class fits do not depend on o, but the initial reward rate and the curve of Fig. 17 "
        f"do: the readings that give them have o {swept['o in those that match']}"
    )


def empty_cells(tables: Tables) -> str:
    """A08: how many premises have no points."""
    fits = tables["fuzzy_fits"]
    five = fits[fits["labels"] == 5]["empty_cells"]
    if five.empty:
        raise TooFew("there are no fits with five labels")
    return f"of 25 premises {five.mean():.1f} are without a point in a fit on average"


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


def reconstructed(tables: Tables) -> str:
    """A10: how much results depend on the points that were drawn."""
    spread = tables["consequents"]["sd_over_draws"].dropna()
    if spread.empty:
        raise TooFew("there are no averaged consequents")
    return (
        f"the averaged consequents of Fig. 14 have a median standard deviation of "
        f"{spread.median():.2f} over draws, at most {spread.max():.2f}"
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


def _strict_sizes(tables: Tables) -> str:
    """Describe the groups under the stated inequalities, and why they have these sizes."""
    from fuzzybounds.paper.groups.fast_and_slow import members

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


def _swept(tables: Tables) -> str:
    """How many readings of the learning rule give the paper's curve, and with which sign."""
    swept = tables["learning_sweep_summary"].set_index("quantity")["value"]
    return (
        f"of {swept['settings']} readings {swept['settings that match']} give the paper's curve, "
        f"{swept['settings that match with the sign reversed']} of them with the sign reversed"
    )


def coding_of_stop(tables: Tables) -> str:
    """A05: where stop is 0 the printed update is the one with its sign reversed."""
    return (
        "the caption of Fig. 14 states that stop is mapped to 1; but what the printed update takes "
        "from a weight that codes stop as 0 is added to one that codes it as 1 (A15), and "
        f"{_swept(tables)}"
    )


def learning_rule(tables: Tables) -> str:
    """A15 to A17: what each sign of the update does."""
    swept = tables["learning_sweep_summary"].set_index("quantity")["value"]
    ours = CLAIMS["C16"].find(tables).ours + " (coins/s)"
    chosen = f"range {swept['range in those that match']}, o {swept['o in those that match']}"
    return f"{ours}; {_swept(tables)} ({chosen}), as if stop were coded 0 (A05)"


def boundary_time(tables: Tables) -> str:
    """A19: what depends on the boundary's time axis."""
    return "C02: " + CLAIMS["C02"].find(tables).ours


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


def overlap(tables: Tables) -> str:
    """A23: subjects whose windows overlap."""
    check = tables["design_check"]
    blocks = check[check["quantity"] == "blocks_per_subject"].iloc[0]
    return f"blocks per subject range from {blocks['low']:.0f} to {blocks['high']:.0f}"


def penalty(tables: Tables) -> str:
    """A24: fits with and without the penalty of tuning."""
    from fuzzybounds.beyond.multiverse.fit_choices import changes_of_output

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


def output_memberships(tables: Tables) -> str:
    """A28: two Gaussians of equal width, normalised."""
    own = Memberships(("continue", "stop"), np.array([0.0, 1.0]), np.full(2, 0.5), "deviation")
    odds = own.degrees(np.array([0.25, 0.5, 0.75]), normalised=True)
    slopes = np.diff(np.log(odds[:, 1] / odds[:, 0])) / 0.25
    return (
        f"the log odds of two normalised Gaussians of width 0.5 rise by {slopes[0]:.0f} and "
        f"{slopes[1]:.0f} per unit of the output, which is a logistic curve"
    )


def learnt_consequents(tables: Tables) -> str:
    """A29: what the rules say in the end."""
    table = tables["learning_consequents"]
    last = table[table["trial"] == table["trial"].max()]
    last = last.set_index(["rule", "time_label", "position_label"])["median"]
    said = [
        f"{rule}: {last[rule, 'S', 'S']:.1f} and {last[rule, 'L', 'L']:.1f}"
        for rule in last.index.unique("rule")
    ]
    return (
        "median consequents of (time S, position S) and of (time L, position L) in the end, where "
        f"more means stop: {'; '.join(said)}"
    )


FAR = 7.0
"""Differences (px) beyond this are counted: about a tenth of a typical distance."""


def nothing(reason: str) -> Callable[[Tables], str]:
    """Return a fixed text as evidence."""
    return lambda tables: reason
