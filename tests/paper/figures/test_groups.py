"""Figs. 14 and 15: what they write is what their tables hold."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.paper.figures import fig14_group_consequents as group_consequents
from fuzzybounds.paper.figures import fig15_group_boundaries as group_boundaries
from fuzzybounds.paper.groups.comparisons import PAIRED, STUDENT, WELCH

pytestmark = pytest.mark.usefixtures("closed")
DATASET = {"kind": "simulated", "title": "Test"}


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_spreads_of_consequents_are_said_to_be_over_draws():
    """The number of subjects stands only where not the whole group has the rule."""
    key = {"window": ["first", "last"], "time_label": "S", "position_label": "M", "labels": 3}
    cells = pd.DataFrame({**key, "blocks": 20, "n_subjects": 5.0})
    cells = pd.concat(
        [
            cells.assign(group="slow", mean=[0.16, 0.26], sd_over_draws=[0.11, 0.12]),
            cells.assign(group="fast", mean=[0.87, 0.97], sd_over_draws=[0.13, 0.14]),
        ]
    )
    groups = pd.DataFrame({"group": ["slow"] * 5 + ["fast"] * 7})
    figure = group_consequents.draw(cells, groups, DATASET)
    slow_first, fast_first, slow_last, fast_last = (texts(axes) for axes in figure.axes[:4])
    assert slow_first[-2:] == ["0.16", "±0.11"]
    assert fast_first[-2:] == ["0.87", "±0.13\nn 5.0"]
    assert slow_last[-2:] == ["0.26", "±0.12"]
    assert fast_last[-2:] == ["0.97", "±0.14\nn 5.0"]
    below = " ".join(text.get_text() for text in figure.texts)
    assert "±: SD of this mean over draws" in below
    assert "not an error over subjects" in below


def test_every_p_of_the_boundaries_is_in_its_place():
    """Ten p, all different: six of Student's and paired tests are drawn, Welch's are not."""
    members = ["slow", "slow", "fast", "fast"]
    groups = pd.DataFrame({"group": members, "first": [200.0, 190.0, 90.0, 100.0]})
    groups = groups.assign(last=[170.0, 180.0, 120.0, 110.0], condition="easy", blocks=20)
    p = {
        ("slow_last_vs_first", STUDENT): 0.295,
        ("slow_last_vs_first", PAIRED): 0.061,
        ("slow_last_vs_first", WELCH): 0.301,
        ("fast_last_vs_first", STUDENT): 0.185,
        ("fast_last_vs_first", PAIRED): 0.032,
        ("fast_last_vs_first", WELCH): 0.199,
        ("slow_vs_fast_first", STUDENT): 0.0004,
        ("slow_vs_fast_first", WELCH): 0.777,
        ("slow_vs_fast_last", STUDENT): 0.003,
        ("slow_vs_fast_last", WELCH): 0.888,
    }
    tests = pd.Series(p, name="p").rename_axis(["comparison", "test"]).reset_index()
    (axes,) = group_boundaries.draw(groups, tests, DATASET).axes
    written = {text.get_text(): text.get_position() for text in axes.texts}
    places = {
        "slow, last vs first:\np = 0.295 (unpaired)\np = 0.061 (paired)": (1.06, 175.0),
        "fast, last vs first:\np = 0.185 (unpaired)\np = 0.032 (paired)": (1.06, 115.0),
    }
    assert {text: written[text] for text in places} == places
    assert written["slow vs fast\np < 0.001"][0] == 0
    assert written["slow vs fast\np = 0.003"][0] == 1
    assert len(written) == 4
