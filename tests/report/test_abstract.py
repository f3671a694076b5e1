"""The abstract: its words follow conclusions and leads, its numbers are those of the tables."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES, file_of
from fuzzybounds.core.errors import InputError
from fuzzybounds.report import abstract
from fuzzybounds.report.abstract import QUERY as QUERY_MARK
from fuzzybounds.report.abstract import SENTENCES, write_abstract
from fuzzybounds.report.queries import numbers, phrase
from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.scorecard.claims import CLAIMS

QUERY = "a.csv d,se .0f | question=kind | answer={} | over answer={}"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Two data sets with a claim, a lead and a share each, and the sentences on them."""
    for name, conclusion, share in (("x", "supported", 0.87), ("y", "undecided", 0.55)):
        (tmp_path / name).mkdir()
        claims = {"id": ["C03"], "conclusion": [conclusion]}
        rows = pd.DataFrame(claims).reindex(columns=TABLES["claims"].names, fill_value="-")
        rows.to_csv(tmp_path / name / file_of("claims"), index=False)
        table = (
            f"question,answer,d,se,low,high\nkind,one,0,0,{share},0.9\nkind,other,-30,14,0.2,0.3\n"
        )
        (tmp_path / name / "a.csv").write_text(table)
    lead = QUERY.format("one", "other")
    share = "a.csv low .0% | answer=one"
    sentences = [
        {"claim": "C03", "supported": "It falls:", "then": f"by {{here/{share}}}."},
        {"claim": "C03", "log": "other", "undecided": "Or not:", "then": f"{{other/{share}}}."},
        {"lead": f"here/{lead}", "ahead": "One:", "then": f"by {{here/{lead}}}."},
        {"then": "{here/b.csv low .0% | answer=one}."},
    ]
    monkeypatch.setattr(abstract, "SENTENCES", sentences)
    return tmp_path


def test_words_follow_results_and_numbers_are_filled(results):
    (results / "x/b.csv").write_text("answer,low\none,0.07\n")
    assert [str(one) for one in write_abstract(results, "x", "y")] == [
        *("It falls: by 87%.", "Or not: 55%.", "One: by 30 ± 14.", "7%."),
    ]
    marked = write_abstract(results, "x", "y", lambda query, words: f"<{query.split()[0]}>{words}")
    assert [one.then for one in marked][:2] == ["by <x/a.csv>87%.", "<y/a.csv>55%."]


def test_a_missing_table_stops_the_article_and_shortens_a_report(results):
    assert [str(one) for one in write_abstract(results, "x", None)] == [
        *("It falls: by 87%.", "One: by 30 ± 14."),
    ]
    with pytest.raises(InputError, match=r"b\.csv"):
        write_abstract(results, "x", "y")


def test_a_result_without_words_stops_the_article_and_shortens_a_report(results):
    # The lead is less than two standard errors: no words for undecided.
    table = results / "x/a.csv"
    table.write_text(table.read_text().replace("14,", "15.1,"))
    with pytest.raises(InputError, match=r"a\.csv d,se .*: no sentence for 'undecided'"):
        write_abstract(results, "x", "y")
    assert len(write_abstract(results, "x", None)) == 1
    assert len(write_abstract(results, "y", None)) == 1


def test_every_sentence_is_about_a_claim_or_a_lead_and_its_results():
    leads = {"ahead", "behind", "undecided"}
    for sentence in SENTENCES:
        openings = {*sentence} - {"claim", "lead", "log", "then"}
        assert {"claim", "lead"} > {"claim", "lead"} & {*sentence}
        assert sentence.get("claim", "C01") in CLAIMS
        assert openings == leads if "lead" in sentence else openings <= {*LOOKS}
        # What is typed are constants of the task and the analysis, and what a nat is.
        typed = " ".join([*map(sentence.get, openings), QUERY_MARK.sub("", sentence["then"])])
        assert {*re.findall(r"\d+(?:\.\d+)?", typed)} <= {"0.3", "0.4", "95", "3", "20"}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (QUERY.format("one", "other"), "30 ± 14"),
        (QUERY.format("other", "one"), "-30 ± 14"),
        ("a.csv d .0f | answer=two else one", "0"),
        ("a.csv d .0f | answer=one else other", "0"),
        ("a.csv low,high .1f | answer=o*r", "0.2 ± 0.3"),
        ("a.csv max:high .1f", "0.9"),
        ("a.csv rows .0f | high<0.5", "1"),
    ],
)
def test_what_a_query_gives(results, query, words):
    assert phrase(*numbers(query, results / "x")) == words


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("a.csv d .0f", "2 rows, expected one"),
        ("a.csv d .0f | answer=none", "0 rows, expected one"),
        ("a.csv d,se .0f | answer=one | over answer=none", "no rows to compare"),
        ("a.csv mean:d .0f | answer=none", "an empty cell"),
    ],
)
def test_a_query_without_a_number_is_an_error(results, query, message):
    with pytest.raises(ValueError, match=message):
        numbers(query, results / "x")
