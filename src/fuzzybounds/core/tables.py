"""Read and write results: whole files only, the same bytes for the same content."""

from __future__ import annotations

import csv
import errno
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, and move it there if the block succeeds.

    A reader of `path` sees the old file or the new one, never a part.  No space, or no permission
    to write, is an :class:`InputError`.
    """
    path = Path(path)
    # Always the same name: what a killed process left behind is replaced by the next one.
    temporary = path.with_name(f".partial_{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        remedy = f"make {UNWRITABLE[error.errno]}"
        if error.errno in (errno.EACCES, errno.EPERM) and os.access(path, os.W_OK):
            # Windows does not replace a file that another program has open.
            remedy = "close the program that has the file open, such as Excel"
        raise InputError(
            f"{path}: cannot be written ({os.strerror(error.errno)})",
            [f"{remedy}, then rerun the same command"],
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


UNWRITABLE = {
    errno.ENOSPC: "room on the disk",
    errno.EDQUOT: "room within the quota",
    errno.EROFS: "the file system writable",
    errno.EACCES: "the folder writable",
    errno.EPERM: "the folder writable",
}


def write_parquet(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as parquet, without index, with a checksum of every page."""
    with replacing(path) as temporary:
        frame.to_parquet(temporary, index=False, write_page_checksum=True)


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as CSV, numbers to the last digit that matters."""
    with replacing(path) as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n", float_format="%.10g")


def write_table(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a result table in the format of its file, if it is as the dictionary defines it."""
    if problems := TABLES[Path(path).stem].problems(frame):
        raise ValueError(f"{path}: not as the dictionary defines it: {'; '.join(problems)}")
    writers = {".parquet": write_parquet, ".csv": write_csv}
    writers[Path(path).suffix](frame, path)


def read_table(path: str | Path) -> Any:
    """Read a result table, or the content of a JSON file.

    A damaged file, or other columns than the dictionary defines, are an :class:`InputError`.
    """
    readers = {".parquet": read_parquet, ".csv": read_csv, ".json": read_json}
    content = readers[Path(path).suffix](path)
    table = TABLES.get(Path(path).stem)
    if table is not None and table.columns and (problems := table.problems(content)):
        raise InputError(
            f"{path}: not as this version of the project writes it",
            [*problems, "delete it and rerun the command"],
        )
    return content


def write_json(content: Any, path: str | Path) -> None:
    """Write plain data as indented JSON."""
    with replacing(path) as temporary:
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def read_parquet(path: str | Path) -> pd.DataFrame:
    """Read a parquet table; a truncated or damaged file is an :class:`InputError`."""
    import pandas as pd

    try:
        return pd.read_parquet(path, page_checksum_verification=True)
    except Exception as error:  # a damaged footer fails in a dozen ways
        raise _unreadable(path, "parquet table", error) from error


def read_csv(path: str | Path) -> pd.DataFrame:
    """Read a CSV table; a truncated or foreign file is an :class:`InputError`."""
    import pandas as pd

    _check_whole(path)
    table = TABLES.get(Path(path).stem)
    texts = [column.name for column in table.columns if column.type == "text"] if table else []
    return pd.read_csv(path, dtype=dict.fromkeys([*texts, "subject"], str))


def read_json(path: str | Path) -> Any:
    """Read JSON; a truncated or foreign file is an :class:`InputError`."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, OSError, RecursionError) as error:
        raise _unreadable(path, "JSON file", error) from error


def _finite(text: str) -> float:
    """Refuse NaN and infinity, which are not JSON, and which :func:`write_json` never writes."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def _check_whole(path: str | Path) -> None:
    """A CSV file does not state its length: one that was cut lacks the end of its last line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        if not text.endswith("\n"):
            raise ValueError("the last line has no end")
        lengths = {len(row) for row in csv.reader(text.splitlines(), strict=True)}
        if len(lengths) != 1:
            raise ValueError(f"rows of {', '.join(map(str, sorted(lengths)))} cells")
    except (ValueError, OSError, csv.Error) as error:
        raise _unreadable(path, "CSV table", error) from error


def _unreadable(path: str | Path, kind: str, error: Exception) -> InputError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(
        f"{path}: not a readable {kind} ({reason})",
        ["expected it whole, as the workflow wrote it; delete it and rerun the command"],
    )
