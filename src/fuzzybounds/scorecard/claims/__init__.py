"""The claims of the paper, each with its text, printed numbers, tolerance, tables and judge.

:mod:`claim` (what a claim is), :mod:`task` (C01, C16, C17), :mod:`boundaries` (C02 to C04),
:mod:`worked` (C05 to C08, C21), :mod:`groups` (C09, C13, C14), :mod:`rules` (C10 to C12, C15, C18
to C20), :mod:`rules_or_boundary` (B01, which the paper concludes without a test).
"""

from __future__ import annotations

from fuzzybounds.scorecard.claims import boundaries, groups, rules, rules_or_boundary, task, worked  # noqa: F401
from fuzzybounds.scorecard.claims.claim import CLAIMS as DEFINED
from fuzzybounds.scorecard.claims.claim import Claim

CLAIMS: dict[str, Claim] = {
    name: DEFINED[name] for name in sorted(DEFINED, key=lambda own: (own[0] != "C", own))
}
"""Every claim by its number: the paper's, then those beyond the paper."""


def printed_numbers(*ids: str) -> dict[str, float]:
    """Return the numbers that the paper prints for some claims, by name."""
    return {name: value for id_ in ids for name, value in CLAIMS[id_].printed.items()}


def tables_of_claims() -> list[str]:
    """Return the names of all tables that the claims are judged by."""
    return sorted({name for claim in CLAIMS.values() for name in claim.tables})
