"""What every script does around its work: a log, whole inputs, hashes of what it made, messages."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuzzybounds.core import inventory
from fuzzybounds.core.errors import InputError


@contextmanager
def work(job: Any) -> Iterator[None]:
    """Send what is printed to a job's log; failures end up there too, and fail the job.

    `job` is the object that Snakemake gives to a script.  What it reads must be as it was made;
    what it has made is noted.
    """
    with open(job.log[0], "w", encoding="utf-8") as log:
        # By their descriptors, so that what is started here (a notebook's kernel) follows.
        for stream in (sys.stdout, sys.stderr):
            os.dup2(log.fileno(), stream.fileno())
        try:
            inventory.refuse(job.input)
            yield
            inventory.record(job.output)
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
