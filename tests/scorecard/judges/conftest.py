"""One way to judge a claim in a test."""

from __future__ import annotations

import pytest

from fuzzybounds.scorecard.findings import find


@pytest.fixture
def judge():
    """Judge a claim on tables, with printed numbers changed where a test asks for it."""
    return lambda name, tables=None, **printed: find(name, tables or {}, **printed)
