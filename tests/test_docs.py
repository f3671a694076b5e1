"""The documentation says what the code and the results say."""

from __future__ import annotations

import importlib.util
import re
from itertools import product

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.logs.columns import COLUMNS
from fuzzybounds.report.text import rounded


@pytest.fixture(scope="module")
def fill_tables(project_root):
    spec = importlib.util.spec_from_file_location("fill", project_root / "docs/fill_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same_cell(shown: str, exact: str, digits: int) -> bool:
    """Whether a cell shows a result: a text or integer as it is, a number rounded.

    A number may be the rounding of one that agrees with the result in the digits that the
    tolerance of its table leaves.
    """
    try:
        number = float(exact)
    except ValueError:
        return shown == exact
    slack = 0.0 if number.is_integer() else 10.0**-digits
    near = (exact, repr(number * (1 - slack)), repr(number * (1 + slack)))
    return shown in {rounded(own, min(4, digits)) for own in near}


def differences(committed: str, exact: pd.DataFrame, name: str) -> list[str]:
    """Say in which cells a table of the documentation differs from that of the results."""
    lines = [line for line in committed.strip().splitlines() if not line.startswith("|:")]
    header, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    if header != list(exact) or len(rows) != len(exact):
        return [f"{len(rows)} rows of {header}, expected {len(exact)} of {list(exact)}"]
    return [
        f"row {number}, {column}: {shown!r}, expected {value!r}"
        for number, (row, values) in enumerate(zip(rows, exact.to_numpy(), strict=True), 1)
        for column, shown, value in zip(header, row, values, strict=True)
        if not same_cell(shown, value, TABLES[name].digits)
    ]


def test_what_counts_as_the_same_table():
    table = "| subject | nll | on_bound |\n|:---|:--|:--|\n| 7 | 1235 | psi |\n"
    exact = pd.DataFrame({"subject": ["7"], "nll": ["1234.5678"], "on_bound": ["psi"]})
    assert differences(table, exact, "model_fits") == []
    for old, new in (("1235", "1236"), ("| 7", "| 8"), ("psi", "lam"), ("nll", "aic")):
        assert len(differences(table.replace(old, new), exact, "model_fits")) == 1
    # Between two roundings either will do, as far as the promised digits reach.
    assert same_cell("1234", "1234.5004", digits=6)
    assert not same_cell("1234", "1234.51", digits=6)
    assert not same_cell("12", "13", digits=1)


def test_log_columns_are_documented(project_root):
    text = (project_root / "docs/data.md").read_text()
    table = text.split("<!-- columns -->")[1].split("<!-- end columns -->")[0]
    rows = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:]]
    documented = [tuple(cell.strip() for cell in row) for row in rows]
    expected = [
        (column.name, column.unit, "yes" if column.required else "no", column.meaning)
        for column in COLUMNS
    ]
    assert documented == expected


def test_tables_are_those_of_the_results(project_root, fill_tables):
    """Where the pipeline has run in this folder, the committed tables are what it made."""
    compared, wrong = 0, []
    for document in [project_root / "README.md", *sorted((project_root / "docs").glob("*.md"))]:
        for match in fill_tables.TABLE.finditer(document.read_text()):
            file = project_root / "results" / match["query"].split()[0]
            if file.exists():
                exact = fill_tables.chosen(match["query"], project_root / "results")
                committed = match[0].removeprefix(match[1]).removesuffix(match[3])
                wrong += [
                    f"{document.name}, {file.name}: {line}"
                    for line in differences(committed, exact, file.stem)
                ]
                compared += 1
    assert not wrong, "\n".join(["the docs differ from the results (make docs):", *wrong])
    if not compared:
        pytest.skip("no results in this folder to compare with; fuzzybounds run makes them")


def phrases(fill_tables, query: str, results) -> set[str]:
    """What a sentence may say: the numbers, rounded, to the digits that the table promises."""
    found, how = fill_tables.numbers(query, results)
    slack = 10.0 ** -TABLES[query.split()[0].split("/")[-1].removesuffix(".csv")].digits
    near = [(own, own * (1 - slack), own * (1 + slack)) for own in found]
    return {fill_tables.phrase(list(own), how) for own in product(*near)}


def test_how_numbers_are_filled_into_sentences(fill_tables, tmp_path):
    table = "answer,elpd_difference,se,low,high\nrules,-62.4,42.6,-0.2,3\nboundary,0,0,0,0\n"
    (tmp_path / "stopping_questions.csv").write_text(table)
    marker = "<!-- value: stopping_questions.csv {} -->{}<!-- end -->"

    def said(query, before="1"):
        text = fill_tables.stated(f"by {marker.format(query, before)} nats", tmp_path)
        return re.sub("<!--.*?-->", "", text)

    assert said("-elpd_difference,se .0f | answer=rules") == "by 62 ± 43 nats"
    assert said("elpd_difference,low,high .1f | answer=rules") == "by -62.4 (-0.2 to 3.0) nats"
    assert said("low .0f | answer=rules") == "by 0 nats"
    assert said("rows .0f | se<1") == "by 1 nats"
    assert said("mean:elpd_difference .1f") == "by -31.2 nats"
    with pytest.raises(ValueError, match="2 rows, expected one"):
        said("se .0f")
    other = marker.format("se .0f", "7").replace("questions", "power")
    assert fill_tables.stated(other, tmp_path) == other
    near = phrases(fill_tables, "stopping_questions.csv se .1f | answer=rules", tmp_path)
    assert "42.6" in near
    assert "43.9" not in near


def test_numbers_in_sentences_are_those_of_the_results(project_root, fill_tables):
    """As for tables."""
    results, compared, wrong = project_root / "results", 0, []
    for document in sorted((project_root / "docs").glob("*.md")):
        text = document.read_text()
        markers = list(fill_tables.VALUE.finditer(text))
        assert len(markers) == text.count("<!-- value:"), f"{document.name}: a marker has no end"
        for match in markers:
            if (results / match["query"].split()[0]).exists():
                expected = phrases(fill_tables, match["query"], results)
                compared += 1
                if match["said"] not in expected:
                    wrong.append(f"{document.name}: {match[0]}, expected {sorted(expected)[0]}")
    assert not wrong, "\n".join(["the docs differ from the results (make docs):", *wrong])
    if not compared:
        pytest.skip("no results in this folder to compare with; fuzzybounds run makes them")


def test_links_lead_somewhere(project_root):
    for document in [project_root / "README.md", *(project_root / "docs").glob("*.md")]:
        text = document.read_text()
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
        for target in targets:
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_ten_lines_of_the_readme_run(project_root, monkeypatch, tmp_path):
    """As a reader would copy them."""
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    code = (project_root / "README.md").read_text().split("```python\n")[1].split("```")[0]
    assert len(code.strip().splitlines()) <= 10
    names: dict = {}
    exec(code, names)
    assert len(names["again"].trials) == 200
    assert names["scale"] > 0
