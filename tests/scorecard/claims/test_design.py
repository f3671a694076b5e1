"""C01: each part of the design is held to its own threshold."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.claims.claim import DIRECTION, NOT, REPRODUCED

EXACT = {
    ("one_session_subjects", ""): (26, 26, 26),
    ("blocks_per_subject", ""): (40, 36, 40),
    ("block_duration_s", ""): (63, 58, 70),
    ("p0", "easy"): (0.654, 0.64, 0.66),
    ("p0", "hard"): (0.512, 0.50, 0.52),
    ("reward_correct", "easy"): (20, 20, 20),
    ("reward_correct", "hard"): (1, 1, 1),
    ("reward_incorrect", "easy"): (-20, -20, -20),
    ("reward_incorrect", "hard"): (-1, -1, -1),
    ("time_besides_decision_correct_s", "easy"): (4.05, 4.05, 4.05),
    ("time_besides_decision_incorrect_s", "easy"): (7.05, 7.05, 7.05),
    ("time_besides_decision_correct_s", "hard"): (4.05, 4.05, 4.05),
    ("time_besides_decision_incorrect_s", "hard"): (4.05, 4.05, 4.05),
}


def check(**changes):
    """The table of a design that holds, but for what is changed: quantity_condition=(v, l, h)."""
    rows = []
    for (quantity, condition), values in EXACT.items():
        key = f"{quantity}_{condition}" if condition else quantity
        rows.append((quantity, condition, "", *changes.get(key, values)))
    columns = ["quantity", "condition", "subject", "value", "low", "high"]
    return {"design_check": pd.DataFrame(rows, columns=columns)}


def test_the_design_holds(judge):
    assert judge("C01", check()).verdict == REPRODUCED


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"one_session_subjects": (25, 25, 25)}, DIRECTION),
        ({"blocks_per_subject": (39, 36, 40)}, DIRECTION),
        ({"block_duration_s": (59.9, 58, 70)}, DIRECTION),
        ({"block_duration_s": (60, 55.0, 70)}, REPRODUCED),
        ({"block_duration_s": (66, 54.9, 70)}, DIRECTION),
        ({"block_duration_s": (66, 65.0, 90)}, REPRODUCED),
        ({"reward_correct_easy": (19, 19, 19)}, DIRECTION),
        ({"reward_correct_hard": (2, 2, 2)}, DIRECTION),
        ({"time_besides_decision_incorrect_s_easy": (7.0599, 7, 7.1)}, REPRODUCED),
        ({"time_besides_decision_incorrect_s_easy": (7.0601, 7, 7.1)}, DIRECTION),
        ({"time_besides_decision_incorrect_s_easy": (7.0401, 7, 7.1)}, REPRODUCED),
        ({"time_besides_decision_incorrect_s_easy": (7.0399, 7, 7.1)}, DIRECTION),
        ({"time_besides_decision_incorrect_s_hard": (4.0599, 4, 4.1)}, REPRODUCED),
        ({"time_besides_decision_incorrect_s_hard": (4.0601, 4, 4.1)}, DIRECTION),
        ({"time_besides_decision_incorrect_s_hard": (7.05, 7, 7.1)}, DIRECTION),
        ({"reward_incorrect_easy": (-19, -20, -19)}, DIRECTION),
        ({"reward_incorrect_hard": (1, 1, 1)}, DIRECTION),
        ({"p0_easy": (0.66, 0.651, 0.67)}, NOT),
        ({"p0_easy": (0.64, 0.62, 0.649)}, NOT),
        ({"p0_easy": (0.66, 0.65, 0.67)}, REPRODUCED),
        ({"p0_hard": (0.50, 0.49, 0.509)}, NOT),
        ({"p0_hard": (0.50, 0.49, 0.51)}, REPRODUCED),
        ({"p0_hard": (0.52, 0.511, 0.53)}, NOT),
        ({"p0_hard": (0.52, 0.51, 0.53)}, REPRODUCED),
        ({"p0_easy": (0.64, 0.62, 0.65)}, REPRODUCED),
    ],
)
def test_each_part_has_its_threshold(judge, changes, verdict):
    assert judge("C01", check(**changes)).verdict == verdict


def test_logs_that_do_not_tell_are_insufficient(judge):
    tables = check(p0_hard=(float("nan"), 0, 1))
    with pytest.raises(TooFew, match="these logs do not tell p0 hard"):
        judge("C01", tables)


def test_rows_of_single_subjects_do_not_count(judge):
    tables = check()
    one = tables["design_check"].assign(subject="1", value=0.0)
    tables["design_check"] = pd.concat([one, tables["design_check"]])
    assert judge("C01", tables).verdict == REPRODUCED
