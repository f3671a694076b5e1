"""The tutorial runs from its first cell to its last, and shows what its text announces."""

from __future__ import annotations

import nbformat
from nbclient import NotebookClient


def test_notebooks_are_committed_without_outputs(project_root):
    for path in (project_root / "notebooks").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path.name
            assert not cell.get("execution_count"), path.name


def test_the_tutorial_says_rules_draws_simulates_and_finds_the_truth(project_root, tmp_path):
    path = project_root / "notebooks/tutorials/fit_one_subject.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1
    text = "\n".join(output.get("text") or output["data"]["text/plain"] for output in outputs)
    assert "IF time is short AND position is small THEN continue" in text
    assert "% correct" in text
    assert "log_likelihood" in text
    right, of = map(int, text.split(" rules found are true")[0].split("\n")[-1].split(" of the "))
    assert right >= 0.7 * of
