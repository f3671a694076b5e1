"""What the report takes from Snakemake, and Snakemake's own report."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.workflow

TARGETS = (
    "results/tiny/shards",
    "results/tiny/design_check.csv",
    "results/tiny/figures/fig03.png",
)


def recorded_edges(project) -> set[tuple[str, str]]:
    """Which rule reads which rule's files, as the report finds out."""
    code = (
        "import sys, json; sys.path.insert(0, 'workflow/scripts')\n"
        "import make_report\n"
        f"edges = make_report.graph.rule_edges(make_report.job_of, {TARGETS!r}, 'all')\n"
        "print(json.dumps(sorted(edges)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.root,
        env=project.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return {(start, end) for start, end in json.loads(done.stdout) if end != "all"}


def test_the_rules_as_snakemake_sees_them_and_its_own_report(project):
    # One test, because it takes one run.
    project.run(*TARGETS)
    dot = project.run("--rulegraph", "dot", *TARGETS)
    names = dict(re.findall(r'^\s*(\d+)\s*\[label = "(\w+)"', dot, re.M))
    arrows = re.findall(r"^\s*(\d+)\s*->\s*(\d+)", dot, re.M)
    assert recorded_edges(project) == {(names[start], names[end]) for start, end in arrows}
    assert ("validate_logs", "check_design") in recorded_edges(project)

    project.run("--report", "snakemake.html", *TARGETS[1:])
    text = (project.root / "snakemake.html").read_text()
    assert "A decision boundary as a weighted sum of basis functions" in text
    assert "Before the fuzzy model the paper considers" in text
    assert all(f'"{category}"' in text for category in ("Figures", "Data"))
