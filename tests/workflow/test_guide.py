"""docs/new-subjects.md: its commands, run to the letter, and its example."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from fuzzybounds.report.registry import read_registry

GUIDE = "docs/new-subjects.md"
FIGURE = "docs/how-to/add-a-figure.md"


@pytest.fixture(scope="module")
def guide(project_root) -> str:
    return (project_root / GUIDE).read_text()


def commands(guide: str) -> list[str]:
    """The lines of the guide that a reader types."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", guide, re.S | re.M)
    return [
        line
        for language, block in blocks
        for line in block.splitlines()
        if not language and line.startswith("fuzzybounds") and "my_log" not in line
    ]


def test_the_commands_work_as_they_stand(project, project_root, guide):
    root = project.root
    shutil.copytree(project_root / "docs", root / "docs")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def typed(line: str) -> str:
        part = {**project.environment, "PATH": path}
        done = subprocess.run(line.split(), cwd=root, env=part, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    propose, convert, validate, figures, other, variant, compare = commands(guide)
    typed(propose)
    proposed = (root / "docs/examples/excel_lab/mapping.yaml").read_text()
    # What the guide shows of it is what was written.
    shown = guide.split("```yaml\n")[1].split("```")[0]
    assert set(shown.splitlines()) <= set(proposed.splitlines())
    typed(convert)
    assert "219 trials of 3 subjects can be used." in typed(validate)
    assert "272 trials of 4 subjects can be used." in typed(other)
    # Figures take minutes: here is what Snakemake would plan.
    assert compare == "fuzzybounds compare my_lab --variant paper_penalty"
    for line in (figures, variant):
        typed(f"{line} --only all --snakemake --dry-run")
    planned = project.planned("--config", "dataset=my_lab")
    assert planned["validate_logs"] == planned["score_claims"] == 1
    registry = read_registry(project_root / "notebooks")
    drawn = [entry for entry in registry.values() if not entry.keys() & {"only", "on_request"}]
    assert planned["draw_figure"] == len(drawn)


def test_a_figure_is_added_as_the_page_says(project, project_root):
    """With the number that the page takes, which must be free; a copied notebook is planned."""
    page = (project_root / FIGURE).read_text()
    notebooks, modules = project.root / "notebooks", project.root / "src/fuzzybounds/checks/figures"
    (number,) = set(re.findall(r"fig(S\d+)_NAME", page))
    assert f"fig{number}" not in read_registry(notebooks)
    shutil.copy(modules / "figS1_recovery.py", modules / f"fig{number}_name.py")
    notebook = json.loads((notebooks / "figS1_recovery.ipynb").read_text())
    described = dedent(page.split("```yaml\n")[1].split("```")[0])
    notebook["cells"][0]["source"] = [described.strip()]
    text = json.dumps(notebook).replace("figS1_recovery", f"fig{number}_name")
    (notebooks / f"fig{number}_name.ipynb").write_text(text)
    assert read_registry(notebooks)[f"fig{number}"]["title"] == "What it shows, in a few words"
    project.configure(dataset="simulated")
    assert project.planned(f"results/simulated/figures/fig{number}.png")["draw_figure"] == 1
