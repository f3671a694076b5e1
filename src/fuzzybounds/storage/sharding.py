"""Group subjects into shards, of which a new subject changes at most one.

Small cohorts get one shard per subject, so that a new subject costs only its own work.  In large
cohorts starting the jobs would then cost more than the work, so subjects share shards.  A subject's
shard follows from a hash of its name, and a new subject changes at most one shard.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzybounds.storage.natural_order import natural_key

if TYPE_CHECKING:
    import pandas as pd

SIZES = ((64, 1), (1024, 16))
LARGEST = 64
"""Subjects per shard: 1 in cohorts of up to 64 subjects, 16 up to 1024, 64 beyond."""


def shard_size(subjects: int) -> int:
    """Return the default number of subjects per shard."""
    return next((size for limit, size in SIZES if subjects <= limit), LARGEST)


def assign(subjects: Iterable[str], size: int | None = None) -> dict[str, list[str]]:
    """Assign subjects to shards.

    Parameters
    ----------
    subjects : iterable of str
    size : int, optional
        Largest number of subjects per shard; :func:`shard_size` by default.

    Returns
    -------
    dict
        From the shard's name, fit for a file name, to its subjects.
    """
    subjects = sorted(set(subjects))
    size = size or shard_size(len(subjects))
    if size == 1:
        return {_file_name(subject): [subject] for subject in subjects}
    return dict(sorted(_divide([(_bits(subject), subject) for subject in subjects], size)))


def _divide(members: list[tuple[str, str]], size: int, depth: int = 0):
    """Split by one more bit of the hash until no shard is too large: most are half full."""
    if len(members) <= size or depth == 256:
        yield "h" + members[0][0][:depth], [subject for _, subject in members]
        return
    for bit in sorted({bits[depth] for bits, _ in members}):
        yield from _divide([m for m in members if m[0][depth] == bit], size, depth + 1)


def _bits(subject: str) -> str:
    return f"{int.from_bytes(_digest(subject)):0256b}"


def _digest(subject: str) -> bytes:
    return hashlib.sha256(subject.encode()).digest()


def _file_name(subject: str) -> str:
    """Return the subject's name if it is a valid file name, else what is one of it and a hash."""
    if re.fullmatch(r"[\w-]{1,40}", subject):
        return f"s_{subject}"
    readable = re.sub(r"[^\w-]+", "_", subject)[:24]
    return f"x_{readable}_{_digest(subject).hex()[:16]}"


def gather(**tables: list[pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Put the tables of shards together, subjects in their natural order.

    Parameters
    ----------
    **tables : lists of DataFrames
        For each table its parts, one per shard.
    """
    return {name: _in_natural_order(parts) for name, parts in tables.items()}


def _in_natural_order(parts: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    # An empty table has no types that the others should take on.
    table = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    rank = {s: n for n, s in enumerate(sorted(table["subject"].unique(), key=natural_key))}
    order = table["subject"].map(rank).argsort(kind="stable")
    return table.iloc[order].reset_index(drop=True)
