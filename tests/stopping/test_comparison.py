"""Comparison of stopping models by what was left out."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.stopping.answers import CHOSEN, KIND, KIND_DIRECTED
from fuzzybounds.stopping.brief import add_without
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.comparison import QUESTIONS, compare, pooled


def fits(values, scheme="interleaved", delay="none"):
    """Fits of two folds from a table of elpd: subjects by models."""
    rows = [
        {
            **{"subject": f"S{subject}", "condition": "easy", "scheme": scheme, "delay": delay},
            **{"model": model, "family": CATALOGUE[model].family, "fold": fold, "k": 3},
            **{"log_likelihood": 4 * value, "log_density_left_out": value / 2},
            "converged": True,
        }
        for model, column in values.items()
        for subject, value in enumerate(column)
        for fold in (1, 2)
    ]
    return pd.DataFrame(rows)


VALUES = {
    "within_exponential": [-10.0, -12.0, -9.0, -11.0],
    "graded_3": [-11.0, -11.5, -12.0, -14.0],
    "quadratic": [-20.0, -22.0, -25.0, -21.0],
}


def test_differences_are_paired_within_subjects():
    table = compare(fits(VALUES)).comparison.set_index("model")
    assert table.index[0] == "within_exponential"
    assert table["elpd"]["within_exponential"] == -42.0
    assert table["elpd_difference"]["graded_3"] == pytest.approx(-6.5)
    paired = np.array([-1.0, 0.5, -3.0, -3.0])
    assert table["se"]["graded_3"] == pytest.approx(2 * paired.std(ddof=1))
    half = 3.182446305284263 * table["se"]["graded_3"]  # t with 3 degrees of freedom
    assert table["high"]["graded_3"] == pytest.approx(-6.5 + half)
    assert table["n_best"].tolist() == [3, 1, 0]
    assert table["frequency"].sum() == pytest.approx(1.0)
    assert set(table.reset_index()) == set(TABLES["stopping_comparison"].names)


def test_a_subject_without_all_models_is_left_out():
    some = fits(VALUES)
    some = some[~((some["subject"] == "S1") & (some["model"] == "quadratic"))]
    assert set(compare(some).comparison["subjects"]) == {3}


def test_pooling_is_the_mean_density_and_rewards_no_copies():
    elpd = pd.DataFrame({"a": [-1.0, -2.0], "b": [-1.0, -2.0], "c": [-3.0, -1.0]})
    table = pooled(elpd, {"two": ["a", "b"], "one": ["c"], "none": ["d"]})
    assert table["two"].tolist() == pytest.approx([-1.0, -2.0])
    assert list(table) == ["two", "one"]


@pytest.mark.parametrize("question", [KIND, KIND_DIRECTED])
def test_kinds_are_compared_with_equal_numbers_of_models(question, project_root):
    """In all models, and in the brief list of every run."""
    brief = read_yaml(project_root / "config.yaml")["stopping"]["brief"]
    for names in (CATALOGUE, brief):
        models = [
            [name for name in answer if name in names] for answer in QUESTIONS[question].values()
        ]
        assert len(models[0]) == len(models[1]) > 0


def test_models_are_placed_between_the_floor_and_the_ceiling():
    values = {**VALUES, "within_constant": [-40.0] * 4, "surface_directed": [-8.0] * 4}
    way = compare(fits(values)).comparison.set_index("model")["way_to_ceiling"]
    assert (way["within_constant"], way["surface_directed"]) == (0.0, 1.0)
    assert way["within_exponential"] == pytest.approx((160 - 42) / (160 - 32))
    assert np.isnan(compare(fits(VALUES)).comparison["way_to_ceiling"]).all()


def test_one_model_is_chosen_by_its_training_trials_alone():
    """The model with the better training trials is chosen, although it predicts worse."""
    models = {"within_exponential": -10.0, "within_weibull": -8.0, "graded_3": -9.0}
    fitted = fits({name: [value] * 3 for name, value in models.items()})
    fitted.loc[fitted["model"] == "within_weibull", "log_likelihood"] = -1000.0
    table = compare(fitted).questions
    chosen = table[table["question"] == CHOSEN].set_index("answer")
    assert chosen["elpd"].to_dict() == {"rules": -27.0, "boundary": -30.0}


def test_a_delay_is_compared_with_none():
    delayed = {model: [value + 2 for value in column] for model, column in VALUES.items()}
    table = compare(pd.concat([fits(VALUES), fits(delayed, delay="fitted")])).questions
    asked = table[table["question"] == "delay"].set_index("answer")
    assert set(asked["delay"]) == {"either"}
    assert asked["elpd_difference"].to_dict() == pytest.approx({"fitted": 0.0, "none": -8.0})
    # A single delay has nothing to be compared with; nor has any where no subject has both.
    nobody = pd.concat([fits(VALUES), fits(delayed, delay="fitted").assign(subject="S9")])
    for table in (fits(VALUES), nobody):
        assert not compare(table).questions["question"].str.startswith("delay").any()
    only = {"within_exponential": VALUES["within_exponential"]}
    assert compare(fits(only)).questions.empty


def test_the_comparison_is_repeated_without_some_subjects():
    everyone = fits(VALUES)
    questions = compare(everyone).questions
    table = add_without(questions, everyone, ["S3"])
    assert list(table)[: len(questions.columns)] == list(questions)
    assert set(table["without"]) == {"S3"}
    rules = table[(table["question"] == KIND) & (table["answer"] == "rules")]
    # Of the three others the leads of the boundary are 1, -0.5 and 3.
    assert rules["elpd_difference"].iloc[0] == pytest.approx(-6.5)
    assert rules["elpd_difference_without"].iloc[0] == pytest.approx(-3.5)
    for nobody in ([], ["S0", "S1"], ["S9"]):
        none = add_without(questions, everyone, nobody)
        assert (none["without"] == "").all()
        assert none["se_without"].isna().all()
