"""The article: every number from a table, every word from a judge."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from datetime import UTC, datetime
from hashlib import sha256
from importlib import resources, util
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.report import article
from fuzzybounds.report.abstract import tables_of_abstract
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.verdicts import AS_PRINTED
from fuzzybounds.stopping.comparison import QUESTIONS

typst = pytest.mark.skipif(
    util.find_spec("typst") is None, reason="the package of the extra `article` is not installed"
)
DATE = datetime(2026, 11, 19, tzinfo=UTC)
LOOKUP = resources.files("fuzzybounds.report").joinpath("lookup.typ").read_bytes()
ENDS = {"low": 1.5, "high": 3.5}
BEST, BEHIND = {"elpd_difference": 0.0, "se": 0.0}, {"elpd_difference": -48.0, "se": 19.0}
SCHEMES = ("interleaved", "contiguous")
SHIFTS = ("sigma", "correlation", "drift", "after_easy_error", "after_hard_error", "motor_delay")
SUMMARY = {"matching": 8.0, "groups": 96.0, "missed": "True", "fast": "<=", "chance_match": 0.131}
MODELS = ("boundary_directed", "rules_directed", "boundary_met", "boundary", "rules")
SOURCES = ("graded_3", "within_exponential", "met_exponential")
CONCLUSIONS = {"B01": "undecided", "B02": "not supported", "C18": "not identified"}
"""Those for which the discussion has words; all others are supported."""


def made_up(*conditions: str) -> dict[str, list[dict]]:
    """Rows of one experiment with everything that the article reads."""
    answers = {**QUESTIONS, "delay": ("fitted", "none")}
    parts = [("half_of_first", "other_half_of_first"), ("other_half_of_first", "last")]
    judged = {"verdict": AS_PRINTED, "ours": "7 px", "paper": "8 px"}
    comparison = {"scheme": "interleaved", "delay": "fitted"}
    tables = {
        "claims": [
            {"id": name, "group": claim.group, "claim": "It is so."}
            | judged
            | {"conclusion": CONCLUSIONS.get(name, "supported")}
            for name, claim in CLAIMS.items()
        ],
        "errata": [{}],
        "exclusions": [{"scope": "paths"}],
        "design_check": [
            {"quantity": "p0", "condition": "easy", "value": 0.685},
            {"quantity": "p0", "condition": "hard", "value": 0.571},
            {"quantity": "p0_of_subject", "condition": "easy", "subject": "25", "value": 0.787},
            *(
                {"quantity": name, "value": 77.0}
                for name in ("subjects", "trials", "reward_rate_coins_per_s")
            ),
        ],
        "group_tests": [
            {"comparison": "slow_vs_fast_last", "test": "student_t", "mean_difference": 7.0, **ENDS}
        ],
        "regression_to_mean": [
            {"chosen_by": "half_of_first", "from": start, "to": end, "group": group, "change": 2.0}
            | ENDS
            for start, end in parts
            for group in ("fast", "slow")
        ],
        "specification_summary": [
            {
                "key": key,
                "value": str(value),
                "number": value if key not in ("missed", "fast") else None,
            }
            for key, value in SUMMARY.items()
        ],
        "optimum": [
            {"design": design, "respond_at": at, "reward_rate": 1.2}
            for design, at in (
                *(("paper_uncued", "steps"), ("paper_cued", "frames")),
                ("logs_b_uncued", "frames"),
            )
        ],
        "post_error": [
            {"quantity": name, "previous": "any", "measure": "regression", "change": 2.0, **ENDS}
            | {"p_holm": 0.106}
            for name in ("rt", "distance")
        ],
        "boundary_direction": [
            {"condition": "easy", "noise": "within trials", "correlation": -0.17, "simulated": 0.28}
            | {"z": -3.0}
        ],
        "boundary_controls": [
            {"claim": claim, "judge": "printed", "truth": truth, "found": True, "value": 3.0}
            | {"out_of": 10.0}
            for claim, truth in (("C03", "constant"), ("C04", "reinforced"))
        ],
        "stopping_brief_power": [
            {"question": question, "true_answer": f"{truth}{kind}", "ahead": 80.0}
            | {"scheme": "interleaved", "se": 9.0}
            for question, truth in (("kind with direction", "directed "), ("direction", ""))
            for kind in ("boundary", "rules")
        ],
        "rule_posterior_check": [
            {"sure_low": low, "sure_high": 1.0, "sure": 0.92, "right": 0.88, "wang_mendel": 0.48}
            | {"n": 234}
            for low in (0.5, 0.99)
        ],
        "rule_claims": [
            {"claim": claim, "quantity": quantity, "group": group, "window": window, "value": 0.17}
            | ENDS
            | {"conclusion": "undecided"}
            for claim, quantity, group, window in (
                ("C11", "P(stop) of (S, M)", "fast less slow", "first"),
                ("C12", "change of P(stop) of S and M", "slow", "last"),
                ("C12", "change of P(stop) of S and M", "fast", "last"),
                ("C18", "share of rules known with 95%", None, "first"),
                ("C20", "P(stop) of S and M, less that of other rules", "fast less slow", "first"),
            )
        ],
        "session_power": [
            {"condition": "easy", "true_answer": kind, "ahead": 80.0, "se": 9.0}
            for kind in ("boundary", "rules")
        ],
        "stopping_sensitivity": [
            {"choice": "priors", "value": value, "question": "kind with direction", **comparison}
            | {"answer": answer, **difference}
            for value in (0.5, 2.0)
            for answer, difference in (("rules", BEST), ("boundary", BEHIND))
        ],
    }
    for condition in conditions:
        where = {"condition": condition}
        tables.setdefault("outward", []).extend(
            {
                **where,
                "source": source,
                "phase_low": phase,
                "outward": 0.81,
                "low": 0.79,
                "high": 0.83,
            }
            | ({"outward": 0.93, "low": 0.91, "high": 0.95} if source == "data" else {})
            for phase in (0.0, 0.1, 0.3)
            for source in ("data", *SOURCES, "graded_3_directed", "within_exponential_directed")
        )
        tables.setdefault("stopping_questions", []).extend(
            {**where, "scheme": scheme, "question": question, "answer": answer}
            | {"delay": "either" if question == "delay" else "fitted"}
            | (BEST if place == 0 else BEHIND)
            for scheme, (question, given) in product(SCHEMES, answers.items())
            for place, answer in enumerate(given)
        )
        tables.setdefault("stopping_comparison", []).extend(
            {**where, **comparison, "model": model, "way_to_ceiling": 0.73}
            for model in ("paper_rules_3", "graded_3", "within_exponential")
        )
        tables.setdefault("session_comparison", []).extend(
            {**where, "model": f"{model}, {dependence} trials", "elpd": -100.0 - behind}
            | {"elpd_difference": -1.0 * behind, "se": 13.0 if behind else 0.0}
            for dependence, far in (("dependent", 0), ("independent", 500))
            for behind, model in enumerate(MODELS, far)
        )
        tables.setdefault("session_population", []).extend(
            {**where, "kind": "boundary", "shuffle": 0, "quantity": name, "mean": 2.0, **ENDS}
            for name in SHIFTS
        )
    return tables


MADE_UP_DESIGNS = [
    {"design": design, "truth": truth, "share": 1.0, "subjects": subjects, "right": 0.87}
    | {"cells_right": 7.2, "cells_wrong": 0.8, "bits": 7.7}
    for design in ("as_run", "recorded", "random_start", "gate", "start_and_gate")
    for truth, subjects in (("rules", 1), ("met", 5), ("directed", 5))
]


@pytest.fixture(scope="module")
def made():
    """What the article is typeset from, in tables with the columns of the dictionary."""
    rows_of = {"experiment_a": made_up("easy", "hard"), "experiment_b": made_up("all")}
    rows_of["shared"] = {
        "claim_controls": [{"as_expected": True}, {"as_expected": False}],
        "design_power": MADE_UP_DESIGNS,
        "learning_sweep_summary": [
            {"rule": "as printed", "leak": leak, "readings": 456.0, "simulated": 64.0}
            | {"better": 36.0, "worse": 14.0}
            for leak in (0.5, 1.0)
        ],
        "recovery_cells": [{"labels": number, "found": 0.61} for number in (3, 5)],
    }

    def read(folder):
        return {
            name: pd.DataFrame(rows, columns=TABLES[name].names)
            for name, rows in {
                **{name: [] for name in article.TABLES},
                **rows_of[folder.name],
            }.items()
        }

    words = {"title": "T", "authors": ["N", "M"], "abstract": "Said.", "policy": article.POLICY}
    words |= {
        "as_printed": AS_PRINTED,
        "commit": "abc",
        "versions": {"numpy": "two"},
        "date": "today",
    }
    figures = {
        name: {"title": "Title", "paper": "Said."} for name in article.FIGURES if name[:3] == "fig"
    }
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(article, "Results", read)
        tables = article.read_values(Path("results"))
    return {"tables": tables, "clear": 2.0, "text": words, "figures": figures}


@pytest.fixture
def values(made):
    """The same, to be changed."""
    return deepcopy(made)


def files_of(values) -> dict[str, bytes]:
    """The article with empty figures, as typst takes it."""
    parts = resources.files("fuzzybounds.report")
    files = {name: parts.joinpath(name).read_bytes() for name in article.PARTS}
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
    files |= {f"{name}.svg": picture for name in article.FIGURES}
    return {"main.typ": files.pop("article.typ"), **files}


def whole(values) -> bytes:
    return article.typeset(files_of(values), values, DATE)


def holds(condition: str, values) -> None:
    """Check a condition of typst on what the lookups return."""
    main = f'#set document(title: "T")\n#import "lookup.typ": *\n#assert({condition})'
    article.typeset({"main.typ": main.encode(), "lookup.typ": LOOKUP}, values, DATE)


@typst
def test_the_article_is_a_tagged_pdf_with_its_date_and_always_the_same(values):
    pdf = whole(values)
    assert pdf.startswith(b"%PDF")
    assert b"/MarkInfo" in pdf
    assert b"D:20261119" in pdf
    assert whole(values) == pdf


@typst
def test_a_figure_without_an_alternative_text_stops_the_build(values):
    files = files_of(values)
    files["main.typ"] += b'\n#image("fig01.svg")'
    with pytest.raises(InputError, match="alt"):
        article.typeset(files, values, DATE)


def texts(content) -> list[str]:
    """All pieces of text within an element, as typst describes it."""
    if isinstance(content, list):
        return [text for part in content for text in texts(part)]
    if not isinstance(content, dict):
        return []
    here = [content["text"]] if isinstance(content.get("text"), str) else []
    return here + [text for part in content.values() for text in texts(part)]


def printed_numbers(values) -> list[str]:
    """The numbers in paragraphs, tables and captions, in their order."""
    import typst

    files = {**files_of(values), "values.json": json.dumps(values).encode()}
    found = [
        piece for kind in ("par", "figure") for piece in texts(json.loads(typst.query(files, kind)))
    ]
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?", " ".join(found))


KEYS = {
    *(
        "phase_low",
        "sure_low",
        "sure_high",
        "leak",
        "labels",
        "subjects",
        "share",
        "shuffle",
        "subject",
    ),
}
TYPED = {
    # Of the task: speed, step, deadline, coins, penalty, P0 as printed, start, minutes.
    *("90", "45", "15", "20", "3", "0.65", "0.51", "225", "40"),
    # Of the analysis: labels, widths, weight, delays, bins, rule bases, certainty, γ, intervals.
    *("0", "0.1", "0.3", "0.4", "0.5", "0.95", "1", "2", "4", "5", "6", "7", "9", "95", "99"),
    *("100", "512"),
    # Of figures, subjects and works that are named.
    *("3.3", "8", "10", "11", "12", "13", "14", "16", "17", "25", "256", "1608.07244"),
    *("1992", "1994", "1998", "1999", "2009", "2014", "2015", "2016", "2017", "2018", "2020"),
}
"""What is typed."""


def varied(values):
    """Other values of every number, with the same signs and the same order."""
    other = deepcopy(values)
    for table, rows in other["tables"].items():
        for row in rows:
            for column, cell in row.items():
                key = column in KEYS or (table, column) == ("a/stopping_sensitivity", "value")
                if isinstance(cell, int | float) and not isinstance(cell, bool) and not key:
                    row[column] = type(cell)(cell * 1.4)
        # One more row, so that counts differ.
        if table.split("/")[1] in ("errata", "exclusions", "boundary_direction", "post_error"):
            rows.append(deepcopy(rows[-1]) | ({"quantity": "x"} if "post" in table else {}))
        if table == "shared/claim_controls":
            rows.extend(deepcopy(rows))
        if table.endswith("/claims"):
            for row in rows:
                row |= {"ours": "71 px", "paper": "72 px"}
            rows += [rows[0] | {"id": f"C{number}", "group": group} for number, group in EXTRA]
    return other


EXTRA = [(97, "arithmetic"), (98, "design"), (99, "empirical")]


@typst
def test_numbers_that_no_table_gives_are_constants_of_the_task_and_the_analysis(values):
    """Numbers that stay when every table has others were typed."""
    first, second = printed_numbers(values), printed_numbers(varied(values))
    typed = set(first) & set(second)
    assert " ".join(sorted(typed - TYPED)) == ""
    assert len(first) > 500


def test_the_tables_of_the_abstract_are_among_those_that_the_article_waits_for():
    assert tables_of_abstract() <= {*article.TABLES, *article.SHARED}


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
        # What the discussion says of it would be false.
        ("a/claims", {"id": "B02"}, {"conclusion": "supported"}, 'no words for "supported"'),
        (
            "b/outward",
            {"source": "graded_3", "phase_low": 0.3},
            {"high": 0.92},
            "not the same in all",
        ),
        ("b/post_error", {"quantity": "rt"}, {"quantity": "x"}, "one row, found 0"),
        (
            "a/optimum",
            {"respond_at": "steps"},
            {"reward_rate": None},
            "expected a number, found none",
        ),
        (
            "b/session_comparison",
            {"elpd": -600},
            {"elpd_difference": 0.0},
            "not the same in all parts",
        ),
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
        ('interval(row("a/post_error", quantity: "rt"), "change", 1)', "+2.0 [+1.5, +3.5]"),
        ('after("rt", "a", 1, "s")', "+2.0 [+1.5, +3.5] s (p = 0.11)"),
        ('asked(parts.at(0), "kind", "rules", "boundary").words', "−48 ± 19"),
        ('asked(parts.at(0), "kind", "boundary", "rules").words', "+48 ± 19"),
        ('expected("kind with direction", "directed rules", "interleaved")', "+80 ± 9"),
        ('outward(parts.at(1), "graded_3")', "81\u00a0% [79, 83]"),
        ("dependence(parts.at(2)).words", "+500 ± 13"),
    ],
)
def test_numbers_and_leads_are_those_of_the_tables(values, call, text):
    holds(f'{call} == "{text}"', values)


@typst
def test_a_lead_is_clear_beyond_two_standard_errors(values):
    asked = 'asked(parts.at(0), "kind", "boundary", "rules").sign'
    holds(f"{asked} == 1", values)
    asked_row = {"question": "kind", "answer": "rules", "condition": "easy"}
    row_of(values, "a/stopping_questions", **asked_row)["elpd_difference"] = -38.0
    holds(f"{asked} == 0", values)


@typst
@pytest.mark.parametrize(("difference", "kinds"), [(-27.0, 1), (-26.0, 2)])
def test_session_models_near_the_best_are_those_within_two_standard_errors(
    values, difference, kinds
):
    for row in values["tables"]["a/session_comparison"]:
        row["elpd_difference"] = min(row["elpd_difference"] * 100, 0)
    row_of(values, "a/session_comparison", condition="easy", elpd=-101)["elpd_difference"] = (
        difference
    )
    holds(f"kinds-of(near-the-best(parts.at(0))).len() == {kinds}", values)


@pytest.mark.parametrize(("epoch", "year"), [("1472083200", 2016), ("", 2026)])
def test_the_date_is_that_of_the_build_or_of_the_commit(monkeypatch, epoch, year):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    monkeypatch.setattr(article, "commit_time", lambda file: "1795000000")
    assert article.date_of("project").year == year


def test_a_table_that_was_not_made_is_named(tmp_path):
    (tmp_path / "experiment_a").mkdir()
    with pytest.raises(InputError, match=r"experiment_a/claims\.csv: no such file"):
        article.read_values(tmp_path)


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
