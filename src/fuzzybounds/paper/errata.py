"""Where the paper contradicts itself or is silent, what was chosen, and the evidence.

Each entry's evidence is computed here, from the worked example or from result tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import STEP, STEP_PIXELS
from fuzzybounds.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.claims import CLAIMS, Tables
from fuzzybounds.storage.errors import TooFew


class Erratum(NamedTuple):
    """One entry.

    Attributes
    ----------
    what : str
        What is contradictory, silent or wrong.
    choice : str
        What this project does, and the option that changes it.
    evidence : callable
        Result tables to a sentence.
    """

    what: str
    choice: str
    evidence: Callable[[Tables], str]


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
    """A10: how much hangs on the point that was drawn."""
    spread = tables["consequents"]["sd_over_draws"].dropna()
    if spread.empty:
        raise TooFew("there are no averaged consequents")
    return (
        f"the averaged consequents of Fig. 14 have a median standard deviation of "
        f"{spread.median():.2f} over draws, at most {spread.max():.2f}"
    )


def specifications(tables: Tables) -> str:
    """A11 to A14: which specifications print as the paper."""
    summary = tables["specification_summary"].set_index("quantity")["value"]
    if int(float(summary["group specifications that print as the paper"])) == 0:
        return (
            f"none of {summary['specifications of groups and tests']} combinations prints them all"
        )
    chosen = {
        name: summary[f"{name} in those that print as the paper"]
        for name in ("condition", "missed", "summary", "test")
    }
    missed = "included" if chosen["missed"] == "True" else "left out"
    return (
        f"{summary['group specifications that print as the paper']} of "
        f"{summary['specifications of groups and tests']} combinations print every number, all "
        f"with {chosen['condition']} trials, missed deadlines {missed}, subjects' "
        f"{chosen['summary']}s and {chosen['test']}"
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
        "Fig. 14 maps stop to 1 in so many words; but what the printed update takes from a weight "
        f"that codes stop as 0 is added to one that codes it as 1 (A15), and {_swept(tables)}"
    )


def learning_rule(tables: Tables) -> str:
    """A15 to A17: what each sign of the update does."""
    swept = tables["learning_sweep_summary"].set_index("quantity")["value"]
    ours = CLAIMS["C16"].find(tables).ours + " (coins/s)"
    chosen = f"range {swept['range in those that match']}, o {swept['o in those that match']}"
    return f"{ours}; {_swept(tables)} ({chosen}), as if stop were coded 0 (A05)"


def boundary_time(tables: Tables) -> str:
    """A19: what hangs on the boundary's time axis."""
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
    """A22: printed digits are cut, not rounded."""
    tests = tables["group_tests"]
    rows = tests[(tests["test"] == "student_t") & tests["comparison"].str.endswith("last_vs_first")]
    values = rows.set_index("comparison")["p"]
    if values.isna().any():
        raise TooFew("a test needs two subjects in each group, who differ")
    return (
        f"1/6 = {1 / 6:.4f} is printed 0.16; p = {values['fast_last_vs_first']:.4f} and "
        f"{values['slow_last_vs_first']:.4f} are printed 0.18 and 0.29"
    )


def overlap(tables: Tables) -> str:
    """A23: subjects whose windows overlap."""
    check = tables["design_check"]
    blocks = check[check["quantity"] == "blocks_per_subject"].iloc[0]
    return f"blocks per subject range from {blocks['low']:.0f} to {blocks['high']:.0f}"


def nothing(reason: str) -> Callable[[Tables], str]:
    """Evidence that is the text itself."""
    return lambda tables: reason


ERRATA: dict[str, Erratum] = {
    "A01": Erratum(
        "Eq. 2 and A1 have exp(-d²/σ²); the worked values need exp(-d²/2σ²)",
        "width (as printed) in fits; deviation in the worked example (fuzzy.convention)",
        gaussian,
    ),
    "A02": Erratum(
        "Memberships are said to be normalised, yet 0.76 and 0.22 are not",
        "normalised in structure learning (fuzzy.normalised), where it can decide which rule wins; "
        "the output does not depend on it, since it scales every premise of a point alike",
        normalisation_of_degrees,
    ),
    "A03": Erratum(
        "The width of structure learning is not given, nor how it changes with five labels",
        "3/7 of the distance between centres, for any number of labels",
        structure_width,
    ),
    "A04": Erratum(
        "At 1.5 s and 200 px, 0.22 is said to be T long", "it is T medium", swapped_labels
    ),
    "A05": Erratum(
        "The centre of stop is 0 in the text on defuzzification, 1 everywhere else",
        "stop is 1, continue 0",
        coding_of_stop,
    ),
    "A06": Erratum("L is called a loss and is a log-likelihood", "descend on -L", gradient_sign),
    "A07": Erratum(
        "p = O / o, and o is never given",
        "o = 1 for two-class points; explicit, with the step dt, for paths",
        nothing("no number in the paper depends on it"),
    ),
    "A08": Erratum(
        "Nothing is said of premises that no point supports",
        "no rule (fuzzy.empty: omit, or neighbours)",
        empty_cells,
    ),
    "A09": Erratum(
        "Which ranges are mapped to [0, 1] is not said",
        "each subject's own (fuzzy.normalisation: subject, or design)",
        ranges,
    ),
    "A10": Erratum(
        "The procedure for subjects without recorded paths is announced and not given",
        "uniform random-walk bridges, many draws (samples.draws)",
        reconstructed,
    ),
    "A11-A14": Erratum(
        "Trials, quantile, inequality, summary and test behind groups and p-values are not named",
        "those that give the printed digits (groups)",
        specifications,
    ),
    "A15-A17": Erratum(
        "The update lowers the consequents of rules that led to a good outcome; α, γ, ρ, the step, "
        "the initial rules and the range of the consequents are not given",
        "both signs are run (learning); the others are options",
        learning_rule,
    ),
    "A18": Erratum(
        "The Weibull boundary's collapse is [ψ/2 - ψ'], in Hawkins et al. (2015) a fraction of ψ",
        "as printed: the same curves by other parameters",
        nothing("both forms are ψ plus a constant times 1 - exp(-(t/λ)^φ)"),
    ),
    "A19": Erratum(
        "The authors' code reads the boundary at the total time of a trial",
        "both times are fitted (weibull.boundary_times)",
        boundary_time,
    ),
    "A20": Erratum(
        "The caption of Fig. 15 says slow for both groups; that of Fig. 16 misreads 'M,S'",
        "captions of our own",
        nothing("see the captions"),
    ),
    "A21": Erratum(
        "Fig. 6 has a response at 9.5 s and 270 px, which the canoe cannot reach",
        "a path to 270 px at 9.0 s, the printed point marked beside it",
        unreachable_response,
    ),
    "A22": Erratum(
        "Digits are cut, not rounded", "a value agrees if it prints so cut or rounded", cut_digits
    ),
    "A23": Erratum(
        "Not every subject has 40 blocks, so first and last 20 may overlap",
        "the last 20 of each subject's own blocks",
        overlap,
    ),
}


def table(tables: Tables, errata: Mapping[str, Erratum] = ERRATA) -> pd.DataFrame:
    """The errata with their evidence, as columns id, what, choice, evidence."""
    rows = [
        (name, entry.what, entry.choice, _evidence(entry, tables)) for name, entry in errata.items()
    ]
    return pd.DataFrame(rows, columns=["id", "what", "choice", "evidence"])


def _evidence(entry: Erratum, tables: Tables) -> str:
    try:
        return entry.evidence(tables)
    except TooFew as reason:
        return f"none from these data: {reason}"
