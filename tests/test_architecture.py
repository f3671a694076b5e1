"""Which package may import which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fuzzybounds.core.source_graph import modules_of

ORDER = (
    {"core"},
    {"canoe"},
    {"logs", "paper"},
    {"cohort", "classifier"},
    {"datasets"},
    {"stopping"},
    {"checks"},
    {"scorecard"},
    {"report", "collect"},
    {"other_models"},
    {"subject_model"},
    {"commands"},
    {"cli"},
)
"""Packages and top-level modules.  Each may import from earlier lines, and from no other on its
own line: the paper's package imports nothing of what goes beyond it."""
IMPORT = re.compile(r"^\s*(?:from|import) fuzzybounds\.(\w+)", re.M)


def parts(project_root):
    """Packages and top-level modules by name, each with its files."""
    result = (project_root / "src/fuzzybounds").iterdir()
    return {
        path.stem: list(path.rglob("*.py")) if path.is_dir() else [path]
        for path in result
        if not path.name.startswith("__") and (path.is_dir() or path.suffix == ".py")
    }


def test_imports_point_one_way(project_root):
    level = {part: number for number, names in enumerate(ORDER) for part in names}
    wrong = []
    for part, files in parts(project_root).items():
        for path in files:
            for name in set(IMPORT.findall(path.read_text(encoding="utf-8"))):
                if name != part and level[name] >= level[part]:
                    wrong.append(f"{path.relative_to(project_root)} imports {name}")
    assert wrong == []


def test_the_paper_waits_for_nothing_beyond_it(project_root):
    """Its figures are drawn by notebooks, which imports between packages do not cover."""
    notebooks = sorted((project_root / "notebooks").glob("fig[0-9]*.ipynb"))
    assert len(notebooks) == 17
    wrong = [
        f"{path.name} imports {name}"
        for path in notebooks
        for name in re.findall(r"(?:from|import) fuzzybounds\.(\w+)", path.read_text("utf-8"))
        if name not in ("core", "canoe", "paper")
    ]
    assert wrong == []


STAGES = {
    "data.smk": {"core", "canoe", "logs"},
    "paper.smk": {"core", "canoe", "paper"},
}
"""Packages whose stages the rules of a file run."""


def test_rules_of_the_paper_run_no_stage_beyond_it(project_root):
    for name, allowed in STAGES.items():
        text = (project_root / "workflow/rules" / name).read_text(encoding="utf-8")
        packages = set(re.findall(r'stage\("(\w+)\.', text))
        assert packages
        assert packages <= allowed, name


NUMBERS = ("judges/*", "verdicts", "controls", "boundary_controls", "boundary_multiverse")
WORDS = {"claims", "findings", "scoring", "errata"}
"""Modules of the scorecard beside the package ``words`` in which there are texts."""


@pytest.mark.parametrize("pattern", NUMBERS)
def test_numbers_of_the_scorecard_wait_for_no_words(project_root, pattern):
    """So that a changed sentence reruns no judge of simulated subjects."""
    source = project_root / "src"
    scorecard = source / "fuzzybounds/scorecard"
    files = sorted(scorecard.glob(f"{pattern}.py"))
    assert files
    for path in files:
        used = {
            Path(file).relative_to(scorecard)
            for file in modules_of(path, source)
            if scorecard in Path(file).parents
        }
        wrong = [str(part) for part in used if part.parts[0] == "words" or part.stem in WORDS]
        assert wrong == [], path.name


def test_every_package_names_its_modules(project_root):
    """A package's docstring lists every module in it, so that a newcomer finds the way."""
    for init in (project_root / "src/fuzzybounds").rglob("__init__.py"):
        names = {path.stem for path in init.parent.glob("*.py")} - {"__init__"}
        if init.parent.name in ("fuzzybounds", "figures") or not names:
            continue
        text = init.read_text(encoding="utf-8")
        missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", text)]
        assert not missing, f"{init.relative_to(project_root)}: {', '.join(missing)}"
