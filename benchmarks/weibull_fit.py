"""Fits of the Weibull rl model, and of all ten models to all subjects.

For three subjects, CPU seconds and negative log-likelihood of
- this project's fit (all its restarts),
- differential evolution of points with the authors' settings (population 10 k + 30, 500
  generations), by SciPy, vectorised, on the same compiled likelihood,
- the same number of likelihood evaluations in plain Python (timed on a few of them).
The authors' R takes 84 to 155 CPU seconds for such a fit of 200 to 384 trials.  Then CPU seconds of
the ten models for every subject.  Targets: 200 times faster than R, 150 s in total.
Usage: weibull_fit.py [published log]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time

import numpy as np
from cohort_data import SEED, trials
from scipy.optimize import differential_evolution

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.fit import fit, fit_subject
from fuzzybounds.weibull.learning_classes import plain_nll
from fuzzybounds.weibull.likelihood import nll
from fuzzybounds.weibull.models import Model, all_models
from fuzzybounds.weibull.trials import trials_of

AUTHORS_GENERATIONS = 500
R_SECONDS_A_TRIAL = 155 / 384


def authors_search(model: Model, prepared, rng) -> float:
    """Best NLL of a differential evolution of points, as in R's DEoptim with its defaults."""
    members = 10 * model.k + 30
    start = model.lower + rng.random((members, model.k)) * (model.upper - model.lower)
    found = differential_evolution(
        lambda x: nll(model, x.T, prepared),
        np.column_stack([model.lower, model.upper]),
        strategy="currenttobest1bin",
        mutation=0.8,
        recombination=0.5,
        init=start,
        maxiter=AUTHORS_GENERATIONS,
        tol=0,
        polish=False,
        vectorized=True,
        updating="deferred",
        rng=rng,
    )
    return found.fun


def compare(model: Model, subject: str, own) -> None:
    prepared = trials_of(own)
    start = time.process_time()
    ours = fit(model, prepared, SEED, subject)
    seconds = time.process_time() - start
    start = time.process_time()
    points = authors_search(model, prepared, generator(SEED, subject, "points"))
    point_seconds = time.process_time() - start
    evaluations = (10 * model.k + 30) * (AUTHORS_GENERATIONS + 1)
    start = time.process_time()
    for _ in range(5):
        plain_nll(model, ours.parameters, prepared)
    plain = (time.process_time() - start) / 5 * evaluations
    r = R_SECONDS_A_TRIAL * len(own)
    print(
        f"{model.name}, subject {subject}, {len(own)} trials: {seconds:.2f} CPU s, NLL "
        f"{ours.nll:.2f}; evolution of points {point_seconds:.2f} CPU s, NLL {points:.2f}; plain "
        f"Python {plain:.0f} CPU s (x {plain / seconds:.0f}); R about {r:.0f} (x {r / seconds:.0f})"
    )


def main() -> None:
    name, table = trials()
    subjects = dict(tuple(table.groupby("subject", sort=False)))
    by_length = sorted(subjects, key=lambda subject: len(subjects[subject]))
    print(name)
    list(fit_subject(subjects[by_length[0]], all_models(), SEED))  # loads the compiled code
    for subject in (by_length[0], by_length[len(by_length) // 2], by_length[-1]):
        compare(Model("weibull", "rl"), subject, subjects[subject])
    spent = dict.fromkeys((model.name for model in all_models()), 0.0)
    for subject, own in subjects.items():
        start = time.process_time()
        for _, found in fit_subject(own, all_models(), SEED, name, subject):
            spent[found.model.name] += time.process_time() - start
            start = time.process_time()
    for model, seconds in spent.items():
        print(f"{model:18s} {seconds:6.1f} CPU s for {len(subjects)} subjects")
    print(f"{'all':18s} {sum(spent.values()):6.1f} CPU s")


if __name__ == "__main__":
    main()
