import numpy as np
import pandas as pd
import pytest

from fuzzybounds.analysis import groups, specification
from fuzzybounds.analysis.comparisons import compare
from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.intake import recordings
from fuzzybounds.storage.seeds import generator


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
    responded = rng.random(len(frame)) > 0.02
    return frame.assign(session=1, responded=responded, rt=frame["rt"].where(responded))


@pytest.fixture(scope="module")
def ranges(trials):
    return block_ranges(trials)


@pytest.fixture(scope="module")
def curve(trials, ranges):
    return specification.group_specifications(trials, ranges)


def test_every_combination_is_there_once(curve):
    choices = {**specification.GROUPING, **specification.TESTING}
    assert len(curve) == np.prod([len(values) for values in choices.values()])
    assert not curve.duplicated(list(choices)).any()


def test_a_row_is_what_the_default_code_gives(curve, trials, ranges):
    which = {"condition": "easy", "missed": True}
    how = {"quantile": "hazen", "fast": "<=", "slow": ">"}
    chosen = {**which, **how, "summary": "mean", "test": "student_t"}
    row = curve[np.logical_and.reduce([curve[k] == v for k, v in chosen.items()])].iloc[0]
    medians = groups.boundaries(trials, ranges, **which, summary="median")["first"]
    table = groups.boundaries(trials, ranges, **which, summary="mean")
    group = groups.assign(medians, **how)
    slow = table[group == "slow"]
    assert row["n_slow"] == len(slow)
    expected = compare(slow["last"], slow["first"], "student_t", generator(0)).p
    assert row["p_slow"] == pytest.approx(expected)


def test_paired_tests_compare_groups_by_their_unpaired_counterpart(curve):
    same = ["condition", "missed", "quantile", "fast", "slow", "summary"]
    wide = curve.pivot_table("p_first", same, "test")
    np.testing.assert_allclose(wide["paired_t"], wide["student_t"])
    np.testing.assert_allclose(wide["wilcoxon"], wide["mann_whitney"])


def test_key_cells_are_means_over_members(trials, ranges):
    samples = draw_points(trials, recordings.empty(), 2, 1, "specification")
    members = pd.DataFrame({"condition": ["easy"], "members": ["s00,s01|s10,s11"]})
    table = specification.table_specifications([samples], ranges, members)
    expected = np.prod([len(values) for values in specification.TABULATING.values()])
    assert len(table) == expected
    cells = table[list(specification.CELLS)].to_numpy()
    inside = cells[np.isfinite(cells)]
    assert inside.size
    assert ((inside >= 0) & (inside <= 1)).all()
    first = table[table["path"] == "first_draw"]["fast_S_M"].dropna()
    assert set(first.unique()) <= {0.0, 0.5, 1.0}
    by_subject = (own for _, own in samples.groupby("subject"))
    in_parts = specification.table_specifications(by_subject, ranges, members)
    pd.testing.assert_frame_equal(in_parts, table)


@pytest.mark.parametrize(
    ("value", "printed", "agrees"),
    [
        (1 / 6, 0.16, True),
        (1 / 6, 0.17, True),
        (0.1852, 0.18, True),
        (0.1849, 0.19, False),
        (0.29, 0.29, True),
        (0.2899, 0.28, True),
        (0.305, 0.29, False),
        (np.nan, 0.29, False),
    ],
)
def test_printed_digits_may_be_cut_or_rounded(value, printed, agrees):
    assert specification.prints_as(pd.Series([value]), printed).iloc[0] == agrees


def test_matches_needs_every_number():
    curve = pd.DataFrame(
        {"n_fast": [7, 6, 7], "p_first": [0.001, 0.001, 0.01], "p_fast": [0.185, 0.185, 0.185]}
    )
    printed = {"n_fast": 7, "p_first": 0.005, "p_fast": 0.18}
    assert specification.matches(curve, printed).tolist() == [True, False, False]


def test_chance_counts_the_pairs_that_are_hit():
    one = pd.DataFrame({"a": [0.5, 0.5], "b": [0.25, 0.25]})
    assert specification.chance_of_match(one, ("a", "b")) == pytest.approx(1 / 101**2)
    between = pd.DataFrame({"a": [0.506], "b": [0.256]})
    assert specification.chance_of_match(between, ("a", "b")) == pytest.approx(4 / 101**2)
