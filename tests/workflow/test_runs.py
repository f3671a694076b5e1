"""The workflow as a whole: what reruns, what stays, and what a killed run leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from fuzzybounds.storage.tables import read_parquet

pytestmark = pytest.mark.workflow
SAMPLES = "results/tiny/samples.parquet"


def others(frame, new):
    return frame[frame["subject"] != new].reset_index(drop=True)


def test_second_run_does_nothing(project):
    project.run(SAMPLES)
    assert project.planned(SAMPLES) == {}


def test_an_edited_module_reruns_exactly_the_rules_that_use_it(project):
    targets = (SAMPLES, "results/tiny/design_check.csv", "results/tiny/figures/fig03.png")
    project.run(*targets)
    module = project.root / "src/fuzzybounds/canoe/paths.py"
    module.write_text(module.read_text() + "\n# edited\n")
    assert project.planned(*targets) == {"validate_logs": 1, "check_design": 1, "draw_samples": 1}
    basis = project.root / "src/fuzzybounds/figures/basis_functions.py"
    basis.write_text(basis.read_text() + "\n# edited\n")
    assert project.planned(targets[-1]) == {"draw_shared_figure": 1, "share_figure": 1}


def test_a_touched_module_reruns_nothing(project):
    project.run(SAMPLES)
    os.utime(project.root / "src/fuzzybounds/canoe/paths.py")
    assert project.planned(SAMPLES) == {}


def test_a_changed_option_reruns_what_depends_on_it(project):
    targets = (SAMPLES, "results/tiny/design_check.csv")
    project.run(*targets)
    project.configure(samples={"draws": 3})
    assert project.planned(*targets) == {"draw_samples": 1}


def test_a_new_subject_changes_no_other(project):
    project.run(SAMPLES)
    before = project.hashes("results/tiny/raw")
    trials, samples = (
        read_parquet(project.root / f"results/tiny/{name}.parquet")
        for name in ("trials", "samples")
    )
    project.configure(cohorts={"tiny": {"one_session": 3, "three_session": 1}})
    project.run(SAMPLES)
    after = project.hashes("results/tiny/raw")
    assert before.items() <= after.items()
    assert "results/tiny/raw/S03.csv" in after
    for name, old in (("trials", trials), ("samples", samples)):
        new = read_parquet(project.root / f"results/tiny/{name}.parquet")
        assert (new["subject"] == "S03").any()
        assert others(new, "S03").equals(old)


def test_two_builds_are_the_same_to_the_byte(new_project):
    targets = (SAMPLES, "results/tiny/design_check.csv", "results/tiny/figures/fig08.png")
    builds = [new_project() for _ in range(2)]
    for build in builds:
        build.run(*targets)
    first, second = (build.hashes() for build in builds)
    assert "results/tiny/notebooks/fig08.ipynb" in first
    assert {name for name in first if name.endswith((".pdf", ".svg", ".png"))}
    assert first == second


def test_a_killed_run_goes_on_with_the_same_command(new_project):
    killed, whole = new_project(), new_project()
    whole.run(SAMPLES)
    raw = killed.root / "results/tiny/raw"
    process = subprocess.Popen(
        killed.command(SAMPLES),
        cwd=killed.root,
        env=killed.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not list(raw.glob("*.csv")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert list(raw.glob("*.csv")), "the run was to be killed while it wrote its logs"
    assert not (killed.root / "results/tiny/trials.parquet").exists()
    killed.run(SAMPLES)
    assert killed.hashes() == whole.hashes()


def test_two_runs_in_one_folder_do_not_meet(project):
    first = subprocess.Popen(
        project.command(SAMPLES),
        cwd=project.root,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    lock = project.root / ".snakemake/run.lock"
    deadline = time.monotonic() + 60
    while not lock.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    output = project.run(SAMPLES, check=False)
    assert f"another run is at work in this folder (process {first.pid})" in output
    assert first.wait(timeout=300) == 0
    assert project.planned(SAMPLES) == {}


def test_a_new_subject_costs_its_own_fits_only(project):
    target = "results/tiny/fuzzy_fits.parquet"
    project.run(target)
    before = project.hashes("results/tiny/fits")
    project.configure(cohorts={"tiny": {"one_session": 3, "three_session": 1}})
    output = project.run(target)
    assert output.count("(Rule: fit_fuzzy)") == 1
    assert "Fitting the fuzzy model to s_S03 of tiny" in output
    after = project.hashes("results/tiny/fits")
    assert before.items() <= after.items()
    assert project.planned(target) == {}
