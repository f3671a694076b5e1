"""The order of subjects, and their division into shards of which a new subject changes one."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sort key under which ``S2`` comes before ``S10``, however long the numbers are."""
    parts = [part for part in re.split(r"(\d+)", name) if part]
    return [_number_key(part) if part.isdecimal() else (1, 0, part) for part in parts]


def _number_key(digits: str) -> tuple[int, int, str]:
    """Sort numbers by their length, then by their digits, in any script."""
    number = "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0")
    return 0, len(number), number


def shard_of(subject: str, count: int) -> int:
    """Return the shard of a subject, from 0 to `count` - 1, by a hash of the name alone."""
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()) % count


def split(
    trials: pd.DataFrame, samples: pd.DataFrame, shards: int
) -> dict[str, list[pd.DataFrame]]:
    """Divide trials and points among shards; some shards may have none."""
    tables = {"trials": trials, "samples": samples}
    of_subject = {subject: shard_of(subject, shards) for subject in trials["subject"].unique()}
    return {
        name: [table[table["subject"].map(of_subject) == shard] for shard in range(shards)]
        for name, table in tables.items()
    }


def gather(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Put the tables of all shards together, subjects in their natural order."""
    import pandas as pd

    # An empty table has no types that the others should take on.
    table = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    rank = {s: n for n, s in enumerate(sorted(table["subject"].unique(), key=natural_key))}
    order = table["subject"].map(rank).argsort(kind="stable")
    return table.iloc[order].reset_index(drop=True)


def spread(subjects: Iterable[str], count: int) -> list[str]:
    """Return some subjects, spread evenly over all of them in the order of their names."""
    every = sorted(set(subjects))
    count = min(count, len(every))
    return [every[number * len(every) // count] for number in range(count)]
