from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import EASY, HARD, Condition, simulate_trials
from fuzzybounds.logs.design_check import (
    _rates,
    check_design,
    drawn_steps,
    summarise_cohort,
    wald_p0,
)
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.validation import validate


def stopped_walks(p0, boundary, longest, size, rng):
    """Walks of whole steps up to a boundary: steps, net steps to the right, heading.

    A walk that has not reached the boundary after `longest` steps has an unknown heading.
    """
    heading = rng.choice((-1, 1), size=size)
    toward = np.where(rng.random((*size, longest)) < p0, 1, -1)
    walks = np.cumsum(toward * heading[..., None], axis=-1)
    reached = np.abs(walks) >= boundary
    steps = np.where(reached.any(axis=-1), reached.argmax(axis=-1) + 1, longest)
    net = np.take_along_axis(walks, steps[..., None] - 1, axis=-1)[..., 0]
    return steps, net, np.where(reached.any(axis=-1), heading, 0)


class TestWaldP0:
    def test_by_hand(self):
        # 9 steps, of which 3 + 1 - 1 net toward the heading: (1 + 3/9) / 2.
        p0, low, high = wald_p0([5, 3, 1], [3, -1, -1], [1, -1, 1])
        assert p0 == pytest.approx(2 / 3)
        assert high - p0 == pytest.approx(p0 - low)
        assert high - p0 == pytest.approx(1.96 * np.sqrt(2 / 9 / 9), rel=1e-4)

    @pytest.mark.parametrize("p0", [0.51, 0.65])
    @pytest.mark.parametrize(("boundary", "longest"), [(1, 40), (3, 40), (3, 8)])
    def test_unbiased_wherever_the_walk_is_stopped(self, p0, boundary, longest):
        rng = np.random.default_rng([boundary, round(100 * p0)])
        steps, net, heading = stopped_walks(p0, boundary, longest, (20_000,), rng)
        estimate, low, high = wald_p0(steps, net, heading)
        error = (high - low) / 2 / 1.96
        assert abs(estimate - p0) < 4.5 * error
        assert error < 0.004
        if longest == 8 and p0 > 0.6:
            # Leaving out the walks that nobody stopped selects the others.
            known = heading != 0
            assert 0.1 < (~known).mean() < 0.5
            selected, *_ = wald_p0(steps[known], net[known], heading[known])
            assert selected - p0 > 8 * error

    def test_unknown_headings_solve_their_equation(self):
        rng = np.random.default_rng(3)
        steps, net, heading = stopped_walks(0.7, 2, 5, (400,), rng)
        estimate, *_ = wald_p0(steps, net, heading)
        odds = estimate / (1 - estimate)
        unknown = np.abs(net[heading == 0])
        # Bayes: a walk at |S| is on the side of its heading with odds (p / q)^|S|.
        right = odds**unknown / (1 + odds**unknown)
        expected = (net * heading).sum() + (unknown * (2 * right - 1)).sum()
        assert estimate == pytest.approx((1 + expected / steps.sum()) / 2, abs=1e-9)

    @pytest.mark.filterwarnings("error")
    def test_without_steps_there_is_no_estimate(self):
        assert np.isnan(wald_p0([], [], [])).all()
        assert np.isnan(wald_p0([0, 0], [0, 0], [1, 0])).all()


def log_of(simulated, condition: Condition) -> pd.DataFrame:
    """Simulated trials as a table of trials."""
    return pd.DataFrame(
        {
            "rt": np.where(simulated.responded, simulated.decision_time.round(5), np.nan),
            "position": simulated.position,
            "responded": simulated.responded,
            "correct": simulated.correct,
            "condition": condition.name,
        }
    )


class TestDrawnSteps:
    def test_by_hand(self):
        trials = pd.DataFrame(
            [
                # rt, position, responded, correct
                (1.25, 67.5, True, True),  # right, right, and half a step left
                (1.25, 67.5, True, False),  # the same, but the heading was left
                (1.0, -90.0, True, True),  # left, left, and the next step not yet shown
                (0.993, -90.0, True, True),  # the same, by a slow clock
                (0.01667, -1.5, True, True),  # one frame to the left
                (1.0, 0.0, True, True),  # at the centre: who can say
                (np.nan, 88.5, False, False),  # missed
                (1.25, 75.0, True, True),  # off the lattice
            ],
            columns=["rt", "position", "responded", "correct"],
        ).assign(condition="easy")
        steps = drawn_steps(trials)
        assert steps.index.tolist() == [0, 1, 2, 3, 4, 5, 6]
        assert steps["completed"].tolist() == [2, 2, 2, 2, 0, 2, 29]
        assert steps["net_completed"].tolist()[:6] == [2, 2, -2, -2, 0, 0]
        assert steps["drawn"].tolist() == [3, 3, 2, 2, 1, 2, 30]
        assert steps["net_drawn"].tolist() == [1, 1, -2, -2, -1, 0, 2]
        assert steps["heading"].tolist() == [1, -1, -1, -1, -1, 0, 0]

    @pytest.mark.parametrize(("time", "drawn"), [(1.005, 2), (1.011, 3)])
    def test_a_step_is_drawn_when_it_can_be_seen(self, time, drawn):
        """Half a frame after it began."""
        position = 90 + 90 * (time - 1)
        rows = {"rt": [time], "position": [position], "responded": True, "correct": True}
        assert drawn_steps(pd.DataFrame({**rows, "condition": "easy"}))["drawn"].tolist() == [drawn]

    @pytest.mark.parametrize("condition", [EASY, HARD])
    @pytest.mark.parametrize("boundary", [60.0, 90.0, 127.5])
    def test_simulated_trials_have_their_p0(self, condition, boundary):
        """Through times and positions alone, with boundaries within steps and between them."""
        rng = np.random.default_rng(round(boundary))
        simulated = simulate_trials(
            lambda time, distance: (distance >= boundary) * 1.0, condition, 3000, rng
        )
        steps = drawn_steps(log_of(simulated, condition))
        assert len(steps) == 3000
        p0, low, high = wald_p0(steps["drawn"], steps["net_drawn"], steps["heading"])
        assert abs(p0 - condition.p0) < 4 * (high - low) / 2 / 1.96
        assert high - low < 0.03


