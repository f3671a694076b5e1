"""A checksum inside a parquet file, over the whole of it.

Parquet has checksums for its pages, but none for its footer, in which a changed byte may rename a
column or skip rows.  A seal is the sha256 of the file with a blank seal; it is stored in the
footer, among the entries that readers of parquet ignore.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

KEY = b"fuzzybounds.sha256"
BLANK = b"0" * 64
END = 8
"""After the footer come its length, in four bytes, and four letters."""


def with_blank_seal(table: pa.Table) -> pa.Table:
    """Return the table with room for a seal in its metadata."""
    return table.replace_schema_metadata({**(table.schema.metadata or {}), KEY: BLANK})


def seal(path: str | Path) -> None:
    """Fill in the seal of a file that was written with a blank one."""
    with open(path, "r+b") as file:
        digest, position = _digest(file, BLANK)
        file.seek(position)
        file.write(digest)


def check_seal(path: str | Path) -> None:
    """Raise a ValueError if a file has no seal, or one that does not match its content."""
    found = (pq.read_metadata(path).metadata or {}).get(KEY)
    if found is None:
        raise ValueError("it has no checksum")
    with open(path, "rb") as file:
        digest, _ = _digest(file, found)
    if digest != found:
        raise ValueError("its checksum is not that of its content")


def _digest(file: BinaryIO, found: bytes) -> tuple[bytes, int]:
    """Return the sha256 of a file with a blank seal, and the position of its seal."""
    size = file.seek(-END, os.SEEK_END)
    start = size - int.from_bytes(file.read(4), "little")
    file.seek(max(start, 0))
    footer = file.read()
    if footer.count(found) != 1:
        raise ValueError("its checksum is damaged")
    sha256 = hashlib.sha256()
    file.seek(0)
    left = start
    while left > 0:
        chunk = file.read(min(left, 1 << 20))
        sha256.update(chunk)
        left -= len(chunk)
    sha256.update(footer.replace(found, BLANK))
    return sha256.hexdigest().encode(), start + footer.index(found)
