"""The page as text: escaped, complete, on its own, and the same from run to run."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from markupsafe import Markup

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers
from fuzzybounds.report import explorer, page
from fuzzybounds.report.text import Terms, linked, rounded


@pytest.fixture(scope="module")
def text(report) -> str:
    return report.read_text(encoding="utf-8")


def part(text: str, name: str, tag: str = "section") -> str:
    """A section or an article of the page."""
    return text.split(f' id="{name}"')[1].split(f"</{tag}>")[0]


def test_cells_and_texts_are_escaped(text):
    assert "a &lt;b&gt;bold&lt;/b&gt; claim &amp; more" in text
    assert "Tiny &lt;cohort&gt;" in text
    assert "Says so &amp; so." in text
    assert " of &lt;easy&gt; trials is 0.7" in text
    assert "<script>alert" not in text


def test_it_loads_nothing_and_its_links_lead_somewhere(text):
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    sources = re.findall(r"(?:src|srcset)=\"([^\"]{0,30})", text)
    assert [source.startswith("data:image/png;base64,") for source in sources] == [True] * 5
    # The two sections that name a figure by number name ones that this small report lacks.
    targets = set(re.findall(r'href="#([^"]+)"', text)) - {"figS2", "figS4"}
    assert targets <= set(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize(
    ("direction", "rules", "expected"),
    [
        ("not supported", "undecided", "Not as the paper writes it."),
        ("not supported", "supported", "In part: "),
        ("supported", "supported", "Yes."),
        ("undecided", "not supported", "No: boundaries"),
        ("undecided", "supported", "It is undecided."),
        ("withheld", "withheld", "A first look does not say."),
    ],
)
def test_the_thesis_is_answered_by_the_direction_and_the_comparison(direction, rules, expected):
    assert page.answer({"B02": direction, "B01": rules}).startswith(expected)


def test_the_abstract_opens_the_report_with_what_its_tables_have(text):
    """Of the small report only the sentence on C03 has its table; none is about other data."""
    opening, then = text.split('<ul class="bullets">')[1].split("</ul>")[0].split("</b>")
    assert opening.count("<li>") == 1
    assert 'class="badge yes"' in opening
    assert opening.endswith("<b>That boundaries fall with time is supported:")
    assert "correlate by -0.17 on average" in then
    assert "1 of 2 subjects" in then
    assert '<a href="#C03">C03</a>' in then


@pytest.mark.parametrize("share", [0.19, 0.21])
def test_a_remark_on_trials_left_out_is_red_above_a_fifth(make, report, tmp_path, share):
    shutil.copytree(report.parent, tmp_path / "tiny")
    described = json.loads((tmp_path / "tiny/dataset.json").read_text())
    (tmp_path / "tiny/dataset.json").write_text(json.dumps({**described, "without_path": share}))
    assert ('<li class="alarm">' in make(tmp_path / "tiny")) == (share > 0.2)


def test_a_term_is_explained_once_and_never_within_a_tag():
    explained = Terms({"nats": "Units.", "rules?": "Say <when>."})
    first = explained(Markup('<a title="nats">3 nats</a> & more nats'))
    assert first.startswith('<a title="nats">3 <button type="button" class="term"')
    assert first.count("popovertarget") == 1
    assert explained("nats, rules") == (
        'nats, <button type="button" class="term" popovertarget="term-2">rules</button>'
        '<span class="meaning" role="note" popover id="term-2">Say &lt;when&gt;.</span>'
    )


def test_claims_in_brackets_are_linked_and_equations_are_not():
    assert linked("Eqs. A1 to A13 (A01 to A03)") == (
        'Eqs. A1 to A13 (<a href="#A01">A01</a> to <a href="#A03">A03</a>)'
    )


def test_only_one_section_differs_between_runs(make, report, text, monkeypatch):
    monkeypatch.setattr(page.provenance, "commit", lambda _: ("0123abc", "yes"))
    other = make(report.parent)
    assert part(other, "run") != part(text, "run")
    assert other.replace(part(other, "run"), "") == text.replace(part(text, "run"), "")


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


def test_the_explorer_has_every_fit_of_the_first_draw(fitted_tables):
    fits = explorer.collect(*fitted_tables.values())
    assert [(fit["subject"], len(fit["names"]), fit["window"]) for fit in fits] == [
        *(("S<1>", 3, "first"), ("S<1>", 3, "last"), ("S<1>", 5, "first"), ("S<1>", 5, "last")),
        *(("S2", 3, "first"), ("S2", 5, "first")),
    ]
    rebuilt = controllers(FitTables(*fitted_tables.values()))
    controller = rebuilt[("S2", "first", 5, 1)].scaled(time=12.5, position=300.0)
    np.testing.assert_allclose(fits[-1]["time"]["centers"], controller.time.centers, rtol=1e-8)
    np.testing.assert_allclose(
        fits[-1]["position"]["widths"], controller.position.widths, rtol=1e-8
    )
    assert fits[-1]["rules"] == controller.rules.to_json()["consequents"]
    # Names of subjects cannot end the script.
    assert "<" not in explorer.to_json(fits)
    assert json.loads(explorer.to_json(fits))["fits"][0]["subject"] == "S<1>"
    second = [table.assign(draw=2) for table in fitted_tables.values()]
    empty = [TABLES[name].empty() for name in ("fuzzy_fits", "rules", "memberships")]
    assert explorer.collect(*second) == explorer.collect(*empty) == []
