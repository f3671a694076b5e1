"""What is asked of stopping models, and when an answer is clear: for claims, which load quickly."""

from __future__ import annotations

BOUNDARY, RULES = "boundary", "rules"
"""The two kinds of models that the paper sets against each other."""
WITHIN_TRIALS = "kind, noise within trials"
"""The question that compares the two kinds with the same noise."""
CLEAR = 2.0
"""Standard errors over subjects beyond which a difference counts."""
