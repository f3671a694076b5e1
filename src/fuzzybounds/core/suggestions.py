"""What a user may have meant: a message, on which no result depends.

So :mod:`source_graph` leaves this module out, and its change reruns nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str]) -> str:
    """Suggest the known name that a user may have meant by an unknown one."""
    names = list(known)
    # Many names differ in case only: RT for rt.
    folded = {name.casefold(): name for name in reversed(names)}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.5)
    return f"did you mean {folded[close[0]]!r}?" if close else f"known: {', '.join(names)}"
