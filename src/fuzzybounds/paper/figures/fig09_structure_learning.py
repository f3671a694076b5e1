"""Fig. 9: membership functions of structure learning, and the degrees of 0.2 and 0.4."""

from __future__ import annotations

from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_memberships
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant

WORKED_VALUES = (0.2, 0.4)
"""Time and position of the data point that the text turns into a rule."""

MEMBERSHIPS = equidistant(3, convention="width")


def degrees(memberships: Memberships = MEMBERSHIPS) -> dict[float, dict[str, float]]:
    """Normalised degree of each worked value to each label."""
    degrees = memberships.degrees(WORKED_VALUES, normalised=True).tolist()
    return {
        value: dict(zip(memberships.labels, of_labels, strict=True))
        for value, of_labels in zip(WORKED_VALUES, degrees, strict=True)
    }


def draw() -> Figure:
    """Draw three equidistant labels on [0, 1] with the worked degrees marked."""
    figure, axes = style.subplots(width=style.COLUMN, height=2.4)
    draw_memberships(axes, MEMBERSHIPS, 0.0, 1.0, normalised=True)
    for value, by_label in degrees().items():
        axes.axvline(value, color=style.GREY, lw=0.6, ls=":")
        for label, degree in by_label.items():
            if degree >= 0.01:
                axes.plot(value, degree, "o", color=style.LABEL_COLOURS[label])
                # Curves of M rise here and those of S fall: write on the free side.
                offset = (-19, 2) if label == "M" else (4, 3)
                axes.annotate(f"{degree:.2f}", (value, degree), offset, textcoords="offset points")
    axes.set(xlabel="Elapsed time or canoe position (normalised)", ylabel="Degree of membership")
    axes.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.17))
    return figure
