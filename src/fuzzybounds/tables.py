"""Reading and writing results: whole files only, the same bytes for the same content."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzybounds.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, and move it there if the block succeeds.

    Whoever reads `path` sees the old file or the new one, never half of one.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_parquet(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as parquet, without its index; every page has a checksum."""
    with replacing(path) as temporary:
        frame.to_parquet(temporary, index=False, write_page_checksum=True)


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as CSV, numbers to the last digit that matters."""
    with replacing(path) as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n", float_format="%.10g")


def write_json(content: Any, path: str | Path) -> None:
    """Write plain data as indented JSON."""
    with replacing(path) as temporary:
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def read_parquet(path: str | Path, columns: list[str] | None = None) -> pd.DataFrame:
    """Read a parquet table; a truncated, damaged or foreign file is an :class:`InputError`."""
    import pandas as pd

    try:
        return pd.read_parquet(path, columns=columns, page_checksum_verification=True)
    except Exception as error:  # a damaged footer fails in a dozen ways
        raise _unreadable(path, "parquet table", error) from error


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
        raise ValueError(f"{text} is no finite number")
    return number


def _unreadable(path: str | Path, kind: str, error: Exception) -> InputError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(
        f"{path}: not a readable {kind} ({reason})",
        ["expected it whole, as the workflow wrote it; delete it and run the command again"],
    )
