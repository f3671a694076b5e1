"""Find log files by their names; importing this module is cheap."""

from __future__ import annotations

import re
from pathlib import Path

from fuzzybounds.storage.errors import InputError, listed
from fuzzybounds.storage.natural_order import natural_key

TEXT, WORKBOOK, PARQUET = (".csv", ".tsv", ".txt"), ".xlsx", ".parquet"
ENDINGS = (*TEXT, WORKBOOK, PARQUET)
BIDS_NAME = re.compile(
    r"sub-(?P<subject>[A-Za-z0-9]+)(?:_ses-(?P<session>[A-Za-z0-9]+))?(?:_[a-z]+-[A-Za-z0-9]+)*"
    r"_(?:beh|events)"
)
"""Name of a file of behavioural data in a BIDS data set, without its ending."""


def is_table(path: Path) -> bool:
    """Whether a file is one that can be read as a table, by its name."""
    name = path.name.lower()
    hidden = name.startswith((".", "~$", "readme"))
    return path.suffix.lower() in ENDINGS and not hidden and path.is_file()


def log_files(folder: str | Path) -> list[Path]:
    """Return the logs in a folder, in natural order of their names.

    Where some are named as in a BIDS data set (``sub-01_ses-1_task-canoe_beh.tsv``), in the folder
    or in folders of subjects and sessions below it, these are the logs and other tables are not.
    """
    folder = Path(folder)
    found = [path for path in folder.iterdir() if is_table(path)]
    bids = [path for path in folder.rglob("sub-*") if is_table(path) and bids_name(path)]
    if not found and not bids:
        raise InputError(f"{folder}: no logs", _what_is_there(folder))
    return sorted(bids or found, key=lambda path: natural_key(path.name))


def _what_is_there(folder: Path) -> list[str]:
    expected = f"expected files that end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
    others = sorted(path.name for path in folder.iterdir() if path.is_file())
    old = [name for name in others if name.lower().endswith((".xls", ".ods"))]
    said = [f"{expected}; the folder holds {listed(others, 5) or 'no files'}"]
    if old:
        said.append(f"save {listed(old, 5)} as .xlsx or .csv")
    return said


def bids_name(path: str | Path) -> re.Match[str] | None:
    """Return subject and session from the name of a BIDS file; None for other names."""
    path = Path(path)
    return BIDS_NAME.fullmatch(path.name[: -len(path.suffix)] if path.suffix else path.name)
