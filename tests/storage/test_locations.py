"""Which results a notebook draws that is run by hand, and that one really runs so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.locations import results_folder


def add(folder, *datasets):
    for name in datasets:
        (folder / name).mkdir(parents=True)
        (folder / name / "dataset.json").write_text('{"kind": "own", "title": "Own"}')


def test_what_is_named_is_taken_as_it_is(tmp_path):
    add(tmp_path, "simulated")
    assert results_folder(tmp_path, "elsewhere") == tmp_path / "elsewhere"
    assert results_folder("results", "my_lab").as_posix() == "results/my_lab"


def test_the_simulated_cohort_comes_first_then_the_alphabet(tmp_path):
    add(tmp_path, "my_lab", "experiment_a")
    assert results_folder(tmp_path).name == "experiment_a"
    add(tmp_path, "simulated")
    assert results_folder(tmp_path).name == "simulated"


def test_results_are_found_from_the_project_and_from_its_folders(tmp_path, monkeypatch):
    add(tmp_path / "results", "my_lab")
    (tmp_path / "notebooks").mkdir()
    for place in (tmp_path, tmp_path / "notebooks"):
        monkeypatch.chdir(place)
        assert results_folder().resolve() == (tmp_path / "results/my_lab").resolve()


def test_no_results_are_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="no results of any data set"):
        results_folder(tmp_path)


def test_a_notebook_runs_alone_on_what_is_there(tmp_path, project_root):
    add(tmp_path / "results", "my_lab")
    folder = tmp_path / "results/my_lab"
    group = ["slow", "slow", "fast", "fast"]
    groups = pd.DataFrame(
        {"group": group, "first": [200, 220, 90, 110], "last": [190, 200, 100, 130]}
    )
    groups.to_csv(folder / "groups.csv")
    comparisons = ["slow_vs_fast_first", "slow_vs_fast_last"]
    comparisons += ["fast_last_vs_first", "slow_last_vs_first"]
    tests = [(name, test, 0.25) for name in comparisons for test in ("student_t", "paired_t")]
    tests = pd.DataFrame(tests, columns=["comparison", "test", "p"])
    tests.to_csv(folder / "group_tests.csv")
    name = "fig15_group_boundaries.ipynb"
    (tmp_path / "notebooks").mkdir()
    shutil.copy(project_root / "notebooks" / name, tmp_path / "notebooks")
    subprocess.run(
        [sys.executable, "-m", "papermill", f"notebooks/{name}", "done.ipynb", "--no-progress-bar"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(project_root / "src")},
        check=True,
        capture_output=True,
    )
    said = json.loads((tmp_path / "done.ipynb").read_text())["cells"][-1]["outputs"][0]
    assert "The fast subjects go from 100 to 115 px (p = 0.250)" in "".join(
        said["data"]["text/markdown"]
    )
