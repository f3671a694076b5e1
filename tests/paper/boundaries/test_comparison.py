import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.model_selection import select
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.boundaries.comparison import (
    boundaries,
    comparisons,
    model_selection,
    shape_evidence,
    variation,
)
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits, model_of
from fuzzybounds.paper.boundaries.models import BOUNDARY_TIMES, Model, all_models
from fuzzybounds.paper.boundaries.recursion import nll
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import made_up_table
from .plain import Learner

BRIEF = Budget(restarts=2, members=3, generations=1)
SUBJECTS = ("s1", "s2", "s3")
MODELS = len(all_models())


@pytest.fixture(scope="module")
def trials() -> pd.DataFrame:
    tables = []
    for i, subject in enumerate(SUBJECTS):
        table = pd.DataFrame(made_up_table(60, seed=10 + i))
        table.insert(0, "subject", subject)
        table["session"] = 1
        table["block"] = np.arange(60) // 10 + 1
        table["trial"] = np.arange(60) + 1
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


@pytest.fixture(scope="module")
def all_fits(trials) -> pd.DataFrame:
    """Ten models, and the stable ones of class rl."""
    rows = []
    for subject, part in trials.groupby("subject"):
        by_time = {time: trials_of(part, boundary_time=time) for time in BOUNDARY_TIMES}
        result = fit_models(all_models(stable=(False, True)), by_time, 1, subject, budget=BRIEF)
        rows += [(subject, time, fit) for time, fit in result]
    return model_fits(rows)


@pytest.fixture(scope="module")
def fits(all_fits) -> pd.DataFrame:
    return all_fits[all_fits["stable"] | (all_fits["learning"] != "rl")]


def row_of(fits, **values) -> pd.Series:
    chosen = fits
    for name, value in values.items():
        chosen = chosen[chosen[name] == value]
    assert len(chosen) == 1
    return chosen.iloc[0]


def test_a_row_gives_back_its_model_and_likelihood(fits, trials, tmp_path):
    fits.to_parquet(tmp_path / "fits.parquet")
    for _, row in pd.read_parquet(tmp_path / "fits.parquet").iterrows():
        model, theta = model_of(row)
        part = trials[trials["subject"] == row["subject"]]
        prepared = trials_of(part, model.conditions, row["boundary_time"])
        assert nll(model, theta, prepared) == pytest.approx(row["nll"], rel=1e-12)


def test_boundaries_after_the_blocks(fits, trials):
    table, _ = boundaries(fits, trials)
    assert len(table) == 3 * 2 * 2 * 2 * 151
    row = row_of(fits, subject="s2", boundary_time="total", shape="weibull", learning="rl")
    model, theta = model_of(row)
    prepared = trials_of(trials[trials["subject"] == "s2"], model.conditions, "total")
    for after, trial in (("first_block", 10), ("last_block", 60)):
        hard = model.conditions.index("hard")
        learner = Learner(model, theta)
        for k in range(trial):
            learner.learn_from(prepared, k)
        psi = learner.level[hard]
        shape = (row[f"{name}_hard"] for name in ("psi_prime", "lam", "phi"))
        expected = weibull(np.linspace(0, 15, 151) + 4.05, psi, *shape)
        here = (table["subject"] == "s2") & (table["boundary_time"] == "total")
        here &= (table["after"] == after) & (table["condition"] == "hard")
        np.testing.assert_allclose(table.loc[here, "boundary"], expected, rtol=1e-12)


@pytest.fixture
def one_fit(trials):
    """A fit whose parameters can be set by hand."""

    def make(**values):
        model = Model("weibull", "none")
        part = trials[trials["subject"] == "s1"]
        result = fit_models([model], {"decision": trials_of(part)}, 1, budget=BRIEF)
        fits = model_fits(("s1", *one) for one in result)
        for name, value in values.items():
            fits[[f"{name}_easy", f"{name}_hard"]] = float(value)
        return fits, part

    return make


