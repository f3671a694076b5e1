"""The sweep over readings of the paper's update rule."""

import numpy as np
import pytest

from fuzzybounds.learning import sweep
from fuzzybounds.learning.design import PAPER_UNCUED

PRINTED = {"initial": -0.2, "after": 0.6}


def test_monotone_rule_bases_never_take_stop_back():
    bases = sweep.monotone_rule_bases(3)
    assert len(bases) == 18  # 20 staircases of 3 by 3, less "always" and "never"
    assert len({sweep.letters(rules) for rules in bases}) == 18
    for rules in bases:
        assert (np.diff(rules.consequents, axis=0) >= 0).all()
        assert (np.diff(rules.consequents, axis=1) >= 0).all()
    assert "SSS/CSS/CCS" in {sweep.letters(rules) for rules in bases}


def swept(settings, **options):
    rng = np.random.default_rng(0)
    return sweep.sweep(settings, PAPER_UNCUED, rng, printed=PRINTED, **options)


def test_sweep_has_one_row_per_setting():
    settings = list(sweep.paper_settings(o=(10,), learning_rate=(1e-4,), leak=(0.9,)))
    assert len(settings) == 18 * 2 * 2
    table = swept(settings[:2], trials=1500, replicates=2)
    assert table["range"].tolist() == ["clipped", "free"]
    assert table["rule_base"].tolist() == ["CCS/CCC/CCC"] * 2
    # Most trials of this rule base are missed: its rate before learning is below 0.
    assert table["initial"].to_numpy() == pytest.approx(-0.2236, abs=1e-4)
    assert table[["first", "after_3000", "last"]].notna().all(axis=None)


def test_sweep_simulates_only_what_may_match():
    settings = list(
        sweep.paper_settings(o=(20,), learning_rate=(1e-3,), leak=(0.5,), range=("free",))
    )
    table = swept(settings, replicates=3)
    near = (table["initial"] + 0.2).abs() <= 0.1
    assert 0 < near.sum() < len(table)
    assert (table["replicates"] > 0).tolist() == near.tolist()
    assert table["after_3000"].notna().tolist() == near.tolist()
    matched = table[table["match"]]
    assert len(matched)
    assert (matched["replicates"] == 3).all()
    assert (matched["after_3000"] - 0.6).abs().max() <= 0.1
    assert (matched["sign"] == 1).all()
    summary = sweep.sweep_summary(table).set_index("quantity")["value"]
    assert summary["settings"] == "36"
    assert summary["settings that match"] == str(len(matched))
    assert summary["settings that match with the sign as printed"] == "0"
    assert summary["range in those that match"] == "free"
