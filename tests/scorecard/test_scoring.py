"""The scorecard: every claim is whole, and results depend on whose data they are about."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.statistics import wilson
from fuzzybounds.report.terminal import LOOKS, RESULTS
from fuzzybounds.scorecard.claims import CLAIMS, Claim
from fuzzybounds.scorecard.findings import Finding
from fuzzybounds.scorecard.judges.judge import (
    JUDGES,
    Judged,
    by_intervals,
    few_for_share,
    judge,
    supported,
)
from fuzzybounds.scorecard.scoring import doubt, judged, score
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    CANNOT,
    NOT,
    SUPPORTED,
    UNDECIDED,
    UNPRINTED,
    UNSUPPORTED,
    UNTESTABLE,
    WITHHELD,
)
from fuzzybounds.scorecard.words.words import PIECES, SENTENCES


def test_claims_are_numbered_and_whole():
    of_the_paper = [id_ for id_ in CLAIMS if id_.startswith("C")]
    assert of_the_paper == [f"C{number:02d}" for number in range(1, len(of_the_paper) + 1)]
    assert list(CLAIMS)[len(of_the_paper) :] == ["B01", "B02"]
    for claim in CLAIMS.values():
        assert set(claim.tables) <= set(TABLES), claim.id
        assert claim.paper, claim.id
        assert claim.control, claim.id
        assert "{" not in (claim.rule + claim.control).format(**JUDGES[claim.id].tolerance)
    assert set(JUDGES) == set(CLAIMS) == set(SENTENCES) - {"common"} | {"B01", "B02"}
    assert set(PIECES) <= set(CLAIMS)


def test_only_these_claims_come_out_with_nothing_chosen_or_changed():
    """All others say what was chosen."""
    default = {name for name, texts in SENTENCES.items() if "reason" not in texts} - {"common"}
    assert default == {"C01", "C08"}


def claim(about="experiment_a"):
    return CLAIMS["C13"]._replace(about=about)


def finding(**changes):
    plain = {"ours": "1", "verdict": AS_PRINTED, "note": "Note.", "conclusion": SUPPORTED}
    return Finding(**{**plain, **changes})


@pytest.mark.parametrize(
    ("dataset", "changes", "expected"),
    [
        ("experiment_a", {}, (AS_PRINTED, SUPPORTED)),
        ("experiment_a", {"few": "Too few."}, (AS_PRINTED, SUPPORTED)),
        ("my_lab", {}, (AS_PRINTED, SUPPORTED)),
        ("my_lab", {"verdict": NOT, "conclusion": UNSUPPORTED}, (NOT, UNSUPPORTED)),
        ("my_lab", {"few": "Too few."}, (UNDECIDED, UNDECIDED)),
        ("my_lab", {"verdict": NOT, "few": "Too few."}, (UNDECIDED, UNDECIDED)),
        ("my_lab", {"verdict": UNPRINTED, "few": "Too few."}, (UNPRINTED, UNDECIDED)),
        ("my_lab", {"verdict": UNTESTABLE, "few": "Too few."}, (UNTESTABLE, SUPPORTED)),
    ],
)
def test_results_are_about_the_subjects_at_hand(dataset, changes, expected):
    *results, note = judged(claim(), finding(**changes), {"name": dataset, "kind": "own"})
    assert tuple(results) == expected
    if dataset == "my_lab" and expected[0] != UNTESTABLE:
        assert note.startswith("The paper is about Experiment A; these are other subjects. Note.")


LOOKED = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7, "kind": "own"}


@pytest.mark.parametrize("dataset", ["experiment_a", "my_lab"])
def test_a_first_look_withholds_results_that_rest_on_subjects(dataset):
    *results, note = judged(claim(), finding(), {**LOOKED, "name": dataset})
    assert results == [WITHHELD, WITHHELD]
    assert note.startswith("First look (7 of 26 subjects): no verdict, ")
    anywhere = judged(claim("anyone"), finding(few="x"), {**LOOKED, "name": dataset})
    assert anywhere[0] == AS_PRINTED


@pytest.mark.parametrize(
    ("name", "follow", "truth"),
    [
        ("C13", "rules", "simulated fast and slow subjects differ in their rules, in both windows"),
        ("B01", "boundaries", "simulated subjects of one session stop by boundaries"),
        ("C01", "rules", "simulated with this design"),
    ],
)
def test_the_truth_of_simulated_subjects_is_told(name, follow, truth):
    described = {"name": "simulated", "kind": "simulated", "follow": follow}
    *_, note = judged(CLAIMS[name]._replace(about="experiment_a"), finding(), described)
    assert f"these are simulated. By construction {truth}. Note." in note


def test_a_claim_is_added_as_data_a_judge_and_sentences(monkeypatch):
    """What CONTRIBUTING.md says of a claim, with entries in place of files."""
    for known in (CLAIMS, JUDGES, SENTENCES):
        monkeypatch.setitem(known, "C99", None)
    fields = {"rule": "at most {most:g} s", "control": "more than {most:g} s"}
    CLAIMS["C99"] = Claim("C99", "people are fast", "Results", "fast", **fields)

    @judge("C99", most=2)
    def fast(tables, printed, tolerance):
        median = tables["trials"].median()
        few = len(tables["trials"]) < 3
        return Judged(NOT, supported(median <= tolerance["most"]), few, median=median)

    SENTENCES["C99"] = {"ours": "{median:.1f} s", "note": "Median.", "few": "Too few trials."}
    lab = {"experiment_a": {"claims": {}}, "dataset": {"name": "my_lab", "kind": "own"}}
    row = score(CLAIMS["C99"], {**lab, "trials": pd.Series([1.0, 1.5, 4.0])})
    assert (row["ours"], row["conclusion"], row["doubt"]) == ("1.5 s", SUPPORTED, "")
    assert row["tolerance"] == "at most 2 s"
    row = score(CLAIMS["C99"], {**lab, "trials": pd.Series([1.0, 4.0])})
    assert (row["conclusion"], row["doubt"]) == (UNDECIDED, "Too few trials.")


def test_experiment_a_stands_beside_other_data_sets_and_not_beside_itself():
    row = {"ours": "0.755", "verdict": AS_PRINTED, "conclusion": SUPPORTED}
    there = {"claims": {"C06": row}}
    beside_lab = "0.755 (comes out as printed; supported)"
    for name, beside in (("my_lab", beside_lab), ("experiment_a", "")):
        tables = {"experiment_a": there, "dataset": {"name": name, "kind": "own"}}
        assert score(CLAIMS["C06"], tables)["experiment_a"] == beside


def test_too_few_data_are_undecided_with_the_reason():
    empty = {"recovery_cells": TABLES["recovery_cells"].empty()}
    empty["fuzzy_fits"] = TABLES["fuzzy_fits"].empty()
    lab = {"experiment_a": {"claims": {}}, "dataset": {"name": "my_lab", "kind": "own"}}
    row = score(CLAIMS["C18"], {**empty, **lab})
    assert (row["ours"], row["verdict"], row["conclusion"]) == (CANNOT, UNDECIDED, UNDECIDED)
    assert row["note"].endswith("Insufficient data: there are no fits.")
    assert row["doubt"] == "Insufficient data: there are no fits."


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"few": "Too few.", "interval": "[-1, 1]"}, "Too few."),
        ({"interval": "[-1, 1]"}, "[-1, 1]"),
        ({}, "It would be refuted by: the interval of the difference"),
    ],
)
def test_what_is_undecided_has_a_reason(given, expected):
    assert doubt(claim(), finding(**given)).startswith(expected)


def test_shares_and_intervals_that_contain_their_threshold_decide_nothing():
    """Wilson's interval against the closed form worked out by hand for 8 of 10."""
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert not few_for_share(8, 10, 0.49)
    assert not few_for_share(8, 10, 0.95)
    assert few_for_share(8, 10, 0.5)
    assert by_intervals([(1, 2), (3, 4)]) == SUPPORTED
    assert by_intervals([(1, 2), (-1, 4)]) == by_intervals([]) == UNDECIDED
    assert by_intervals([(-2, -1), (-1, 4)]) == UNSUPPORTED


def test_the_committed_values_of_experiment_a(project_root):
    """Every claim has one, with a sign; Experiment A's results, where they are here, agree."""
    reference = json.loads((project_root / "workflow/experiment_a.json").read_text())["claims"]
    assert set(CLAIMS) == set(reference)
    assert {part[name] for part in reference.values() for name in RESULTS} <= set(LOOKS)
    path = project_root / "results/experiment_a/claims.csv"
    if not path.exists():
        pytest.skip("Experiment A's results are not in this folder")
    claims = pd.read_csv(path, keep_default_na=False, dtype=str).set_index("id")
    # Boundary models of class rl depend on the last digits of exp and log (C02 to C04, C22).
    for name in set(CLAIMS) - {"C02", "C03", "C04", "C22"}:
        assert reference[name] == claims.loc[name, list(reference[name])].to_dict(), name
