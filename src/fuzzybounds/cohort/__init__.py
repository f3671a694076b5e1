"""Simulated subjects whose truth is known.

:mod:`fuzzy_subjects` (subjects that follow fuzzy rules), :mod:`recovery` (how well their rules are
found again).
"""
