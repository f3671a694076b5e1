"""Comparison of stopping models by what was left out."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.analysis.stopping_comparison import QUESTIONS, compare, compared, pooled
from fuzzybounds.analysis.stopping_sensitivity import tabulate_sensitivity
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.storage.registry import TABLES


def fits(values, scheme="interleaved"):
    """Fits of two folds from a table of elpd: subjects by models."""
    rows = [
        {
            "subject": f"S{subject}",
            "condition": "easy",
            "model": model,
            "family": CATALOGUE[model].family,
            "scheme": scheme,
            "fold": fold,
            "k": 3,
            "log_density_left_out": value / 2,
            "searches": 2,
            "searches_agree": 2,
            "converged": True,
        }
        for model, column in values.items()
        for subject, value in enumerate(column)
        for fold in (1, 2)
    ]
    return pd.DataFrame(rows)


VALUES = {
    "within_linear": [-10.0, -12.0, -9.0, -11.0],
    "graded_3": [-11.0, -11.5, -12.0, -14.0],
    "logistic": [-20.0, -22.0, -25.0, -21.0],
}


def test_differences_are_paired_within_subjects():
    table = compare(fits(VALUES)).comparison.set_index("model")
    assert table.index[0] == "within_linear"
    assert table["elpd"]["within_linear"] == -42.0
    assert table["elpd_difference"]["graded_3"] == pytest.approx(-6.5)
    paired = np.array([-1.0, 0.5, -3.0, -3.0])
    assert table["se"]["graded_3"] == pytest.approx(2 * paired.std(ddof=1))
    half = 3.182446305284263 * table["se"]["graded_3"]  # t with 3 degrees of freedom
    assert table["high"]["graded_3"] == pytest.approx(-6.5 + half)
    assert table["n_best"].tolist() == [3, 1, 0]
    assert table["frequency"].sum() == pytest.approx(1.0)
    assert (
        TABLES["stopping_comparison"].problems(
            table.reset_index()[TABLES["stopping_comparison"].names]
        )
        == []
    )


def test_a_subject_without_all_models_is_left_out():
    some = fits(VALUES)
    some = some[~((some["subject"] == "S1") & (some["model"] == "logistic"))]
    assert set(compare(some).comparison["subjects"]) == {3}


def test_pooling_is_the_mean_density_and_rewards_no_copies():
    elpd = pd.DataFrame({"a": [-1.0, -2.0], "b": [-1.0, -2.0], "c": [-3.0, -1.0]})
    table = pooled(elpd, {"two": ["a", "b"], "one": ["c"], "none": ["d"]})
    assert table["two"].tolist() == pytest.approx([-1.0, -2.0])
    assert list(table) == ["two", "one"]


def test_every_model_of_a_question_is_in_the_catalogue():
    named = {
        name for answers in QUESTIONS.values() for models in answers.values() for name in models
    }
    assert named <= set(CATALOGUE)
    everything = {name for models in QUESTIONS["kind"].values() for name in models}
    assert everything == set(CATALOGUE)


def test_one_subject_has_no_standard_error():
    assert compared(pd.DataFrame({"a": [-1.0], "b": [-2.0]}))["se"].isna().all()


def test_no_fits_give_empty_tables():
    empty = compare(TABLES["stopping_fits"].empty())
    assert empty.comparison.empty
    assert list(empty.questions) == TABLES["stopping_questions"].names


def test_sensitivity_says_how_the_order_changes():
    rows = []
    for setting, values in {"default": (-1, -2, -3), "delay of 0.1 s": (-3, -2, -1)}.items():
        for model, value in zip(("within_linear", "graded_3", "logistic"), values, strict=True):
            rows.append(
                {
                    "setting": setting,
                    "subject": "S1",
                    "condition": "easy",
                    "model": model,
                    "family": CATALOGUE[model].family,
                    "log_density_left_out": float(value),
                }
            )
    table = tabulate_sensitivity([pd.DataFrame(rows)])
    other = table[table["setting"] == "delay of 0.1 s"].set_index("model")
    assert other["rank"].to_dict() == {"within_linear": 3, "graded_3": 2, "logistic": 1}
    assert other["rank_correlation"].iloc[0] == pytest.approx(-1.0)
