"""The rule base: a labelled table of consequents (Fig. 5).

"Stop" is coded 1 and "continue" 0, as everywhere in the paper except in one sentence on the
defuzzification (ambiguity A05).  A premise without a rule is an empty cell, NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from fuzzybounds.paper.fuzzy.membership import label_words, labels

STOP, CONTINUE = 1.0, 0.0
LETTERS: dict[str, float] = {"S": STOP, "C": CONTINUE, "-": np.nan}

EmptyPolicy = Literal["omit", "neighbours"]


@dataclass(frozen=True, eq=False)
class RuleBase:
    """What to do for each pair of labels, which run from the smallest to the largest.

    `consequents` (time, position) are the centres of the rules' consequents: 1 stop, 0 continue,
    anything between them a degree of both (as while learning), NaN an empty cell.
    """

    time_labels: tuple[str, ...]
    position_labels: tuple[str, ...]
    consequents: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "time_labels", tuple(self.time_labels))
        object.__setattr__(self, "position_labels", tuple(self.position_labels))
        consequents = np.array(self.consequents, dtype=float)
        expected = (len(self.time_labels), len(self.position_labels))
        if consequents.shape != expected:
            raise ValueError(
                f"consequents of shape {consequents.shape}: expected {expected}, one for each pair "
                f"of the time labels {self.time_labels} and position labels {self.position_labels}"
            )
        if np.isinf(consequents).any():
            raise ValueError("consequents: expected finite numbers, or NaN for an empty cell")
        if np.isnan(consequents).all():
            raise ValueError("consequents: every cell is empty, expected at least one rule")
        consequents.setflags(write=False)
        object.__setattr__(self, "consequents", consequents)

    @classmethod
    def from_consequents(cls, consequents: ArrayLike) -> RuleBase:
        """Build a rule base of shape (n_time, n_position) with the usual label names."""
        consequents = np.asarray(consequents, dtype=float)
        if consequents.ndim != 2:
            raise ValueError(f"consequents of {consequents.ndim} dimensions: expected (time, pos)")
        return cls(labels(consequents.shape[0]), labels(consequents.shape[1]), consequents)

    @classmethod
    def from_table(cls, rows: Mapping[str, str]) -> RuleBase:
        """Read a table as the paper prints it: rows are position labels, columns time labels.

        Cells are the letters S (stop), C (continue) and - (empty); blanks are ignored.

        Examples
        --------
        >>> RuleBase.from_table({"L": "S S", "S": "C S"}).sentences()[0]
        'IF time is short AND position is small THEN continue'
        """
        letters = {label: "".join(row.split()) for label, row in rows.items()}
        position_labels = labels(len(letters))
        if set(letters) != set(position_labels):
            raise ValueError(
                f"rows {list(letters)}: expected the position labels {position_labels}"
            )
        lengths = {len(row) for row in letters.values()}
        if len(lengths) != 1 or set("".join(letters.values())) - set(LETTERS):
            raise ValueError(f"rows {letters}: expected rows of one length, of the letters S, C, -")
        table = [[LETTERS[letter] for letter in letters[label]] for label in position_labels]
        return cls(labels(lengths.pop()), position_labels, np.array(table).T)

    @property
    def given(self) -> np.ndarray:
        """Which cells hold a rule, of shape (n_time, n_position)."""
        return ~np.isnan(self.consequents)

    def sentences(self) -> list[str]:
        """Return every rule as a sentence: "IF time is short AND position is medium THEN stop"."""
        names = {STOP: "stop", CONTINUE: "continue"}
        return [
            f"IF time is {label_words('time', time)} AND position is "
            f"{label_words('position', position)} THEN "
            + names.get(self.consequents[i, j], f"stop to a degree of {self.consequents[i, j]:.3g}")
            for i, time in enumerate(self.time_labels)
            for j, position in enumerate(self.position_labels)
            if self.given[i, j]
        ]

    def table(self) -> str:
        """Print the rule base as the paper does: rows POS with the largest on top, columns T."""
        letters = {STOP: "S", CONTINUE: "C"}
        cells = [
            ["-" if np.isnan(value) else letters.get(value, f"{value:.2f}") for value in column]
            for column in self.consequents
        ]
        rows = [["POS\\T", *self.time_labels]]
        for j in reversed(range(len(self.position_labels))):
            rows.append([self.position_labels[j], *(column[j] for column in cells)])
        width = max(len(cell) for row in rows for cell in row)
        return "\n".join("  ".join(cell.rjust(width) for cell in row) for row in rows)

    def to_json(self) -> dict[str, Any]:
        """Return plain data that :meth:`from_json` reads; an empty cell is None."""
        return {
            "time_labels": list(self.time_labels),
            "position_labels": list(self.position_labels),
            "consequents": [
                [None if np.isnan(value) else value for value in row]
                for row in self.consequents.tolist()
            ],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> RuleBase:
        """Read what :meth:`to_json` returned."""
        return cls(**{**content, "consequents": np.array(content["consequents"], dtype=float)})


def fill(consequents: np.ndarray, policy: EmptyPolicy) -> np.ndarray:
    """Return a table of consequents, on any number of axes, after the policy for empty cells (A08).

    "omit" leaves the missing rules out.  "neighbours" gives an empty cell the mean consequent of
    the nearest rules by city-block distance in labels, so it may lie between 0 and 1.
    """
    if policy not in get_args(EmptyPolicy):
        raise ValueError(f"empty = {policy!r}: expected one of {get_args(EmptyPolicy)}")
    if policy == "omit":
        return consequents
    given = ~np.isnan(consequents)
    rules, holes = np.argwhere(given), np.argwhere(~given)
    distance = np.abs(holes[:, None, :] - rules[None, :, :]).sum(axis=-1)
    nearest = distance == distance.min(axis=1, keepdims=True)
    filled = consequents.copy()
    filled[~given] = (nearest * consequents[given]).sum(axis=1) / nearest.sum(axis=1)
    return filled
