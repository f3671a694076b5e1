"""What tests of the published logs share."""

from __future__ import annotations

import pytest

from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate


@pytest.fixture(scope="session")
def trials(shared_data):
    """The trials of Experiment A."""
    return validate(read_published(shared_data / "Canoe_A.csv")).trials
