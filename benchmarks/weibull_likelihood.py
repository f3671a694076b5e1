"""The compiled likelihood against plain Python, and what compiling and importing cost.

Prints microseconds of one evaluation of the same recursion, compiled and plain, for each of the ten
models; then CPU seconds of a fresh process that imports the fitting modules and evaluates once,
with numba's cache empty and with it filled.  Usage: weibull_likelihood.py [published log]
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from cohort_data import SEED, trials

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.learning_classes import plain_nll
from fuzzybounds.weibull.likelihood import nll
from fuzzybounds.weibull.models import all_models
from fuzzybounds.weibull.trials import trials_of

COMPILED, PLAIN = 2000, 10
FRESH = """
import numpy as np
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.search import Budget
table = dict(rt=np.ones(4), total=np.full(4, 5.05), reward=np.array([20., -20, 1, -1]),
             condition=np.array(["easy", "easy", "hard", "hard"]), correct=np.array([1, 0, 1, 0]),
             position=np.full(4, 45.), responded=np.full(4, True))
brief = Budget(restarts=1, members=2, draws=1, generations=0)
next(fit_subject(table, [Model("weibull", "rl")], 1, budget=brief))
"""


def cpu_seconds(function, repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        function()
    return (time.process_time() - start) / repeats


def fresh_process(cache: str) -> float:
    """CPU seconds of a new process that fits once."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", FRESH], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    name, table = trials()
    subject, own = next(iter(table.groupby("subject", sort=False)))
    prepared = trials_of(own)
    print(f"{name}, subject {subject}, {len(own)} trials; microseconds an evaluation")
    for model in all_models():
        unit = generator(SEED, "parameters", model.name).random((COMPILED, model.k))
        theta = model.lower + unit * (model.upper - model.lower)
        nll(model, theta[:1], prepared)
        compiled = cpu_seconds(lambda: nll(model, theta, prepared), 1) / COMPILED  # noqa: B023
        plain = np.mean(
            [cpu_seconds(lambda: plain_nll(model, x, prepared), 1) for x in theta[:PLAIN]]  # noqa: B023
        )
        times = f"compiled {compiled * 1e6:6.1f}  plain {plain * 1e6:8.0f}"
        print(f"{model.name:18s} {times}  ratio {plain / compiled:5.0f}")
    with tempfile.TemporaryDirectory() as cache:
        for state in ("empty", "filled"):
            print(f"fresh process, cache {state}: {fresh_process(cache):.2f} CPU s")


if __name__ == "__main__":
    main()
