from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from fuzzybounds.storage.seeds import generator


def first(seed, *names):
    return int(generator(seed, *names).bit_generator.random_raw())


def test_same_seed_and_names_give_the_same_stream():
    np.testing.assert_array_equal(
        generator(1, "cohort", "S01").random(100), generator(1, "cohort", "S01").random(100)
    )


@pytest.mark.parametrize(
    "other",
    [
        (2, "cohort", "S01"),
        (1, "cohort", "S02"),
        (1, "S01", "cohort"),
        (1, "cohortS01"),
        (1, "cohortS", "01"),
        (1, "cohort", "S01", ""),
        (1, "cohort"),
        (1,),
    ],
)
def test_any_other_seed_or_name_gives_another_stream(other):
    ours = generator(1, "cohort", "S01").random(1000)
    theirs = generator(*other).random(1000)
    assert not np.isin(ours, theirs).any()
    # Nor are the two related: the correlation of 1000 independent pairs has an SD of 0.03.
    assert abs(np.corrcoef(ours, theirs)[0, 1]) < 0.13


def test_the_seed_does_not_run_into_the_first_name():
    assert first(1, "2") != first(12)
    assert first(12, "3") != first(1, "23")


def test_numbers_name_as_their_text_does():
    assert first(1, "draw", 2) == first(1, "draw", "2")
    assert first(np.int64(1), "draw") == first(1, "draw")


def test_another_process_gives_the_same_stream():
    # Python salts its own hash() of text in every process; this must not come in.
    code = (
        "from fuzzybounds.storage.seeds import generator;"
        "print(generator(2017, 'simulated', 'S01').bit_generator.random_raw())"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == str(first(2017, "simulated", "S01")), result.stderr
