"""The sweep over readings of the paper's update rule."""

import numpy as np
import pytest

from fuzzybounds.beyond.learners import sweep

PRINTED = {"initial": -0.2, "after": 0.6}


def test_monotone_rule_bases_never_take_stop_back():
    bases = sweep.monotone_rule_bases(3)
    assert len(bases) == 18  # 20 staircases of 3 by 3, less "always" and "never"
    assert len({sweep.letters(rules) for rules in bases}) == 18
    for rules in bases:
        assert (np.diff(rules.consequents, axis=0) >= 0).all()
        assert (np.diff(rules.consequents, axis=1) >= 0).all()
    assert "SSS/CSS/CCS" in {sweep.letters(rules) for rules in bases}


def test_sweep_simulates_only_what_may_match():
    table, summary = sweep.sweep_learning(
        o=(10, 20), learning_rate=(1e-3,), leak=(0.5,), replicates=3, printed=PRINTED, seed=1
    )
    assert len(table) == 18 * 2 * 2 * 2
    # Most trials of this rule base are missed: its rate before learning is below 0.
    first = table[(table["rule_base"] == "CCS/CCC/CCC") & (table["o"] == 10)]
    assert first["initial"].to_numpy() == pytest.approx(-0.2236, abs=1e-4)
    near = (table["initial"] + 0.2).abs() <= 0.1
    assert 0 < near.sum() < len(table)
    assert (table["replicates"] > 0).tolist() == near.tolist()
    assert table["after_3000"].notna().tolist() == near.tolist()
    matched = table[table["match"]]
    assert len(matched)
    assert (matched["replicates"] == 3).all()
    assert (matched["after_3000"] - 0.6).abs().max() <= 0.1
    assert (matched["sign"] == 1).all()
    value = summary.set_index("quantity")["value"]
    assert value["settings"] == "144"
    assert value["settings that match"] == str(len(matched))
    assert value["settings that match with the sign as printed"] == "0"
