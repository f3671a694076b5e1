"""Small and odd data sets: every step ends in a result, and says what it could not compute."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.checks.figures import figS2_model_selection as model_selection
from fuzzybounds.checks.figures import figS4_specification_curve as specification_curve
from fuzzybounds.cohort import fuzzy_subjects, sessions
from fuzzybounds.core.errors import TooFew
from fuzzybounds.logs.recordings import empty as no_paths
from fuzzybounds.paper.boundaries import comparison as boundary_models
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits
from fuzzybounds.paper.boundaries.models import Model
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.trials import trials_of
from fuzzybounds.paper.figures import contrast
from fuzzybounds.paper.figures import fig01_fitted_boundaries as fitted_boundaries
from fuzzybounds.paper.figures import fig10_fitted_output as fitted_output
from fuzzybounds.paper.figures import fig11_fitted_rules as fitted_rules
from fuzzybounds.paper.figures import fig12_fitted_memberships as fitted_memberships
from fuzzybounds.paper.figures import fig13_group_output as group_output
from fuzzybounds.paper.figures import fig14_group_consequents as group_consequents
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.scoring import score
from fuzzybounds.scorecard.verdicts import UNDECIDED

pytestmark = pytest.mark.usefixtures("closed")
DATASET = {"name": "odd", "kind": "own", "title": "odd", "recorded_paths": []}
BRIEF = Budget(restarts=1, members=3, generations=1)
GRID = np.linspace(0, 1, 5)


@pytest.fixture(scope="module")
def trials() -> pd.DataFrame:
    """Two simulated subjects, as validation types them."""
    drawn = [fuzzy_subjects.one_session_subject(5, "odd", name) for name in ("S1", "S2")]
    logs = pd.concat([sessions.simulate_logs(s, 5, "odd")[0] for s in drawn], ignore_index=True)
    logs = logs[logs["block"] <= 4]
    responded = logs["rt"] > 0
    return logs.assign(
        responded=responded, rt=logs["rt"].where(responded), correct=logs["correct"] == 1
    )


@pytest.fixture(scope="module")
def samples(trials):
    return draw_points(trials, no_paths(), 2, 1, "odd")


def fitted(trials, samples, labels=5):
    points = normalise(
        split(samples[samples["condition"] == "easy"], block_ranges(trials)), "subject"
    )
    tables = fit_points(points, labels)
    scales = points[["subject", "draw", "time_range", "position_range"]].drop_duplicates()
    fits = tables.fits.merge(scales, on=["subject", "draw"]).assign(condition="easy", blocks=20)
    return tables._replace(fits=fits)


def test_boundaries_of_nobody_are_empty_tables(trials):
    part = trials[(trials["subject"] == "S1") & (trials["condition"] == "easy")]
    models = [Model("weibull", "rl"), Model("constant", "rl")]
    fits = fit_models(models, {"decision": trials_of(part)}, 1, budget=BRIEF)
    nobody, some = model_fits([]), model_fits(("S1", *result) for result in fits)
    assert set(nobody) <= set(some)
    of_nobody, of_some = (boundary_models.boundaries(result, part) for result in (nobody, some))
    for none, few in zip(of_nobody, of_some, strict=True):
        assert none.empty
        assert list(none) == list(few)
    for table in (boundary_models.shape_evidence, boundary_models.model_selection):
        assert list(table(nobody)) == list(table(some))


SETTINGS = {"labels": 5, "condition": "hard", "blocks": 10}


def output_of(*names) -> pd.DataFrame:
    rows = [(g, h, t, x, 0.5, 1) for g in names for h in (FIRST, LAST) for t in GRID for x in GRID]
    columns = ["group", "window", "time", "position", "output", "n_subjects"]
    return pd.DataFrame(rows, columns=columns).assign(**SETTINGS)


def consequents_of(*names) -> pd.DataFrame:
    cells = ["VS", "S", "M", "L", "VL"]
    rows = [
        (g, h, t, x, 0.5, 0.1, 1, 0.0)
        for g in names
        for h in (FIRST, LAST)
        for t in cells
        for x in cells
    ]
    columns = ["group", "window", "time_label", "position_label", "mean", "sd_over_draws"]
    return pd.DataFrame(rows, columns=[*columns, "n_subjects", "first_draw"]).assign(**SETTINGS)


COMPARED = ("slow_vs_fast_first", "slow_vs_fast_last", "fast_last_vs_first", "slow_last_vs_first")
TESTS = pd.DataFrame(
    [
        (name, test, np.nan, 1.0)
        for name in COMPARED
        for test in ("student_t", "paired_t", "permutation")
    ],
    columns=["comparison", "test", "p", "mean_difference"],
)


@pytest.mark.parametrize(
    ("name", "tables", "expected"),
    [
        ("C02", {"boundary_multiverse": pd.DataFrame()}, "easy trial"),
        ("C10", {"group_output": output_of("fast")}, "no slow subjects"),
        ("C12", {"consequents": consequents_of()}, "no fast and no slow"),
        ("C14", {"group_tests": TESTS}, "a test needs at least two different subjects per group"),
    ],
)
def test_a_claim_that_cannot_be_computed_says_why(name, tables, expected):
    for dataset in ("experiment_a", "my_lab"):
        described = {"name": dataset, "kind": "own"}
        given = {**tables, "dataset": described, "experiment_a": {"claims": {}}}
        scored = score(CLAIMS[name], given)
        assert (scored["verdict"], scored["conclusion"]) == (UNDECIDED, UNDECIDED)
        assert scored["ours"] == "cannot be computed"
        assert expected in scored["note"]


NOBODY = pd.DataFrame({"group": ["middle"] * 2})


class TestFigures:
    @pytest.mark.parametrize(
        "draw",
        [
            lambda: group_output.draw(output_of(), NOBODY, DATASET),
            lambda: group_consequents.draw(consequents_of(), NOBODY, DATASET),
            lambda: model_selection.draw(pd.DataFrame({"criterion": []}), DATASET),
            lambda: specification_curve.draw(pd.DataFrame(), {}, DATASET),
            lambda: fitted_boundaries.draw(
                *boundary_models.boundaries(model_fits([]), pd.DataFrame({"subject": []})), DATASET
            ),
        ],
    )
    def test_what_cannot_be_drawn_says_why(self, draw):
        with pytest.raises(TooFew):
            draw()

    def test_one_subject_is_shown_once(self, trials, samples):
        part, points = (table[table["subject"] == "S1"] for table in (trials, samples))
        tables = fitted(part, points, 3)
        chosen = contrast.choose(tables.fits, part, [], None)
        assert chosen.subjects == ["S1"]
        fits = contrast.load(tables, part, points, chosen)
        assert [(fit.subject, fit.window) for fit in fits] == [("S1", FIRST), ("S1", LAST)]
        for figure in (fitted_output, fitted_rules, fitted_memberships):
            figure.draw(fits, DATASET)
            figure.draw(fits[:1], DATASET)
