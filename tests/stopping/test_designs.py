"""Starts and gates: trials against the hazard, and the likelihood against products by hand."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import EASY
from fuzzybounds.logs.study_design import Gate, StudyDesign
from fuzzybounds.stopping import designs
from fuzzybounds.stopping.data import likelihoods
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.recorded import on_recorded_paths

from .conftest import table
from .test_likelihood import hazard as often

BINS = Bins()
GATED = StudyDesign(start=225.0, gate=Gate("exponential", 0.3, 10.0, 0.2, 2.5))


def hazard(t, x, outward):
    """So small that some trials end without a response."""
    return 0.1 * often(t, x, outward)


def simulated(design, number, seed=1, delay=0.0):
    """Trials of someone with a known hazard, and what chance had drawn."""
    rng = np.random.default_rng(seed)
    drawn = designs.draw_trials(design, EASY, number, rng)
    seen = designs.seen_on(drawn.positions[:, ::6], BINS)
    chance = hazard(np.broadcast_to(seen.time, seen.distance.shape), seen.distance, seen.outward)
    return drawn, seen, chance, designs.respond(design, EASY, drawn, chance, BINS, rng, delay)


def as_recorded(drawn, trials):
    """Paths at every frame up to the response."""
    rows = []
    for number, rt in enumerate(trials["rt"].fillna((drawn.positions.shape[1] - 1) / 60)):
        frame = np.arange(round(rt * 60) + 1)
        place = drawn.positions[number, : frame.size]
        rows.append(pd.DataFrame({"trial": number + 1, "time": frame / 60, "position": place}))
    return pd.concat(rows)


def log_product(row, position, delay):
    """The log-likelihood of a trial, one decision after the other."""
    signal = 0.0 if np.isnan(row.signal) else row.signal
    ended = (row.rt if row.responded else 15.0) - delay
    log, before = 0.0, abs(position[0])
    for number in range(1, 151):
        t, x = 0.1 * number, abs(position[number])
        outward, before = float(x >= before), x
        if t < signal - 1e-9:
            continue
        h = float(hazard(t, x, outward))
        opened = t - 0.1 < signal - 1e-9 or number == 1
        if row.responded and ended <= t + 1e-9:
            window = (t + delay - signal) / 0.1 if opened else 1.0
            return log + np.log(h) - np.log(max(window, 1 / 6))
        if not row.responded and t > ended + 1e-9:
            return log
        log += np.log1p(-h)
    return log


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_the_likelihood_of_gated_trials_is_a_product_along_the_path(delay):
    drawn, _, _, trials = simulated(GATED, 200, delay=delay)
    trials = trials.assign(trial=np.arange(1, 201))
    assert 0 < trials["responded"].mean() < 1
    likelihood = likelihoods(trials, BINS, [delay], as_recorded(drawn, trials))[delay]
    where = likelihood.states
    logs = likelihood.forward(hazard(where.time, where.position, where.outward)[None]).logs[0]
    by_hand = [
        log_product(row, drawn.positions[number, ::6], delay)
        for number, row in enumerate(trials.itertuples())
    ]
    assert logs == pytest.approx(by_hand, abs=1e-9)
    total = likelihood.totals(hazard(where.time, where.position, where.outward)[None], np.eye(200))
    assert total[0] == pytest.approx(logs)


def test_without_start_and_gate_it_is_the_likelihood_of_recorded_paths():
    drawn, _, _, trials = simulated(StudyDesign(), 60, delay=0.2)
    trials = trials.assign(trial=np.arange(1, 61))
    inside = np.abs(drawn.positions).max(axis=1) < 400  # Waiting at the edge is seen otherwise.
    trials, drawn = trials[inside], drawn._replace(positions=drawn.positions[inside])
    paths = as_recorded(drawn, trials).assign(
        trial=lambda p: trials["trial"].to_numpy()[p["trial"] - 1]
    )
    where = states(BINS)
    known = Likelihood(None, where, on_recorded_paths(trials, paths, where, 0.2))
    positions = designs.recorded_positions(trials, paths, BINS)
    ours = designs.likelihoods_on(trials, positions, BINS, [0.2], 15.0)[0.2]
    values = [hazard(w.time, w.position, w.outward)[None] for w in (where, ours.states)]
    assert ours.forward(values[1]).logs == pytest.approx(known.forward(values[0]).logs)


def test_simulated_trials_respond_as_often_as_the_hazard_says():
    drawn, seen, chance, trials = simulated(GATED, 40_000)
    first = designs.first_decisions(drawn.signal, BINS)
    decision = np.arange(1, 151)
    frame = np.where(trials["responded"], np.round(trials["rt"].fillna(0) * 60), 900)
    at = np.ceil(frame / 6).astype(int)
    reached = (decision >= first[:, None]) & (decision <= at[:, None])
    responded = trials["responded"].to_numpy()
    for where in (seen.distance < 100, seen.distance > 250, seen.outward == 0):
        expected = chance[reached & where].sum()
        stopped = where[np.arange(len(at)), at - 1] & responded
        assert stopped.sum() == pytest.approx(expected, abs=5 * np.sqrt(expected))
    assert (trials["rt"] >= trials["signal"]).loc[trials["signal"].notna() & responded].all()
    assert trials["signal"].isna().mean() == pytest.approx(0.2, abs=0.01)


def test_headings_keep_the_meaning_of_the_position():
    """Whoever starts at x heads right as often as one who came there from the centre."""
    drawn, *_ = simulated(GATED, 40_000)
    for steps in (-5, -1, 0, 3):
        right = drawn.heading[drawn.start == 45 * steps] == 1
        odds = (0.65 / 0.35) ** steps
        assert right.mean() == pytest.approx(odds / (1 + odds), abs=0.04)
    assert np.unique(drawn.start).tolist() == list(range(-225, 226, 45))


def test_other_steps_speeds_and_deadlines():
    design = StudyDesign(step=0.25, speed=120.0, deadline=6.0, start=60.0)
    drawn, *_, trials = simulated(design, 500)
    assert drawn.positions.shape == (500, 361)
    assert set(np.unique(drawn.start)) == {-60, -30, 0, 30, 60}
    moved = np.abs(np.diff(drawn.positions[:, ::15]))
    assert moved[np.abs(drawn.positions[:, 15::15]) < 400].max() == pytest.approx(30)
    assert trials["rt"].max() < 6.0
    missed = trials[~trials["responded"]].assign(trial=lambda table: table.index + 1)
    paths = as_recorded(drawn, trials)
    likelihood = likelihoods(missed, BINS, [0.2], paths)[0.2]
    gone, _ = likelihood.decisions(
        np.full((1, likelihood.states.time.size), 0.1), np.ones(len(missed))
    )
    assert gone.sum() == 58 * len(missed)


def test_a_subject_with_one_gated_trial_needs_all_paths():
    from fuzzybounds.stopping.data import with_path

    trials = table([(1.9, 81.0), (1.9, 81.0)]).assign(trial=[1, 2], signal=[1.0, np.nan])
    paths = pd.DataFrame({"trial": [1]})
    assert with_path(trials, paths).tolist() == [True, False]
    assert with_path(trials.drop(columns="signal"), None).all()
