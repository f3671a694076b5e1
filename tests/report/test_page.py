"""The page as text: escaped, complete, on its own, and the same from run to run."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers
from fuzzybounds.report import explorer
from fuzzybounds.report.text import rounded


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
    assert "P0 of &lt;easy&gt; trials is 0.7" in text
    assert "<script>alert" not in text


def test_it_loads_nothing_and_its_links_lead_somewhere(text):
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    sources = re.findall(r"(?:src|srcset)=\"([^\"]{0,30})", text)
    assert [source.startswith("data:image/png;base64,") for source in sources] == [True] * 3
    # The two sections that name a figure by number name ones that this small report lacks.
    targets = set(re.findall(r'href="#([^"]+)"', text)) - {"figS2", "figS4"}
    assert targets <= set(re.findall(r'id="([^"]+)"', text))


def test_only_one_section_differs_between_runs(make, report, text, tmp_path):
    shutil.copytree(report.parent, tmp_path / "tiny")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/fit.tsv").write_text("s\tcpu_time\n9.0\t9.0\n")
    other = make(tmp_path / "tiny")
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
