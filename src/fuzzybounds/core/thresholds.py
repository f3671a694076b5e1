"""From where on an answer counts: what a study can register before its data."""

from __future__ import annotations

CLEAR = 2.0
"""Standard errors over subjects beyond which a difference counts."""
KNOWN = 0.95
"""Posterior beyond which a rule counts as known."""
THRESHOLDS = {"standard_errors": CLEAR, "posterior_of_a_rule": KNOWN}
