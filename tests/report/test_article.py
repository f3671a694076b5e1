"""The article and the abstract: every number from a table, every word from a judge."""

from __future__ import annotations

from hashlib import sha256
from importlib import resources, util
from pathlib import Path

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.report import article
from fuzzybounds.report.article import SENTENCES, write_abstract
from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.verdicts import AS_PRINTED

typst = pytest.mark.skipif(
    util.find_spec("typst") is None, reason="the package of the extra `article` is not installed"
)


LOOKUP = resources.files("fuzzybounds.report").joinpath("lookup.typ").read_bytes()
SIMULATED = {"question": "kind", "delay": "fitted"}
QUANTITIES = (
    "sigma",
    "correlation",
    "drift",
    "after_easy_error",
    "after_hard_error",
    "motor_delay",
)
SUMMARY = {"matching": "8", "groups": "96", "missed": "True", "fast": "<=", "chance_match": "0.031"}


def made_up(condition: str) -> dict[str, list[dict]]:
    """Rows of one experiment with everything that the article reads."""
    where = {"condition": condition, "scheme": "interleaved"}
    asked = [
        {"question": "kind", "delay": delay, "answer": answer, **difference}
        for delay in ("none", "fitted")
        for answer, difference in (("boundary", BEST), ("rules", BEHIND))
    ]
    delays = [
        {"question": "delay", "scheme": scheme, "answer": answer, **difference}
        for scheme in ("interleaved", "contiguous")
        for answer, difference in (("fitted", BEST), ("none", BEHIND))
    ]
    models = ("boundary_directed, dependent", "rules_directed, dependent", "boundary, independent")
    ends = {"low": 1.0, "high": 3.0}
    parts = [("half_of_first", "other_half_of_first"), ("other_half_of_first", "last")]
    judged = {"conclusion": "supported", "verdict": AS_PRINTED, "ours": "7", "note": "A note."}
    return {
        "claims": [
            {"id": name, "group": claim.group, "claim": claim.text} | judged
            for name, claim in CLAIMS.items()
        ],
        "errata": [{}],
        "exclusions": [],
        "design_check": [
            {"quantity": "p0", "condition": "easy", "value": 0.65},
            {"quantity": "p0", "condition": "hard", "value": 0.51},
            *(
                {"quantity": name, "value": 20.0}
                for name in ("subjects", "trials", "reward_rate_coins_per_s")
            ),
        ],
        "group_tests": [
            {"comparison": "slow_vs_fast_last", "test": "student_t", "mean_difference": 7.0, **ends}
        ],
        "regression_to_mean": [
            {"chosen_by": "half_of_first", "from": start, "to": end, "group": group, "change": 2.0}
            | ends
            for start, end in parts
            for group in ("fast", "slow")
        ],
        "specification_summary": [{"key": key, "value": value} for key, value in SUMMARY.items()],
        "optimum": [
            {"design": design, "respond_at": at, "reward_rate": 1.2}
            for design, at in (
                *(("paper_uncued", "steps"), ("paper_cued", "frames")),
                ("logs_b_uncued", "frames"),
            )
        ],
        "post_error": [
            {"quantity": name, "previous": "any", "measure": "regression", "change": 2.0, **ends}
            | {"p_holm": 0.106}
            for name in ("rt", "distance")
        ],
        "stopping_questions": [where | row for row in (*asked, *delays)],
        "stopping_power": [
            where | SIMULATED | {"true_answer": answer, "ahead": 80.0, "se": 9.0}
            for answer in ("boundary", "rules")
        ],
        "session_comparison": [
            {**where, "model": f"{name} trials", "elpd": -number, "elpd_difference": -number}
            | {"se": 3.0}
            for number, name in enumerate(models)
        ],
        "session_population": [
            {"kind": "boundary", "shuffle": 0, "quantity": name, "mean": 2.0, **where, **ends}
            for name in QUANTITIES
        ],
    }


BEST, BEHIND = {"elpd_difference": 0.0, "se": 0.0}, {"elpd_difference": -40.0, "se": 19.0}


@pytest.fixture
def values(monkeypatch):
    """What the article is typeset from, in tables with the columns of the dictionary."""
    made = {"experiment_a": made_up("easy"), "experiment_b": made_up("all")}
    made["shared"] = {
        "claim_controls": [{"as_expected": True}, {"as_expected": False}],
    }

    def read(folder):
        return {
            name: pd.DataFrame(rows, columns=TABLES[name].names)
            for name, rows in made[folder.name].items()
        }

    monkeypatch.setattr(article, "Results", read)
    words = {"title": "T", "authors": ["N", "M"], "abstract": "Said.", "policy": article.POLICY}
    words |= {"as_printed": AS_PRINTED, "commit": "abc", "versions": {"numpy": "2"}}
    return {"tables": article.read_values(Path("results")), "clear": 2.0, "text": words}


def whole(values) -> bytes:
    """The article, with empty figures."""
    parts = resources.files("fuzzybounds.report")
    files = {name: parts.joinpath(name).read_bytes() for name in article.PARTS}
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
    files |= {f"{name}.svg": picture for name in article.FIGURES}
    return article.typeset({"main.typ": files.pop("article.typ"), **files}, values)


