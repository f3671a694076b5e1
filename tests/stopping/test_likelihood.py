"""The path likelihood: against every path by brute force, and its slopes."""

from itertools import product

import numpy as np
import pytest

from fuzzybounds.canoe.lattice import edge_row
from fuzzybounds.canoe.task import DEADLINE_FRAMES
from fuzzybounds.stopping.lattice import Bins, outcomes, states
from fuzzybounds.stopping.likelihood import SURE, Likelihood

from .conftest import table

# (rt, position): within the first bin; within a step; at its very end; near the edge of a bin.
TRIALS = [(1 / 60, 1.5), (0.25, -22.5), (1.75, 22.5), (2.0, 90.0), (2.3, -63.0), (3.35, -31.5)]
BINS = [(0.1, 0.0), (0.05, 0.0), (0.25, 0.1), (0.1, 0.3), (0.05, 0.3)]
"""Widths and delays."""


def hazard(time, position, outward):
    """Any hazard that depends on all three."""
    rise = 0.3 / (1 + np.exp(-(position - 60 + 8 * time) / 20))
    return 0.02 + (0.4 + 0.6 * outward) * rise + 0.01 * np.sin(time)


def by_hand(rt, position, bins, delay):
    """The likelihood of one response: the mean over every path that ends there."""
    frames = round(rt * 60)
    decided = max(frames - round(delay * 60), 1)
    likelihoods = []
    steps = -(-frames // 30)
    # Bins end within the step of the decision, so no step after the response matters.
    for ways in product((-1, 1), repeat=steps):
        path = np.append(0, np.cumsum(np.repeat(ways, 30))) * 1.5
        if path[frames] != position:
            continue
        lasts = 1.0
        width = round(bins.width * 60)
        for frame in range(width, DEADLINE_FRAMES + 1, width):
            away = float(abs(path[frame]) > abs(path[frame - 1]))
            h = hazard(frame / 60, min(abs(path[frame]), 420.0), away)
            if frame >= decided:
                likelihoods.append(lasts * h)
                break
            lasts *= 1 - h
    # The first bin holds all responses up to its end and the delay.
    width, wide = bins.width * 60, decided <= bins.width * 60
    return np.mean(likelihoods) * (width / (width + delay * 60) if wide else 1.0)


def likelihood_of(trials, bins, delay=0.0):
    cases = outcomes(trials, bins, delay)
    return Likelihood(cases, states(bins)), cases


@pytest.mark.parametrize(("width", "delay"), BINS)
def test_likelihood_is_the_mean_over_every_path(width, delay):
    likelihood, cases = likelihood_of(table(TRIALS), Bins(width), delay)
    values = hazard(likelihood.states.time, likelihood.states.position, likelihood.states.outward)[
        None
    ]
    logs = likelihood.log_likelihoods(values, np.ones(1))[cases.of_trial]
    expected = [by_hand(*trial, Bins(width), delay) for trial in TRIALS]
    assert np.exp(logs) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.4])
def test_no_delay_gains_by_merging_early_responses(delay):
    """The probabilities of a response at each of the first frames add up to that of responding."""
    width, later, h = 6, round(delay * 60), 0.2
    frames = np.arange(1, 2 * width + later + 1)
    likelihood, cases = likelihood_of(table([(f / 60, 1.5 * f) for f in frames]), Bins(), delay)
    logs = likelihood.log_likelihoods(np.full((1, likelihood.states.time.size), h), np.ones(1))
    by_frame = np.exp(logs[cases.of_trial]) / width
    assert by_frame[: width + later].sum() == pytest.approx(h)
    assert by_frame[width + later :].sum() == pytest.approx((1 - h) * h)


@pytest.mark.parametrize(("delay", "passed"), [(0.0, 150), (0.3, 147)])
def test_a_missed_deadline_is_survival_until_then(delay, passed):
    likelihood, _ = likelihood_of(table([(np.nan, 43.5)]), Bins(), delay)
    flat = np.full((1, likelihood.states.time.size), 0.04)
    assert likelihood.log_likelihoods(flat, np.ones(1)) == pytest.approx([passed * np.log1p(-0.04)])


