"""The site builds without a warning, its links lead somewhere, and it asks nobody for anything."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow
LOADING = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src")}


class Page(HTMLParser):
    """Collects links, anchors and everything that a page loads."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.anchors.add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for name, value in given.items():
            if (tag, name) in LOADING and value:
                self.loads.append(value)


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_links_and_anchors_lead_somewhere(site, pages):
    broken, checked = [], 0
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("#top"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                broken.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and target in pages:
                checked += 1
                if unquote(parts.fragment) not in pages[target].anchors:
                    broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []
    assert checked > 100


def test_nothing_is_loaded_from_elsewhere(site, pages):
    foreign = [
        f"{path.relative_to(site)}: {load}"
        for path, page in pages.items()
        for load in page.loads
        if urlsplit(load).scheme not in ("", "data")
    ]
    assert foreign == []
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
