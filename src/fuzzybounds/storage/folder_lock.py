"""One writer or many readers of a folder that grows while it is read.

The canoe task appends to several files for each trial.  Readers of the folder also take
the lock, so they never see a trial that is only partly written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows, where a reader may have to read again
    fcntl = None  # type: ignore[assignment]

FILE = ".lock"


@contextmanager
def writing(folder: str | Path) -> Iterator[None]:
    """Keep readers and other writers out of `folder` during the block."""
    with _opened(Path(folder) / FILE, os.O_RDWR | os.O_CREAT) as handle:
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def reading(folder: str | Path) -> Iterator[None]:
    """Keep writers out of `folder` during the block; a folder that nobody locks needs no lock."""
    file = Path(folder) / FILE
    if fcntl is None or not file.is_file():
        yield
        return
    with _opened(file, os.O_RDONLY) as handle:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield


@contextmanager
def _opened(file: Path, flags: int) -> Iterator[int]:
    handle = os.open(file, flags, 0o644)
    try:
        yield handle
    finally:
        os.close(handle)
