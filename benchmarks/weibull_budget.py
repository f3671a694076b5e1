"""Check that a fit is not beaten by a search of ten times its length.

Fits the ten models, and the stable rl models, to a few subjects with the usual budget and with one
ten times as long, and prints by how much the longer search is better.  Unstable rl fits can always
be beaten: their likelihood depends on the last digits of the parameters.
Usage: weibull_budget.py published_log [subject ...]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dataclasses
import sys
import time

import numpy as np
from cohort_data import SEED, trials

from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import CUED, Model, all_models
from fuzzybounds.weibull.search import Budget

USUAL = Budget()
LONG = dataclasses.replace(
    USUAL,
    members=3 * USUAL.members,
    generations=round(10 / 3 * USUAL.generations),
    joint_generations=round(10 / 3 * USUAL.joint_generations),
)


def main() -> None:
    name, table = trials()
    chosen = sys.argv[2:] or ["1", "7", "12", "20"]
    models = (*all_models(), *(Model(shape, "rl", CUED, True) for shape in ("constant", "weibull")))
    for model in models:
        label = f"{model.name}{' (stable)' if model.stable else ''}"
        gains, seconds, agree, unstable = [], np.zeros(2), [], 0
        for subject in chosen:
            own = table[table["subject"].astype(str) == subject]
            found = []
            for i, budget in enumerate((USUAL, LONG)):
                start = time.process_time()
                found += fit_subject(own, [model], SEED, name, subject, budget=budget)
                seconds[i] += time.process_time() - start
            gains.append(found[0].nll - found[1].nll)
            agree.append(found[0].restarts_agree)
            unstable += found[0].unstable
        print(
            f"{label:24s} gain in NLL: {' '.join(f'{gain:6.2f}' for gain in gains)}; "
            f"CPU s {seconds[0]:.1f} and {seconds[1]:.1f}; restarts agree {np.mean(agree):.2f}; "
            f"unstable {unstable}",
            flush=True,
        )


if __name__ == "__main__":
    main()
