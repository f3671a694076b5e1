"""docs/new-subjects.md: its commands, run to the letter, and its example."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzybounds.figures.registry import read_registry
from fuzzybounds.intake.mapping import SCHEMA
from fuzzybounds.intake.sources import read_source

GUIDE = "docs/new-subjects.md"


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
        if not language and line.startswith((".venv", "make"))
    ]


@pytest.mark.workflow
def test_the_commands_work_as_they_stand(project, project_root, guide):
    root = project.root
    shutil.copytree(project_root / "docs", root / "docs")
    shutil.copy(project_root / "Makefile", root)
    (root / ".venv").mkdir()
    (root / ".venv/bin").symlink_to(Path(sys.executable).parent)
    typed = commands(guide)
    propose, convert, validate, figures, template, other, variant, compare = typed
    for line in (propose, convert, validate, template, other):
        done = subprocess.run(
            line.split(), cwd=root, env=project.environment, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        if line == propose:
            proposed = (root / "docs/examples/excel_lab/mapping.yaml").read_text()
            # What the guide shows of it is what was written.
            shown = guide.split("```yaml\n")[1].split("```")[0]
            assert set(shown.splitlines()) <= set(proposed.splitlines())
        if line == validate:
            assert "219 trials of 3 subjects can be used." in done.stdout
    assert "272 trials of 4 subjects can be used." in done.stdout
    # Figures take minutes; here they are planned, by the commands that make would give.
    for set_up in ("requirements.lock", "requirements-uv.lock", "pyproject.toml", ".venv/.ready"):
        (root / set_up).touch()

    def planned_by_make(line: str) -> str:
        return subprocess.run(
            [*line.split(), "-n"], cwd=root, capture_output=True, text=True
        ).stdout

    alone = subprocess.run(["make", "compare"], cwd=root, capture_output=True, text=True)
    assert alone.returncode == 2
    assert "error: nothing to compare with\n  - name a second data set" in alone.stdout
    assert "--config dataset='my_lab'" in planned_by_make(figures)
    assert (
        "--configfile 'variants/paper_penalty.yaml' --config dataset='my_lab'"
        in planned_by_make(variant)
    )
    said = "fuzzybounds compare 'results/my_lab' 'results/variants/paper_penalty/my_lab'"
    assert said in planned_by_make(compare)
    planned = project.planned("--config", "dataset=my_lab")
    assert planned["validate_logs"] == planned["score_claims"] == 1
    registry = read_registry(project_root / "notebooks")
    drawn = [entry for entry in registry.values() if not entry.keys() & {"only", "on_request"}]
    assert planned["draw_figure"] == len(drawn)


def module_of(script: Path):
    """An example's script as a module."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_workbook_is_what_its_script_makes(project_root, tmp_path):
    module_of(project_root / "docs/examples/excel_lab.py").main(tmp_path)
    stored = project_root / "docs/examples/excel_lab/study.xlsx"
    # The same cells; a workbook also holds the time at which it was written.
    made, kept = (read_source(path) for path in (tmp_path / "study.xlsx", stored))
    assert made.cells.equals(kept.cells)


def test_the_example_is_what_its_script_makes(project_root, tmp_path):
    module_of(project_root / "docs/examples/other_lab.py").main(tmp_path)
    stored = project_root / "docs/examples/other_lab"
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.csv"))
    assert made == sorted(path.relative_to(stored) for path in stored.rglob("*.csv"))
    for name in made:
        assert (tmp_path / name).read_bytes() == (stored / name).read_bytes(), name


def test_every_key_of_a_mapping_is_explained(guide):
    for key, schema in SCHEMA["properties"].items():
        inner = schema.get("properties", {}) if key not in ("columns", "responses") else {}
        for name in [f"{key}.{own}" for own in inner] or [key]:
            assert f"`{name}`" in guide, name
