"""The order in which a person would list names: S2 before S10."""

from __future__ import annotations

import re
import unicodedata


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sort key under which ``S2`` comes before ``S10``, however long the numbers are."""
    parts = [part for part in re.split(r"(\d+)", name) if part]
    return [_number_key(part) if part.isdecimal() else (1, 0, part) for part in parts]


def _number_key(digits: str) -> tuple[int, int, str]:
    """Sort numbers by their length, then by their digits, in any script."""
    number = "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0")
    return 0, len(number), number
