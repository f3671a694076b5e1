"""What a small or odd data set is told, and that it is true."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.logs.dataset import GROUPED, TESTED, remarks
from fuzzybounds.paper.groups.fast_and_slow import FAST, SLOW, assign


def trials_of(subjects=8, blocks=40, a_block=2, **changes) -> pd.DataFrame:
    """Trials with which nothing is wrong, but for what is given."""
    rows = [
        (f"s{subject}", 1, block, bool(number % 2))
        for subject in range(subjects)
        for block in range(1, blocks + 1)
        for number in range(a_block)
    ]
    trials = pd.DataFrame(rows, columns=["subject", "session", "block", "correct"])
    condition = np.where(trials.index % 4 < 2, "easy", "hard")
    return trials.assign(condition=condition, responded=True).assign(**changes)


@pytest.mark.parametrize("n", range(1, 12))
def test_the_numbers_of_subjects_are_those_of_the_groups(n):
    groups = assign(pd.Series(range(n), dtype=float), quantile="hazen", fast="<=", slow=">")
    least = min((groups == FAST).sum(), (groups == SLOW).sum())
    assert (least >= 1) == (n >= GROUPED)
    assert (least >= 2) == (n >= TESTED)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"condition": "easy"}, "no hard trials"),
        ({"correct": True}, "no errors"),
        (
            {"session": np.arange(640) % 80 // 40 + 1},
            "0 subjects of one session: there are no fast and slow groups",
        ),
    ],
)
def test_one_sided_data(change, expected):
    (remark,) = remarks(trials_of(**change))
    assert remark.startswith(expected)


@pytest.mark.parametrize("blocks", [9, 10, 39])
def test_short_experiments(blocks):
    found = "\n".join(remarks(trials_of(blocks=blocks)))
    assert "fewer than 40 blocks" in found
    assert ("fewer than 10 responses to easy trials" in found) == (blocks < 10)
