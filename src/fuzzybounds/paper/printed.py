"""Numbers that the paper prints, by claim: the reader of ``printed.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fuzzybounds.core.documents import read_yaml


@cache
def _numbers() -> dict[str, dict[str, float]]:
    return read_yaml(Path(__file__).with_name("printed.yaml"))


def printed(claim: str) -> dict[str, float]:
    """Return the numbers that the paper prints for a claim, by name."""
    return dict(_numbers()[claim])
