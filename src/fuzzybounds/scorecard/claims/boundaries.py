"""C02 to C04: the shape of fitted boundaries, and which boundary model describes subjects best.

All three are judged on the fits that Fig. 1 draws: with parameters that let no error grow, and with
the boundary read at the decision time.  The results on the authors' time axis, within their bounds
and of other choices are in the notes and in the table ``boundary_multiverse``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fuzzybounds.beyond.controls.boundary_direction import BETWEEN, WITHIN
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.statistics import wilson
from fuzzybounds.scorecard.claims.claim import (
    CLAIMS,
    DEPENDS,
    NOT,
    AS_PRINTED,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
    Found,
    Numbers,
    Tables,
    claim,
    few_for_share,
    verdict,
)

FAR = 2.0
"""Standard deviations below what a constant boundary gives, beyond which a subject counts."""
LEVEL = 5.0
"""AIC or BIC by which two models must differ for a subject to count for certain: searches on two
processors have ended up to 2.5 nats apart."""
RL = ("weibull", "rl")
CONCLUDED = {AS_PRINTED: SUPPORTED, NOT: UNSUPPORTED, UNDECIDED: UNDECIDED}
Count = Mapping[str, Any]
"""What is counted for a claim: value, out_of, compared, verdict, and for C04 edge."""


def judge_share(n: int, n_subjects: int, share: float = 0.5) -> str:
    """Judge by the interval of a share: it lies above the printed one, below it, or around it."""
    low, high = wilson(n, n_subjects)
    return AS_PRINTED if low > share else NOT if high < share else UNDECIDED


def count_varying(variation: pd.DataFrame) -> Count | None:
    """Count the boundaries for easy trials that vary after the first block (C02)."""
    easy = variation[(variation["condition"] == "easy") & (variation["unit"] == "noise")]
    if easy.empty:
        return None
    counts = easy.set_index("threshold")["n_varying"]
    n, of = int(counts[CLAIMS["C02"].tolerance["effect"]]), int(easy["n_subjects"].iloc[0])
    return {"value": n, "out_of": of, "compared": int(counts[1.0]), "verdict": judge_share(n, of)}


def count_classes(evidence: pd.DataFrame) -> Count:
    """Count the learning classes in which the time-varying boundary is better (C03)."""
    exceedance, classes = CLAIMS["C03"].tolerance["exceedance"], CLAIMS["C03"].printed["classes"]
    strong = int((evidence["protected_exceedance"] > exceedance).sum())
    most = int((evidence["n_weibull"] > evidence["n_subjects"] / 2).sum())
    found = verdict(strong == classes, most == classes)
    return {"value": strong, "out_of": len(evidence), "compared": most, "verdict": found}


def count_best(scores: pd.DataFrame) -> Count:
    """Count the subjects for whom the Weibull boundary with class rl is best (C04)."""
    best = scores.idxmin(axis=1).value_counts()
    ours = int(best.get(RL, 0))
    other = int(best.drop(RL, errors="ignore").max()) if ours < len(scores) else 0
    found = verdict(ours > CLAIMS["C04"].printed["share"] * len(scores), ours > other)
    lead = scores.drop(columns=[RL]).min(axis=1) - scores[RL]
    edge = int((lead.abs() < LEVEL).sum())
    counts = {"value": ours, "out_of": len(scores), "compared": other, "edge": edge}
    return {**counts, "verdict": found}


def count_below(direction: pd.DataFrame) -> Count:
    """Count the subjects whose responses to easy trials a constant boundary cannot explain.

    The boundary is the one that is harder to reject, with noise within trials and lapses.
    """
    easy = direction[(direction["condition"] == "easy") & (direction["noise"] == WITHIN)]
    below = int((easy["z"] < -FAR).sum())
    found = judge_share(below, len(easy)) if len(easy) else UNDECIDED
    return {"value": below, "out_of": len(easy), "verdict": found}


def _controlled(tables: Tables, claim: str, judge: str, found: str) -> tuple[str, str]:
    """Return the conclusion of a judge, and what it finds where the truth is known.

    What a judge affirms counts if it affirms nothing that is false by construction, and what it
    denies if it denies nothing that is true.
    """
    controls = tables["boundary_controls"]
    own = controls[(controls["claim"] == claim) & (controls["judge"] == judge)]
    if own.empty:
        return UNDECIDED, "There is no control on simulated subjects."
    said = "; ".join(
        f"{row['truth']} {row['value']} of {row['out_of']} ({'right' if row['right'] else 'wrong'})"
        for _, row in own.iterrows()
    )
    sentence = f"On simulated subjects whose boundaries are known the same judge finds: {said}."
    deciding = {AS_PRINTED: ~own["expected"], NOT: own["expected"]}.get(found, own["right"].notna())
    return (CONCLUDED[found] if own.loc[deciding, "right"].all() else UNIDENTIFIED), sentence


@claim(
    "C02",
    "most subjects' boundaries vary with time already after the first block",
    where="Shape of decision boundaries, Fig. 1",
    paper="most subjects",
    control="simulated subjects whose boundaries are constant, or constant at first",
    rule="a change by more than {effect:g} of the noise, a medium effect; the 95 % interval of "
    "the share of subjects above one half; undecided where it contains one half",
    tables=("boundary_multiverse", "boundary_controls"),
    printed={"share": 0.5},
    tolerance={"effect": 0.5},
)
def early_variation(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C02 by the boundaries after the first block."""
    rows, row = _rows(tables, "C02", "nobody responded to an easy trial")
    conclusion, controls = _controlled(tables, "C02", "printed", row["verdict"])
    low, high = wilson(row["value"], row["out_of"])
    return Found(
        f"{row['value']:.0f} of {row['out_of']} [{low:.2f}, {high:.2f}]",
        _over(rows, row),
        f"Subjects whose stable boundary for easy trials changes by more than "
        f"{tolerance['effect']:g} of its noise over the times they used, on the "
        f"{row['boundary_time']} time, and the 95 % interval of their share; {row['compared']} "
        f"change by more than the whole noise. The curve over thresholds is in "
        f"boundary_variation.csv. In the model only the level of a boundary changes from block to "
        f"block, so that its shape after the first block is that of the whole session. {controls} "
        f"{_others(rows)}",
        few_for_share(row["value"], row["out_of"], printed["share"]),
        conclusion=conclusion,
    )


