"""Recovery: subjects simulated from fits, and fitted again."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.stopping.brief import compare_briefly
from fuzzybounds.core.dictionary import TABLES

from .conftest import simulated_trials

MODELS = ("within_exponential", "graded_tuned_3")


DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.55]})


@pytest.fixture
def compared(subject):
    """Compare models on two simulated subjects; their conditions may be told or not."""
    first, points = subject
    second = simulated_trials(seed=6).assign(subject="S02", trial=np.arange(120) + 121)
    trials = pd.concat([first, second], ignore_index=True)
    samples = pd.concat([points, points.assign(subject="S02", trial=points["trial"] + 120)])

    def compare(models, *, cued):
        own = trials if cued else trials.assign(condition=np.resize(["easy", "hard"], len(trials)))
        return compare_briefly(
            own, samples, DESIGN, cued=cued, models=models, recovery_subjects=2, seed=1,
            dataset="tests", bin_width=0.1, delays=(0.0, 0.2), fold_number=2,
        )  # fmt: skip

    return compare


def test_a_brief_comparison_comes_with_its_power(compared):
    found = compared(MODELS, cued=True)
    assert TABLES["stopping_brief"].problems(found.brief) == []
    assert TABLES["stopping_brief_power"].problems(found.power) == []
    own = found.power[found.power["question"] == "kind"]
    assert (own.groupby("true_answer").size() == 4).all()
    assert set(own["true_answer"]) == {"boundary", "rules"}
    assert set(own["simulated"]) == {2}


def test_without_cues_two_boundaries_are_compared_too(compared):
    names = (*MODELS, "inferred_exponential", "graded_tuned_inferred_3")
    found = compared(names, cued=False)
    kinds = found.brief[found.brief["question"] == "kind, noise within trials"]
    assert set(kinds["models"]) == {2}
    asked = found.brief[found.brief["question"] == "conditions"]
    assert sorted(asked["answer"].unique()) == ["one boundary", "two, by belief"]
    # One truth of each kind is simulated, whatever the number of families.
    own = found.power[found.power["question"] == "kind"]
    assert own.groupby("true_answer")["true_model"].nunique().to_dict() == {
        "boundary": 1,
        "rules": 1,
    }
