"""The documentation says what the code and the results say."""

from __future__ import annotations

import importlib.util
import re

import pytest

from fuzzybounds.logs import COLUMNS


@pytest.fixture(scope="module")
def fill_tables(project_root):
    spec = importlib.util.spec_from_file_location("fill", project_root / "docs/fill_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    for document in sorted((project_root / "docs").glob("*.md")):
        for match in fill_tables.TABLE.finditer(document.read_text()):
            file = project_root / "results" / match["query"].split()[0]
            if file.exists():
                rendered = fill_tables.render(match["query"], project_root / "results")
                assert match[0] == match[1] + rendered + match[3], f"{document.name}: {file.name}"
                compared += 1
    if not compared:
        pytest.skip("no results in this folder to compare with; make figures makes them")


def test_links_lead_somewhere(project_root):
    for document in [project_root / "README.md", *(project_root / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
