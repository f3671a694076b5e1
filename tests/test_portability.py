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

FITS = """
import sys
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


@pytest.fixture(scope="module")
def targets(project_root):
    path = project_root / "tests/portability/compare_targets.py"
    spec = importlib.util.spec_from_file_location("compare_targets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TARGETS


def lines_under(environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FITS],
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="targets of x86-64")
def test_boundary_fits_have_the_same_bits_on_a_plain_processor(targets, tmp_path):
    """Even unstable fits: exp and log are the project's own, and sums have a fixed order."""
    here = lines_under({})
    assert len(here) == 8
    assert lines_under({**targets["plain"], "NUMBA_CACHE_DIR": str(tmp_path)}) == here
