"""Checks of what users give to public functions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from fuzzybounds.core.errors import InputError


def whole_number(name: str, value: Any, least: int) -> int:
    """Return a whole number of at least so much; anything else is an :class:`InputError`.

    >>> whole_number("n", 3, 1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} = {value!r}", [f"expected a whole number, at least {least}"])
    return int(value)
