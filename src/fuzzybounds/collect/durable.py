"""Files that grow by whole rows, which are on disk before they are acknowledged."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

BINARY = getattr(os, "O_BINARY", 0)
"""On Windows a line break would otherwise become two bytes."""


def append(path: Path, header: str, rows: str) -> None:
    """Append rows to a file, durably; a new file gets its header together with the first rows.

    Either all rows are on disk when this returns, or the file is as it was and an
    :class:`OSError` says why.
    """
    if not path.exists():
        create(path, header + rows)
        return
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | BINARY)
    try:
        length = os.fstat(handle).st_size
        try:
            _write(handle, rows)
        except OSError:
            # A full disk may have taken only part of the rows.
            os.ftruncate(handle, length)
            raise
    finally:
        os.close(handle)


def create(path: Path, content: str) -> None:
    """Write a whole file, durably; a reader of `path` sees either the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o644)
        try:
            _write(handle, content)
        finally:
            os.close(handle)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    # The new name is made durable as well, if the system supports it.
    with contextlib.suppress(OSError):
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def cut(path: Path, length: int) -> None:
    """Cut a file to `length` bytes, durably."""
    with path.open("r+b") as file:
        file.truncate(length)
        os.fsync(file.fileno())


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it does not exist.

    An incomplete last row, left by a power failure, is removed: it was never acknowledged.
    """
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole != len(content):
        cut(path, whole)
    return content[:whole].decode("utf-8").splitlines(keepends=True)


def _write(handle: int, text: str) -> None:
    content = text.encode("utf-8")
    while content:
        content = content[os.write(handle, content) :]
    os.fsync(handle)
