"""No model may fit worse than one that it contains."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.boundary import at_remaining
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits, model_of
from fuzzybounds.paper.boundaries.models import BOUNDARY_TIMES, CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.nesting import at_other_time, contained, embed
from fuzzybounds.paper.boundaries.recursion import nll
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.simulate import generate
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import some_parameters

BOTH = (False, True)
EVERY = (*all_models(stable=BOTH), *all_models(UNCUED, BOTH))
TOLERANCE = 0.01
SHORT = Budget(restarts=2, members=6, generations=4, patience=2)


def identify(model: Model) -> str:
    return f"{model.name}{'-stable' * model.stable}-{len(model.conditions)}"


@pytest.mark.parametrize("model", EVERY, ids=identify)
def test_an_embedded_model_does_the_same(model, table):
    trials = trials_of(table, model.conditions)
    rng = generator(1, "embed", model.name)
    for inner in contained(model):
        theta = some_parameters(inner, rng)
        if inner.learning == "rl":
            theta[inner.part_names == "alpha_m"] = 1e-4
        # Where ψ may lie, and m in every class.
        theta[inner.part_names == "m"] = rng.uniform(120, 200)
        result = nll(model, embed(inner, theta, model), trials)
        # λ and φ end at 20: at 15 s exp(-(t/λ)^φ) is 0.997, not 1.
        near = model.shape != inner.shape and not model.shifts and model.learning != "none"
        expected = nll(inner, theta, trials)
        assert result == pytest.approx(expected, abs=2.0 if near else 1e-6)


@pytest.mark.parametrize("learning", ["window", "rl"])
def test_a_boundary_that_changes_before_every_response_is_constant(table, learning):
    trials = trials_of({**table, "rt": table["rt"] + 0.2}, UNCUED)
    inner, model = (Model(shape, learning, UNCUED) for shape in ("constant", "weibull"))
    moves = {"const": 0.1, "alpha_1": 0.2, "alpha_2": -0.02, "alpha_m": 1e-4, "kappa": 0.5}
    values = {"m": 140.0, "sigma": 30.0, "alpha_s": 0.05, "w_r": 3.0, "w_t": 5.0, **moves}
    theta = np.array([values[name] for name in inner.names])
    there = embed(inner, theta, model, early=True)
    np.testing.assert_allclose(nll(model, there, trials), nll(inner, theta, trials), rtol=1e-9)


def test_a_constant_boundary_starts_halfway_through_the_change_of_another():
    theta = np.array([180.0, -20.0, 2.0, 3.0, 20.0])
    start = embed(Model("weibull", "none", UNCUED), theta, Model("constant", "none", UNCUED))
    np.testing.assert_allclose(start, [at_remaining(180.0, -20.0, 0.5), 20.0])


def test_a_boundary_moves_with_the_time_axis():
    model = Model("weibull", "none", UNCUED)
    theta = np.array([180.0, -20.0, 2.0, 3.0, 20.0])
    there = at_other_time(model, theta, "total")
    np.testing.assert_allclose(there, [180.0, -20.0, 6.05, 9.075, 20.0])
    np.testing.assert_allclose(at_other_time(model, there, "decision"), theta)


def violations(fits: pd.DataFrame, trials: pd.DataFrame) -> list[str]:
    """Fits that are worse than at the place of a model that they contain."""
    lines = []
    tables = dict(tuple(trials.groupby("subject", sort=False)))
    for (subject, time), part in fits.groupby(["subject", "boundary_time"]):
        result = {}
        for _, row in part.iterrows():
            model, theta = model_of(row)
            result[model] = (theta, row["nll"])
        for model, (_, value) in result.items():
            prepared = trials_of(tables[subject], model.conditions, time)
            for inner in contained(model):
                if inner not in result:
                    continue
                there = nll(model, embed(inner, result[inner][0], model), prepared)
                if value > there + TOLERANCE:
                    lines.append(f"{subject}, {time}: {model.name} {value} above {there}")
    return lines


@pytest.mark.parametrize("conditions", [CUED, UNCUED], ids=["cued", "uncued"])
def test_no_fit_of_a_simulated_subject_is_worse_than_what_it_contains(conditions):
    truth = Model("constant", "none", conditions)
    theta = np.array([130.0, 30.0] * len(conditions))
    rng = generator(2, "nested", *conditions)
    made = generate(truth, theta, rng.choice(["easy", "hard"], size=80).tolist(), rng)
    table = pd.DataFrame(made).assign(subject="s1")
    by_time = {time: trials_of(table, conditions, time) for time in BOUNDARY_TIMES}
    fits = fit_models(all_models(conditions, BOTH), by_time, 1, "s1", budget=SHORT)
    result = model_fits(("s1", time, fit) for time, fit in fits)
    assert violations(result, table) == []


@pytest.mark.parametrize("dataset", ["experiment_a", "experiment_b", "simulated"])
def test_no_fit_of_the_results_is_worse_than_what_it_contains(project_root, dataset):
    folder = project_root / "results" / dataset
    if not (folder / "model_fits.parquet").exists():
        pytest.skip(f"no fits of {dataset} in this folder; fuzzybounds run {dataset}")
    fits, trials = (pd.read_parquet(folder / f"{x}.parquet") for x in ("model_fits", "trials"))
    assert violations(fits, trials) == []
