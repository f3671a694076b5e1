"""What is asked of stopping models, and when an answer is clear: for claims, which load quickly."""

from __future__ import annotations

BOUNDARY, RULES = "boundary", "rules"
"""The two kinds of models that the paper sets against each other."""
KIND = "kind"
"""Equal numbers of models of both kinds, with noise within trials, or within and between."""
WITHIN_TRIALS = "kind, noise within trials"
"""The same, noise within trials only."""
CHOSEN = "kind, model chosen on training trials"
"""Of each kind, the model with the smallest AIC on the training trials, of all that there are."""
CLEAR = 2.0
"""Standard errors over subjects beyond which a difference counts."""