@pytest.mark.parametrize(("sigma", "varies"), [(40, True), (60, False)])
def test_change_after_the_first_block_is_weighed_against_noise(one_fit, sigma, varies):
    # Falls from 150 to 150/2 + 25 = 100 px around 2 s.
    fits, part = one_fit(psi=150, psi_prime=25, lam=2, phi=5, sigma=sigma)
    _, table = boundaries(fits, part, learning="none")
    assert list(table["condition"]) == ["easy", "hard"]
    for _, row in table.iterrows():
        rt = part.loc[(part["condition"] == row["condition"]) & part["responded"], "rt"]
        assert row["earliest"] == pytest.approx(np.quantile(rt, 0.05))
        assert row["latest"] == pytest.approx(np.quantile(rt, 0.95))
        curve = weibull(np.array([row["earliest"], row["latest"]]), 150, 25, 2, 5)
        assert row["change"] == pytest.approx(curve[0] - curve[1], abs=1e-9)
        assert row["net_change"] == pytest.approx(curve[1] - curve[0], abs=1e-9)
        assert row["sigma"] == sigma
        assert row["varies"] == varies


def test_selection_compares_all_models_under_each_boundary_time(fits):
    table = model_selection(fits, "aic")
    assert len(table) == 2 * MODELS
    for time, part in table.groupby("boundary_time"):
        aic = fits[fits["boundary_time"] == time].pivot_table(
            "aic", "subject", ["learning", "shape"], sort=False
        )
        expected = select(-aic[list(zip(part["learning"], part["shape"], strict=True))] / 2)
        np.testing.assert_allclose(part["frequency"], expected.frequency)
        assert part["frequency"].sum() == pytest.approx(1)
        assert part["exceedance"].sum() == pytest.approx(1, abs=1e-6)
        assert part["protected_exceedance"].sum() == pytest.approx(1, abs=1e-6)
        best = aic.idxmin(axis=1).tolist()
        models = zip(part["learning"], part["shape"], strict=True)
        assert part["n_best"].tolist() == [best.count(model) for model in models]
    here = (fits["shape"] == "weibull") & (fits["learning"] == "window")
    row = row_of(table, shape="weibull", learning="window", boundary_time="total")
    assert row["bic"] == pytest.approx(
        fits.loc[here & (fits["boundary_time"] == "total"), "bic"].sum()
    )


def test_free_rl_is_compared_on_the_authors_time_axis_only(all_fits, fits):
    compared = [(stable, time, len(part)) for stable, time, part in comparisons(all_fits)]
    rows = 3 * MODELS
    assert compared == [(False, "total", rows), (True, "decision", rows), (True, "total", rows)]
    both = model_selection(all_fits)
    pd.testing.assert_frame_equal(
        both[both["stable"]].reset_index(drop=True), model_selection(fits)
    )
    free = row_of(both, stable=False, shape="weibull", learning="rl")
    of_free = all_fits[~all_fits["stable"] & (all_fits["learning"] == "rl")]
    assert free["nll"] == pytest.approx(of_free.loc[of_free["shape"] == "weibull", "nll"].sum())


def test_evidence_for_the_shape_within_each_class(fits):
    table = shape_evidence(fits)
    assert len(table) == 2 * MODELS
    row = row_of(table, boundary_time="decision", learning="rl", criterion="bic")
    here = (fits["boundary_time"] == "decision") & (fits["learning"] == "rl")
    scores = fits[here].set_index(["shape", "subject"])["bic"]
    difference = scores["constant"] - scores["weibull"]
    assert row["difference"] == pytest.approx(difference.sum())
    assert row["n_weibull"] == (difference > 0).sum()
    assert row["n_subjects"] == 3


def test_changes_are_counted_above_each_threshold():
    changes = pd.DataFrame({"change": [20.0, 20.5, 4.0, 90.0], "sigma": [10.0, 41.0, 40.0, 30.0]})
    counted = variation(changes.assign(boundary_time="total", stable=True, condition="easy"))
    counted = counted.set_index(["unit", "threshold"])
    assert counted.loc[("px", 20.0), "n_varying"] == 2  # a change of 20 px is not above 20 px
    assert counted.loc[("px", 5.0), "share"] == 0.75
    assert counted.loc[("noise", 0.5), "n_varying"] == 2
    assert counted.loc[("noise", 2.0), "n_varying"] == 1
