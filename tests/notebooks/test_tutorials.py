"""Every tutorial runs from its first cell to its last, and shows what its text announces."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.fixture(scope="module")
def executed(project_root, tmp_path_factory):
    notebook = nbformat.read(
        project_root / "notebooks/tutorials/fit_one_subject.ipynb", as_version=4
    )
    folder = str(tmp_path_factory.mktemp("tutorial"))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    return notebook


def outputs(notebook) -> list[str]:
    return [
        output.get("text") or output["data"]["text/plain"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type != "stream" or output.name == "stdout"
    ]


def test_notebooks_are_committed_without_outputs(project_root):
    for path in (project_root / "notebooks").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path.name
            assert not cell.get("execution_count"), path.name


def test_the_tutorial_says_rules_draws_simulates_and_finds_the_truth(executed):
    text = "\n".join(outputs(executed))
    assert "IF time is short AND position is small THEN continue" in text
    images = [
        output
        for cell in executed.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(images) == 1
    assert "% correct" in text
    assert "log_likelihood" in text
    found, of = map(int, text.split(" rules found are true")[0].split("\n")[-1].split(" of the "))
    assert found >= 0.7 * of


def test_the_tutorial_shows_no_warning(executed):
    said = [
        output.text
        for cell in executed.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert said == []
