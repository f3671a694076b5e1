"""C02 to C04, C22 and C24: the shape of boundaries, and which boundary model describes subjects.

Values are those of the fits that Fig. 1 draws: with parameters that let no error grow, and with
the boundary read at the decision time.  The paper leaves open, or its authors' code has otherwise,
the criterion, the time axis and the bounds, so verdicts are over all of them (the table
``boundary_multiverse``).
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import WITHIN
from fuzzybounds.logs.subject_designs import subjects_of_other_p0
from fuzzybounds.paper import worked_example
from fuzzybounds.scorecard.boundary_counts import EFFECT, EXCEEDANCE, FAR, count_below, judge_share
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    few_for_share,
    judge,
    over_readings,
    supported,
    verdict,
)
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    NOT,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
)

CONCLUDED = {AS_PRINTED: SUPPORTED, NOT: UNSUPPORTED, UNDECIDED: UNDECIDED}


def _controlled(tables: Tables, claim: str, judge: str, called: str) -> tuple[str, pd.DataFrame]:
    """Return the conclusion of a judge, and what it finds where the truth is known.

    What a judge affirms counts if it affirms nothing that is false by construction, and what it
    denies if it denies nothing that is true.
    """
    controls = tables["boundary_controls"]
    those = controls[(controls["claim"] == claim) & (controls["judge"] == judge)]
    if those.empty:
        return UNDECIDED, those
    deciding = {AS_PRINTED: ~those["expected"], NOT: those["expected"]}.get(
        called, those["right"].notna()
    )
    return (CONCLUDED[called] if those.loc[deciding, "right"].all() else UNIDENTIFIED), those


def _counted(tables: Tables, claim: str) -> dict[str, Any]:
    """Return the row of the multiverse that a claim is judged by, and what other choices give."""
    table = tables["boundary_multiverse"]
    if table.empty or not ((table["claim"] == claim) & table["default"]).any():
        raise TooFew(
            "nobody responded to an easy trial"
            if claim == "C02"
            else "nobody responded, so there are no boundary models to compare"
        )
    rows = table[table["claim"] == claim]
    row = rows[rows["default"]].iloc[0]
    kept = ("value", "out_of", "compared", "edge", "criterion", "boundary_time")
    return {
        **{name: row[name] for name in kept},
        "by_bounds": {
            bounds: (of_bounds["verdict"].value_counts().sort_index(), of_bounds["value"])
            for bounds, of_bounds in rows.groupby("bounds")
        },
        "holding": int((rows["verdict"] == AS_PRINTED).sum()),
        "readings": len(rows),
        "called": row["verdict"],
    }


@judge("C02", effect=EFFECT, least=0.1, most=2.0)
def early_variation(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C02 by the boundaries after the first block."""
    row = _counted(tables, "C02")
    share = judge_share(row["value"], row["out_of"], printed["share"])
    conclusion, controls = _controlled(tables, "C02", "printed", share)
    table = tables["boundary_variation"]
    table = table[(table["condition"] == "easy") & (table["unit"] == "noise")]
    most = table["n_varying"] > printed["share"] * table["n_subjects"]
    row |= {"holding": int(most.sum()), "readings": len(table)}
    return Judged(
        over_readings(row["holding"], row["readings"]),
        conclusion,
        few_for_share(row["value"], row["out_of"], printed["share"]),
        **row,
        share=printed["share"],
        effect=tolerance["effect"],
        limit=table.loc[most, "threshold"].max(),
        controls=controls,
    )


@judge("C03", exceedance=EXCEEDANCE)
def time_varying(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C03 by the evidence for each shape within each class."""
    row = _counted(tables, "C03")
    direction = tables["boundary_direction"]
    below = count_below(direction)
    conclusion, controls = _controlled(tables, "C03", "direction", below["verdict"])
    easy = direction[direction["condition"] == "easy"]
    within = easy[easy["noise"] == WITHIN]
    other = subjects_of_other_p0(tables["design_check"])
    same = within[~within["subject"].isin(other)]
    # Those of another P0 are left out where they are the fewer.
    fewer = len(within) / 2 < len(same) < len(within)
    return Judged(
        over_readings(row["holding"], row["readings"]),
        conclusion,
        **row,
        exceedance=tolerance["exceedance"],
        controls=controls,
        of_printed=_controlled(tables, "C03", "printed", below["verdict"])[1],
        direction={noise: _direction(of_noise) for noise, of_noise in easy.groupby("noise")},
        other=other if fewer else [],
        same=_direction(same),
    )


def _direction(rows: pd.DataFrame) -> dict[str, float]:
    """Return mean correlations, simulated and observed, and how many subjects lie far below."""
    return {
        "simulated": rows["simulated"].mean(),
        "observed": rows["correlation"].mean(),
        "below": int((rows["z"] < -FAR).sum()),
        "subjects": len(rows),
    }


@judge("C04")
def best_model(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C04 by model selection."""
    row = _counted(tables, "C04")
    selection = tables["model_selection"]
    free = selection[selection["default"] & ~selection["stable"]]
    unstable = free.loc[(free["shape"] == "weibull") & (free["learning"] == "rl"), "n_unstable"]
    stable = selection[selection["default"] & selection["stable"]]
    best = stable[stable["boundary_time"] == row["boundary_time"]].sort_values("n_best").iloc[-1]
    share = judge_share(row["value"], row["out_of"], printed["share"])
    conclusion, controls = _controlled(tables, "C04", "printed", share)
    return Judged(
        over_readings(row["holding"], row["readings"]),
        conclusion,
        few_for_share(row["value"], row["out_of"], printed["share"]),
        **row,
        share=printed["share"],
        best=best,
        unstable=unstable.sum(),
        controls=controls,
    )


@judge("C22")
def adjusted_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C22 by the Weibull boundary with class rl against the same without learning."""
    row = _counted(tables, "C22")
    share = judge_share(row["value"], row["out_of"], printed["share"])
    # Most subjects count if the sum agrees.
    called = row["called"] if share == AS_PRINTED else share
    conclusion, controls = _controlled(tables, "C22", "printed", called)
    return Judged(
        over_readings(row["holding"], row["readings"]),
        conclusion,
        few_for_share(row["value"], row["out_of"], printed["share"]),
        **row,
        share=printed["share"],
        controls=controls,
    )


@judge("C24")
def implied_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
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
    return Judged(
        verdict(alike > 0, printed=READING),
        # One may be a search that ended elsewhere.
        UNDECIDED if nearer == 1 else supported(nearer > 1),
        alike=alike,
        nearer=nearer,
        subjects=len(table),
        nearest=table["implied"].min(),
    )
