"""Divide subjects among a fixed number of shards, of which a new subject changes one.

A shard follows from a hash of the name alone, so that it stays the same whoever else is in
the cohort.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzybounds.storage.natural_order import natural_key

if TYPE_CHECKING:
    import pandas as pd


def shard_of(subject: str, count: int) -> int:
    """Return the shard of a subject, from 0 to `count` - 1."""
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()) % count


def assign(subjects: Iterable[str], count: int) -> list[list[str]]:
    """Return the subjects of each shard, in natural order; some shards may have none."""
    shards: list[list[str]] = [[] for _ in range(count)]
    for subject in sorted(set(subjects), key=natural_key):
        shards[shard_of(subject, count)].append(subject)
    return shards


def split(
    trials: pd.DataFrame, samples: pd.DataFrame, shards: int
) -> dict[str, list[pd.DataFrame]]:
    """Divide trials and points among shards."""
    of_shards = assign(trials["subject"].unique(), shards)
    tables = {"trials": trials, "samples": samples}
    return {
        name: [table[table["subject"].isin(own)] for own in of_shards]
        for name, table in tables.items()
    }


def spread(subjects: Iterable[str], count: int) -> list[str]:
    """Return some subjects, spread evenly over all of them in the order of their names."""
    every = sorted(set(subjects))
    count = min(count, len(every))
    return [every[number * len(every) // count] for number in range(count)]


def gather(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Put the tables of all shards together, subjects in their natural order."""
    import pandas as pd

    # An empty table has no types that the others should take on.
    table = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    rank = {s: n for n, s in enumerate(sorted(table["subject"].unique(), key=natural_key))}
    order = table["subject"].map(rank).argsort(kind="stable")
    return table.iloc[order].reset_index(drop=True)
