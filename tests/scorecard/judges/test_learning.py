"""C16 and C21: the learning rule against its control, and the trial of Fig. 16."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.checks.learning.sweep import sweep_learning
from fuzzybounds.checks.learning.sweep_summary import summarise_sweep
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    CHANGED,
    DEPENDS,
    DIRECTION,
    NOT,
    SUPPORTED,
    UNIDENTIFIED,
    UNSUPPORTED,
)


def tables(summary):
    """What C16 reads, with curves of the default that say nothing."""
    rules = ("as printed", "sign reversed", CONTROL)
    curves = pd.DataFrame({"rule": rules, "trial": 4000, "reward_rate": [0.5, 0.4, 0.3]})
    first = pd.DataFrame([{"exact": -0.2, "sd_of_a_window": 0.02}])
    return {
        "learning_sweep_summary": summary,
        "learning_curves": curves,
        "learning_initial": first,
    }


def counted(as_printed, sign_reversed, better=(4, 4), worse=(0, 0)):
    """Ten readings of each sign and leak: how many rise, and how many leave their control."""
    counts = {"readings": 10, "simulated": 10, "control_rises": 1, "matches": 2}
    rows = [
        {"rule": rule, "range": "clipped", "leak": leak, "rises": rises[number], **counts}
        | {"better": better[number], "worse": worse[number], "control_matches": 1, "largest": 0.5}
        for rule, rises in (("as printed", as_printed), ("sign reversed", sign_reversed))
        for number, leak in enumerate((0.5, 1.0))
    ]
    return tables(pd.DataFrame(rows)[TABLES["learning_sweep_summary"].names])


@pytest.mark.parametrize(
    ("as_printed", "sign_reversed", "verdict"),
    [
        ((10, 10), (0, 0), AS_PRINTED),
        ((10, 9), (10, 10), DEPENDS),
        ((0, 1), (0, 0), DEPENDS),
        ((0, 0), (0, 1), CHANGED),
        ((0, 0), (0, 0), NOT),
    ],
)
def test_the_verdict_is_by_how_many_readings_rise(judge, as_printed, sign_reversed, verdict):
    assert judge("C16", counted(as_printed, sign_reversed)).verdict == verdict


@pytest.mark.parametrize(
    ("better", "worse", "conclusion"),
    [
        ((4, 4), (3, 3), SUPPORTED),
        ((3, 4), (3, 3), UNIDENTIFIED),
        ((0, 4), (9, 3), UNIDENTIFIED),
        ((3, 3), (3, 3), UNSUPPORTED),
        ((0, 0), (0, 0), UNSUPPORTED),
    ],
)
def test_the_rule_must_leave_its_control_behind_for_every_leak(judge, better, worse, conclusion):
    result = judge("C16", counted((10, 10), (10, 10), better, worse))
    assert result.conclusion == conclusion


def test_both_signs_and_the_luck_of_the_printed_numbers_are_told(judge):
    result = judge("C16", counted((3, 4), (5, 6)))
    assert (
        "rises in 7 of 20 readings as printed, and with the sign reversed in 11 of" in result.ours
    )
    assert "gives the printed numbers in 4 and 4; default -0.20 to 0.50, its control" in result.ours
    assert "2 readings as printed give them without learning" in result.note
    assert "after which 2 rise" in result.note
    assert "γ = 0.5, 4 of 10 readings end above and 0 below" in result.interval


@pytest.mark.parametrize(
    ("leak", "conclusion"),
    [((1.0,), SUPPORTED), ((0.5,), UNSUPPORTED), ((0.5, 1.0), UNIDENTIFIED)],
)
def test_the_judge_is_right_where_it_is_known_what_the_rule_does(judge, leak, conclusion):
    """Most decisions are to continue; the printed sign is right if all of them are remembered.

    With a short memory the response is what counts, and the sign would have to be reversed.
    """
    options = {"o": (4, 16), "learning_rate": (1e-4, 1e-3), "replicates": 2}
    summary = summarise_sweep(sweep_learning(**options, leak=leak, seed=3))
    assert judge("C16", tables(summary)).conclusion == conclusion


def trial(end=(0.87, 0.43), before=0.1):
    """A trial that is at `before` until 0.6 of the time, and then goes to its end."""
    time = np.array([0.0, 0.3, 0.599, end[0]])
    position = np.array([0.0, before, before, -end[1]])
    return {"example_trial": pd.DataFrame({"time": time * DEADLINE, "position": position * EDGE})}


def test_the_dominant_rule_is_that_of_the_drawn_response(judge):
    result = judge("C21", trial())
    assert (result.verdict, result.conclusion) == (AS_PRINTED, SUPPORTED)
    assert "dominant at (0.87, 0.43) L,M; at (0.90, 0.40) L,M" in result.ours
    for end in ((0.87, 0.2), (0.87, 0.8), (0.7, 0.43)):
        result = judge("C21", trial(end))
        assert (result.verdict, result.conclusion) == (NOT, UNSUPPORTED)


def test_the_printed_point_must_have_the_same_rule(judge):
    result = judge("C21", trial(), position=0.2)
    assert (result.verdict, result.conclusion) == (AS_PRINTED, UNSUPPORTED)


def test_the_rule_must_not_be_active_before(judge):
    """By hand, where time is M to all but 0.2 of its degree and position is M: 0.5 at 0.75."""
    assert judge("C21", trial(before=0.4), before=0.75).verdict == AS_PRINTED
    part = trial(before=0.4)
    part["example_trial"].loc[2, "time"] = 0.749 * DEADLINE
    assert judge("C21", part, before=0.75).verdict == DIRECTION
