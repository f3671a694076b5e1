"""Small and odd data sets: every step ends in a result, and says what it could not compute."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from fuzzybounds.analysis import boundary_models, groups, key_cells, specification
from fuzzybounds.analysis.printed_digits import matches
from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.cohort import fuzzy_subjects, sessions
from fuzzybounds.figures import (
    contrast,
    fitted_boundaries,
    fitted_memberships,
    fitted_output,
    fitted_rules,
    group_boundaries,
    group_consequents,
    group_output,
    model_selection,
    specification_curve,
    two_class_data,
)
from fuzzybounds.fuzzy.fits import EMPTY, Recipe, controllers, fit_tables
from fuzzybounds.intake.recordings import empty as no_paths
from fuzzybounds.paper import errata
from fuzzybounds.paper.claims import CLAIMS
from fuzzybounds.paper.claims.claim import UNTESTABLE
from fuzzybounds.paper.claims.scorecard import as_text, score
from fuzzybounds.storage.errors import InputError, TooFew
from fuzzybounds.weibull import results
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.search import Budget

DATASET = {"name": "odd", "kind": "own", "title": "odd", "recorded_paths": []}
BRIEF = Budget(restarts=1, members=3, generations=1)
GRID = np.linspace(0, 1, 5)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


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
    tables = fit_tables(points, Recipe(labels))
    scales = points[["subject", "time_range", "position_range"]].drop_duplicates()
    fits = tables.fits.merge(scales, on="subject").assign(condition="easy", blocks=20)
    return tables._replace(fits=fits)


@pytest.fixture(scope="module")
def five(trials, samples):
    return fitted(trials, samples)


@pytest.fixture(scope="module")
def fits(trials):
    own = trials[trials["subject"] == "S1"]
    models = [Model("weibull", "rl"), Model("constant", "rl")]
    return {
        condition: results.model_fits(
            ("S1", time, fit)
            for time, fit in fit_subject(
                own[own["condition"] == condition], models, 1, "S1", budget=BRIEF
            )
        )
        for condition in ("easy", "hard")
    }


class TestFits:
    def test_no_rows_have_no_halves(self, trials):
        nobody = split(trials[:0], block_ranges(trials))
        assert nobody.empty
        assert "window" in nobody

    def test_who_responds_at_the_centre_only_can_be_fitted(self):
        points = pd.DataFrame({"subject": "a", "time": [1.0, 2.0], "position": [0.0, 0.0]})
        assert normalise(points, "subject")["position"].tolist() == [0.0, 0.0]

    def test_empty_tables_have_the_columns_of_others(self, five):
        for empty, some in zip(EMPTY, five, strict=True):
            assert set(some) - set(empty) <= {"time_range", "position_range"}
            assert set(empty) <= set(some)
        assert controllers(EMPTY) == {}


class TestBoundaryModels:
    @pytest.mark.parametrize("condition", ["easy", "hard"])
    def test_of_one_condition_there_is_one_boundary(self, trials, fits, condition):
        own = trials[(trials["subject"] == "S1") & (trials["condition"] == condition)]
        for table in (
            results.boundaries(fits[condition], own),
            results.first_block_changes(fits[condition], own),
        ):
            assert set(table["condition"]) == {condition}
            assert np.isfinite(table.select_dtypes("number")).all(axis=None)

    def test_of_nobody_there_are_empty_tables(self, trials, fits):
        nobody = results.model_fits([])
        some = fits["easy"]
        assert set(nobody) <= set(some)
        own = trials[trials["condition"] == "easy"]
        assert list(results.boundaries(nobody, own)) == list(results.boundaries(some, own))
        for table in (results.first_block_changes, lambda f, _: boundary_models.shape_evidence(f)):
            assert table(nobody, own).empty
            assert list(table(nobody, own)) == list(table(some, own))
        selection = boundary_models.model_selection
        assert list(selection(nobody)) == list(selection(some))


class TestGroups:
    CHOICE = {"condition": "easy", "missed": True, "summary": "median"}  # noqa: RUF012
    RULE = {"quantile": "hazen", "fast": "<=", "slow": ">"}  # noqa: RUF012

    def test_nobody_has_no_boundary_and_no_group(self, trials):
        table = groups.boundaries(trials[:0], block_ranges(trials[:0]), **self.CHOICE)
        assert list(table) == [FIRST, LAST]
        assert groups.assign(table[FIRST], **self.RULE).empty

    def test_a_subject_without_a_boundary_does_not_count(self):
        medians = pd.Series([1.0, 2.0, 3.0, 4.0], index=list("abcd"))
        with_one_more = pd.concat([medians, pd.Series({"e": np.nan})])
        group = groups.assign(with_one_more, **self.RULE)
        assert group["e"] == "middle"
        assert group[:4].equals(groups.assign(medians, **self.RULE))

    def test_averages_are_over_those_who_have_fits(self, five):
        fits = controllers(five)
        one = groups.average_output(fits, {"S1": "fast", "nobody": "fast"}, 5, GRID)
        assert (one["n_subjects"] == 1).all()
        assert np.isfinite(one["output"]).all()
        none = groups.average_output(fits, {"S1": "middle"}, 5, GRID)
        assert none.empty
        assert list(none) == list(one)

    def test_both_groups_or_a_reason(self):
        groups.need_both(pd.Series(["fast", "slow"]))
        with pytest.raises(TooFew, match="there are no slow subjects"):
            groups.need_both(pd.Series(["fast", "middle"]))
        with pytest.raises(TooFew, match="no fast and no slow subjects"):
            groups.need_both(pd.Series([], dtype=str))

    def test_specifications_of_nobody(self, trials, samples):
        ranges = block_ranges(trials)
        some = specification.group_specifications(trials, ranges)
        none = specification.group_specifications(trials[:0], block_ranges(trials[:0]))
        assert none.empty
        assert list(none) == list(some)
        hard = specification.group_specifications(trials[trials["condition"] == "hard"], ranges)
        assert set(hard["condition"]) == {"hard", "all"}
        members = some[["condition", "members"]].drop_duplicates()
        printed = {"fast_S_M": 1.0, "slow_S_M": 0.16, "slow_M_S": 0.33}
        cells = key_cells.table_specifications([samples[:0]], ranges, members, printed)
        whole = some.merge(cells, on=["condition", "members"], how="left")
        assert not matches(whole, {"fast_S_M": 1.0}).any()


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


TESTS = pd.DataFrame(
    [
        (name, test, np.nan, 1.0)
        for name in (
            "slow_vs_fast_first",
            "slow_vs_fast_last",
            "fast_last_vs_first",
            "slow_last_vs_first",
        )
        for test in ("student_t", "permutation")
    ],
    columns=["comparison", "test", "p", "mean_difference"],
)


class TestClaims:
    @pytest.mark.parametrize(
        ("name", "tables", "said"),
        [
            ("C02", {"boundary_multiverse": pd.DataFrame()}, "easy trial"),
            ("C03", {"boundary_multiverse": pd.DataFrame()}, "nobody responded"),
            ("C04", {"boundary_multiverse": pd.DataFrame()}, "nobody responded"),
            ("C10", {"group_output": output_of("fast")}, "no slow subjects"),
            ("C10", {"group_output": output_of()}, "no fast and no slow"),
            ("C11", {"consequents": consequents_of("slow")}, "no fast subjects"),
            ("C12", {"consequents": consequents_of("slow")}, "no fast subjects"),
            ("C12", {"consequents": consequents_of()}, "no fast and no slow"),
            (
                "C13",
                {"group_tests": TESTS},
                "a test needs at least two different subjects per group",
            ),
            (
                "C14",
                {"group_tests": TESTS},
                "a test needs at least two different subjects per group",
            ),
        ],
    )
    def test_a_claim_that_cannot_be_computed_says_why(self, name, tables, said):
        for dataset in ("experiment_a", "my_lab"):
            scored = score({name: CLAIMS[name]}, tables, dataset, "own").iloc[0]
            assert scored["verdict"] == UNTESTABLE
            assert scored["ours"] == "cannot be computed"
            assert said in scored["note"]

    def test_a_design_that_does_not_show(self):
        check = pd.DataFrame(
            {"quantity": ["p0"], "condition": ["easy"], "subject": "", "value": [0.6]}
        )
        scored = score({"C01": CLAIMS["C01"]}, {"design_check": check}, "lab", "own").iloc[0]
        assert "these logs do not tell p0 hard" in scored["note"]

    def test_remarks_stand_in_the_scorecard(self):
        scores = score({"C06": CLAIMS["C06"]}, {}, "lab", "own")
        assert "  - two subjects only" in as_text(scores, ["two subjects only"])

    def test_errata_go_on_without_evidence(self):
        entries = {name: errata.ERRATA[name] for name in ("A08", "A09", "A10", "A22")}
        tables = {
            "fuzzy_fits": EMPTY.fits.assign(time_range=[], position_range=[]),
            "consequents": consequents_of(),
            "group_tests": TESTS,
        }
        assert (
            errata.table(tables, entries)["evidence"].str.startswith("none from these data").all()
        )


FAST_ONLY = pd.DataFrame({"group": ["fast", "middle"]})
NOBODY = pd.DataFrame({"group": ["middle"] * 2})


class TestFigures:
    @pytest.mark.parametrize(
        ("groups", "reason"),
        [
            (["middle"] * 2, "of 2 one-session subjects none is fast and none slow"),
            (["fast", "middle"], "of 2 one-session subjects none is slow"),
            (
                ["fast", "slow", "slow"],
                "there are 1 fast and 2 slow subjects, but no fits to average",
            ),
        ],
    )
    def test_the_reason_is_the_real_one(self, groups, reason):
        with pytest.raises(TooFew) as error:
            group_output.draw(output_of(), pd.DataFrame({"group": groups}), DATASET)
        assert str(error.value) == reason

    def test_boundaries_say_which_trials_and_blocks(self):
        table = pd.DataFrame({"group": ["fast", "slow"], FIRST: 80.0, LAST: 90.0})
        figure = group_boundaries.draw(table.assign(**SETTINGS), TESTS, DATASET)
        axes = figure.axes[0]
        assert axes.get_ylabel() == "Decision boundary, hard trials (px)"
        assert [tick.get_text() for tick in axes.get_xticklabels()] == [
            "first 10 blocks",
            "last 10 blocks",
        ]
        figure.canvas.draw()
        legend, data = axes.get_legend().get_window_extent(), axes.get_window_extent()
        assert not legend.overlaps(data)

    def test_outputs_say_which_fits_are_averaged(self):
        figure = group_output.draw(output_of("fast"), FAST_ONLY, DATASET)
        assert figure.axes[1].get_title() == "fast (1 subject), first 10 blocks"
        assert figure.get_supxlabel().endswith("fits with 5 labels to hard trials")

    def test_a_premise_without_support_shows_no_mean(self):
        table = consequents_of("fast").assign(mean=0.25, n_subjects=0.1)
        figure = group_consequents.draw(table, FAST_ONLY, DATASET)
        said = [text.get_text() for axes in figure.axes for text in axes.texts]
        assert "n = 0.1" in said
        assert not [text for text in said if text.startswith("0.25")]

    def test_one_group_is_drawn_and_the_other_named(self):
        for figure in (
            group_output.draw(output_of("fast"), FAST_ONLY, DATASET),
            group_consequents.draw(consequents_of("fast"), FAST_ONLY, DATASET),
        ):
            said = [text.get_text() for axes in figure.axes for text in axes.texts]
            assert sum("slow subjects" in text for text in said) == 2

    @pytest.mark.parametrize("n_slow", [0, 1])
    def test_boundaries_of_one_subject_a_group(self, n_slow):
        table = pd.DataFrame({"group": ["fast"] + ["slow"] * n_slow, FIRST: 80.0, LAST: 90.0})
        figure = group_boundaries.draw(table.assign(**SETTINGS), TESTS, DATASET)
        said = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert "fast (1 subject), too few to test" in said
        assert ("slow (no subjects)" in said) == (n_slow == 0)

    @pytest.mark.parametrize(
        "draw",
        [
            lambda: group_output.draw(output_of(), NOBODY, DATASET),
            lambda: group_consequents.draw(consequents_of(), NOBODY, DATASET),
            lambda: group_boundaries.draw(pd.DataFrame({"group": ["middle"]}), TESTS, DATASET),
            lambda: model_selection.draw(pd.DataFrame({"criterion": []}), DATASET),
            lambda: specification_curve.draw(pd.DataFrame(), {}, DATASET),
            lambda: fitted_boundaries.draw(
                results.boundaries(results.model_fits([]), pd.DataFrame({"subject": []})),
                results.first_block_changes(results.model_fits([]), pd.DataFrame({"subject": []})),
                DATASET,
            ),
        ],
    )
    def test_what_cannot_be_drawn_says_why(self, draw):
        with pytest.raises(TooFew):
            draw()

    def test_points_of_nobody(self, samples):
        with pytest.raises(TooFew, match="no easy trial"):
            two_class_data.select(samples[samples["condition"] == "hard"], None)
        with pytest.raises(InputError, match="sample_subject 'S9'"):
            two_class_data.select(samples, "S9")

    def test_one_subject_is_shown_once(self, trials, samples):
        own, points = (table[table["subject"] == "S1"] for table in (trials, samples))
        tables = fitted(own, points, 3)
        subjects = contrast.choose(tables.fits, own, [], None)
        assert subjects == ["S1"]
        fits = contrast.load(tables, own, points, subjects)
        assert [(fit.subject, fit.window) for fit in fits] == [("S1", FIRST), ("S1", LAST)]
        for figure in (fitted_output, fitted_rules, fitted_memberships):
            figure.draw(fits, DATASET)
            figure.draw(fits[:1], DATASET)

    def test_contrasted_windows_are_those_of_the_fits(self, trials, samples):
        tables = fitted(trials, samples, 3)
        tables.fits["blocks"] = 2
        fits = contrast.load(tables, trials, samples, ["S1"])
        assert [fit.blocks for fit in fits] == ["blocks 1–2", "blocks 3–4"]
        assert [sorted(fit.points["block"].unique()) for fit in fits] == [[1, 2], [3, 4]]

    def test_nobody_to_contrast(self, trials, five):
        with pytest.raises(TooFew, match="no subject responded to an easy trial"):
            contrast.choose(five.fits, trials[trials["condition"] == "hard"], [], None)
        with pytest.raises(TooFew, match="there are no fits to show"):
            contrast.choose(five.fits[:0], trials, ["S1", "S2"], None)


@pytest.mark.parametrize(
    ("subject", "blocks", "name"),
    [
        ("12", "blocks 21–40", "Subj. 12, blocks 21–40"),
        ("eve", "blocks 81–100", "Subj. eve,\nblocks 81–100"),
        ("of_the_second_cohort_17", "blocks 1–20", "Subj. of_the_second_c…,\nblocks 1–20"),
    ],
)
def test_long_names_keep_clear_of_the_panels_letter(subject, blocks, name):
    assert contrast.Fit(subject, FIRST, blocks, [], 1.0, 1.0, pd.DataFrame()).name == name
