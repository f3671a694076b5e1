"""Recovery of rules: what is counted, and that the truth itself is recovered perfectly."""

import itertools

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.recovery import rule_tables
from fuzzybounds.checks.recovery.rules import _rules, compare, recover_rules
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.likelihood import mean_loss
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase

TABLES_OF_RULES = (
    {"L": "SSS", "M": "CSS", "S": "CCS"},
    {"L": "SSS", "M": "SSS", "S": "CSS"},
)
WIDE = equidistant(3, width=0.3, convention="width")


@pytest.fixture(scope="module")
def truths():
    return {
        (subject, window, draw): Controller(WIDE, WIDE, RuleBase.from_table(rows))
        for subject, rows in zip("ab", TABLES_OF_RULES, strict=True)
        for window in ("first", "last")
        for draw in (1, 2)
    }


@pytest.fixture(scope="module")
def points(truths):
    parts = []
    for number, ((subject, window, draw), truth) in enumerate(truths.items()):
        rng = np.random.default_rng(number)
        t, x = rng.random((2, 80))
        y = rng.random(80) < truth.output(t, x)
        columns = {"time": t, "position": x, "responded": y}
        parts.append(pd.DataFrame({"subject": subject, "window": window, "draw": draw, **columns}))
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def tables(points):
    return fit_points(points, 3)


def tabulate_cells(truths, rules):
    return rule_tables.tabulate_cells(_rules(truths, rules))


def test_cells_are_counted_by_their_true_consequent(truths, tables):
    got = tabulate_cells(truths, tables.rules).set_index(
        ["time_label", "position_label", "consequent"]
    )
    rules = tables.rules
    cell = rules[(rules["time_label"] == "S") & (rules["position_label"] == "M")]
    for subject, true in (("a", 0.0), ("b", 1.0)):
        part = cell[cell["subject"] == subject]
        row = got.loc[("S", "M", true)]
        assert row["n"] == 4
        assert row["subjects"] == 1
        assert row["found"] == pytest.approx((part["consequent"] == true).mean())
        assert row["recovered"] == pytest.approx((part["consequent"].dropna() == true).mean())
        stop = rules["consequent"].dropna().mean()
        assert row["guess"] == pytest.approx(stop if true else 1 - stop)


def test_an_empty_cell_is_not_found_and_not_wrong(truths, tables):
    rules = tables.rules.copy()
    one = (rules["time_label"] == "M") & (rules["position_label"] == "M")
    rules.loc[one, "consequent"] = [1.0, np.nan] * 4
    row = tabulate_cells(truths, rules).query("time_label == 'M' and position_label == 'M'")
    assert row[["n", "empty", "found", "recovered"]].to_numpy().tolist() == [[8, 0.5, 0.5, 1.0]]


def test_the_place_may_agree_where_the_name_does_not(tables):
    """A subject whose labels reach twice as far: the fit's "large" is the subject's "medium"."""
    far = equidistant(3, low=0, high=2, convention="width")
    rules = RuleBase.from_table({"L": "SSS", "M": "CCC", "S": "CCC"})
    keys = itertools.product("ab", ("first", "last"), (1, 2))
    truths = dict.fromkeys(keys, Controller(WIDE, far, rules))
    fitted = tables.rules.assign(consequent=0.0)
    large = tabulate_cells(truths, fitted).query("position_label == 'L'")
    assert (large["found"] == 0).all()
    assert (large["at_place"] == 1).all()


def test_the_truth_itself_is_recovered_perfectly(truths, tables, points):
    def true(row, name):
        return getattr(getattr(truths[row.subject, row.window, row.draw], row.variable), name)[
            "SML".index(row.label)
        ]

    rows = list(tables.memberships.itertuples())
    memberships = tables.memberships.assign(
        center=[true(row, "centers") for row in rows], width=[true(row, "widths") for row in rows]
    )
    every = [
        truths[key].rules.consequents.ravel()
        for key in tables.fits[["subject", "window", "draw"]].itertuples(index=False, name=None)
    ]
    rules = tables.rules.assign(consequent=np.concatenate(every))
    got = compare(truths, tables._replace(memberships=memberships, rules=rules), points)
    tabulated = rule_tables.tabulate_recovery(got.rules, got.labels)
    assert (tabulated.cells["found"] == 1).all()
    np.testing.assert_allclose(tabulated.memberships[["center_bias", "width_sd"]], 0, atol=1e-15)
    np.testing.assert_allclose(got.losses["output_error"], 0, atol=1e-15)
    part = points.query("subject == 'b' and window == 'last' and draw == 2")
    expected = mean_loss(truths["b", "last", 2], part["time"], part["position"], part["responded"])
    assert got.losses["true_loss"].iloc[-1] == pytest.approx(expected)


def test_simulated_subjects_are_fitted_and_compared():
    fuzzy = {"condition": "easy", "blocks": 20, "normalisation": "subject", "penalty": 2.0}
    result = recover_rules({"one_session": 1, "three_session": 1}, fuzzy, draws=1, seed=1)
    tabulated = rule_tables.tabulate_recovery(result.rules, result.labels)
    for name, table in {**result._asdict(), **tabulated._asdict()}.items():
        assert list(table) == TABLES[f"recovery_{name}"].names
    assert tabulated.cells.groupby("labels")["n"].sum().to_dict() == {3: 18, 5: 50}
    assert result.losses["loss_after"].lt(result.losses["true_loss"]).all()
