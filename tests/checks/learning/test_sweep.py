"""The sweep over readings of the paper's update rule, and its control."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.learning import sweep
from fuzzybounds.checks.learning.sweep_summary import summarise_sweep


def test_monotone_rule_bases_never_take_stop_back():
    bases = sweep.monotone_rule_bases(3)
    assert len(bases) == 18  # 20 staircases of 3 by 3, less "always" and "never"
    assert len({sweep.letters(rules) for rules in bases}) == 18
    for rules in bases:
        assert (np.diff(rules.consequents, axis=0) >= 0).all()
        assert (np.diff(rules.consequents, axis=1) >= 0).all()
    assert "SSS/CSS/CCS" in {sweep.letters(rules) for rules in bases}


def test_sweep_simulates_what_starts_at_the_printed_rate():
    options = {"o": (10, 20), "learning_rate": (1e-3,), "leak": (0.5,), "replicates": 1}
    table = sweep.sweep_learning(**options, seed=1)
    summary = summarise_sweep(table)
    assert len(table) == 19 * 2 * 2 * 2
    # Most trials of this rule base are missed: its rate before learning is below 0.
    first = table[(table["rule_base"] == "CCS/CCC/CCC") & (table["o"] == 10)]
    assert first["initial"].to_numpy() == pytest.approx(-0.2236, abs=1e-4)
    near = (table["initial"] + 0.2).abs() <= 0.1
    assert 0 < near.sum() < len(table)
    for column in ("after_3000", "control"):
        assert table[column].notna().tolist() == near.tolist()
    assert summary["readings"].sum() == len(table)
    assert summary["simulated"].sum() == near.sum()


def test_the_summary_counts_rises_matches_and_what_the_control_does():
    """Four readings by hand, from -0.2; the last does not start at the printed rate."""
    after, control = (0.55, 0.05, -0.3, np.nan), (0.1, 0.51, 0.0, np.nan)
    table = pd.DataFrame({"after_3000": after, "control": control, "initial": -0.2, "sign": -1})
    summary = summarise_sweep(table.assign(range="free", leak=0.9))
    (row,) = summary.to_dict("records")
    assert row == {
        **{"rule": "as printed", "range": "free", "leak": 0.9, "readings": 4, "simulated": 3},
        **{"rises": 2, "control_rises": 2, "better": 1, "worse": 2, "largest": 0.55},
        **{"matches": 1, "control_matches": 1},
    }