@pytest.mark.parametrize(("width", "delay"), BINS[:4])
def test_slopes_are_those_of_finite_differences(width, delay):
    likelihood, cases = likelihood_of(table([*TRIALS, (np.nan, 43.5)]), Bins(width), delay)
    rng = np.random.default_rng(1)
    base = hazard(likelihood.states.time, likelihood.states.position, likelihood.states.outward)
    nodes = np.stack([base, 0.5 * base, np.sqrt(base) / 2])
    weights, counts = np.array([0.5, 0.3, 0.2]), 1.0 + np.arange(len(cases.decision))
    _, slopes, _ = likelihood.slopes(nodes, weights, counts)
    for _ in range(5):
        way = rng.normal(size=nodes.shape) * nodes
        ends = [
            likelihood.log_likelihoods(nodes + s * 1e-6 * way, weights) @ counts for s in (-1, 1)
        ]
        assert (slopes * way).sum() == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize(
    ("width", "delay", "problem"),
    [
        *((0.01, 0.0, "whole number of frames"), (0.6, 0.0, "less than a step")),
        *((0.2, 0.0, "divide"), (0.1, 0.5, "less"), (0.1, -0.1, "at least"), (0.1, 0.01, "whole")),
    ],
)
def test_bins_divide_a_step_and_delays_are_whole_frames_within_one(width, delay, problem):
    with pytest.raises(ValueError, match=problem):
        outcomes(table(TRIALS), Bins(width), delay)


LONG = [(0.25, -22.5), (1.75, 22.5), (2.3, -63.0), (7.4, -126.0), (9.1, 81.0), (np.nan, 43.5)]
HAZARDS = {
    "mild": lambda t, x: 0.02 + 0.3 / (1 + np.exp(-(x - 60 + 8 * t) / 20)),
    "hopeless": lambda t, x: np.where(x > 30, 1.0 - SURE, SURE),
    "certain": lambda t, x: np.full(t.shape, 1.0 - SURE),
}


def reference(hazard, of_edge, steps, cases):
    """The log-likelihood of every outcome: the sums of the kernel in a few lines, as logs."""
    passed = np.log1p(-hazard)[of_edge].sum(axis=1)
    cells = [np.zeros(1)]
    for m in range(steps):
        right = np.arange(m + 1)
        to_left, to_right = (cells[-1] + passed[edge_row(m, right, way)] for way in (0, 1))
        cells.append(np.logaddexp(np.append(to_left, -np.inf), np.append(-np.inf, to_right)))
    cells, go_on, respond = np.concatenate(cells), np.log1p(-hazard), np.log(hazard)
    logs = []
    for edges, number, responded in zip(cases.edges, cases.decision, cases.responded, strict=True):
        terms = []
        for edge in edges[edges >= 0]:
            ended = respond[of_edge[edge, number]] if responded else 0.0
            terms.append(cells[edge // 2] + go_on[of_edge[edge, :number]].sum() + ended)
        logs.append(np.logaddexp.reduce(terms))
    return np.array(logs) - cases.log_paths - cases.log_widths


@pytest.mark.parametrize(("width", "delay"), [(0.1, 0.0), (0.05, 0.0), (0.1, 0.3)])
@pytest.mark.parametrize("kind", HAZARDS)
def test_outcomes_have_the_logs_of_the_reference(kind, width, delay):
    bins = Bins(width)
    cases, where = outcomes(table(LONG), bins, delay), states(bins)
    hazard = HAZARDS[kind](where.time, where.position)
    logs = Likelihood(cases, where).log_likelihoods(hazard[None], np.ones(1))
    expected = reference(hazard, where.of_edge, where.steps, cases)
    assert logs == pytest.approx(expected, rel=1e-10)
