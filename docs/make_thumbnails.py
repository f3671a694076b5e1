"""Make the small figures that README shows, from results/experiment_a.

A figure that only simulated subjects have is taken from theirs, and one that was not drawn keeps
the image that it had.  ``make docs`` runs the pipeline and then this.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PIL import Image

from fuzzybounds.figures.registry import read_registry
from fuzzybounds.report.text import figure_name
from fuzzybounds.storage.tables import replacing

ROOT = Path(__file__).resolve().parents[1]
WIDTH, COLOURS = 400, 256
"""Width of a page-wide figure (px), and how many colours an image keeps."""
PAGE = 2244
"""Width of a page-wide figure as it is drawn (px)."""
ACROSS = 3
"""How many figures stand side by side."""
GALLERY = re.compile(r"(<!-- figures -->\n).*?(<!-- end figures -->)", re.S)


def shrink(source: Path, target: Path) -> None:
    """Write a figure small: a narrow one narrower, so that all letters have about one size."""
    with Image.open(source) as image:
        width = max(WIDTH // 2, round(WIDTH * min(1.0, image.width / PAGE)))
        size = (width, round(image.height * width / image.width))
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    with replacing(target) as temporary:
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(temporary, "PNG", optimize=True)


def gallery(registry: dict[str, Any], folder: Path) -> str:
    """The figures of a folder as rows of a table, in the order of the registry."""
    shown = [figure for figure in registry if (folder / f"{figure}.png").exists()]
    cells = [
        f'<td align="center"><img src="docs/figures/{figure}.png" alt="{name}"><br>\n'
        f"{name}. {registry[figure]['title']}</td>\n"
        for figure, name in zip(shown, map(figure_name, shown), strict=True)
    ]
    rows = [cells[start : start + ACROSS] for start in range(0, len(cells), ACROSS)]
    return "<table>\n" + "".join(f"<tr>\n{''.join(row)}</tr>\n" for row in rows) + "</table>\n"


def main(results: Path, folder: Path, document: Path) -> None:
    """Make the thumbnails anew, and the table of them in a document."""
    registry = read_registry(ROOT / "notebooks")
    for figure, entry in registry.items():
        source = results / entry.get("only", "experiment_a") / "figures" / f"{figure}.png"
        if source.exists():
            shrink(source, folder / source.name)
    text = document.read_text(encoding="utf-8")
    filled = GALLERY.sub(lambda match: match[1] + gallery(registry, folder) + match[2], text)
    document.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main(ROOT / "results", ROOT / "docs/figures", ROOT / "README.md")
