"""The tutorial runs from its first cell to its last, and shows what its text announces."""

from __future__ import annotations

import nbformat
from nbclient import NotebookClient


def test_notebooks_are_committed_without_outputs(project_root):
    for path in (project_root / "notebooks").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path.name
            assert not cell.get("execution_count"), path.name


def executed(path, folder) -> tuple[str, list]:
    """The texts and the outputs of a notebook; nothing may be on stderr."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    text = "\n".join(output.get("text") or output["data"]["text/plain"] for output in outputs)
    return text, outputs


def test_the_tutorial_says_rules_draws_simulates_and_finds_the_truth(project_root, tmp_path):
    path = project_root / "notebooks/tutorials/fit_one_subject.ipynb"
    text, outputs = executed(path, tmp_path)
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1
    assert "IF time is short AND position is small THEN continue" in text
    assert "% correct" in text
    assert "log_likelihood" in text
    right, of = map(int, text.split(" rules found are true")[0].split("\n")[-1].split(" of the "))
    assert right >= 0.7 * of


def test_a_written_model_tells_the_subjects_apart(project_root, tmp_path):
    text, _ = executed(project_root / "notebooks/tutorials/write_a_model.ipynb", tmp_path)
    assert len([line for line in text.splitlines() if "urgency" in line]) >= 8
    best = [line.split() for line in text.splitlines() if line.startswith(("calm", "hurried"))]
    assert [line[1] for line in best] == ["evidence", "urgency"]


def test_models_are_compared_and_recovered(project_root, tmp_path):
    text, outputs = executed(
        project_root / "notebooks/tutorials/compare_and_recover.ipynb", tmp_path
    )
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1
    assert "within_constant" in text
    assert "scatter" in text
