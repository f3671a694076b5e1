"""Groups chosen by some blocks, and their change between others."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.controls.regression_to_mean import regression_to_mean
from fuzzybounds.core.dictionary import TABLES

HOW = {
    **{"quantile": "hazen", "fast": "<=", "slow": ">"},
    **{"condition": "easy", "missed": True, "summary": "median", "blocks": 20},
    **{"seed": 1, "dataset": "test"},
}


def log(values, per_block=1):
    """One session of 40 blocks: values of shape (subjects, blocks) are distances."""
    rows = [
        (f"s{subject:02d}", block + 1, values[subject, block])
        for subject in range(len(values))
        for block in range(values.shape[1])
        for _ in range(per_block)
    ]
    frame = pd.DataFrame(rows, columns=["subject", "block", "position"])
    return frame.assign(session=1, condition="easy", responded=True)


def contrasts(trials, **how):
    return regression_to_mean(trials, **{**HOW, **how})


def changes(trials, **how):
    table = contrasts(trials, **how)
    assert list(table) == TABLES["regression_to_mean"].names
    return table.set_index(["chosen_by", "from", "to", "group"]).sort_index()


def test_changes_by_hand():
    """Odd blocks, even blocks and the last window have values of their own."""
    base = 100.0 + 10 * np.arange(8)[:, None]
    values = np.repeat(base, 40, axis=1)
    values[0, 0:20:2] -= 50
    values[7, 0:20:2] += 60
    values[:, 20:] += 5
    table = changes(log(values), quantile="inverted_cdf", fast="<", slow=">")
    # Chosen by odd blocks and by even ones, the extreme subjects are the same.
    same = table.loc[("half_of_first", "half_of_first", "other_half_of_first")]
    assert same.loc["fast", "change"] == pytest.approx(0.0)
    other = table.loc[("half_of_first", "other_half_of_first", "last")]
    # From even blocks +5; from odd ones +55 for the fast subject, -55 for one of two slow ones.
    assert other["n_subjects"].to_dict() == {"fast": 1.0, "slow": 2.0}
    assert other.loc["fast", "change"] == pytest.approx((5 + 5 + 50) / 2)
    assert other.loc["slow", "change"] == pytest.approx((5 + 5 - 60 / 2) / 2)


def test_noise_alone_regresses_to_the_mean():
    """Subjects who are all alike, and never change: what moves is the choice of groups."""
    rng = np.random.default_rng(4)
    table = changes(log(100 + 30 * rng.standard_normal((40, 40))))
    assert table.loc[("first", "first", "last", "fast"), "low"] > 0
    assert table.loc[("first", "first", "last", "slow"), "high"] < 0
    assert table.loc[("last", "first", "last", "fast"), "high"] < 0
    assert table.loc[("half_of_first", "half_of_first", "other_half_of_first", "fast"), "low"] > 0
    free = table.loc[("half_of_first", "other_half_of_first", "last")]
    assert (free["low"] < 0).all()
    assert (free["high"] > 0).all()


def test_subjects_who_are_all_alike_have_no_groups():
    table = changes(log(np.full((3, 40), 90.0)))
    assert (table["n_subjects"] == 0).sum() >= 4
    assert table.loc[table["n_subjects"] == 0, "change"].isna().all()
