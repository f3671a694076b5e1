"""B01: rules rather than a boundary."""

import pandas as pd
import pytest

from fuzzybounds.paper.claims import CLAIMS
from fuzzybounds.paper.claims.claim import INCONCLUSIVE, NOT, REPRODUCED
from fuzzybounds.storage.errors import TooFew


def brief(best, difference, se, subjects=26):
    other = {"rules": "boundary", "boundary": "rules"}[best]
    return pd.DataFrame(
        {
            "question": "kind, noise within trials",
            "condition": "easy",
            "answer": [best, other],
            "elpd": [-1000.0, -1000.0 - difference],
            "elpd_difference": [0.0, -difference],
            "se": [0.0, se],
            "n_best": [15, 11],
            "protected_exceedance": [0.9, 0.1],
            "subjects": subjects,
        }
    )


@pytest.mark.parametrize(
    ("best", "difference", "se", "expected"),
    [
        ("rules", 50.0, 10.0, REPRODUCED),
        ("boundary", 50.0, 10.0, NOT),
        ("rules", 15.0, 10.0, INCONCLUSIVE),
        ("boundary", 15.0, 10.0, INCONCLUSIVE),
    ],
)
def test_a_difference_counts_beyond_two_standard_errors(best, difference, se, expected):
    found = CLAIMS["B01"].find({"stopping_brief": brief(best, difference, se)})
    assert found.verdict == expected
    assert bool(found.few) == (expected == INCONCLUSIVE)
    assert f"{best} ahead of" in found.ours


def test_few_subjects_cannot_decide():
    with pytest.raises(TooFew):
        CLAIMS["B01"].find({"stopping_brief": brief("rules", 50.0, 10.0, subjects=3)})
    with pytest.raises(TooFew):
        CLAIMS["B01"].find({"stopping_brief": brief("rules", 1.0, 1.0).iloc[:0]})
