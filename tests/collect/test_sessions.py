"""Whole sessions in fake time: the logs are as designed, and as the library's simulator has them.

The participant sees only what is on the screen and follows a fuzzy controller of the library; its
keys are events of the page.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fuzzybounds import cli
from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import locate
from fuzzybounds.logs import reading as logs
from fuzzybounds.logs import recordings, validation
from fuzzybounds.logs.design_check import check_design

LEVEL = 0.001
"""A correct task fails a test of this level once in a thousand times; the seeds are fixed."""


def events_of(root, query: str) -> pd.DataFrame:
    """Events of trials that count, by the number of the trial."""
    (file,) = root.glob("events/*.csv")
    events = pd.read_csv(file, keep_default_na=False).query(f"({query}) and block > 0")
    return events.assign(trial=events["trial"].astype(int)).set_index("trial")


def run_of(root) -> dict:
    record = json.loads((root / "sessions/P01_session-1.json").read_text())
    assert record["finished"]
    (run,) = record["runs"]
    return run


def play_session(page, server, policy, seed, *, cued=True, lag=0.0, **options):
    """Play a whole session; return the folder."""
    page.seed(seed)
    page.open(server.address)
    page.enter("P01")
    page.be(policy, seed, cued, lag=lag)
    assert page.play("Thank you!", **options) == "Thank you!"
    page.wait_saved()
    return server.folder.root


@cache
def trials_of(root):
    checked = validation.validate(logs.read_logs(root.glob("data/*.csv")).raw)
    paths = recordings.read(root.glob("paths/*.csv"))
    return checked, recordings.validate(paths, checked.trials)


def frames_of(trials) -> np.ndarray:
    """How many frames each trial was watched, at 60 Hz."""
    return np.round(trials["rt"].fillna(task.DEADLINE) * task.FRAME_RATE).astype(int).to_numpy()


@pytest.fixture(scope="module", params=["A", "B"])
def session(request, browser, policy, quick_folder, new_page, serving):
    """A session of an experiment; without cues one policy serves easy and hard trials."""
    experiment, cued = request.param, request.param == "A"
    followed = policy if cued else dict.fromkeys(policy, policy["easy"])
    folder = quick_folder / experiment
    with serving(folder, experiment=experiment) as server, new_page(browser) as page:
        yield play_session(page, server, followed, 1 if cued else 2, cued=cued)


def test_logs_are_valid_and_all_responses_on_the_lattice(session, capsys):
    assert cli.main(["validate", str(session)]) == 0
    printed = capsys.readouterr().out
    assert "off_lattice" not in printed
    assert "frame gap" not in printed
    checked, paths = trials_of(session)
    counts = checked.counts.set_index("check")["rows"]
    assert counts[counts > 0].index.isin(["missed_deadline"]).all()
    assert checked.exclusions.empty
    responded = checked.trials[checked.trials["responded"]]
    lattice = locate(responded["rt"], responded["position"])
    assert lattice.fits.all()
    assert np.abs(lattice.residual).max() < 0.01
    assert set(paths["trial"]) == set(checked.trials["trial"])
    run = run_of(session)
    assert run["display"]["rate"] == pytest.approx(60)
    assert run["client"]["window"] == "1280x800"
    assert run["consent"]["agreed"].endswith("Z")


def test_the_design_is_as_configured(session):
    trials = trials_of(session)[0].trials
    table = check_design(trials).set_index(["quantity", "condition"])
    for condition in task.CONDITIONS.values():
        p0 = table.loc[("p0", condition.name)]
        assert p0["low"] < condition.p0 < p0["high"]
    for outcome in ("correct", "incorrect"):
        for quantity in (f"reward_{outcome}", f"time_besides_decision_{outcome}_s"):
            rows = table.loc[quantity]
            assert (rows["value"] - rows["expected"]).abs().max() < 1e-4
            assert (rows["high"] - rows["low"]).abs().max() < 1e-4
    blocks = trials.groupby("block")["total"]
    assert list(blocks.groups) == list(range(1, 41))
    assert (blocks.sum() >= task.BLOCK).all()
    assert (blocks.sum() - blocks.last() < task.BLOCK).all()
    assert list(trials["trial"]) == list(range(1, len(trials) + 1))


def test_measured_phases_agree_with_the_design_to_a_frame(session):
    trials = trials_of(session)[0].trials.set_index("trial")
    start, end = (events_of(session, f"event == '{name}'")["time"] for name in ("cue", "trial_end"))
    assert ((end - start).reindex(trials.index) - trials["total"]).abs().max() < 1.5 * task.FRAME


def test_paths_follow_the_directions_that_were_logged_before(session):
    checked, paths = trials_of(session)
    drawn = events_of(session, "event == 'onset'")["value"].str.split()
    for trial, path in list(paths.groupby("trial"))[::20]:
        directions = np.array([1 if letter == "R" else -1 for letter in drawn[trial][2]])
        frames = np.concatenate([[0], np.cumsum(np.repeat(directions, 30) * 1.5)]).clip(-420, 420)
        expected = np.interp(path["time"], np.arange(frames.size) * task.FRAME, frames)
        np.testing.assert_allclose(path["position"], expected, atol=0.01)
    conditions = checked.trials.set_index("trial")["condition"]
    assert (drawn.str[0].reindex(conditions.index) == conditions).all()


@pytest.mark.parametrize("condition", list(task.CONDITIONS))
def test_response_times_agree_with_the_simulator(session, condition, simulated_policy):
    """Kolmogorov-Smirnov and chi-square on tenths of times, in frames, and Fisher on accuracy."""
    trials = trials_of(session)[0].trials
    responses = trials[trials["condition"] == condition]

    def simulated(name: str):
        rng = np.random.default_rng(3)
        return task.simulate_trials(simulated_policy(name), task.CONDITIONS[condition], 4000, rng)

    cued = session.parent.name == "A"
    expected, frames = simulated(condition if cued else "easy"), frames_of(responses)
    tenths = np.unique(np.quantile(expected.frame, np.linspace(0.1, 0.9, 9)))
    counts = [
        np.bincount(np.searchsorted(tenths, values), minlength=tenths.size + 1)
        for values in (frames, expected.frame)
    ]
    correct = [[right.sum(), (~right).sum()] for right in (responses["correct"], expected.correct)]
    p = {
        "Kolmogorov-Smirnov": stats.ks_2samp(frames, expected.frame).pvalue,
        "chi-square": stats.chi2_contingency(counts).pvalue,
        "Fisher": stats.fisher_exact(correct).pvalue,
    }
    assert min(p.values()) > LEVEL, p
    if cued:
        # The test can fail: easy trials are not answered as hard ones are.
        other = simulated("hard" if condition == "easy" else "easy")
        assert stats.ks_2samp(frames, other.frame).pvalue < LEVEL


RATES = {144: 0.0, 30: 0.0, 59.94: 0.1}


@pytest.mark.parametrize("rate", RATES)
def test_every_refresh_rate_is_the_same_task(browser, policy, tmp_path, new_page, serving, rate):
    """Two blocks each; at the last rate every tenth frame is dropped, up to four in a row."""
    with (
        serving(tmp_path, "{blocks: 2, practice: []}") as server,
        new_page(browser, rate=rate) as page,
    ):
        if rate == 144:
            page.resize(1600, 900, ratio=2)
        root = play_session(page, server, policy, 4, lag=1 / rate, drop=RATES[rate])
    checked, paths = trials_of(root)
    assert checked.counts.set_index("check").loc["off_lattice", "rows"] == 0
    assert set(paths["trial"]) == set(checked.trials["trial"])
    interval = paths.groupby("trial")["time"].diff().dropna()
    assert interval.median() == pytest.approx(1 / rate, abs=2e-5)
    # Speed is 90 px/s whatever the rate: between two frames in one step the canoe moves that far.
    moved = paths.groupby("trial")["position"].diff().abs()[interval.index]
    speed = moved[interval > 0.004] / interval[interval > 0.004]
    assert speed.median() == pytest.approx(task.SPEED, rel=0.01)
    flagged = set(events_of(root, "event == 'gap'").index)
    longest = paths.groupby("trial")["time"].apply(lambda time: time.diff().max())
    assert flagged == set(longest.index[longest > 0.0250001])
    assert bool(flagged) == (rate < 60)
    assert run_of(root)["display"]["rate"] == pytest.approx(rate, abs=0.1)
    assert (checked.trials.groupby("block")["total"].sum() >= task.BLOCK).all()


def test_no_request_leaves_the_page(page, policy, tmp_path, serving):
    with serving(tmp_path, "{blocks: 1, practice: []}") as server:
        page.browser.get_log("browser")
        root = play_session(page, server, policy, 5)
        asked = page.requests()
        loud = [entry for entry in page.browser.get_log("browser") if entry["level"] != "INFO"]
    assert loud == []
    assert not [url for url in asked if not url.startswith((server.address, "data:"))]
    # One for every trial and a few more: nothing is asked twice.
    trials = len((root / "data/subject-P01_data.csv").read_text().splitlines()) - 1
    sent = [url for url in asked if url.endswith("api/message")]
    assert trials + 2 <= len(sent) <= trials + 4
