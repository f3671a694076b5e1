"""Draw the rules of the target `paper`, as Snakemake exports them, for README and the report.

Edges that follow from others are left out.  Needs Graphviz (tred and dot).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent
DRAWING = PROJECT / "workflow/rulegraph.svg"
EXPORT = (sys.executable, "-m", "snakemake", "--config", "dataset=simulated", "--rulegraph", "dot")
LOOK = ("-Gbgcolor=transparent", "-Nfontname=sans-serif", "-Nfontsize=12", "-Nheight=0.3")


def main() -> None:
    """Draw the graph."""
    text = ""
    for command in ([*EXPORT, "--", "paper"], ["tred"], ["dot", "-Tsvg", *LOOK]):
        done = subprocess.run(
            command, cwd=PROJECT, input=text, capture_output=True, text=True, check=True
        )
        text = done.stdout
    DRAWING.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