def holds(condition: str, values) -> None:
    """Check a condition of typst on what the lookups return."""
    main = f'#import "lookup.typ": *\n#assert({condition})'
    article.typeset({"main.typ": main.encode(), "lookup.typ": LOOKUP}, values)


@typst
def test_the_article_is_typeset_from_tables_and_is_always_the_same(values):
    pdf = whole(values)
    assert pdf.startswith(b"%PDF")
    assert whole(values) == pdf


def row_of(values, table, **where):
    return next(
        row
        for row in values["tables"][table]
        if all(row[key] == value for key, value in where.items())
    )


@typst
@pytest.mark.parametrize(
    ("table", "where", "change", "message"),
    [
        ("a/claims", {"id": "C13"}, {"conclusion": "perhaps"}, 'no words for "perhaps"'),
        ("b/post_error", {"quantity": "rt"}, {"quantity": "x"}, "one row, found 0"),
        (
            "a/optimum",
            {"respond_at": "steps"},
            {"reward_rate": None},
            "expected a number, found none",
        ),
        ("b/session_comparison", {"elpd": 0}, {"elpd_difference": -1}, "no error of their lead"),
    ],
)
def test_what_is_not_there_and_what_has_no_words_stops_the_build(
    values, table, where, change, message
):
    row_of(values, table, **where).update(change)
    with pytest.raises(InputError, match=message):
        whole(values)


@typst
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("number(0.125, 2)", "0.13"),
        ("number(-0.04, 1)", "0.0"),
        ("number(-12.5, 0, signed: true)", "−13"),
        ('interval(row("a/post_error", quantity: "rt"), "change", 1)', "+2.0 [+1.0, +3.0]"),
        ('after("rt", "a", 1, "s")', "+2.0 [+1.0, +3.0] s (p = 0.11)"),
        ('lead("a", "rules", "boundary", question: "kind", delay: "none")', "−40 ± 19"),
        ('expected("b", "rules", "all", "interleaved")', "+80 ± 9"),
    ],
)
def test_numbers_and_leads_are_those_of_the_tables(values, call, text):
    holds(f'{call} == "{text}"', values)


@typst
def test_a_lead_is_clear_beyond_two_standard_errors(values):
    row = row_of(values, "a/session_comparison", elpd=-1)
    row["elpd_difference"] = -6.1
    holds('told("a") == "the boundary is ahead"', values)
    row["elpd_difference"] = -6.0
    holds('told("a") == "the two are not told apart"', values)


def test_a_table_that_was_not_made_is_named(tmp_path):
    (tmp_path / "experiment_a").mkdir()
    with pytest.raises(InputError, match=r"experiment_a/claims\.csv: no such file"):
        article.read_values(tmp_path)


def rows(**conclusions):
    return [
        {"id": name, "group": claim.group, "verdict": AS_PRINTED,
         "conclusion": conclusions.get(name, "supported")}
        for name, claim in CLAIMS.items()
    ]  # fmt: skip


def test_an_abstract_says_each_conclusion_in_words():
    sentences = write_abstract(rows(C14="undecided", C18="not identified", B01="withheld"))
    assert sentences[0] == SENTENCES["B02"]["supported"]
    assert sentences[-1].startswith("Of 10 claims about formulas and the task 10 come out as ")
    assert SENTENCES["C14"]["undecided"] in sentences
    assert len(sentences) == len(SENTENCES)
    with pytest.raises(InputError, match="C16: no sentence for the conclusion 'perhaps'"):
        write_abstract(rows(C16="perhaps"))


def test_every_sentence_is_about_a_claim_and_one_of_its_conclusions():
    assert set(SENTENCES) <= set(CLAIMS)
    assert {name for texts in SENTENCES.values() for name in texts} <= set(LOOKS)


@pytest.mark.parametrize(
    ("orcid", "doi", "reference"),
    [
        ("", "", "Not published; a replication of arXiv:1608.07244"),
        ("0000-0002-1825-0097", "10.5281/zenodo.1", "https://doi.org/10.5281/zenodo.1"),
    ],
)
def test_a_codecheck_has_the_fields_of_its_authors(
    tmp_path, monkeypatch, project_root, orcid, doi, reference
):
    """What specification 1.0 requires of authors, and nothing that a codechecker decides."""
    monkeypatch.chdir(tmp_path)
    files = [Path("results/lab/figures/fig01.svg"), Path("results/lab/claims.csv")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)
    citation = read_yaml(project_root / "CITATION.cff")
    if orcid:
        citation["authors"][0]["orcid"] = f"https://orcid.org/{orcid}"
        citation["preferred-citation"] = {"type": "article", "doi": doi}
    written = tmp_path / "codecheck.yml"
    written.write_text(article._codecheck(citation, files, ["lab", "other"]))
    # An explicit document, after the directive.
    assert written.read_text().startswith("%YAML 1.1\n---\n")
    content = read_yaml(written)
    assert content["version"] == "https://codecheck.org.uk/spec/config/1.0"
    assert content["paper"]["reference"] == reference
    assert len(content["manifest"]) == len(files)
    for entry in content["manifest"]:
        made = (written.parent / entry["file"]).read_bytes()
        assert entry["comment"] == f"SHA-256 {sha256(made).hexdigest()}"
    author = content["paper"]["authors"][0]
    assert author.get("ORCID", "") == orcid
    assert not {"codechecker", "report", "certificate", "check_time", "summary"} & set(content)
