"""The path likelihood: against every path by brute force, and against the learning models' own."""

from itertools import product

import numpy as np
import pytest

from fuzzybounds.canoe.task import DEADLINE_FRAMES
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.people import likelihood as learning
from fuzzybounds.learning.people.sequence import sequence as learning_sequence
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.stopping.lattice import Bins, on_lattice, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood

from .conftest import table

# (rt, position): within the first bin; within a step; at its very end; near the edge of a bin.
TRIALS = [(1 / 60, 1.5), (0.25, -22.5), (1.75, 22.5), (2.0, 90.0), (2.3, -63.0), (3.35, -31.5)]
BINS = [
    Bins(),
    Bins(0.05),
    Bins(0.2),
    Bins(0.1, delay=0.1),
    Bins(0.1, delay=0.3),
    Bins(0.2, delay=0.2),
    Bins(0.05, delay=0.3),
]


def hazard(time, position):
    """Any hazard that depends on both."""
    return 0.02 + 0.3 / (1 + np.exp(-(position - 60 + 8 * time) / 20)) + 0.01 * np.sin(time)


def decisions(bins):
    """Frames at which the bins of a trial end, and their lengths in widths, one by one."""
    width = round(bins.width * 60)
    frame = 0
    while frame < DEADLINE_FRAMES:
        left = 30 - frame % 30
        length = min(width, left)
        frame += length
        yield frame, length / width


def by_hand(rt, position, bins):
    """The likelihood of one response: the mean over every path that ends there."""
    frames = round(rt * 60)
    decided = max(frames - round(bins.delay * 60), 1)
    likelihoods = []
    steps = -(-frames // 30)
    # Bins end within the step of the decision, so no step after the response matters.
    for ways in product((-1, 1), repeat=steps):
        path = np.append(0, np.cumsum(np.repeat(ways, 30))) * 1.5
        if path[frames] != position:
            continue
        lasts = 1.0
        for frame, length in decisions(bins):
            h = hazard(frame / 60, min(abs(path[frame]), 420.0))
            if frame >= decided:
                likelihoods.append(lasts * (1 - (1 - h) ** length))
                break
            lasts *= (1 - h) ** length
    return np.mean(likelihoods)


def likelihood_of(trials, bins):
    found = outcomes(trials, bins)
    return Likelihood(found, states(bins)), found


@pytest.mark.parametrize("bins", BINS, ids=str)
def test_likelihood_is_the_mean_over_every_path(bins):
    own, found = likelihood_of(table(TRIALS), bins)
    values = hazard(own.states.time, own.states.position)[None]
    logs = own.log_likelihoods(values, np.ones(1))[found.of_trial]
    assert np.exp(logs) == pytest.approx([by_hand(*trial, bins) for trial in TRIALS], rel=1e-10)


@pytest.mark.parametrize(("bins", "passed"), [(Bins(), 150), (Bins(0.1, delay=0.3), 147)])
def test_a_missed_deadline_is_survival_until_then(bins, passed):
    own, _ = likelihood_of(table([(np.nan, 43.5)]), bins)
    flat = np.full((1, own.states.time.size), 0.04)
    assert own.log_likelihoods(flat, np.ones(1)) == pytest.approx([passed * np.log1p(-0.04)])


def test_bins_of_one_step_add_up_to_one():
    """Response in any bin of the first step, or none: probabilities of all outcomes sum to 1."""
    bins = Bins()
    rows = [(0.1 * j, sign * 9.0 * j) for j in range(1, 5) for sign in (-1, 1)]
    own, found = likelihood_of(table([*rows, (0.5, -45.0), (0.5, 45.0)]), bins)
    values = hazard(own.states.time, own.states.position)[None]
    responded = np.exp(own.log_likelihoods(values, np.ones(1))[found.of_trial]).sum() / 2
    lasts = np.prod([1 - hazard(0.1 * j, 9.0 * j) for j in range(1, 6)])
    assert responded + lasts == pytest.approx(1.0, abs=1e-12)


def test_agrees_with_the_likelihood_of_the_learning_models():
    """Where responses come at the end of a bin both evaluate the same products."""
    memberships = paper_memberships(3)
    consequents = np.array([[0.02, 0.1, 0.5], [0.05, 0.2, 0.6], [0.1, 0.3, 0.7]])
    trials = table(
        [(0.3, 27.0), (1.8, 18.0), (2.0, 90.0), (2.3, -63.0), (7.4, -126.0), (9.1, 81.0)]
    )
    sequence = trials.assign(trial=range(6), condition="easy", correct=True)
    subject = learning_sequence(sequence, cued=False)
    compute = learning.Likelihood(subject, memberships, memberships, Decisions(2.0, 6))
    expected, _ = compute("none", consequents[None])
    own, found = likelihood_of(trials, Bins())
    controller = Controller(memberships, memberships, RuleBase.from_consequents(consequents))
    values = controller.output(own.states.time / 15, own.states.position / 420)[None] / 2.0
    logs = own.log_likelihoods(values, np.ones(1))[found.of_trial]
    assert logs == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("bins", BINS[:4], ids=str)
def test_slopes_are_those_of_finite_differences(bins):
    own, found = likelihood_of(table([*TRIALS, (np.nan, 43.5)]), bins)
    rng = np.random.default_rng(1)
    base = hazard(own.states.time, own.states.position)
    nodes = np.stack([base, 0.5 * base, np.sqrt(base) / 2])
    weights, counts = np.array([0.5, 0.3, 0.2]), 1.0 + np.arange(len(found.decision))
    _, slopes = own.slopes(nodes, weights, counts)
    for _ in range(5):
        way = rng.normal(size=nodes.shape) * nodes
        ends = [own.log_likelihoods(nodes + s * 1e-6 * way, weights) @ counts for s in (-1, 1)]
        assert (slopes.first * way).sum() == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)


def test_nothing_underflows_on_hopeless_paths():
    """A response long after a certain boundary is very unlikely, but its log is finite."""
    own, _ = likelihood_of(table([(9.0, 315.0)]), Bins())
    certain = np.where(own.states.position > 10, 1.0, 0.0)[None]
    (log,) = own.log_likelihoods(certain, np.ones(1))
    assert -2000 < log < -500


def test_trials_off_the_lattice_are_told_apart():
    trials = table([(1.75, 22.5), (1.75, 35.0), (np.nan, 10.0)])
    assert on_lattice(trials).tolist() == [True, False, True]


@pytest.mark.parametrize(("width", "delay"), [(0.01, 0.0), (0.6, 0.0), (0.1, 0.5), (0.1, -0.1)])
def test_bins_must_be_whole_frames_within_a_step(width, delay):
    with pytest.raises(ValueError, match="whole number of frames"):
        Bins(width, delay)
