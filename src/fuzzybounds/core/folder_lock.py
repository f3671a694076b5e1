"""One writer or reader at a time of a folder that grows while it is read.

The canoe task appends to several files for each trial.  Readers of the folder also take the lock,
so they never see a trial that is only partly written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock

FILE = ".lock"


def writing(folder: str | Path) -> FileLock:
    """Keep readers and other writers out of `folder` during the block."""
    return FileLock(Path(folder) / FILE)


@contextmanager
def reading(folder: str | Path) -> Iterator[None]:
    """Keep writers out of `folder` during the block; a folder that nobody locks needs no lock."""
    lock = writing(folder)
    # Who may not write here is not the writer, and reads what is there.
    with suppress(PermissionError):
        if (Path(folder) / FILE).is_file():
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
