"""C02 to C04, C22 and C24: the shape of boundaries, and which boundary model describes subjects.

Values are those of the fits that Fig. 1 draws: with parameters that let no error grow, and with
the boundary read at the decision time.  The paper leaves open, or its authors' code has otherwise,
the criterion, the time axis and the bounds, so verdicts are over all of them (the table
``boundary_multiverse``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fuzzybounds.checks.controls.boundary_direction import BETWEEN, WITHIN
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.statistics import wilson
from fuzzybounds.paper import worked_example
from fuzzybounds.scorecard.claims.claim import (
    AS_PRINTED,
    CLAIMS,
    NOT,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
    Found,
    Numbers,
    Tables,
    claim,
    few_for_share,
    over_readings,
    supported,
    verdict,
)
from fuzzybounds.stopping.data import subjects_of_other_p0

FAR = 2.0
"""Standard deviations below what a constant boundary gives, beyond which a subject counts."""
LEVEL = 5.0
"""AIC or BIC by which two models must differ for a subject to count for certain: searches on two
processors have ended up to 2.5 nats apart."""
RL, WITHOUT = ("weibull", "rl"), ("weibull", "none")
CONCLUDED = {AS_PRINTED: SUPPORTED, NOT: UNSUPPORTED, UNDECIDED: UNDECIDED}
Count = Mapping[str, Any]
"""What is counted for a claim: value, out_of, compared, verdict, and for C04 edge."""
VARIED = "criterion, time axis, and bounds of the search"


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
    exceedance, classes = CLAIMS["C03"].tolerance["exceedance"], len(evidence)
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


def count_learning(scores: pd.DataFrame) -> Count:
    """Count the subjects whom class rl describes better than the same boundary unlearned (C22)."""
    gain = scores[WITHOUT] - scores[RL]
    better, summed = int((gain > 0).sum()), round(float(gain.sum()))
    found = verdict(2 * better > len(gain) and summed > 0)
    return {"value": better, "out_of": len(gain), "compared": summed, "verdict": found}


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
    rule="more than half of the subjects, whatever change counts ({least:g} to {most:g} of the "
    "noise), time axis and bounds; our value is for a medium effect, {effect:g} of the noise",
    tables=("boundary_multiverse", "boundary_variation", "boundary_controls"),
    printed={"share": 0.5},
    tolerance={"effect": 0.5, "least": 0.1, "most": 2.0},
)
def early_variation(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C02 by the boundaries after the first block."""
    rows, row = _rows(tables, "C02", "nobody responded to an easy trial")
    conclusion, controls = _controlled(tables, "C02", "printed", row["verdict"])
    low, high = wilson(row["value"], row["out_of"])
    table = tables["boundary_variation"]
    table = table[(table["condition"] == "easy") & (table["unit"] == "noise")]
    most = table["n_varying"] > printed["share"] * table["n_subjects"]
    limit = table.loc[most, "threshold"].max()
    return Found(
        f"{row['value']:.0f} of {row['out_of']} [{low:.2f}, {high:.2f}]",
        over_readings(int(most.sum()), len(table)),
        f"Subjects whose stable boundary for easy trials changes by more than "
        f"{tolerance['effect']:g} of its noise over the times they used, on the "
        f"{row['boundary_time']} time, and the 95 % interval of their share. The curve over "
        f"thresholds is in boundary_variation.csv. In the model only the level of a boundary "
        f"changes from block to block, so that its shape after the first block is that of the "
        f"whole session. {controls} "
        f"{_others(rows)}",
        few_for_share(row["value"], row["out_of"], printed["share"]),
        conclusion=conclusion,
        reason=f"The paper does not say how large a change counts. Most subjects' boundaries vary "
        f"under {most.sum()} of {len(table)} readings (smallest change that counts, time axis, "
        f"bounds)"
        + (f", at most if changes from {limit:g} of the noise count." if most.any() else "."),
    )


