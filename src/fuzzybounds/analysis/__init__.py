"""Comparisons over subjects: groups, tests, model selection, specifications, and the design."""
