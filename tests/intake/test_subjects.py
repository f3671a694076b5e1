"""The first subjects of a data set, and what dataset.json says about their number."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.intake.subjects import keep_first

TRIALS = pd.DataFrame({"subject": ["S10", "S2", "S2", "S1"], "trial": [1, 1, 2, 1]})
PATHS = pd.DataFrame({"subject": ["S10", "S1"], "trial": [1, 1]})


def test_the_first_subjects_are_kept_in_natural_order_with_their_paths():
    kept = keep_first(TRIALS, PATHS, 2)
    assert kept.trials["subject"].tolist() == ["S2", "S2", "S1"]
    assert kept.paths["subject"].tolist() == ["S1"]
    assert (kept.found, kept.used) == (3, 2)


@pytest.mark.parametrize("count", [None, 3, 7])
def test_all_are_kept_where_no_more_are_there(count):
    kept = keep_first(TRIALS, PATHS, count)
    pd.testing.assert_frame_equal(kept.trials, TRIALS)
    assert kept.described("Own")["title"] == "Own, 3 subjects"


def test_a_description_has_the_true_number_of_subjects():
    assert keep_first(TRIALS, PATHS, 2).described("Own", "First look") == {
        "title": "Own, 2 of 3 subjects",
        "subjects_found": 3,
        "subjects_used": 2,
        "first_look": "First look",
    }
