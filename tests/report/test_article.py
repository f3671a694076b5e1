"""The article and the abstract: every number from a table, every word from a judge."""

from __future__ import annotations

import re
from hashlib import sha256
from importlib import resources
from pathlib import Path

import pandas as pd
import pytest

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.report import article
from fuzzybounds.report.article import SENTENCES, Facts, fill, write_abstract
from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.claims.claim import CANNOT


@pytest.fixture
def facts(monkeypatch, tmp_path):
    claims = [("C13", "supported", "7", 0.5), ("C14", "undecided", CANNOT, float("nan"))]
    questions = [("boundary", "easy", 0.0, 0.0), ("rules", "easy", -40.0, 19.0)]
    sessions = [
        ("boundary, dependent trials", -40.0, 21.0),
        ("rules, dependent trials", 0.0, 0.0),
        ("rules, independent trials", -90.0, 30.0),
        ("boundary, independent trials", -80.0, 31.0),
    ]
    tables = {
        "lab/claims": pd.DataFrame(claims, columns=["id", "conclusion", "ours", "p"]),
        "lab/stopping_questions": pd.DataFrame(
            questions, columns=["answer", "condition", "elpd_difference", "se"]
        ),
        "lab/session_comparison": pd.DataFrame(
            sessions, columns=["model", "elpd_difference", "se"]
        ).assign(condition="all", elpd=lambda own: own["elpd_difference"]),
    }
    monkeypatch.setattr(Facts, "table", lambda self, name: tables[name])
    return Facts(tmp_path, "lab")


def test_values_are_named_by_table_row_and_format(facts):
    text = fill('#x << value("claims", "p", ".2f", id="C13") >> [<< "a_b #1" >>]', facts)
    assert text == r"#x 0.50 [a\_b \#1]"
    assert facts.used == [("lab/claims", "p, id C13", "0.50")]


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ('<< value("claims", "p", id="C99") >>', "lab/claims, p, id C99: .* found 0 rows"),
        ('<< value("claims", "p", id="C14") >>', "found an empty cell"),
        ('<< value("claims", "p") >>', "found 2 rows"),
        ('<< say("C14", {"supported": "yes"}) >>', "no words for 'undecided'"),
    ],
)
def test_what_is_not_there_stops_the_build(facts, template, said):
    with pytest.raises(InputError, match=said):
        fill(template, facts)


def test_a_table_that_was_not_made_is_named(tmp_path):
    (tmp_path / "lab").mkdir()
    with pytest.raises(InputError, match=r"lab/groups\.csv: no such file"):
        Facts(tmp_path, "lab").table("lab/groups")


def test_words_follow_the_conclusion(facts):
    template = '<< say("C13", {"supported": "stay", "not supported": "are not"}) >>'
    assert fill(template, facts) == "stay"
    assert [facts.tested(claim) for claim in ("C13", "C14")] == [True, False]


def test_a_lead_is_that_of_the_first_and_is_clear_beyond_two_standard_errors(facts):
    assert facts.lead("lab", "boundary", "rules", condition="easy") == "+40 ± 19"
    assert facts.sessions("lab") == "-40 ± 21"
    assert facts.told("lab") == "the two are not told apart"
    facts.table("lab/session_comparison").loc[0, "se"] = 19.0
    assert facts.told("lab") == "the rules are ahead"
    assert facts.dependence("lab") == "+80 ± 31"
    facts.table("lab/session_comparison").loc[1, ["elpd", "elpd_difference"]] = -100.0
    with pytest.raises(InputError, match="neither boundary, dependent trials nor rules, dep"):
        facts.sessions("lab")


class AnyFacts:
    """Stands for tables that have everything."""

    def __getattr__(self, name):
        return lambda *given, **where: "1"

    def rows(self, *given, **where):
        names = ("id", "claim", "verdict", "conclusion", "condition", "scheme")
        return pd.DataFrame([dict.fromkeys(names, "x")])


@pytest.mark.parametrize("second", ["experiment_b", ""])
def test_the_article_of_another_data_set_has_no_sentence_about_experiment_b(second):
    template = resources.files("fuzzybounds.report").joinpath("article.typ").read_text("utf-8")
    more = {"title": "T", "authors": ["N"], "abstract": "", "policy": {}, "versions": {}}
    logs = [("lab", "lab")]
    text = fill(
        template, AnyFacts(), dataset="lab", second=second, name="lab", logs=logs, commit="", **more
    )
    assert bool(re.search(r"\bB\b(?!01)", text)) == bool(second)


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
    assert {name for texts in SENTENCES.values() for name in texts} <= set(LOOKS)


def test_a_document_is_typeset_without_a_date():
    pytest.importorskip("typst", reason="the package of the extra `article` is not installed")
    files = {"main.typ": b'#set document(title: "t")\n= Heading\nText @a.\n#bibliography("r.bib")',
             "r.bib": b"@misc{a, author = {A, B}, title = {T}, year = {2016}}"}  # fmt: skip
    pdf = article.typeset(files)
    assert pdf.startswith(b"%PDF")
    assert article.typeset(files) == pdf


@pytest.mark.parametrize("orcid", ["", "0000-0002-1825-0097"])
def test_a_codecheck_has_the_fields_of_its_authors(tmp_path, monkeypatch, project_root, orcid):
    """What specification 1.0 requires of authors, and nothing that a codechecker decides."""
    monkeypatch.chdir(tmp_path)
    files = [Path("results/lab/figures/fig01.svg"), Path("results/lab/claims.csv")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)
    citation = read_yaml(project_root / "CITATION.cff")
    if orcid:
        citation["authors"][0]["orcid"] = f"https://orcid.org/{orcid}"
    written = tmp_path / "codecheck.yml"
    written.write_text(article._codecheck("T", citation, files, ["other", "lab"]))
    assert written.read_text().startswith("%YAML 1.1\n---\n")
    found = read_yaml(written)
    assert found["version"] == "https://codecheck.org.uk/spec/config/1.0"
    assert len(found["manifest"]) == len(files)
    for own in found["manifest"]:
        content = (written.parent / own["file"]).read_bytes()
        assert own["comment"] == f"SHA-256 {sha256(content).hexdigest()}"
    assert found["paper"]["title"] == "T"
    assert "https://arxiv.org/abs/1608.07244" in found["paper"]["reference"]
    author = found["paper"]["authors"][0]
    assert author["name"]
    assert author.get("ORCID", "") == orcid
    assert not {"codechecker", "report", "certificate", "check_time", "summary"} & set(found)
    assert found["fuzzybounds_commands"][-1] == "fuzzybounds run lab --only article"


def test_the_codecheck_lies_where_its_paths_begin(project_root):
    rule = (project_root / "workflow/rules/report.smk").read_text().split("rule write_article:")[1]
    assert 'codecheck="codecheck.yml"' in rule.split("\nrule ")[0]
