"""The machine of the page, in the browser's own JavaScript, against the library."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fuzzybounds.canoe import task

SEED = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def javascript(browser, new_page, tmp_path_factory, serving):
    """Run a function body with a module of the page as `module`, and the design as `design`."""
    with serving(tmp_path_factory.mktemp("machine")) as server, new_page(browser) as page:
        page.open(server.address)

        def run(module: str, body: str, *arguments):
            script = (
                "const done = arguments[arguments.length - 1], [design, given] = arguments;"
                f"import('canoe/{module}').then((module) => {{ {body} }})"
                ".then(done, (error) => done('error: ' + error.stack))"
            )
            design = server.folder.study.design
            answer = page.browser.execute_async_script(script, design, list(arguments))
            assert not str(answer).startswith("error"), answer
            return answer

        yield run


def test_trials_are_drawn_as_designed(javascript):
    """Conditions, headings and steps of 20,000 trials; neighbours have nothing in common."""
    n = 20_000
    body = """return Array.from({ length: given[0] }, (_, index) => {
        const trial = module.drawTrial(design, given[1], "trial", index + 1);
        return [trial.condition === "hard" ? 1 : 0, trial.heading, ...trial.directions];
    });"""
    drawn = np.array(javascript("walk.js", body, n, SEED))
    hard, heading, steps = drawn[:, 0], drawn[:, 1], drawn[:, 2:]
    assert steps.shape == (n, task.DEADLINE_STEPS)
    toward = steps * heading[:, None]
    shares = [(hard == 1, 0.5), (heading > 0, 0.5)]
    shares += [
        (toward[hard == n] > 0, condition.p0) for n, condition in enumerate((task.EASY, task.HARD))
    ]
    for drawn_as, p in shares:
        assert stats.binomtest(int(drawn_as.sum()), drawn_as.size, p).pvalue > 0.001
    # Steps of one trial, and the same step of the next one, are independent given condition.
    centred = toward - np.where(hard, 2 * 0.51 - 1, 2 * 0.65 - 1)[:, None]
    for product in (centred[:, 1:] * centred[:, :-1], centred[1:] * centred[:-1]):
        assert abs(product.sum() / np.sqrt((product**2).sum())) < 3.3


GATES = {
    "exponential": {"earliest_s": 0.3, "mean_s": 2.5, "latest_s": 10, "ungated": 0.2},
    "uniform": {"earliest_s": 0.3, "latest_s": 6, "ungated": 0.2},
}


@pytest.fixture
def beyond(javascript):
    """Draw trials of a design with random starts and a gate."""

    def draw(n: int, start_px: float, distribution: str | None):
        gate = distribution and {"distribution": distribution, **GATES[distribution]}
        body = """design.canoe.start_px = given[1];
        design.gate = given[2];
        return [design, Array.from({ length: given[0] }, (_, index) =>
            module.drawTrial(design, given[3], "trial", index + 1))];"""
        return javascript("walk.js", body, n, start_px, gate, SEED)

    return draw


@pytest.mark.parametrize(
    ("start_px", "distribution"), [(0, None), (100, None), (0, "uniform"), (225, "exponential")]
)
def test_the_same_numbers_in_python(beyond, draw_trial, start_px, distribution):
    """Trials of a study without start and gate are those of the task before it had either."""
    design, drawn = beyond(300, start_px, distribution)
    for number, trial in enumerate(drawn, 1):
        expected = draw_trial(design, SEED, number)
        signal = expected["signal"] and pytest.approx(expected["signal"], rel=1e-9)
        assert trial == {**expected, "signal": signal}
    letters = "".join("R" if step > 0 else "L" for step in drawn[0]["directions"])
    if not start_px:
        assert letters == "LLRLRRLLLRRRLLLLRRRRLLLRLLLLRL"


def test_starts_and_signals_are_drawn_as_designed(beyond):
    """A heading is as likely as if the canoe had come to its start from the centre."""
    drawn = pd.DataFrame(beyond(20_000, 225, "exponential")[1])
    counts = drawn["start"].value_counts()
    assert sorted(counts.index) == list(range(-225, 226, 45))
    assert stats.chisquare(counts).pvalue > 0.001
    for (name, start), trials in drawn.groupby(["condition", "start"]):
        odds = (task.CONDITIONS[name].p0 / (1 - task.CONDITIONS[name].p0)) ** (start / 45)
        right = int((trials["heading"] > 0).sum())
        assert stats.binomtest(right, len(trials), odds / (1 + odds)).pvalue > 0.0002
    gated = drawn["signal"].dropna()
    assert stats.binomtest(len(gated), len(drawn), 0.8).pvalue > 0.001
    times = stats.truncexpon((10 - 0.3) / 2.2, 0.3, 2.2)
    assert stats.kstest(gated, times.cdf).pvalue > 0.001
    assert abs(stats.spearmanr(drawn["start"], drawn["signal"], nan_policy="omit")[0]) < 0.03


PLAY = """
Object.assign(design, given[3]);
const run = { seed: given[2], session: 1, block: 1, firstTrial: 1, coins: 0 };
let block = module.startBlock(design, run, given[0][0]);
const notes = [];
const events = [...given[0].map((time) => ({ type: "frame", time })),
                ...given[1].map(([time, side, at]) => ({ type: "key", time, side, at }))];
