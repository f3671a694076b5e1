"""Designs that are planned: truths, what is known of rules, and the table of power."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.logs.study_design import Gate, StudyDesign
from fuzzybounds.stopping import design_power, designs, planning, rules
from fuzzybounds.stopping.design_view import draw_power
from fuzzybounds.stopping.rule_posterior import all_bases, scaled_labels, weigh_parts

BOTH = StudyDesign(blocks=8, start=225.0, gate=Gate("exponential", 0.3, 10.0, 0.2, 2.5))


def test_a_session_ends_in_time_and_depends_on_names_alone():
    first, again = (planning.simulate_subject(BOTH, planning.MET, 3, 1) for _ in range(2))
    pd.testing.assert_frame_equal(first.trials, again.trials)
    other = planning.simulate_subject(BOTH, planning.MET, 3, 2)
    assert not first.trials["rt"].equals(other.trials["rt"])
    assert 6 < first.trials["minutes"].max() <= 8
    assert first.trials["block"].max() == 8
    assert set(first.trials["condition"]) == {"easy"}


def test_a_met_boundary_is_answered_at_once_in_either_direction_when_the_gate_opens_beyond_it():
    """And a directed hazard is not: that tells the two."""
    shares = {}
    for truth in (planning.MET, planning.DIRECTED):
        at_once = {0.0: [], 1.0: []}
        for number in range(26):
            subject = planning.simulate_subject(replace(BOTH, blocks=40), truth, number, 1)
            seen = designs.seen_on(subject.positions, planning.BINS)
            signal = subject.trials["signal"].to_numpy()
            first = designs.first_decisions(signal, planning.BINS)
            row = np.arange(len(signal))
            far = (seen.distance[row, first - 1] > 330) & np.isfinite(signal)
            soon = subject.trials["rt"] <= 0.1 * first + subject.delay + 1e-6
            for outward, found in at_once.items():
                found += list(soon[far & (seen.outward[row, first - 1] == outward)])
        shares[truth] = [np.mean(at_once[outward]) for outward in (0.0, 1.0)]
    assert min(shares[planning.MET]) > 0.9
    assert abs(np.diff(shares[planning.MET])[0]) < 0.1
    assert shares[planning.DIRECTED][0] < 0.15 < shares[planning.DIRECTED][1]


def test_the_posterior_is_that_of_plain_products():
    """One setting, all bases: every decision of every trial, one after the other."""
    subject = planning.simulate_subject(BOTH, planning.RULES, 4, 1)
    everything = np.ones(len(subject.trials), dtype=bool)
    data = planning.prepare_simulated(subject, everything, planning.RECORDED, 15.0, True)
    half = np.arange(len(everything)) < 20
    evidence = weigh_parts(data, [everything, half])
    place = 30
    setting = evidence[0].settings[place]
    labels = scaled_labels(data.points.ranges, setting)
    logs = np.zeros((len(everything), 512))
    for row, path in zip(subject.trials.itertuples(), subject.positions, strict=True):
        for number in range(1, 151):
            time = 0.1 * number
            if row.signal > time + 1e-9 or time > 15 - subject.delay + 1e-9:
                continue
            output = [
                rules.output(np.array(time), np.array(abs(path[number])), labels, base)
                for base in (all_bases()[[0, 5, 511, 77]])
            ]
            hazard = setting.lapse + (setting.gain - setting.lapse) * np.array(output)
            stops = row.responded and row.rt - subject.delay <= time + 1e-9
            logs[row.Index, [0, 5, 511, 77]] += np.log(hazard if stops else 1 - hazard)
            if stops:
                break
    chosen = logs[:, [0, 5, 511, 77]]
    for part, used in zip(evidence, (everything, half), strict=True):
        by_hand = chosen[used].sum(axis=0)
        ours = part.logs[place, [0, 5, 511, 77]]
        assert ours - ours[0] == pytest.approx(by_hand - by_hand[0], abs=1e-6)


def test_what_is_known_of_rules():
    base = all_bases()[100]
    logs = np.full(512, -1000.0)
    logs[100] = 0.0
    known = planning.weigh_rules(logs, base)
    assert known == {"cells_right": 9, "cells_wrong": 0, "p_true_base": 1, "bits": 9}
    nothing = planning.weigh_rules(np.zeros(512), base)
    assert nothing["bits"] == pytest.approx(0)
    assert nothing["cells_right"] == nothing["cells_wrong"] == 0


def test_the_table_of_power_and_its_figure():
    power = design_power.measure(
        {"small": (BOTH, "recorded")},
        truths=(planning.MET, planning.RULES),
        subjects=3,
        seed=1,
        shares=(0.5, 1.0),
    )
    met = power[power["truth"] == planning.MET]
    assert met[["right", "wrong", "undecided"]].sum(axis=1).to_numpy() == pytest.approx(1)
    assert met["subjects"].tolist() == [5, 10, 20, 40] * 2
    rule = power[power["truth"] == planning.RULES]
    assert rule["bits"].is_monotonic_increasing
    assert rule["minutes"].tolist() == [4, 8]
    assert rank_columns(power) >= {"bits_per_minute", "tell"}
    assert len(draw_power(power).axes) == 2


def rank_columns(power):
    return set(design_power.rank(power).columns)


def test_the_designs_that_come_with_the_project_are_complete():
    designs = design_power.listed_designs()
    assert designs["as_run"] == (StudyDesign(), "bridged")
    both, paths = designs["start_and_gate"]
    assert (both.start, both.gate.mean, paths) == (225, 2.5, "recorded")
