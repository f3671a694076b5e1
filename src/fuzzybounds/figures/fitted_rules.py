"""Fig. 11: rule bases of two subjects' fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.figures import contrast, style
from fuzzybounds.figures.rule_base import KEY, draw_table
from fuzzybounds.fuzzy.rules import RuleBase


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one table per fit: the rule that most draws give, and how many of them do."""
    figure, axes = style.subplots(1, len(fits), width=style.PAGE, height=2.2, squeeze=False)
    for panel, fit in zip(axes.flat, fits, strict=True):
        consequents, agreement = contrast.consequents(fit)
        labels = fit.tuned[0].time.labels
        draw_table(panel, RuleBase(labels, labels, consequents))
        for (i, j), share in np.ndenumerate(agreement):
            panel.text(i, j - 0.36, f"{share:.0%}", ha="center", va="center", fontsize=5)
        panel.set_title(fit.name, fontsize=6.5)
    style.letter_all(axes.flat)
    style.say_source(figure, dataset, f"{contrast.source(fits, dataset)}; {KEY}, hatched: no rule")
    return figure
