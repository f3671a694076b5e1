import pandas as pd
import pytest

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.findings import find
from fuzzybounds.scorecard.verdicts import (
    SUPPORTED,
    UNDECIDED,
    UNPRINTED,
    UNSUPPORTED,
)

OTHER = {"rules": "boundary", "boundary": "rules"}
QUESTION = "kind, noise within trials"


def tables(best, difference, se, subjects=26, mistaken=0.01, scheme="interleaved"):
    """The two tables of B01; a cohort with the other truth is called like this one so often."""
    shared = {"question": QUESTION, "condition": "easy", "scheme": scheme, "delay": "fitted"}
    brief = pd.DataFrame(
        {
            **shared,
            "answer": [best, OTHER[best]],
            "models": [4, 8],
            "elpd": [-1000.0, -1000.0 - difference],
            "elpd_difference": [0.0, -difference],
            "se": [0.0, se],
            "n_best": [15, 11],
            "subjects": subjects,
            "without": "25",
            "elpd_difference_without": [0.0, -difference - 4],
            "se_without": [0.0, se + 1],
        }
    )
    power = pd.DataFrame(
        {
            **shared,
            "true_answer": [best, OTHER[best]],
            "true_model": ["a", "b"],
            "cohort": subjects,
            "boundary_best": 0.5,
            "boundary_ahead": 1.0,
            "se": 5.0,
            f"called_{best}": [0.7, mistaken],
            f"called_{OTHER[best]}": [0.02, 0.6],
        }
    )
    return {"stopping_brief": brief, "stopping_brief_power": power}


@pytest.mark.parametrize(
    ("best", "difference", "se", "expected"),
    [
        ("rules", 50.0, 10.0, SUPPORTED),
        ("boundary", 50.0, 10.0, UNSUPPORTED),
        ("rules", 15.0, 10.0, UNDECIDED),
        ("boundary", 15.0, 10.0, UNDECIDED),
    ],
)
def test_a_difference_counts_beyond_two_standard_errors(best, difference, se, expected):
    found = find("B01", tables(best, difference, se))
    assert (found.verdict, found.conclusion) == (UNPRINTED, expected)
    assert bool(found.few) == (expected == UNDECIDED)
    assert f"{best} ahead of" in found.ours
    assert "Without subject 25, whose P0 on easy trials was another: " in found.note
    assert f"{OTHER[best]} behind by {difference + 4:.0f} nats (standard error 11" in found.note


@pytest.mark.parametrize("best", ["rules", "boundary"])
def test_a_comparison_that_would_say_so_anyway_decides_nothing(best):
    found = find("B01", tables(best, 50.0, 10.0, mistaken=0.2))
    assert found.conclusion == UNDECIDED
    assert f"if {OTHER[best]} were true, 20% of cohorts" in found.few
    without = tables(best, 50.0, 10.0)
    without["stopping_brief_power"] = without["stopping_brief_power"].iloc[:0]
    assert find("B01", without).conclusion == UNDECIDED


def test_few_subjects_cannot_decide():
    with pytest.raises(TooFew):
        find("B01", tables("rules", 50.0, 10.0, subjects=3))
    empty = {name: table.iloc[:0] for name, table in tables("rules", 1.0, 1.0).items()}
    with pytest.raises(TooFew):
        find("B01", empty)


@pytest.mark.parametrize(("other", "expected"), [("rules", SUPPORTED), ("boundary", UNDECIDED)])
def test_both_ways_to_leave_out_blocks_must_agree(other, expected):
    first = tables("rules", 50.0, 10.0)
    second = tables(other, 50.0, 10.0, scheme="contiguous")
    found = find("B01", {name: pd.concat([first[name], second[name]]) for name in first})
    assert found.conclusion == expected
    assert ("disagree" in found.few) == (other == "boundary")
