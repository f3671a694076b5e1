"""A study with random starts and a gate: two participants with known rules, from key to rules."""

from __future__ import annotations

import csv
import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.words import FIRST
from fuzzybounds.logs.dataset import check_logs
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.logs.files import log_files, recorded_files
from fuzzybounds.stopping import rules
from fuzzybounds.stopping.rule_posterior import infer_rules

# Easy trials alone, with little between two of them, so that a short session has many.
CONFIG = """
blocks: 9
block_s: 80
practice: [easy]
hard_share: 0
conditions: {easy: {penalty_s: 0}}
phases: {cue: 0.2, ready: 0.2, feedback: 0.2, interval: 0.2}
canoe: {start_px: 180}
gate:
  {distribution: exponential, earliest_s: 0.3, mean_s: 2.5, latest_s: 8, ungated: 0.2, sound: true}
"""
RULES = {
    "P01": [[0, 0, 1], [0, 1, 1], [1, 1, 1]],
    "P02": [[0, 0, 0], [0, 0, 1], [0, 1, 1]],
}
"""Whether to stop: early, later and late (rows), near, farther and far (columns)."""
REACH = (8.0, 250.0)
"""Time (s) and distance (px) of the outer labels."""
GAIN, LAPSE, BIN_FRAMES = 0.8, 0.003, 6


def hazard(name: str):
    """The chance that a participant responds in a frame: of a bin's, its sixth root."""
    labels = rules.starting_labels(3, *REACH)

    def each_frame(time, distance):
        output = rules.output(*np.broadcast_arrays(time, distance), labels, np.array(RULES[name]))
        return 1 - (1 - LAPSE - (GAIN - LAPSE) * output) ** (1 / BIN_FRAMES)

    return each_frame


def rows_of(file) -> list[dict]:
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


@pytest.fixture
def study(tmp_path, serving, browser, new_page, tabulated_policy):
    """Both participants play at the server."""
    with serving(tmp_path, CONFIG) as server, new_page(browser) as page:
        for seed, name in enumerate(RULES, 21):
            page.seed(seed)
            page.open(server.address)
            page.enter(name)
            followed = dict.fromkeys(("easy", "hard"), tabulated_policy(hazard(name)))
            page.be(followed, seed, eager=0.01)
            assert page.play("Thank you!") == "Thank you!"
            page.wait_saved()
    return tmp_path / "my_lab"


def check_trials(root, name: str, draw_trial) -> None:
    """Every trial is as it was drawn, and as what happened says; nothing is lost or twice."""
    log = rows_of(root / f"data/subject-{name}_data.csv")
    events = [row for row in rows_of(root / f"events/{name}.csv") if row["block"] not in ("", "0")]
    paths = pd.read_csv(root / f"paths/{name}.csv").groupby("trial")
    design = json.loads((root / "design.json").read_text())
    (run,) = json.loads((root / f"sessions/{name}_session-1.json").read_text())["runs"]
    assert [int(row["trial"]) for row in log] == list(range(1, len(log) + 1)) == list(paths.groups)
    assert sum(int(row["early"]) for row in log) > 10
    assert 0.1 < np.mean([row["signal"] == "" for row in log]) < 0.3
    for row in log:
        number, path = int(row["trial"]), paths.get_group(int(row["trial"]))
        drawn = draw_trial(design, run["seed"], number)
        assert float(row["start"]) == drawn["start"] == path["position"].iloc[0]
        happened = [event for event in events if event["trial"] == row["trial"]]
        count = {
            each: [event["event"] for event in happened].count(each)
            for each in ("early_press", "signal", "tone", "onset", "response")
        }
        assert count["early_press"] == int(row["early"])
        assert count["signal"] == count["tone"] == count["onset"] == 1
        if row["signal"] == "":
            assert drawn["signal"] is None
            assert row["early"] == "0"
        else:
            # The first frame that could show it.
            assert 0 <= float(row["signal"]) - drawn["signal"] < 1 / 60 + 1e-4
            assert float(row["rt"]) == 0 or float(row["rt"]) >= float(row["signal"])
        walk = np.concatenate([[0], np.cumsum(drawn["directions"])]) * 45 + drawn["start"]
        position = np.interp(path["time"], np.arange(walk.size) / 2, walk).clip(-420, 420)
        np.testing.assert_allclose(path["position"], position, atol=0.01)
        assert path["time"].diff().median() == pytest.approx(1 / 60, abs=2e-5)
    assert all(int(b["block"]) >= int(a["block"]) for a, b in pairwise(log))


def test_a_gated_study_gives_rules_back(study, draw_trial, capsys):
    for name in RULES:
        check_trials(study, name, draw_trial)
    assert cli.main(["validate", str(study)]) == 0
    assert "not read" not in capsys.readouterr().out
    checked = check_logs(log_files(study), recorded_files(study))
    trials, paths = checked.logs.trials, checked.paths
    samples = draw_points(trials, paths, 5, 1, "gated")
    nobody = pd.DataFrame({"subject": [], "group": []}, dtype="str")
    inferred = infer_rules(
        *(trials, samples, check_design(trials), nobody, paths),
        **{"cued": True, "condition": "easy", "blocks": 9, "delays": (0.0,)},
    )
    for name, base in RULES.items():
        mine = inferred[(inferred["subject"] == name) & (inferred["window"] == FIRST)]
        says_stop = mine[mine["prior"] == "independent"]["p_stop"].to_numpy()
        print(name, np.round(says_stop, 2))
        sure = np.abs(says_stop - 0.5) > 0.45
        assert sure.sum() >= 6
        assert ((says_stop > 0.5) == np.ravel(base))[sure].all()
