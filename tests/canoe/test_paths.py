from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from fuzzybounds.canoe.paths import (
    TOLERANCE,
    Lattice,
    draw_bridges,
    frames_before,
    locate,
    positions_at,
)
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, EDGE, FRAME, HARD, free_walk
from fuzzybounds.canoe.task import simulate_trials as simulate


def all_walks(longest: int) -> dict[str, np.ndarray]:
    """Every (n, k, s) up to `longest` completed steps, at every frame of the started step."""
    n, k, s, frames = np.array(
        [
            (n, k, s, frames)
            for n in range(longest + 1)
            for k in range(n + 1)
            for s in (-1, 1)
            for frames in range(1, 30)
        ]
    ).T
    free = 45.0 * (2 * k - n) + s * 1.5 * frames
    return {"n": n, "k": k, "s": s, "time": (30 * n + frames) / 60, "free": free}


WALKS = all_walks(DEADLINE_STEPS - 1)
ON_SCREEN = np.abs(WALKS["free"]) < EDGE - 1


class TestLocate:
    @pytest.mark.parametrize("jitter", [0.0, -0.4, 0.4])
    def test_reads_every_walk_off_its_end(self, jitter):
        """All n, k and s of a trial, with the clock up to 0.4 frames off."""
        lattice = locate((WALKS["time"] + jitter * FRAME)[ON_SCREEN], WALKS["free"][ON_SCREEN])
        np.testing.assert_array_equal(lattice.completed, WALKS["n"][ON_SCREEN])
        np.testing.assert_array_equal(lattice.right, WALKS["k"][ON_SCREEN])
        np.testing.assert_array_equal(lattice.started, WALKS["s"][ON_SCREEN])
        np.testing.assert_allclose(np.abs(lattice.residual), 1.5 * abs(jitter), atol=1e-9)
        assert lattice.fits.all()
        assert not lattice.edge.any()

    @pytest.mark.parametrize("jitter", [0.0, -0.45, 0.45])
    def test_a_response_at_the_turn_of_a_step_counts_as_after_it(self, jitter):
        n, k = np.array([(n, k) for n in range(1, 10) for k in range(n + 1)]).T
        lattice = locate(0.5 * n + jitter * FRAME, 45.0 * (2 * k - n))
        np.testing.assert_array_equal(lattice.completed, n)
        np.testing.assert_array_equal(lattice.right, k)
        assert lattice.fits.all()

    @pytest.mark.parametrize("side", [-1, 1])
    def test_at_the_edge_the_walk_that_overshoots_least_is_taken(self, side):
        """Against every walk that is beyond the edge at the same time."""
        beyond = side * WALKS["free"] >= EDGE
        times = np.unique(WALKS["time"][beyond])
        assert times[0] == (9 * 30 + 10) / 60  # nothing is there sooner than the speed allows
        lattice = locate(times, np.full(times.size, side * EDGE))
        assert lattice.edge.all()
        assert lattice.fits.all()
        np.testing.assert_allclose(lattice.residual, 0, atol=1e-9)
        partial = 90 * (times - 0.5 * lattice.completed)
        free = 45 * (2 * lattice.right - lattice.completed) + lattice.started * partial
        least = [(side * WALKS["free"][beyond & (WALKS["time"] == time)]).min() for time in times]
        np.testing.assert_allclose(side * free, least, atol=1e-9)

    def test_the_edge_cannot_be_reached_early(self):
        lattice = locate(np.array([0.2, 2.0, 4.0]), np.full(3, EDGE))
        assert lattice.edge.all()
        assert not lattice.fits.any()

    def test_a_canoe_beside_the_lattice_does_not_fit(self):
        # After 2.25 s the canoe is at ±22.5, ±67.5, ... px.
        offset = np.array([0.0, 2.0, -2.0, TOLERANCE, -TOLERANCE, 2.3, -2.3, 10.0, -10.0, 22.0])
        lattice = locate(np.full(offset.size, 2.25), 67.5 + offset)
        np.testing.assert_allclose(lattice.residual, offset)
        np.testing.assert_array_equal(lattice.fits, np.abs(offset) <= TOLERANCE)


