"""Find log files by their names; importing this module is cheap."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from fuzzybounds.core.errors import InputError, listed
from fuzzybounds.core.subjects import natural_key

WORKBOOKS, PARQUET = (".xlsx", ".xls", ".xlsb", ".ods"), ".parquet"
ENDINGS = (".csv", ".tsv", ".txt", *WORKBOOKS, PARQUET)
UNREADABLE = (".xlsm", ".numbers")
"""Spreadsheets that must be saved in another format first."""
BIDS_NAME = re.compile(
    r"sub-(?P<subject>[A-Za-z0-9]+)(?:_ses-(?P<session>[A-Za-z0-9]+))?(?:_[a-z]+-[A-Za-z0-9]+)*"
    r"_(?:beh|events)"
)
"""Name of a file of behavioural data in a BIDS data set, without its ending."""
BIDS_LISTS = re.compile(r"participants|samples|.*_(scans|sessions)")
"""Names of the tables of a BIDS data set that are not logs."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
"""Name of a data set."""
DEVICES = r"con|prn|aux|nul|com\d|lpt\d"
"""File names that Windows reserves, with any ending."""
RESERVED = re.compile(f"shared|variants|comparisons|article|{DEVICES}", re.IGNORECASE)
"""Names of folders of results with another use, and those that Windows reserves."""
DESCRIBING = (
    *("registration.json", "mapping.yaml", "dataset_description.json"),
    *("sessions", "demographics", "set_aside"),
)
"""Files and folders beside logs that this package writes or reads, and that are no logs."""
SCREENFUL = 100
"""Files that are named in one message, about as many as a terminal shows."""
TAKEN = ("simulated", "experiment_a", "experiment_b")
"""Data sets that the workflow makes or fetches itself."""


DATA = "data"
"""Folder for logs within a data set in the Psych-DS form (``data/subject-P01_data.csv``)."""


def is_table(path: Path) -> bool:
    """Whether a file is one that can be read as a table, by its name."""
    hidden = path.name.lower().startswith((".", "~$", "readme"))
    return path.suffix.lower() in (*ENDINGS, *UNREADABLE) and not hidden and path.is_file()


def log_files(source: str | Path) -> list[Path]:
    """Return the logs in a folder, in natural order of their names; a file stands for itself.

    Files that are named as in a BIDS data set (``sub-01_ses-1_task-canoe_beh.tsv``) may also be in
    folders of subjects and sessions below it, and those of a Psych-DS data set in ``data/``.
    """
    folder = Path(source)
    if not folder.is_dir():
        return [folder]
    files = {path for path in [*folder.iterdir(), *psych_ds_files(folder)] if is_table(path)}
    if bids := {path for path in folder.rglob("sub-*") if is_table(path) and bids_name(path)}:
        files = bids | {path for path in files if not BIDS_LISTS.fullmatch(path.stem)}
    if not files:
        there = sorted(path.name + "/" * path.is_dir() for path in folder.iterdir())
        kinds = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        holds = listed(there, 5) or "no files"
        problem = f"expected files that end in {kinds}; the folder holds {holds}"
        raise InputError(f"{folder}: no logs", [problem])
    used = [*files, *folder.glob("paths/*"), *folder.glob("events/*")]
    refuse_names(str(path.relative_to(folder)) for path in used)
    return sorted(files, key=lambda path: (natural_key(path.name), str(path)))


def psych_ds_files(folder: Path) -> list[Path]:
    """Return the logs of a folder in the Psych-DS form."""
    return sorted(folder.glob(f"{DATA}/*_data.csv"))


def data_set_folder(log: Path) -> Path:
    """Return the folder of a data set with a log in it, or in the folder ``data`` of Psych-DS."""
    above = log.parent.parent
    described = any((above / name).is_file() for name in ("design.json", *DESCRIBING))
    return above if log.parent.name == DATA and described else log.parent


def recorded_files(folder: Path) -> list[Path]:
    """Return the files of recorded paths that belong to a folder of logs."""
    return sorted(path for path in folder.glob("paths/*") if is_table(path))


def say_unread(folder: Path, beside: Iterable[Path] | None = None) -> None:
    """Name in one line what lies in a folder of logs and is not read.

    `beside` are files that are read beside the logs, by default all that a data set can have.
    """
    if beside is None:
        design = folder / "design.json"
        beside = [*recorded_files(folder), *folder.glob("events/*.csv"), design]
    read = {*log_files(folder), *beside}

    def names(place: Path) -> Iterator[str]:
        for path in sorted(place.iterdir()):
            if path in read or path.name.startswith((".", "~$")):
                continue
            if path.suffix == ".json" and path.with_suffix(".csv") in read:
                continue
            if path.is_dir() and any(path in file.parents for file in read):
                yield from names(path)
            elif place != folder or path.name not in DESCRIBING:
                yield f"{path.relative_to(folder).as_posix()}{'/' * path.is_dir()}"

    if left := list(names(folder)):
        print(f"{folder.as_posix()}: not read: {listed(left, SCREENFUL)}", flush=True)


def refuse_names(names: Iterable[str]) -> None:
    """Raise an error if the workflow would take a part of a file's name for a placeholder."""
    if odd := sorted(name for name in names if set("{}<>") & set(name)):
        problem = f"{listed(odd)}; rename: expected names without {{, }}, < and >"
        raise InputError("names that the workflow cannot use", [problem])


def data_set_name(text: str) -> str:
    """Return the name of a data set that is nearest to a text."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_-") or "my_lab"


def refuse_folder(folder: Path) -> None:
    """Raise an error if a folder of logs has a name that cannot be the name of a data set."""
    name = folder.resolve().name
    if not NAME.fullmatch(name):
        problem = (
            "expected letters, digits, _ and -: results are named by the folder; rename it, such "
            f"as {data_set_name(name)}, or check its files one by one"
        )
    elif RESERVED.fullmatch(name) or name in TAKEN:
        problem = f"{name} has another use, on Windows or in the workflow; rename the folder"
    else:
        return
    raise InputError(f"{folder}: not a name for a data set", [problem])


def bids_name(path: str | Path) -> re.Match[str] | None:
    """Return subject and session from the name of a BIDS file; None for other names."""
    return BIDS_NAME.fullmatch(Path(path).stem)
