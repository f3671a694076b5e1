"""Which results a notebook draws that is run by hand."""

from __future__ import annotations

import json

import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import damaged_files, find_results
from fuzzybounds.core.tables import write_table


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


def test_results_are_found_from_the_folders_of_a_project(tmp_path, monkeypatch):
    add(tmp_path / "results", "my_lab")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    assert find_results().folder.resolve() == (tmp_path / "results/my_lab").resolve()


@pytest.mark.parametrize(
    ("described", "note"),
    [
        ({"first_look": None, "subjects_found": 26, "subjects_used": 26}, ""),
        ({"first_look": None, "subjects_found": 26, "subjects_used": 7}, "(7 of 26 subjects)"),
        ({"first_look": "First look", "subjects_found": 7, "subjects_used": 7}, "(7 subjects)"),
    ],
)
def test_a_first_look_says_how_many_subjects_it_used(tmp_path, described, note):
    add(tmp_path, "lab")
    (tmp_path / "lab/dataset.json").write_text(json.dumps(described))
    assert find_results(tmp_path, "lab").first_look == (note and f"First look {note}")


def test_tables_are_read_by_name_once(tmp_path):
    folder = tmp_path / "my_lab"
    write_table(TABLES["errata"].empty().assign(id=["A01"]).fillna(""), folder / "errata.csv")
    results = find_results(tmp_path, "my_lab")
    assert list(results) == ["errata"]
    assert "errata" in results
    assert "claims" not in results
    assert results["errata"] is results["errata"]
    with pytest.raises(InputError, match="fuzzybounds run my_lab makes the results"):
        results["claims"]
    with pytest.raises(KeyError, match="no result table is called 'nonsense'"):
        results["nonsense"]


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
