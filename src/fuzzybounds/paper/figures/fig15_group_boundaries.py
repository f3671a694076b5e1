"""Fig. 15: average decision boundary by group and window, with the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew, counted
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import TRIALS, window_names
from fuzzybounds.paper.groups.comparisons import PAIRED, STUDENT

LOOKS = {SLOW: (style.SLOW_COLOUR, "s", "-"), FAST: (style.FAST_COLOUR, "o", "--")}


def p_value(tests: pd.DataFrame, comparison: str, test: str = STUDENT) -> float:
    """The p-value of one comparison by one test."""
    row = tests[(tests["comparison"] == comparison) & (tests["test"] == test)]
    return float(row["p"].iloc[0])


def _p_text(p: float) -> str:
    if np.isnan(p):
        return "too few to test"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def draw(groups: pd.DataFrame, tests: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw each subject thinly, and the mean of each group with its standard error."""
    if not groups["group"].isin(list(LOOKS)).any():
        subjects = counted(len(groups), "one-session subject")
        raise TooFew(f"of {subjects} with a boundary none is fast and none slow")
    trials, windows = TRIALS[groups["condition"].iloc[0]], window_names(groups)
    figure, axes = style.subplots(width=style.COLUMN, height=3.3)
    places = np.array([0.0, 1.0])
    for group, (colour, marker, line) in LOOKS.items():
        members = groups.loc[groups["group"] == group, [FIRST, LAST]]
        name = f"{group} ({counted(members, 'subject') if len(members) else 'no subjects'})"
        look = {"color": colour, "marker": marker, "ls": line, "label": name}
        if members.empty:
            axes.plot([], [], **look)
            continue
        axes.plot(places, members.to_numpy().T, color=colour, lw=0.6, alpha=0.45)
        error = members.std(ddof=1) / np.sqrt(len(members)) if len(members) > 1 else None
        axes.errorbar(places, members.mean(), yerr=error, lw=1.6, capsize=3, **look)
        unpaired, paired = (
            _p_text(p_value(tests, f"{group}_last_vs_first", test)) for test in (STUDENT, PAIRED)
        )
        text = f"{group}, last vs first:\n{unpaired} (unpaired)\n{paired} (paired)"
        axes.text(1.06, members[LAST].mean(), text, va="center")
    # Above the highest point, even if all points are about as high.
    top = max(axes.get_ylim()[1], 1.03 * axes.dataLim.y1)
    for place, window in zip(places, (FIRST, LAST), strict=True):
        text = f"slow vs fast\n{_p_text(p_value(tests, f'slow_vs_fast_{window}'))}"
        axes.text(place, top, text, ha="center", va="bottom")
    axes.set(
        xticks=places,
        xticklabels=[windows[window] for window in (FIRST, LAST)],
        xlim=(-0.3, 1.45),
        ylim=(0, top * 1.12),
        ylabel=f"Decision boundary, {trials} (px)",
    )
    # Below the axes, where no subject's line can be.
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.1), "ncols": 2}
    axes.legend(title="Mean ± standard error", **below)
    style.say_source(figure, dataset, "p: Student's t-tests")
    return figure
