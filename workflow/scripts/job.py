"""What every script does around its work: keep a log, and end with a message, not a traceback."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from fuzzybounds.core.errors import InputError


@contextmanager
def logged(path: str) -> Iterator[None]:
    """Send what is printed to a job's log; failures end up there too, and fail the job."""
    with open(path, "w", encoding="utf-8") as log:
        # By their descriptors, so that what is started here (a notebook's kernel) follows.
        for stream in (sys.stdout, sys.stderr):
            os.dup2(log.fileno(), stream.fileno())
        try:
            yield
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
