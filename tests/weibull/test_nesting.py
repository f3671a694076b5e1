"""No model may fit worse than one that it contains."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import (
    BOUNDARY_TIMES,
    CUED,
    UNCUED,
    Model,
    all_models,
    stable_models,
)
from fuzzybounds.weibull.nesting import (
    at_other_time,
    contained,
    embed,
    fits_in,
    is_nested,
    siblings,
)
from fuzzybounds.weibull.recursion import nll
from fuzzybounds.weibull.results import model_of
from fuzzybounds.weibull.search import Budget
from fuzzybounds.weibull.simulate import generate
from fuzzybounds.weibull.trials import trials_of

from .conftest import some_parameters

EVERY = (*all_models(), *stable_models(), *all_models(UNCUED), *stable_models(UNCUED))
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
        found = nll(model, embed(inner, theta, model), trials)
        # λ and φ end at 20: at 15 s exp(-(t/λ)^φ) is 0.997, not 1.
        near = model.shape != inner.shape and model.learning in ("window", "rl")
        expected = nll(inner, theta, trials)
        assert found == pytest.approx(expected, abs=2.0 if near else 1e-6)


@pytest.mark.parametrize("learning", ["window", "rl"])
def test_a_change_before_every_response_does_the_same(learning, table):
    inner, model = Model("constant", learning), Model("weibull", learning)
    late = {**table, "rt": np.maximum(table["rt"], 0.15)}
    trials = trials_of(late, CUED)
    theta = some_parameters(inner, generator(4, "early", learning))
    theta[inner.part_names == "m"] = 150.0
    theta[inner.rates] *= 0.01
    found = nll(model, embed(inner, theta, model, early=True), trials)
    assert found == pytest.approx(nll(inner, theta, trials), abs=1e-6)


def test_what_contains_what():
    names = [(inner.name, inner.stable) for inner in contained(Model("weibull", "rl"))]
    assert names == [("weibull-rl", True), ("weibull-none", False), ("constant-rl", False)]
    assert contained(Model("constant", "none")) == ()
    assert siblings(Model("constant", "none")) == ()
    others = {model.learning for model in siblings(Model("weibull", "window"))}
    assert others == {"utility", "accuracy", "rl"}


def test_only_the_two_forms_of_free_rl_are_not_nested():
    pairs = [(inner, model) for model in EVERY for inner in contained(model)]
    others = {(inner.name, model.name) for inner, model in pairs if not is_nested(inner, model)}
    assert others == {("constant-rl", "weibull-rl")}
    stable = Model("weibull", "rl", stable=True)
    assert all(is_nested(inner, stable) for inner in contained(stable))


@pytest.mark.parametrize("learning", ["window", "rl"])
def test_late_decisions_are_off_by_less_than_a_quarter_of_a_pixel(learning):
    # The farthest that a level can be from 2 ψ', at the deadline.
    inner, model = Model("constant", learning, UNCUED), Model("weibull", learning, UNCUED)
    theta = np.where(inner.rates, 0.0, (inner.lower + inner.upper) / 2)
    place = dict(zip(model.names, embed(inner, theta, model), strict=True))
    gone = 1 - np.exp(-((15.0 / place["lam"]) ** place["phi"]))
    assert 0.2 < gone * (300 - 2 * place["psi_prime"]) / 2 < 0.24


def test_bounds_may_forbid_the_exact_place():
    inner, model = Model("constant", "none", UNCUED), Model("weibull", "none", UNCUED)
    assert not fits_in(inner, np.array([4.0, 20.0]), model)
    assert fits_in(inner, np.array([40.0, 20.0]), model)
    assert embed(inner, np.array([4.0, 20.0]), model)[0] == 10.0
    wide = Model("constant", "utility", UNCUED)
    assert embed(inner, np.array([4.0, 20.0]), wide)[0] == 20.0


def test_a_boundary_moves_with_the_time_axis():
    model = Model("weibull", "none", UNCUED)
    theta = np.array([180.0, -20.0, 2.0, 3.0, 20.0])
    there = at_other_time(model, theta, "total")
    np.testing.assert_allclose(there, [180.0, -20.0, 6.05, 9.075, 20.0])
    np.testing.assert_allclose(at_other_time(model, there, "decision"), theta)


def violations(fits: pd.DataFrame, trials: pd.DataFrame) -> list[str]:
    """Fits that are worse than a model that they contain.

    Nested models are compared by their likelihoods.  Where bounds forbid the contained model's
    place, and where it is not nested, the likelihood that counts is that of the nearest place.
    """
    lines = []
    tables = dict(tuple(trials.groupby("subject", sort=False)))
    for (subject, time), own in fits.groupby(["subject", "boundary_time"]):
        found = {}
        for _, row in own.iterrows():
            model, theta = model_of(row)
            found[model] = (theta, row["nll"])
        for model, (_, value) in found.items():
            prepared = trials_of(tables[subject], model.conditions, time)
            for inner in contained(model):
                if inner not in found:
                    continue
                theta, there = found[inner]
                if not (is_nested(inner, model) and fits_in(inner, theta, model)):
                    there = nll(model, embed(inner, theta, model), prepared)
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
    models = all_models(conditions) + stable_models(conditions)
    fits = fit_subject(table, models, 1, "s1", boundary_times=BOUNDARY_TIMES, budget=SHORT)
    found = {(time, fit.model): fit for time, fit in fits}
    for (time, model), fit in found.items():
        trials = trials_of(table, conditions, time)
        for inner in contained(model):
            there = nll(model, embed(inner, found[time, inner].parameters, model), trials)
            assert fit.nll <= there + TOLERANCE, (time, model.name, inner.name)
        # Nothing in a constant boundary depends on the time axis.
        if model.shape == "constant":
            assert fit.nll == found["decision", model].nll


@pytest.mark.parametrize("dataset", ["experiment_a", "experiment_b", "simulated"])
def test_no_fit_of_the_results_is_worse_than_what_it_contains(project_root, dataset):
    folder = project_root / "results" / dataset
    if not (folder / "model_fits.parquet").exists():
        pytest.skip(f"no fits of {dataset} in this folder; make figures DATASET={dataset}")
    fits, trials = (pd.read_parquet(folder / f"{x}.parquet") for x in ("model_fits", "trials"))
    assert violations(fits, trials) == []


def test_a_violation_is_noticed():
    truth = Model("constant", "none", UNCUED)
    rng = generator(3, "violation")
    made = generate(truth, np.array([130.0, 30.0]), ["easy"] * 40, rng)
    table = pd.DataFrame(made).assign(subject="s1")
    pairs = product(("constant", "weibull"), ("none",))
    rows = []
    for shape, learning in pairs:
        model = Model(shape, learning, UNCUED)
        theta = {"m": 130.0, "psi": 200.0, "psi_prime": 0.0, "lam": 2.0, "phi": 2.0, "sigma": 30.0}
        theta = {name: theta[name] for name in model.names}
        value = nll(model, np.array(list(theta.values())), trials_of(table, UNCUED))
        row = {"subject": "s1", "boundary_time": "decision", "shape": shape, "learning": learning}
        rows.append({**row, "cued": False, "stable": False, "nll": value, **theta})
    assert len(violations(pd.DataFrame(rows), table)) == 1
