"""Dates of files that Snakemake can trust.

It tells by dates what has changed: an input that is younger than an output.  A clock that jumps
misleads it, and so does a copy that keeps an old date.  So, before it looks, a result from the
future is dated now, and so is a source whose content is not what it was at the last start.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

NOTED = 60
"""Seconds: clocks of file servers differ by less, which is not worth a message."""


def files_in(folders: Iterable[Path]) -> list[Path]:
    """All files in some folders, except what Python itself keeps there."""
    found = (
        Path(folder, name)
        for top in folders
        for folder, _, names in os.walk(top)
        if not folder.endswith(("__pycache__", ".egg-info"))
        for name in names
    )
    return sorted(file for file in found if file.is_file())


def settle(folders: Iterable[Path]) -> str | None:
    """Date what is from the future now, in its order; say so if a clock must have jumped."""
    now = time.time_ns()
    # Folders as well: the output folder of a rule has a date like any other result.
    there = [
        Path(folder, name)
        for top in folders
        for folder, inner, files in os.walk(top)
        for name in (*inner, *files)
    ]
    dated = ((path.lstat().st_mtime_ns, path) for path in there)
    future = sorted((date, path) for date, path in dated if date > now)
    for place, (_, path) in enumerate(reversed(future)):
        _date(path, now - place * 1000)
    if not future or future[-1][0] < now + NOTED * 10**9:
        return None
    return (
        f"note: {len(future)} files and folders were dated in the future, as after a jump of the "
        "clock; they now count as made just now"
    )


def renew(sources: Iterable[Path], memory: Path) -> None:
    """Date sources now whose content has changed since the last start, or that are ahead of now.

    Parameters
    ----------
    sources : iterable of Path
        Files that people write: code, notebooks, raw logs.
    memory : Path
        Where to keep what they were: date, size and hash of each.
    """
    known = _recall(memory)
    seen = {}
    for file in sources:
        before = known.get(str(file))
        state = _state(file)
        if before and before[:2] == state and state[0] <= time.time_ns():
            seen[str(file)] = before
            continue
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        if state[0] > time.time_ns() or (before and before[2] != digest):
            _date(file, time.time_ns())
        seen[str(file)] = [*_state(file), digest]
    if seen != known:
        memory.parent.mkdir(parents=True, exist_ok=True)
        temporary = memory.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(seen), encoding="utf-8")
        temporary.replace(memory)


def _recall(memory: Path) -> dict[str, list]:
    try:
        return json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _state(file: Path) -> list[int]:
    status = file.lstat()
    return [status.st_mtime_ns, status.st_size]


def _date(file: Path, date: int) -> None:
    os.utime(file, ns=(date, date), follow_symlinks=False)