@claim(
    "C03",
    "in each of 5 learning classes the time-varying boundary fits better than the constant one",
    where="Shape of decision boundaries",
    paper="5 of 5 classes",
    control="responses as a constant boundary with noise would give them to a walking canoe; "
    "simulated subjects whose boundaries are constant or fall",
    rule="protected exceedance above {exceedance:g} in every class; in direction, more than "
    "half of the subjects in every class",
    tables=("boundary_multiverse", "shape_evidence", "boundary_direction", "boundary_controls"),
    printed={"classes": 5},
    tolerance={"exceedance": 0.95},
)
def time_varying(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C03 by the evidence for each shape within each class."""
    rows, row = _rows(tables, "C03", "nobody responded, so there are no boundary models to compare")
    below = count_below(tables["boundary_direction"])
    conclusion, controls = _controlled(tables, "C03", "direction", below["verdict"])
    _, of_printed = _controlled(tables, "C03", "printed", below["verdict"])
    return Found(
        f"{row['value']:.0f} of {printed['classes']:.0f} classes",
        _over(rows, row),
        f"Classes in which the Weibull form has a protected exceedance above "
        f"{tolerance['exceedance']:g} by {row['criterion'].upper()} on the {row['boundary_time']} "
        f"time, with stable fits; it is better for most subjects in {row['compared']}. "
        f"{of_printed} This comparison decides the verdict alone; the conclusion rests on the "
        "direction of the responses. "
        f"{_direction(tables['boundary_direction'])} {controls} {_others(rows)}",
        conclusion=conclusion,
    )


def _direction(table: pd.DataFrame) -> str:
    """Describe whether a constant boundary with noise could explain the responses."""
    easy = table[table["condition"] == "easy"]
    if easy.empty:
        return "Too few responses to compare with a constant boundary."
    expected, below = (
        {noise: rows[column].agg(how) for noise, rows in easy.groupby("noise")}
        for column, how in (("simulated", "mean"), ("z", lambda z: int((z < -FAR).sum())))
    )
    within = easy[easy["noise"] == WITHIN]
    return (
        f"Were the boundary constant, time and |position| on easy trials would correlate by "
        f"{expected[WITHIN]:.2f} with noise within trials and lapses, fitted to each subject, and "
        f"by {expected[BETWEEN]:.2f} with noise between trials. They do by "
        f"{within['correlation'].mean():.2f}; {below[WITHIN]} and {below[BETWEEN]} of "
        f"{len(within)} subjects lie more than {FAR:g} standard deviations below."
    )


@claim(
    "C04",
    "the time-varying boundary with reinforcement learning is the best model for most subjects",
    where="Shape of decision boundaries",
    paper="most subjects",
    control="simulated subjects who learn by reinforcement, or do not learn",
    rule="best for more than half of the subjects; in direction, for more subjects than any "
    "other model",
    tables=("boundary_multiverse", "model_selection", "boundary_controls"),
    printed={"share": 0.5},
)
def best_model(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C04 by model selection."""
    rows, row = _rows(tables, "C04", "nobody responded, so there are no boundary models to compare")
    selection = tables["model_selection"]
    free = selection[selection["default"] & ~selection["stable"]]
    unstable = free.loc[(free["shape"] == "weibull") & (free["learning"] == "rl"), "n_unstable"]
    stable = selection[selection["default"] & selection["stable"]]
    best = stable[stable["boundary_time"] == row["boundary_time"]].sort_values("n_best").iloc[-1]
    share = judge_share(row["value"], row["out_of"], printed["share"])
    conclusion, controls = _controlled(tables, "C04", "printed", share)
    return Found(
        f"{row['value']:.0f} of {row['out_of']}",
        _over(rows, row),
        f"Subjects for whom the Weibull boundary with reinforcement learning is best by "
        f"{row['criterion'].upper()} on the {row['boundary_time']} time, with stable fits; the "
        f"{best['shape']} boundary with class {best['learning']} is for {best['n_best']}. Within "
        f"the authors' bounds {unstable.sum():.0f} of its fits are unstable. For {row['edge']:.0f} "
        f"subjects the best other model is within {LEVEL:g}, as far as searches may miss. "
        f"{controls} {_others(rows)}",
        few_for_share(row["value"], row["out_of"], printed["share"]),
        conclusion=conclusion,
    )


def _over(rows: pd.DataFrame, row: pd.Series) -> str:
    """Return the default's verdict if at least half of the stable specifications give it."""
    every = rows.loc[rows["bounds"] == "stable", "verdict"]
    return row["verdict"] if 2 * (every == row["verdict"]).sum() >= len(every) else DEPENDS


def _rows(tables: Tables, claim: str, missing: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the rows of a claim in the multiverse, and the one that it is judged by."""
    table = tables["boundary_multiverse"]
    if table.empty or not ((table["claim"] == claim) & table["default"]).any():
        raise TooFew(missing)
    rows = table[table["claim"] == claim]
    return rows, rows[rows["default"]].iloc[0]


def _others(rows: pd.DataFrame) -> str:
    """Describe the results of the other choices, unstable fits separately."""
    parts = []
    for bounds, label in (("stable", "stable fits"), ("authors", "the authors' bounds (unstable)")):
        own = rows[rows["bounds"] == bounds]
        if len(own):
            counts = own["verdict"].value_counts().sort_index()
            said = ", ".join(f"{name} {n}" for name, n in counts.items())
            low, high = own["value"].min(), own["value"].max()
            values = f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}"
            parts.append(f"{label} give {values} in {len(own)} specifications ({said})")
    return f"Over criterion and time axis {'; '.join(parts)}."
