"""Two analyses on one page."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.results import Results
from fuzzybounds.report.comparison import compare


def row(name: str, **cells) -> dict:
    """A row of a table, with something in every column."""
    kinds = {"text": "x", "number": 1.0, "integer": 1, "true/false": True}
    return {own.name: cells.get(own.name, kinds[own.type]) for own in TABLES[name].columns}


def write(folder, verdict: str, p: float, image: bytes, penalty: int) -> Results:
    (folder / "figures").mkdir(parents=True)
    title = "lab" if penalty else "lab, variant soft"
    looked = None if penalty else "First look"
    described = {"name": "lab", "kind": "own", "title": title, "first_look": looked}
    options = {"seed": 1, "fuzzy": {"penalty": penalty, "blocks": 20}}
    (folder / "options.json").write_text(json.dumps(options) + "\n")
    (folder / "dataset.json").write_text(json.dumps(described) + "\n")
    claims = [
        row("claims", id="C06", verdict="reproduced", conclusion="supported"),
        row("claims", id="C13", verdict=verdict, conclusion="supported"),
    ]
    pd.DataFrame(claims).to_csv(folder / "claims.csv", index=False)
    tests = [
        row("group_tests", comparison="slow_vs_fast_first", test="student_t", p=p, n=6),
        row("group_tests", comparison="slow_vs_fast_last", test="student_t", p=0.5, n=6),
    ]
    pd.DataFrame(tests).to_csv(folder / "group_tests.csv", index=False)
    (folder / "figures/fig03.png").write_bytes(b"same")
    (folder / "figures/fig14.png").write_bytes(image)
    return Results(folder)


@pytest.fixture
def both(tmp_path):
    base = write(tmp_path / "lab", "reproduced in direction only", 0.001, b"one", 2)
    variant = write(tmp_path / "soft/lab", "undecided", 0.25, b"two", 0)
    return base, variant


def test_claims_tables_and_figures_stand_side_by_side(both):
    page = compare(*both)
    assert "<h1>lab and lab, variant soft</h1>" in page
    assert page.count("<strong>First look.</strong>") == 1
    assert "1 of 2 claims differ." in page
    assert "<code>fuzzy.penalty: 0</code>" in page
    assert "fuzzy.blocks" not in page
    # Only the row and column that differ are shown.
    assert '<td>p</td><td class="number">0.001</td><td class="number">0.25</td>' in page
    assert "slow_vs_fast_last" not in page
    assert "Fig. 3 <span" in page
    assert page.count("data:image/png;base64,") == 3
    assert not re.search(r"(?:src|href)=\"(?!data:|#)", page)


def test_the_command_writes_the_page_or_says_what_is_missing(both, tmp_path, capsys):
    lab = str(tmp_path / "lab")
    assert cli.main(["compare", lab, str(tmp_path / "soft/lab")]) == 0
    target = tmp_path / "comparisons/lab--lab.html"
    assert "<!doctype html>" in target.read_text()
    assert cli.main(["compare", lab, str(tmp_path / "lub")]) == 1
    assert "fuzzybounds run lub makes it" in capsys.readouterr().err
    assert cli.main(["compare", lab]) == 1
    assert "nothing to compare it with\n  - name a second data set" in capsys.readouterr().err
