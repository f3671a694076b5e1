"""``fuzzybounds run`` on a study with random starts and a gate, whose rules are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.collect.configuration import load_study
from fuzzybounds.core.tables import read_json, read_table, write_json
from fuzzybounds.stopping import design_power, planning

STUDY = """
blocks: 20
canoe: {start_px: 225}
gate: {distribution: exponential, earliest_s: 0.3, mean_s: 2.5, latest_s: 10, ungated: 0.2}
"""
SUBJECTS = 2


@pytest.fixture
def study(project, tmp_path):
    """Logs, paths and design of two subjects, as the task writes them; and their rule bases."""
    file = tmp_path / "gated.yaml"
    file.write_text(STUDY)
    raw, bases = project.root / "data/raw/gated", {}
    (raw / "paths").mkdir(parents=True)
    write_json(load_study("gated", file).design, raw / "design.json")
    design = replace(design_power.listed_designs()["start_and_gate"][0], blocks=20)
    for number in range(SUBJECTS):
        made = planning.simulate_subject(design, planning.RULES, number, 1)
        rows = made.trials.assign(reward=np.where(made.trials["correct"], 20, -20), early=0)
        rows = rows.assign(rt=rows["rt"].fillna(0.0), correct=rows["correct"].astype(int))
        rows.drop(columns=["responded", "minutes"]).to_csv(raw / f"{number}.csv", index=False)
        paths = []
        for row, positions in zip(made.trials.itertuples(), made.positions, strict=True):
            end = row.rt if row.responded else design.deadline
            time = np.append(np.arange(0, end - 1e-6, 0.1), end)
            place = np.append(np.interp(time[:-1], 0.1 * np.arange(151), positions), row.position)
            paths.append(pd.DataFrame({"trial": row.trial, "time": time, "position": place}))
        paths = pd.concat(paths).assign(subject=number)
        paths.to_csv(raw / f"paths/{number}.csv", index=False)
        bases[str(number)] = made.base.ravel()
    return project, bases


@pytest.mark.slow
def test_a_gated_study_is_run_and_gives_rules_back(study):
    project, bases = study
    # What a whole run makes of it in addition, and what it draws from the few other trials.
    assert {"answer_hypotheses", "infer_rules", "make_report"} <= project.planned(
        "--config", "dataset=gated"
    ).keys()
    results = "results/gated"
    made = [f"{results}/hypotheses.csv", f"{results}/figures/figS13.png"]
    code, text = project.fuzzybounds("run", "gated", "--only", *made)
    assert code == 0, text
    folder = project.root / results
    (about, *_) = (line for line in read_json(folder / "dataset.json")["remarks"] if "gate" in line)
    assert "have a gate or another start" in about
    assert "all other analyses leave them out" in about
    posterior = read_table(folder / "rule_posterior.csv").astype({"subject": str})
    posterior = posterior[(posterior["prior"] == "independent") & (posterior["window"] == "first")]
    for name, base in bases.items():
        stop = posterior.loc[posterior["subject"] == name, "p_stop"].to_numpy()
        sure = np.abs(stop - 0.5) > 0.45
        assert sure.sum() >= 5
        assert ((stop > 0.5) == (base > 0.5))[sure].all()
    answers = read_table(folder / "hypotheses.csv")
    assert set(answers["id"]) >= {"H1", "H2", "C1"}
    known = answers.query("id == 'H2' and subject.notna()", engine="python")["value"]
    assert known.min() >= 5
