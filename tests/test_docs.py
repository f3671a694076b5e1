"""The documentation says what the code and the results say."""

from __future__ import annotations

import importlib.util
import re
import runpy
from pathlib import Path

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import NUMBER, TABLES, Column, Table, same_text
from fuzzybounds.logs.columns import COLUMNS
from fuzzybounds.report.abstract import SENTENCES
from fuzzybounds.report.registry import read_registry


@pytest.fixture(scope="module")
def fill_tables(project_root):
    spec = importlib.util.spec_from_file_location("fill", project_root / "docs/fill_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMPARED = runpy.run_path(str(Path(__file__).parent / "portability/compare_targets.py"))


def differences(committed: str, exact: pd.DataFrame, table: Table, fill) -> list[str]:
    """Say in which cells a table of the documentation differs from that of the results.

    A number may be the rounding of one that another machine gives.
    """
    lines = [line for line in committed.strip().splitlines() if not line.startswith("|:")]
    header, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines or [""])
    if header != list(exact) or len(rows) != len(exact):
        return [f"{len(rows)} rows of {header}, expected {len(exact)} of {list(exact)}"]
    largest = {
        column: pd.to_numeric(exact[column], errors="coerce").abs().max() for column in header
    }

    def same(shown: str, value: str, column: str, name: str) -> bool:
        try:
            number, other = float(value), float(shown)
        except ValueError:
            return same_text(value, shown, COMPARED["sources"](name))
        slack = table.slack(column, number)
        if slack:
            slack += table.tolerance * COMPARED["NEGLIGIBLE"] * largest[column]
        step = 10.0 ** fill.place_of(number, table, column) if number % 1 > 0 else 0.0
        return shown == value or abs(other - number) <= slack + 0.5 * step * (1 + 1e-9)

    return [
        f"row {number}, {column}: {shown!r}, expected {value!r}"
        for number, (row, values) in enumerate(zip(rows, exact.to_numpy(), strict=True), 1)
        for column, shown, value in zip(header, row, values, strict=True)
        if not same(shown, value, column, values[0])
    ]


def test_what_counts_as_the_same_table(fill_tables):
    columns = (
        Column("subject", "text", "", ""),
        Column("nll", "number", "nats", ""),
        Column("share", "number", "", ""),
        Column("best", "integer", "", ""),
        Column("on_bound", "text", "", ""),
    )
    table = Table("t.csv", "row", columns, tolerance=0.01, within={"nll": 10.0, "best": 1})
    exact = pd.DataFrame(
        {"subject": ["7"], "nll": ["1234.5678"], "share": ["0.8857"], "best": ["3"]}
    ).assign(on_bound="psi")
    query = "| subject | nll | share | best | on_bound |\n|:--|:--|:--|:--|:--|\n| 7 | {} |\n"
    assert fill_tables.shown("1234.5678", table, "nll") == "1230"
    assert fill_tables.shown("0.8857", table, "share") == "0.89"
    assert differences("", exact, table, fill_tables)[0].startswith("0 rows of []")
    for cells in ("1230 | 0.89 | 3 | psi", "1240 | 0.88 | 2 | psi", "1230 | 0.89 | 4 | psi"):
        assert differences(query.format(cells), exact, table, fill_tables) == []
    for cells in (
        *("1250 | 0.89 | 3 | psi", "1230 | 0.87 | 3 | psi", "1230 | 0.89 | 5 | psi"),
        *("1230 | 0.89 | 3 | lam", "1230 | x | 3 | psi"),
    ):
        assert len(differences(query.format(cells), exact, table, fill_tables)) == 1, cells


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
    for document in fill_tables.DOCUMENTS:
        for match in fill_tables.TABLE.finditer(document.read_text()):
            file = project_root / "results" / match["query"].split()[0]
            if file.exists():
                exact = fill_tables.chosen(match["query"], project_root / "results")
                committed = match[0].removeprefix(match[1]).removesuffix(match[3])
                wrong += [
                    f"{document.name}, {file.name}: {line}"
                    for line in differences(committed, exact, TABLES[file.stem], fill_tables)
                ]
                compared += 1
    assert not wrong, "\n".join(["the docs differ from the results (make docs):", *wrong])
    if not compared:
        pytest.skip("no results in this folder to compare with; fuzzybounds run makes them")


