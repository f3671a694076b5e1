"""The public interface of the library: cheap to import, and the same model as the workflow's."""

from __future__ import annotations

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
from fuzzybounds.paper.fuzzy.fitted import controllers
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood


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
        ours = fuzzybounds.fit(data, subject, "last", n_labels=n_labels, draw=2).controller
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
    fit, scale = fuzzybounds.fit(data, "T1", "first"), 0.4
    result = fit.log_likelihood(scale=scale)
    part = data.of("T1", "first")
    trial = part.trials[part.trials["condition"] == "easy"].iloc[3]
    path = part.paths[part.paths["trial"] == trial["trial"]]
    times = FRAME * np.arange(len(path))
    p = fit.controller.output(times, path["position"]) * FRAME / scale
    by_hand = np.log(p[-1]) + np.log1p(-p[1:-1]).sum()
    # Logged times have five decimals.
    assert result[trial["trial"]] == pytest.approx(by_hand, rel=1e-5)


def test_bridges_average_to_the_likelihood_of_every_path(data, model):
    """Where no path was recorded: brute force over all orders of the steps of a short trial."""
    part = data.of("S01").trials
    short = part[(part["condition"] == "easy") & part["rt"].between(2.0, 2.45)].iloc[:1]
    result = model.log_likelihood(short, scale=0.5, bridges=4000).iloc[0]
    lattice = locate(short["rt"], short["position"])
    n, k, s = int(lattice.completed[0]), int(lattice.right[0]), int(lattice.started[0])
    orders = set(permutations([1] * k + [-1] * (n - k)))
    steps = np.array([[*order, s] for order in orders])
    paths = free_walk(steps)[:, 1 : round(float(short["rt"].iloc[0]) * 60) + 1]
    logs = path_log_likelihood(
        model.controller, paths, np.ones(len(paths), bool), dt=FRAME, scale=0.5
    )
    assert result == pytest.approx(float(np.log(np.exp(logs).mean())), abs=0.02)


def test_the_scale_that_simulated_a_model_is_estimated(model):
    scale = 0.8
    done = model.simulate(600, scale=scale, seed=3)
    seen = fuzzybounds.fit(done, n_labels=5)
    seen.classifier = model.classifier
    assert seen.scale == pytest.approx(scale, rel=0.12)  # 600 responses: a standard error of 4 %
    # Without the paths too, from the responses alone.
    unseen = fuzzybounds.fit(fuzzybounds.Dataset("unseen", done.trials[:200]))
    unseen.classifier = model.classifier
    assert unseen.scale == pytest.approx(scale, rel=0.25)
    values = [seen.log_likelihood(scale=by * seen.scale).sum() for by in (0.7, 1, 1.4)]
    assert values[1] == max(values)


def test_errors_name_what_was_asked_for(data, model, tmp_path):
    fit = fuzzybounds.fit

    def written(hazard):
        return fuzzybounds.HazardModel("own", hazard, [fuzzybounds.parameter("rate", 1.0)])

    for call, words in (
        (lambda: fuzzybounds.load(tmp_path / "nowhere.csv"), "nowhere.csv: not found"),
        (lambda: fit(data), "simulated has 2 subjects.*name one of them: S01, T1"),
        (lambda: fit(data, "S01", model="within_weibul"), "'within_weibull'"),
        (lambda: fit(data, "S01", labels=5), "labels: did you mean 'n_labels'"),
        (lambda: fit(data, "S01", n_labels=(3, 5)), "one whole number"),
        (lambda: fit(data, "S01", condition="esy"), "did you mean 'easy'"),
        (lambda: fit(data, "S01", model="graded_3", delays=0.1), "a list of motor delays"),
        (lambda: fit(data.trials), "data is a DataFrame"),
        (lambda: model.with_rule("shrt", "small", 1), "did you mean 'short'"),
        (lambda: model.log_likelihood(3), "expected a Dataset"),
        (lambda: model.simulate(scale=0.001), "at least one frame"),
        (lambda: fuzzybounds.compare(data, ["weibull-none"]), "unknown stopping model"),
        (lambda: fuzzybounds.compare(data, ["graded_3"], folds=1), "at least 2"),
        (lambda: fuzzybounds.recover("graded_3"), "a fit, or a model and data"),
        (lambda: fuzzybounds.recover(model, replicates=0), "replicates = 0"),
        (lambda: fuzzybounds.compare(data, []), "at least one model"),
        (lambda: fuzzybounds.fit_population(data.trials), "expected a Dataset"),
        (lambda: fuzzybounds.load(5), "source is a int"),
        (lambda: fuzzybounds.simulate_cohort(1.5), "one_session = 1.5"),
        (lambda: model.simulate(2.5), "n = 2.5.*at least 1"),
        (lambda: model.log_likelihood(data.trials[["rt"]]), "no column 'subject'"),
        (lambda: model.with_rule("short", "small", "stop"), "stop = 'stop'"),
        (lambda: fit(data, "S01", model="graded_3", delays=[]), "a list of motor delays"),
        (lambda: fuzzybounds.Decisions({"t": [1]}), "a table with rows"),
        (lambda: fuzzybounds.parameter("rate", 1.0, bounds=5), "expected numbers, and pairs"),
        (lambda: fuzzybounds.HazardModel("own", len, ["rate"]), "make a list of parameters"),
        (lambda: written(lambda t, x, outward, theta: np.ones(3)), r"gives \(3,\) for times"),
        (lambda: data.points("S01", draw=9), "no points"),
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
