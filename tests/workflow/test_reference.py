"""The tables that come with the project: as the present code and options make them, or not used."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest

from fuzzybounds.checks.controls.simulated_groups import simulate_groups
from fuzzybounds.core.documents import read_yaml

MADE = {"recover_rules", "sweep_learning", "simulate_groups", "check_claims"}
LARGEST = 2 * 2**20
"""Bytes of all tables together."""


@pytest.fixture
def reference(project_root):
    """The folder of the reference, if it was made."""
    folder = project_root / "reference"
    if not (folder / "reference.json").is_file():
        pytest.skip("there is no reference yet: `make reference` makes it")
    return folder


@pytest.fixture
def planned(project, project_root):
    """The jobs for all tables of the reference, and what the run says."""
    shutil.copy(project_root / "config.yaml", project.root)

    def plan(**changes):
        project.configure(**changes)
        files = ["recovery_rules.parquet", "learning_sweep.parquet"]
        targets = [f"results/shared/{name}" for name in (*files, "claim_controls.csv")]
        return set(project.planned(*targets)), project.run("--dry-run", *targets)

    return plan


def test_the_reference_is_up_to_date(reference, planned):
    jobs, output = planned()
    assert jobs == {"take_reference"}, "run `make reference`"
    assert "older than the code" not in output


def test_other_options_are_computed(reference, planned):
    jobs, output = planned(control_cohorts=3)
    # Controls start from simulated groups.
    assert jobs == MADE - {"recover_rules", "sweep_learning"} | {"take_reference"}
    assert "older than the code" not in output


def test_code_that_is_newer_is_said_and_run(reference, planned, project):
    path = project.root / "src/fuzzybounds/checks/learning/sweep.py"
    path.write_text(path.read_text() + "\nEDITED = 1\n")
    jobs, output = planned()
    assert jobs == {"take_reference", "sweep_learning"}
    (line,) = [line for line in output.splitlines() if "older than the code" in line]
    assert "sweep_learning" in line


def test_without_a_reference_all_is_computed(planned, project):
    (project.root / "reference/reference.json").unlink(missing_ok=True)
    assert planned()[0] == MADE


def test_the_reference_is_what_the_code_computes(reference, project_root):
    seed = read_yaml(project_root / "config.yaml")["seed"]
    for name, again in simulate_groups(seed=seed, most=1)._asdict().items():
        kept = pd.read_parquet(reference / f"control_{name}.parquet")
        kept = kept[kept["cohort"] == 0].reset_index(drop=True)
        pd.testing.assert_frame_equal(kept, again, rtol=1e-9, check_names=False)


def test_the_reference_is_small(reference):
    assert sum(path.stat().st_size for path in reference.iterdir()) < LARGEST
