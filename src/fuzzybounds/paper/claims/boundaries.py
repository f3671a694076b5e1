"""C02 to C04: the shape of fitted boundaries, and which boundary model describes subjects best.

All three are judged on fits whose parameters let no error grow, and on the authors' time axis, the
total time of a trial.  The results of the authors' bounds and of other choices are in the notes and
in the table ``boundary_multiverse``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.analysis.intervals import wilson
from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    INCONCLUSIVE,
    NOT,
    REPRODUCED,
    Claim,
    Found,
    Numbers,
    Tables,
    verdict,
)
from fuzzybounds.storage.errors import TooFew

if TYPE_CHECKING:
    import pandas as pd


FAR = 2.0


def judge_variation(n: int, n_subjects: int, share: float) -> str:
    """Judge by the interval of a share: it lies above the printed one, below it, or around it."""
    low, high = wilson(n, n_subjects)
    return REPRODUCED if low > share else NOT if high < share else INCONCLUSIVE


def judge_classes(strong: int, most: int, classes: float) -> str:
    """Judge by the number of classes with strong evidence, and of those that most favour."""
    return verdict(strong == classes, most == classes)


def judge_best(ours: int, best_other: int, n_subjects: int, share: float) -> str:
    """Judge by the number of subjects for whom our model, and the best other one, is best."""
    return verdict(ours > share * n_subjects, ours > best_other)


def early_variation(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C02 by the boundaries after the first block."""
    rows, row = _rows(tables, "C02", "nobody responded to an easy trial")
    low, high = wilson(row["value"], row["out_of"])
    return Found(
        f"{row['value']:.0f} of {row['out_of']} [{low:.2f}, {high:.2f}]",
        judge_variation(row["value"], row["out_of"], printed["share"]),
        f"Subjects whose stable boundary for easy trials changes by more than "
        f"{tolerance['effect']:g} of its noise over the times they used, on the total time, and "
        f"the 95 % interval of their share; {row['compared']} change by more than the whole noise. "
        f"The curve over thresholds is in boundary_variation.csv. {_others(rows, row)}",
    )


def time_varying(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C03 by the evidence for each shape within each class, without early responses."""
    rows, row = _rows(tables, "C03", "nobody responded, so there are no boundary models to compare")
    by_condition = tables["shape_by_condition"]
    shown = by_condition[
        (by_condition["criterion"] == row["criterion"])
        & (by_condition["boundary_time"] == row["boundary_time"])
        & (by_condition["learning"] == "none")
        & (by_condition["condition"] != "both")
    ]
    said = "; ".join(
        f"{one['condition']}, {one['responses']} responses {one['n_weibull']} of "
        f"{one['n_subjects']} subjects"
        for _, one in shown.iterrows()
    )
    return Found(
        f"{row['value']:.0f} of {printed['classes']:.0f} classes",
        judge_classes(row["value"], row["compared"], printed["classes"]),
        f"Classes in which the Weibull form has a protected exceedance above "
        f"{tolerance['exceedance']:g} by {row['criterion'].upper()} on the total time, with stable "
        f"fits and without responses within the canoe's first step, which lie at 90 px/s times the "
        f"time whatever the subject does; it is better for most subjects in {row['compared']}. "
        f"Better in class none: {said}. {_direction(tables['boundary_direction'])} "
        f"{_others(rows, row)}",
    )


def _direction(table: pd.DataFrame) -> str:
    """Describe whether a constant boundary with noise could explain the responses."""
    easy = table[table["condition"] == "easy"]
    if easy.empty:
        return "Too few responses to compare with a constant boundary."
    below = int((easy["z"] < -FAR).sum())
    return (
        f"Were the boundary constant, with noise from trial to trial, time and |position| on easy "
        f"trials would correlate by {easy['simulated'].mean():.2f} (simulated with a walking "
        f"canoe); they do by {easy['correlation'].mean():.2f}, and {below} of {len(easy)} subjects "
        f"lie more than {FAR:g} standard deviations below."
    )


def best_model(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C04 by model selection."""
    rows, row = _rows(tables, "C04", "nobody responded, so there are no boundary models to compare")
    selection = tables["model_selection"]
    free = selection[selection["default"] & ~selection["stable"]]
    unstable = free.loc[(free["shape"] == "weibull") & (free["learning"] == "rl"), "n_unstable"]
    stable = selection[selection["default"] & selection["stable"]]
    best = stable[stable["boundary_time"] == row["boundary_time"]].sort_values("n_best").iloc[-1]
    return Found(
        f"{row['value']:.0f} of {row['out_of']}",
        judge_best(row["value"], row["compared"], row["out_of"], printed["share"]),
        f"Subjects for whom the Weibull boundary with reinforcement learning is best by "
        f"{row['criterion'].upper()} on the total time, with stable fits; the {best['shape']} "
        f"boundary with class {best['learning']} is for {best['n_best']}. Within the authors' "
        f"bounds up to {unstable.max():.0f} of its fits are unstable. {_others(rows, row)}",
    )


def _rows(tables: Tables, claim: str, missing: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the rows of a claim in the multiverse, and the one that it is judged by."""
    table = tables["boundary_multiverse"]
    if table.empty or not ((table["claim"] == claim) & table["default"]).any():
        raise TooFew(missing)
    rows = table[table["claim"] == claim]
    return rows, rows[rows["default"]].iloc[0]


def _others(rows: pd.DataFrame, row: pd.Series) -> str:
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
    return f"Over criterion, time axis and restarts {'; '.join(parts)}."


CLAIMS = (
    Claim(
        "C02",
        "most subjects' boundaries vary with time already after the first block",
        where="Shape of decision boundaries, Fig. 1",
        about=EXPERIMENT_A,
        rule="a change by more than {effect:g} of the noise, a medium effect; the 95 % interval of "
        "the share of subjects above one half; inconclusive where it contains one half",
        judge=early_variation,
        tables=("boundary_multiverse",),
        printed={"share": 0.5},
        tolerance={"effect": 0.5},
    ),
    Claim(
        "C03",
        "in each of 5 learning classes the time-varying boundary fits better than the constant one",
        where="Shape of decision boundaries",
        about=EXPERIMENT_A,
        rule="protected exceedance above {exceedance:g} in every class; in direction, more than "
        "half of the subjects in every class",
        judge=time_varying,
        tables=("boundary_multiverse", "shape_by_condition", "boundary_direction"),
        printed={"classes": 5},
        tolerance={"exceedance": 0.95},
    ),
    Claim(
        "C04",
        "the time-varying boundary with reinforcement learning is the best model for most subjects",
        where="Shape of decision boundaries",
        about=EXPERIMENT_A,
        rule="best for more than half of the subjects; in direction, for more subjects than any "
        "other model",
        judge=best_model,
        tables=("boundary_multiverse", "model_selection"),
        printed={"share": 0.5},
    ),
)
