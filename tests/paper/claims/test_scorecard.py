"""The scorecard: every claim is whole, and verdicts depend on whose data they are about."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.analysis.intervals import wilson
from fuzzybounds.paper.claims import CLAIMS, printed_numbers, tables_of_claims
from fuzzybounds.paper.claims.claim import (
    DIRECTION,
    ELSEWHERE,
    NOT,
    REPRODUCED,
    UNTESTABLE,
    WITHHELD,
    few_for_share,
)
from fuzzybounds.paper.claims.scorecard import as_text, score
from fuzzybounds.storage.registry import TABLES


def groups_table(fast, slow, middle=13):
    return {"groups": pd.DataFrame({"group": ["fast"] * fast + ["slow"] * slow + ["m"] * middle})}


def test_claims_are_numbered_and_whole():
    of_the_paper = [id_ for id_ in CLAIMS if id_.startswith("C")]
    assert of_the_paper == [f"C{number:02d}" for number in range(1, len(of_the_paper) + 1)]
    assert len(of_the_paper) >= 17
    assert list(CLAIMS)[len(of_the_paper) :] == ["B01"]
    for claim in CLAIMS.values():
        assert set(claim.tables) <= set(TABLES), claim.id
        assert "{" not in claim.explain()
    assert set(tables_of_claims()) <= set(TABLES)
    assert printed_numbers("C13", "C14") == {
        "p_first": 0.005,
        "p_last": 0.005,
        "p_fast": 0.18,
        "p_slow": 0.29,
    }


def test_what_the_report_says_of_a_tolerance_is_the_number_that_decides():
    assert "(none on hard errors) within 0.01 s" in CLAIMS["C01"].explain()
    assert CLAIMS["C17"].explain().startswith("0.05, ")


@pytest.mark.parametrize(
    ("dataset", "kind", "sizes", "verdict"),
    [
        ("experiment_a", "published", (7, 6, 13), REPRODUCED),
        ("experiment_b", "published", (7, 6, 13), ELSEWHERE[REPRODUCED]),
        ("experiment_b", "published", (5, 5, 10), ELSEWHERE[DIRECTION]),
        ("my_lab", "own", (0, 0, 2), ELSEWHERE[NOT]),
        ("simulated", "simulated", (7, 7, 12), "does not hold here"),
    ],
)
def test_a_verdict_is_about_the_subjects_at_hand(dataset, kind, sizes, verdict):
    (row,) = score({"C09": CLAIMS["C09"]}, groups_table(*sizes), dataset, kind).itertuples()
    assert row.verdict == verdict
    if dataset != "experiment_a":
        assert row.note.startswith("The paper is about Experiment A; these are ")


def test_unpublished_data_give_no_verdict():
    empty = TABLES["rules"].empty()
    tables = {"rules": empty, "dataset": {"recorded_paths": []}}
    (row,) = score({"C15": CLAIMS["C15"]}, tables, "experiment_a", "published").itertuples()
    assert row.verdict == UNTESTABLE


def test_claims_about_the_model_hold_anywhere():
    (row,) = score({"C06": CLAIMS["C06"]}, {}, "my_lab", "own").itertuples()
    assert row.verdict == REPRODUCED


LOOKED = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7}


@pytest.mark.parametrize("dataset", ["experiment_a", "my_lab"])
def test_a_first_look_withholds_verdicts_that_rest_on_subjects(dataset):
    tables = groups_table(2, 2, 3) | {"dataset": LOOKED}
    claims = {name: CLAIMS[name] for name in ("C06", "C09")}
    worked, groups = score(claims, tables, dataset, "published").itertuples()
    assert worked.verdict == REPRODUCED
    assert (groups.verdict, groups.ours) == (WITHHELD, "2 fast, 2 slow")
    assert groups.note.startswith("First look (7 of 26 subjects): no verdict, ")


def test_the_text_of_a_first_look_says_so_at_its_head():
    scores = score({"C06": CLAIMS["C06"]}, {}, "any", "own")
    lines = as_text(scores, first_look="First look (7 of 26 subjects)").splitlines()
    assert lines[:2] == ["Scorecard of any", "First look (7 of 26 subjects)"]


def test_wilsons_interval():
    """Against the closed form worked out by hand for 8 of 10."""
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert few_for_share(8, 10, 0.49) == ""
    assert "[0.49, 0.94], which contains 0.5" in few_for_share(8, 10, 0.5)


def test_text_has_every_claim():
    scores = score({name: CLAIMS[name] for name in ("C06", "C07")}, {}, "any", "own")
    text = as_text(scores, ["two subjects only"])
    assert "C06  REPRODUCED" in text
    assert "C07  REPRODUCED" in text
    assert "  - two subjects only" in text
    assert max(map(len, text.splitlines())) <= 100
    assert np.all([len(line) for line in text.splitlines()])
