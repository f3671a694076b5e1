"""The errors that a user is meant to read."""

from __future__ import annotations

from collections.abc import Iterable, Sized


def counted(things: Sized | int, name: str = "problem") -> str:
    """Say how many there are; by default of problems, as most summaries begin."""
    number = things if isinstance(things, int) else len(things)
    return f"1 {name}" if number == 1 else f"{number} {name}s"


def listed(names: Iterable[object], shown: int = 3) -> str:
    """Name the first few things, and say how many more there are."""
    every = list(map(str, names))
    hidden = len(every) - shown
    return ", ".join(every[:shown]) + (f" and {hidden} more" if hidden > 0 else "")


def suggestion(word: str, known: Iterable[str]) -> str:
    """Say which known name a user may have meant by an unknown one."""
    import difflib

    names = list(known)
    # Many names differ in capitals only: RT for rt.
    folded = {name.casefold(): name for name in reversed(names)}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.5)
    return f"did you mean {folded[close[0]]!r}?" if close else f"known: {', '.join(names)}"


class InputError(ValueError):
    """Something that the user gave cannot be used.

    The message names the file, the row, the value and what was expected, and lists every
    problem at once.  A caller at the edge of the program prints it without a traceback.

    Parameters
    ----------
    summary : str
        One sentence: what was being read.
    problems : iterable of str
        One line per problem.
    table : str
        Where the problems are, as a table to be shown below them.
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

    def __reduce__(self):
        return type(self), (self.summary, self.problems, self.table)


class TooFew(ValueError):  # noqa: N818 (nobody made a mistake)
    """There are too few data for what was asked; the message says for what, and what is missing.

    A claim then has no verdict and a figure is a panel that says so; the run goes on.
    """
