"""The public interface of the library: cheap to import, and the same model as the workflow's."""

from __future__ import annotations

import pickle
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzybounds
from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import FRAME, free_walk
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import write_json, write_parquet
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.paper.fuzzy.fitted import controllers
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.stopping.data import design_of, prepare
from fuzzybounds.stopping.fits import fit_stopping as fit_all
from fuzzybounds.stopping.lattice import Bins


@pytest.fixture(scope="module")
def data():
    return fuzzybounds.simulate_cohort(one_session=1, three_session=1, draws=3)


@pytest.fixture(scope="module")
def model(data):
    return fuzzybounds.fit(data, "S01", "first", n_labels=5)


def test_editors_see_the_same_names():
    stub = Path(fuzzybounds.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    pairs = re.findall(r"^from fuzzybounds\.([\w.]+) import (\w+) as \2$", stub, re.M)
    assert {name: module for module, name in pairs} == fuzzybounds._PUBLIC


def test_a_fit_is_that_of_the_workflow(data, fit_subjects):
    tables = fit_subjects(
        data.trials,
        pd.concat([data.samples(subject) for subject in data.subjects]),
        labels={"one_session": [5], "three_session": [3]},
        blocks=20,
        condition="easy",
        normalisation="subject",
    )
    rebuilt = controllers(tables)
    scales = tables.fits.query("draw == 2 and window == 'last'").set_index("subject")
    scales = scales[["time_range", "position_range"]]
    for subject, n_labels in (("S01", 5), ("T1", 3)):
        ours = fuzzybounds.fit(data, subject, "last", n_labels=n_labels, draw=2).controller_
        time, position = scales.loc[subject]
        theirs = rebuilt[(subject, "last", n_labels, 2)].scaled(time=time, position=position)
        np.testing.assert_array_equal(ours.rules.consequents, theirs.rules.consequents)
        np.testing.assert_allclose(ours.time.centers, theirs.time.centers, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(ours.position.widths, theirs.position.widths, rtol=1e-6)


def test_results_and_logs_give_the_same_data(data, tmp_path):
    results = tmp_path / "results/simulated"
    samples = pd.concat([data.samples(subject) for subject in data.subjects], ignore_index=True)
    for name, table in (("trials", data.trials), ("paths", data.paths), ("samples", samples)):
        write_parquet(table, results / f"{name}.parquet")
    write_json([subject.to_json() for subject in data.truth.values()], results / "truth.json")
    again = fuzzybounds.load(results)
    assert again.subjects == data.subjects
    assert again.draws == 3
    for one, other in zip(
        again.points("T1", "last", draw=3), data.points("T1", "last", draw=3), strict=True
    ):
        assert one.equals(other)
    assert again.truth["S01"] == data.truth["S01"]


def test_logs_are_loaded_from_a_file_or_a_folder(data, tmp_path):
    folder = tmp_path / "my_lab"
    (folder / "paths").mkdir(parents=True)
    few = {subject: data.of(subject, "first", blocks=3) for subject in data.subjects}
    for subject, part in few.items():
        log = part.trials.drop(columns="responded").assign(
            correct=part.trials["correct"].astype(int), rt=part.trials["rt"].fillna(0.0)
        )
        log.to_csv(folder / f"{subject}.csv", index=False)
    few["T1"].paths.to_csv(folder / "paths/T1.csv", index=False)
    loaded = fuzzybounds.load(folder)
    assert loaded.name == "my_lab"
    assert loaded.subjects == data.subjects
    assert len(loaded.paths) == len(few["T1"].paths)
    alone = fuzzybounds.load(folder / "S01.csv")
    assert alone.points()[0].shape == alone.points(condition="easy")[0].shape
    assert alone.points(condition="all")[0].shape > alone.points()[0].shape


def test_a_likelihood_is_the_product_over_frames(data):
    """Eq. Fuzzy_likelihood by hand, for one trial whose path was recorded."""
    model, scale = fuzzybounds.fit(data, "T1", "first"), 0.4
    result = fuzzybounds.log_likelihood(model, data, "T1", "first", scale=scale)
    part = data.of("T1", "first")
    trial = part.trials[part.trials["condition"] == "easy"].iloc[3]
    path = part.paths[part.paths["trial"] == trial["trial"]]
    times = FRAME * np.arange(len(path))
    p = model.controller_.output(times, path["position"]) * FRAME / scale
    by_hand = np.log(p[-1]) + np.log1p(-p[1:-1]).sum()
    # Logged times have five decimals.
    assert result[trial["trial"]] == pytest.approx(by_hand, rel=1e-5)


def test_bridges_average_to_the_likelihood_of_every_path(data, model):
    """Where no path was recorded: brute force over all orders of the steps of a short trial."""
    part = data.of("S01").trials
    short = part[(part["condition"] == "easy") & part["rt"].between(2.0, 2.45)].iloc[:1]
    few = fuzzybounds.Dataset("few", short.reset_index(drop=True))
    result = fuzzybounds.log_likelihood(model, few, scale=0.5, bridges=4000).iloc[0]
    lattice = locate(short["rt"], short["position"])
    n, k, s = int(lattice.completed[0]), int(lattice.right[0]), int(lattice.started[0])
    orders = set(permutations([1] * k + [-1] * (n - k)))
    steps = np.array([[*order, s] for order in orders])
    paths = free_walk(steps)[:, 1 : round(float(short["rt"].iloc[0]) * 60) + 1]
    logs = path_log_likelihood(
        model.controller_, paths, np.ones(len(paths), bool), dt=FRAME, scale=0.5
    )
    assert result == pytest.approx(float(np.log(np.exp(logs).mean())), abs=0.02)


def test_the_scale_that_simulated_a_model_is_found_again(model):
    scale = 0.8
    done = fuzzybounds.simulate(model, scale=scale, trials=600, seed=3)
    result = fuzzybounds.response_scale(model, done)
    assert result == pytest.approx(scale, rel=0.12)  # 600 responses: a standard error of 4 %
    # Without the paths too, from the responses alone.
    unseen = fuzzybounds.Dataset("unseen", done.trials[:200])
    assert fuzzybounds.response_scale(model, unseen) == pytest.approx(scale, rel=0.25)
    values = [
        fuzzybounds.log_likelihood(model, done, scale=part).sum()
        for part in (0.7 * result, result, 1.4 * result)
    ]
    assert values[1] == max(values)


def test_errors_name_what_was_asked_for(data, model, tmp_path):
    for call, words in (
        (lambda: fuzzybounds.load(tmp_path / "nowhere.csv"), "nowhere.csv: not found"),
        (lambda: fuzzybounds.fit(data), "simulated has 2 subjects.*name one of them: S01, T1"),
        (lambda: fuzzybounds.fit_stopping(data, "S01", "within_weibul"), "'within_weibull'"),
        (lambda: data.points("S01", draw=9), "no points"),
        (lambda: fuzzybounds.simulate(model, scale=0.001), "at least one frame"),
    ):
        with pytest.raises(InputError, match=f"(?s){words}"):
            call()


def test_a_published_log_is_fetched_checked_and_kept(shared_data, tmp_path, monkeypatch):
    monkeypatch.setenv("FUZZYBOUNDS_MIRROR", str(shared_data))
    data = fuzzybounds.fetch("experiment_a", tmp_path)
    assert (data.name, len(data.subjects)) == ("experiment_a", 26)
    monkeypatch.setenv("FUZZYBOUNDS_MIRROR", str(tmp_path / "nowhere"))
    assert len(fuzzybounds.fetch("experiment_a", tmp_path).trials) == len(data.trials)
    with (tmp_path / "experiment_a/Canoe_A.csv").open("a") as log:
        log.write("1,2,3")
    with pytest.raises(InputError, match="not the published file"):
        fuzzybounds.fetch("experiment_a", tmp_path)


def test_a_boundary_is_fitted(data):
    """The likelihood of its own boundary, written out here."""
    few = data.of("S01", "first", blocks=5)
    result = fuzzybounds.fit_boundary(few)
    part = few.trials.query("responded")
    nll = 0.0
    for condition, rows in part.groupby("condition"):
        sigma = result.parameters[f"sigma_{condition}"]
        gap = rows["position"].abs() - result.boundary(rows["rt"], condition)
        nll -= np.sum(-((gap / sigma) ** 2) / 2 - np.log(sigma * np.sqrt(2 * np.pi)))
    assert result.nll == pytest.approx(nll, rel=1e-9)
    assert result.bic == pytest.approx(2 * nll + result.k * np.log(result.n))


def test_a_stopping_model_is_fitted_as_in_the_workflow(data):
    result = fuzzybounds.fit_stopping(data, "S01", "within_exponential", delays=[0.0, 0.2])
    part = data.of("S01")
    table = fit_all(
        part.trials,
        part.samples(),
        check_design(part.trials),
        cued=True,
        models=["within_constant", "within_exponential"],
        schemes=[],
        conditions=["easy"],
        delays=[0.0, 0.2],
    ).query("model == 'within_exponential' and delay == 'fitted'")
    assert result.motor_delay == table["motor_delay"].iloc[0]
    assert -result.nll == pytest.approx(table["log_likelihood"].iloc[0], abs=0.01)
    hazard = result.hazard()
    assert hazard["hazard"].between(0, 1).all()
    one_time = hazard[hazard["time"] == hazard["time"].iloc[-1]].sort_values("position")
    assert one_time["hazard"].is_monotonic_increasing


@pytest.mark.parametrize("model", ["within_exponential", "graded_3", "pipeline_3"])
def test_a_stopping_model_can_be_pickled(data, model):
    """Its hazard is that of the fit: with it, the trials are as likely as the fit says."""
    result = fuzzybounds.fit_stopping(data, "S01", model, delays=[0.0])
    again = pickle.loads(pickle.dumps(result))
    assert (again.bic, again.parameters) == (result.bic, result.parameters)
    pd.testing.assert_frame_equal(again.hazard(), result.hazard())
    part = data.of("S01")
    task = design_of(check_design(part.trials), cued=True)
    (easy,) = prepare(part.trials, part.samples(), Bins(), task, ["easy"])
    likelihood = easy.likelihoods[0.0]
    logs = likelihood.log_likelihoods(again.hazard()["hazard"].to_numpy()[None], np.ones(1))
    counts = likelihood.counts(np.ones(len(easy.trials), dtype=bool))
    assert -result.nll == pytest.approx(counts @ logs)


@pytest.mark.parametrize("learning", ["none", "rl"])
def test_a_boundary_can_be_pickled_and_drawn(data, learning):
    result = fuzzybounds.fit_boundary(data, "S01", learning=learning)
    again = pickle.loads(pickle.dumps(result))
    times = np.linspace(0, 15, 7)
    for condition in ("easy", "hard"):
        assert (again.boundary(times, condition) == result.boundary(times, condition)).all()
    figure = fuzzybounds.draw(again, title="S01")
    responded = data.of("S01").trials.query("responded")
    for panel, condition in zip(figure.axes, ("easy", "hard"), strict=True):
        dots, curve = panel.get_lines()
        part = responded[responded["condition"] == condition]
        np.testing.assert_array_equal(dots.get_xdata(), part["rt"])
        np.testing.assert_array_equal(dots.get_ydata(), part["position"].abs())
        x, y = curve.get_data()
        np.testing.assert_array_equal(y, result.boundary(x, condition))
