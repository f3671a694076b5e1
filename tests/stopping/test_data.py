"""Folds, and which trials are used."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.paper.reinforcement.design import PAPER_CUED, PAPER_UNCUED
from fuzzybounds.stopping.data import design_of, folds, prepare
from fuzzybounds.stopping.lattice import Bins


def test_folds_keep_blocks_together():
    blocks = np.repeat([1, 2, 3, 5, 8, 9, 11, 12, 14, 20], 3)
    interleaved, contiguous = (folds(blocks, s, 5) for s in ("interleaved", "contiguous"))
    assert interleaved[::3].tolist() == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    assert contiguous[::3].tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    for division in (interleaved, contiguous):
        assert (division.reshape(-1, 3) == division[::3, None]).all()
    with pytest.raises(ValueError, match="expected one of"):
        folds(blocks, "random", 5)


def test_off_lattice_trials_are_left_out_and_counted(subject):
    trials, samples = subject
    shifted = trials.copy()
    shifted.loc[3, "position"] += 13.0
    mixed = shifted.assign(condition=np.where(trials["trial"] % 2, "easy", "hard"))
    # Without cues one hazard serves all trials.
    for logs, task, condition in ((shifted, PAPER_CUED, "easy"), (mixed, PAPER_UNCUED, "all")):
        (data,) = prepare(logs, samples, Bins(), task)
        assert data.condition == condition
        assert (data.off_lattice, len(data.trials)) == (1, len(trials) - 1)


def test_design_takes_p0_from_the_logs():
    check = pd.DataFrame(
        {"quantity": "p0", "condition": ["easy", "hard"], "value": [0.745, np.nan]}
    )
    easy, hard = design_of(check, cued=False).conditions
    assert (easy.p0, hard.p0) == (0.745, 0.51)
