"""Which results a notebook draws that is run by hand."""

from __future__ import annotations

import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results, find_results


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


def test_what_is_missing_is_named_with_a_remedy(tmp_path):
    """`tests/workflow/test_rules.py` tries the commands."""
    add(tmp_path, "lab", "variants/quick/lab")
    quick = "fuzzybounds run lab --variant quick --only results/variants/quick"
    for folder, name, remedy in (
        ("lab", "groups", "fuzzybounds run lab --only results/lab/groups.csv makes it"),
        ("variants/quick/lab", "claim_controls", f"{quick}/shared/claim_controls.csv makes it"),
        ("lab", "people", "`make people` in a checkout makes it"),
        ("lad", "groups", "no results of 'lad'; did you mean 'lab'?"),
    ):
        with pytest.raises(InputError) as error:
            Results(tmp_path / folder)[name]
        assert error.value.problems[0] == remedy
