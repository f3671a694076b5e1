"""Combinations of choices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping


def combinations(choices: Mapping[str, tuple]) -> Iterator[dict]:
    """Return every combination of choices, each as a mapping from choice to value."""
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values, strict=True))
