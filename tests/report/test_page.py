"""The page as text: escaped, complete, on its own, and the same from run to run."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.paper.fuzzy.fits import EMPTY, FitTables, controllers
from fuzzybounds.report import explorer
from fuzzybounds.report.figures import Figure, load, png_size, texts_of
from fuzzybounds.report.page import LOOKS, render
from fuzzybounds.report.provenance import Cost
from fuzzybounds.report.text import rounded
from fuzzybounds.scorecard.claims.claim import CONCLUSIONS, VERDICTS


@pytest.fixture(scope="module")
def text(report) -> str:
    return report.read_text(encoding="utf-8")


@pytest.fixture
def results() -> dict:
    claim = {"id": "C01", "claim": "c", "where": "Fig. 1", "paper": "p", "ours": "o"}
    claim |= {"experiment_a": "7 fast (reproduced)", "interval": "[0, 1]", "group": "design"}
    claim |= {"conclusion": "supported", "control": "c"}
    return {
        "dataset": {"name": "tiny", "kind": "own", "title": "", "source": "", "files": {}},
        "claims": [claim | {"verdict": "reproduced", "note": "n", "tolerance": "t"}],
        "errata": [{"id": "A01", "what": "w", "choice": "c", "evidence": "e"}],
        "specification": [{"quantity": "q", "value": "1"}],
        "selection": [],
        "design": [{"quantity": "q", "value": "1"}],
        "figures": [Figure("fig01", "Fig. 1", "First")],
        "configuration": "seed: 1",
        "abstract": ["What holds.", "What does not."],
        "graph": "",
        "explorer": explorer.Explorer(),
    }


def run_of(commit="abc", changed="no", python="3.11", costs=()):
    versions = {"Python": python}
    return {"commit": commit, "changed": changed, "versions": versions, "costs": list(costs)}


def part(text: str, name: str, tag: str = "section") -> str:
    """A section or an article of the page."""
    return text.split(f' id="{name}"')[1].split(f"</{tag}>")[0]


def test_cells_and_texts_are_escaped(text):
    assert "a &lt;b&gt;bold&lt;/b&gt; claim &amp; more" in text
    assert "Tiny &lt;cohort&gt;" in text
    assert "Says so &amp; so." in text
    assert "P0 of &lt;easy&gt; trials is 0.7" in text
    assert "<script>alert" not in text


def test_a_first_look_is_said_in_the_title_the_head_and_the_scorecard(results):
    looked = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7}
    page = render({**results, "dataset": {**results["dataset"], **looked}}, run_of())
    assert "<title>First look: fuzzybounds: tiny</title>" in page
    assert "<strong>First look (7 of 26 subjects).</strong>" in page.split("<nav")[0]
    assert ">Scorecard of a first look</h2>" in page
    assert "irst look" not in render(results, run_of()).split("<body>")[1]


def test_it_loads_nothing_and_its_links_lead_somewhere(text):
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    sources = re.findall(r"(?:src|srcset)=\"([^\"]{0,30})", text)
    assert [source.startswith("data:image/png;base64,") for source in sources] == [True] * 3
    # The two sections that name a figure by number name ones that this small report lacks.
    targets = set(re.findall(r'href="#([^"]+)"', text)) - {"figS2", "figS4"}
    assert targets <= set(re.findall(r'id="([^"]+)"', text))


def test_figures_have_verdicts_and_say_how_they_are_drawn(text):
    later = part(text, "figS3", "article")
    assert "<img" not in later
    assert "fuzzybounds run tiny --only supplement" in later
    assert "not reproduced" in part(text, "fig02", "article")
    assert "C01" not in part(text, "fig02", "article")


def test_every_verdict_has_a_sign(results):
    assert set(LOOKS) == {*VERDICTS, *CONCLUSIONS}
    wrong = {**results, "claims": [{**results["claims"][0], "verdict": "perhaps"}]}
    with pytest.raises(ValueError, match="perhaps"):
        render(wrong, run_of())


def test_only_one_section_differs_between_runs(results):
    first = render(results, run_of(costs=[Cost("fit", 1, 2.0, 3.0)]))
    other = render(results, run_of("def", "yes", "3.12", [Cost("fit", 2, 9.0, 9.0)]))
    assert first != other
    assert first.replace(part(first, "run"), "") == other.replace(part(other, "run"), "")


def test_a_notebook_gives_caption_and_observation_or_its_reason(report):
    figure = load("fig01", {"title": "First", "paper": "So."}, report.parent)
    assert (figure.width, figure.height) == (1200, 500)
    assert figure.caption == "<p>What is drawn (px).</p>"
    assert "<em>three</em>" in figure.seen
    title = {"cell_type": "markdown", "source": ["# Title"]}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["Insufficient data: 1 < 2.\n"]},
        {"output_type": "stream", "name": "stderr", "text": "a warning"},
    ]
    cells = [title, {"cell_type": "code", "outputs": outputs}, {"cell_type": "code"}]
    assert texts_of({"cells": cells}) == ("", "<p>Insufficient data: 1 &lt; 2.</p>")
    with pytest.raises(InputError, match=r"fig01\.png: not a PNG image"):
        png_size(b"GIF89a", report.parent / "fig01.png")


@pytest.mark.parametrize(
    ("cell", "digits", "short"),
    [
        *(("0.123456", 4, "0.1235"), ("93008.64", 4, "93009"), ("-1234.5", 4, "-1234")),
        *(("40", 4, "40"), ("easy", 4, "easy"), ("", 4, ""), ("nan", 4, "nan")),
        *(("119.6", 2, "120"), ("99.7", 2, "100"), ("99.4", 2, "99"), ("0.0312", 2, "0.031")),
    ],
)
def test_numbers_are_shortened_and_text_is_not(cell, digits, short):
    assert rounded(cell, digits) == short


def test_the_explorer_has_every_fit_of_the_first_draw(fitted_tables, monkeypatch):
    found = explorer.collect(**fitted_tables)
    assert [(fit["subject"], len(fit["names"]), fit["window"]) for fit in found.fits] == [
        *(("S<1>", 3, "first"), ("S<1>", 3, "last"), ("S<1>", 5, "first"), ("S<1>", 5, "last")),
        *(("S2", 3, "first"), ("S2", 5, "first")),
    ]
    rebuilt = controllers(FitTables(*fitted_tables.values()))
    own = rebuilt[("S2", "first", 5, 1)].scaled(time=12.5, position=300.0)
    shown = found.fits[-1]
    np.testing.assert_allclose(shown["time"]["centers"], own.time.centers, rtol=1e-8)
    np.testing.assert_allclose(shown["position"]["widths"], own.position.widths, rtol=1e-8)
    assert shown["rules"] == own.rules.to_json()["consequents"]
    # Names of subjects cannot end the script.
    assert "<" not in found.to_json()
    assert json.loads(found.to_json())["fits"][0]["subject"] == "S<1>"
    second = {name: table.assign(draw=2) for name, table in fitted_tables.items()}
    assert explorer.collect(**second).fits == explorer.collect(*EMPTY).fits == []
    monkeypatch.setattr(explorer, "LARGEST", 1)
    found = explorer.collect(**fitted_tables)
    assert (found.subjects, found.left_out) == (["S<1>"], 1)