def says(text: str, fill, query: str, results: Path) -> bool:
    """Whether a sentence says the numbers of the results, or such as another machine gives."""
    numbers, how = fill.numbers(query, results)
    expected, table = fill.phrase(numbers, how), TABLES[Path(query.split()[0]).stem]
    if NUMBER.sub("#", text) != NUMBER.sub("#", expected):
        return False
    columns = query.split("|")[0].split()[1].rpartition(":")[2].split(",")
    for shown, number, column in zip(NUMBER.findall(text), numbers, columns, strict=True):
        scale = 0.01 if shown.endswith("%") else 1.0
        decimals = len(shown.partition(".")[2].rstrip("%"))
        slack = table.slack(column.lstrip("-"), number) if column != "rows" else 0.0
        if abs(scale * float(shown.rstrip("%")) - number) > slack + scale * 0.501 * 10.0**-decimals:
            return False
    return True


def test_how_numbers_are_filled_into_sentences(fill_tables, tmp_path, capsys):
    table = "answer,elpd_difference,se,low,high\nrules,-62.4,42.6,-0.2,3\nboundary,0,0,0,0\n"
    (tmp_path / "stopping_questions.csv").write_text(table)
    marker = "<!-- value: stopping_questions.csv {} -->{}<!-- end -->"

    def filled(query, file="stopping_questions.csv"):
        asked = marker.replace("stopping_questions.csv", file).format(query, "1")
        return re.sub("<!--.*?-->", "", fill_tables.stated(f"by {asked} nats", tmp_path))

    assert filled("-elpd_difference,se .0f | answer=rules") == "by 62 ± 43 nats"
    assert filled("elpd_difference,low,high .1f | answer=rules") == "by -62.4 (-0.2 to 3.0) nats"
    assert filled("low .0f | answer=rules") == "by 0 nats"
    assert filled("rows .0f | se<1") == "by 1 nats"
    assert filled("mean:elpd_difference .1f") == "by -31.2 nats"
    curves = pd.DataFrame({"trial": [1, 4, 4, 4], "reward_rate": [9.0, 0.1, 0.2, 0.6]})
    curves.to_parquet(tmp_path / "learning_curves.parquet")
    query = "median:reward_rate .1f | trial=4"
    assert filled(query, "learning_curves.parquet") == "by 0.2 nats"
    with pytest.raises(ValueError, match="2 rows, expected one"):
        filled("se .0f")
    other = marker.format("se .0f", "7").replace("questions", "power")
    assert fill_tables.stated(other, tmp_path) == other
    assert "left as it is, no results/stopping_power.csv: " in capsys.readouterr().out
    query = "stopping_questions.csv -elpd_difference,se .1f | answer=rules"
    slack = [TABLES["stopping_questions"].slack(name, 0.0) for name in ("elpd_difference", "se")]
    for off, same in ((0.0, True), (0.9, True), (-0.9, True), (1.1, False)):
        lead, error = 62.4 + off * slack[0], 42.6 + off * slack[1]
        assert says(f"{lead:.1f} ± {error:.1f}", fill_tables, query, tmp_path) is same
    assert not says("62.4 (42.6)", fill_tables, query, tmp_path)


def test_numbers_in_sentences_are_those_of_the_results(project_root, fill_tables):
    """As for tables."""
    results, compared, wrong = project_root / "results", 0, []
    for document in fill_tables.DOCUMENTS:
        for match in fill_tables.VALUE.finditer(document.read_text()):
            if (results / match["query"].split()[0]).exists():
                compared += 1
                if not says(match["said"], fill_tables, match["query"], results):
                    expected = fill_tables.phrase(*fill_tables.numbers(match["query"], results))
                    wrong.append(f"{document.name}: {match[0]}, expected {expected}")
    assert not wrong, "\n".join(["the docs differ from the results (make docs):", *wrong])
    if not compared:
        pytest.skip("no results in this folder to compare with; fuzzybounds run makes them")


