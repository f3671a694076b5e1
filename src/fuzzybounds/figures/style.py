"""One style for every figure: sizes, colours, fonts, letters, and saving to the same bytes."""

from __future__ import annotations

import struct
import textwrap
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.storage.tables import replacing

MM = 1 / 25.4
COLUMN, WIDE, PAGE = 90 * MM, 140 * MM, 190 * MM
"""Widths in inches of a figure over one column, one and a half, and the whole page."""

# Okabe and Ito's colours: distinguishable for the colour-blind and in greyscale print.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY, PALE = "#6E6E6E", "#D9D9D9"

STOP_COLOUR, CONTINUE_COLOUR = VERMILLION, BLUE
FAST_COLOUR, SLOW_COLOUR = ORANGE, PURPLE
FIRST_COLOUR, LAST_COLOUR = BLACK, VERMILLION
LABEL_COLOURS = {"VS": SKY, "S": BLUE, "M": GREEN, "L": VERMILLION, "VL": ORANGE}
LABEL_LINES = {"VS": (0, (1, 1)), "S": "-", "M": "--", "L": "-.", "VL": (0, (5, 1, 1, 1, 1, 1))}
OUTPUT_MAP = "cividis"
"""Colour map of O: perceptually uniform and safe for the colour-blind."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "figure.constrained_layout.use": True,
    "image.cmap": OUTPUT_MAP,
    # Text stays text: it can be searched, and edited for print.
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    # Without a fixed salt the ids in an SVG would differ from run to run.
    "svg.hashsalt": "fuzzybounds",
}

METADATA = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}

first_look: str | None = None
"""Note on every saved figure if the results are only a first look."""

TIME, POSITION = "Elapsed time (s)", "Canoe position (px)"
UNIT_TIME, UNIT_POSITION = "Elapsed time (normalised)", "Canoe position (normalised)"


def use() -> None:
    """Switch to the project's style."""
    mpl.rcParams.update(STYLE)


def subplots(rows: int = 1, columns: int = 1, *, width: float, height: float, **options: Any):
    """Make a figure of a given size in inches, in the project's style."""
    use()
    return plt.subplots(rows, columns, figsize=(width, height), **options)


def new_figure(*, width: float, height: float) -> Figure:
    """Make an empty figure of a given size in inches, in the project's style."""
    use()
    return plt.figure(figsize=(width, height))


def letter(axes: Axes, text: str) -> None:
    """Letter a panel at its upper left corner."""
    axes.set_title(text, loc="left", fontweight="bold", fontsize=8.5)


def letter_all(panels: Any) -> None:
    """Letter panels A, B, C, ... in reading order."""
    for number, axes in enumerate(panels):
        letter(axes, chr(ord("A") + number))


def say_source(figure: Figure, dataset: Mapping[str, Any], extra: str = "") -> None:
    """Write on the figure whose data it shows, especially if the subjects are simulated.

    Parameters
    ----------
    figure : Figure
    dataset : mapping
        Content of ``dataset.json``.
    extra : str
        Additional note, such as that paths were reconstructed.
    """
    kind = str(dataset["title"])
    if dataset["kind"] == "simulated":
        variant = dataset.get("variant")
        kind = f"Simulated subjects, variant {variant}" if variant else "Simulated subjects"
    narrow = figure.get_figwidth() < WIDE
    text = f"{kind};{chr(10) if narrow else ' '}{extra}" if extra else kind
    note(figure, text)


def note(figure: Figure, text: str) -> None:
    """Write a small line at the lower right corner of a figure."""
    figure.supxlabel(text, x=0.99, ha="right", fontsize=6, color=GREY, style="italic")


def nothing(axes: Axes, text: str) -> None:
    """Write in an empty panel why it is empty; axis labels stay, since panels may share axes."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_reason(title: str, reason: str) -> Figure:
    """Draw a panel that says that data are insufficient, in place of a figure."""
    figure, axes = subplots(width=COLUMN, height=1.2)
    lines = [*textwrap.wrap(title, 60), "cannot be drawn:", *textwrap.wrap(reason, 60)]
    nothing(axes, "\n".join(lines))
    axes.set_axis_off()
    return figure


@dataclass(frozen=True)
class Saved:
    """A figure that was saved; a notebook shows it from its PNG file, without drawing it again."""

    png: Path

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        content = self.png.read_bytes()
        # On screen it has the size at which it is printed, whatever its resolution.
        pixels = struct.unpack(">II", content[16:24])
        shown = [round(n * STYLE["figure.dpi"] / STYLE["savefig.dpi"]) for n in pixels]
        size = dict(zip(("width", "height"), shown, strict=True))
        return {"image/png": b64encode(content).decode()}, {"image/png": size}


def save(figure: Figure, stem: str | Path | None) -> Saved | None:
    """Save a figure as PDF, SVG and PNG, the same bytes from run to run; None saves nothing."""
    if stem is None:
        return None
    if first_look:
        # The layout leaves room for a title, but the figures have none.
        figure.suptitle(first_look, x=0.01, ha="left", fontsize=6, color=VERMILLION)
    # One layout serves all formats; Matplotlib would solve it again for each, and draw once more.
    figure.set_dpi(STYLE["savefig.dpi"])
    if engine := figure.get_layout_engine():
        engine.execute(figure)
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)
        for extension, metadata in METADATA.items():
            with replacing(f"{stem}.{extension}") as temporary:
                figure.savefig(temporary, format=extension, metadata=metadata)
    plt.close(figure)
    return Saved(Path(f"{stem}.png"))
