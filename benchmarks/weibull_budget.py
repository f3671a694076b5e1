"""Compare fits with those of a search ten times as long, and of a brief one.

Fits the ten models, and the stable rl models, to a few subjects with the usual budget, with one ten
times as long, and with the brief one, and prints by how much the longer search is better than the
usual one, and that than the brief one.  Unstable rl fits can always be beaten: their likelihood
depends on the last digits of the parameters.
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
from fuzzybounds.weibull.models import all_models, stable_models
from fuzzybounds.weibull.search import BUDGETS

USUAL, BRIEF = BUDGETS["thorough"], BUDGETS["brief"]
LONG = dataclasses.replace(
    USUAL,
    members=3 * USUAL.members,
    restarts=2 * USUAL.restarts,
    agreeing=2 * USUAL.agreeing,
    patience=2 * USUAL.patience,
)


def _list(numbers) -> str:
    return " ".join(f"{number:.2f}" for number in numbers)


def main() -> None:
    name, table = trials()
    chosen = sys.argv[2:] or ["1", "7", "12", "20"]
    for model in (*all_models(), *stable_models()):
        label = f"{model.name}{' (stable)' if model.stable else ''}"
        gains, losses, seconds, agree, unstable = [], [], np.zeros(3), [], 0
        for subject in chosen:
            own = table[table["subject"].astype(str) == subject]
            found = []
            for i, budget in enumerate((USUAL, LONG, BRIEF)):
                start = time.process_time()
                fits = fit_subject(own, [model], SEED, name, subject, budget=budget)
                found += [fit for _, fit in fits]
                seconds[i] += time.process_time() - start
            gains.append(found[0].nll - found[1].nll)
            losses.append(found[2].nll - found[0].nll)
            agree.append(found[0].restarts_agree)
            unstable += found[0].unstable
        print(
            f"{label:24s} NLL less by ten times as long: {_list(gains)}; more by brief: "
            f"{_list(losses)}; CPU s {_list(seconds)}; restarts agree {np.mean(agree):.2f}; "
            f"unstable {unstable}",
            flush=True,
        )


if __name__ == "__main__":
    main()
