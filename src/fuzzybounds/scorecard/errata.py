"""Where the paper contradicts itself or is silent, what was chosen, and the evidence.

The evidence of each entry is computed, from the worked example or from result tables
(:mod:`fuzzybounds.scorecard.evidence`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard import evidence
from fuzzybounds.scorecard.claims import Tables


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


ERRATA: dict[str, Erratum] = {
    "A01": Erratum(
        "Eq. 2 and A1 have exp(-d²/σ²); the worked values need exp(-d²/2σ²)",
        "width (as printed) in fits; deviation in the worked example (fuzzy.convention)",
        evidence.gaussian,
    ),
    "A02": Erratum(
        "Memberships are said to be normalised, yet 0.76 and 0.22 are not",
        "normalised in structure learning (fuzzy.normalised), where it can decide which rule wins; "
        "the output does not depend on it, since it scales every premise of a point alike",
        evidence.normalisation_of_degrees,
    ),
    "A03": Erratum(
        "The width of structure learning is not given, nor how it changes with five labels",
        "3/7 of the distance between centres, for any number of labels",
        evidence.structure_width,
    ),
    "A04": Erratum(
        "At 1.5 s and 200 px, 0.22 is said to be T long", "it is T medium", evidence.swapped_labels
    ),
    "A05": Erratum(
        "The centre of stop is 0 in the text on defuzzification, 1 everywhere else",
        "stop is 1, continue 0",
        evidence.coding_of_stop,
    ),
    "A06": Erratum(
        "L is called a loss and is a log-likelihood", "descend on -L", evidence.gradient_sign
    ),
    "A07": Erratum(
        "p = O / o, and o is never given",
        "o = 1 for two-class points; explicit, with the step dt, for paths",
        evidence.unknown_rate,
    ),
    "A08": Erratum(
        "The treatment of premises that no point supports is not described",
        "no rule (fuzzy.empty: omit, or neighbours)",
        evidence.empty_cells,
    ),
    "A09": Erratum(
        "Which ranges are mapped to [0, 1] is not stated",
        "each subject's own (fuzzy.normalisation: subject, or design)",
        evidence.ranges,
    ),
    "A10": Erratum(
        "The procedure for subjects without recorded paths is announced but not given",
        "uniform random-walk bridges, many draws (samples.draws)",
        evidence.reconstructed,
    ),
    "A11-A14": Erratum(
        "Trials, quantile, summary and test behind groups and p-values are not named; the stated "
        "inequalities (less than, larger than) do not give the printed group sizes, nor do "
        "boundaries when the subject responded, without missed deadlines, give the p-values",
        "those that give the printed digits (groups)",
        evidence.specifications,
    ),
    "A15-A17": Erratum(
        "The update lowers the consequents of rules that led to a good outcome; α, γ, ρ, the step, "
        "the initial rules and the range of the consequents are not given",
        "both signs are run (learning); the others are options",
        evidence.learning_rule,
    ),
    "A18": Erratum(
        "The Weibull boundary's collapse is [ψ/2 - ψ'], in Hawkins et al. (2015) a fraction of ψ",
        "as printed: the same curves by other parameters",
        evidence.nothing("both forms are ψ plus a constant times 1 - exp(-(t/λ)^φ)"),
    ),
    "A19": Erratum(
        "The authors' code reads the boundary at the total time of a trial",
        "both times are fitted (weibull.boundary_times)",
        evidence.boundary_time,
    ),
    "A20": Erratum(
        "The caption of Fig. 15 says slow for both groups; that of Fig. 16 misreads 'M,S'",
        "corrected captions",
        evidence.nothing("see the captions"),
    ),
    "A21": Erratum(
        "Fig. 6 has a response at 9.5 s and 270 px, which the canoe cannot reach",
        "a path to 270 px at 9.0 s, with the printed point marked as well",
        evidence.unreachable_response,
    ),
    "A22": Erratum(
        "Some digits are rounded, others cut",
        "a value agrees if it prints the same, either rounded or cut",
        evidence.cut_digits,
    ),
    "A23": Erratum(
        "Not every subject has 40 blocks, so first and last 20 may overlap",
        "the last 20 of each subject's own blocks",
        evidence.overlap,
    ),
    "A24": Erratum(
        "The paper tunes without a penalty, which leaves the fits of separable points without a "
        "minimum",
        "a penalty of 2, best on left-out trials (fuzzy.penalty; 0 is the paper's way)",
        evidence.penalty,
    ),
    "A25": Erratum(
        "The output O of two-class fits is said to be proportional to the probability of stopping; "
        "it is the share of responses among points of which one per trial is an earlier one, and "
        "a frame of a long trial is less likely to be drawn than one of a short trial",
        "O is fitted and drawn as in the paper; hazards are those of the stopping and learning "
        "models, which use whole paths",
        evidence.not_a_hazard,
    ),
    "A26": Erratum(
        "A path to a response is not uniform among all that end there, because the subject had "
        "not responded earlier on it",
        "uniform bridges, the plain reading",
        evidence.bridges,
    ),
    "A27": Erratum(
        "If the weights of Gaussian basis functions decrease, so is the boundary said to do; that "
        "of Fig. 3 rises at first",
        "basis functions and weights as in the figure",
        evidence.rising_boundary,
    ),
    "A28": Erratum(
        "Membership functions are said to be Gaussian, those of stop and continue (Fig. 4) as "
        "well; after normalisation they are logistic, and the output uses their centres alone",
        "centres 0 and 1",
        evidence.output_memberships,
    ),
    "A29": Erratum(
        "Fig. 17 is said to show learning; the consequents that are learnt are not discussed",
        "consequents are shown for both signs",
        evidence.learnt_consequents,
    ),
}


def table(tables: Tables, errata: Mapping[str, Erratum] = ERRATA) -> pd.DataFrame:
    """Return the errata with their evidence: the table ``errata``."""
    rows = [
        (name, entry.what, entry.choice, _evidence(entry, tables)) for name, entry in errata.items()
    ]
    return pd.DataFrame(rows, columns=["id", "what", "choice", "evidence"])


def _evidence(entry: Erratum, tables: Tables) -> str:
    try:
        return entry.evidence(tables)
    except TooFew as reason:
        return f"none from these data: {reason}"
