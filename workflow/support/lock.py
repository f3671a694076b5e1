"""One run at a time in a folder, by a lock that cannot outlive its run.

Snakemake's own lock stays behind when a run is killed, and has to be removed by hand.  This one
belongs to the process: the system releases it, so that the same command simply continues.
"""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

_held = []


def hold(path: Path) -> None:
    """Take the lock for as long as this process lives, or end with a message."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = open(path, "a+", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.seek(0)
        owner = handle.read().strip() or "unknown"
        sys.exit(
            f"error: another run is at work in this folder (process {owner})\n"
            "  - wait until it ends, or stop it; then rerun the same command"
        )
    handle.truncate(0)
    handle.write(f"{os.getpid()}\n")
    handle.flush()
    _held.append(handle)
