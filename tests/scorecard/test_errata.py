"""Evidence of the errata: what tables give, and what the worked example gives."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.paper import worked_example
from fuzzybounds.scorecard import errata
from fuzzybounds.scorecard.errata import evidence
from fuzzybounds.scorecard.findings import Finding


def summary(counts, key="key"):
    table = pd.DataFrame({key: list(counts), "value": list(counts.values())})
    return table.assign(number=pd.to_numeric(table["value"], errors="coerce"))


SWEPT = pd.DataFrame(
    [("as printed", 0.5, 10, 1, 0, 3), ("as printed", 1.0, 10, 2, 4, 1),
     ("sign reversed", 1.0, 10, 6, 1, 5)],
    columns=["rule", "leak", "simulated", "rises", "better", "worse"],
)  # fmt: skip
READINGS = pd.DataFrame(
    {"o": [4, 8, 16], "after_3000": [0.7, 0.51, 0.49], "rule_base": ["a", "a", "b"],
     "learning_rate": 0.001, "leak": [0.5, 1.0, 0.5]}
)  # fmt: skip
CURVES = pd.DataFrame(
    [(rule, trial, rate + 0.01 * k) for rule, rates in
     (("as printed", (0.4, 0.5)), ("sign reversed", (0.2, 0.9)))
     for trial, rate in zip((1000, 4000), rates, strict=True) for k in range(3)],
    columns=["rule", "trial", "reward_rate"],
)  # fmt: skip
TRIAL = pd.DataFrame(
    {"time": [0.0, 13.0], "position": [0.0, 180.0], "output": [0.1, 0.8],
     "S,S": [1.0, 0.6], "L,M": [0.0, 0.4]}
)  # fmt: skip
FITS = pd.DataFrame(
    {"subject": ["a", "a", "b"], "labels": [5, 3, 5], "empty_cells": [10, 0, 13],
     "time_range": [5.0, 5.0, 7.5], "position_range": [200.0, 200.0, 300.0],
     "n_stop": [50, 30, 0], "n_points": [100, 60, 0]}
)  # fmt: skip
DESIGN = pd.DataFrame(
    [
        ("responses_per_step", "easy", 0.11, 0.1, 0.1),
        ("responses_per_step", "hard", 0.2, 0.1, 0.1),
        ("blocks_per_subject", "", 35.0, 30.0, 40.0),
        ("share_on_lattice", "", 0.978, 0.97, 0.98),
        ("missed_deadlines", "", 48.0, 0.0, 5.0),
        ("trials", "", 8803.0, 200.0, 500.0),
        # Those of single subjects follow.
        *((quantity, "", 4.0, 1.0, 9.0) for quantity in ("trials", "blocks_per_subject")),
    ],
    columns=["quantity", "condition", "value", "low", "high"],
)
LEARNT = pd.DataFrame(
    [
        (rule, trial, time, place, value)
        for rule, sign in (("as printed", 1), ("sign reversed", -1))
        for trial in (0, 5)
        for (time, place), value in {("S", "S"): 0.5 + 0.08 * sign * trial, ("L", "L"): 0.5}.items()
    ],
    columns=["rule", "trial", "time_label", "position_label", "median"],
)
TABLES_OF_EVIDENCE = {
    "learning_sweep_summary": SWEPT,
    "learning_sweep": READINGS,
    "learning_curves": CURVES,
    "example_trial": TRIAL,
    "fuzzy_fits": FITS,
    "consequents": pd.DataFrame({"sd_over_draws": [0.1, 0.2, 0.4, np.nan]}),
    "design_check": DESIGN,
    "learning_consequents": LEARNT,
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A05", "rises as printed in 3 of 20 readings, sign reversed in 6 of 10 readings"),
        ("A07", "of o 4, 8, 16, readings with 4, 8 give both"),
        ("A08", "of 25 premises 11.5 are"),
        ("A09", "from 5.0 to 7.5 s and from 200 to 300 px"),
        ("A10", "of 0.20 over draws, at most 0.40"),
        ("A23", "from 30 to 40"),
        ("A25", "50% of the two-class points are responses"),
        ("A25", "in 11% of the steps"),
        ("A43", "97.8% of the responses lie within a frame"),
        ("A44", "48 of 8803 trials have no response"),
        ("A15", "as printed: γ = 0.5, 0 of 10 readings end above and 3 below; γ = 1, 4 of 10"),
        ("A15", "sign reversed: γ = 1, 1 of 10 readings end above and 5 below"),
        ("A16", "one whole window, of 0.41 coins/s by the default; the window after 3000 trials"),
        ("A16", "which has 0.51, ends at trial 4000"),
        ("A29", "stop rather than continue: as printed: S,S 0.90"),
        ("A30", "leaves v - Q = 1.05 as printed and 0.95 with a plus"),
        ("A31", "O runs from 0.10 to 0.80, while its reward is 20 coins"),
        ("A33", "at 0.87 of the deadline, which is 13.0 s; the trial takes 17.05 s"),
        ("A34", "after 27 steps the canoe is 33 px from 0.4 of the screen"),
        ("A34", "ends at (0.87, 0.43)"),
    ],
)
def test_evidence_is_that_of_the_tables(name, expected):
    """Worked out by hand from the tables above."""
    assert expected in evidence(name, TABLES_OF_EVIDENCE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A01", "of 933570 settings of short and long, 56 round to them by Eq. 2 and 1176 with"),
        ("A02", "by Eq. 2, 0 with 2σ²; those of 0.2 in Fig. 9 would be 0.42 and 0.14"),
        ("A03", "σ² from 0.0452 to 0.0466 gives the printed degrees of Fig. 9; 3/7 of the"),
        ("A04", "1.5 s is medium to 0.222 and long to 0.013"),
        ("A21", "such as 225 or 315 px; 270 px is 45 px off"),
        ("A28", "rise by 8 and 8 per unit of the output"),
        ("A40", "the canoe moves 13.5 px"),
        # All points give the probability p; one earlier point of each trial 1 / (2 - p).
        ("A41", "all points estimate 0.10, one earlier point of each trial 0.53"),
        ("A45", "times 0.40 at σ = 0.2"),
    ],
)
def test_the_worked_example_gives_its_numbers(name, expected):
    """Worked out by hand from the Gaussians and the lattice."""
    assert expected in evidence(name, {})


SPECIFICATIONS = {"groups": "2160", "sizes": "260", "sizes_stated": "0", "matching": "10"}
SPECIFICATIONS |= {"condition": "easy", "missed": "True", "fast": "<=", "summary": "median"}
SPECIFICATIONS |= {"test": "student_t"}


def groups_with_a_tie():
    """26 medians, three of which are equal to their 0.25 quantile."""
    medians = [*range(80, 84), 90, 90, 90, *range(100, 113), *range(120, 126)]
    return pd.DataFrame({"median_boundary": medians})


def test_the_stated_inequalities_do_not_give_the_printed_sizes():
    tables = {"specification_summary": summary(SPECIFICATIONS), "groups": groups_with_a_tie()}
    result = evidence("A11-A14", tables)
    assert "4 subjects are fast and 6 slow (3 lie at the 0.25 quantile of 90 px)" in result
    assert "of the 260 specifications with 7 and 6, 0 have both inequalities as stated" in result
    assert "10 of 2160 combinations print every number, all with easy trials, missed" in result
    assert "missed deadlines included, <= for the fast group, subjects' medians" in result
    tables["specification_summary"] = summary({**SPECIFICATIONS, "matching": "0"})
    assert evidence("A11-A14", tables).endswith("none of 2160 combinations prints all numbers")


def table_of_p(p_slow=0.2954):
    rows = [
        ("fast_last_vs_first", "student_t", 0.1852),
        ("slow_last_vs_first", "student_t", p_slow),
        ("fast_last_vs_first", "welch_t", 0.9),
        ("slow_vs_fast_last", "student_t", 0.8),
    ]
    return {"group_tests": pd.DataFrame(rows, columns=["comparison", "test", "p"])}


def test_some_digits_are_rounded_and_others_cut():
    result = evidence("A22", table_of_p())
    assert "0.7482 is printed 0.75 and 0.0367 0.04 (C07), which are rounded" in result
    assert "1/6 = 0.1667 is printed 0.16, and p = 0.1852 and 0.2954 0.18 and 0.29" in result


def test_the_readings_that_were_tried_are_told(monkeypatch):
    monkeypatch.setattr(errata, "find", lambda name, _: Finding("", "", {"C16": "N."}[name]))
    result = evidence("A17", TABLES_OF_EVIDENCE)
    assert result.startswith(
        "3 readings were tried (o 4, 8, 16, α 0.001, γ 0.5, 1; 2 initial rules"
    )
    assert result.endswith("sign reversed in 6 of 10 readings; N.")


@pytest.mark.parametrize(
    ("name", "tables", "reason"),
    [
        ("A22", table_of_p(float("nan")), "slow_last_vs_first: a test needs at least two"),
    ],
)
def test_insufficient_data_are_no_evidence(name, tables, reason):
    assert evidence(name, tables).startswith(f"none from these data: {reason}")


def test_a_boundary_whose_functions_lie_within_the_trial_rises_although_its_weights_fall():
    """The sum at 0 and at 0.5 s, by hand: four functions matter there, and a fifth at -2 s."""
    result = evidence("A27", {})
    assert "weights fall from 120 to 40 px" in result
    before, *within = (np.exp(-(((np.array([0.0, 0.5]) - c) / 1.7) ** 2)) for c in range(-2, 7, 2))
    start, later = np.array([120.0, 112.0, 98.0, 76.0]) @ np.array(within)
    assert later > start
    assert f"b(t) rises from {start:.0f} px at 0 s" in result
    first, second = 128.0 * before + [start, later]
    assert second < first
    assert f"with all 8 it falls throughout, from {first:.0f} to" in result


def test_a_boundary_that_rises_anyway_is_called_so(monkeypatch):
    weights = np.append(10.0, worked_example.BASIS_WEIGHTS[1:])
    monkeypatch.setattr(worked_example, "BASIS_WEIGHTS", weights)
    assert "with all 8 it rises as well" in evidence("A27", {})
