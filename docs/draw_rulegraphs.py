"""Draw the rule graphs that README and the report show, from what Snakemake exports.

The target `paper` gives ``docs/rulegraph_paper.svg``, a whole run on the simulated cohort gives
``workflow/rulegraph.svg``.  Needs Graphviz (dot).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent
TARGETS = {"paper": "docs/rulegraph_paper.svg", "all": "workflow/rulegraph.svg"}
LOOK = ["-Gbgcolor=transparent", "-Nfontname=sans-serif", "-Nfontsize=11", "-Nheight=0.3"]


def rulegraph(target: str) -> str:
    """Return the graph of a target in the dot language, on the simulated cohort."""
    snakemake = [sys.executable, "-m", "snakemake", "--config", "dataset=simulated"]
    done = subprocess.run(
        [*snakemake, "--rulegraph", "dot", "--", target],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Draw both graphs."""
    for target, name in TARGETS.items():
        drawn = subprocess.run(
            ["dot", "-Tsvg", *LOOK],
            input=rulegraph(target),
            capture_output=True,
            text=True,
            check=True,
        )
        (PROJECT / name).write_text(drawn.stdout, encoding="utf-8")


if __name__ == "__main__":
    main()