def test_conditions_are_written_as_tables_write_numbers(fill_tables):
    """A marker that asks for `1.0` finds nothing in a table that has `1`."""
    asked = [
        (Path(match["query"].split()[0]).stem, *condition.strip().removeprefix("over ").split("="))
        for document in fill_tables.DOCUMENTS
        for match in fill_tables.VALUE.finditer(document.read_text())
        for condition in match["query"].split("|")[1:]
        if "=" in condition
    ]
    types = {name: {each.name: each.type for each in TABLES[name].columns} for name, *_ in asked}
    numeric = [part for part in asked if types[part[0]][part[1]] in ("number", "integer")]
    assert len(numeric) > 10
    assert [part for part in numeric if f"{float(part[2]):.10g}" != part[2]] == []


def test_the_abstract_of_the_readme_is_made_of_the_sentences_of_the_article(
    project_root, fill_tables
):
    """Whatever the results are: its numbers are compared as all others are."""
    said = fill_tables.ABSTRACT.search((project_root / "README.md").read_text())["said"]
    lines = fill_tables.VALUE.sub(r"{\g<query>}", said).splitlines()
    folders = {"here/": "experiment_a/", "other/": "experiment_b/"}
    for line, sentence in zip(lines, SENTENCES, strict=True):
        then = re.sub("here/|other/", lambda match: folders[match[0]], sentence["then"])
        openings = [sentence[key] for key in {*sentence} - {"claim", "lead", "log", "then"}]
        assert line in ([f"- **{opening}** {then}" for opening in openings] or [f"- {then}"])


def unfilled(text: str, fill) -> list[str]:
    """Name the markers of a document that have no table or number after them, or a placeholder.

    A placeholder has another form than is asked for, such as 0 where a marker asks for 0% or 0 ± 0.
    """

    def form(numbers: str) -> str:
        return re.sub(r"-?\d+(?:\.(\d+))?", lambda match: f"#{len(match[1] or '')}", numbers)

    tables, values = (list(marker.finditer(text)) for marker in (fill.TABLE, fill.VALUE))
    kinds = text.count("<!-- table:"), text.count("<!-- value:")
    wrong = [] if (len(tables), len(values)) == kinds else ["a marker has no end"]
    wrong += [match["query"] for match in tables if match[0].count("\n|") < 3]
    for match in values:
        _, columns, how = match["query"].split("|")[0].split()
        if form(match["said"]) != form(fill.phrase([0] * (1 + columns.count(",")), how)):
            wrong.append(f"{match['query']}: {match['said']!r}")
    return wrong


def test_every_marker_of_the_documentation_is_filled(fill_tables):
    """Whether or not there are results in this folder."""
    wrong = [
        f"{document.name}: {line}"
        for document in fill_tables.DOCUMENTS
        for line in unfilled(document.read_text(), fill_tables)
    ]
    assert not wrong, "\n".join(["not filled (make docs names what it needs):", *wrong])


def test_links_lead_somewhere(fill_tables):
    for document in fill_tables.DOCUMENTS:
        text = document.read_text()
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
        for target in targets:
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_pages_are_plain_markdown(project_root):
    """Roles of Sphinx would stand there as they are wherever else a page is read."""
    for page in [project_root / "README.md", *(project_root / "docs").rglob("*.md")]:
        assert "{doc}" not in page.read_text(), page.name


def test_figures_on_request_are_those_that_are_named(project_root):
    figures = read_registry(project_root / "notebooks")
    named = [
        f"S{name.removeprefix('figS')}" for name, entry in figures.items() if "on_request" in entry
    ]
    listed = f"Figs. {', '.join(named[:-1])} and {named[-1]}"
    for page in ("Makefile", "README.md"):
        assert listed in (project_root / page).read_text(), f"{page}: expected {listed}"


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
    assert names["fit"].scale > 0
