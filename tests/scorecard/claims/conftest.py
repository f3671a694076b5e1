"""One way to judge a claim in a test."""

from __future__ import annotations

import pytest

from fuzzybounds.scorecard.claims import CLAIMS


@pytest.fixture
def judge():
    """Judge a claim on tables, with printed numbers changed where a test asks for it."""

    def find(name, tables=None, **printed):
        claim = CLAIMS[name]
        return claim.judge(tables or {}, {**claim.printed, **printed}, claim.tolerance)

    return find
