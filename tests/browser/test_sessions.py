"""Whole sessions in fake time: the logs are as designed, and as the library's simulator has them.

The participant sees only what is on the screen and follows a fuzzy controller of the library; its
keys are events of the page.
"""

from __future__ import annotations

import csv
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fuzzybounds import cli
from fuzzybounds.analysis.design_check import check_design
from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import locate
from fuzzybounds.intake import logs, recordings, validation

pytestmark = pytest.mark.xdist_group("browser")
LEVEL = 0.001
"""A correct task fails a test of this level once in a thousand times; the seeds are fixed."""


def events_of(root) -> pd.DataFrame:
    return pd.concat(pd.read_csv(file, keep_default_na=False) for file in root.glob("events/*.csv"))


def play_session(page, server, policy, code, seed, *, cued=True, lag=0.0, **options):
    """Play a whole session; return the folder."""
    page.seed(seed)
    page.open(server.address)
    page.enter(code)
    page.be(policy, seed, cued, lag)
    assert page.play("Thank you!", **options) == "Thank you!"
    page.wait("return document.querySelector('.saved')?.textContent === 'Everything is saved.'")
    return server.folder.root


@cache
def trials_of(root):
    checked = validation.validate(logs.read_tidy(root.glob("*.csv")))
    paths = recordings.read(root.glob("paths/*.csv"))
    return checked, recordings.validate(paths, checked.trials)


def frames_of(trials) -> np.ndarray:
    """How many frames each trial was watched, at 60 Hz."""
    return np.round(trials["rt"].fillna(task.DEADLINE) * task.FRAME_RATE).astype(int).to_numpy()


@pytest.fixture(scope="module")
def session_a(browser, policy, quick_folder, new_page, serving):
    with serving(quick_folder / "a") as server, new_page(browser) as page:
        yield play_session(page, server, policy, "P01", 1)


@pytest.fixture(scope="module")
def session_b(browser, policy, quick_folder, new_page, serving):
    # Without cues nobody can tell easy from hard trials: one policy for both.
    blind = dict.fromkeys(policy, policy["easy"])
    with serving(quick_folder / "b", experiment="B") as server, new_page(browser) as page:
        yield play_session(page, server, blind, "P01", 2, cued=False)


@pytest.fixture(params=["A", "B"])
def session(request):
    return request.getfixturevalue(f"session_{request.param.lower()}")


def test_logs_validate_without_a_warning(session, capsys):
    assert cli.main(["validate", str(session)]) == 0
    said = capsys.readouterr().out
    assert "off_lattice" not in said
    assert "frame gap" not in said
    found, _ = trials_of(session)
    bad = found.counts[(found.counts["rows"] > 0) & (found.counts["check"] != "missed_deadline")]
    assert bad.empty
    assert found.exclusions.empty


def test_all_responses_are_on_the_lattice_and_all_paths_recorded(session):
    checked, paths = trials_of(session)
    responded = checked.trials[checked.trials["responded"]]
    lattice = locate(responded["rt"], responded["position"])
    assert lattice.fits.all()
    assert np.abs(lattice.residual).max() < 0.01
    assert set(paths["trial"]) == set(checked.trials["trial"])


def test_the_design_is_as_configured(session):
    trials = trials_of(session)[0].trials
    table = check_design(trials).set_index(["quantity", "condition"])
    for condition in task.CONDITIONS.values():
        p0 = table.loc[("p0", condition.name)]
        assert p0["low"] < condition.p0 < p0["high"]
    assert table.loc[("share_on_lattice", ""), "value"] == 1
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
    events = events_of(session).query("block > 0 and trial != ''")
    trials = trials_of(session)[0].trials.set_index("trial")
    start = events[events["event"] == "cue"].set_index("trial")["time"]
    end = events[events["event"] == "trial_end"].set_index("trial")["time"]
    start.index, end.index = start.index.astype(int), end.index.astype(int)
    measured = (end - start).reindex(trials.index)
    assert (measured - trials["total"]).abs().max() < 1.5 * task.FRAME


def test_paths_follow_the_directions_that_were_logged_before(session):
    checked, paths = trials_of(session)
    onsets = events_of(session).query("event == 'onset' and block > 0")
    drawn = {int(row.trial): row.value.split() for row in onsets.itertuples()}
    for trial, own in list(paths.groupby("trial"))[::20]:
        _, _, letters = drawn[trial]
        directions = np.array([1 if letter == "R" else -1 for letter in letters])
        frames = np.concatenate([[0], np.cumsum(np.repeat(directions, 30) * 1.5)]).clip(-420, 420)
        expected = np.interp(own["time"], np.arange(frames.size) * task.FRAME, frames)
        np.testing.assert_allclose(own["position"], expected, atol=0.01)
    conditions = checked.trials.set_index("trial")["condition"]
    assert all(conditions[trial] == words[0] for trial, words in drawn.items())


