"""Variants: results of their own, nothing computed twice, and a page that compares them."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pandas as pd
import pytest

pytestmark = pytest.mark.workflow

TABLES = ("trials.parquet", "samples.parquet", "rules.parquet", "groups.csv")
VARIANT = "results/tiny@paper_penalty"


@pytest.fixture(scope="module")
def finished(tmp_path_factory, copy_project):
    """A tiny project with the tables of its data set, computed once for all tests."""
    project = copy_project(tmp_path_factory.mktemp("project"))
    cohorts = {"tiny": {"one_session": 2, "three_session": 0}}
    project.configure(dataset="tiny", cohorts=cohorts, samples={"draws": 2}, fuzzy={"blocks": 10})
    project.run(*(f"results/tiny/{table}" for table in TABLES))
    return project


@pytest.fixture
def ready(finished, tmp_path):
    """A copy of it."""
    shutil.copytree(finished.root, tmp_path / "project", symlinks=True)
    return type(finished)(tmp_path / "project")


def targets(*tables: str) -> list[str]:
    return ["--config", "variant=paper_penalty", "--", *(f"{VARIANT}/{own}" for own in tables)]


def test_a_variant_computes_what_it_changes_and_links_the_rest(ready):
    before = ready.hashes("results/tiny")
    # Two subjects' fits, their table, and the groups; not trials, points or shards.
    assert ready.planned(*targets(*TABLES)) == {
        "fit_fuzzy": 2,
        "gather_fuzzy": 1,
        "compare_groups": 1,
    }
    ready.run(*targets(*TABLES))
    assert ready.hashes("results/tiny") == before
    own = {table: ready.root / VARIANT / table for table in TABLES}
    assert [own[table].stat().st_nlink for table in TABLES] == [2, 2, 1, 1]
    memberships = [
        pd.read_parquet(ready.root / folder / "memberships.parquet")
        for folder in ("results/tiny", VARIANT)
    ]
    assert not memberships[0].equals(memberships[1])
    assert (ready.root / VARIANT / "variant.json").read_text() == (
        '{\n  "name": "tiny@paper_penalty",\n  "changes": {\n    "fuzzy.penalty": 0\n  }\n}\n'
    )
    # Neither has anything to do now, and they do not disturb each other.
    assert ready.planned(*targets(*TABLES)) == {}
    assert ready.planned(*(f"results/tiny/{table}" for table in TABLES)) == {}
    # Another value concerns the variant alone, and again only its fits.
    (ready.root / "variants/paper_penalty.yaml").write_text("fuzzy: {penalty: 0.5}\n")
    assert set(ready.planned(*targets(*TABLES))) == {"fit_fuzzy", "gather_fuzzy", "compare_groups"}
    assert ready.planned(*(f"results/tiny/{table}" for table in TABLES)) == {}


def test_from_scratch_a_variant_is_the_same(ready):
    """Random numbers are named by the data set, whatever the variant."""
    ready.run(*targets("rules.parquet"))
    tables = ("trials.parquet", "samples.parquet", "rules.parquet")
    linked = {table: (ready.root / VARIANT / table).read_bytes() for table in tables}
    for folder in ("results", "logs", ".snakemake"):
        shutil.rmtree(ready.root / folder)
    ready.run(*targets("rules.parquet"))
    assert not (ready.root / "results/tiny").exists()
    assert {table: (ready.root / VARIANT / table).read_bytes() for table in tables} == linked


def test_what_rests_on_a_changed_result_is_not_taken_from_the_data_set(ready):
    ready.run(*targets("rules.parquet"))
    # The data set has groups, and they are younger than the variant's rules.
    ready.run("--force", "results/tiny/groups.csv")
    assert ready.planned(*targets("groups.csv")) == {"compare_groups": 1}


def test_options_of_a_data_set_concern_it_alone(ready):
    ready.configure(datasets={"other": {"validation": {"repeated_trial": "exclude"}}})
    assert ready.planned("results/tiny/groups.csv") == {}
    ready.configure(datasets={"tiny": {"groups": {"summary": "mean"}}})
    assert ready.planned("results/tiny/groups.csv") == {"compare_groups": 1}


def test_two_results_without_a_scorecard_cannot_be_compared(ready):
    ready.run(*targets("groups.csv"))
    command = [sys.executable, "-m", "fuzzybounds.cli", "compare", "results/tiny", VARIANT]
    code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
    command[1:3] = ["-c", code]
    done = subprocess.run(
        command, cwd=ready.root, env=ready.environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (
        1,
        "error: results/tiny: no scorecard\n  - make figures DATASET=tiny makes it\n",
    )