events.sort((a, b) => (a.at ?? a.time) - (b.at ?? b.time));
for (const event of events) {
  const next = module.stepBlock(block, event);
  block = next.block;
  notes.push(...next.notes);
}
return { notes, over: block.over, elapsed: block.elapsed };
"""


@pytest.fixture
def play(javascript):
    """Let a block run on given frames and keys; return its notes."""
    return lambda frames, keys=(), **changes: javascript(
        "block.js", PLAY, frames.tolist(), list(keys), SEED, changes
    )


def named(result, name):
    return [note for note in result["notes"] if note.get("name") == name]


def trials(result):
    return [note["record"] for note in result["notes"] if note["kind"] == "trial"]


@pytest.mark.parametrize(("time", "name"), [(1.2, "early_key"), (2.3, "late_key")])
def test_keys_outside_the_decision_are_logged_and_ignored(play, time, name):
    result = play(np.arange(0, 3, 1 / 60), [(2.0, "left"), (time, "right")])
    assert len(trials(result)) == 1
    assert [note["value"] for note in named(result, name)] == ["right"]


def test_a_key_older_than_the_last_frame_ends_the_path_at_the_key(play):
    """An event may arrive after a frame that is younger than it."""
    (record,) = trials(play(np.arange(0, 2.5, 1 / 60), [(1.99, "left", 2.002)]))
    time = record["path"]["time"]
    assert time[-1] == record["rt"] == pytest.approx(0.49)
    assert all(b > a for a, b in pairwise(time))
    assert len(time) == 1 + 30


def test_gaps_are_flagged_and_shown_phases_are_never_skipped(play):
    frames, keys = np.arange(0, 8, 1 / 60), [(2.2, "left")]
    result = play(frames[(frames < 1.9) | (frames > 1.96)], keys)
    assert named(result, "gap")[0]["value"] == pytest.approx(1000 * 5 / 60, abs=1)
    assert not named(play(frames, keys), "gap")
    # Hidden for four seconds in the cue: it is shown for as long as it should be afterwards.
    result = play(frames[(frames < 0.5) | (frames > 4.5)])
    assert named(result, "schedule_shift")
    assert named(result, "onset")[0]["time"] == pytest.approx(5.5, abs=0.04)


GATE = {"distribution": "uniform", "earliest_s": 1, "latest_s": 6, "ungated": 0, "sound": True}


def test_a_key_before_the_signal_is_counted_and_does_not_end_the_trial(play):
    """Keys are judged by the frame that shows the signal, the first at or after its time."""
    frames = np.arange(0, 12, 1 / 60)
    (event,) = named(play(frames, gate=GATE), "signal")
    shown = event["time"] - 1.5
    result = play(frames, [(2, "left"), (1.4, "left"), (1.499 + shown, "right")], gate=GATE)
    presses = named(result, "early_press")
    assert [note["value"] for note in presses] == ["left", "right"]
    assert not trials(result)
    result = play(frames, [(2, "left"), (1.501 + shown, "right"), (2.1, "left")], gate=GATE)
    (record,) = trials(result)
    assert (record["early"], record["signal"]) == (2, pytest.approx(shown, abs=1e-5))
    assert record["rt"] == pytest.approx(shown + 0.001, abs=1e-5)
    assert "start" not in record
    sounds = [note["trial"] for note in result["notes"] if note["kind"] == "sound"]
    assert sounds == [note["trial"] for note in named(result, "signal")]
    # Without a gate on this trial the signal is there from the first frame.
    result = play(frames, [(1.501, "right")], gate={**GATE, "ungated": 1})
    (record,) = trials(result)
    assert (record["early"], record["signal"]) == (0, "")
    assert named(result, "signal")[0]["time"] == pytest.approx(1.5)


def test_a_signal_that_nobody_could_see_is_logged_as_it_was_due(play):
    """The page is hidden from before the signal until after the deadline."""
    frames = np.arange(0, 30, 1 / 60)
    (record,) = trials(play(frames[(frames < 2) | (frames > 20)], gate=GATE))[:1]
    assert record["rt"] == 0
    assert 1 <= record["signal"] <= 6
