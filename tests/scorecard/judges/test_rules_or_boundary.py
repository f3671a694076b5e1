"""B01 and B02: conclusions on both sides of every threshold."""

import pandas as pd
import pytest

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.findings import find
from fuzzybounds.scorecard.verdicts import SUPPORTED, UNDECIDED, UNPRINTED, UNSUPPORTED

OTHER = {"rules": "boundary", "boundary": "rules"}
DIRECTIONS = {"used": "ignored", "ignored": "used"}


def tables(best, difference, se, subjects=26, expected=-20.0, scheme="interleaved"):
    """The two tables of B01; cohorts with the other truth have such a lead of the best answer."""
    shared = {"condition": "easy", "scheme": scheme, "delay": "fitted"}
    brief = pd.DataFrame(
        {
            **shared,
            "question": "kind with direction",
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
            "question": "kind with direction",
            "true_answer": [f"directed {best}", f"directed {OTHER[best]}"],
            "true_model": ["a", "b"],
            "answer": best,
            "other": OTHER[best],
            "cohort": subjects,
            "simulated": 8,
            "best": 0.5,
            "ahead": [60.0, expected],
            "se": 5.0,
            "called_answer": 0.7,
            "called_other": 0.02,
        }
    )
    plain = brief.assign(question="kind")
    return {"stopping_brief": pd.concat([brief, plain]), "stopping_brief_power": power}


def directions(best, difference, se, expected=-20.0):
    """The tables of B02, from those of B01."""
    made = tables("rules", difference, se, expected=expected)
    brief = (
        made["stopping_brief"]
        .iloc[:2]
        .assign(question="direction", answer=[best, DIRECTIONS[best]])
    )
    truths = [["boundary", "rules"], ["directed boundary", "directed rules"]]
    right, wrong = truths[::-1] if best == "used" else truths
    power = made["stopping_brief_power"].assign(
        question="direction", answer=best, other=DIRECTIONS[best]
    )
    parts = [power.assign(true_answer=part) for part in zip(right, wrong, strict=True)]
    outward = pd.DataFrame(
        {
            "condition": "easy",
            "source": ["data", "within_exponential", "met_exponential"],
            "delay": "fitted",
            "phase_low": 0.3,
            "phase_high": 0.4,
            "outward": [0.94, 0.81, 0.92],
            "low": [0.91, 0.8, 0.9],
            "high": [0.97, 0.82, 0.94],
            "n": 700.0,
        }
    )
    return {"stopping_brief": brief, "stopping_brief_power": pd.concat(parts), "outward": outward}


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
    result = find("B01", tables(best, difference, se))
    assert (result.verdict, result.conclusion) == (UNPRINTED, expected)
    assert bool(result.few) == (expected == UNDECIDED)
    assert f"{best} ahead of" in result.ours
    assert "Without subject 25, whose P0 on easy trials was another: " in result.note
    assert f"{OTHER[best]} behind by {difference + 4:.0f} nats (standard error 11" in result.note


@pytest.mark.parametrize("best", ["rules", "boundary"])
def test_a_comparison_that_would_say_so_anyway_decides_nothing(best):
    result = find("B01", tables(best, 50.0, 10.0, expected=50.0))
    assert result.conclusion == UNDECIDED
    rule = f"at most 5.0% of cohorts, if {OTHER[best]} were true, and 50.0% would give it"
    assert rule in result.few
    # 1.96 standard deviations of a cohort and of the mean of eight subjects are 2.5 %.
    limit = 50.0 - 1.96 * 5.0 * (1 + 26 / 8) ** 0.5
    assert find("B01", tables(best, 50.0, 10.0, expected=limit)).few == ""
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
    result = find("B01", {name: pd.concat([first[name], second[name]]) for name in first})
    assert result.conclusion == expected
    assert ("disagree" in result.few) == (other == "boundary")


@pytest.mark.parametrize(
    ("best", "difference", "otherwise", "conclusion"),
    [
        ("used", 50.0, -20.0, UNSUPPORTED),
        ("ignored", 50.0, -20.0, SUPPORTED),
        ("used", 15.0, -20.0, UNDECIDED),
        ("used", 50.0, 40.0, UNDECIDED),
    ],
)
def test_the_direction_counts_beyond_two_standard_errors(best, difference, otherwise, conclusion):
    result = find("B02", directions(best, difference, 10.0, otherwise))
    assert (result.verdict, result.conclusion) == (UNPRINTED, conclusion)
    assert "subjects 94%; boundary with noise within trials 81%" in result.note
    assert "boundary that is met 92%" in result.note


def test_any_kind_that_ignores_the_direction_may_be_the_truth():
    """One kind of cohorts that would say the same is enough for doubt, and none may be missing."""
    made = directions("used", 50.0, 10.0)
    power = made["stopping_brief_power"]
    one = power["true_answer"] == "rules"
    doubtful = power.assign(ahead=power["ahead"].mask(one, 45.0))
    assert find("B02", {**made, "stopping_brief_power": doubtful}).conclusion == UNDECIDED
    assert find("B02", {**made, "stopping_brief_power": power[~one]}).conclusion == UNDECIDED
