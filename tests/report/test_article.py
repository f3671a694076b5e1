"""The article and the abstract: every number from a table, every word from a judge."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from fuzzybounds.core.errors import InputError
from fuzzybounds.report import article
from fuzzybounds.report.article import SENTENCES, Facts, fill, write_abstract
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.claims.claim import CONCLUSIONS


@pytest.fixture
def facts(tmp_path):
    folder = tmp_path / "lab"
    folder.mkdir()
    rows = [("C13", "supported", 0.5), ("C14", "undecided", float("nan"))]
    table = pd.DataFrame(rows, columns=["id", "conclusion", "p"])
    own = Facts(tmp_path)
    own.table = lambda name: {"lab/claims": table}[name]  # ty: ignore
    return own


def test_values_are_named_by_table_row_and_format(facts):
    text = fill('#x << value("lab/claims", "p", ".2f", id="C13") >> [<< "a_b #1" >>]', facts)
    assert text == r"#x 0.50 [a\_b \#1]"
    assert facts.used == [("lab/claims", "id C13", "0.50")]


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ('<< value("lab/claims", "p", id="C99") >>', "lab/claims, p, id C99: .* found 0 rows"),
        ('<< value("lab/claims", "p", id="C14") >>', "found an empty cell"),
        ('<< value("lab/claims", "p") >>', "found 2 rows"),
        ('<< say("lab", "C14", {"supported": "yes"}) >>', "no words for 'undecided'"),
    ],
)
def test_what_is_not_there_stops_the_build(facts, template, said):
    with pytest.raises(InputError, match=said):
        fill(template, facts)


def test_a_table_that_was_not_made_is_named(tmp_path):
    (tmp_path / "lab").mkdir()
    with pytest.raises(InputError, match="lab/groups: no such table"):
        Facts(tmp_path).table("lab/groups")


def test_words_follow_the_conclusion(facts):
    template = '<< say("lab", "C13", {"supported": "stay", "not supported": "are not"}) >>'
    assert fill(template, facts) == "stay"


def rows(**conclusions):
    return [
        {"id": name, "group": claim.group, "verdict": "reproduced",
         "conclusion": conclusions.get(name, "supported")}
        for name, claim in CLAIMS.items()
    ]  # fmt: skip


def test_an_abstract_says_each_conclusion_in_words():
    said = write_abstract(rows(C14="undecided", C18="cannot be identified", B01="withheld"))
    assert said[0].startswith("Of 8 claims about formulas and the task 8 come out as printed")
    assert SENTENCES["C14"]["undecided"] in said
    assert len(said) == len(SENTENCES)
    with pytest.raises(InputError, match="C16: no sentence for the conclusion 'perhaps'"):
        write_abstract(rows(C16="perhaps"))


def test_every_sentence_is_about_a_claim_and_one_of_its_conclusions():
    assert set(SENTENCES) <= set(CLAIMS)
    assert {name for texts in SENTENCES.values() for name in texts} <= set(CONCLUSIONS)


def test_a_document_is_typeset_without_a_date():
    pytest.importorskip("typst", reason="the package of the extra `article` is not installed")
    files = {"main.typ": b'#set document(title: "t")\n= Heading\nText @a.\n#bibliography("r.bib")',
             "r.bib": b"@misc{a, author = {A, B}, title = {T}, year = {2016}}"}  # fmt: skip
    pdf = article.typeset(files)
    assert pdf.startswith(b"%PDF")
    assert article.typeset(files) == pdf


def test_metadata_invent_nobody(project_root):
    citation = yaml.safe_load((project_root / "CITATION.cff").read_text())
    found = yaml.safe_load(article._metadata(["the developers"], citation, "Abstract."))
    assert found["authors"] == [
        {"name": "the developers", "orcid": None, "email": None, "affiliations": "1,*"}
    ]
    assert found["replication"][0]["cite"].startswith("Arash Khodadadi, Pegah Fakhari, Jerome R. ")
    assert found["type"] == "Replication"
