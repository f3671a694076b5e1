"""The site builds without a warning, and asks nobody for anything."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.slow
LOADS = re.compile(
    r"<(?:script|img|iframe)[^>]* src=\"(?!data:)(?:https?:)?//|<link[^>]* href=\"(?:https?:)?//"
)


def test_nothing_is_loaded_from_elsewhere(site):
    for page in site.rglob("*.html"):
        assert not LOADS.search(page.read_text(encoding="utf-8")), page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?https?:", style.read_text(encoding="utf-8")), style


def test_mathematics_is_in_the_page_itself(site):
    text = (site / "explanation/model.html").read_text(encoding="utf-8")
    assert text.count("<math") >= 6
    assert "mathjax" not in text.lower()
    assert "<mfrac>" in text


def test_reference_is_that_of_the_code(site):
    from fuzzybounds import __all__
    from fuzzybounds.core.dictionary import TABLES

    tables = (site / "reference/tables.html").read_text(encoding="utf-8")
    for table in TABLES.values():
        assert table.file in tables
        for column in table.columns:
            assert f">{column.name}</span>" in tables, f"{table.file}: {column.name}"
    api = (site / "reference/api.html").read_text(encoding="utf-8")
    for name in __all__:
        assert name == "__version__" or f">{name}</span>" in api, name
