"""The abstract of a report and of the article: what holds, what does not, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.scorecard.claims.claim import (
    EMPIRICAL,
    REPRODUCED,
    SUPPORTED,
    UNTESTABLE,
    WITHHELD,
)

SENTENCES: dict[str, dict[str, str]] = read_yaml(Path(__file__).with_name("abstract.yaml"))
"""What is said for each conclusion of a claim, in the order of the abstract."""


def write_abstract(claims: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the sentences of an abstract from the rows of the table ``claims``.

    Raises
    ------
    InputError
        If a claim has a conclusion for which there is no sentence.
    """
    rows = {row["id"]: row for row in claims}
    about_people = [row for row in rows.values() if row["group"] == EMPIRICAL]
    others = [row for row in rows.values() if row["group"] != EMPIRICAL]
    said = [
        f"Of {len(others)} claims about formulas and the task {_count(others, 'verdict')} come out "
        f"as printed, and of {len(about_people)} about subjects {_count(about_people, 'verdict')}; "
        f"of the conclusions about subjects {_count(about_people, 'conclusion')} are supported."
    ]
    for name, texts in SENTENCES.items():
        conclusion = rows[name]["conclusion"] if name in rows else WITHHELD
        if conclusion in (WITHHELD, UNTESTABLE):
            continue
        if conclusion not in texts:
            remedy = "add one to abstract.yaml"
            raise InputError(f"{name}: no sentence for the conclusion {conclusion!r}", [remedy])
        said.append(texts[conclusion])
    return said


def _count(rows: list[Mapping[str, str]], column: str) -> int:
    return sum(row[column] in (REPRODUCED, SUPPORTED) for row in rows)
