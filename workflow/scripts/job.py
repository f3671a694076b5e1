"""What every script does around its work: keep a log, and end with a message, not a traceback."""

from __future__ import annotations

import os
import resource
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuzzybounds.storage.errors import InputError


@contextmanager
def logged(path: str) -> Iterator[None]:
    """Send what is printed to a job's log; failures end up there too, and fail the job."""
    with open(path, "w", encoding="utf-8", buffering=1) as log, redirected(log.fileno()):
        try:
            yield
            print(f"done, with {used()}")
        except (InputError, OSError) as error:
            # A wrong input, a full disk, a folder without permission: the message says it all.
            print(f"error: {error}")
            sys.exit(1)
        except KeyboardInterrupt:
            print("interrupted")
            sys.exit(1)
        except Exception:
            traceback.print_exc()
            sys.exit(1)


def data_set_of(wildcards: Any) -> str | None:
    """The data set of a job, the same for all its variants: random numbers are named by it."""
    name = wildcards.get("dataset")
    return name and name.partition("@")[0]


def used() -> str:
    """What the job has used: exact, where Snakemake's benchmark sees a sample now and then."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    peak = max(usage.ru_maxrss for usage in usages) / unit
    return f"{seconds:.2f} s of CPU time, at most {peak:.0f} MiB of memory"


@contextmanager
def redirected(target: int) -> Iterator[None]:
    """Redirect standard output and error by their descriptors, so that subprocesses follow."""
    streams = {stream: os.dup(stream.fileno()) for stream in (sys.stdout, sys.stderr)}
    try:
        for stream in streams:
            stream.flush()
            os.dup2(target, stream.fileno())
        yield
    finally:
        for stream, saved in streams.items():
            stream.flush()
            os.dup2(saved, stream.fileno())
            os.close(saved)
