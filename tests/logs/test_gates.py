"""Logs of designs with a random start or a gate: what is kept, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.collect.configuration import load_study
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import write_json
from fuzzybounds.logs.dataset import check_logs, lost_paths, remarks
from fuzzybounds.logs.study_design import Gate, departures, from_document

GATE = {"distribution": "uniform", "earliest_s": 0.3, "latest_s": 6, "ungated": 0.2}


def document(start=225, gate=None):
    design = load_study("my_lab").design
    return design | {"canoe": design["canoe"] | {"start_px": start}, "gate": gate or GATE}


@pytest.fixture
def study(tmp_path, tidy_log, trial_row):
    """A folder with logs of two trials, one gated, whose cells can be changed."""

    def write(columns="start,signal,early", paths=True, first=None, **cells):
        gated = trial_row(position="157.5") | {"start": "90", "signal": "1", "early": "2"} | cells
        control = trial_row(trial="2") | {"start": "0", "signal": "", "early": ""}
        kept = [*trial_row(), *columns.split(",")]
        rows = [{name: row[name] for name in kept} for row in (gated, control)]
        log = tidy_log(rows)
        write_json(document(), log.parent / "design.json")
        time = np.arange(76) / 60
        walk = np.concatenate([np.arange(61), np.arange(59, 44, -1)]) * 1.5
        path = pd.DataFrame({"subject": 7, "trial": 1, "time": time, "position": 90 + walk})
        if first is None:
            path.loc[0, "position"] = float(gated["start"])
        path.to_csv(tmp_path / "path.csv", index=False)
        return check_logs([log], [tmp_path / "path.csv"] if paths else [])

    return write


def test_a_gated_trial_is_kept_with_its_path(study):
    checked = study()
    trials = checked.logs.trials
    assert trials[["start", "early"]].to_numpy().tolist() == [[90, 2], [0, 0]]
    assert trials["signal"].tolist()[0] == 1.0
    assert np.isnan(trials["signal"].tolist()[1])
    assert checked.logs.exclusions.empty
    assert any("1 of 2 trials have a gate or another start" in line for line in remarks(trials))


def test_a_trial_of_another_start_needs_its_path(study):
    checked = study(paths=False)
    assert checked.logs.exclusions["reason"].tolist() == ["no_path"]
    assert lost_paths(checked.logs, checked.paths)[0] == 0.5


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"signal": "0.2"}, r"from 0.3 s, before the deadline, or empty; .*\('0.2'\)"),
        ({"signal": "15"}, "before the deadline"),
        ({"signal": "1.4"}, "a response after the signal"),
        ({"signal": "soon"}, "'soon'"),
        ({"start": "80"}, r"a multiple of 45 px within 225 px; .*\('80'\)"),
        ({"start": "270"}, "a multiple of 45 px within 225 px"),
        ({"early": "-1"}, "a whole number from 0"),
        ({"columns": "start,early"}, "no column 'signal', which the design of the study needs"),
    ],
)
def test_what_the_design_excludes_is_refused(study, cells, message):
    with pytest.raises(InputError, match=message):
        study(**cells)


def test_a_path_begins_where_the_log_says(study):
    with pytest.raises(InputError, match="the start that the log has"):
        study(start="45", first="90")


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        (GATE | {"latest_s": 15}, r"gate.latest_s: 15; expected .* the deadline \(15 s\)"),
        (GATE | {"mean_s": 2}, "a uniform gate has none"),
        (GATE | {"distribution": "exponential"}, "gate.mean_s: missing; expected a time between"),
    ],
)
def test_times_of_a_gate_that_do_not_fit_are_named(gate, message):
    with pytest.raises(InputError, match=message):
        from_document(document(gate=gate), "design.json")


def test_departures_say_who_uses_gated_trials():
    (line,) = departures(from_document(document(), "design.json"))
    assert "80 % of the trials" in line
    assert "stopping models and the posterior of rules use them" in line


def test_times_of_the_signal_are_those_of_the_truncated_distribution():
    gate = Gate("exponential", 0.3, 10.0, 0.2, 2.5)
    times = gate.times((np.arange(200_000) + 0.5) / 200_000)
    assert times.min() >= 0.3
    assert times.max() <= 10.0
    raw = 0.3 + np.random.default_rng(1).exponential(2.2, 400_000)
    assert times.mean() == pytest.approx(raw[raw < 10].mean(), abs=0.02)
