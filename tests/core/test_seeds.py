"""Random numbers by name."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.core.seeds import generator


def first(seed, *names):
    return int(generator(seed, *names).bit_generator.random_raw())


def test_the_stream_is_the_same_in_every_process():
    """Python salts its own hash() of text in every process; this must not come in."""
    assert first(2017, "simulated", "S01") == 6047463081359414429


@pytest.mark.parametrize(
    "other",
    [(2, "cohort", "S01"), (1, "cohort", "S02"), (1, "S01", "cohort"), (1, "cohortS", "01")],
)
def test_any_other_seed_or_name_gives_another_stream(other):
    ours = generator(1, "cohort", "S01").random(1000)
    theirs = generator(*other).random(1000)
    assert not np.isin(ours, theirs).any()
    # Nor are the two related: the correlation of 1000 independent pairs has an SD of 0.03.
    assert abs(np.corrcoef(ours, theirs)[0, 1]) < 0.13
