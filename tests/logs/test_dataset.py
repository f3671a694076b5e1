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


@pytest.mark.parametrize(
    ("subjects", "expected"),
    [
        (1, "1 subject of one session: fast and slow groups need 3, and tests of them 7"),
        (3, "3 subjects of one session: tests of fast and slow groups need 7"),
        (6, "6 subjects of one session: tests of fast and slow groups need 7"),
        (7, ""),
    ],
)
def test_few_subjects(subjects, expected):
    assert remarks(trials_of(subjects=subjects)) == [expected] * bool(expected)


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
        ({"condition": "hard"}, "no easy trials"),
        ({"correct": True}, "no errors"),
        ({"correct": False}, "no correct responses"),
        (
            {"session": np.arange(640) % 80 // 40 + 1},
            "0 subjects of one session: there are no fast and slow groups",
        ),
    ],
)
def test_one_sided_data(change, expected):
    (remark,) = remarks(trials_of(**change))
    assert remark.startswith(expected)


@pytest.mark.parametrize("blocks", [1, 7, 10, 39])
def test_short_experiments(blocks):
    found = "\n".join(remarks(trials_of(blocks=blocks)))
    assert "fewer than 40 blocks" in found
    assert ("fewer than 10 responses to easy trials" in found) == (blocks < 10)


def test_subjects_are_named_up_to_eight():
    trials = trials_of(subjects=30, blocks=3)
    trials.loc[trials["subject"] == "s3", "responded"] = False
    unfitted, short, _ = remarks(trials)
    assert unfitted.startswith("subject s3: no response before the deadline")
    assert "s7 and 22 more: fewer than 40 blocks" in short
