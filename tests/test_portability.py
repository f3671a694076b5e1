"""The same numbers as on another processor, in a part small enough for every run of the tests.

`make portability` compares every table; see tests/portability/compare_targets.py.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys

import pytest

BOUNDARY_FITS = """
import numpy as np
from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import BOUNDARY_TIMES, Model
from fuzzybounds.weibull.search import Budget
from fuzzybounds.weibull.simulate import generate

truth = Model("weibull", "utility")
theta = np.array([180, -20, 4, 3, 20, 0, 120, 30, 2, 2, 30, 0, 0.2, 0.02, 0.3, 0.01])
rng = generator(1, "portability")
table = generate(truth, theta, rng.choice(["easy", "hard"], size=150).tolist(), rng)
models = [
    Model("weibull", "none"),
    Model("weibull", "window"),
    Model("weibull", "rl", stable=True),
    Model("weibull", "rl"),
]
budget = Budget(restarts=2, members=8, draws=5, generations=6)
for time, fit in fit_subject(table, models, 1, boundary_times=BOUNDARY_TIMES, budget=budget):
    numbers = [fit.nll, *fit.parameters, *fit.restart_nll]
    print(time, fit.model.name, fit.model.stable, *(float(x).hex() for x in numbers))
"""

FUZZY_FITS = """
import numpy as np
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.fuzzy.network import flatten
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.fuzzy.tuning import Points, tune
from fuzzybounds.storage.seeds import generator

rng = generator(2, "portability")
inputs = rng.random((8, 2, 170))
responded = inputs.sum(axis=1) + rng.random((8, 170)) > 1.4
memberships = equidistant(5, convention="width")
rules = RuleBase.from_consequents(np.add.outer(np.arange(5), np.arange(5)) >= 4)
network, centers, widths, consequents = flatten(Controller(memberships, memberships, rules))
# Without a penalty the search goes on for hundreds of steps, and any last digit shows.
for penalty in (2.0, 0.0):
    tuned = tune(
        network, Points(inputs, responded), np.tile(consequents, (8, 1)), centers, widths,
        penalty=penalty,
    )
    for fit in range(8):
        numbers = [tuned.loss_after[fit], *tuned.centers[fit], *tuned.widths[fit]]
        print(tuned.iterations[fit], tuned.reason[fit], *(float(x).hex() for x in numbers))
"""

STOPPING_FITS = """
import numpy as np
import pandas as pd
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.canoe.task import EASY, simulate_trials
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.storage.seeds import generator

# A policy that the processor cannot change: it compares, and computes nothing.
done = simulate_trials(
    lambda time, distance: np.where(distance > 120, 0.06, 0.004),
    EASY, 80, generator(3, "portability"),
)
trials = pd.DataFrame(
    {
        "subject": "S01", "session": 1, "block": np.arange(80) // 8 + 1, "trial": np.arange(80) + 1,
        "rt": np.where(done.responded, done.decision_time, np.nan), "condition": "easy",
        "correct": done.correct, "position": done.position, "responded": done.responded,
    }
)
none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
samples = draw_points(trials, none, 2, 1, "portability")
design = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})
fits = fit_stopping(
    trials, samples, design, cued=True, schemes=["interleaved"], fold_number=2, draws=2,
    models=[
        "within_exponential", "within_weibull", "between_linear", "wang_mendel_3",
        "wang_mendel_tuned_3", "graded_3", "graded_tuned_3", "quadratic",
    ],
)
numbers = fits.select_dtypes("number").columns
for row in fits.to_dict("records"):
    print(row["model"], row["fold"], *(float(row[name]).hex() for name in numbers))
"""


@pytest.fixture(scope="module")
def targets(project_root):
    path = project_root / "tests/portability/compare_targets.py"
    spec = importlib.util.spec_from_file_location("compare_targets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TARGETS


def lines_under(environment: dict[str, str], script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="targets of x86-64")
@pytest.mark.parametrize(
    ("script", "fits"),
    [(BOUNDARY_FITS, 8), (FUZZY_FITS, 16)],
    ids=["boundary", "fuzzy"],
)
def test_fits_have_the_same_bits_on_a_plain_processor(script, fits, targets, tmp_path):
    """Even unstable fits: exp and log are the project's own, and sums have a fixed order."""
    here = lines_under({}, script)
    assert len(here) == fits
    plain = {**targets["plain"], "NUMBA_CACHE_DIR": str(tmp_path)}
    assert lines_under(plain, script) == here


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="targets of x86-64")
def test_stopping_fits_agree_on_a_plain_processor(targets, tmp_path):
    plain = {**targets["plain"], "NUMBA_CACHE_DIR": str(tmp_path)}
    here, there = (lines_under(own, STOPPING_FITS) for own in ({}, plain))
    assert len(here) == 24
    for line, other in zip(here, there, strict=True):
        own, expected = line.split(), other.split()
        assert own[:2] == expected[:2]
        numbers = [[float.fromhex(value) for value in row[2:]] for row in (own, expected)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-4, abs=1e-4, nan_ok=True)
