import numpy as np
import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.paper.boundaries.models import UNCUED
from fuzzybounds.paper.boundaries.trials import trials_of


def rows(**changes):
    table = {
        "rt": [1.5, np.nan, 0.5],
        "total": [5.55, 7.05, 4.55],
        "reward": [20, -20, -1],
        "condition": ["easy", "easy", "hard"],
        "correct": [True, False, False],
        "position": [-45.0, 10.5, 45.0],
        "responded": [True, False, True],
    }
    return {name: np.array(changes.get(name, column)) for name, column in table.items()}


def test_a_missed_deadline_took_its_fifteen_seconds():
    trials = trials_of(rows())
    # 15 s + 4.05 s + the penalty of 3 s.
    np.testing.assert_allclose(trials.total, [5.55, 22.05, 4.55])
    np.testing.assert_allclose(trials.time, [1.5, 15.0, 0.5])
    np.testing.assert_array_equal(trials_of(rows(), boundary_time="total").time, trials.total)


@pytest.mark.parametrize("conditions", [("easy", "hard"), UNCUED])
def test_window_means_are_over_the_last_trials_of_the_condition(table, conditions):
    trials = trials_of(table, conditions)
    for k in (0, 1, 17, 60, 89):
        part = [j for j in range(k + 1) if trials.condition[j] == trials.condition[k]]
        for w in (1, 2, 7, 50):
            last = part[-w:]
            assert trials.accuracy[k, w - 1] == pytest.approx(trials.correct[last].mean())
            assert trials.duration[k, w - 1] == pytest.approx(trials.total[last].mean())


def test_what_cannot_be_used_is_named():
    with pytest.raises(InputError, match="unknown conditions \\['medium'\\]"):
        trials_of(rows(condition=["easy", "medium", "hard"]))
    with pytest.raises(InputError, match="0 trials"):
        trials_of({name: column[:0] for name, column in rows().items()})
    with pytest.raises(ValueError, match="boundary_time is 'response'"):
        trials_of(rows(), boundary_time="response")
