"""Whether results are only a first look: few subjects, few draws and brief searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzzybounds.storage.errors import counted


def first_look_note(described: Mapping[str, Any]) -> str:
    """Say that results are only a first look, and with how many subjects; empty for a whole run.

    Results of only some subjects are a first look even where nobody calls them so.

    Parameters
    ----------
    described : mapping
        Content of ``dataset.json``.
    """
    found, used = described.get("subjects_found", 0), described.get("subjects_used", 0)
    note = described.get("first_look") or ("First look" if used < found else "")
    if not note or not found:
        return note
    subjects = counted(found, "subject")
    return f"{note} ({subjects})" if used == found else f"{note} ({used} of {subjects})"
