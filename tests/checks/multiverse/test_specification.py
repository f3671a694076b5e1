"""The specification curve: every combination of open choices, against computations of their own."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.checks.multiverse import key_cells, specification
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs import recordings
from fuzzybounds.paper.fuzzy.fits import gather
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import fill
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure
from fuzzybounds.paper.groups.fast_and_slow import assign_groups, average_rules
from fuzzybounds.paper.printed import printed as printed_numbers


@pytest.fixture(scope="module")
def trials():
    """Twelve subjects whose boundaries differ and change."""
    rng = generator(3, "specification")
    rows = []
    for number in range(12):
        for block in range(1, 41):
            for condition in ("easy", "hard"):
                steps = int(rng.integers(1, 3 + number // 3))
                rows.append((f"s{number:02d}", block, condition, steps * 0.5, steps * 45.0))
    frame = pd.DataFrame(rows, columns=["subject", "block", "condition", "rt", "position"])
    frame["trial"] = frame.groupby("subject").cumcount() + 1
    # Between the steps: medians of whole steps would be the same in a whole group.
    frame["position"] -= generator(4, "specification").uniform(0, 20, len(frame))
    responded = rng.random(len(frame)) > 0.02
    return frame.assign(session=1, responded=responded, rt=frame["rt"].where(responded))


@pytest.fixture(scope="module")
def ranges(trials):
    return block_ranges(trials)


@pytest.fixture(scope="module")
def curve(trials, ranges):
    return specification.group_specifications(trials, ranges)


def test_p_values_and_changes_are_those_of_scipy(curve, trials, ranges):
    """Every test, on groups of several choices, from medians and means computed here."""
    between = {
        "student_t": stats.ttest_ind,
        "welch_t": lambda a, b: stats.ttest_ind(a, b, equal_var=False),
        "mann_whitney": lambda a, b: stats.mannwhitneyu(a, b, alternative="two-sided"),
    }
    paired = {"paired_t": stats.ttest_rel, "wilcoxon": stats.wilcoxon}
    counterpart = {"paired_t": "student_t", "wilcoxon": "mann_whitney"}
    choices = ["condition", "missed", "quantile", "fast", "slow"]
    changed = curve.drop_duplicates(["condition", "missed", "members"])
    assert changed["missed"].nunique() == 2
    assert changed.groupby(["condition", "missed"])["members"].nunique().max() > 1
    windows = split(trials, ranges)
    for row in curve.merge(changed[choices])[::3].itertuples():
        part = windows if row.missed else windows[windows["responded"]]
        part = part if row.condition == "all" else part[part["condition"] == row.condition]
        sizes = part["position"].abs().groupby([part["subject"], part["window"]]).agg(row.summary)
        fast, slow = (
            sizes.loc[list(names)].unstack("window")  # noqa: PD010 (a pivot of one column)
            for names in row.members
        )
        against = between[counterpart.get(row.test, row.test)]
        within = {**between, **paired}[row.test]
        assert row.n_fast == len(fast)
        np.testing.assert_allclose(
            [row.p_fast, row.p_slow, row.p_first, row.p_last],
            [
                within(fast["last"], fast["first"]).pvalue,
                within(slow["last"], slow["first"]).pvalue,
                against(slow["first"], fast["first"]).pvalue,
                against(slow["last"], fast["last"]).pvalue,
            ],
        )
        assert row.fast_change == pytest.approx((fast["last"] - fast["first"]).mean())
        assert row.slow_change == pytest.approx((slow["last"] - slow["first"]).mean())


PRINTED = printed_numbers("C09", "C11", "C13", "C14")
CONFIG = read_yaml(Path(__file__).parents[3] / "config.yaml")


@pytest.fixture(scope="module")
def samples(trials):
    return draw_points(trials, recordings.empty(), 2, 1, "specification")


def test_key_cells_are_those_of_the_trials_of_a_condition(samples, ranges):
    """Easy and hard trials have different points: hard ones are moved far from the start."""
    groups_of_two = (("s00", "s01"), ("s10", "s11"))
    easy = samples["condition"] == "easy"
    distinct = samples.assign(position=samples["position"].where(easy, samples["position"] + 200))

    def cells(points, condition):
        members = pd.DataFrame({"condition": [condition], "members": [groups_of_two]})
        table = key_cells.table_specifications(points, ranges, members, PRINTED)
        return table[list(key_cells.CELLS)]

    by_condition = {name: cells(distinct, name) for name in key_cells.CONDITIONS}
    pd.testing.assert_frame_equal(by_condition["easy"], cells(distinct[easy], "easy"))
    pd.testing.assert_frame_equal(by_condition["hard"], cells(distinct[~easy], "hard"))
    renamed = distinct.assign(condition="easy")
    pd.testing.assert_frame_equal(by_condition["all"], cells(renamed, "easy"))
    for one, other in (("easy", "hard"), ("easy", "all"), ("hard", "all")):
        assert not by_condition[one].equals(by_condition[other])


def chosen(**changes):
    """The choices of config.yaml, as the workflow passes them on."""
    names = ("normalisation", "empty", "resolution", "normalised")
    part = {name: CONFIG["fuzzy"][name] for name in names}
    return {**CONFIG["groups"], **part, "fitted": CONFIG["fuzzy"]["condition"], **changes}


def run(trials, samples):
    """The whole curve, as the workflow makes it."""
    blocks = CONFIG["fuzzy"]["blocks"]
    how = {"blocks": blocks, "printed": PRINTED, "chosen": chosen()}
    return specification.run_specifications(trials, samples, **how)


@pytest.fixture(scope="module")
def outcome(trials, samples):
    """With a subject of several sessions, who is in no group."""
    later = trials[trials["subject"] == "s00"].assign(subject="t00")
    later["session"] = 1 + later["block"] // 21
    return run(pd.concat([trials, later], ignore_index=True), samples)


def test_the_default_specification_is_the_pipeline(outcome, trials, samples, fit_subjects):
    """Groups, p-values and key cells of config.yaml, by the stages that make the default tables."""
    assert not outcome.curve["members"].str.contains("t00").any()
    options = {**CONFIG["fuzzy"], "labels": {"one_session": [5]}}
    fitted = fit_subjects(trials, samples, **options)
    options = dict(CONFIG["groups"])
    labels = options.pop("labels")
    blocks = CONFIG["fuzzy"]["blocks"]
    tables = assign_groups(trials, blocks=blocks, **options, seed=1, dataset="specification")
    averaged = average_rules(tables.groups, *fitted, labels=labels)
    (row,) = outcome.curve[outcome.curve["default"]].to_dict("records")
    sizes = tables.groups["group"].value_counts()
    assert (row["n_fast"], row["n_slow"]) == (sizes["fast"], sizes["slow"])
    tests = tables.tests[tables.tests["test"] == "student_t"].set_index("comparison")
    for name in ("fast_last_vs_first", "slow_last_vs_first"):
        group = name[:4]
        assert row[f"p_{group}"] == pytest.approx(tests.loc[name, "p"])
        assert row[f"{group}_change"] == pytest.approx(tests.loc[name, "mean_difference"])
    assert row["p_first"] == pytest.approx(tests.loc["slow_vs_fast_first", "p"])
    keys = ["group", "window", "time_label", "position_label"]
    means = averaged.consequents.set_index(keys)
    same = outcome.curve["members"] == row["members"]
    for name in (*specification.GROUPING, *specification.TESTING, *key_cells.EXTRACTING):
        same &= outcome.curve[name] == row[name]
    both = outcome.curve[same].set_index("path")
    for cell, (group, time, position) in key_cells.CELLS.items():
        expected = means.loc[(group, "first", time, position)]
        np.testing.assert_allclose(both.loc["mean_of_draws", cell], expected["mean"])
        np.testing.assert_allclose(both.loc["first_draw", cell], expected["first_draw"])
    assert (row["width"], row["path"], row["test"]) == ("spacing", "mean_of_draws", "student_t")


def rules_by(points, *choice):
    """The key rules by one combination of choices."""
    table = key_cells.key_rules(points).set_index(list(key_cells.EXTRACTING))
    return table.loc[[choice]]


def test_width_and_empty_premises_are_as_chosen(samples, ranges):
    """Against structure learning with numbers written out: widths of 3/28 and 3/14."""
    points = split(samples[samples["condition"] == "easy"], ranges)
    normal = normalise(points, "subject")
    _, batch = gather(normal[normal["window"] == "first"])
    tables = {}
    for name, width in (("spacing", 3 / 28), ("as_three_labels", 3 / 14)):
        start = equidistant(5, width=width, convention="width")
        structure = learn_structure(
            batch.inputs, batch.responded, (start, start), weights=batch.weights
        )
        for empty in ("omit", "neighbours"):
            result = rules_by(points, "subject", name, empty)
            expected = np.stack([fill(table, empty) for table in structure.consequents])
            np.testing.assert_array_equal(result["S_M"], expected[:, 1, 2])
            np.testing.assert_array_equal(result["M_S"], expected[:, 2, 1])
            tables[name, empty] = expected
    # The choices matter here, so that a mistaken one would be seen.
    assert np.isnan(tables["spacing", "omit"][:, 1:3, 1:3]).any()
    assert not np.isnan(tables["spacing", "neighbours"]).any()


def test_the_share_of_draws_counts_draws_with_all_cells_as_printed():
    rules = pd.DataFrame(
        {
            "subject": ["f", "s"] * 4,
            "draw": [1, 1, 2, 2, 3, 3, 4, 4],
            "S_M": [1.0, 0.16, 1.0, 0.16, 1.0, 0.3, 0.9, 0.16],
            "M_S": [0.0, 0.33, 0.0, 0.335, 0.0, 0.33, 0.0, 0.33],
        }
    )
    rules = rules.assign(normalisation="subject", width="spacing", empty="omit")
    cells = key_cells._key_cells(rules, (("f",), ("s",)), PRINTED).set_index("path")
    assert cells["draws_as_printed"].to_dict() == {"first_draw": 0.5, "mean_of_draws": 0.5}
    assert cells.loc["first_draw", ["fast_S_M", "slow_M_S"]].tolist() == [1.0, 0.33]
    assert cells.loc["mean_of_draws", "slow_S_M"] == pytest.approx((3 * 0.16 + 0.3) / 4)


def summary_of(rows):
    """The summary of group specifications given by what differs from one that matches."""
    choices = {**specification.GROUPING, **specification.TESTING}
    match = {name: values[0] for name, values in choices.items()}
    match |= {"n_fast": 7, "n_slow": 6, "members": "a|b", "p_fast": 0.185, "p_slow": 0.295}
    match |= {"p_first": 0.001, "p_last": 0.001, "fast_change": 1.0, "slow_change": -1.0}
    match |= {"matches_groups": True, "matches_paper": False, "draws_as_printed": 0.1}
    frame = pd.DataFrame([{**match, **row} for row in rows])
    return specification.summarise(frame, frame, PRINTED).set_index("key")["value"]


def test_the_summary_counts_what_it_says():
    other = {"matches_groups": False, "draws_as_printed": 0.9}
    text = summary_of(
        [
            {"fast": "<=", "missed": True},
            {"fast": "<=", "missed": True, "draws_as_printed": 0.15},
            {"fast": "<=", "missed": False, "p_last": 0.005, "fast_change": -1.0},
            {"fast": "<", "slow": ">", "missed": False, "p_fast": 0.5, **other},
            {"fast": "<", "slow": ">=", "p_fast": 0.6, **other},
            {"n_fast": 8, "members": "c|d", "p_fast": 0.7, "p_slow": 0.1, **other},
            {"n_slow": 7, "p_fast": 0.8, "p_slow": 0.1, "test": "welch_t", **other},
        ]
    )
    expected = {"groups": 7, "pairs": 2, "sizes": 5, "sizes_stated": 1, "matching": 3}
    # Stated are < and > without missed deadlines: none of those that match.
    expected |= {
        "matching_stated": 0,
        "stated": 1,
        "between_stated": 1,
        "matching_pairs": 1,
        "matching_tests": 1,
    }
    expected |= {"matching_whole": 0, "draws": 0.15, "fast": "<=", "between": 6, "signs": 6}
    assert text[list(expected)].to_dict() == expected
    # 0.185, 0.295: four pairs of digits; 0.5, 0.6 with 0.295: two each; 0.7, 0.8 with 0.1: one.
    assert text["chance_match"] == pytest.approx(10 / 101**2)
    assert text["chance_match_sizes"] == pytest.approx(8 / 101**2)
    nothing = summary_of([{"matches_groups": False}])
    assert (nothing["matching"], nothing["test"]) == (0, "none")


def test_subjects_without_a_boundary_in_a_window_are_left_out():
    first = [50.0, 60.0, 75.0, 90.0, 200.0, 220.0]
    last = [58.0, 61.0, 80.0, np.nan, 150.0, 190.0]
    table = pd.DataFrame({"first": first, "last": last}, index=list("abcdef"))
    for test in specification.TESTING["test"]:
        result = specification.compare_groups(table, ("a", "b", "c", "d"), ("e", "f"), test)
        assert result == specification.compare_groups(table, ("a", "b", "c"), ("e", "f"), test)
    assert result["fast_change"] == pytest.approx(14 / 3)
