"""Stopping models compared by the density of trials that were left out.

A subject's *elpd* for a model is the log density of all its trials, each under the fit that had not
seen its fold.  Models are compared within subjects: differences have standard errors over subjects,
and random-effects selection takes the elpd for the log evidence.

Questions pool models by a property.  The density of an answer is the mean density of its models,
which is the evidence for "one of these" if each is equally likely a priori; so an answer does not
benefit from having many models.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import logsumexp
from scipy.stats import t as student

from fuzzybounds.analysis.model_selection import select
from fuzzybounds.analysis.stopping_answers import BOUNDARY, RULES, WITHIN_TRIALS
from fuzzybounds.stopping import catalogue
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.fits import WHOLE
from fuzzybounds.storage.registry import TABLES

KEYS = ["condition", "scheme"]


class Comparison(NamedTuple):
    """What :func:`compare` returns."""

    comparison: pd.DataFrame
    questions: pd.DataFrame


def _of(*families: str) -> list[str]:
    return [name for name, entry in CATALOGUE.items() if entry.family in families]


_NOISES = (catalogue.WITHIN, catalogue.BETWEEN, catalogue.BOTH)
QUESTIONS: dict[str, dict[str, list[str]]] = {
    "kind": {
        BOUNDARY: _of(*catalogue.BOUNDARIES),
        RULES: _of(catalogue.RULES, catalogue.RULES_BOTH),
        "pipeline": _of(catalogue.PIPELINE),
        "control": _of(catalogue.CONTROL),
    },
    WITHIN_TRIALS: {
        BOUNDARY: _of(catalogue.WITHIN, catalogue.TWO, catalogue.INFERRED),
        RULES: _of(catalogue.RULES),
    },
    "noise": {family.removeprefix("boundary_"): _of(family) for family in _NOISES},
    "conditions": {
        "one boundary": _of(catalogue.WITHIN),
        "two, anywhere": _of(catalogue.TWO),
        "two, by belief": _of(catalogue.INFERRED),
    },
    "shape": {
        shape: [name for name, entry in CATALOGUE.items() if entry.shape == shape]
        for shape in ("constant", "linear", "exponential", "weibull")
    },
    "rules": {
        "Wang-Mendel": ["wang_mendel_3", "wang_mendel_5"],
        "Wang-Mendel, labels tuned": ["wang_mendel_tuned_3", "wang_mendel_tuned_5"],
        "graded": ["graded_3", "graded_5"],
        "graded, labels tuned": ["graded_tuned_3", "graded_tuned_5"],
        "graded, noise between trials": ["graded_both_3", "graded_both_5"],
        "pipeline": _of(catalogue.PIPELINE),
    },
}
"""What is asked, and the models that stand for each answer."""


def compare(fits: pd.DataFrame) -> Comparison:
    """Compare models over subjects, one by one and pooled by questions.

    Parameters
    ----------
    fits : DataFrame
        The table ``stopping_fits``.
    """
    rows, answers = [], []
    left_out = fits[fits["scheme"] != WHOLE]
    for keys, own in left_out.groupby(KEYS, sort=False):
        elpd = elpd_by_subject(own)
        shared = dict(zip(KEYS, keys, strict=True))
        known = own.drop_duplicates("model").set_index("model")
        by_model = own.groupby("model")[["converged", "searches", "searches_agree"]].agg(
            {"converged": "mean", "searches": "sum", "searches_agree": "sum"}
        )
        agree = by_model["searches_agree"] / by_model["searches"]
        for name, scores in compared(elpd).iterrows():
            rows.append(
                {
                    **shared,
                    "model": name,
                    "family": known["family"][name],
                    "k": int(known["k"][name]),
                    **scores,
                    "subjects": len(elpd),
                    "converged": by_model["converged"][name],
                    "searches_agree": agree[name],
                }
            )
        answers += _answers(elpd, shared)
    if not rows:
        names = ("stopping_comparison", "stopping_questions")
        return Comparison(*(TABLES[name].empty() for name in names))
    return Comparison(_typed(rows, "stopping_comparison"), _typed(answers, "stopping_questions"))


def elpd_by_subject(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the log density of all left-out trials: one row per subject, one column per model.

    Subjects to whom some model could not be fitted are left out.
    """
    table = fits.pivot_table("log_density_left_out", "subject", "model", aggfunc="sum", sort=False)
    return table.dropna()


def compared(elpd: pd.DataFrame) -> pd.DataFrame:
    """Compare the columns of a table of elpd, the best one first.

    Returns
    -------
    DataFrame
        One row per model: elpd, elpd_difference, se, low, high, n_best, frequency, exceedance,
        protected_exceedance.
    """
    total = elpd.sum().sort_values(ascending=False, kind="stable")
    elpd = elpd[total.index]
    difference = elpd.sub(elpd.iloc[:, 0], axis=0)
    n = len(elpd)
    se = np.sqrt(n) * difference.std(ddof=1) if n > 1 else difference.iloc[0] * np.nan
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


def _answers(elpd: pd.DataFrame, shared: dict[str, str]) -> list[dict]:
    rows = []
    for question, answers in QUESTIONS.items():
        table = pooled(elpd, answers)
        if table.shape[1] < 2:
            continue
        for answer, scores in compared(table).iterrows():
            models = sum(name in elpd for name in answers[str(answer)])
            rows.append(
                {
                    **shared,
                    "question": question,
                    "answer": answer,
                    "models": models,
                    **scores,
                    "subjects": len(elpd),
                }
            )
    return rows


def _typed(rows: list[dict], name: str) -> pd.DataFrame:
    table = TABLES[name]
    integers = [column.name for column in table.columns if column.type == "integer"]
    return pd.DataFrame(rows)[table.names].astype(dict.fromkeys(integers, int))
