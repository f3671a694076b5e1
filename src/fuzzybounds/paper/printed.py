"""Numbers that the paper prints, by claim: the reader of ``printed.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fuzzybounds.core.documents import read_yaml


@cache
def _numbers() -> dict[str, dict[str, float]]:
    return read_yaml(Path(__file__).with_name("printed.yaml"))


def printed(*claims: str) -> dict[str, float]:
    """Return the numbers that the paper prints for some claims, by name; of some there are none."""
    return {name: value for claim in claims for name, value in _numbers().get(claim, {}).items()}
