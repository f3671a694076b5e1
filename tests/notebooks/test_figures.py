"""Notebooks of figures: what they take, what they show, and that stock papermill runs them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.tables import write_table
from fuzzybounds.report.registry import read_registry

EVERY = {"dataset", "results", "save_as"}


def sources(path, kind="code") -> list[str]:
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == kind]


def test_parameters_only_choose_what_is_drawn(project_root):
    """What tables were computed with is in the tables: a parameter could contradict them."""
    for figure, entry in read_registry(project_root / "notebooks").items():
        taken = {
            target.id
            for node in ast.parse(sources(entry["notebook"])[0]).body
            for target in node.targets
        }
        options = entry.get("options", [])
        assert all(option.startswith("figures.") for option in options), figure
        assert taken == EVERY | {option.split(".")[1] for option in options}, figure


NOTEBOOK = "notebooks/fig15_group_boundaries.ipynb"


def write_results(folder: Path, groups: list[str]) -> None:
    """Write the tables of Fig. 15 for subjects of these groups."""
    first, last = [200, 220, 90, 110], [190, 200, 100, 130]
    table = pd.DataFrame({"subject": list("abcd"), "median_boundary": first, "group": groups})
    table = table.assign(first=first, last=last, condition="hard", blocks=5)
    write_table(table, folder / "groups.csv")
    names = [f"slow_vs_fast_{window}" for window in ("first", "last")]
    names += [f"{group}_last_vs_first" for group in ("fast", "slow")]
    rows = [(name, test, 0.25) for name in names for test in ("student_t", "paired_t")]
    tests = pd.DataFrame(rows, columns=["comparison", "test", "p"])
    write_table(tests.reindex(columns=TABLES["group_tests"].names), folder / "group_tests.csv")
    looked = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7}
    (folder / "dataset.json").write_text(json.dumps({"kind": "own", "title": "Own", **looked}))


def test_a_notebook_runs_alone_on_what_is_there(project_root, tmp_path):
    write_results(tmp_path / "results/my_lab", ["slow", "slow", "fast", "fast"])
    command = [sys.executable, "-m", "papermill", str(project_root / NOTEBOOK), "done.ipynb"]
    path = {**os.environ, "PYTHONPATH": str(project_root / "src")}
    subprocess.run(command, cwd=tmp_path, env=path, check=True)
    picture, sentence = json.loads((tmp_path / "done.ipynb").read_text())["cells"][-1]["outputs"]
    assert "image/png" in picture["data"]
    text = "".join(sentence["data"]["text/markdown"])
    assert "The fast subjects go from 100 to 115 px (p = 0.250, unpaired)" in text


def test_insufficient_data_are_a_panel_in_every_format(project_root, tmp_path, monkeypatch, capsys):
    write_results(tmp_path / "results/my_lab", ["middle"] * 4)
    monkeypatch.chdir(tmp_path)
    parameters, *rest = sources(project_root / NOTEBOOK)
    names: dict = {}
    exec(parameters, names)
    names["save_as"] = str(tmp_path / "fig")
    exec("\n".join(rest), names)
    assert "Insufficient data: of 4 one-session subjects" in capsys.readouterr().out
    drawn = (tmp_path / "fig.svg").read_text()
    assert "none is fast" in drawn
    assert "First look (7 of 26 subjects)" in drawn
    assert (tmp_path / "fig.pdf").exists()
    assert (tmp_path / "fig.png").exists()
