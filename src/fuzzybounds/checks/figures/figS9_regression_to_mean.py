"""Fig. S9: change of the groups, chosen by several sets of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import FAST, SLOW
from fuzzybounds.paper.figures import style

BLOCKS = {
    "first": "the first {}",
    "last": "the last {}",
    "half_of_first": "half of the first {}",
    "other_half_of_first": "the other half",
}
"""What blocks are called, given the number of blocks of a window."""
LOOKS = {FAST: (style.FAST_COLOUR, "o", -0.13), SLOW: (style.SLOW_COLOUR, "s", 0.13)}


def name_of(row: Mapping[str, Any], blocks: int) -> str:
    """Say how the groups of a row were chosen, and between which blocks they changed."""
    names = {name: text.format(blocks) for name, text in BLOCKS.items()}
    start = "the same half" if row["from"] == "half_of_first" else names[row["from"]]
    return f"chosen by {names[row['chosen_by']]} blocks:\n{start} to {names[row['to']]}"


def draw(changes: pd.DataFrame, groups: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the mean change of each group with its interval, one row per contrast."""
    if changes["change"].isna().all():
        raise TooFew("there are no fast or slow subjects with boundaries in all windows")
    figure, axes = style.subplots(width=style.WIDE, height=2.4)
    contrasts = changes.drop_duplicates(["chosen_by", "from", "to"])
    names = [name_of(row, groups["blocks"].iloc[0]) for row in contrasts.to_dict("records")]
    for group, (colour, marker, shift) in LOOKS.items():
        of_group = changes[changes["group"] == group]
        axes.errorbar(
            of_group["change"],
            [place + shift for place in range(len(of_group))],
            xerr=[of_group["change"] - of_group["low"], of_group["high"] - of_group["change"]],
            color=colour,
            marker=marker,
            ls="",
            capsize=2,
            label=group,
        )
    axes.axvline(0, color=style.BLACK, lw=0.6)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="Change of the boundary (px)", ylim=(len(names) - 0.5, -0.5))
    axes.tick_params(axis="y", length=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), title="Group")
    style.say_source(figure, dataset, "95 % bootstrap intervals over subjects")
    return figure
