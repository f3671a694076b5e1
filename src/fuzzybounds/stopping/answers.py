"""What is asked of stopping models, and when an answer is clear: for claims, which load quickly."""

from __future__ import annotations

from fuzzybounds.core.thresholds import CLEAR as CLEAR

BOUNDARY, RULES = "boundary", "rules"
"""The two kinds of models that the paper sets against each other."""
KIND = "kind"
"""Equal numbers of models of both kinds, with noise within trials."""
KIND_DIRECTED = "kind with direction"
"""The same models, whose hazard also depends on the direction of the canoe."""
DIRECTION = "direction"
"""Both kinds without, and both kinds with the direction."""
IGNORED, USED = "ignored", "used"
"""Answers about the direction."""
READING = "reading"
"""A boundary that is met, or a desire to respond that acts while the canoe moves outward; both have
equally many parameters."""
MEETING, DESIRE = "boundary met", "desire while outward"
CHOSEN = "kind, model chosen on training trials"
"""Of each kind, the model with the smallest AIC on the training trials, of all that there are."""
