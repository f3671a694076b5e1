"""What a study with a gate decides: known truths, and whether the gate changes responses."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.stopping import gate, planning
from fuzzybounds.stopping.answers import DESIRE
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.design_power import listed_designs, measure
from fuzzybounds.stopping.fits import fit_models
from fuzzybounds.stopping.model import Counted

BOTH, PATHS = listed_designs()["start_and_gate"]


def gated_data(truth, number=1, **marked):
    subject = planning.simulate_subject(BOTH, truth, number, 1)
    used = np.ones(len(subject.trials), dtype=bool)
    return planning.prepare_simulated(subject, used, PATHS, BOTH.deadline, True, **marked)


@pytest.mark.parametrize("name", ["within_exponential_directed", "both_exponential"])
def test_the_effect_moves_gated_trials_alone_and_has_the_slope_of_differences(name):
    data, marked = gated_data(planning.HAZARD), gated_data(planning.HAZARD, marked=True)
    used = np.ones(len(data.trials), dtype=bool)
    ((_, fitted),) = fit_models(data, [name], data.context(used), used)
    plain, theta = fitted.by_delay[0.0].model, fitted.by_delay[0.0].theta
    model, end = gate.with_gate(plain), len(theta) - plain.mixed
    gated = data.trials["signal"].notna().to_numpy()

    def logs(effect, trials):
        likelihood = marked.likelihoods[0.0]
        each = model.log_likelihoods(np.insert(theta, end, effect), likelihood)
        return each[trials]

    before = plain.log_likelihoods(theta, data.likelihoods[0.0])
    assert logs(0.0, used) == pytest.approx(before, abs=1e-9)
    assert logs(0.3, ~gated) == pytest.approx(before[~gated], abs=1e-9)
    assert (np.abs(logs(0.3, gated) - before[gated]) > 0.01).mean() > 0.4
    counted = Counted(marked.likelihoods[0.0], used.astype(float), 41 if plain.mixed else 1)
    place = np.insert(theta, end, 0.1)
    slopes = model.log_likelihood(place, counted)[1]
    for number, step in enumerate(1e-4 * np.eye(len(place))):
        ends = [model.log_likelihood(place + each, counted)[0] for each in (-step, step)]
        assert slopes[number] == pytest.approx(np.diff(ends)[0] / 2e-4, rel=5e-3, abs=5e-3)


def test_a_study_is_answered_by_subject_and_over_all():
    """Desires that act outward, and no effect of the gate: both are said of subjects and of all."""
    trials, paths = [], []
    for number in range(4):
        subject = planning.simulate_subject(BOTH, planning.DIRECTED, number, 1)
        trials.append(subject.trials)
        for row, path in zip(subject.trials.itertuples(), subject.positions, strict=True):
            end = row.rt if row.responded else BOTH.deadline
            time = np.append(np.arange(0, end - 1e-9, 0.1), end)
            place = np.interp(time, 0.1 * np.arange(path.size), path)
            path = {"subject": row.subject, "trial": row.trial, "time": time, "position": place}
            paths.append(pd.DataFrame(path))
    samples = pd.DataFrame(columns=["subject", "draw", "condition"])
    posterior = pd.DataFrame({"subject": ["0", "0", "1", "1"], "p_stop": [0.96, 0.6, 0.01, 0.99]})
    answers = gate.answer_hypotheses(
        pd.concat(trials, ignore_index=True),
        samples,
        pd.DataFrame(columns=["quantity", "condition", "value"]),
        pd.concat(paths, ignore_index=True),
        posterior.assign(prior="independent", window="first"),
        **{"cued": True, "condition": "easy", "delays": [0.1, 0.2, 0.3]},
        **{"fold_number": 3, "bin_width": 0.1},
    )
    over_all = answers[answers["subject"] == ""].set_index("id")
    assert over_all.loc["H1", "answer"] == DESIRE
    assert over_all.loc["H2", "value"] == 1.5
    assert over_all.loc["C1", "answer"] == "no change seen"
    assert over_all.loc["C1", "low"] < 0 < over_all.loc["C1", "high"]
    of_subjects = answers[answers["subject"] != ""]
    mean = of_subjects.groupby("id")["value"].mean()
    assert over_all["value"].to_dict() == pytest.approx(mean.to_dict())
    assert over_all["subjects"].tolist() == [4, 2, 4, over_all.loc[gate.UNGATED, "subjects"]]


@pytest.mark.slow
def test_the_control_tells_kept_decisions_from_boundaries_that_are_met():
    """Who responds at the signal to what was met before it seems to see the canoe farther out."""
    truths = (planning.KEPT, planning.MET)
    design = {"both": (BOTH, PATHS)}
    power = measure(design, truths=truths, subjects=4, seed=1, shares=(1.0,))
    rows = power[power["subjects"] == 5].set_index("truth")
    errors = rows["gate_px"] / (rows["gate_sd"] / np.sqrt(4))
    assert errors[planning.KEPT] > 3
    assert abs(errors[planning.MET]) < 2
    # Without the control nothing looks wrong: a boundary is met in both.
    assert rows["right"].min() > 0.95


def test_nobody_can_be_answered_without_enough_responses():
    assert gate.summarise([]).empty
    (row,) = gate.summarise([("H2", "a", 3.0)]).query("subject == ''").to_dict("records")
    assert (row["value"], row["answer"]) == (3.0, "")
    assert np.isnan(row["se"])
    assert set(gate.MODELS) <= set(CATALOGUE)
