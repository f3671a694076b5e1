import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.paper.fuzzy.fits import Recipe, controllers, fit_tables
from fuzzybounds.paper.fuzzy.likelihood import mean_loss


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
            own = {"time": t, "position": x, "responded": y == 1}
            parts.append(pd.DataFrame({**key, **own}))
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("n_labels", [3, 5])
@pytest.mark.parametrize("empty", ["omit", "neighbours"])
def test_rebuilt_controllers_have_the_loss_of_the_table(points, n_labels, empty):
    tables = fit_tables(points, Recipe(labels=n_labels, resolution="vote", empty=empty))
    rebuilt = controllers(tables)
    assert tables.fits["n_points"].tolist() == [70, 70, 100, 100, 130, 130, 160, 160]
    assert tables.rules["support"].sum() == len(points)
    for row in tables.fits.itertuples():
        own = points[
            (points["subject"] == row.subject)
            & (points["window"] == row.window)
            & (points["draw"] == row.draw)
        ]
        controller = rebuilt[row.subject, row.window, n_labels, row.draw]
        loss = mean_loss(controller, own["time"], own["position"], own["responded"])
        assert loss == pytest.approx(row.loss_after, rel=1e-9)
        assert controller.rules.given.all() == (empty == "neighbours" or row.empty_cells == 0)


def test_a_new_subject_changes_no_other_fit_to_the_last_bit(points):
    recipe = Recipe(labels=5)
    together = fit_tables(points, recipe)
    alone = fit_tables(points[points["subject"] == "a"], recipe)
    for both, one in zip(together, alone, strict=True):
        own = both[both["subject"] == "a"].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, one, check_exact=True)


def test_points_that_were_not_normalised_are_named(points):
    with pytest.raises(InputError, match=r"time = 7\.0 of subject a, first window, draw 1"):
        fit_tables(points.assign(time=7.0), Recipe(labels=3))
    with pytest.raises(InputError, match="no rows"):
        fit_tables(points.iloc[:0], Recipe(labels=3))
