"""Which subjects and trials Figs. 8 and 10 to 12 show, and what their draws say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.paper.figures import contrast
from fuzzybounds.paper.figures import fig08_two_class_data as two_class_data
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase


def trial_table() -> pd.DataFrame:
    """Return 6 blocks of two subjects, each with an easy and a hard trial; "wide" stops at 2."""
    rows = [
        (subject, 1, block, trial, condition, True, float(level * block))
        for subject, level in (("narrow", 1), ("wide", 2))
        for block in range(1, 7)
        for trial, condition in enumerate(("easy", "hard"), start=1)
    ]
    columns = ["subject", "session", "block", "trial", "condition", "responded", "position"]
    return pd.DataFrame(rows, columns=columns)


def sample_table() -> pd.DataFrame:
    """Return two draws of the trials, with a point at which the subject went on and a response."""
    parts = [
        trial_table().assign(draw=draw, responded=responded, time=1.0, path="reconstructed")
        for draw in (1, 2)
        for responded in (False, True)
    ]
    return pd.concat(parts, ignore_index=True)


def fits_of(condition: str, blocks: int) -> pd.DataFrame:
    return pd.DataFrame({"subject": ["narrow", "wide"], "condition": condition, "blocks": blocks})


@pytest.mark.parametrize(
    ("condition", "blocks", "expected", "conditions"),
    [
        ("easy", 2, "easy trials of blocks 1–2", {"easy"}),
        ("hard", 3, "hard trials of blocks 1–3", {"hard"}),
        ("all", 4, "all trials of blocks 1–4", {"easy", "hard"}),
    ],
)
def test_figure_8_shows_the_trials_that_are_fitted(condition, blocks, expected, conditions):
    fits = fits_of(condition, blocks)
    shown, points = two_class_data.select(fits, trial_table(), sample_table(), "wide")
    assert shown == expected
    assert set(points["condition"]) == conditions
    assert set(points["block"]) == set(range(1, blocks + 1))
    assert (points["draw"] == 1).all()
    assert len(points) == 2 * blocks * len(conditions)


@pytest.mark.parametrize(
    ("recorded", "named", "subjects", "why"),
    [
        ([], None, ["narrow", "wide"], "stand-ins: smallest and largest"),
        (["wide", "narrow", "third"], None, ["wide", "narrow"], "with recorded paths"),
        ([], ["wide"], ["wide"], "named in the configuration"),
    ],
)
def test_figures_say_why_they_show_these_subjects(recorded, named, subjects, why):
    chosen = contrast.choose(fits_of("easy", 2), trial_table(), recorded, named)
    assert chosen.subjects == subjects
    assert why in chosen.why


def test_shares_of_draws_add_up_for_every_premise():
    """Of four draws three say stop at (S, L), one says continue; (L, S) has no rule in any."""
    drawn = []
    for row in ("SSS", "SSS", "SSS", "CSS"):
        table = RuleBase.from_table({"L": row, "M": "CCS", "S": "CC-"})
        three = equidistant(3, convention="width")
        drawn.append(Controller(three, three, table))
    fit = contrast.Fit("S1", "first", "blocks 1–2", drawn, drawn, 1.0, 1.0, sample_table(), "")
    shares = contrast.shares(fit)
    np.testing.assert_array_equal(shares.sum(axis=0), np.ones((3, 3)))
    np.testing.assert_array_equal(shares[:, 0, 2], [0.75, 0.25, 0.0])
    np.testing.assert_array_equal(shares[:, 2, 0], [0.0, 0.0, 1.0])
