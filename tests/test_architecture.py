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
    {"fits"},
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


PAPER = {"core", "canoe", "paper"}
BEYOND = {*PAPER, "stopping", "checks"}
NOTEBOOKS = {"fig[0-9]*": PAPER, "figS*": BEYOND}
"""Packages that notebooks may import: those of the paper's figures nothing beyond it."""


@pytest.mark.parametrize("pattern", NOTEBOOKS)
def test_notebooks_wait_for_nothing_that_comes_later(project_root, pattern):
    """Figures are drawn by notebooks, which imports between packages do not cover."""
    notebooks = sorted((project_root / "notebooks").glob(f"{pattern}.ipynb"))
    assert len(notebooks) == 17 if NOTEBOOKS[pattern] == PAPER else notebooks
    wrong = [
        f"{path.name} imports {name}"
        for path in notebooks
        for name in re.findall(r"(?:from|import) fuzzybounds\.(\w+)", path.read_text("utf-8"))
        if name not in NOTEBOOKS[pattern]
    ]
    assert wrong == []


STAGES = {
    "data.smk": {"core", "canoe", "logs"},
    "paper.smk": PAPER,
    "checks.smk": {"checks"},
    "learning.smk": {"checks"},
    "stopping.smk": {"stopping"},
    "scorecard.smk": {"scorecard"},
    "report.smk": {"report"},
    "reference.smk": {"report"},
}
"""Packages whose stages the rules of a file run."""


def test_rules_run_the_stages_of_their_part(project_root):
    ran = {}
    for path in (project_root / "workflow/rules").glob("*.smk"):
        if packages := set(re.findall(r'stage\("(\w+)\.', path.read_text(encoding="utf-8"))):
            ran[path.name] = packages
    assert ran.keys() == STAGES.keys()
    assert [name for name in ran if not ran[name] <= STAGES[name]] == []


NUMBERS = ("judges/*", "verdicts", "controls", "boundary_*", "rule_claims")
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
