"""Make the small figures of the documentation, from results/experiment_a.

A figure that only simulated subjects have is taken from theirs, and one that was not drawn keeps
the image that it had.  ``make docs`` runs the pipeline and then this.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from fuzzybounds.core.tables import replacing
from fuzzybounds.report.registry import read_registry

ROOT = Path(__file__).resolve().parents[1]
WIDTH, COLOURS = 400, 256
"""Width of a page-wide figure (px), and how many colours an image keeps."""
PAGE = 2244
"""Width of a page-wide figure as it is drawn (px)."""
FRONT, FRONT_WIDTH = "fig13", 900
"""The figure at the top of README and of the site, and its width (px)."""


def shrink(source: Path, target: Path, wide: int | None = None) -> None:
    """Write a figure small: a narrow one narrower, so that all letters have about one size."""
    with Image.open(source) as image:
        width = wide or max(WIDTH // 2, round(WIDTH * min(1.0, image.width / PAGE)))
        size = (width, round(image.height * width / image.width))
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    with replacing(target) as temporary:
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(temporary, "PNG", optimize=True)


def main(results: Path, docs: Path) -> None:
    """Make the small figures, and the one at the top."""
    registry = read_registry(ROOT / "notebooks")
    for figure, entry in registry.items():
        source = results / entry.get("only", "experiment_a") / "figures" / f"{figure}.png"
        if source.exists():
            shrink(source, docs / "figures" / source.name)
            if figure == FRONT:
                shrink(source, docs / "front.png", FRONT_WIDTH)


if __name__ == "__main__":
    main(ROOT / "results", ROOT / "docs")
