"""Which results a notebook draws that is run by hand."""

from __future__ import annotations

import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import find_results


def add(folder, *datasets):
    for name in datasets:
        (folder / name).mkdir(parents=True)
        (folder / name / "dataset.json").write_text('{"kind": "own", "title": "Own"}')


def test_the_simulated_cohort_comes_first_then_the_alphabet(tmp_path):
    with pytest.raises(InputError, match="no results yet"):
        find_results(tmp_path)
    add(tmp_path, "my_lab", "experiment_a")
    assert find_results(tmp_path).folder.name == "experiment_a"
    add(tmp_path, "simulated")
    assert find_results(tmp_path).folder.name == "simulated"