@claim(
    "C03",
    "in each of 5 learning classes the time-varying boundary fits better than the constant one",
    where="Shape of decision boundaries",
    paper="5 of 5 classes",
    control="responses as a constant boundary with noise would give them to a walking canoe; "
    "simulated subjects whose boundaries are constant or fall",
    rule="protected exceedance above {exceedance:g} in every class, in every reading",
    tables=(
        *("boundary_multiverse", "shape_evidence", "boundary_direction", "boundary_controls"),
        "design_check",
    ),
    printed={"classes": 5},
    tolerance={"exceedance": 0.95},
)
def time_varying(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C03 by the evidence for each shape within each class."""
    rows, row = _rows(tables, "C03", "nobody responded, so there are no boundary models to compare")
    below = count_below(tables["boundary_direction"])
    conclusion, controls = _controlled(tables, "C03", "direction", below["verdict"])
    _, of_printed = _controlled(tables, "C03", "printed", below["verdict"])
    other = subjects_of_other_p0(tables["design_check"])
    direction = _direction(tables["boundary_direction"], other)
    return Found(
        f"{row['value']:.0f} of {row['out_of']:.0f} classes",
        _verdict(rows),
        f"Classes in which the Weibull form has a protected exceedance above "
        f"{tolerance['exceedance']:g} by {row['criterion'].upper()} on the {row['boundary_time']} "
        f"time, with stable fits; it is better for most subjects in {row['compared']}. "
        f"{of_printed} This comparison decides the verdict alone; the conclusion rests on the "
        "direction of the responses. "
        f"{direction} {controls} {_others(rows)}",
        conclusion=conclusion,
        reason=_reason(rows),
    )


def _direction(table: pd.DataFrame, other: list[str]) -> str:
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
        f"{_without(within, other)}"
    )


def _without(within: pd.DataFrame, other: list[str]) -> str:
    """Say how many lie below without the subjects of another P0, if these are the fewer."""
    same = within[~within["subject"].isin(other)]
    if not len(within) / 2 < len(same) < len(within):
        return ""
    return (
        f" Without subject {', '.join(other)}, whose P0 on easy trials was another, "
        f"{(same['z'] < -FAR).sum()} of {len(same)} do."
    )


@claim(
    "C04",
    "the time-varying boundary with reinforcement learning is the best model for most subjects",
    where="Shape of decision boundaries",
    paper="most subjects",
    control="simulated subjects who learn by reinforcement, or do not learn",
    rule="best for more than half of the subjects, in every reading",
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
        _verdict(rows),
        f"Subjects for whom the Weibull boundary with reinforcement learning is best by "
        f"{row['criterion'].upper()} on the {row['boundary_time']} time, with stable fits; the "
        f"{best['shape']} boundary with class {best['learning']} is for {best['n_best']}. Within "
        f"the authors' bounds {unstable.sum():.0f} of its fits are unstable. For {row['edge']:.0f} "
        f"subjects the best other model is within {LEVEL:g}, as far as searches may miss. "
        f"{controls} {_others(rows)}",
        few_for_share(row["value"], row["out_of"], printed["share"]),
        conclusion=conclusion,
        reason=_reason(rows),
    )


@claim(
    "C22",
    "subjects adjusted their boundary: learning by reinforcement fits much better than none",
    where="Introduction; A reinforcement learning algorithm",
    paper="much better",
    control="simulated subjects who learn by reinforcement, or do not learn",
    rule="better for more than half of the subjects and in sum, in every reading",
    tables=("boundary_multiverse", "boundary_controls"),
    printed={"share": 0.5},
)
def adjusted_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C22 by the Weibull boundary with class rl against the same without learning."""
    rows, row = _rows(tables, "C22", "nobody responded, so there are no boundary models to compare")
    conclusion, controls = _controlled(tables, "C22", "printed", row["verdict"])
    return Found(
        f"{row['value']:.0f} of {row['out_of']}; summed {row['criterion'].upper()} lower by "
        f"{row['compared']:.0f}",
        _verdict(rows),
        f"Subjects whom the Weibull boundary describes better with reinforcement learning than "
        f"without learning, by {row['criterion'].upper()} on the {row['boundary_time']} time, with "
        f"stable fits. A boundary that drifts with practice for another reason would also be "
        f"described better. {controls} {_others(rows)}",
        few_for_share(row["value"], row["out_of"], printed["share"]),
        conclusion=conclusion,
        reason=_reason(rows),
    )


@claim(
    "C24",
    "the rules and memberships of Figs. 4 and 5 give a boundary like those of some subjects",
    where="A fuzzy logic model, Fig. 5",
    paper="similar to some of the boundaries of Fig. 1",
    rule="at least one fitted boundary differs by less than its noise (root mean square)",
    control="no fitted boundary is nearer to it than to the best constant",
    tables=("boundaries", "boundary_changes"),
)
def implied_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C24 by the distance of fitted boundaries from the one that the rules imply."""
    chosen = {"boundary_time": "decision", "stable": True, "condition": "easy"}
    key = list(chosen)
    curves, changes = (
        table[(table[key] == list(chosen.values())).all(axis=1)]
        for table in (tables["boundaries"], tables["boundary_changes"])
    )
    if changes.empty:
        raise TooFew("nobody responded to an easy trial")
    distances = {}
    for subject, first in curves[curves["after"] == "first_block"].groupby("subject"):
        used = changes[changes["subject"] == subject].iloc[0]
        first = first[first["time"].between(used["earliest"], used["latest"])]
        if first.empty:
            continue
        implied = worked_example.CONTROLLER.boundary(first["time"].to_numpy())
        away = float(((first["boundary"] - implied) ** 2).mean() ** 0.5)
        distances[subject] = (away, float(first["boundary"].std(ddof=0)), used["sigma"])
    table = pd.DataFrame(distances, index=["implied", "constant", "sigma"]).T
    if table.empty:
        raise TooFew("no boundary has a time at which it was used")
    alike = int((table["implied"] < table["sigma"]).sum())
    nearer = int((table["implied"] < table[["constant", "sigma"]].min(axis=1)).sum())
    return Found(
        f"{alike} of {len(table)} subjects; nearest {table['implied'].min():.0f} px",
        verdict(alike > 0, printed=READING),
        "Subjects whose boundary for easy trials after the first block differs, over the times "
        "they used, by less than its noise from the boundary at which the output of Fig. 6 is one "
        f"half. For {nearer} of them it is also nearer than the best constant boundary. Fig. 5's "
        "rules but one, and all labels but one, are chosen here.",
        conclusion=supported(nearer > 0),
        reason="The paper prints one rule and one label, and does not say which subjects.",
    )


def _verdict(rows: pd.DataFrame) -> str:
    """Return the verdict over all readings."""
    return over_readings(int((rows["verdict"] == AS_PRINTED).sum()), len(rows))


def _reason(rows: pd.DataFrame) -> str:
    holds = int((rows["verdict"] == AS_PRINTED).sum())
    return f"It holds under {holds} of {len(rows)} readings ({VARIED})."


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
