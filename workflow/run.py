"""Run Snakemake as `make` does: with progress instead of its own lines.

Arguments are those of Snakemake.  `snakemake` itself does the same with more detailed output.
"""

from __future__ import annotations

import gc
import io
import sys
from contextlib import redirect_stderr

# Snakemake keeps many objects; scanning them repeatedly takes time.
gc.set_threshold(1_000_000, 50, 50)

from snakemake import cli  # noqa: E402
from snakemake.exceptions import print_exception  # noqa: E402


def main(arguments: list[str]) -> int:
    """Run Snakemake, and return its exit status."""
    said = io.StringIO()
    try:
        # The first thing that it says is which profile it uses.
        with redirect_stderr(said):
            parser, parsed = cli.parse_args(["--logger", "progress", *arguments])
    except SystemExit:
        print(said.getvalue(), end="", file=sys.stderr)
        raise
    try:
        return 0 if cli.args_to_api(parsed, parser) else 1
    except Exception as error:  # as Snakemake itself does
        print_exception(error)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