def lattice_of(completed, right, started=1) -> Lattice:
    completed, right = np.atleast_1d(completed), np.atleast_1d(right)
    return Lattice(
        completed,
        right,
        np.full(completed.shape, started),
        np.zeros(completed.shape),
        np.zeros(completed.shape, dtype=bool),
    )


SMALL = [(n, k) for n in range(1, 7) for k in range(n + 1)]


class TestDrawBridges:
    @pytest.mark.parametrize(("n", "k"), SMALL)
    def test_every_path_is_equally_likely(self, n, k):
        rng = np.random.default_rng([n, k])
        directions = draw_bridges(lattice_of(n, k, started=-1), 3000, rng)
        assert directions.shape == (3000, 1, n + 1)
        np.testing.assert_array_equal(directions[:, 0, n], -1)
        paths = [[1 if i in right else -1 for i in range(n)] for right in combinations(range(n), k)]
        drawn, counts = np.unique(directions[:, 0, :n], axis=0, return_counts=True)
        assert sorted(drawn.tolist()) == sorted(paths)
        assert counts.size == 1 or chisquare(counts).pvalue > 1e-5

    def test_draws_and_trials_are_independent(self):
        """Two draws of a trial, and two trials of a draw: all nine pairs of paths alike."""
        rng = np.random.default_rng(2)
        place = draw_bridges(lattice_of([3, 3], [1, 1]), 6000, rng)[:, :, :3].argmax(axis=2)
        for first, second in (
            (place[:3000, 0], place[3000:, 0]),
            (place[0:-1:2, 0], place[1::2, 0]),
            (place[:, 0], place[:, 1]),
        ):
            assert chisquare(np.bincount(3 * first + second, minlength=9)).pvalue > 1e-4

    def test_bridges_are_where_the_real_canoe_was(self):
        """The true path of a simulated trial has the same law as the bridges to its end."""
        rng = np.random.default_rng(5)
        # Everybody responds at 4.25 s, whatever P0 is, so there is nothing to condition on but
        # the end: 8 steps, and the mean position after 4 of them is half of that after 8.
        trials = simulate(lambda t, x: np.where(t < 4.24, 0.0, 1.0) + 0 * x, HARD, 4000, rng)
        lattice = locate(trials.decision_time, trials.position)
        halfway = positions_at(draw_bridges(lattice, 1, rng), np.full((1, 4000), 2.0))[0]
        real = trials.paths[:, 120]
        for right in range(2, 7):
            ours, theirs = halfway[lattice.right == right], real[lattice.right == right]
            assert ours.size > 300
            # Hypergeometric: 4 out of 8 steps, `right` of which go right.
            mean = 45 * (right - 4)
            sd = 90 * np.sqrt(4 * (right / 8) * (1 - right / 8) * 4 / 7)
            for values in (ours, theirs):
                assert abs(values.mean() - mean) < 4.5 * sd / np.sqrt(values.size)
                assert abs(values.std() / sd - 1) < 4.5 / np.sqrt(values.size)


class TestPositionsAt:
    def test_agrees_with_the_walk_frame_by_frame(self):
        rng = np.random.default_rng(1)
        directions = rng.choice((-1, 1), size=(40, DEADLINE_STEPS))
        # Some go straight to the edge, wait there and come back.
        directions[:10, :14] = np.where(np.arange(10)[:, None] % 2, 1, -1)
        walks = free_walk(directions)
        assert (np.abs(walks) == EDGE).any()
        for frame in range(DEADLINE_FRAMES + 1):
            positions = positions_at(directions, np.full(40, frame * FRAME))
            np.testing.assert_allclose(positions, walks[:, frame], atol=1e-6)


def test_frames_before_a_response():
    times = np.array([1e-6, 0.2, 0.6, 1.0, 1.4, 1.6, 75.0, 74.6, 75.4]) * FRAME
    np.testing.assert_array_equal(frames_before(times), [1, 1, 1, 1, 1, 2, 75, 75, 75])
