"""Fig. 11: rule bases of two subjects' fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import contrast, style
from fuzzybounds.paper.figures.parts import KEY, draw_rules
from fuzzybounds.paper.fuzzy.rules import RuleBase


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one table per fit: the rule that most draws give, and the share of draws that do."""
    figure, axes = style.subplots(1, len(fits), width=style.PAGE, height=2.2, squeeze=False)
    for panel, fit in zip(axes.flat, fits, strict=True):
        consequents, agreement = contrast.consequents(fit)
        labels = fit.tuned[0].time.labels
        draw_rules(panel, RuleBase(labels, labels, consequents))
        for (i, j), share in np.ndenumerate(agreement):
            if np.isfinite(consequents[i, j]):
                panel.text(i, j - 0.34, f"{share:.0%}", ha="center", va="center", fontsize=6)
        panel.set_title(fit.name, fontsize=6.5)
    style.letter_all(axes.flat)
    said = f"{contrast.source(fits)}; {KEY}, with the share of draws; hatched: mostly no rule"
    style.say_source(figure, dataset, said)
    return figure
