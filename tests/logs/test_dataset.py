"""What a small or odd data set is told, and that it is true."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.logs.dataset import GROUPED, TESTED, lost_paths, remarks
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.validation import validate
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
    trials = trials.assign(position=np.arange(len(trials)))
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


def test_two_names_of_one_subject_are_told():
    trials = trials_of()
    tables = [trials[trials["subject"] == name].drop(columns="subject") for name in ("s2", "s5")]
    trials.loc[trials["subject"] == "s5", tables[0].columns] = tables[0].to_numpy()
    few = trials[trials["block"] <= 5].reset_index(drop=True)
    assert not [remark for remark in remarks(few) if "different names" in remark]
    (remark,) = remarks(trials)
    assert remark.startswith("subjects s2, s5: the same trials, row by row, under different names")


def test_what_a_data_set_loses_is_counted(tidy_log, trial_row):
    """Of three trials off the lattice one has a recorded path."""
    rows = [trial_row(trial=str(n), position="64.5" if n < 4 else "67.5") for n in range(1, 9)]
    logs = validate(read_logs([tidy_log(rows)]).raw)
    recorded = pd.DataFrame({"subject": ["7", "7", "7"], "trial": [1, 1, 8]})
    share, notes = lost_paths(logs, recorded)
    assert share == 2 / 8
    assert notes[0].startswith("2 of 8 trials (25 %) have no path: they are left out of two-class")
    assert lost_paths(logs, recorded.assign(trial=[1, 2, 3])) == (0, [])


def test_responses_are_counted_to_the_end_of_the_window():
    """Ten easy trials, the last of them in block 20."""
    trials = trials_of(a_block=1)
    easy = trials["block"].isin([*range(3, 41, 4), *range(4, 41, 4)])
    trials = trials.assign(
        condition=np.where(easy, "easy", "hard"), correct=trials["block"] % 3 > 0
    )
    assert remarks(trials) == []
    # Nobody is named twice: who never responds has few responses, too.
    silent = trials.assign(responded=trials["subject"] != "s3")
    assert remarks(silent) == [
        "subject s3: no response before the deadline, so there is nothing to fit"
    ]


@pytest.mark.parametrize("blocks", [9, 10, 39])
def test_short_experiments(blocks):
    text = "\n".join(remarks(trials_of(blocks=blocks)))
    assert "fewer than 40 blocks" in text
    assert ("fewer than 10 responses to easy trials" in text) == (blocks < 10)