@pytest.fixture
def small(tidy_log, trial_row):
    """Two subjects: a of two blocks in two sessions, b of one block."""
    rows = [
        "a 1 1 1 1.25 5.3 20 easy 1 67.5",
        "a 1 1 2 1 8.05 -20 easy 0 -90",
        "a 2 2 3 1.25 5.3 20 easy 1 75",
        "b 1 1 1 0 19.05 -1 hard 0 88.5",
        "b 1 1 2 0.25 4.3 1 hard 1 22.5",
    ]
    cells = [dict(zip(trial_row(), row.split(), strict=True)) for row in rows]
    return validate(read_logs([tidy_log(cells)]).raw).trials


def share(p: float, n: int, expected: float | None = None) -> tuple[float, ...]:
    """A share with its 95 % interval, which only that of P0 may leave [0, 1]."""
    error = 1.959964 * np.sqrt(p * (1 - p) / n)
    if expected is not None:
        return p, p - error, p + error, expected
    return p, max(p - error, 0), min(p + error, 1), np.nan


def number(value: float, expected: float = np.nan) -> tuple[float, ...]:
    return value, np.nan, np.nan, expected


def row_of(design, quantity, condition="", subject="") -> list[float]:
    named = design.set_index(["quantity", "condition", "subject"])
    return named.loc[(quantity, condition, subject)].to_list()


RATES = 20 / (5.3 + 8.05 + 5.3), 0 / (19.05 + 4.3)


class TestCheckDesign:
    @pytest.mark.parametrize(
        ("place", "expected"),
        [
            (("subjects",), number(2)),
            (("one_session_subjects",), number(1, 26)),
            (("blocks_per_subject",), (1.5, 1, 2, 40)),
            (("trials_per_block",), (2, 1, 2, np.nan)),
            (("block_duration_s",), (13.35, 5.3, 23.35, 60)),
            (("share_on_lattice",), share(0.75, 4)),
            # 3 steps, 1 net toward the right; 2 steps to the left with a heading to the right.
            (("p0", "easy"), share((1 + (1 - 2) / 5) / 2, 5, 0.65)),
            (("p0_completed_steps", "easy"), share(0.5, 4, 0.65)),
            # Easy: two responses in 3 + 2 steps.  Hard: one response in 1 step, 30 without any.
            (("responses_per_step", "easy"), share(2 / 5, 5)),
            (("responses_per_step", "hard"), share(1 / 31, 31)),
            (("reward_correct", "easy"), [20] * 4),
            (("reward_incorrect", "easy"), [-20] * 4),
            (("time_besides_decision_correct_s", "easy"), [4.05] * 4),
            (("time_besides_decision_incorrect_s", "easy"), [7.05] * 4),
            (("time_besides_decision_incorrect_s", "hard"), [4.05] * 4),
            (("reward_rate_coins_per_s",), (sum(RATES) / 2, *sorted(RATES), np.nan)),
        ],
    )
    def test_by_hand(self, small, place, expected):
        np.testing.assert_allclose(row_of(check_design(small), *place), expected, rtol=1e-6)


AT_ONE_S = {"rt": "1", "total": "5.05"}


class TestSummariseCohort:
    def test_by_hand(self, small):
        summary = summarise_cohort(small).set_index("quantity")
        # Only subject b had one session.
        assert summary.loc["hard: median reaction time", "q50"] == 0.25
        assert summary.loc["hard: median boundary", "q50"] == 22.5
        assert summary.loc["hard: share of responses before 0.5 s", "q50"] == 1
        assert summary.loc["trials per block", "q50"] == 2
        assert summary.loc["share of missed deadlines", "q50"] == 0.5
        assert summary.loc["trials per block", "subjects"] == 1
        assert summary.loc["easy: accuracy", "subjects"] == 0

    def test_correlation_with_the_boundary_before(self, tidy_log, trial_row):
        """By hand: pairs (90, 45), (45, 0), (0, 45), in the order of trials."""
        positions = ("90", "-45", "0", "45")
        rows = [
            trial_row(trial=str(n), position=position, **AT_ONE_S)
            for n, position in enumerate(positions, 1)
        ]
        trials = validate(read_logs([tidy_log(rows)]).raw).trials.sample(frac=1, random_state=1)
        summary = summarise_cohort(trials).set_index("quantity")
        row = summary.loc["easy: correlation of boundary with the one before"]
        expected = np.corrcoef([90, 45, 0], [45, 0, 45])[0, 1]
        assert row["q50"] == pytest.approx(expected)


def test_the_interval_of_a_reward_rate_covers_the_truth_as_often_as_it_says():
    """Trials pay +20 in 5 s with probability 0.8, else -20 in 8 s: 12 coins in 5.6 s."""
    rng = np.random.default_rng(4)
    correct = rng.random((300, 200)) < 0.8
    subject, _ = np.indices(correct.shape)
    trials = pd.DataFrame(
        {"subject": subject.ravel(), "reward": np.where(correct, 20, -20).ravel()}
    )
    trials["total"] = np.where(correct, 5.0, 8.0).ravel()
    _, *rows = _rates(trials)
    covers = [low <= 12 / 5.6 <= high for *_, low, high, _ in rows]
    assert len(rows) == 300
    assert np.mean(covers) == pytest.approx(0.95, abs=0.03)
