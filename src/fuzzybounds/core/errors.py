"""Errors with messages for users."""

from __future__ import annotations

from collections.abc import Iterable, Sized


def counted(things: Sized | int, name: str = "problem") -> str:
    """Return a count with its noun, by default of problems."""
    number = things if isinstance(things, int) else len(things)
    return f"1 {name}" if number == 1 else f"{number} {name}s"


def listed(names: Iterable[object], shown: int = 3) -> str:
    """List the first few items and the number of further ones."""
    every = list(map(str, names))
    hidden = len(every) - shown
    return ", ".join(every[:shown]) + (f" and {hidden} more" if hidden > 0 else "")


class InputError(ValueError):
    """An input that cannot be used.

    The message names the file, the row, the value and what was expected, and lists every
    problem at once: `summary` says what was being read, `problems` has one line for each, and
    `table` is shown below them.  The command line prints it without a traceback.
    """

    SHOWN = 50

    def __init__(self, summary: str, problems: Iterable[str] = (), table: str = ""):
        self.summary = summary
        self.problems = list(problems)
        self.table = table
        lines = [summary, *(f"  - {problem}" for problem in self.problems[: self.SHOWN])]
        hidden = len(self.problems) - self.SHOWN
        if hidden > 0:
            lines.append(f"  - ... and {hidden} more")
        if table:
            lines += ["", table]
        super().__init__("\n".join(lines))


class TooFew(ValueError):  # noqa: N818 (nobody made a mistake)
    """Data are insufficient for a computation; the message says for which, and what is missing.

    A claim then has no verdict and a figure is a panel that says so; the run continues.
    """
