"""Stopping models compared by the density of trials that were left out.

A subject's *elpd* for a model is the log density of all its trials, each under the fit that had not
seen its fold.  Models are compared within subjects: differences have standard errors over subjects,
and random-effects selection takes the elpd for the log evidence.

Questions pool models by a property, and every answer to a question has equally many models.  The
density of an answer is the mean density of its models, which is the evidence for "one of these" if
each is equally likely a priori; or that of one model, chosen for every subject and fold by its AIC
on the training trials.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import logsumexp
from scipy.stats import t as student

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.model_selection import select
from fuzzybounds.stopping import catalogue
from fuzzybounds.stopping.answers import (
    BOUNDARY,
    CHOSEN,
    DESIRE,
    DIRECTION,
    IGNORED,
    KIND,
    KIND_DIRECTED,
    MEETING,
    READING,
    RULES,
    USED,
)
from fuzzybounds.stopping.catalogue import CATALOGUE, DIRECTED
from fuzzybounds.stopping.fits import ALL_TRIALS, FITTED_DELAY, NO_DELAY

KEYS = ["condition", "scheme", "delay"]
EITHER = "either"
"""The delay in rows that compare fits with and without one."""


class Comparison(NamedTuple):
    """What :func:`compare` returns."""

    comparison: pd.DataFrame
    questions: pd.DataFrame


def _of(*families: str) -> list[str]:
    """Return the models of some families, without constant boundaries."""
    return [
        name
        for name, entry in CATALOGUE.items()
        if entry.family in families and entry.shape != "constant"
    ]


PLAIN: dict[str, list[str]] = {
    BOUNDARY: ["within_exponential", "within_weibull"],
    RULES: ["graded_3", "graded_5"],
}
"""The models that stand for both kinds, each as it is and with the direction."""
WITH_DIRECTION = {kind: [f"{name}{DIRECTED}" for name in names] for kind, names in PLAIN.items()}


def _direction(*kinds: str) -> dict[str, list[str]]:
    return {
        answer: [name for kind in kinds for name in models[kind]]
        for answer, models in ((IGNORED, PLAIN), (USED, WITH_DIRECTION))
    }


QUESTIONS: dict[str, dict[str, list[str]]] = {
    KIND: PLAIN,
    KIND_DIRECTED: WITH_DIRECTION,
    DIRECTION: _direction(BOUNDARY, RULES),
    f"{DIRECTION}, {BOUNDARY}": _direction(BOUNDARY),
    f"{DIRECTION}, {RULES}": _direction(RULES),
    READING: {MEETING: ["both_exponential"], DESIRE: ["within_exponential_directed"]},
    f"{DIRECTION}, boundary met": {
        IGNORED: ["both_exponential"],
        USED: ["both_exponential_directed"],
    },
    "direction in rules": {
        "factor": ["graded_3_directed"],
        "third input": ["graded_three_inputs_3"],
    },
    "consequents": {"0 or 1": ["paper_rules_3"], "graded": ["graded_3"]},
    "paper's rules": {"rules of 0 and 1": ["paper_rules_3"], BOUNDARY: ["within_exponential"]},
    "ceiling": {BOUNDARY: ["within_exponential"], "smooth surface": ["surface"]},
    "ceiling with direction": {
        BOUNDARY: ["within_exponential_directed"],
        "smooth surface": ["surface_directed"],
    },
    "noise": {
        "within": ["within_exponential"],
        "between (met)": ["met_exponential"],
        "both": ["both_exponential"],
    },
    "shape": {shape: [f"within_{shape}"] for shape in ("constant", "exponential", "weibull")},
}
"""What is asked, and the models that stand for each answer."""
CANDIDATES = {
    BOUNDARY: _of(catalogue.WITHIN, catalogue.MET, catalogue.BOTH),
    RULES: _of(catalogue.RULES),
    "directed boundary": _of(
        *(f"{each}{DIRECTED}" for each in (catalogue.WITHIN, catalogue.MET, catalogue.BOTH))
    ),
    "directed rules": _of(f"{catalogue.RULES}{DIRECTED}", catalogue.THREE_INPUTS),
    "paper's rules": _of(catalogue.PAPER_RULES),
    "pipeline": _of(catalogue.PIPELINE),
    "control": _of(catalogue.CONTROL),
    "ceiling": _of(catalogue.CEILING, f"{catalogue.CEILING}{DIRECTED}"),
}
"""All models of a kind, of which one is chosen on the training trials."""
FLOOR, TOP = "within_constant", "surface_directed"
"""Between which models are placed: a constant boundary, and the ceiling."""


def compare(fits: pd.DataFrame) -> Comparison:
    """Compare models over subjects, one by one and pooled by questions.

    Parameters
    ----------
    fits : DataFrame
        The table ``stopping_fits``.
    """
    rows, answers = [], []
    left_out = fits[fits["scheme"] != ALL_TRIALS]
    for keys, group in left_out.groupby(KEYS, sort=False):
        elpd = elpd_by_subject(group)
        shared = dict(zip(KEYS, keys, strict=True))
        about = group.groupby("model").agg(
            family=("family", "first"), k=("k", "first"), converged=("converged", "mean")
        )
        table = compared(elpd).join(about)
        way = table["elpd"] - table["elpd"].get(FLOOR, np.nan)
        table["way_to_ceiling"] = way / way.get(TOP, np.nan)
        table = table.reset_index(names="model")
        rows.append(table.assign(**shared, subjects=len(elpd)))
        answers += [part.assign(**shared) for part in answered(group)]
    for keys, group in left_out.groupby(KEYS[:-1], sort=False):
        shared = {**dict(zip(KEYS, keys, strict=False)), "delay": EITHER}
        answers += [part.assign(**shared) for part in _delays(group)]
    names = ("stopping_comparison", "stopping_questions")
    return Comparison(*map(_typed, (rows, answers), names))


def elpd_by_subject(fits: pd.DataFrame, by: str = "model") -> pd.DataFrame:
    """Return the log density of all left-out trials: one row per subject, one column per model.

    Subjects to whom some model could not be fitted are left out.
    """
    return fits.pivot_table(
        "log_density_left_out", "subject", by, aggfunc="sum", sort=False
    ).dropna()


def compared(elpd: pd.DataFrame) -> pd.DataFrame:
    """Compare the columns of a table of elpd (subjects by models), the best one first."""
    total = elpd.sum().sort_values(ascending=False, kind="stable")
    elpd = elpd[total.index]
    difference = elpd.sub(elpd.iloc[:, 0], axis=0)
    n = len(elpd)
    se = np.sqrt(n) * difference.std(ddof=1)
    half = student.ppf(0.975, max(n - 1, 1)) * se
    chosen = select(elpd.to_numpy())
    best = elpd.to_numpy().argmax(axis=1)
    return pd.DataFrame(
        {
            "elpd": total,
            "elpd_difference": difference.sum(),
            "se": se,
            "low": difference.sum() - half,
            "high": difference.sum() + half,
            "n_best": np.bincount(best, minlength=len(total)),
            "frequency": chosen.frequency,
            "exceedance": chosen.exceedance,
            "protected_exceedance": chosen.protected_exceedance,
        },
        index=total.index,
    )


def pooled(elpd: pd.DataFrame, answers: dict[str, list[str]]) -> pd.DataFrame:
    """Return the log of the mean density of each answer's models, by subject."""
    present = {
        answer: [name for name in models if name in elpd] for answer, models in answers.items()
    }
    return pd.DataFrame(
        {
            answer: logsumexp(elpd[models].to_numpy(), axis=1) - np.log(len(models))
            for answer, models in present.items()
            if models
        },
        index=elpd.index,
    )