@pytest.mark.parametrize("experiment", ["A", "B"])
@pytest.mark.parametrize("condition", list(task.CONDITIONS))
def test_response_times_agree_with_the_simulator(request, experiment, condition, simulated_policy):
    """Chi-square on tenths of the simulator's times, Kolmogorov-Smirnov, and Fisher on accuracy.

    Times are compared as numbers of frames: the log rounds seconds to five digits, so that equal
    times would count as different ones, and frames that many responses share would decide.
    """
    session = request.getfixturevalue(f"session_{experiment.lower()}")
    trials = trials_of(session)[0].trials
    own = trials[trials["condition"] == condition]
    policy = simulated_policy(condition if experiment == "A" else "easy")
    rng = np.random.default_rng(3)
    simulated = task.simulate_trials(policy, task.CONDITIONS[condition], 4000, rng)
    frames = frames_of(own)
    test = stats.ks_2samp(frames, simulated.frame)
    tenths = np.unique(np.quantile(simulated.frame, np.linspace(0.1, 0.9, 9)))
    counts = [
        np.bincount(np.searchsorted(tenths, values), minlength=tenths.size + 1)
        for values in (frames, simulated.frame)
    ]
    chi = stats.chi2_contingency(counts)
    correct = [[own["correct"].sum(), (~own["correct"]).sum()]]
    correct += [[simulated.correct.sum(), (~simulated.correct).sum()]]
    fisher = stats.fisher_exact(correct).pvalue
    print(
        f"{experiment} {condition}: n = {len(own)} and 4000, "
        f"chi-square {chi.statistic:.1f} ({chi.dof} df), p = {chi.pvalue:.3f}; "
        f"D = {test.statistic:.4f}, p = {test.pvalue:.3f}; "
        f"accuracy {own['correct'].mean():.3f} and {simulated.correct.mean():.3f}, p = {fisher:.3f}"
    )
    assert min(chi.pvalue, test.pvalue, fisher) > LEVEL


def test_another_controller_would_be_noticed(session_a, simulated_policy):
    """The test above can fail: easy trials are not answered as hard ones are."""
    trials = trials_of(session_a)[0].trials
    own = trials[trials["condition"] == "easy"]
    rng = np.random.default_rng(3)
    hard = task.simulate_trials(simulated_policy("hard"), task.EASY, 4000, rng)
    assert stats.ks_2samp(frames_of(own), hard.frame).pvalue < LEVEL


def test_a_session_describes_itself(session):
    (file,) = session.glob("sessions/*.json")
    record = json.loads(file.read_text())
    (run,) = record["runs"]
    assert record["finished"]
    assert run["display"]["rate"] == pytest.approx(60)
    assert run["client"]["window"] == "1280x800"
    assert run["consent"]["version"] == "example"
    assert run["consent"]["agreed"].endswith("Z")
    assert len(run["seed"]) == 32
    assert run["software"]["fuzzybounds"]


RATES = {120: 0.0, 144: 0.0, 240: 0.0, 30: 0.0, 59.94: 0.1}


@pytest.mark.parametrize("rate", RATES)
def test_every_refresh_rate_is_the_same_task(browser, policy, tmp_path, new_page, serving, rate):
    """Two blocks each; at the last rate every tenth frame is dropped, up to four in a row."""
    (tmp_path / "short.yaml").write_text("{blocks: 2, practice: []}")
    with (
        serving(tmp_path, file=tmp_path / "short.yaml") as server,
        new_page(browser, rate=rate) as page,
    ):
        if rate == 144:
            page.resize(1600, 900, ratio=2)
        root = play_session(page, server, policy, "P01", 4, lag=1 / rate, drop=RATES[rate])
    checked, paths = trials_of(root)
    trials = checked.trials
    assert checked.counts.set_index("check").loc["off_lattice", "rows"] == 0
    assert set(paths["trial"]) == set(trials["trial"])
    interval = paths.groupby("trial")["time"].diff().dropna()
    assert interval.median() == pytest.approx(1 / rate, abs=2e-5)
    # Speed is 90 px/s whatever the rate: between two frames in one step the canoe moves that far.
    moved = paths.groupby("trial")["position"].diff().abs()[interval.index]
    speed = moved[interval > 0.004] / interval[interval > 0.004]
    assert speed.median() == pytest.approx(task.SPEED, rel=0.01)
    events = events_of(root)
    flagged = set(events.query("event == 'gap' and block > 0")["trial"].astype(int))
    longest = paths.groupby("trial")["time"].apply(lambda time: time.diff().max())
    assert flagged == set(longest.index[longest > 0.0250001])
    assert bool(flagged) == (rate < 60)
    measured = json.loads((root / "sessions/P01_session-1.json").read_text())["runs"][0]
    assert measured["display"]["rate"] == pytest.approx(rate, abs=0.1)
    assert (trials.groupby("block")["total"].sum() >= task.BLOCK).all()


def test_no_request_leaves_the_page(browser, policy, tmp_path, new_page, serving):
    (tmp_path / "short.yaml").write_text("{blocks: 1, practice: []}")
    with serving(tmp_path, file=tmp_path / "short.yaml") as server, new_page(browser) as page:
        browser.get_log("browser")
        play_session(page, server, policy, "P01", 5)
        asked = page.requests()
        silent = [own for own in browser.get_log("browser") if own["level"] != "INFO"]
    assert silent == []
    assert len(asked) > 15
    assert not [url for url in asked if not url.startswith((server.address, "data:"))]
    with (server.folder.root / "P01.csv").open() as file:
        trials = len(list(csv.DictReader(file)))
    # One for every trial and a few more: nothing is asked twice.
    sent = [url for url in asked if url.endswith("api/message")]
    assert trials + 2 <= len(sent) <= trials + 4
