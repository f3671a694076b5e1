"""The power of designs: what cohorts of known truths would be called, and what is known of rules.

:mod:`~fuzzybounds.stopping.planning` simulates and analyses the subjects; here they are drawn with
replacement into cohorts of several sizes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs.study_design import Gate, StudyDesign
from fuzzybounds.stopping.planning import (
    DIRECTED,
    HAZARD,
    KEPT,
    MET,
    RULES,
    SHARES,
    TRUTHS,
    plan_subjects,
)
from fuzzybounds.stopping.recovery import called

DESIGNS = read_yaml(Path(__file__).with_name("designs.yaml"))
SIZES = (5, 10, 20, 40)
"""Numbers of subjects whose chance of the right answer is tabulated."""
COHORT = 5
"""The number by which designs are ranked."""
KEYS = ["design", "paths", "truth", "share"]


def listed_designs() -> dict[str, tuple[StudyDesign, str]]:
    """Return the designs of ``designs.yaml``, each with how paths are known."""
    return {
        name: (
            StudyDesign(
                start=each.get("start", 0.0), gate=Gate(**each["gate"]) if "gate" in each else None
            ),
            each["paths"],
        )
        for name, each in DESIGNS.items()
    }


def compare_designs(*, seed: int, subjects: int) -> pd.DataFrame:
    """Simulate subjects under every listed design; those who keep decisions under the last alone.

    Parameters
    ----------
    seed : int
    subjects : int
        Simulated for each design and truth.

    Returns
    -------
    DataFrame
        The table ``design_power``.
    """
    designs = listed_designs()
    truths, last = (RULES, MET, DIRECTED), dict([list(designs.items())[-1]])
    power = measure(designs, truths=truths, subjects=subjects, seed=seed)
    kept = measure(last, truths=(KEPT,), subjects=subjects, seed=seed, shares=SHARES[-1:])
    return pd.concat([power, kept], ignore_index=True)


def measure(
    designs: Mapping[str, tuple[StudyDesign, str]],
    *,
    truths: Sequence[str] = TRUTHS,
    subjects: int,
    seed: int,
    shares: Sequence[float] = SHARES,
) -> pd.DataFrame:
    """Return the table ``design_power`` of designs by name, each with how paths are known.

    Where several designs are ranked, answers are tabulated for whole sessions only.
    """
    rows: list[dict[str, Any]] = []
    for name, (design, paths) in designs.items():
        for truth in truths:
            named = {"design": name, "paths": paths, "truth": truth}
            print(f"{name}, {truth}: {subjects} subjects", file=sys.stderr, flush=True)
            parts = shares if truth == RULES or len(designs) == 1 else shares[-1:]
            made = plan_subjects(design, truth, subjects, paths=paths, shares=parts, seed=seed)
            rows += [named | row for row in made]
    return tabulate(pd.DataFrame(rows), seed)


def tabulate(subjects: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Summarise simulated subjects by design, truth and part of a session."""
    rows = []
    for keys, group in subjects.groupby(KEYS, sort=False):
        shared = {
            **dict(zip(KEYS, keys, strict=True)),
            "trials": int(group["trials"].median()),
            "minutes": group["minutes"].iloc[0],
            "replicates": len(group),
        }
        if shared["truth"] == RULES:
            mean = group[["cells_right", "cells_wrong", "p_true_base", "bits"]].mean()
            rows.append({**shared, **mean, "bits_per_minute": mean["bits"] / shared["minutes"]})
            continue
        lead, gate = group["lead"].to_numpy(), group["gate"]
        over_subjects = {"ahead": lead.mean(), "gate_px": gate.mean(), "gate_sd": gate.std()}
        for size in SIZES:
            chances = called(lead, size, generator(seed, "design power", *map(str, keys), size))
            wanted = {"right": "called_answer", "wrong": "called_other", "undecided": "undecided"}
            answers = {name: chances[column] for name, column in wanted.items()}
            if shared["truth"] == HAZARD:
                # Neither is right: models of both answers contain a hazard without direction.
                unclear = answers["undecided"]
                answers = {"right": unclear, "wrong": 1 - unclear, "undecided": 0.0}
            rows.append({**shared, **over_subjects, "subjects": size, **answers})
    table = TABLES["design_power"]
    frame = pd.DataFrame(rows, columns=table.names)
    return frame.assign(subjects=frame["subjects"].fillna(1).astype(int))


def rank(power: pd.DataFrame) -> pd.DataFrame:
    """Rank designs by the information per minute that a whole session brings about rules.

    `tell` is the chance that a cohort tells a boundary that is met from responses while outward.
    """
    whole = power[power["share"] == power.groupby("design")["share"].transform("max")]
    whole = whole.set_index("design")
    columns = [
        "paths",
        "minutes",
        "trials",
        "bits",
        "bits_per_minute",
        "cells_right",
        "cells_wrong",
    ]
    table = whole.loc[whole["truth"] == RULES, [*columns, "p_true_base"]]
    asked = whole[whole["truth"].isin([MET, DIRECTED]) & (whole["subjects"] == COHORT)]
    table = table.assign(tell=asked.groupby("design")["right"].mean())
    return table.sort_values("bits_per_minute", ascending=False)
