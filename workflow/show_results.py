"""Print the findings of a run and where they are, in a few lines, at the end of `make figures`.

The scorecard has one line per claim of the paper; claims.txt has the long form.
"""

from __future__ import annotations

import csv
import os
import shutil
import sys
from pathlib import Path

GREEN, YELLOW, RED, GREY = "32", "33", "31", "90"
LOOKS = {
    "not reproduced": ("✗", RED),
    "does not hold": ("✗", RED),
    "not found": ("✗", RED),
    "in direction": ("≈", YELLOW),
    "reproduced": ("✓", GREEN),
    "found": ("✓", GREEN),
    "holds": ("✓", GREEN),
    "inconclusive": ("?", YELLOW),
    "undecided": ("?", YELLOW),
}
"""Sign and colour of a verdict, by the first of these words that it has."""
OTHERWISE = ("–", GREY)


def look_of(verdict: str) -> tuple[str, str]:
    """Sign and colour of a verdict."""
    return next((look for words, look in LOOKS.items() if words in verdict), OTHERWISE)


def scorecard(rows: list[dict[str, str]], width: int, colours: bool) -> list[str]:
    """Format a claim in one line: sign, number, verdict, and as much of the result as fits."""
    widest = max((len(row["verdict"]) for row in rows), default=0)
    lines = []
    for row in rows:
        sign, colour = look_of(row["verdict"])
        head = f"{sign} {row['id']}  {row['verdict']:<{widest}}"
        room = width - len(head) - 2
        found = " ".join(row["ours"].split())
        if len(found) > room:
            found = found[: max(room - 1, 0)] + "…"
        painted = f"\x1b[{colour}m{head}\x1b[0m" if colours else head
        lines.append(f"{painted}  {found}".rstrip())
    return lines


def paths(folder: Path) -> list[str]:
    """Where the results are, the report first."""
    places = {
        "Report": "report.html",
        "Figures": "figures/  (PDF, SVG, PNG)",
        "Notebooks": "notebooks/  (executed)",
        "Scorecard": "claims.txt  (each claim in full)",
    }
    return [f"{name + ':':<11}{folder.as_posix()}/{file}" for name, file in places.items()]


def main(folder: Path) -> None:
    """Show the results of a folder."""
    with open(folder / "claims.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = shutil.get_terminal_size().columns
    print(f"Claims of the paper on {folder.name}:")
    print(*scorecard(rows, width - 1, colours), "", *paths(folder), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
