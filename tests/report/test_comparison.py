"""Where two analyses differ."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.results import Results
from fuzzybounds.report.comparison import compare, lines


def row(name: str, **cells) -> dict:
    """A row of a table, with something in every column."""
    kinds = {"text": "x", "number": 1.0, "integer": 1, "true/false": True}
    return {
        column.name: cells.get(column.name, kinds[column.type]) for column in TABLES[name].columns
    }


def write(folder, verdict: str, p: float, penalty: int) -> Results:
    folder.mkdir(parents=True)
    title = "lab" if penalty else "lab, variant soft"
    looked = None if penalty else "First look"
    described = {"name": "lab", "kind": "own", "title": title, "first_look": looked}
    options = {"seed": 1, "fuzzy": {"penalty": penalty, "blocks": 20}}
    (folder / "options.json").write_text(json.dumps(options) + "\n")
    (folder / "dataset.json").write_text(json.dumps(described) + "\n")
    claims = [
        row("claims", id="C06", verdict="comes out as printed", conclusion="supported"),
        row("claims", id="C13", verdict=verdict, conclusion="supported"),
    ]
    pd.DataFrame(claims).to_csv(folder / "claims.csv", index=False)
    tests = [
        row("group_tests", comparison="slow_vs_fast_first", test="student_t", p=p, n=6),
        row("group_tests", comparison="slow_vs_fast_last", test="student_t", p=0.5, n=6),
    ]
    pd.DataFrame(tests).to_csv(folder / "group_tests.csv", index=False)
    return Results(folder)


@pytest.fixture
def both(tmp_path):
    base = write(tmp_path / "lab", "in direction only", 0.001, 2)
    variant = write(tmp_path / "soft/lab", "undecided", 0.25, 0)
    return base, variant


def test_only_what_differs_is_said(both):
    differences = compare(*both)
    assert differences.to_numpy().tolist() == [
        ["options", "fuzzy.penalty", "", "2", "0"],
        ["claims", "C13", "verdict", "in direction only", "undecided"],
        ["group_tests", "slow_vs_fast_first, 6, student_t", "p", "0.001", "0.25"],
    ]
    assert lines(differences, ["lab", "soft"], 35)[2] == "C13 verdict    in direc…  undecided"


def test_the_command_writes_the_table_or_says_what_is_missing(both, tmp_path, capsys):
    lab = str(tmp_path / "lab")
    assert cli.main(["compare", lab, str(tmp_path / "soft/lab")]) == 0
    printed = capsys.readouterr().out
    assert "lab, variant soft First look" in printed
    assert "lab--lab.csv: 3 differences" in printed
    table = pd.read_csv(tmp_path / "comparisons/lab--lab.csv")
    assert table["second"].tolist() == ["0", "undecided", "0.25"]
    assert cli.main(["compare", lab, str(tmp_path / "lub")]) == 1
    assert "fuzzybounds run lub makes it" in capsys.readouterr().err
    assert cli.main(["compare", lab]) == 1
    assert "nothing to compare it with\n  - name a second data set" in capsys.readouterr().err
