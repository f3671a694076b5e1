"""The claims of the paper, and two beyond it, as data: the reader of ``claims.yaml``.

:mod:`judges` has what decides about them, :mod:`words` what is said about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fuzzybounds.core.documents import read_yaml

ARITHMETIC, DESIGN, EMPIRICAL = "arithmetic", "design", "empirical"
"""Groups of claims: about the formulas and examples of the model, about the task, about people."""
EXPERIMENT_A, ANYONE, UNPUBLISHED = "experiment_a", "anyone", "unpublished"
"""What a claim is about: Experiment A's subjects, the model or the task itself, or unpublished
data."""


class Claim(NamedTuple):
    """One claim.

    Attributes
    ----------
    id, text, where, paper : str
        Its number, what the paper says, the section or figure, and what it prints.
    rule, control : str
        What the verdict needs, and what could refute the conclusion; names of the judge's
        tolerance in braces are replaced by their values.
    group, about : str
        Its group, and what it is about.
    tables : sequence of str
        The result tables that the judge reads; none: the worked example alone.
    truth : str or mapping
        What is true of simulated subjects by construction, if it matters by what they follow.
    """

    id: str
    text: str
    where: str
    paper: str
    rule: str
    control: str
    group: str = EMPIRICAL
    about: str = EXPERIMENT_A
    tables: Sequence[str] = ()
    truth: str | Mapping[str, str] = ""


CLAIMS = {
    name: Claim(name, **fields)
    for name, fields in read_yaml(Path(__file__).with_name("claims.yaml")).items()
}
"""Every claim by its number: the paper's, then those beyond the paper."""


def tables_of_claims() -> list[str]:
    """Return the names of all tables that the claims are judged by."""
    return sorted({name for claim in CLAIMS.values() for name in claim.tables})
