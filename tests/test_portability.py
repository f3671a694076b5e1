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
    [(FUZZY_FITS, 16), (STOPPING_FITS, 24)],
    ids=["fuzzy", "stopping"],
)
def test_fits_have_the_same_bits_on_a_plain_processor(script, fits, targets, tmp_path):
    """Exp and log are the project's own, and sums have a fixed order."""
    here = lines_under({}, script)
    assert len(here) == fits
    plain = {**targets["plain"], "NUMBA_CACHE_DIR": str(tmp_path)}
    assert lines_under(plain, script) == here
