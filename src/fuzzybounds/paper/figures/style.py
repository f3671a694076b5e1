"""One style for every figure: sizes, colours, fonts, letters, and saving to the same bytes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.tables import replacing

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.collections import QuadMesh

    from fuzzybounds.core.results import Results

Show = Callable[[Figure], None]

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

TIME, POSITION = "Elapsed time (s)", "Canoe position (px)"
UNIT_TIME, UNIT_POSITION = "Elapsed time (normalised)", "Canoe position (normalised)"


def subplots(rows: int = 1, columns: int = 1, *, width: float, height: float, **options: Any):
    """Make a figure of a given size in inches, in the project's style."""
    mpl.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **options)


def new_figure(*, width: float, height: float) -> Figure:
    """Make an empty figure of a given size in inches, in the project's style."""
    mpl.rcParams.update(STYLE)
    return plt.figure(figsize=(width, height))


def letter_all(panels: Any) -> None:
    """Letter panels A, B, C, ... in reading order, at their upper left corners."""
    for letter, axes in zip("ABCDEFGHIJKLMNOP", panels, strict=False):
        axes.set_title(letter, loc="left", fontweight="bold", fontsize=8.5)


def heat_map(axes: Axes, shares: pd.DataFrame, written: pd.DataFrame, fontsize: float) -> QuadMesh:
    """Draw shares as a heat map from 0 to 1 with a text in every cell, the first row on top."""
    import seaborn  # takes a second or more, which most figures need not wait for

    look = {"vmin": 0, "vmax": 1, "cmap": OUTPUT_MAP, "cbar": False}
    text = {"annot": written, "fmt": "", "annot_kws": {"fontsize": fontsize}}
    seaborn.heatmap(shares, ax=axes, **look, **text)
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    return axes.collections[0]


def say_source(figure: Figure, dataset: Mapping[str, Any], extra: str = "") -> None:
    """Write on the figure whose data it shows, especially if the subjects are simulated.

    `dataset` is the content of ``dataset.json``; `extra` an additional note, such as that paths
    were reconstructed.
    """
    kind = str(dataset["title"])
    if dataset["kind"] == "simulated":
        variant = dataset.get("variant")
        kind = f"Simulated subjects, variant {variant}" if variant else "Simulated subjects"
    between = ";\n" if figure.get_figwidth() < WIDE else "; "
    note(figure, f"{kind}{between}{extra}" if extra else kind)


def note(figure: Figure, text: str) -> None:
    """Write a small line at the lower right corner of a figure."""
    figure.supxlabel(text, x=0.99, ha="right", fontsize=6, color=GREY, style="italic")


def nothing(axes: Axes, text: str) -> None:
    """Write in an empty panel why it is empty; axis labels stay, since panels may share axes."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_reason(reason: str) -> Figure:
    """Draw a panel that says that data are insufficient, in place of a figure."""
    figure, axes = subplots(width=COLUMN, height=1.2)
    lines = ["Insufficient data for this figure:", *textwrap.wrap(reason, 60)]
    nothing(axes, "\n".join(lines))
    axes.set_axis_off()
    return figure


def save(figure: Figure, stem: str | Path) -> None:
    """Save a figure as PDF, SVG and PNG, the same bytes from run to run, and close it."""
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


def show(figure: Figure, save_as: str | Path | None = None, first_look: str = "") -> None:
    """Show a figure in a notebook, and save it where a path without extension is given.

    `first_look` is a note on the figure that its results are only a first look.
    """
    from IPython.display import Image, display

    if first_look:
        # The layout leaves room for a title, but the figures have none.
        figure.suptitle(first_look, x=0.01, ha="left", fontsize=6, color=VERMILLION)
    if save_as is None:
        plt.show()
        return
    save(figure, save_as)
    # At half of its 300 dots per inch it has about the size at which it is printed.
    display(Image(filename=f"{save_as}.png", retina=True))


@contextmanager
def enough_data(tables: Results, save_as: str | Path | None = None) -> Iterator[Show]:
    """Give a notebook a function that shows its figure; say so where data are insufficient.

    :class:`~fuzzybounds.core.errors.TooFew` ends the block, not the notebook.  The reason is
    printed and, unless the figure was shown before, drawn in its place.  `tables` say whether the
    results are only a first look.
    """
    shown = []

    def show_figure(figure: Figure) -> None:
        shown.append(figure)
        show(figure, save_as, tables.first_look)

    try:
        yield show_figure
    except TooFew as reason:
        print(f"Insufficient data: {reason}.")
        if not shown:
            show_figure(draw_reason(str(reason)))
