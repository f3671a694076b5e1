"""Which results a notebook draws that is run by hand."""

from __future__ import annotations

import pytest

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.results import find_results
from fuzzybounds.storage.tables import write_table


def add(folder, *datasets):
    for name in datasets:
        (folder / name).mkdir(parents=True)
        (folder / name / "dataset.json").write_text('{"kind": "own", "title": "Own"}')


def test_what_is_named_is_taken_as_it_is(tmp_path):
    add(tmp_path, "simulated")
    assert find_results(tmp_path, "elsewhere").folder == tmp_path / "elsewhere"
    assert find_results("results", "my_lab").folder.as_posix() == "results/my_lab"


def test_the_simulated_cohort_comes_first_then_the_alphabet(tmp_path):
    add(tmp_path, "my_lab", "experiment_a")
    assert find_results(tmp_path).folder.name == "experiment_a"
    add(tmp_path, "simulated")
    assert find_results(tmp_path).folder.name == "simulated"


def test_results_are_found_from_the_project_and_from_its_folders(tmp_path, monkeypatch):
    add(tmp_path / "results", "my_lab")
    (tmp_path / "notebooks").mkdir()
    for place in (tmp_path, tmp_path / "notebooks"):
        monkeypatch.chdir(place)
        assert find_results().folder.resolve() == (tmp_path / "results/my_lab").resolve()


def test_no_results_are_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="no results of any data set"):
        find_results(tmp_path)


def test_tables_are_read_by_name_once(tmp_path):
    folder = tmp_path / "my_lab"
    write_table(TABLES["errata"].empty().assign(id=["A01"]).fillna(""), folder / "errata.csv")
    results = find_results(tmp_path, "my_lab")
    assert list(results) == ["errata"]
    assert "errata" in results
    assert "claims" not in results
    assert results["errata"] is results["errata"]
    with pytest.raises(InputError, match="make figures DATASET=my_lab makes the results"):
        results["claims"]
    with pytest.raises(KeyError, match="no result table is called 'nonsense'"):
        results["nonsense"]
