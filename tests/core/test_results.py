"""Which results a notebook draws that is run by hand."""

from __future__ import annotations

import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import damaged_files, find_results


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


WHOLE = {
    "figures/fig01.png": b"\x89PNG....IEND",
    "figures/fig01.pdf": b"%PDF ... %%EOF\n",
    "figures/fig01.svg": b"<svg>...</svg>\n",
    "notebooks/fig01.ipynb": b'{"cells": []}',
    "groups.csv": b"subject,group\nS01,fast\n",
    "truth.json": b"[1, 2]\n",
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_cut_file_is_named_and_whole_ones_are_not(tmp_path, name):
    for other, content in WHOLE.items():
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_bytes(content)
    assert damaged_files(tmp_path) == []
    (tmp_path / name).write_bytes(WHOLE[name][:-3])
    assert [name in problem for problem in damaged_files(tmp_path)] == [True]
