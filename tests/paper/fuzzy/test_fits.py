import numpy as np
import pandas as pd
import pytest

from fuzzybounds.classifier import FuzzyClassifier
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.fitted import controllers
from fuzzybounds.paper.fuzzy.likelihood import mean_loss
from fuzzybounds.paper.fuzzy.subject_fits import points_to_fit


@pytest.fixture
def truths(random_controller):
    return {
        (subject, window): random_controller(
            np.random.default_rng([subject == "a", window == "first"])
        )
        for subject in ("a", "b")
        for window in ("first", "last")
    }


@pytest.fixture
def points(truths, two_class_points):
    parts = []
    for number, ((subject, window), truth) in enumerate(truths.items()):
        for draw in (1, 2):
            # Groups of different sizes, so that there is something to pad.
            rng = np.random.default_rng([number, draw])
            t, x, y = two_class_points(truth, 70 + 30 * number, rng)
            key = {"subject": subject, "window": window, "draw": draw}
            part = {"time": t, "position": x, "responded": y == 1}
            parts.append(pd.DataFrame({**key, **part}))
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("n_labels", [3, 5])
@pytest.mark.parametrize(
    "options",
    [
        {"resolution": "vote"},
        {"empty": "neighbours", "penalty": 1.0},
        {"normalised": False, "convention": "deviation"},
    ],
)
def test_fits_of_a_table_are_those_of_each_subject_alone(points, n_labels, options):
    """The classifier comes to the same rules and memberships without tables and padding."""
    tables = fit_points(points, n_labels, **options)
    rebuilt = controllers(tables)
    assert tables.fits["n_points"].tolist() == [70, 70, 100, 100, 130, 130, 160, 160]
    assert tables.rules["support"].sum() == len(points)
    for row in tables.fits.itertuples():
        part = points[
            (points["subject"] == row.subject)
            & (points["window"] == row.window)
            & (points["draw"] == row.draw)
        ]
        controller = rebuilt[row.subject, row.window, n_labels, row.draw]
        loss = mean_loss(controller, part["time"], part["position"], part["responded"])
        assert loss == pytest.approx(row.loss_after, rel=1e-9)
        assert controller.rules.given.all() == ("empty" in options or row.empty_cells == 0)
        alone = FuzzyClassifier(n_labels, ranges=[[0, 1], [0, 1]], **options)
        alone = alone.fit(part[["time", "position"]], part["responded"]).controller_
        np.testing.assert_array_equal(controller.rules.consequents, alone.rules.consequents)
        np.testing.assert_allclose(controller.time.centers, alone.time.centers, atol=1e-4)
        np.testing.assert_allclose(controller.position.widths, alone.position.widths, atol=1e-4)


def test_subjects_are_fitted_by_their_sessions_and_to_the_chosen_trials(points):
    rows = points[points["draw"] == 1].assign(trial=lambda part: np.arange(len(part)))
    rows = rows.assign(condition=np.where(rows["trial"] % 3, "easy", "hard"), path="recorded")
    samples = rows.drop(columns="window").assign(block=np.where(rows["window"] == "first", 1, 2))
    # Subject a has one session, subject b two.
    session = np.where(samples["subject"] == "a", 1, samples["block"])
    trials = samples[["subject", "block"]].assign(session=session)
    options = {"labels": {"one_session": [3], "three_session": [3, 5]}, "normalisation": "design"}
    for condition, chosen in (
        ("easy", samples["condition"] == "easy"),
        ("all", samples["draw"] > 0),
    ):
        asked = list(points_to_fit(trials, samples, blocks=1, condition=condition, **options))
        result = [(set(part["subject"]), number) for part, number in asked]
        assert result == [({"a"}, 3), ({"b"}, 3), ({"b"}, 5)]
        assert len(asked[0][0]) + len(asked[1][0]) == chosen.sum()
        np.testing.assert_allclose(
            asked[0][0]["time"].max(),
            samples[chosen & (samples["subject"] == "a")]["time"].max() / 15,
        )


def test_a_new_subject_changes_no_other_fit_to_the_last_bit(points):
    together = fit_points(points, 5)
    alone = fit_points(points[points["subject"] == "a"], 5)
    for both, one in zip(together, alone, strict=True):
        part = both[both["subject"] == "a"].reset_index(drop=True)
        pd.testing.assert_frame_equal(part, one, check_exact=True)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.nan])
def test_points_that_were_not_normalised_are_refused(points, wrong):
    with pytest.raises(ValueError, match="normalised"):
        fit_points(points.assign(time=wrong), 3)
