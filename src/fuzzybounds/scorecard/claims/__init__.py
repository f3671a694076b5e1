"""The claims of the paper, each with its text, printed numbers, tolerance, tables and judge.

:mod:`claim` (what a claim is, and the policy), :mod:`design` (C01), :mod:`boundaries` (C02 to C04),
:mod:`worked` (C05 to C08, C21), :mod:`groups` (C09, C13, C14), :mod:`rules` (C10 to C12, C15, C18
to C20), :mod:`learning` (C16, C17), :mod:`beyond` (B01, which the paper concludes without a test),
:mod:`truth` (what is true of simulated subjects), :mod:`scorecard`.
Importing this package is cheap, because the workflow does so at every start: judges import what
they compute with when they are called.
"""

from __future__ import annotations

from fuzzybounds.scorecard.claims import (
    beyond,
    boundaries,
    design,
    groups,
    learning,
    rules,
    worked,
)
from fuzzybounds.scorecard.claims.claim import Claim, Found, Tables

__all__ = ["CLAIMS", "Claim", "Found", "Tables", "printed_numbers", "tables_of_claims"]

_ALL = (
    *design.CLAIMS,
    *boundaries.CLAIMS,
    *worked.CLAIMS,
    *groups.CLAIMS,
    *rules.CLAIMS,
    *learning.CLAIMS,
    *beyond.CLAIMS,
)

CLAIMS: dict[str, Claim] = {
    claim.id: claim for claim in sorted(_ALL, key=lambda claim: (claim.id[0] != "C", claim.id))
}
"""Every claim by its number: the paper's, then those beyond the paper."""


def printed_numbers(*ids: str) -> dict[str, float]:
    """Return the numbers that the paper prints for some claims, by name."""
    return {name: value for id_ in ids for name, value in CLAIMS[id_].printed.items()}


def tables_of_claims() -> list[str]:
    """Return the names of all tables that the claims are judged by."""
    return sorted({name for claim in CLAIMS.values() for name in claim.tables})
