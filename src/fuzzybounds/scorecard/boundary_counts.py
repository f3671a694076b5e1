"""What is counted for C02 to C04 and C22, on people and on simulated subjects alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fuzzybounds.core.statistics import wilson
from fuzzybounds.core.words import WITHIN
from fuzzybounds.paper.printed import printed as numbers_of
from fuzzybounds.scorecard.judges.judge import verdict
from fuzzybounds.scorecard.verdicts import AS_PRINTED, NOT, UNDECIDED

FAR = 2.0
"""Standard deviations below what a constant boundary gives, beyond which a subject counts."""
LEVEL = 5.0
"""AIC or BIC by which two models must differ for a subject to count for certain: searches on two
processors have ended up to 2.5 nats apart."""
EFFECT, EXCEEDANCE = 0.5, 0.95
"""The change of a boundary, in units of its noise, and the protected exceedance that count."""
RL, WITHOUT = ("weibull", "rl"), ("weibull", "none")
OF_PAPER = ("none", "utility", "accuracy", "window", "rl")
"""The learning classes that the paper compares; what it prints is about no other."""
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
    n, of = int(counts[EFFECT]), int(easy["n_subjects"].iloc[0])
    result = verdict(n > numbers_of("C02")["share"] * of)
    return {"value": n, "out_of": of, "compared": int(counts[1.0]), "verdict": result}


def count_classes(evidence: pd.DataFrame) -> Count:
    """Count the paper's learning classes in which the time-varying boundary is better (C03)."""
    evidence = evidence[evidence["learning"].isin(OF_PAPER)]
    classes = len(evidence)
    strong = int((evidence["protected_exceedance"] > EXCEEDANCE).sum())
    most = int((evidence["n_weibull"] > evidence["n_subjects"] / 2).sum())
    result = verdict(strong == classes, most == classes)
    return {"value": strong, "out_of": classes, "compared": most, "verdict": result}


def count_best(scores: pd.DataFrame) -> Count:
    """Count the subjects for whom the Weibull boundary with class rl is best of ten (C04)."""
    scores = scores[[model for model in scores if model[1] in OF_PAPER]]
    best = scores.idxmin(axis=1).value_counts()
    ours = int(best.get(RL, 0))
    other = int(best.drop(RL, errors="ignore").max()) if ours < len(scores) else 0
    result = verdict(ours > numbers_of("C04")["share"] * len(scores), ours > other)
    lead = scores.drop(columns=[RL]).min(axis=1) - scores[RL]
    edge = int((lead.abs() < LEVEL).sum())
    counts = {"value": ours, "out_of": len(scores), "compared": other, "edge": edge}
    return {**counts, "verdict": result}


def count_learning(scores: pd.DataFrame) -> Count:
    """Count the subjects whom class rl describes better than the same boundary unlearned (C22)."""
    gain = scores[WITHOUT] - scores[RL]
    better, summed = int((gain > 0).sum()), round(float(gain.sum()))
    result = verdict(2 * better > len(gain) and summed > 0)
    return {"value": better, "out_of": len(gain), "compared": summed, "verdict": result}


def count_below(direction: pd.DataFrame) -> Count:
    """Count the subjects whose responses to easy trials a constant boundary cannot explain.

    The boundary is the one that is harder to reject, with noise within trials and lapses.
    """
    easy = direction[(direction["condition"] == "easy") & (direction["noise"] == WITHIN)]
    below = int((easy["z"] < -FAR).sum())
    result = judge_share(below, len(easy)) if len(easy) else UNDECIDED
    return {"value": below, "out_of": len(easy), "verdict": result}