def scores(fits: pd.DataFrame, question: str) -> pd.DataFrame:
    """Return the log density of left-out trials under each answer, by subject."""
    if question != CHOSEN:
        return pooled(elpd_by_subject(fits), QUESTIONS[question])
    by_answer = {}
    for answer, models in CANDIDATES.items():
        candidates = fits[fits["model"].isin(models)]
        candidates = candidates.assign(
            aic=2 * candidates["k"] - 2 * candidates["log_likelihood"]
        ).sort_values("aic")
        best = candidates.drop_duplicates(["subject", "fold"])
        by_answer[answer] = best.groupby("subject", sort=False)["log_density_left_out"].sum()
    return pd.DataFrame(by_answer).dropna(axis=1, how="all").dropna()


def answered(fits: pd.DataFrame) -> list[pd.DataFrame]:
    """Answer every question by the fits of one condition, scheme and delay."""
    parts, present = [], set(fits["model"])
    for question in (*QUESTIONS, CHOSEN):
        table = scores(fits, question)
        if table.shape[1] > 1 and len(table):
            models = CANDIDATES if question == CHOSEN else QUESTIONS[question]
            parts.append(_answers(table, question, models, present))
    return parts


def _delays(fits: pd.DataFrame) -> list[pd.DataFrame]:
    """Ask of both kinds together, and of each, whether a motor delay predicts better than none."""
    parts, kinds = [], QUESTIONS[KIND]
    asked = {
        "delay": [*kinds[BOUNDARY], *kinds[RULES]],
        **{f"delay, {kind}": names for kind, names in kinds.items()},
    }
    for question, models in asked.items():
        chosen_fits = fits[fits["model"].isin(models)]
        table = pd.DataFrame(
            {
                delay: pooled(elpd_by_subject(part), {delay: models})[delay]
                for delay, part in chosen_fits.groupby("delay", sort=False)
            }
        ).dropna()
        if table.shape[1] > 1 and len(table):
            answers = dict.fromkeys((NO_DELAY, FITTED_DELAY), models)
            parts.append(_answers(table, question, answers, set(chosen_fits["model"])))
    return parts


def _answers(table, question, models, present: set[str]) -> pd.DataFrame:
    """Compare the answers to one question; `models` are those that stand for each answer."""
    count = {answer: len(present & set(names)) for answer, names in models.items()}
    rows = compared(table).reset_index(names="answer")
    rows = rows.assign(question=question, subjects=len(table))
    return rows.assign(models=rows["answer"].map(count))


def _typed(parts: list[pd.DataFrame], name: str) -> pd.DataFrame:
    table = TABLES[name]
    if not parts:
        return table.empty()
    integers = [column.name for column in table.columns if column.type == "integer"]
    rows = pd.concat(parts, ignore_index=True)
    return rows[table.names].astype(dict.fromkeys(integers, int))
