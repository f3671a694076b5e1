"""Fig. S9: every contrast has its row, and nothing to draw is said."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.beyond.figures import figS9_regression_to_mean as regression_to_mean
from fuzzybounds.core.errors import TooFew

DATASET = {"kind": "simulated", "title": "tiny"}
GROUPS = pd.DataFrame({"group": ["fast", "slow"], "blocks": 5})
CONTRASTS = [("first", "first", "last"), ("last", "first", "last")]


def changes(value: float) -> pd.DataFrame:
    rows = [
        (*contrast, group, sign * value, sign * value - 1, sign * value + 1)
        for contrast in CONTRASTS
        for group, sign in (("fast", 1), ("slow", -1))
    ]
    return pd.DataFrame(rows, columns=["chosen_by", "from", "to", "group", "change", "low", "high"])


def test_every_contrast_has_its_row():
    figure = regression_to_mean.draw(changes(10.0), GROUPS, DATASET)
    axes = figure.axes[0]
    assert len(axes.get_yticks()) == len(CONTRASTS)
    assert axes.get_yticklabels()[0].get_text().startswith("chosen by the first 5 blocks:")
    means = [list(own.lines[0].get_xdata()) for own in axes.containers]
    assert means == [[10.0, 10.0], [-10.0, -10.0]]


def test_nothing_to_draw_is_said():
    with pytest.raises(TooFew, match="no fast or slow subjects"):
        regression_to_mean.draw(changes(float("nan")), GROUPS, DATASET)
