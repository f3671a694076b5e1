"""What a study with a gate was made to decide, and whether the gate changes the hazard.

The answers are those that ``fuzzybounds register`` freezes as hypotheses: is a boundary met (H1),
how many rules are known (H2), and do people respond as they do without a gate (C1)?  For C1 both
models of H1 get one more parameter, the px by which the canoe seems farther out on gated trials; of
each subject that of the better model counts.  The models of H1 are fitted to ungated trials alone,
too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import Parameter, Start
from fuzzybounds.core.thresholds import CLEAR, KNOWN
from fuzzybounds.core.words import FIRST, INDEPENDENT
from fuzzybounds.stopping.answers import DESIRE, MEETING, READING
from fuzzybounds.stopping.catalogue import rebuild
from fuzzybounds.stopping.comparison import QUESTIONS, scores
from fuzzybounds.stopping.data import (
    INTERLEAVED,
    Data,
    context_of,
    design_of,
    likelihoods,
    prepare,
)
from fuzzybounds.stopping.designs import GATED
from fuzzybounds.stopping.fits import ALL_TRIALS, fit_data
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.model import Model, fit

MODELS = ["within_exponential", *(name for names in QUESTIONS[READING].values() for name in names)]
"""Those of H1, and the one from which they start."""
EFFECT = Parameter("gate", "hundred", 0.0, 1.0, -4.0, 4.0)
UNDECIDED, UNGATED = "undecided", "C1, ungated trials"
ASKED = {
    "H1": ("nats by which a boundary that is met is ahead", MEETING, DESIRE, UNDECIDED),
    "H2": ("known rules of nine", "", "", ""),
    "C1": ("px by which responses come nearer with a gate", "nearer", "farther", "no change seen"),
    UNGATED: ("the same as H1, without gated trials", MEETING, DESIRE, UNDECIDED),
}
"""What the values of subjects are; the answer if their mean is clearly above 0, below, or not."""


def read_subject(data: Data, fold_number: int) -> tuple[float, pd.DataFrame]:
    """Return by how many nats a met boundary is ahead on left-out trials, and fits to all."""
    fits = pd.DataFrame(fit_data(data, MODELS, [INTERLEAVED], fold_number, without_delay=False))
    whole = fits["scheme"] == ALL_TRIALS
    density = scores(fits[~whole], READING).iloc[0]
    return float(density[MEETING] - density[DESIRE]), fits[whole]


def with_gate(model: Model) -> Model:
    """Return a model whose hazard is that of another distance on gated trials, by so many px."""
    end = len(model.parameters) - model.mixed  # Before sigma, which is always the last.

    def hazard(t, x, outward, theta):
        shifted = x + theta[-1] * (outward >= GATED)
        return model.hazard(t, shifted, outward % GATED, theta[:-1])

    width = model.width_of_noise
    return replace(
        model,
        parameters=(*model.parameters[:end], EFFECT, *model.parameters[end:]),
        hazard=hazard,
        slopes=None,
        width_of_noise=width and (lambda values: width(values[:-1])),
    )


def gate_effect(marked: Data, whole: pd.DataFrame) -> float:
    """Return by how many px responses come nearer to the centre on gated trials.

    Parameters
    ----------
    marked : Data
        With gated trials marked (:func:`~fuzzybounds.stopping.designs.likelihoods_on`).
    whole : DataFrame
        Fits of the models of H1 to the same trials, without the effect.
    """
    best = []
    for row in whole[whole["model"] != MODELS[0]].to_dict("records"):
        likelihood = marked.likelihoods[row["motor_delay"]]
        plain, theta = rebuild(row["model"], row, context_of(likelihood.states))
        model, end = with_gate(plain), len(theta) - plain.mixed
        everything = likelihood.counts(np.ones(len(marked.trials), dtype=bool))
        fitted = fit(model, likelihood, everything, [Start(np.insert(theta, end, 0.0))])
        best.append((fitted.log_posterior, fitted.theta[end]))
    return 100 * float(max(best)[1])


def answer_hypotheses(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    paths: pd.DataFrame,
    posterior: pd.DataFrame,
    *,
    cued: bool,
    condition: str,
    delays: Sequence[float],
    fold_number: int,
    bin_width: float,
) -> pd.DataFrame:
    """Answer the hypotheses of a registered study, for every subject and over all.

    Parameters
    ----------
    trials, samples, design, paths, posterior : DataFrame
        Result tables.
    cued, condition
        As in :func:`fuzzybounds.stopping.rule_posterior.infer_rules`.
    delays, fold_number, bin_width
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.

    Returns
    -------
    DataFrame
        The table ``hypotheses``.
    """
    task, bins = design_of(design, cued=cued), Bins(bin_width)
    given: tuple[Any, ...] = samples, bins, task, [condition], delays, paths
    rows = []
    for data in prepare(trials, *given):
        lead, whole = read_subject(data, fold_number)
        rows.append(("H1", data.subject, lead))
        gated = data.trials["signal"].notna()
        if gated.any() and not gated.all():
            of_subject = paths[paths["subject"] == data.subject]
            marked = likelihoods(data.trials, bins, delays, of_subject, marked=True)
            effect = gate_effect(replace(data, likelihoods=marked), whole)
            rows.append(("C1", data.subject, effect))
    for data in prepare(trials[trials["signal"].isna()], *given):
        rows.append((UNGATED, data.subject, read_subject(data, fold_number)[0]))
    known = posterior[(posterior["prior"] == INDEPENDENT) & (posterior["window"] == FIRST)]
    sure = np.maximum(known["p_stop"], 1 - known["p_stop"]) > KNOWN
    rows += [("H2", name, part.sum()) for name, part in sure.groupby(known["subject"], sort=False)]
    return summarise(rows)


def summarise(rows: Sequence[tuple[str, str, float]]) -> pd.DataFrame:
    """Return the table ``hypotheses`` from values of subjects: what is asked, subject, value."""
    parts = []
    every = pd.DataFrame(rows, columns=["id", "subject", "value"]).astype({"value": float})
    for name, (asked, above, below, between) in ASKED.items():
        part = every[every["id"] == name]
        if part.empty:
            continue
        n, mean, se = len(part), part["value"].mean(), part["value"].sem()
        half = student.ppf(0.975, n - 1) * se if n > 1 else np.nan
        answer = above if mean > CLEAR * se else below if mean < -CLEAR * se else between
        over_all = {"value": mean, "se": se, "low": mean - half, "high": mean + half}
        total = pd.DataFrame([{**over_all, "subject": "", "answer": answer, "subjects": n}])
        parts.append(pd.concat([total, part]).assign(id=name, asked=asked))
    table = TABLES["hypotheses"]
    frame = pd.concat(parts)[table.names] if parts else table.empty()
    return frame.fillna({"answer": "", "subjects": 1}).astype({"subjects": int})
