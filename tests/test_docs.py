"""The documentation says what the code and the results say."""

from __future__ import annotations

import importlib.util
import re

import pytest
import yaml

from fuzzybounds.logs import COLUMNS


@pytest.fixture(scope="module")
def fill_tables(project_root):
    spec = importlib.util.spec_from_file_location("fill", project_root / "docs/fill_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FROM_UNSTABLE_FITS = {
    *("claims.csv", "model_selection.csv", "shape_evidence.csv", "model_recovery_summary.csv")
}
"""Tables that hang on the last digits of exp and log, in which processors differ."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def nearly_equal(one: str, other: str) -> bool:
    """Whether two tables have the same words, and numbers that differ by little or by one."""
    words = [[re.sub(r"[\s:|-]+", " ", text) for text in NUMBER.split(x)] for x in (one, other)]
    numbers = [[float(number) for number in NUMBER.findall(x)] for x in (one, other)]
    if words[0] != words[1]:
        return False
    return all(
        abs(a - b) <= (1.0 if a.is_integer() and b.is_integer() else 0.05) + 0.02 * abs(b)
        for a, b in zip(*numbers, strict=True)
    )


def test_tables_that_are_nearly_equal():
    table = "| a | n |\n|:--|:--|\n| 0.951 | 8 of 26 |\n"
    assert nearly_equal(table, table.replace("8 of", "9 of").replace("0.951", "0.96"))
    for old, new in (("8 of", "11 of"), ("0.951", "0.8"), ("of 26", "in 26"), ("0.951", "nan")):
        assert not nearly_equal(table, table.replace(old, new))


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
    compared = 0
    for document in [project_root / "README.md", *sorted((project_root / "docs").glob("*.md"))]:
        for match in fill_tables.TABLE.finditer(document.read_text()):
            file = project_root / "results" / match["query"].split()[0]
            if file.exists():
                rendered = fill_tables.render(match["query"], project_root / "results")
                committed = match[0].removeprefix(match[1]).removesuffix(match[3])
                same = nearly_equal if file.name in FROM_UNSTABLE_FITS else str.__eq__
                assert same(committed, rendered), f"{document.name}: {file.name}"
                compared += 1
    if not compared:
        pytest.skip("no results in this folder to compare with; make figures makes them")


def test_links_lead_somewhere(project_root):
    for document in [project_root / "README.md", *(project_root / "docs").glob("*.md")]:
        text = document.read_text()
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
        for target in targets:
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_every_small_figure_is_shown_once_in_its_order(project_root):
    registry = yaml.safe_load((project_root / "workflow/figures.yaml").read_text())
    files = {file.stem: file for file in (project_root / "docs/figures").glob("*.png")}
    shown = re.findall(r'src="docs/figures/(\w+)\.png"', (project_root / "README.md").read_text())
    assert shown == [figure for figure in registry if figure in files]
    assert set(shown) == set(files)
    assert len(shown) >= 20
    assert sum(file.stat().st_size for file in files.values()) < 1.5e6
