"""How many subjects of a data set are used: all, or the first few for a first look."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.storage.errors import counted
from fuzzybounds.storage.natural_order import natural_key


class Kept(NamedTuple):
    """What :func:`keep_first` returns.

    Attributes
    ----------
    trials, paths : DataFrame
        Of the subjects that are used.
    found, used : int
        How many subjects the logs have, and how many of them are used.
    """

    trials: pd.DataFrame
    paths: pd.DataFrame
    found: int
    used: int

    def described(self, title: str, first_look: str | None = None) -> dict[str, Any]:
        """Return the entries of ``dataset.json`` that say how much of a data set is used.

        Parameters
        ----------
        title : str
            Title of the data set, without the number of its subjects.
        first_look : str, optional
            What marks the results of a first look.
        """
        subjects = counted(self.found, "subject")
        if self.used < self.found:
            subjects = f"{self.used} of {subjects}"
        return {
            "title": f"{title}, {subjects}",
            "subjects_found": self.found,
            "subjects_used": self.used,
            "first_look": first_look,
        }


def keep_first(trials: pd.DataFrame, paths: pd.DataFrame, count: int | None) -> Kept:
    """Keep the first subjects, in the natural order of their names.

    Parameters
    ----------
    trials, paths : DataFrame
        Validated trials and recorded paths of all subjects.
    count : int, optional
        How many subjects are kept.  None: all.
    """
    names = sorted(trials["subject"].unique(), key=natural_key)
    used = names[:count]
    trials, paths = (
        table[table["subject"].isin(used)].reset_index(drop=True) for table in (trials, paths)
    )
    return Kept(trials, paths, len(names), len(used))
